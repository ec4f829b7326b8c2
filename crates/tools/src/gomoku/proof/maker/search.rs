//! The search for the tree: proof-number search over the moves of both sides. Positions that are won by fours and threes end it.

use super::advice::{self, Adviser};
use super::moves::LEAF;
use super::node::{INFINITE, Node};
use super::table::{Next, Table, Taken};
use super::threats::Threats;
use crate::gomoku::proof::hints::Hints;
use crate::gomoku::proof::work::{Known, Work};
use qiju_core::games::gomoku::proof::board::{key_of, place};
use qiju_core::games::gomoku::proof::key::turned;
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::{Position, Side};
use qiju_core::search::StopToken;
use std::sync::Arc;
use std::time::Duration;

/// After this number of visits, and after each eightfold one, a position is searched for threats again with four times the nodes.
const AGAIN: u32 = 16;
/// The node budget of a win by threats whose moves are put into the tree.
const SETTLED: u64 = 200_000;
/// The nodes of effort 0 on each thread, and the factor of each further effort.
pub const NODES: u64 = 20_000_000;
const MORE: u64 = 4;
/// A thread that finds all positions taken by others looks again after this time.
const PAUSE: Duration = Duration::from_millis(1);

/// Finds answers on one thread.
pub struct Maker<'a> {
    pub(super) work: &'a Work,
    /// `None` where all is tried anew: then what won with more moves before is not tried first either.
    pub(super) hints: Option<&'a Hints>,
    pub(super) stop: &'a StopToken,
    pub(super) threats: Threats,
    pub(super) adviser: Adviser,
    pub(super) table: Arc<Table>,
    pub(super) winner: Side,
    pub(super) effort: u8,
    /// The nodes of effort 0.
    nodes: u64,
    until: u64,
    /// The keys of the positions that lead to the one that is searched.
    path: Vec<u64>,
}

