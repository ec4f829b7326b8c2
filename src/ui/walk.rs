//! The buttons for a line that is shown beside the match: one step back, one forward, and back to the game.

use super::widgets::{Icon, ask_button, ask_icon};
use crate::app::requests::{CursorRequest, Go, Requests};
use crate::app::words::Words;
use bevy_egui::egui::{Ui, vec2};

/// Their drawings, what they are called, whether they lead anywhere, and where to.
fn steps((back, forward): (bool, bool)) -> [(Icon, &'static str, bool, Go); 3] {
    [
        (Icon::Back, "walk.back", back, Go::Back),
        (Icon::Forward, "walk.forward", forward, Go::Forward),
        (Icon::Leave, "walk.leave", true, Go::Leave),
    ]
}

/// In the panel, where the last one has words. `ways` says whether a step back and a step forward lead anywhere.
pub fn in_panel(ui: &mut Ui, words: &Words, ways: (bool, bool), requests: &mut Requests) {
    ui.horizontal(|ui| {
        let [back, forward, (icon, key, enabled, leave)] = steps(ways);
        for (icon, key, enabled, go) in [back, forward] {
            ask_icon(ui, words, (icon, key), CursorRequest::Go(go), 36.0, enabled, requests);
        }
        let size = vec2(ui.available_width(), 32.0);
        ask_button(ui, words, (icon, key), CursorRequest::Go(leave), size, enabled, requests);
    });
}

/// At the right of a row that is laid out from there.
pub fn at_the_right(ui: &mut Ui, words: &Words, ways: (bool, bool), requests: &mut Requests) {
    for (icon, key, enabled, go) in steps(ways).into_iter().rev() {
        ask_icon(ui, words, (icon, key), CursorRequest::Go(go), 36.0, enabled, requests);
    }
}
