//! The walk over a tree.

use super::board::Plain;
use super::threats::Threats;
use crate::games::gomoku::proof::key::{Key, Place, key, turned, turned_back};
use crate::games::gomoku::proof::tree::{Answer, MOST_MOVES, Title};
use crate::rules::Side;
use crate::search::StopToken;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    /// The move in the position with this key, if there is one. The winner has so many moves left at most.
    fn answer(&mut self, key: Key, left: u16) -> Option<Place>;

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

/// The positions that walks over the same tree have seen, one walk on each thread. What all of them report is what one alone would report.
pub struct Seen {
    threads: usize,
    parts: Vec<Mutex<Part>>,
    /// Whether one of the walks has ended early.
    ended: AtomicBool,
}

/// Positions with the winner to move.
#[derive(Default)]
struct Part {
    /// The winner's own moves at most from each position that was walked.
    moves: HashMap<u64, u16>,
    /// Those that are being walked, each with the number of threads.
    walked: HashMap<u64, u16>,
}

/// The number of parts: few enough threads wait for the same one.
const PARTS: u64 = 64;

impl Seen {
    /// Nothing seen yet by so many threads.
    pub fn new(threads: usize) -> Seen {
        Seen { threads: threads.max(1), parts: (0..PARTS).map(|_| Mutex::default()).collect(), ended: AtomicBool::new(false) }
    }

    fn part(&self, hash: u64) -> MutexGuard<'_, Part> {
        self.parts[(hash % PARTS) as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of moves of a position that was walked. Otherwise the thread walks it now, and `leave` has to be called.
    fn enter(&self, hash: u64) -> Option<u16> {
        let mut part = self.part(hash);
        let known = part.moves.get(&hash).copied();
        if known.is_none() {
            *part.walked.entry(hash).or_default() += 1;
        }
        known
    }

    /// Ends the walk of a position. True if this thread is the first.
    fn leave(&self, hash: u64, moves: u16) -> bool {
        let mut part = self.part(hash);
        if let Some(threads) = part.walked.get_mut(&hash) {
            *threads -= 1;
            if *threads == 0 {
                part.walked.remove(&hash);
            }
        }
        part.moves.insert(hash, moves).is_none()
    }

    /// Whether a thread is at a position.
    fn is_walked(&self, hash: u64) -> bool {
        self.part(hash).walked.contains_key(&hash)
    }
}

/// What the walk of one position found, without those after it.
#[derive(Default)]
struct NodeReport {
    moves: u16,
    is_leaf: bool,
    left_out: u64,
    answer: Option<Answer>,
}

/// Goes over all positions of a tree.
pub struct Walk<'a, A> {
    title: &'a Title,
    /// What all threads have seen, and the number of this one.
    seen: &'a Seen,
    thread: usize,
    board: Plain,
    winner: Side,
    /// The winner's own moves from the first position, at most.
    most: u16,
    size: u8,
    source: A,
    threats: Threats,
    /// The moves so far, as they are in the first position's orientation.
    path: Vec<Place>,
    /// The symmetries that turned the board since.
    turns: Vec<usize>,
    most_faults: usize,
    stop: &'a StopToken,
    progress: &'a dyn Fn(&Report),
    report: Report,
}

/// The key of the position after a first answer and a reply.
fn key_after(title: &Title, first: Place, reply: Place) -> u64 {
    let winner = title.winner();
    key(title.stones.iter().copied().chain([(first, winner), (reply, !winner)]), title.size).hash
}

impl<'a, A: Answers> Walk<'a, A> {
    /// A walk from the first position that ends after `most_faults` faults. Walks with the same `seen` divide the tree; `thread` is the number of this one
    /// among them. `progress` is called from time to time.
    pub fn new(
        title: &'a Title,
        (seen, thread): (&'a Seen, usize),
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
            seen,
            thread,
            board,
            winner,
            most: MOST_MOVES,
            size: title.size,
            source,
            threats: Threats::new(winner),
            path: Vec::new(),
            turns: Vec::new(),
            most_faults,
            stop,
            progress,
            report: Report::default(),
        }
    }

