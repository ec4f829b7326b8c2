//! Exact values that replace scores of a search, for positions of solved games and of those that a proof covers.

use super::{Action, Progress, ProvenWin, Table};
use crate::search::{Known, Limits, StopToken, Value, Verdict};
use std::cell::OnceCell;

/// The exact values of a position's moves, which replace the scores of a search.
pub struct Certain {
    table: Box<dyn Table>,
    known: OnceCell<Vec<(Action, Verdict)>>,
}

impl Certain {
    /// The exact values of a table's position: none if the game is not solved, or if the token is raised before they are computed. A search
    /// without a time limit waits for the distances; a search with one uses those that are known when it reports its first line.
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

    /// The best exact value; `None` if none is known.
    fn best(&self) -> Option<Verdict> {
        let best = self.known().iter().map(|(_, verdict)| *verdict).max_by_key(|verdict| verdict.rank());
        best.or_else(|| self.proven(None))
    }

    /// What a proof or a tablebase says about the position, or about a move of it, for the side to move. A proof knows how long a win takes at most, but
    /// not exactly.
    fn proven(&self, action: Option<Action>) -> Option<Verdict> {
        let mover = self.table.turn();
        let lost = |win: &ProvenWin| win.winner != mover;
        // A lost position is lost by every move.
        let of_move = |action| {
            let mut table = self.table.boxed_clone();
            table.play(action).ok()?;
            let win = table.proven()?;
            Some(ProvenWin { plies: win.plies.map(|plies| plies + 1), ..win })
        };
        let here = self.table.proven().filter(|win| action.is_none() || win.plies.is_none() && lost(win));
        let win = here.or_else(|| of_move(action?))?;
        Some(Verdict { known: if lost(&win) { Known::Loss } else { Known::Win }, plies: win.plies })
    }

    /// Corrects the value of a line: the first line gets the value of the position, every other line that of its first move.
    pub fn correct(&self, progress: &mut Progress) {
        let of_move = |wanted: &Action| {
            let exact = self.known().iter().find(|(action, _)| action == wanted).map(|(_, verdict)| *verdict);
            exact.or_else(|| self.proven(Some(*wanted)))
        };
        let verdict = if progress.multipv <= 1 { self.best() } else { progress.pv.first().and_then(of_move) };
        if let Some(verdict) = verdict {
            progress.value = Value::Exact(verdict);
        }
    }
}
