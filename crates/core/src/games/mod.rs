//! The registry of games, one line per game. Games never import each other.

mod assets;
mod folder;
pub mod gomoku;
pub mod large;
pub mod networks;
mod opening_names;
mod tic_tac_toe;
pub mod two_eat_one;
pub mod xiangqi;

pub use folder::assets as assets_folder;
pub use opening_names::{OpeningName, opening_name};

use crate::rules::{Skip, zobrist};
use crate::table::{
    Action, Capabilities, ExerciseClass, FirstSteps, Game, GameSheet, GameTable, Notation, OpeningRule, OtherSide, Protocol,
    Setup, SetupError, SheetError, Still, Table,
};

/// A game in the registry.
pub struct Entry {
    /// The game's key.
    pub key: &'static str,
    /// The keys of its variants, the default first.
    pub variants: fn() -> &'static [&'static str],
    /// The sheet shipped with the program, as RON text.
    pub sheet_text: &'static str,
    /// The protocols that engines of this game speak.
    pub protocol: Protocol,
    /// What a variant offers in addition to its rules.
    pub capabilities: fn(&str) -> Capabilities,
    /// The tasks for those who have never played it, shipped with the program, as RON text.
    pub first_steps_text: &'static str,
    swap2: bool,
    balanced_openings: fn(&str) -> Vec<Vec<Action>>,
    set: fn(&Setup) -> Result<Box<dyn Table>, SetupError>,
    set_still: fn(&Setup) -> Result<Box<dyn Table>, SetupError>,
}

/// All games, in the order of the menus.
pub static REGISTRY: &[Entry] = &[
    entry::<xiangqi::Xiangqi>(
        include_str!("../../assets/games/xiangqi.game.ron"),
        include_str!("../../assets/first-steps/xiangqi.steps.ron"),
    ),
    entry::<gomoku::Gomoku>(
        include_str!("../../assets/games/gomoku.game.ron"),
        include_str!("../../assets/first-steps/gomoku.steps.ron"),
    ),
    entry::<two_eat_one::TwoEatOne>(
        include_str!("../../assets/games/two-eat-one.game.ron"),
        include_str!("../../assets/first-steps/two-eat-one.steps.ron"),
    ),
    entry::<tic_tac_toe::TicTacToe>(
        include_str!("../../assets/games/tic-tac-toe.game.ron"),
        include_str!("../../assets/first-steps/tic-tac-toe.steps.ron"),
    ),
];

const fn entry<G: Game>(sheet_text: &'static str, first_steps_text: &'static str) -> Entry
where
    G::Position: Skip,
{
    Entry {
        key: G::KEY,
        variants: G::variants,
        sheet_text,
        first_steps_text,
        protocol: G::PROTOCOL,
        capabilities: G::capabilities,
        swap2: G::SWAP2,
        balanced_openings: G::balanced_openings,
        set: |setup| Ok(Box::new(GameTable::<G>::new(setup)?)),
        set_still: |setup| Ok(Box::new(GameTable::<Still<G>>::new(setup)?)),
    }
}

impl Entry {
    /// The opening rules of a variant. The first is always [`OpeningRule::Free`].
    pub fn opening_rules(&self, variant: &str) -> Vec<OpeningRule> {
        let offered = |rule: &OpeningRule| match rule {
            OpeningRule::Free => true,
            OpeningRule::Swap2 => self.swap2,
            OpeningRule::Balanced => !(self.balanced_openings)(variant).is_empty(),
        };
        [OpeningRule::Free, OpeningRule::Swap2, OpeningRule::Balanced].into_iter().filter(offered).collect()
    }

    /// The start of a variant after a balanced opening chosen by the seed; `None` if the game has none. Its
    /// position text lists the moves, so the record contains them.
    pub fn opening(&self, variant: &str, seed: u64) -> Option<Setup> {
        let openings = (self.balanced_openings)(variant);
        let pick = zobrist::mix(seed) % (openings.len() as u64).max(1);
        let mut table = self.table(&Setup { variant: Some(variant.to_owned()), position: None }).ok()?;
        for &action in openings.get(pick as usize)? {
            table.play(action).ok()?;
        }
        Some(Setup { variant: Some(variant.to_owned()), position: Some(table.played_text(Notation::Uci).concat()) })
    }

    /// The classes of won positions of a variant from which exercises can be taken now, the easiest first; empty if the game is not solved.
    pub fn exercise_classes(&self, variant: &str) -> Vec<ExerciseClass> {
        (self.capabilities)(variant).solution.map(|solution| solution.exercise_classes(variant)).unwrap_or_default()
    }

    /// Creates a table of this game.
    ///
    /// # Errors
    /// The variant is unknown, or the position is invalid.
    pub fn table(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
        (self.set)(setup)
    }

    /// Creates a table for a task of the first steps, in which the other side does this.
    ///
    /// # Errors
    /// The variant is unknown, or the position is invalid.
    pub fn task_table(&self, setup: &Setup, other: OtherSide) -> Result<Box<dyn Table>, SetupError> {
        let set = match other {
            OtherSide::Skips => self.set_still,
            OtherSide::Waits | OtherSide::Follows | OtherSide::Plays => self.set,
        };
        let table = set(setup)?;
        if table.ply() == 0 {
            return Ok(table);
        }
        // Moves that lead to the position are not part of the task.
        set(&Setup { position: Some(table.position_text()), ..setup.clone() })
    }

    /// The file name of the game's first steps below `assets`.
    pub fn first_steps_file(&self) -> String {
        format!("first-steps/{}.steps.ron", self.key)
    }

    /// Reads and checks first steps in this game. `file` is for messages.
    ///
    /// # Errors
    /// The text is not valid, or a task is not possible; the error has the line.
    pub fn read_first_steps(&self, file: &str, text: &str) -> Result<FirstSteps, SheetError> {
        FirstSteps::parse(file, text, |task| self.task_table(&task.setup(), task.goal.other_side()))
    }

    /// The first steps shipped with the program.
    ///
    /// # Errors
    /// None if the tests pass: they check every built-in task.
    pub fn first_steps(&self) -> Result<FirstSteps, SheetError> {
        self.read_first_steps(&self.first_steps_file(), self.first_steps_text)
    }

    /// The file name of the game's sheet below `assets`.
    pub fn sheet_file(&self) -> String {
        format!("games/{}.game.ron", self.key)
    }

    /// The sheet shipped with the program.
    ///
    /// # Errors
    /// None if the tests pass: they check every built-in sheet.
    pub fn sheet(&self) -> Result<GameSheet, SheetError> {
        GameSheet::parse(&self.sheet_file(), self.sheet_text)
    }
}

/// The game with this key.
///
/// # Errors
/// There is no such game; the message lists all games.
pub fn find(key: &str) -> Result<&'static Entry, SetupError> {
    REGISTRY.iter().find(|entry| entry.key == key).ok_or_else(|| SetupError::UnknownGame {
        given: key.to_owned(),
        known: REGISTRY.iter().map(|entry| entry.key).collect::<Vec<_>>().join(", "),
    })
}