    /// Looks for wins of so many own moves at most from the first position, which are also the most that a tree can name.
    pub fn within(self, most: u16) -> Walk<'a, A> {
        Walk { most: most.min(MOST_MOVES), ..self }
    }

    /// Goes over the whole tree.
    pub fn run(mut self) -> Report {
        if Side::BOTH.into_iter().any(|side| self.board.has_five(side)) {
            self.fault("the first position is decided");
        } else {
            let key = self.board.key();
            self.report.moves = self.attack(key);
        }
        self.report
    }

    /// The winner's own moves that are left.
    fn left(&self) -> u16 {
        self.most.saturating_sub(self.path.len().div_ceil(2) as u16)
    }

    fn fault(&mut self, why: &'static str) -> u16 {
        if self.report.faults.len() < self.most_faults {
            self.report.faults.push(Fault { moves: self.path.clone(), why });
        }
        0
    }

    fn ends(&mut self) -> bool {
        self.report.stopped |= self.stop.is_stopped();
        let ends = self.report.stopped || self.report.faults.len() >= self.most_faults;
        if ends {
            self.seen.ended.store(true, Relaxed);
        }
        ends || self.seen.ended.load(Relaxed)
    }

    fn play(&mut self, place: Place, side: Side) {
        self.board.put(place, side);
        self.path.push(self.turns.iter().rev().fold(place, |place, &turn| turned_back(place, turn, self.size)));
    }

    fn take_back(&mut self, place: Place) {
        self.path.pop();
        self.board.take(place);
    }

    /// The winner is to move in the position with this key: its own moves to the five at most.
    fn attack(&mut self, key: Key) -> u16 {
        if self.ends() {
            return 0;
        }
        if self.left() == 0 {
            return self.fault("the game is too long");
        }
        if !self.board.fives(self.winner).is_empty() {
            return 1;
        }
        let block = match self.board.fives(!self.winner)[..] {
            [] => None,
            [block] => Some(block),
            _ => return self.fault("the defender has two fives"),
        };
        if !self.path.is_empty()
            && let Some(moves) = self.source.settled(key.hash).filter(|moves| *moves <= self.left())
        {
            return moves;
        }
        if let Some(moves) = self.seen.enter(key.hash) {
            return moves;
        }
        // The rest is looked at in the orientation in which answers are kept, so that it does not depend on the way to the position.
        let size = self.size;
        self.board.rearrange(|place| turned(place, key.symmetry, size));
        self.turns.push(key.symmetry);
        let found = self.won_by(block.map(|block| turned(block, key.symmetry, size)), key.hash);
        self.turns.pop();
        self.board.rearrange(|place| turned_back(place, key.symmetry, size));
        // Two threads may have walked it together.
        if self.seen.leave(key.hash, found.moves) {
            self.report.leaves += u64::from(found.is_leaf);
            self.report.left_out += found.left_out;
            self.report.answers.extend(found.answer.map(|answer| (key.hash, answer)));
            self.report.positions += 1;
            if self.report.positions.is_multiple_of(64) {
                (self.progress)(&self.report);
            }
        }
        found.moves
    }

    /// The same for a position in kept orientation, where only `block` stops a five of the defender, if there is one.
    fn won_by(&mut self, block: Option<Place>, hash: u64) -> NodeReport {
        let mut answer = None;
        if block.is_none() {
            let left = self.left();
            answer = self.source.answer(Key { hash, symmetry: 0 }, left);
            if answer.is_none() || self.source.spares() {
                if let Some(win) = self.threats.find(&mut self.board, THREATS).filter(|win| win.moves <= left) {
                    return NodeReport { moves: win.moves, is_leaf: true, ..NodeReport::default() };
                }
                answer = answer.or_else(|| self.source.missing(&self.path));
            }
        }
        let faulty = |walk: &mut Self, why| NodeReport { moves: walk.fault(why), ..NodeReport::default() };
        let Some(place) = block.or(answer) else { return faulty(self, "there is no answer, and no win by threats was found") };
        if !self.board.is_empty(place) {
            return faulty(self, "the answer is not an empty point");
        }
        self.play(place, self.winner);
        let (moves, left_out) = self.defend();
        self.take_back(place);
        let moves = moves + 1;
        NodeReport { moves, left_out, answer: answer.map(|_| Answer { place, moves }), is_leaf: false }
    }

    /// The defender is to move: the winner's own moves to the five at most, and the number of replies left out.
    fn defend(&mut self) -> (u16, u64) {
        if self.ends() || self.board.has_five(self.winner) {
            return (0, 0);
        }
        if !self.board.fives(!self.winner).is_empty() {
            return (self.fault("the defender makes five"), 0);
        }
        let mut moves = 0;
        let mut replies = match self.board.fives(self.winner)[..] {
            [] => {
                let left = self.left();
                if let Some((line, replies)) =
                    self.threats.against_fours(&mut self.board).filter(|(line, _)| line.moves() <= left)
                {
                    moves = line.moves();
                    replies
                } else if let Some(win) = self.threats.find(&mut self.board, THREATS).filter(|win| win.moves <= left) {
                    moves = win.moves;
                    (0..self.board.points()).filter(|&place| win.zone.has(place) && self.board.is_empty(place)).collect()
                } else {
                    (0..self.board.points()).filter(|&place| self.board.is_empty(place)).collect()
                }
            }
            [reply] => vec![reply],
            _ => return (1, 0),
        };
        let mut left_out = 0;
        if moves > 0 {
            let empty = (0..self.board.points()).filter(|&place| self.board.is_empty(place)).count();
            left_out = (empty - replies.len()) as u64;
        }
        if replies.is_empty() {
            return (self.fault("the board is full"), 0);
        }
        let open: Vec<u64> = match self.path[..] {
            [first] => self.title.open.iter().map(|&reply| key_after(self.title, first, reply)).collect(),
            _ => Vec::new(),
        };
        // Threads that are here together begin with different replies, and come last to those where others are.
        let first = self.thread % self.seen.threads * replies.len() / self.seen.threads;
        replies.rotate_left(first);
        let mut later = Vec::new();
        for reply in replies {
            self.play(reply, !self.winner);
            let key = self.board.key();
            if self.seen.is_walked(key.hash) {
                later.push((reply, key));
            } else if !open.contains(&key.hash) {
                moves = moves.max(self.attack(key));
            }
            self.take_back(reply);
        }
        for (reply, key) in later {
            self.play(reply, !self.winner);
            moves = moves.max(self.attack(key));
            self.take_back(reply);
        }
        (moves, left_out)
    }
}
