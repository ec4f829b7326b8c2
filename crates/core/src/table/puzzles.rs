//! Puzzles: positions with one right move, and the search that finds and checks them.

use super::{Action, Image, State};
use crate::rules::Side;
use std::fmt;

/// What is asked in a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PuzzleKind {
    /// Checkmate in a number of moves.
    Mate,
    /// The only move that wins decisively.
    Tactic,
    /// A win by continuous fours.
    Fours,
    /// A win by fours and threes.
    Threats,
    /// A win that exists only because of forbidden points.
    Forbidden,
    /// The only move after which the opponent does not win by force.
    Defence,
    /// The only winning move of a solved game.
    Win,
    /// The only move that holds the draw in a solved game.
    Draw,
}

impl PuzzleKind {
    /// All kinds.
    pub const ALL: [PuzzleKind; 8] = [
        PuzzleKind::Mate,
        PuzzleKind::Tactic,
        PuzzleKind::Fours,
        PuzzleKind::Threats,
        PuzzleKind::Forbidden,
        PuzzleKind::Defence,
        PuzzleKind::Win,
        PuzzleKind::Draw,
    ];

    /// The word of files and of the command line.
    pub const fn key(self) -> &'static str {
        match self {
            PuzzleKind::Mate => "mate",
            PuzzleKind::Tactic => "tactic",
            PuzzleKind::Fours => "fours",
            PuzzleKind::Threats => "threats",
            PuzzleKind::Forbidden => "forbidden",
            PuzzleKind::Defence => "defence",
            PuzzleKind::Win => "win",
            PuzzleKind::Draw => "draw",
        }
    }

    /// The kind with this key.
    pub fn from_key(key: &str) -> Option<PuzzleKind> {
        PuzzleKind::ALL.into_iter().find(|kind| kind.key() == key)
    }
}

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The solution of a puzzle from its position: moves of the solver and answers of the opponent in turn, the solver's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSolution {
    /// What is asked.
    pub kind: PuzzleKind,
    /// The moves. They may go on after the last move that is asked, to show what the solution leads to.
    pub line: Vec<Action>,
    /// How many moves of the solver are asked. At each of them exactly one move is right; at the last one, every move that ends the game is.
    pub asked: usize,
}

/// A game with puzzles.
pub trait Puzzles: Send + Sync {
    /// The puzzles in the program, packed.
    fn shipped(&self) -> &'static [u8];

    /// The kinds of puzzles of this game, in the order of the menus.
    fn kinds(&self) -> &'static [PuzzleKind];

    /// The variants of the games in which puzzles are sought; the n-th game has the n-th one, again and again.
    fn variants(&self) -> &'static [&'static str];

    /// The largest share of puzzles of this kind with so many moves asked, 0 to 1.
    fn share(&self, kind: PuzzleKind, asked: usize) -> f32;

    /// The strongest level that plays in these games: without mistakes there is little to find.
    fn strongest(&self) -> usize;

    /// Moves played at random at the beginning of a game, at most.
    fn random_moves(&self) -> usize;

    /// The symmetries of the board that make equal puzzles when `turn` is to move. If they exchange the sides, so do the puzzles.
    fn images(&self, turn: Side) -> &'static [Image];

    /// Whether the two sides play by different rules.
    fn sides_differ(&self, variant: &str) -> bool;

    /// The keys of the themes that its puzzles can have, in the order of the menus. The game's sheet has their names and examples.
    fn themes(&self) -> &'static [&'static str] {
        &[]
    }

    /// The themes of a solution from its position. They follow from what is on the board.
    fn themes_of(&self, _state: &dyn State, _solution: &PuzzleSolution) -> Vec<&'static str> {
        Vec::new()
    }

    /// A new search for puzzles.
    fn setter(&self) -> Box<dyn PuzzleSetter>;
}

/// Finds and checks puzzles. The answers do not depend on earlier calls.
pub trait PuzzleSetter: Send {
    /// A puzzle in this position, if there is one of a kind that is `wanted` with its number of moves.
    fn find(&mut self, state: &dyn State, wanted: &dyn Fn(PuzzleKind, usize) -> bool) -> Option<PuzzleSolution>;

    /// Checks that the solution is right and the only one.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check(&mut self, state: &dyn State, solution: &PuzzleSolution) -> Result<(), String>;
}
