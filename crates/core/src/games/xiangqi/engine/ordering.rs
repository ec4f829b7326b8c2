//! Move ordering, generated in stages: after a cut-off by the table move or a capture the other moves are not generated.

use super::exchange;
use super::history::{PieceTo, Tables};
use crate::games::xiangqi::rules::attacks::Points;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::moves::Guard;

/// A move and its ordering score.
pub type ScoredMove = (Move, i32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    Captures,
    FirstKiller,
    SecondKiller,
    Counter,
    MakeQuiets,
    Quiets,
    LosingCaptures,
    Done,
}

/// Returns the moves of one node in order. They are in a list shared by all nodes of a thread, from this node's start on; the
/// node truncates the list at its end.
pub struct Picker {
    stage: Stage,
    table: Move,
    killers: [Move; 3],
    before: [PieceTo; 3],
    /// The start of the losing captures
    start: usize,
    /// and their end.
    losing: usize,
    /// The start of the remaining moves of the current stage
    next: usize,
    /// and their end.
    end: usize,
    /// The gain that a capture needs to come first.
    threshold: i32,
    captures_only: bool,
    /// Whether one of the quiet moves gives check, as far as [`pass_quiets`](Picker::pass_quiets) has looked.
    quiet_check: bool,
}

impl Picker {
    /// All moves of a node. Killers and the counter move may be any moves.
    pub fn new(table: Move, killers: [Move; 2], counter: Move, before: [PieceTo; 3], start: usize) -> Picker {
        let killers = [killers[0], killers[1], counter];
        let stage = if table == Move::NONE { Stage::MakeCaptures } else { Stage::Table };
        Picker {
            stage,
            table,
            killers,
            before,
            start,
            losing: start,
            next: start,
            end: start,
            threshold: 0,
            captures_only: false,
            quiet_check: false,
        }
    }

    /// Only captures that win at least `threshold`.
    pub fn captures(table: Move, threshold: i32, start: usize) -> Picker {
        let none = Move::NONE;
        let picker = Picker::new(table, [none; 2], none, [PieceTo::NONE; 3], start);
        Picker { threshold, captures_only: true, ..picker }
    }

    /// The next pseudo-legal move (the safety of the general is not checked). Each move comes once.
    pub fn next(&mut self, board: &Board, tables: &Tables, list: &mut Vec<ScoredMove>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    return Some(self.table);
                }
                Stage::MakeCaptures => {
                    self.make_captures(board, tables, list);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => {
                    while let Some((mv, _)) = self.pick(list) {
                        if mv == self.table {
                            continue;
                        }
                        if exchange::wins(board, mv, self.threshold) {
                            return Some(mv);
                        }
                        // Stored at the front, in place of moves already returned.
                        list[self.losing].0 = mv;
                        self.losing += 1;
                    }
                    self.stage = if self.captures_only { Stage::Done } else { Stage::FirstKiller };
                }
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if self.is_fresh(board, 0) {
                        return Some(self.killers[0]);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::Counter;
                    if self.is_fresh(board, 1) {
                        return Some(self.killers[1]);
                    }
                }
                Stage::Counter => {
                    self.stage = Stage::MakeQuiets;
                    if self.is_fresh(board, 2) {
                        return Some(self.killers[2]);
                    }
                }
                Stage::MakeQuiets => {
                    self.make_quiets(board, tables, list);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    while let Some((mv, _)) = self.pick(list) {
                        if mv != self.table && !self.killers.contains(&mv) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::LosingCaptures;
                    self.next = self.start;
                    self.end = self.losing;
                }
                Stage::LosingCaptures => {
                    if self.next < self.end {
                        self.next += 1;
                        return Some(list[self.next - 1].0);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Goes on behind the quiet moves that are left, unless one of them gives check directly. Returns how many of them are legal.
    pub fn pass_quiets(&mut self, board: &Board, guard: &Guard, excluded: Move, list: &[ScoredMove]) -> Option<usize> {
        if self.stage != Stage::Quiets || self.quiet_check {
            return None;
        }
        let mut legal = 0;
        for &(mv, _) in &list[self.next..self.end] {
            let returned = mv == self.table || self.killers.contains(&mv);
            if returned || mv == excluded || !board.is_legal_under(guard, mv) {
                continue;
            }
            if board.checks_directly(mv) {
                self.quiet_check = true;
                return None;
            }
            legal += 1;
        }
        self.next = self.end;
        Some(legal)
    }

    /// True if a killer is a quiet move here and was not returned yet.
    fn is_fresh(&self, board: &Board, index: usize) -> bool {
        let mv = self.killers[index];
        mv != Move::NONE
            && mv != self.table
            && !self.killers[..index].contains(&mv)
            && board.at(mv.to()).is_none()
            && board.is_pseudo_legal(mv)
    }

    /// Removes the move with the highest score of the stage.
    fn pick(&mut self, list: &mut [ScoredMove]) -> Option<ScoredMove> {
        if self.next >= self.end {
            return None;
        }
        let rest = &mut list[self.next..self.end];
        let (mut best, mut top) = (0, rest[0].1);
        for (index, &(_, score)) in rest.iter().enumerate() {
            if score > top {
                (best, top) = (index, score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }

    fn make_captures(&mut self, board: &Board, tables: &Tables, list: &mut Vec<ScoredMove>) {
        list.truncate(self.start);
        board.for_each_reach(board.side(!board.turn()), |from, reached| {
            let Some(piece) = board.at(from) else { return };
            Points(reached).for_each(|to| {
                let Some(taken) = board.at(to) else { return };
                let ordering_score =
                    exchange::price(taken) * 16 - exchange::price(piece) + tables.capture(piece, to, taken.role());
                list.push((Move::new(from, to), ordering_score));
            });
        });
        self.next = self.start;
        self.end = list.len();
    }

    fn make_quiets(&mut self, board: &Board, tables: &Tables, list: &mut Vec<ScoredMove>) {
        list.truncate(self.losing);
        let scores = tables.quiets(board.turn(), self.before);
        board.for_each_reach(!board.all(), |from, reached| {
            let Some(piece) = board.at(from) else { return };
            Points(reached).for_each(|to| {
                let mv = Move::new(from, to);
                list.push((mv, scores.score(mv, piece)));
            });
        });
        self.next = self.losing;
        self.end = list.len();
    }
}
