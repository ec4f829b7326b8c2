//! What was searched in vain is searched in parts: positions two plies on, each on its own and with an empty table, and then the position itself again.
//! What cost minutes before is often found in seconds then.

use super::Solver;
use crate::gomoku::proof::maker::Maker;
use crate::gomoku::proof::tasks::lock;
use qiju_core::games::gomoku::proof::board::{key_of, spot};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::Position;
use std::collections::BTreeMap;

/// How often a position is searched with the same effort after its hardest part.
const ROUNDS: usize = 3;
/// How many plies after the first position the hardest parts begin at most.
const DEEPEST: usize = 16;
/// The same for the replies after which a tree takes too long.
const DEEPEST_LONG: usize = 10;

/// The position after an answer and a reply, and the moves that lead to it from the first position.
fn part(board: &Board, way: &[Spot], moves: [Spot; 2]) -> (Board, Vec<Spot>) {
    let mut part = board.clone();
    moves.into_iter().for_each(|spot| part.make(spot));
    (part, [way, &moves].concat())
}

impl Solver {
    /// Searches a position that was just searched in vain, of which a tree knows a win that takes too long: first every reply to the tree's answer after which
    /// it takes too long, and then the position itself again. The replies that the tree answers soon enough are left out, so this is mostly little work.
    /// `way` leads to it from the first position.
    pub(super) fn shorten<'a>(&'a self, makers: &mut [Maker<'a>], board: &Board, way: &[Spot], effort: u8) -> bool {
        let long = self.long_replies(&makers[0], board);
        if long.is_empty() {
            return false;
        }
        for moves in long {
            let (part, further) = part(board, way, moves);
            let proven = self.search_alone(makers, &part, &further, effort)
                || self.search_anew(makers, &part, &further, effort)
                || further.len() < DEEPEST_LONG && self.shorten(makers, &part, &further, effort);
            if !proven {
                return false;
            }
        }
        self.search_alone(makers, board, way, effort + 1)
    }

    /// Searches a position as if there were no hints: the answers of the tree that takes too long may be what makes it long.
    fn search_anew<'a>(&'a self, makers: &mut [Maker<'a>], board: &Board, way: &[Spot], effort: u8) -> bool {
        makers.iter_mut().for_each(|maker| maker.take_hints(None));
        let proven = self.search_alone(makers, board, way, effort);
        makers.iter_mut().for_each(|maker| maker.take_hints(Some(&self.hints)));
        proven
    }

    /// The replies to the answer of a tree after which it takes too long, each with that answer. Those that are nearly short enough come first.
    pub(super) fn long_replies(&self, maker: &Maker, board: &Board) -> Vec<[Spot; 2]> {
        let Some(answer) = self.hints.answer(board) else { return Vec::new() };
        let answer = spot(answer, self.title.size);
        let mut board = board.clone();
        board.make(answer);
        let mut replies = BTreeMap::new();
        for reply in board.empty().iter() {
            board.make(reply);
            let hash = key_of(&board).hash;
            if let Some(moves) = self.work.tree_moves(hash).filter(|_| !maker.is_known(&board)) {
                replies.insert((moves, hash), [answer, reply]);
            }
            board.unmake(reply, ());
        }
        replies.into_values().collect()
    }

    /// Searches a position that was just searched in vain: first the one two plies on that resisted most, with an empty table, then the position
    /// itself again. Once the hard reply has an answer, or another move of the winner was tried for longer, the rest is often easy.
    /// `way` leads to it from the first position.
    pub(super) fn search_in_parts(&self, makers: &mut [Maker], board: &Board, way: &[Spot], effort: u8) -> bool {
        for _ in 0..ROUNDS {
            let [answer, reply, ..] = self.table.line(board.key(), true)[..] else { return false };
            let (part, further) = part(board, way, [answer, reply]);
            let proven = self.search_alone(makers, &part, &further, effort)
                || further.len() < DEEPEST && self.search_in_parts(makers, &part, &further, effort);
            if !proven {
                return false;
            }
            if self.search_alone(makers, board, way, effort) {
                return true;
            }
        }
        false
    }

    /// Searches one position with all threads and an empty table.
    fn search_alone(&self, makers: &mut [Maker], board: &Board, way: &[Spot], effort: u8) -> bool {
        self.table.forget();
        *lock(&self.searched) = (board.key(), way.to_vec());
        let run = |maker: &mut Maker| maker.join(&mut board.clone(), effort) == Ok(true);
        std::thread::scope(|scope| {
            let running: Vec<_> = makers.iter_mut().map(|maker| scope.spawn(|| run(maker))).collect();
            let proven: Vec<bool> = running.into_iter().map(|thread| thread.join().unwrap_or(false)).collect();
            proven.contains(&true)
        })
    }
}
