//! What egui hears, and when it draws: the window sleeps although egui is drawn in it, and a slow frame loses no click.

use bevy::asset::AssetEventSystems;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::{EguiInput, EguiPostUpdateSet, EguiPreUpdateSet, EguiRenderOutput, egui};

/// `bevy_egui` sends egui the modifier keys in every frame, and egui redraws at every event, which is an endless loop.
/// So unchanged modifiers are removed.
fn drop_unchanged_modifiers(mut inputs: Query<&mut EguiInput>, mut last: Local<Option<egui::Modifiers>>) {
    for mut input in &mut inputs {
        input.0.events.retain(|event| match event {
            egui::Event::ModifiersChanged(modifiers) => last.replace(*modifiers) != Some(*modifiers),
            _ => true,
        });
    }
}

/// After a slow frame a press and its release arrive at once, and a slider or a text field would hear of neither. The release, and what follows it, is
/// told in the next frame.
fn release_in_the_next_frame(
    mut inputs: Query<&mut EguiInput>,
    mut later: Local<Vec<egui::Event>>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let Ok(mut input) = inputs.single_mut() else { return };
    hold_release(&mut input.0.events, &mut later);
    if !later.is_empty() {
        redraw.write(RequestRedraw);
    }
}

/// Puts what was held back before the events, and takes out the first release of a press among them, with all that follows it.
fn hold_release(events: &mut Vec<egui::Event>, later: &mut Vec<egui::Event>) {
    events.splice(..0, later.drain(..));
    let mut pressed = false;
    let release = events.iter().position(|event| {
        let egui::Event::PointerButton { pressed: down, .. } = event else { return false };
        let released = pressed && !down;
        pressed |= down;
        released
    });
    if let Some(release) = release {
        later.extend(events.drain(release..));
    }
}

/// A font's texture that is new, and not only changed, may reach the graphics card late: one more frame is drawn.
fn show_new_letters(outputs: Query<&EguiRenderOutput>, mut redraw: MessageWriter<RequestRedraw>) {
    if outputs.iter().any(|output| !output.textures_delta.set.is_empty()) {
        redraw.write(RequestRedraw);
    }
}

pub(super) fn plugin(app: &mut App) {
    let after_drawing = show_new_letters.after(EguiPostUpdateSet::ProcessOutput).before(EguiPostUpdateSet::PostProcessOutput);
    app.add_systems(PostUpdate, after_drawing);
    // The renderer hears of changed textures by the events of assets. Sent before egui's textures change, they would tell it of a character that is
    // drawn for the first time only in the next frame, until which the character is missing.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems));
    app.add_systems(
        PreUpdate,
        (drop_unchanged_modifiers, release_in_the_next_frame)
            .chain()
            .after(EguiPreUpdateSet::ProcessInput)
            .before(EguiPreUpdateSet::BeginPass),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};

    /// The events of a click at a position, all in one frame.
    fn click(at: Pos2) -> Vec<Event> {
        let button =
            |pressed| Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        vec![Event::PointerMoved(at), button(true), button(false)]
    }

    #[test]
    fn a_click_in_one_frame_is_heard_by_all_widgets() {
        let ctx = egui::Context::default();
        let (mut value, mut text, mut page, mut later) = (0.0, String::new(), 1, Vec::new());
        let mut places = [Rect::NOTHING; 3];
        let mut focused = false;
        let mut frame = |mut events: Vec<Event>| {
            hold_release(&mut events, &mut later);
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0)));
            ctx.run_ui(RawInput { events, screen_rect, ..RawInput::default() }, |ui| {
                let slider = ui.add(egui::Slider::new(&mut value, 0.0..=100.0).show_value(false));
                let field = ui.text_edit_singleline(&mut text);
                focused = field.has_focus();
                let tab = ui.selectable_value(&mut page, 2, "tab");
                places = [slider.rect, field.rect, tab.rect];
            })
            .textures_delta
            .clear();
            (places, value, focused, page)
        };
        let ([slider, field, tab], ..) = frame(Vec::new());
        frame(Vec::new());
        let mut after = |at: Pos2| {
            frame(click(at));
            frame(Vec::new());
            frame(Vec::new())
        };
        assert!(after(pos2(slider.right() - 1.0, slider.center().y)).1 > 90.0);
        assert!(after(field.center()).2);
        assert_eq!(after(tab.center()).3, 2);
        assert!(later.is_empty());
    }
}
