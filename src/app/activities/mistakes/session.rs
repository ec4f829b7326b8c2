//! An exercise on the board: the position before a mistake, for which a better move is looked for. Its moves are lines that are shown for a while, beside a
//! match in which nothing is played.

use crate::app::explore::{BetterMove, BetterStage};
use crate::app::ground::activity::MISTAKES;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::requests::Go;
use crate::app::play::{BoardChanged, CurrentMatch};
use qiju_core::rules::{PlayError, Side};
use qiju_core::study::MistakeMoves;
use qiju_core::study::schedule::{Memory, Rating};
use qiju_core::table::{Action, NodeId, Table, Tree};

/// An exercise and how it stands with it.
pub struct Exercise {
    name: String,
    moves: MistakeMoves,
    /// When it comes back, once that is known.
    pub memory: Option<Memory>,
    task: Option<BetterMove>,
    /// The sketch on whose board it is.
    sketch: Option<u32>,
    /// The position, and the end of what can be looked at.
    start: NodeId,
    end: NodeId,
}

impl Exercise {
    /// An exercise with this name, before it is on the board.
    pub(super) fn new(name: String, moves: MistakeMoves) -> Exercise {
        Exercise { name, moves, memory: None, task: None, sketch: None, start: Tree::ROOT, end: Tree::ROOT }
    }

    /// The name of its position.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The side that looks for a move.
    pub fn side(&self) -> Side {
        self.moves.side
    }

    /// The move that was played.
    pub fn played(&self) -> Action {
        self.moves.played
    }

    /// The better line.
    pub fn best(&self) -> &[Action] {
        &self.moves.best
    }

    /// The search for a better move; `None` before it is on the board.
    pub fn task(&self) -> Option<&BetterMove> {
        self.task.as_ref()
    }

    /// How it stands with it.
    pub fn stage(&self) -> Option<BetterStage> {
        self.task().map(BetterMove::stage)
    }

    /// What came of it; `None` while that is open.
    pub fn rating(&self) -> Option<Rating> {
        let task = self.task()?;
        match task.is_helped() {
            true => Some(Rating::Again),
            false => task.stage().is_over().then_some(Rating::Good),
        }
    }

    /// True while its line is on the board.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.sketch.is_some() && current.played().sketch() == self.sketch
    }

    /// True while its position is on the board.
    pub fn is_at_start(&self, current: &CurrentMatch) -> bool {
        self.is_shown(current) && current.cursor() == self.start
    }

    /// The table at its position.
    pub fn table(&self, current: &CurrentMatch) -> Box<dyn Table> {
        current.played().table_at(self.start)
    }

    /// Whether a step back and a step forward lead anywhere.
    pub fn ways(&self, current: &CurrentMatch) -> (bool, bool) {
        (current.cursor() != Tree::ROOT, current.cursor() != self.end)
    }

    /// Sets the position up, for the player to move.
    pub(super) fn set_up(&mut self, current: &mut CurrentMatch, wake: &WakeHandles) -> Vec<BoardChanged> {
        let mut steps = current.begin_sketch(MISTAKES, Tree::ROOT, Some(self.moves.side));
        let line = current.draw_in_sketch(Tree::ROOT, self.moves.before.iter().copied());
        self.start = line.last().copied().unwrap_or(Tree::ROOT);
        self.end = self.start;
        steps.extend(current.go_in_sketch(self.start));
        self.sketch = current.played().sketch();
        self.task = self.moves.best.first().map(|best| BetterMove::new(current, self.start, (self.moves.played, *best), wake));
        steps
    }

    /// The player's move.
    ///
    /// # Errors
    /// The rules refuse it.
    pub(super) fn answer(
        &mut self,
        current: &mut CurrentMatch,
        action: Action,
        wake: &WakeHandles,
    ) -> Result<Option<BoardChanged>, PlayError> {
        let Some(task) = &mut self.task else { return Ok(None) };
        let step = task.answer(current, action, wake)?;
        self.finish(current);
        Ok(step)
    }

    /// Takes the word on the player's move: the steps that follow, once it is there.
    pub(super) fn check(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        let steps = self.task.as_mut()?.check(current)?;
        self.finish(current);
        Some(steps)
    }

    /// Shows the better move.
    pub(super) fn show(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        let steps = self.task.as_mut().filter(|task| task.stage().asks())?.show(current);
        self.finish(current);
        Some(steps)
    }

    /// When it is over, the better line can be looked at.
    fn finish(&mut self, current: &mut CurrentMatch) {
        if self.stage().is_some_and(BetterStage::is_over) {
            let line = current.draw_in_sketch(self.start, self.moves.best.iter().copied());
            self.end = line.last().copied().unwrap_or(self.start);
        }
    }

    /// A step through what can be looked at.
    pub(super) fn go(&self, current: &mut CurrentMatch, go: Go) -> Vec<BoardChanged> {
        let path = current.tree().path_to(self.end);
        let place = |node: NodeId| path.iter().position(|other| *other == node).map(|place| place + 1);
        let here = match current.cursor() {
            Tree::ROOT => 0,
            cursor => place(cursor).or(place(self.start).map(|start| start + 1)).unwrap_or(0),
        };
        let to = match go {
            Go::Start => 0,
            Go::Back => here.saturating_sub(1),
            Go::Forward => (here + 1).min(path.len()),
            Go::End => path.len(),
            Go::To(node) => place(node).unwrap_or(here),
            Go::Leave | Go::Ply(_) => here,
        };
        let to = to.checked_sub(1).and_then(|at| path.get(at)).copied().unwrap_or(Tree::ROOT);
        if to == current.cursor() { Vec::new() } else { current.go_in_sketch(to) }
    }
}
