//! The choice of a computer's manner, beside its level on the setup page.

use super::widgets::{button, menu_choice, menu_of};
use crate::app::words::Words;
use crate::ui::typesetting::Tip;
use bevy_egui::egui::Ui;
use qiju_core::table::MannerText;

/// The choice of a manner; rated matches have none.
pub fn choose(ui: &mut Ui, chosen: &mut Option<String>, manners: &[MannerText], may: bool, words: &Words) {
    let now = manners.iter().find(|manner| may && chosen.as_ref() == Some(&manner.key));
    let shown = button(ui, now.map_or(words.say("setup.manner"), |manner| words.of(&manner.name)), may);
    let shown = shown.tip(words.say("setup.manner.note"));
    menu_of(&shown).show(|ui| {
        let none = std::iter::once((words.say("setup.no-manner"), None));
        for (name, key) in none.chain(manners.iter().map(|manner| (words.of(&manner.name), Some(&manner.key)))) {
            if menu_choice(ui, key == chosen.as_ref(), name, 180.0) {
                *chosen = key.cloned();
            }
        }
    });
}
