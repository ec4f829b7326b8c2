//! The walk over a tree.

use super::board::Plain;
use super::threats::Threats;
use crate::games::gomoku::proof::key::{Key, Place, key, turned, turned_back};
use crate::games::gomoku::proof::tree::{Answer, MOST_MOVES, Title};
use crate::rules::Side;
use crate::search::StopToken;
use std::collections::{HashMap, HashSet};

/// The most positions of a search for a win by threats.
pub const THREATS: usize = 4_000;

/// A position in which the tree does not prove the win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The moves from the first position to it.
    pub moves: Vec<Place>,
    /// What is wrong.
    pub why: &'static str,
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions in which the tree does not prove the win, up to the number asked for.
    pub faults: Vec<Fault>,
    /// The answers that the walk used, by the hash of their position, in kept form (see [`Tree::pack`]).
    ///
    /// [`Tree::pack`]: crate::games::gomoku::proof::tree::Tree::pack
    pub answers: Vec<(u64, Answer)>,
    /// Different positions with the winner to move, and how many of them are won by plain threats.
    pub positions: u64,
    /// See `positions`.
    pub leaves: u64,
    /// Moves of the defender that were left out, since they do not touch a win by threats.
    pub left_out: u64,
    /// The winner's own moves from the first position, at most.
    pub moves: u16,
    /// Whether the walk was stopped.
    pub stopped: bool,
}

/// Where the answers come from.
pub trait Answers {
    /// The move in the position with this key, if there is one.
    fn answer(&mut self, key: Key) -> Option<Place>;

    /// The winner's own moves to the end at most, if the position with this key need not be walked. The first position is always walked.
    fn settled(&mut self, _hash: u64) -> Option<u16> {
        None
    }

    /// Whether answers to positions that are won by threats are not used, so that the tree becomes smaller.
    fn spares(&self) -> bool {
        false
    }

    /// A move where there was none and no win by threats was found, as a move of the kept position. `moves` lead to it from the first
    /// position.
    fn missing(&mut self, _moves: &[Place]) -> Option<Place> {
        None
    }
}

/// Goes over all positions of a tree.
pub struct Walk<'a, A> {
    title: &'a Title,
    /// Replies to the first answer that are not walked, besides the open ones.
    skipped: &'a [Place],
    board: Plain,
    winner: Side,
    size: u8,
    source: A,
    threats: Threats,
    /// The winner's own moves at most from each position with the winner to move.
    seen: HashMap<u64, u16>,
    /// The moves so far, as they are in the first position's orientation.
    path: Vec<Place>,
    /// The symmetries that turned the board since.
    turns: Vec<usize>,
    most_faults: usize,
    stop: &'a StopToken,
    progress: &'a dyn Fn(&Report),
    report: Report,
}

/// The replies to the first answer of a tree, one for all that are equal by a symmetry, without those that the title leaves open.
pub fn replies(title: &Title, first: Place) -> Vec<Place> {
    let mut seen: HashSet<u64> = title.open.iter().map(|&reply| key_after(title, first, reply)).collect();
    let points = Place::from(title.size) * Place::from(title.size);
    let empty = |place: &Place| *place != first && title.stones.iter().all(|(stone, _)| stone != place);
    (0..points).filter(empty).filter(|&reply| seen.insert(key_after(title, first, reply))).collect()
}

/// The key of the position after a first answer and a reply.
fn key_after(title: &Title, first: Place, reply: Place) -> u64 {
    let winner = title.winner();
    key(title.stones.iter().copied().chain([(first, winner), (reply, !winner)]), title.size).hash
}

