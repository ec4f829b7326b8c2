//! What the parts of the laboratory's page share: the data they are drawn with, colours, values as text.

use super::state::Laboratory;
use crate::app::library::LibraryGame;
use crate::app::settings::Settings;
use crate::app::words::Words;
use crate::ui::panel::{signed, value_text};
use crate::ui::style::{BODY, Palette, SMALL, colour};
use crate::ui::typesetting::Prose;
use bevy_egui::egui;
use egui::{Color32, RichText, Ui};
use qiju_core::rules::Side;
use qiju_core::search::{Score, Value};
use qiju_core::table::Shape;

/// What the parts of the page are drawn with.
pub struct Page<'a> {
    pub lab: &'a Laboratory,
    pub game: &'a LibraryGame,
    pub words: &'a Words,
    pub palette: &'a Palette,
    pub settings: &'a Settings,
}

/// A value in as few characters as possible; nothing for what is beyond all values.
pub fn short(score: Score) -> String {
    if score.0.abs() > Score::WIN.0 {
        return String::new();
    }
    match score.value() {
        Value::Cp(0) => "0".to_owned(),
        value => signed(value),
    }
}

impl Page<'_> {
    /// A side's colour.
    pub fn tone(&self, side: Side) -> Color32 {
        let theme = &self.palette.theme;
        match self.game.sheet.shape {
            Shape::Stone { first_is_dark } if (side == Side::First) == first_is_dark => colour(theme.slate),
            Shape::Stone { .. } => colour(theme.shell),
            Shape::Disc => colour(theme.inks[side]),
            Shape::Mark => colour(theme.pens[side]),
        }
    }

    pub fn side(&self, side: Side) -> &str {
        self.words.of(&self.game.sheet.sides[side])
    }

    pub fn surface(&self) -> Color32 {
        colour(self.palette.panel().surface)
    }

    pub fn hairline(&self) -> Color32 {
        colour(self.palette.panel().hairline)
    }

    /// A value in words; what is beyond all values is no bound.
    pub fn value(&self, score: Score) -> String {
        match score.0.abs() > Score::WIN.0 {
            true => self.words.say("lab.no-bound").to_owned(),
            false => value_text(score.value(), self.words),
        }
    }

    /// One end of a window in as few characters as possible.
    pub fn bound(&self, score: Score) -> String {
        if score.0.abs() > Score::WIN.0 { self.words.say("lab.no-bound").to_owned() } else { short(score) }
    }
}

/// Text of the usual size.
pub fn body(ui: &mut Ui, text: impl Into<String>) -> egui::Response {
    ui.prose(RichText::new(text).size(BODY))
}

/// Small text that may take several lines.
pub fn small(ui: &mut Ui, text: impl Into<String>) -> egui::Response {
    ui.prose(RichText::new(text).size(SMALL))
}
