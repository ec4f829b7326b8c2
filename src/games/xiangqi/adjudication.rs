//! How a game ends by its past: repetition, and moves without a capture.

use super::board::Board;
use crate::rules::{History, Outcome, Reason};

/// Plies without a capture that make a draw: sixty moves by each side.
pub const QUIET_LIMIT: u16 = 120;

/// The end of the game as its past shows it: the third occurrence of a position is a draw, and so are sixty moves by
/// each side without a capture.
pub fn adjudicate(history: &History<Board>) -> Option<Outcome> {
    if history.occurrences() >= 3 {
        return Some(Outcome::draw(Reason::Repetition));
    }
    (history.current().quiet_plies() >= QUIET_LIMIT).then(|| Outcome::draw(Reason::MoveLimit))
}
