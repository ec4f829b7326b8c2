//! A puzzle on the board: the moves of the user are judged, and the opponent's answers are played.
//!
//! The moves are lines that are shown for a while, beside a match in which nothing is played.

use super::miss::Miss;
use crate::app::explore::reply::ReplySearch;
use crate::app::ground::activity::PUZZLES;
use crate::app::ground::requests::Go;
use crate::app::play::{BoardChanged, CurrentMatch};
use qiju_core::rules::{PlayError, Side};
use qiju_core::study::puzzles::Puzzle;
use qiju_core::table::{Action, NodeId, Table, Tree};

/// How it stands with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleStage {
    /// The user looks for a move.
    Find,
    /// The move was right; the opponent answers.
    Answer,
    /// The move was wrong; the best reply to it is looked for.
    Check,
    /// The reply to the wrong move is on the board. Soon both are taken back.
    Refuted,
    /// A move was wrong; the user may try again.
    Wrong,
    /// All moves were found.
    Solved,
    /// The solution was shown.
    Shown,
}

/// Positions searched for the reply to a wrong move.
const REPLY_NODES: u64 = 100_000;

/// A puzzle and how it stands with it.
pub struct Session {
    /// The game's key.
    pub game: &'static str,
    /// Its place in the file.
    pub index: usize,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its themes.
    pub themes: Vec<&'static str>,
    /// The solution.
    line: Vec<Action>,
    /// The side that solves it.
    pub solver: Side,
    /// How it stands.
    pub stage: PuzzleStage,
    /// How many hints were given for this move.
    pub hints: u8,
    /// The result, once it counts: whether it was solved without a mistake or help.
    pub counted: Option<bool>,
    /// The rating before the result and after it; `None` for a puzzle that was tried before.
    pub ratings: Option<(f64, f64)>,
    /// The moves that were found before the solution was shown.
    found_alone: usize,
    /// What was wrong with the last move, once that is known and until the next one.
    pub miss: Option<Miss>,
    replies: ReplySearch,
    /// The line in which the user tries.
    sketch: Option<u32>,
    /// The moves of the solution on the board, or after the end the whole line.
    nodes: Vec<NodeId>,
}

impl Session {
    /// The puzzle at its beginning; `None` if its solution cannot be read.
    pub(super) fn new(
        game: &'static str,
        index: usize,
        (puzzle, themes): (Puzzle, Vec<&'static str>),
        table: &dyn Table,
    ) -> Option<Session> {
        let line = puzzle.solution(table).ok()?.line;
        Some(Session {
            game,
            index,
            puzzle,
            themes,
            line,
            solver: table.turn(),
            stage: PuzzleStage::Find,
            hints: 0,
            counted: None,
            ratings: None,
            found_alone: 0,
            miss: None,
            replies: ReplySearch::default(),
            sketch: None,
            nodes: Vec::new(),
        })
    }

    /// True after the end.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, PuzzleStage::Solved | PuzzleStage::Shown)
    }

    /// How many of the moves that are asked were found.
    pub fn found(&self) -> usize {
        match self.stage {
            PuzzleStage::Solved => self.puzzle.asked,
            PuzzleStage::Shown => self.found_alone,
            _ => self.nodes.len().div_ceil(2).min(self.puzzle.asked),
        }
    }

    /// How many of the moves that are asked are still to be found.
    pub fn left(&self) -> usize {
        self.puzzle.asked.saturating_sub(self.found())
    }

    /// The move to find now, with the table before it.
    pub fn wanted(&self) -> Option<Action> {
        let asks = matches!(self.stage, PuzzleStage::Find | PuzzleStage::Wrong);
        self.line.get(self.nodes.len()).copied().filter(|_| asks)
    }

    /// The nodes of the solution, after the end.
    pub fn solution(&self) -> &[NodeId] {
        if self.is_over() { &self.nodes } else { &[] }
    }

