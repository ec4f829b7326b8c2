//! While the friend is to move: that they are waited for, and the button that shows the letter again.

use super::mail::friend_of;
use crate::app::play::{CurrentMatch, Offers};
use crate::app::requests::{LetterRequest, Requests};
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::widgets::{Face, Icon, ask_button, natural_width};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Ui, vec2};

/// The section of the panel.
pub fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, offers, words): (Res<CurrentMatch>, Res<Offers>, Res<Words>),
    mut requests: Requests,
) -> bool {
    if current.outcome().is_some() || !current.letter_due() || offers.question(&current).is_some() {
        return false;
    }
    let said = words.with("letters.waiting", friend_of(&current, &words));
    let face = Face { icon: Some(Icon::Letter), text: words.say("letters.short"), ..Face::default() };
    let size = vec2(natural_width(ui, face), if room == Room::Row { 28.0 } else { 32.0 });
    ui.allocate_ui_with_layout(vec2(ui.available_width(), size.y), egui::Layout::right_to_left(Align::Center), |ui| {
        ask_button(ui, &words, (Icon::Letter, "letters.short"), LetterRequest::Show, size, true, &mut requests);
        ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| ui.add(egui::Label::new(said).truncate()));
    });
    true
}
