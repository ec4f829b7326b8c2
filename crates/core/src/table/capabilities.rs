//! What a game offers in addition to its rules, in more than one method. All of it is optional.
//!
//! What takes one or two methods is a method of [`Game`](super::Game) with a default. Anything larger is a trait in its own file and a field here.

use super::{Evaluations, Placement, Prover, Puzzles, Solution};

/// The capabilities of a variant of a game.
#[derive(Clone, Copy, Default)]
pub struct Capabilities {
    /// Exact results, if the game is solved.
    pub solution: Option<&'static dyn Solution>,
    /// Creates a search for forced wins.
    pub prover: Option<fn() -> Box<dyn Prover>>,
    /// True if a proof of who wins from the first position on comes with the program; see [`Game::proven`](super::Game::proven).
    pub proven: bool,
    /// True if an opening book comes with the program.
    pub book: bool,
    /// Several ways in which its engine can judge positions.
    pub evaluations: Option<&'static dyn Evaluations>,
    /// Setting up positions by hand.
    pub placement: Option<&'static dyn Placement>,
    /// Puzzles.
    pub puzzles: Option<&'static dyn Puzzles>,
}
