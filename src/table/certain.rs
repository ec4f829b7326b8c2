//! Exact values in place of estimates, for positions of solved games.

use super::{Action, Progress, Table};
use crate::search::{Limits, StopToken, Value, Verdict};
use std::cell::OnceCell;

/// The exact values of a position's moves, which replace the estimates of a search.
pub struct Certain {
    table: Box<dyn Table>,
    known: OnceCell<Vec<(Action, Verdict)>>,
}

impl Certain {
    /// What is certain of a table's position: nothing where the game is not solved, or the token was raised before it was known. A search that may
    /// take its time waits for the distances; one whose time is limited does not, and is told of those there are when it gives its first line.
    pub fn of(table: &dyn Table, limits: &Limits, stop: &StopToken) -> Certain {
        let certain = Certain { table: table.boxed_clone(), known: OnceCell::new() };
        if limits.time.is_none()
            && limits.clock.is_none()
            && let Some(solution) = table.capabilities().solution
        {
            let _ = certain.known.set(solution.verdicts(table, stop).unwrap_or_default());
        }
        certain
    }

    fn known(&self) -> &[(Action, Verdict)] {
        let now = || self.table.capabilities().solution.and_then(|solution| solution.verdicts_now(&*self.table));
        self.known.get_or_init(|| now().unwrap_or_default())
    }

    /// The best that can be reached; `None` where nothing is certain.
    fn best(&self) -> Option<Verdict> {
        self.known().iter().map(|(_, verdict)| *verdict).max_by_key(|verdict| verdict.rank())
    }

    /// Corrects the value of a line: the first line has that of the position, every other that of its first move.
    pub fn correct(&self, progress: &mut Progress) {
        let of_move = |wanted: &Action| self.known().iter().find(|(action, _)| action == wanted).map(|(_, verdict)| *verdict);
        let verdict = if progress.multipv <= 1 { self.best() } else { progress.pv.first().and_then(of_move) };
        if let Some(verdict) = verdict {
            progress.value = Value::Exact(verdict);
        }
    }
}
