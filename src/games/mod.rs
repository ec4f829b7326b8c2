//! The registry: one line a game. Games never import each other.

mod assets;
mod gomoku;
mod tic_tac_toe;
pub mod two_eat_one;
mod xiangqi;

pub use assets::folder as assets_folder;
pub use gomoku::training as gomoku_training;

use crate::table::{
    Exercise, ExerciseClass, Game, GameSheet, Notation, OpeningRule, Seated, Setup, SetupError, SheetError, Table,
};

/// A game as everybody outside this folder knows it.
pub struct Entry {
    /// The game's key.
    pub key: &'static str,
    /// The keys of its variants, the default first.
    pub variants: fn() -> &'static [&'static str],
    /// The sheet shipped with the program, as RON text.
    pub sheet_text: &'static str,
    /// The kinds of won positions of a variant that exercises can be had of now, gentlest first; empty where the game is not solved.
    pub exercise_classes: fn(&str) -> Vec<ExerciseClass>,
    exercise: fn(&Exercise) -> Option<String>,
    opening_rules: fn(&str) -> Vec<OpeningRule>,
    opening: fn(&str, u64) -> Option<String>,
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
        exercise_classes: G::exercise_classes,
        exercise: G::exercise,
        opening_rules: opening_rules::<G>,
        opening: balanced::<G>,
        set: |setup| Ok(Box::new(Seated::<G>::new(setup)?)),
    }
}

fn opening_rules<G: Game>(variant: &str) -> Vec<OpeningRule> {
    let offered = |rule: &OpeningRule| match rule {
        OpeningRule::Free => true,
        OpeningRule::Swap2 => G::OPENS_BY_SWAP2,
        OpeningRule::Balanced => !G::openings(variant).is_empty(),
    };
    [OpeningRule::Free, OpeningRule::Swap2, OpeningRule::Balanced].into_iter().filter(offered).collect()
}

/// The moves of a balanced opening, one after the other.
fn balanced<G: Game>(variant: &str, seed: u64) -> Option<String> {
    let openings = G::openings(variant);
    let pick = crate::rules::zobrist::mix(seed) % (openings.len() as u64).max(1);
    let moves = openings.get(pick as usize)?;
    let mut history = G::parse(variant, None).ok()?;
    let mut text = String::new();
    for &mv in moves {
        text.push_str(&G::write(history.current(), mv, Notation::Uci));
        history.push(mv);
    }
    Some(text)
}

impl Entry {
    /// How matches of a variant may be opened; always from its start.
    pub fn opening_rules(&self, variant: &str) -> Vec<OpeningRule> {
        (self.opening_rules)(variant)
    }

    /// The start of a variant after a balanced opening, a different one for each seed; `None` where the game has none. Its
    /// position text lists the moves, so they stand in the record.
    pub fn opening(&self, variant: &str, seed: u64) -> Option<Setup> {
        let position = (self.opening)(variant, seed)?;
        Some(Setup { variant: Some(variant.to_owned()), position: Some(position) })
    }

    /// A won position of that kind, as setup, where the game is solved and one is found. It may take a moment.
    pub fn exercise(&self, wanted: &Exercise) -> Option<Setup> {
        let position = (self.exercise)(wanted)?;
        Some(Setup { variant: Some(wanted.variant.clone()), position: Some(position) })
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
