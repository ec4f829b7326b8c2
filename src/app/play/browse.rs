//! Looking back: an earlier moment of the match is shown while the match itself stays as it is.

use super::game::CurrentMatch;
use super::messages::{BoardChanged, Passage};
use crate::app::ground::intent::Look;

/// More steps than this are not shown one by one.
const SHOWN_STEPS: usize = 1;

impl CurrentMatch {
    /// Looks at another moment; what that changes on the board, in order.
    pub fn look(&mut self, look: Look) -> Vec<BoardChanged> {
        let mut steps = self.leave_aside();
        let (now, here) = (self.table.ply(), self.shown().ply());
        let there = match look {
            Look::First => 0,
            Look::Back => here.saturating_sub(1),
            Look::Forward => here + 1,
            Look::Last => now,
            Look::At(ply) => ply,
        };
        let there = there.min(now);
        if there == here {
            return steps;
        }
        let mut shown = self.looked_at.take().unwrap_or_else(|| self.table.boxed_clone());
        let passage = match here.abs_diff(there) {
            steps if steps > SHOWN_STEPS => Passage::Leapt,
            _ if there < here => Passage::TakenBack,
            _ => Passage::Replayed,
        };
        while shown.ply() != there {
            let back = there < shown.ply();
            let step = if back { BoardChanged::by_undo(shown.as_mut()) } else { BoardChanged::by_redo(shown.as_mut()) };
            let Some(step) = step else { break };
            steps.push(BoardChanged { passage, ..step });
        }
        self.looked_at = (shown.ply() != now).then_some(shown);
        steps
    }

    /// The first and the last ply of the cycle that closed with the present position: its earlier appearance, and now.
    pub fn cycle(&self) -> Option<(usize, usize)> {
        let mut table = self.table.boxed_clone();
        let (key, last) = (table.key(), table.ply());
        while table.undo().is_some() {
            if table.key() == key {
                return Some((table.ply(), last));
            }
        }
        None
    }
}
