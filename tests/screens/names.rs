//! Finds what can be used in the accessibility tree without a name, by which a screen reader would tell it.

use bevy_egui::egui;
use egui::accesskit::{Action, Node, NodeId, Role, TreeUpdate};
use std::collections::HashMap;

/// What can be used is named.
const USED: [Role; 9] = [
    Role::Button,
    Role::CheckBox,
    Role::ComboBox,
    Role::Link,
    Role::MultilineTextInput,
    Role::RadioButton,
    Role::Slider,
    Role::SpinButton,
    Role::TextInput,
];

/// The errors of a frame; empty if there are none. What can be clicked and comes to the keyboard is named, too, whatever its role.
pub fn nameless(update: &TreeUpdate) -> Vec<String> {
    let nodes: HashMap<NodeId, &Node> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let text = |node: &Node| node.label().or(node.value()).is_some_and(|text| !text.trim().is_empty());
    let named = |node: &Node| {
        node.label().is_some_and(|name| !name.trim().is_empty())
            || node.labelled_by().iter().any(|label| nodes.get(label).is_some_and(|label| text(label)))
    };
    let used =
        |node: &Node| USED.contains(&node.role()) || (node.supports_action(Action::Click) && node.supports_action(Action::Focus));
    let faults = update.nodes.iter().filter(|(_, node)| used(node) && !named(node));
    faults.map(|(_, node)| format!("{:?} {:?} at {:?} has no name", node.role(), node.value(), node.bounds())).collect()
}

#[test]
fn only_what_has_no_name_is_reported() {
    let look = |add: &dyn Fn(&mut egui::Ui)| {
        let ctx = egui::Context::default();
        ctx.enable_accesskit();
        let mut output = ctx.run_ui(egui::RawInput::default(), add);
        output.textures_delta.clear();
        nameless(&output.platform_output.accesskit_update.unwrap())
    };
    let slider = |ui: &mut egui::Ui| ui.add(egui::Slider::new(&mut 3, 1..=10).show_value(false));
    let fault = look(&|ui| drop(slider(ui)));
    assert!(fault.len() == 1 && fault[0].contains("Slider"), "{fault:?}");
    let labelled = look(&|ui| {
        let label = ui.label("Level");
        slider(ui).labelled_by(label.id);
    });
    assert_eq!(labelled, [""; 0]);
    // What belongs into a field is not its name: it is gone when the field holds a text.
    let hinted = look(&|ui| drop(ui.add(egui::TextEdit::singleline(&mut String::new()).hint_text("Name"))));
    assert!(hinted.len() == 1 && hinted[0].contains("TextInput"), "{hinted:?}");
    let drawn = look(&|ui| drop(ui.allocate_exact_size(egui::vec2(9.0, 9.0), egui::Sense::click())));
    assert_eq!(drawn.len(), 1, "{drawn:?}");
    assert_eq!(look(&|ui| drop(ui.button("Play"))), [""; 0]);
}
