//! The truth in place of estimates, for answers about positions of solved games.

use super::{Action, Progress, Table};
use crate::search::{StopToken, Value, Verdict};

/// What is certain of the moves of a position, to be put in place of what a search estimates of them.
pub struct Certain(Vec<(Action, Verdict)>);

impl Certain {
    /// What is certain of a table's position: nothing where the game is not solved, or the token was raised before it was known.
    pub fn of(table: &dyn Table, stop: &StopToken) -> Certain {
        let known = table.capabilities().solution.and_then(|solution| solution.verdicts(table, stop));
        Certain(known.unwrap_or_default())
    }

    /// The best that can be reached; `None` where nothing is certain.
    fn best(&self) -> Option<Verdict> {
        self.0.iter().map(|(_, verdict)| *verdict).max_by_key(|verdict| verdict.rank())
    }

    /// Corrects the value of a line: the first line has that of the position, every other that of its first move.
    pub fn correct(&self, progress: &mut Progress) {
        let of_move = |wanted: &Action| self.0.iter().find(|(action, _)| action == wanted).map(|(_, verdict)| *verdict);
        let verdict = if progress.multipv <= 1 { self.best() } else { progress.pv.first().and_then(of_move) };
        if let Some(verdict) = verdict {
            progress.value = Value::Exact(verdict);
        }
    }
}
