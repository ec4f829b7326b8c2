//! Draws by rules that need the history: repetition, and too many plies without a capture.

use super::board::Board;
use crate::rules::{History, Outcome, Reason, Side};

/// The number of plies without a capture after which the game is drawn. The longest forced win takes 209 plies in total, captures
/// included, so a win that starts right after a capture is never prevented by this rule.
pub const QUIET_PLIES: usize = 240;

/// Plies since the last capture of the game, or since its start if there was none.
fn quiet_plies(history: &History<Board>) -> usize {
    let pieces = |board: &Board| Side::BOTH.map(|side| board.stones(side).count_ones()).iter().sum::<u32>();
    let now = pieces(history.current());
    history.positions().iter().rev().skip(1).take_while(|board| pieces(board) == now).count()
}

/// A draw by the third occurrence of a position or by too many plies without a capture.
pub fn adjudicate(history: &History<Board>) -> Option<Outcome> {
    if history.occurrences() >= 3 {
        return Some(Outcome::draw(Reason::Repetition));
    }
    (quiet_plies(history) >= QUIET_PLIES).then(|| Outcome::draw(Reason::MoveLimit))
}
