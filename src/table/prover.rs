//! Proofs that a side wins by force.

use super::{Action, Game, Notation, State};
use crate::rules::Position;
use crate::search::StopToken;

/// Proves wins. It keeps what it has found out, so the same one answers quickly while a proof is walked through.
pub trait Prover: Send {
    /// A proof that the side to move wins, if one is found before about `nodes` positions are visited or the token is raised. `None`
    /// proves nothing.
    fn prove(&mut self, state: &dyn State, nodes: u64, stop: &StopToken) -> Option<Win>;
}

/// A proven win of the side to move: "try to refute it". Whatever the other side answers to the first move of the line, asking again gives
/// the next winning move, so the whole tree can be walked without being built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The line, the winning move first, against the defence that lasts longest as far as is known. Never empty.
    pub line: Vec<Action>,
    /// The line in the game's own text.
    pub text: Vec<String>,
    /// Plies to the end against that defence.
    pub plies: u32,
    /// The only answers to the winning move that meet its threat at once. `None` where every answer is as good as another.
    pub defences: Option<Vec<Action>>,
}

impl Win {
    /// The win by these moves from a position of `G`; `only` lists the answers to the first move that meet its threat, asked of the position
    /// after it. `None` without a move.
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
