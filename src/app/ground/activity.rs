//! The names of activities: what one can do at the board. Which ones are on is said by the match: its own, and the owner of the sketch on its board.

/// An activity, by the name with which it registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Activity(pub &'static str);

/// An ordinary match.
pub const MATCH: Activity = Activity("match");
/// A match that people only watch.
pub const WATCHING: Activity = Activity("watching");
/// To win a won position.
pub const EXERCISE: Activity = Activity("exercise");
/// To defend against a proof.
pub const HOLD_OUT: Activity = Activity("hold-out");
/// A board on which the user moves both sides.
pub const ANALYSIS_BOARD: Activity = Activity("analysis-board");
/// A task of the first steps.
pub const FIRST_STEPS: Activity = Activity("first-steps");
/// A match in which the moves of the user are judged as they are played.
pub const TEACHING: Activity = Activity("teaching");
/// The player's own mistakes, as exercises.
pub const MISTAKES: Activity = Activity("mistakes");
/// The player's own opening moves.
pub const REPERTOIRE: Activity = Activity("repertoire");
/// The page of the library of all games.
pub const LIBRARY: Activity = Activity("library");
/// A match against a friend, by letter.
pub const LETTERS: Activity = Activity("letters");
/// Puzzles.
pub const PUZZLES: Activity = Activity("puzzles");
