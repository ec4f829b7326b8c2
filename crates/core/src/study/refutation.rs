//! The refutation of a mistake in a solved game.

use super::solved::best;
use crate::rules::Side;
use crate::search::{Known, StopToken, Verdict};
use crate::table::{Action, Notation, Table};
use serde::{Deserialize, Serialize};

/// One move of the line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineMove {
    /// The move.
    pub action: Action,
    /// The side that makes it.
    pub side: Side,
    /// The move, written.
    pub text: String,
    /// Its exact value for that side; the distance is counted from before the move.
    pub verdict: Verdict,
}

/// The longest line, in plies: longer than any win of the solved games.
const LONGEST: usize = 240;
/// The number of plies shown of a drawn line.
const DRAWN: usize = 7;

/// The move at `ply` of a game and its refutation: after the move both sides play best moves. `None` if the token was raised.
pub fn refutation(mut table: Box<dyn Table>, ply: usize, notation: Notation, stop: &StopToken) -> Option<Vec<LineMove>> {
    let mistake = *table.played().get(ply)?;
    while table.ply() > ply {
        table.undo()?;
    }
    let solution = table.capabilities().solution;
    let mut line: Vec<LineMove> = Vec::new();
    while line.len() < LONGEST {
        let Some(verdicts) = solution.and_then(|solution| solution.verdicts(&*table, stop)) else {
            if stop.is_stopped() {
                return None;
            }
            break;
        };
        let (action, verdict) =
            if line.is_empty() { *verdicts.iter().find(|(action, _)| *action == mistake)? } else { best(&verdicts)? };
        let (side, text) = (table.turn(), table.write(action, notation)?);
        table.play(action).ok()?;
        line.push(LineMove { action, side, text, verdict });
        // Without a distance it is unknown which of the winning moves makes progress.
        let unclear = verdict.known != Known::Draw && verdict.plies.is_none();
        let drawn = verdict.known == Known::Draw && line.len() >= DRAWN;
        if line.len() > 1 && (unclear || drawn) {
            break;
        }
    }
    Some(line)
}
