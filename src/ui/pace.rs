//! The slider of the pause between two moves of a match that is only watched.

use super::speech::Named;
use super::style::{Palette, SMALL};
use super::widgets::dim;
use crate::app::settings::LONGEST_PACE;
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip};
use bevy_egui::egui;
use egui::{RichText, Ui};

/// The pauses between two moves that the slider offers, in milliseconds.
const PACES: [u64; 9] = [0, 250, 500, 1000, 1500, 2000, 3000, 5000, LONGEST_PACE];

/// The slider of the pause between two moves. True if it was changed.
pub fn pace(ui: &mut Ui, pace_ms: &mut u64, words: &Words, palette: &Palette) -> bool {
    let mut place = PACES.iter().position(|pace| *pace >= *pace_ms).unwrap_or(PACES.len() - 1);
    ui.horizontal(|ui| {
        let name = words.say("watch.pace");
        let label = dim(ui, palette, name);
        let said = match *pace_ms {
            0 => words.say("watch.at-once").to_owned(),
            ms => words.with("watch.seconds", ms as f64 / 1000.0),
        };
        let value = 72.0;
        ui.spacing_mut().slider_width = (ui.available_width() - value - 8.0).max(60.0);
        let slider = ui.add(egui::Slider::new(&mut place, 0..=PACES.len() - 1).show_value(false)).named(&label, name);
        ui.prose(RichText::new(&said).size(SMALL));
        if slider.changed() {
            *pace_ms = PACES[place];
        }
        slider.tip(said).changed()
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
