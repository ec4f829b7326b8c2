//! A game's sheet: the RON file with its names, characters on the pieces, board geometry, levels and variants.
//!
//! A sheet has no influence on the rules. An invalid sheet is reported with file and line.

use super::{Chance, Handicap, Level, Piece, SearchRequest};
use crate::message;
use crate::message::Message;
use crate::rules::{BySide, Point, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// Chinese (simplified).
    pub zh: String,
    /// English.
    pub en: String,
}

/// The appearance and the levels of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSheet {
    /// The game's name.
    pub name: Text,
    /// A short description of the game, one line.
    pub about: Text,
    /// The sides' names.
    pub sides: BySide<Text>,
    /// The kinds of pieces; the role of a [`Piece`](super::Piece) is an index into this list.
    pub roles: Vec<Role>,
    /// The shape and material of the pieces.
    pub shape: Shape,
    /// The boards, one for each board size.
    pub boards: Vec<Board>,
    /// The variants offered, the default first.
    pub variants: Vec<Variant>,
    /// The ten levels, weakest first.
    pub levels: Vec<Level>,
    /// The manners in which a level can play.
    #[serde(default)]
    pub manners: Vec<MannerText>,
    /// The ratings of the levels, in ascending order (see `docs/levels.md`); empty where they were not measured.
    #[serde(default)]
    pub ratings: Vec<f64>,
    /// Whether players may agree to a draw.
    #[serde(default)]
    pub draws_by_agreement: bool,
    /// Moves in the game's own notation that lead to the position shown on the title page.
    #[serde(default)]
    pub showcase: String,
    /// The rules in a few paragraphs.
    pub rules: Text,
    /// Examples of the rules.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// The themes of its puzzles.
    #[serde(default)]
    pub themes: Vec<PuzzleTheme>,
    /// The handicaps that are usual in the game.
    #[serde(default)]
    pub handicaps: Vec<Handicap>,
    /// Texts for reasons of the game's end that replace the common texts, by the reason's key.
    #[serde(default)]
    pub reasons: BTreeMap<String, Text>,
    /// The text shown when a position occurs for the second time.
    #[serde(default)]
    pub repeated: Option<Text>,
}

/// A position and a few moves that explain a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Its variant; `None` means every variant on the first variant's board.
    #[serde(default)]
    pub variant: Option<String>,
    /// The position text.
    pub position: String,
    /// The moves in the game's own notation, separated by spaces.
    pub moves: String,
    /// The explanation.
    pub text: Text,
}

/// A theme of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleTheme {
    /// The key; see [`Puzzles::themes`](super::Puzzles::themes).
    pub key: String,
    /// The name.
    pub name: Text,
    /// What it is, with a position in which it occurs.
    pub example: Example,
}

/// A manner in which a level can play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MannerText {
    /// The key; see [`Game::manners`](super::Game::manners).
    pub key: String,
    /// The winning chance that a level gives up for a move of it at most, in ten-thousandths.
    pub margin: u16,
    /// The name: what it does.
    pub name: Text,
    /// A line about it.
    pub portrait: Text,
}

/// The names of both sides.
pub type Names = BySide<Text>;

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Its key in files.
    pub key: String,
    /// Its name.
    pub name: Text,
    /// Its names by side, where a side has a name of its own for it.
    #[serde(default)]
    pub names: Option<Names>,
    /// The character on the piece, by side; empty for stones.
    #[serde(default)]
    pub glyph: BySide<String>,
}

