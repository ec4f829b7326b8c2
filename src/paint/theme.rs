//! Themes: what the table is made of, as a RON asset.

use super::colour::Colour;
use crate::rules::BySide;
use crate::table::{SheetError, Text, read_ron};
use serde::{Deserialize, Serialize};

/// The themes that ship, the default first: key and text.
const BUILTIN: &[(&str, &str)] = &[
    ("kaya", include_str!("../../assets/themes/kaya.theme.ron")),
    ("walnut", include_str!("../../assets/themes/walnut.theme.ron")),
    ("paper", include_str!("../../assets/themes/paper.theme.ron")),
    ("night", include_str!("../../assets/themes/night.theme.ron")),
];

/// What the table is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// The theme's name.
    pub name: Text,
    /// The desk under the board.
    pub desk: Material,
    /// The field the game is played on.
    pub field: Material,
    /// The frame around the field.
    pub frame: Material,
    /// The engraved lines, the writing on the field.
    pub lines: Colour,
    /// The light that catches the lower edge of what is engraved.
    pub gleam: Colour,
    /// Coordinates on the frame.
    pub labels: Colour,
    /// Discs, by side.
    pub discs: BySide<Material>,
    /// What is written on the discs, by side.
    pub inks: BySide<Colour>,
    /// Drawn marks, by side: a cross and a ring straight on the field.
    pub pens: BySide<Colour>,
    /// Dark stones.
    pub slate: Colour,
    /// Light stones.
    pub shell: Colour,
    /// What asks for attention on the board: the selected piece, targets, the last move.
    pub accent: Colour,
    /// Danger on the board: check, what can be taken, what is refused.
    pub alarm: Colour,
    /// The colours that red-blind eyes get instead.
    pub safe: Safe,
    /// How much edges, grooves and domes catch the light: 0 is flat, 1 is carved.
    pub relief: f32,
    /// How dark shadows are, 0 to 1.
    pub shadow: f32,
    /// The colours of the panels around the board.
    pub panel: Panel,
}

/// Colours told apart without seeing red, for what they replace see [`Theme`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safe {
    /// What is written on the discs, by side.
    pub inks: BySide<Colour>,
    /// Drawn marks, by side.
    pub pens: BySide<Colour>,
    /// What asks for attention on the board.
    pub accent: Colour,
    /// Danger on the board.
    pub alarm: Colour,
}

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Between the grain.
    pub light: Colour,
    /// The grain.
    pub dark: Colour,
    /// How the grain runs.
    pub grain: Grain,
}

/// How a material's grain runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grain {
    /// None: one colour.
    Plain,
    /// Fine straight lines: quarter-sawn kaya, boxwood.
    Straight,
    /// Broad wandering bands with open pores: walnut, rosewood.
    Figured,
    /// Woven threads: felt, linen.
    Cloth,
}

/// Colours of the panels around the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Whether the surface is darker than its text.
    pub dark: bool,
    /// The panel.
    pub surface: Colour,
    /// Buttons and cards on the panel.
    pub raised: Colour,
    /// A button or card under the pointer.
    pub hover: Colour,
    /// Text.
    pub text: Colour,
    /// Text of less weight.
    pub dim: Colour,
    /// Lines of one pixel.
    pub hairline: Colour,
    /// The filled button, the focus ring, the chosen row.
    pub accent: Colour,
    /// Text on the accent.
    pub on_accent: Colour,
    /// Loss, low time, errors.
    pub danger: Colour,
}

impl Theme {
    /// The themes that ship, the default first: key and text for [`parse`](Theme::parse).
    pub fn builtin() -> &'static [(&'static str, &'static str)] {
        BUILTIN
    }

    /// Reads and checks a theme. `file` is for messages.
    ///
    /// # Errors
    /// The text is no RON of this shape or an amount is out of range: with the line.
    pub fn parse(file: &str, text: &str) -> Result<Theme, SheetError> {
        let theme: Theme = read_ron(file, text)?;
        for (field, value) in [("relief", theme.relief), ("shadow", theme.shadow)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(SheetError::at(file, text, field, format!("{field} is 0 to 1, not {value}")));
            }
        }
        Ok(theme)
    }

    /// This theme in the colours that red-blind eyes tell apart well.
    pub fn red_blind_safe(mut self) -> Theme {
        let Safe { inks, pens, accent, alarm } = self.safe;
        (self.inks, self.pens, self.accent, self.alarm) = (inks, pens, accent, alarm);
        self
    }
}
