//! Themes: colours and materials, as RON files.

use super::colour::Colour;
use crate::message;
use crate::rules::BySide;
use crate::table::{SheetError, Text, read_ron};
use serde::{Deserialize, Serialize};

/// The built-in themes, the default first: key and text.
const BUILTIN: &[(&str, &str)] = &[
    ("kaya", include_str!("../../assets/themes/kaya.theme.ron")),
    ("walnut", include_str!("../../assets/themes/walnut.theme.ron")),
    ("paper", include_str!("../../assets/themes/paper.theme.ron")),
    ("night", include_str!("../../assets/themes/night.theme.ron")),
];

/// The colours and materials of the board, the pieces and the panels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// The theme's name.
    pub name: Text,
    /// The desk under the board.
    pub desk: Material,
    /// The field of the board.
    pub field: Material,
    /// The frame around the field.
    pub frame: Material,
    /// The engraved lines and inscriptions on the field.
    pub lines: Colour,
    /// The highlight on the lower edge of engraved lines.
    pub gleam: Colour,
    /// Coordinates on the frame.
    pub labels: Colour,
    /// Discs, by side.
    pub discs: BySide<Material>,
    /// Symbols on the discs, by side.
    pub inks: BySide<Colour>,
    /// Drawn marks, by side: a cross and a ring on the field.
    pub pens: BySide<Colour>,
    /// Dark stones.
    pub slate: Colour,
    /// Light stones.
    pub shell: Colour,
    /// Highlights on the board: the selected piece, targets, the last move.
    pub accent: Colour,
    /// Danger on the board: check, captures, refused moves.
    pub alarm: Colour,
    /// The lines of the analysis by rank, the best first: told apart by eyes that do not see red.
    pub ranks: [Colour; 5],
    /// The alternative colours for red blindness.
    pub safe: Safe,
    /// The depth of edges, grooves and curves: 0 is flat, 1 is deep.
    pub relief: f32,
    /// How dark shadows are, 0 to 1.
    pub shadow: f32,
    /// The colours of the panels around the board.
    pub panel: Panel,
}

/// Colours that can be distinguished with red blindness; they replace those of [`Theme`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safe {
    /// Symbols on the discs, by side.
    pub inks: BySide<Colour>,
    /// Drawn marks, by side.
    pub pens: BySide<Colour>,
    /// Highlights on the board.
    pub accent: Colour,
    /// Danger on the board.
    pub alarm: Colour,
}

/// The material of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// The light colour, between the grain.
    pub light: Colour,
    /// The dark colour, the grain.
    pub dark: Colour,
    /// The kind of grain.
    pub grain: Grain,
}

/// The kind of a material's grain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grain {
    /// None: one colour.
    Plain,
    /// Fine straight lines: quarter-sawn kaya, boxwood.
    Straight,
    /// Broad irregular bands with open pores: walnut, rosewood.
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
    /// Secondary text.
    pub dim: Colour,
    /// Lines of one pixel.
    pub hairline: Colour,
    /// The filled button, the focus ring, the selected row.
    pub accent: Colour,
    /// Text on the accent.
    pub on_accent: Colour,
    /// Losses, low time, errors.
    pub danger: Colour,
}

impl Theme {
    /// The built-in themes, the default first: key and text for [`parse`](Theme::parse).
    pub fn builtin() -> &'static [(&'static str, &'static str)] {
        BUILTIN
    }

    /// Reads and checks a theme. `file` is for messages.
    ///
    /// # Errors
    /// The text is not valid RON for a theme, or a value is out of range; the error has the line.
    pub fn parse(file: &str, text: &str) -> Result<Theme, SheetError> {
        let theme: Theme = read_ron(file, text)?;
        for (field, value) in [("relief", theme.relief), ("shadow", theme.shadow)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(SheetError::at(file, text, field, message!("{} must be 0 to 1, not {}", field, value)));
            }
        }
        Ok(theme)
    }

    /// This theme with the colours for red blindness.
    pub fn red_blind_safe(mut self) -> Theme {
        let Safe { inks, pens, accent, alarm } = self.safe;
        (self.inks, self.pens, self.accent, self.alarm) = (inks, pens, accent, alarm);
        self
    }
}
