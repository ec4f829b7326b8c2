//! The search for a proven win in a game.

use crate::rules::Side;
use crate::search::StopToken;
use crate::table::{Action, Prover, Table};
use serde::{Deserialize, Serialize};

/// The approximate node budget of the search for a proof.
pub const PROOF_NODES: u64 = 150_000;

/// A proven win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundWin {
    /// The ply of the match where it begins, with the winner to move.
    pub ply: usize,
    /// The winner.
    pub winner: Side,
    /// Plies to the end from there, as far as known.
    pub plies: u32,
}

/// The win of the side to move, if one is proven.
fn proven(table: &dyn Table, prover: &mut dyn Prover, stop: &StopToken) -> Option<FoundWin> {
    let win = prover.prove(table, PROOF_NODES, stop)?;
    Some(FoundWin { ply: table.ply(), winner: table.turn(), plies: win.plies })
}

/// Searches for a proof at the winner's last turn; in a finished game, for the first turn from which on every turn has
/// a proof. The first `given` plies belong to the start position and are not searched.
pub fn look_for_win(
    mut table: Box<dyn Table>,
    given: usize,
    winner: Side,
    to_the_beginning: bool,
    stop: &StopToken,
) -> Option<FoundWin> {
    let mut prover = table.capabilities().prover?();
    let mut found = None;
    loop {
        if table.turn() == winner
            && table.outcome().is_none()
            && table.actions().iter().all(|action| !matches!(action, Action::Choose(_)))
        {
            match proven(&*table, &mut *prover, stop) {
                Some(earlier) if to_the_beginning => found = Some(earlier),
                other => return found.or(other),
            }
        }
        if stop.is_stopped() || table.ply() <= given || table.undo().is_none() {
            return found;
        }
    }
}
