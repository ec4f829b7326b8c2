//! Proofs of wins: those that come with the program, and those that are searched.

use super::{Action, Game, Notation, State};
use crate::rules::{Position, Side};
use crate::search::StopToken;
use serde::{Deserialize, Serialize};

/// A proven result, by a proof or a tablebase that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenWin {
    /// The side that wins.
    pub winner: Side,
    /// Its own moves to the end of the game, at most.
    pub moves: u32,
    /// The plies to the end with best play of both, if they are known exactly.
    pub plies: Option<u32>,
}

/// Proves forced wins. It keeps its results, so later calls along the same proof are fast.
pub trait Prover: Send {
    /// A proof that the side to move wins, if one is found before about `nodes` positions are visited or the token is raised. `None`
    /// does not mean that there is no win.
    fn prove(&mut self, state: &dyn State, nodes: u64, stop: &StopToken) -> Option<Win>;
}

/// A proven win of the side to move. After any answer to the first move of the line, another call gives the next winning move, so the
/// whole proof tree can be walked without storing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Win {
    /// The winning line against the longest defence that was found. Never empty.
    pub line: Vec<Action>,
    /// The line in the game's own text.
    pub text: Vec<String>,
    /// Plies to the end of the game against that defence.
    pub plies: u32,
    /// The only answers that stop the direct threat of the winning move. `None` if no answer does so more than another.
    pub defences: Option<Vec<Action>>,
}

impl Win {
    /// The win by these moves from a position of `G`. `only` gets the position after the first move and returns the answers that stop its
    /// threat. `None` without a move.
    pub fn of<G: Game>(
        position: &G::Position,
        moves: &[<G::Position as Position>::Move],
        plies: u32,
        only: impl FnOnce(&G::Position) -> Option<Vec<<G::Position as Position>::Move>>,
    ) -> Option<Win> {
        let mut position = position.clone();
        let mut win = Win { line: Vec::new(), text: Vec::new(), plies, defences: None };
        let mut only = Some(only);
        for &mv in moves {
            win.line.push(G::action(&position, mv));
            win.text.push(G::write(&position, mv, Notation::Uci));
            position.make(mv);
            if let Some(only) = only.take().filter(|_| position.outcome().is_none()) {
                let moves = only(&position);
                win.defences = moves.map(|moves| moves.into_iter().map(|mv| G::action(&position, mv)).collect());
            }
        }
        (!win.line.is_empty()).then_some(win)
    }
}
