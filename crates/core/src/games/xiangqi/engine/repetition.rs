//! Repetitions inside the search, scored by the rules of the game.

use super::scores::BANNED;
use super::worker::Worker;
use crate::games::xiangqi::rules::adjudication::{self, Repetition};
use crate::games::xiangqi::rules::board::Move;

impl Worker<'_> {
    /// The score if the position has occurred before on this line, or twice in the game.
    pub fn repetition(&self, ply: usize) -> Option<i32> {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let reach = usize::from(self.board.quiet_plies()).min(last);
        let mut seen = 0;
        let mut back = 2;
        while back <= reach {
            // Positions before a null move are not counted.
            if self.line[last - back].is_none() || self.line[last - back + 1].is_none() {
                return None;
            }
            if back >= 4 && self.keys[last - back] == key {
                seen += 1;
                if last - back >= self.before_root || seen == 2 {
                    return Some(self.judge(back, ply));
                }
            }
            back += 2;
        }
        None
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
