//! What a game offers beyond its rules. A game leaves out what it does not have.
//!
//! A new capability is a trait in a file of its own, a field here, the games that have it, and the page that shows it.

use super::{Curve, Judge, Material, Openings, Prover, Solution};

/// The capabilities of a variant of a game.
#[derive(Clone, Copy, Default)]
pub struct Capabilities {
    /// The truth about its positions: the game is solved.
    pub solution: Option<&'static dyn Solution>,
    /// Makes a search for forced wins, which keeps what it finds out.
    pub prover: Option<fn() -> Box<dyn Prover>>,
    /// Points that are forbidden, with the reasons.
    pub judge: Option<&'static dyn Judge>,
    /// Ways to open a game other than from the start.
    pub openings: Option<&'static dyn Openings>,
    /// Captures that win pieces.
    pub material: Option<&'static dyn Material>,
    /// What an engine's value is worth in winning chances.
    pub curve: Curve,
}
