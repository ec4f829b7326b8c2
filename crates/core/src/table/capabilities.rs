//! What a game offers in addition to its rules. All of it is optional.
//!
//! To add a capability, write a trait in its own file, add a field here, and change the games that have it and the page that shows it.

use super::{Curve, Evaluations, Formations, Judge, Material, Openings, Placement, Proofs, Prover, Puzzles, Solution};

/// The capabilities of a variant of a game.
#[derive(Clone, Copy, Default)]
pub struct Capabilities {
    /// Exact results, if the game is solved.
    pub solution: Option<&'static dyn Solution>,
    /// Creates a search for forced wins.
    pub prover: Option<fn() -> Box<dyn Prover>>,
    /// A proof of who wins from the first position on.
    pub proofs: Option<&'static dyn Proofs>,
    /// Forbidden points, with the reasons.
    pub judge: Option<&'static dyn Judge>,
    /// Shapes of stones in a line, by name.
    pub formations: Option<&'static dyn Formations>,
    /// Openings other than the start position.
    pub openings: Option<&'static dyn Openings>,
    /// Captures that win pieces.
    pub material: Option<&'static dyn Material>,
    /// Several ways in which its engine can judge positions.
    pub evaluations: Option<&'static dyn Evaluations>,
    /// Setting up positions by hand.
    pub placement: Option<&'static dyn Placement>,
    /// Puzzles.
    pub puzzles: Option<&'static dyn Puzzles>,
    /// What an engine's value is worth in winning chances.
    pub curve: Curve,
}