/// The shape and material of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Turned wooden discs with characters.
    Disc,
    /// Stones: dark ones of slate, light ones of shell.
    Stone {
        /// The first side has the dark stones.
        first_is_dark: bool,
    },
    /// Drawn marks, a cross and a ring.
    Mark,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Files, left to right.
    pub files: u8,
    /// Ranks, from the first side's edge.
    pub ranks: u8,
    /// The lines.
    pub grid: Grid,
    /// Further lines between points, as `((x, y), (x, y))`: a palace's diagonals.
    #[serde(default)]
    pub segments: Vec<((u8, u8), (u8, u8))>,
    /// Star points.
    #[serde(default)]
    pub stars: Vec<(u8, u8)>,
    /// Points with the four corner marks of cannons and soldiers.
    #[serde(default)]
    pub corners: Vec<(u8, u8)>,
    /// Whether points are drawn as small hollows.
    #[serde(default)]
    pub sockets: bool,
    /// Characters written on the board.
    #[serde(default)]
    pub inscriptions: Vec<Inscription>,
    /// The coordinates along the edges.
    pub coordinates: Coordinates,
    /// Diameter of a piece, in cells.
    pub piece: f32,
}

/// How a board's lines run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grid {
    /// A line through every file and rank; pieces stand on the crossings.
    Lines,
    /// The same, but the inner files are interrupted between this rank and the next.
    River(u8),
    /// Cells; pieces stand inside them.
    Cells,
}

/// A character on the board, centred at a place in cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inscription {
    /// The character.
    pub glyph: String,
    /// Its centre, in files and ranks.
    pub at: (f32, f32),
    /// Whether it is upside down, for the other side.
    #[serde(default)]
    pub turned: bool,
}

/// The coordinates along a board's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Coordinates {
    /// Files `a`.. and ranks from this number.
    Letters(u8),
    /// Files numbered from each side's right: Chinese numerals for the first side, digits for the second.
    /// If the notation is not Chinese: letters, and ranks from 0.
    Xiangqi,
    /// Columns and rows from 0.
    Indices,
}

impl Coordinates {
    /// A point's name in the game's own notation.
    pub fn name(self, point: Point) -> String {
        let file = char::from(b'a' + point.x.min(25));
        match self {
            Coordinates::Letters(first) => format!("{file}{}", u16::from(point.y) + u16::from(first)),
            Coordinates::Xiangqi => format!("{file}{}", point.y),
            Coordinates::Indices => format!("{},{}", point.y, point.x),
        }
    }
}

/// A variant of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The key used on the command line.
    pub key: String,
    /// Its name.
    pub name: Text,
    /// How it differs from the others.
    pub note: Text,
}

/// What is wrong with a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub struct SheetError {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: Message,
}

crate::has_message!(SheetError);

impl From<&SheetError> for Message {
    fn from(error: &SheetError) -> Message {
        message!("{}:{}: {}", &error.file, error.line, &error.why)
    }
}

impl SheetError {
    /// An error at the line where `needle` first occurs in `text` (the first line if it does not).
    pub fn at(file: &str, text: &str, needle: &str, why: Message) -> Self {
        let line = text.find(needle).map_or(1, |byte| text[..byte].matches('\n').count() + 1);
        SheetError { file: file.to_owned(), line, why }
    }
}

impl GameSheet {
    /// Reads and checks a sheet. `file` is for messages.
    ///
    /// # Errors
    /// The text is not valid RON for a sheet, or its values are inconsistent; the error has the line.
    pub fn parse(file: &str, text: &str) -> Result<GameSheet, SheetError> {
        let sheet: GameSheet = read_ron(file, text)?;
        sheet.check(file, text)?;
        Ok(sheet)
    }

