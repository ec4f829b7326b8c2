//! The registry: one line a game. Games never import each other.

mod assets;
mod gomoku;
mod tic_tac_toe;
#[cfg(feature = "training")]
pub mod trainers;
#[cfg(feature = "training")]
pub mod training;
pub mod two_eat_one;
mod xiangqi;

pub use assets::folder as assets_folder;

use crate::rules::zobrist;
use crate::table::{
    Capabilities, ExerciseClass, Game, GameSheet, GameTable, Notation, OpeningRule, Protocol, Setup, SetupError, SheetError,
    Table,
};

/// A game as the rest of the program knows it.
pub struct Entry {
    /// The game's key.
    pub key: &'static str,
    /// The keys of its variants, the default first.
    pub variants: fn() -> &'static [&'static str],
    /// The sheet shipped with the program, as RON text.
    pub sheet_text: &'static str,
    /// The protocols its programs speak.
    pub protocol: Protocol,
    /// What a variant offers beyond its rules.
    pub capabilities: fn(&str) -> Capabilities,
    set: fn(&Setup) -> Result<Box<dyn Table>, SetupError>,
}

/// Every game there is, in the order the menus show.
pub static REGISTRY: &[Entry] = &[
    entry::<xiangqi::Xiangqi>(include_str!("../../assets/games/xiangqi.game.ron")),
    entry::<gomoku::Gomoku>(include_str!("../../assets/games/gomoku.game.ron")),
    entry::<two_eat_one::TwoEatOne>(include_str!("../../assets/games/two-eat-one.game.ron")),
    entry::<tic_tac_toe::TicTacToe>(include_str!("../../assets/games/tic-tac-toe.game.ron")),
];

const fn entry<G: Game>(sheet_text: &'static str) -> Entry {
    Entry {
        key: G::KEY,
        variants: G::variants,
        sheet_text,
        protocol: G::PROTOCOL,
        capabilities: G::capabilities,
        set: |setup| Ok(Box::new(GameTable::<G>::new(setup)?)),
    }
}

impl Entry {
    /// How matches of a variant may be opened; always from its start.
    pub fn opening_rules(&self, variant: &str) -> Vec<OpeningRule> {
        let Some(openings) = (self.capabilities)(variant).openings else { return vec![OpeningRule::Free] };
        let offered = |rule: &OpeningRule| match rule {
            OpeningRule::Free => true,
            OpeningRule::Swap2 => openings.swap2(),
            OpeningRule::Balanced => !openings.balanced(variant).is_empty(),
        };
        [OpeningRule::Free, OpeningRule::Swap2, OpeningRule::Balanced].into_iter().filter(offered).collect()
    }

    /// The start of a variant after a balanced opening, a different one for each seed; `None` where the game has none. Its
    /// position text lists the moves, so they stand in the record.
    pub fn opening(&self, variant: &str, seed: u64) -> Option<Setup> {
        let openings = (self.capabilities)(variant).openings?.balanced(variant);
        let pick = zobrist::mix(seed) % (openings.len() as u64).max(1);
        let mut table = self.table(&Setup { variant: Some(variant.to_owned()), position: None }).ok()?;
        for &action in openings.get(pick as usize)? {
            table.play(action).ok()?;
        }
        Some(Setup { variant: Some(variant.to_owned()), position: Some(table.played_text(Notation::Uci).concat()) })
    }

    /// The kinds of won positions of a variant that exercises can be taken from now, the easiest first; empty where the game is not solved.
    pub fn exercise_classes(&self, variant: &str) -> Vec<ExerciseClass> {
        (self.capabilities)(variant).solution.map(|solution| solution.exercise_classes(variant)).unwrap_or_default()
    }

    /// Sets a table of this game.
    ///
    /// # Errors
    /// The setup names no variant of the game or no position of it.
    pub fn table(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
        (self.set)(setup)
    }

    /// The file name of the game's sheet below `assets`.
    pub fn sheet_file(&self) -> String {
        format!("games/{}.game.ron", self.key)
    }

    /// The sheet shipped with the program.
    ///
    /// # Errors
    /// None in a build whose tests pass.
    pub fn sheet(&self) -> Result<GameSheet, SheetError> {
        GameSheet::parse(&self.sheet_file(), self.sheet_text)
    }
}

/// The game with this key.
///
/// # Errors
/// There is none; the message lists those there are.
pub fn find(key: &str) -> Result<&'static Entry, SetupError> {
    REGISTRY.iter().find(|entry| entry.key == key).ok_or_else(|| SetupError::UnknownGame {
        given: key.to_owned(),
        known: REGISTRY.iter().map(|entry| entry.key).collect::<Vec<_>>().join(", "),
    })
}
