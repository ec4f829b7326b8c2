//! What the other side would do if the side to move passed. Only what is verified is told: a win to its end, or a piece won by static exchange.

use super::reasons::{captured, gain};
use super::searcher::{Searcher, StudyError};
use crate::search::{Known, StopToken};
use crate::table::{Action, Piece, Player, SearchRequest, Table};
use serde::{Deserialize, Serialize};

/// A threat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threat {
    /// What it wins; `None` if it wins the game.
    pub piece: Option<Piece>,
    /// The own moves to the end of the game, if it wins the game.
    pub moves: Option<u32>,
    /// The line, which the side that threatens begins.
    pub line: Vec<Action>,
}

/// The moves of a line that wins a piece.
const SHOWN: usize = 3;

/// What the other side threatens in a position; `None` if nothing is verified, or if the side to move may not pass.
///
/// # Errors
/// The player fails, or the stop token is set.
pub fn threat(
    table: &dyn Table,
    player: &mut dyn Player,
    request: &SearchRequest,
    stop: &StopToken,
) -> Result<Option<Threat>, StudyError> {
    let Some(passed) = table.passed() else { return Ok(None) };
    let passed = &*passed;
    let mut searcher = Searcher::new(passed, player, request, stop);
    let won = |(line, moves)| Some(Threat { piece: None, moves: Some(moves), line });
    if let Some(win) = searcher.proof(passed) {
        return Ok(won(win));
    }
    let worth = searcher.worth(passed)?;
    if worth.value.known() == Some(Known::Win)
        && let Some(win) = searcher.completed(passed, &worth.line)?
    {
        return Ok(won(win));
    }
    let Some(first) = worth.line.first().copied() else { return Ok(None) };
    let wins = passed.piece_won().is_some_and(|least| gain(passed, first) >= least);
    let line = worth.line.into_iter().take(SHOWN).collect();
    Ok(captured(passed, first).filter(|_| wins).map(|piece| Threat { piece: Some(piece), moves: None, line }))
}