/// Stopped before an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Maker<'a> {
    /// A maker that proves wins of `winner` on boards of this size.
    pub fn new(winner: Side, size: u8, work: &'a Work, hints: &'a Hints, stop: &'a StopToken) -> Maker<'a> {
        let threats = Threats::new(winner, size);
        Maker {
            work,
            hints: Some(hints),
            stop,
            threats,
            adviser: Adviser::new(),
            table: Arc::default(),
            winner,
            effort: 0,
            nodes: NODES,
            until: 0,
            path: Vec::new(),
        }
    }

    /// Proves only wins in which the winner has so many stones at most, those on the board included.
    pub fn within(self, most: usize) -> Maker<'a> {
        Maker { threats: self.threats.within(most), ..self }
    }

    /// Searches so many nodes with effort 0.
    pub fn with_nodes(self, nodes: u64) -> Maker<'a> {
        Maker { nodes, ..self }
    }

    /// Uses the positions that other makers of the same work have seen, which may search beside it.
    pub fn sharing(self, table: Arc<Table>) -> Maker<'a> {
        Maker { table, ..self }
    }

    /// Tries the moves of these hints first from now on. With `None` all is tried anew, also what won with more moves before.
    pub fn take_hints(&mut self, hints: Option<&'a Hints>) {
        self.hints = hints;
    }

    /// Whether the winner, who is to move, is proven to win with this effort.
    ///
    /// # Errors
    /// It was stopped.
    pub fn attack(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        self.table.begin(&[board.key()]);
        self.join(board, effort)
    }

    /// The same while other threads may search the same or other positions: the table is not prepared for it.
    ///
    /// # Errors
    /// It was stopped.
    pub fn join(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        let key = board.key();
        self.table.trim();
        self.effort = effort;
        self.until = self.threats.visited() + self.nodes * MORE.pow(u32::from(effort));
        self.table.enter(key);
        let proof = loop {
            match self.search(board, INFINITE) {
                Some(number) if number == 0 || number >= INFINITE || self.ends() => break number,
                _ if self.ends() => break 1,
                _ => std::thread::sleep(PAUSE),
            }
        };
        self.table.leave(key, None);
        if proof > 0 && self.stop.is_stopped() { Err(Stopped) } else { Ok(proof == 0) }
    }

    /// Adds an answer for a position that the walk could not prove without one.
    ///
    /// # Errors
    /// It was stopped.
    pub fn settle(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        if self.is_known(board) {
            return Ok(true);
        }
        if self.threats.find(board, SETTLED).is_none() && !self.attack(board, effort)? {
            return Ok(false);
        }
        // A win by threats has no answer yet.
        if let Some(win) = self.threats.find(board, SETTLED) {
            self.add(board, win.first);
        }
        Ok(self.is_known(board))
    }

    fn add(&mut self, board: &Board, answer: Spot) {
        let (size, key) = (board.size(), key_of(board));
        self.work.add(key.hash, Known::Won(turned(place(answer, size), key.symmetry, size)));
    }

    /// The winner's own moves that are left.
    pub fn left(&self, board: &Board) -> u16 {
        self.threats.left(board)
    }

    /// Whether the work has an answer.
    pub fn is_known(&self, board: &Board) -> bool {
        matches!(self.work.known(key_of(board).hash, self.left(board)), Some(Known::Won(_)))
    }

    /// The nodes of a search for threats: more where few stones are, since more depends on it.
    pub fn budget(&self, board: &Board, nodes: u64) -> u64 {
        let few = match board.stone_count() {
            ..=4 => 2,
            5 | 6 => 1,
            _ => 0,
        };
        nodes << (few + self.effort)
    }

    /// Searches until the number of the position is 0 or at least `limit`, and returns it; `None` if another thread computes its moves.
    fn search(&mut self, board: &mut Board, limit: u32) -> Option<u32> {
        let key = board.key();
        let node = match self.table.take(key) {
            Taken::Held => return None,
            Taken::New if board.side_to_move() == self.winner => self.winner_node(board),
            Taken::New => self.defender_node(board),
            Taken::Known(node) => node,
        };
        let node = self.prepare(board, node, limit);
        let proof = node.proof;
        self.table.put(key, node);
        if proof == 0 || proof >= limit {
            return Some(proof);
        }
        let number = self.choose(board, limit);
        if number.is_none() {
            // Threads that wait for others come here often.
            self.table.forget_visit(key);
        }
        number
    }

    /// Computes what a position needs before one of its moves is searched.
    fn prepare(&mut self, board: &mut Board, mut node: Node, limit: u32) -> Node {
        let ends = |node: &Node| node.proof == 0 || node.proof >= limit;
        while node.pending > 0 && !ends(&node) {
            node = self.look_again(board, node.pending);
        }
        if ends(&node) {
            return node;
        }
        node.visits += 1;
        if let Some(replies) = node.replies.take() {
            node.choices = self.open_replies(board, replies);
        }
        if board.side_to_move() != self.winner {
            return node;
        }
        if node.visits >= AGAIN << (3 * node.looks - 3) {
            let win = self.threats.find(board, self.budget(board, LEAF) << (2 * node.looks));
            node.looks += 1;
            if let Some(win) = win {
                return Node { zone: Some(win.zone), ..Node::of(0, Vec::new()) };
            }
        }
        if node.choices.len() > 1 && advice::is_due(node.visits, node.asked) {
            node.doubt = self.ask(board, &mut node.choices, node.asked);
            node.asked += 1;
        }
        node
    }

    fn ends(&self) -> bool {
        self.threats.visited() >= self.until || self.stop.is_stopped()
    }

    /// Searches the moves of a position until its number is 0 or at least `limit`, and returns it; `None` if other threads have all that is left.
    fn choose(&mut self, board: &mut Board, limit: u32) -> Option<u32> {
        let key = board.key();
        let attacking = board.side_to_move() == self.winner;
        loop {
            let ends = self.ends();
            let (choice, next) = match self.table.next(key, attacking, limit, &self.path, ends) {
                Next::Won(answer) => {
                    if let Some(answer) = answer {
                        self.table.add_similar(board, answer);
                        self.add(board, answer);
                    }
                    return Some(0);
                }
                Next::Leave(number) => return Some(number),
                Next::Wait => return None,
                Next::Search(choice, limit) => (choice, limit),
            };
            self.path.push(key);
            board.make(choice.spot);
            let number = self.search(board, next);
            board.unmake(choice.spot, ());
            self.path.pop();
            self.table.leave(choice.key, number.filter(|_| attacking).map(|number| (key, number)));
            number?;
        }
    }
}