    /// True while its line is on the board.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.sketch.is_some() && current.played().sketch() == self.sketch
    }

    /// The puzzle is set up again: from its beginning, or with the whole solution after the end.
    pub(super) fn set_up(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        self.miss = None;
        self.replies.stop();
        let steps = if self.is_over() {
            let steps = current.begin_sketch(PUZZLES, Tree::ROOT, None);
            self.nodes = current.draw_in_sketch(Tree::ROOT, self.line.iter().copied());
            steps
        } else {
            (self.stage, self.hints) = (PuzzleStage::Find, 0);
            self.nodes.clear();
            current.begin_sketch(PUZZLES, Tree::ROOT, Some(self.solver))
        };
        self.sketch = current.played().sketch();
        steps
    }

    /// The user's move. The result is true if it is right.
    ///
    /// # Errors
    /// The rules refuse it.
    pub(super) fn answer(
        &mut self,
        current: &mut CurrentMatch,
        action: Action,
    ) -> Result<Option<(BoardChanged, bool)>, PlayError> {
        let Some(wanted) = self.wanted() else { return Ok(None) };
        let step = current.play_sketch(action)?;
        self.miss = None;
        let wins = current.shown().outcome().is_some_and(|outcome| outcome.winner == Some(self.solver));
        let right = action == wanted || wins;
        if !right {
            self.stage = PuzzleStage::Check;
            return Ok(Some((step, false)));
        }
        let here = current.cursor();
        self.nodes.push(here);
        self.hints = 0;
        if wins || self.nodes.len() >= 2 * self.puzzle.asked - 1 {
            self.stage = PuzzleStage::Solved;
            if action == wanted {
                let rest = self.line[self.nodes.len()..].to_vec();
                self.nodes.extend(current.draw_in_sketch(here, rest));
            }
        } else {
            self.stage = PuzzleStage::Answer;
        }
        Ok(Some((step, true)))
    }

    /// What follows a right move when the pieces have come to rest: the answer of the opponent.
    pub(super) fn go_on(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let answer = self.line.get(self.nodes.len()).copied();
        let step = answer.and_then(|answer| current.play_sketch(answer).ok());
        self.nodes.push(current.cursor());
        self.stage = PuzzleStage::Find;
        step.into_iter().collect()
    }

    /// What follows a wrong move: the best reply, once it is known.
    pub(super) fn refute(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        let reply = self.replies.poll(current.shown(), REPLY_NODES)?;
        self.miss = Some(Miss::new(current.shown().boxed_clone(), reply, self.puzzle.kind));
        self.stage = PuzzleStage::Refuted;
        let step = reply.action.and_then(|action| current.play_sketch(action).ok());
        Some(step.into_iter().collect())
    }

    /// The wrong move is taken back.
    pub(super) fn take_back(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        self.stage = PuzzleStage::Wrong;
        current.go_in_sketch(self.nodes.last().copied().unwrap_or(Tree::ROOT))
    }

    /// Shows the first move of the solution; the rest can be browsed.
    pub(super) fn show(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        if self.is_over() {
            return Vec::new();
        }
        self.found_alone = self.found();
        self.stage = PuzzleStage::Shown;
        let mut steps = self.set_up(current);
        steps.extend(self.nodes.first().map(|first| current.go_in_sketch(*first)).unwrap_or_default());
        steps
    }

    /// A step through the solution, after the end.
    pub fn go(&self, current: &mut CurrentMatch, go: Go) -> Vec<BoardChanged> {
        if !self.is_over() {
            return Vec::new();
        }
        let place = self.nodes.iter().position(|node| *node == current.cursor()).map_or(0, |place| place + 1);
        let place = match go {
            Go::Start => 0,
            Go::Back => place.saturating_sub(1),
            Go::Forward => (place + 1).min(self.nodes.len()),
            Go::End => self.nodes.len(),
            Go::To(node) => self.nodes.iter().position(|other| *other == node).map_or(place, |place| place + 1),
            Go::Leave | Go::Ply(_) => place,
        };
        let to = place.checked_sub(1).and_then(|place| self.nodes.get(place)).copied().unwrap_or(Tree::ROOT);
        if to == current.cursor() { Vec::new() } else { current.go_in_sketch(to) }
    }
}