    fn check(&self, file: &str, text: &str) -> Result<(), SheetError> {
        let fail = |needle: &str, why: Message| Err(SheetError::at(file, text, needle, why));
        if self.levels.len() != 10 {
            return fail("levels", message!("a game must have 10 levels, not {}", self.levels.len()));
        }
        for (number, level) in (1..).zip(&self.levels) {
            if level.depth.is_none() && level.nodes.is_none() && level.time_ms.is_none() {
                return fail("levels", message!("level {} has no limit of depth, nodes or time, so it would never move", number));
            }
            if level.depth == Some(0) || level.nodes == Some(0) || level.time_ms == Some(0) || level.width == Some(0) {
                return fail("levels", message!("level {} has a limit of 0", number));
            }
        }
        if !self.ratings.is_empty() && self.ratings.len() != self.levels.len() {
            return fail("ratings", message!("there must be a rating for each of the 10 levels, not {}", self.ratings.len()));
        }
        if !self.ratings.iter().all(|rating| rating.is_finite()) || !self.ratings.is_sorted_by(|a, b| a < b) {
            return fail("ratings", message!("the ratings must be in ascending order"));
        }
        if let Some(handicap) = self.handicaps.iter().find(|handicap| !handicap.is_sound()) {
            return fail(&format!("{:?}", handicap.name.en), message!("the ratings must be in ascending order"));
        }
        if self.roles.is_empty() {
            return fail("roles", message!("a game must have at least one kind of piece"));
        }
        if self.variants.is_empty() {
            return fail("variants", message!("a game must have at least one variant"));
        }
        if self.boards.is_empty() {
            return fail("boards", message!("a game must have at least one board"));
        }
        for board in &self.boards {
            let (files, ranks) = (board.files, board.ranks);
            if !(2..=30).contains(&files) || !(2..=30).contains(&ranks) {
                return fail("files", message!("a board must have 2 to 30 files and ranks, not {} by {}", files, ranks));
            }
            if !(0.2..=1.0).contains(&board.piece) {
                return fail("piece", message!("the diameter of a piece must be 0.2 to 1 cell, not {}", board.piece));
            }
            let ends = board.segments.iter().flat_map(|&(a, b)| [a, b]);
            for (x, y) in ends.chain(board.stars.iter().copied()).chain(board.corners.iter().copied()) {
                if x >= files || y >= ranks {
                    let needle = format!("({x}, {y})");
                    return fail(&needle, message!("({}, {}) is outside the board of {} by {}", x, y, files, ranks));
                }
            }
            if let Grid::River(rank) = board.grid
                && rank + 1 >= ranks
            {
                return fail("River", message!("a river after rank {} is outside a board of {} ranks", rank, ranks));
            }
        }
        Ok(())
    }

    /// The request to our engine at a level, 1 to 10, and in a manner. Different seeds give different errors.
    pub fn request(&self, level: u8, manner: Option<&str>, seed: u64) -> SearchRequest {
        let level = &self.levels[usize::from(level.clamp(1, 10)) - 1];
        let manner = manner.and_then(|key| self.manner(key)).map(|manner| (manner.key.clone(), Chance(manner.margin)));
        SearchRequest { manner, ..level.request(seed) }
    }

    /// The manner with this key.
    pub fn manner(&self, key: &str) -> Option<&MannerText> {
        self.manners.iter().find(|manner| manner.key == key)
    }

    /// Every kind of piece: those of the first side, then those of the second.
    pub fn kinds(&self) -> impl Iterator<Item = Piece> + use<> {
        let roles = self.roles.len() as u8;
        Side::BOTH.into_iter().flat_map(move |side| (0..roles).map(move |role| Piece { side, role }))
    }

    /// The handicap that begins with this position.
    pub fn handicap(&self, position: &str) -> Option<&Handicap> {
        self.handicaps.iter().find(|handicap| handicap.position == position)
    }

    /// The theme of puzzles with this key.
    pub fn theme(&self, key: &str) -> Option<&PuzzleTheme> {
        self.themes.iter().find(|theme| theme.key == key)
    }

    /// The variant with this key.
    pub fn variant(&self, key: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.key == key)
    }

    /// The board of this size.
    pub fn board(&self, size: (u8, u8)) -> Option<&Board> {
        self.boards.iter().find(|b| (b.files, b.ranks) == size)
    }
}

/// Reads RON. Trailing commas, comments, options without `Some` (`depth: 3` for `depth: Some(3)`) and a byte order mark are allowed.
///
/// # Errors
/// The text is not valid; the error has the file, the line and the reason.
pub fn read_ron<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, SheetError> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text.trim_start_matches('\u{FEFF}')).map_err(|error| SheetError {
        file: file.to_owned(),
        line: error.span.start.line,
        why: message!("this is not valid RON: {}", error.code.to_string()),
    })
}
