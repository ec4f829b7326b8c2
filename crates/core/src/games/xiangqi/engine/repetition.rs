//! Repetitions inside the search, scored by the rules of the game.
//!
//! The rules judge a third occurrence by all moves since the first. The search takes the second one for it where that decides
//! the same: a draw stays a draw. A loss by perpetual check or chase does not stay a loss: the side that would lose may join
//! another cycle, and one of checks and one of chases are together a draw. So it counts only at the third occurrence.

use super::scores::{BANNED, is_banned};
use super::worker::Worker;
use crate::games::xiangqi::rules::adjudication::{self, Repetition};
use crate::games::xiangqi::rules::board::Move;

impl Worker<'_> {
    /// The score if the position has occurred before on this line, or twice in all, and that decides.
    pub fn repetition(&self, ply: usize) -> Option<i32> {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        // Positions before a null move are not counted.
        let reach = usize::from(self.board.quiet_plies().min(self.plies[ply].since_null)).min(last);
        let mut cycle = None;
        let mut back = 4;
        while back <= reach {
            if self.keys[last - back] == key {
                if cycle.is_some() {
                    return Some(self.judge(back, ply));
                }
                cycle = Some(back);
            }
            back += 2;
        }
        let score = self.judge(cycle.filter(|back| last - back >= self.before_root)?, ply);
        Some(score).filter(|score| !is_banned(*score))
    }

    /// The score of the cycle of the last `length` moves, for the side to move.
    fn judge(&self, length: usize, ply: usize) -> i32 {
        if self.board.repetition() == Repetition::Draw {
            return 0;
        }
        let from = self.line.len() - length;
        let mut start = self.board.clone();
        let mut moves = [Move::NONE; 256];
        for (slot, made) in self.line[from..].iter().enumerate().rev() {
            let Some((mv, undo)) = *made else { return 0 };
            start.revert(mv, undo);
            if slot < moves.len() {
                moves[slot] = mv;
            }
        }
        let outcome = adjudication::judge(&start, &moves[..length.min(moves.len())]);
        match outcome.winner {
            None => 0,
            Some(side) if side == self.board.turn() => BANNED - ply as i32,
            Some(_) => ply as i32 - BANNED,
        }
    }
}