impl<'a, A: Answers> Walk<'a, A> {
    /// A walk from the first position that ends after `most_faults` faults. `skipped` are replies to the first answer that another walk looks at.
    /// `progress` is called from time to time.
    pub fn new(
        title: &'a Title,
        skipped: &'a [Place],
        source: A,
        most_faults: usize,
        stop: &'a StopToken,
        progress: &'a dyn Fn(&Report),
    ) -> Walk<'a, A> {
        let mut board = Plain::new(title.size, title.exact);
        for &(place, side) in &title.stones {
            board.put(place, side);
        }
        let winner = title.winner();
        Walk {
            title,
            skipped,
            board,
            winner,
            size: title.size,
            source,
            threats: Threats::new(winner),
            seen: HashMap::new(),
            path: Vec::new(),
            turns: Vec::new(),
            most_faults,
            stop,
            progress,
            report: Report::default(),
        }
    }

    /// Goes over the whole tree.
    pub fn run(mut self) -> Report {
        if Side::BOTH.into_iter().any(|side| self.board.has_five(side)) {
            self.fault("the first position is decided");
        } else {
            self.report.moves = self.attack();
        }
        self.report
    }

    fn fault(&mut self, why: &'static str) -> u16 {
        if self.report.faults.len() < self.most_faults {
            self.report.faults.push(Fault { moves: self.path.clone(), why });
        }
        0
    }

    fn ends(&mut self) -> bool {
        self.report.stopped |= self.stop.is_stopped();
        self.report.stopped || self.report.faults.len() >= self.most_faults
    }

    fn play(&mut self, place: Place, side: Side) {
        self.board.put(place, side);
        self.path.push(self.turns.iter().rev().fold(place, |place, &turn| turned_back(place, turn, self.size)));
    }

    fn take_back(&mut self, place: Place) {
        self.path.pop();
        self.board.take(place);
    }

    /// The winner is to move: its own moves to the five at most.
    fn attack(&mut self) -> u16 {
        if self.ends() {
            return 0;
        }
        if !self.board.fives(self.winner).is_empty() {
            return 1;
        }
        let block = match self.board.fives(!self.winner)[..] {
            [] => None,
            [block] => Some(block),
            _ => return self.fault("the defender has two fives"),
        };
        let key = self.board.key();
        if let Some(&moves) = self.seen.get(&key.hash) {
            return moves;
        }
        if !self.path.is_empty()
            && let Some(moves) = self.source.settled(key.hash)
        {
            return moves;
        }
        // The rest is looked at in the orientation in which answers are kept, so that it does not depend on the way to the position.
        let size = self.size;
        self.board.rearrange(|place| turned(place, key.symmetry, size));
        self.turns.push(key.symmetry);
        let moves = self.won_by(block.map(|block| turned(block, key.symmetry, size)), key.hash);
        self.turns.pop();
        self.board.rearrange(|place| turned_back(place, key.symmetry, size));
        self.seen.insert(key.hash, moves);
        self.report.positions += 1;
        if self.report.positions.is_multiple_of(64) {
            (self.progress)(&self.report);
        }
        moves
    }

    /// The same for a position in kept orientation, where only `block` stops a five of the defender, if there is one.
    fn won_by(&mut self, block: Option<Place>, hash: u64) -> u16 {
        let mut answer = None;
        if block.is_none() {
            answer = self.source.answer(Key { hash, symmetry: 0 });
            if answer.is_none() || self.source.spares() {
                if let Some(win) = self.threats.find(&mut self.board, THREATS) {
                    self.report.leaves += 1;
                    return win.moves;
                }
                answer = answer.or_else(|| self.source.missing(&self.path));
            }
        }
        let Some(place) = block.or(answer) else { return self.fault("there is no answer, and no win by threats was found") };
        if !self.board.is_empty(place) {
            return self.fault("the answer is not an empty point");
        }
        self.play(place, self.winner);
        let moves = self.defend() + 1;
        self.take_back(place);
        if moves > MOST_MOVES {
            return self.fault("the game is too long");
        }
        if answer.is_some() {
            self.report.answers.push((hash, Answer { place, moves }));
        }
        moves
    }

    /// The defender is to move: the winner's own moves to the five at most.
    fn defend(&mut self) -> u16 {
        if self.ends() {
            return 0;
        }
        if self.board.has_five(self.winner) {
            return 0;
        }
        if !self.board.fives(!self.winner).is_empty() {
            return self.fault("the defender makes five");
        }
        let mut moves = 0;
        let replies = match self.board.fives(self.winner)[..] {
            [] => {
                if let Some((line, replies)) = self.threats.against_fours(&mut self.board) {
                    moves = line.moves();
                    replies
                } else if let Some(win) = self.threats.find(&mut self.board, THREATS) {
                    moves = win.moves;
                    (0..self.board.points()).filter(|&place| win.zone.has(place) && self.board.is_empty(place)).collect()
                } else {
                    (0..self.board.points()).filter(|&place| self.board.is_empty(place)).collect()
                }
            }
            [reply] => vec![reply],
            _ => return 1,
        };
        if moves > 0 {
            let empty = (0..self.board.points()).filter(|&place| self.board.is_empty(place)).count();
            self.report.left_out += (empty - replies.len()) as u64;
        }
        if replies.is_empty() {
            return self.fault("the board is full");
        }
        let skipped: Vec<u64> = match self.path[..] {
            [first] => self.title.open.iter().chain(self.skipped).map(|&reply| key_after(self.title, first, reply)).collect(),
            _ => Vec::new(),
        };
        for reply in replies {
            self.play(reply, !self.winner);
            if skipped.is_empty() || !skipped.contains(&self.board.key().hash) {
                moves = moves.max(self.attack());
            }
            self.take_back(reply);
        }
        moves
    }
}
