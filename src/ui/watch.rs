//! A match that people only watch: it goes on, is stopped, or played step by step, at a pace chosen with a slider.

use super::style::{Palette, SMALL};
use super::widgets::{Icon, ask_button, dim};
use crate::app::play::Watch;
use crate::app::requests::{Requests, WatchRequest};
use crate::app::settings::{LONGEST_PACE, Settings};
use crate::app::words::Words;
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};

/// The pauses between two moves that the slider offers, in milliseconds.
const PACES: [u64; 9] = [0, 250, 500, 1000, 1500, 2000, 3000, 5000, LONGEST_PACE];

/// Height of the section in the panel, in logical pixels.
pub const HEIGHT: f32 = 76.0;

/// The section of the panel.
pub fn section(ui: &mut Ui, watch: &Watch, settings: &Settings, (words, palette): (&Words, &Palette), requests: &mut Requests) {
    buttons(ui, watch, words, (ui.available_width() - 8.0) / 2.0, requests);
    let mut pace_ms = settings.watch_pace_ms;
    if pace(ui, &mut pace_ms, words, palette) {
        requests.change(move |settings: &mut Settings| settings.watch_pace_ms = pace_ms);
    }
}

/// Stop or go on, and one move.
pub fn buttons(ui: &mut Ui, watch: &Watch, words: &Words, width: f32, requests: &mut Requests) {
    let paused = watch.is_paused();
    let (icon, key) = if paused { (Icon::Play, "watch.go-on") } else { (Icon::Pause, "watch.stop") };
    ui.horizontal(|ui| {
        ask_button(ui, words, (icon, key), WatchRequest::Pause(!paused), vec2(width, 32.0), true, requests);
        ask_button(ui, words, (Icon::Step, "watch.step"), WatchRequest::Step, vec2(width, 32.0), true, requests);
    });
}

/// The slider of the pause between two moves. True if it was changed.
pub fn pace(ui: &mut Ui, pace_ms: &mut u64, words: &Words, palette: &Palette) -> bool {
    let mut place = PACES.iter().position(|pace| *pace >= *pace_ms).unwrap_or(PACES.len() - 1);
    ui.horizontal(|ui| {
        let name = dim(ui, palette, words.say("watch.pace"));
        let said = match *pace_ms {
            0 => words.say("watch.at-once").to_owned(),
            ms => words.with("watch.seconds", ms as f64 / 1000.0),
        };
        let value = 72.0;
        ui.spacing_mut().slider_width = (ui.available_width() - value - 8.0).max(60.0);
        let slider = ui.add(egui::Slider::new(&mut place, 0..=PACES.len() - 1).show_value(false)).labelled_by(name.id);
        ui.label(RichText::new(&said).size(SMALL));
        if slider.changed() {
            *pace_ms = PACES[place];
        }
        slider.on_hover_text(said).changed()
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::PACES;
    use crate::app::settings::LONGEST_PACE;

    #[test]
    fn the_paces_rise_to_the_longest() {
        assert!(PACES.is_sorted_by(|a, b| a < b) && PACES.last() == Some(&LONGEST_PACE));
    }
}
