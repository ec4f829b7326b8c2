//! The search for the tree: proof-number search over the moves of both sides. Positions that are won by fours and threes end it.

use super::advice::{self, Adviser};
use super::moves::{Choice, LEAF, Node};
use super::similar::Similar;
use super::threats::Threats;
use crate::games::gomoku::proof::hints::Hints;
use crate::games::gomoku::proof::key::{Key, Place, key, turned};
use crate::games::gomoku::proof::work::{Known, Work};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::key_table::KeyTable;
use crate::rules::{Position, Side};
use crate::search::StopToken;

/// The number of a position that is lost for the winner, as far as the search looks.
pub const INFINITE: u32 = 100_000_000;
/// After this number of visits, and after each eightfold one, a position is searched for threats again with four times the nodes.
const AGAIN: u32 = 16;
/// The node budget of a win by threats whose moves are put into the tree.
const SETTLED: u64 = 200_000;
/// The nodes of effort 0, and the factor of each further effort.
const NODES: u64 = 400_000_000;
const MORE: u64 = 4;
/// A move of the winner that was not looked at yet counts as the move looked at first times this and its rank, by so many parts.
const UNSEEN: u32 = 6;
const UNSEEN_PARTS: u32 = 8;
/// So many replies that were not looked at yet count as one.
const OPEN: u32 = 10;
/// The table is cleared before a search if it has more positions.
const MOST: usize = 1_000_000;

/// Finds answers on one thread.
pub struct Maker<'a> {
    pub(super) work: &'a Work,
    pub(super) hints: &'a Hints,
    pub(super) stop: &'a StopToken,
    pub(super) threats: Threats,
    pub(super) similar: Similar,
    pub(super) adviser: Adviser,
    pub(super) nodes: KeyTable<Node>,
    pub(super) winner: Side,
    pub(super) effort: u8,
    until: u64,
}

/// The place of a spot.
pub fn place(spot: Spot, size: u8) -> Place {
    let point = spot.point();
    u16::from(point.y) * u16::from(size) + u16::from(point.x)
}

/// The spot of a place.
pub fn spot(place: Place, size: u8) -> Spot {
    Spot::new((place % u16::from(size)) as u8, (place / u16::from(size)) as u8)
}

/// The stones of both sides.
pub fn stones(board: &Board) -> impl Iterator<Item = (Place, Side)> + '_ {
    let size = board.size();
    Side::BOTH.into_iter().flat_map(move |side| board.stones(side).iter().map(move |spot| (place(spot, size), side)))
}

/// The key of a position.
pub fn key_of(board: &Board) -> Key {
    key(stones(board), board.size())
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
            hints,
            stop,
            threats,
            similar: Similar::default(),
            adviser: Adviser::new(),
            nodes: KeyTable::default(),
            winner,
            effort: 0,
            until: 0,
        }
    }

    /// Whether the winner, who is to move, is proven to win with this effort.
    ///
    /// # Errors
    /// It was stopped.
    pub fn attack(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        let exhausted = self.nodes.get(&board.key()).is_some_and(|node| node.proof >= INFINITE);
        if exhausted || self.nodes.len() > MOST {
            // What failed may succeed with more nodes.
            self.nodes.clear();
        }
        self.effort = effort;
        self.until = self.threats.visited() + NODES * MORE.pow(u32::from(effort));
        let proof = self.search(board, INFINITE);
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

    /// Whether the work has an answer.
    pub fn is_known(&self, board: &Board) -> bool {
        matches!(self.work.known(key_of(board).hash), Some(Known::Won(_)))
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

    /// Searches until the number of the position is 0 or at least `limit`, and returns it.
    fn search(&mut self, board: &mut Board, limit: u32) -> u32 {
        let key = board.key();
        let attacking = board.side_to_move() == self.winner;
        if !self.nodes.contains_key(&key) {
            let node = if attacking { self.winner_node(board) } else { self.defender_node(board) };
            self.nodes.insert(key, node);
        }
        let Some(node) = self.nodes.get_mut(&key) else { return 1 };
        if node.proof == 0 || node.proof >= limit {
            return node.proof;
        }
        node.visits += 1;
        let due = attacking && node.visits >= AGAIN << (3 * node.looks - 3);
        if node.pending > 0 {
            self.look_again(board, key);
            return self.search(board, limit);
        }
        let (looks, replies, mut first) = (node.looks, node.replies.take(), node.first);
        let mut choices = std::mem::take(&mut node.choices);
        let (mut asked, mut doubt) = (node.asked, node.doubt);
        let visits = node.visits;
        let mut zone = None;
        if due {
            zone = self.threats.find(board, self.budget(board, LEAF) << (2 * looks)).map(|win| win.zone);
        }
        if zone.is_none() && attacking && choices.len() > 1 && advice::is_due(visits, asked) {
            doubt = self.ask(board, &mut choices, asked);
            asked += 1;
        }
        let proof = if zone.is_some() {
            0
        } else if attacking {
            let least = if doubt < limit { self.choose_answer(board, &choices, &mut first, limit - doubt) } else { 1 };
            if least == 0 { 0 } else { (least + doubt).min(INFINITE) }
        } else {
            if let Some(replies) = replies {
                choices = self.open_replies(board, replies);
            }
            self.choose_reply(board, &mut choices, limit)
        };
        if let Some(node) = self.nodes.get_mut(&key) {
            node.looks += u32::from(due);
            (node.asked, node.doubt) = (asked, doubt);
            node.proof = proof;
            node.zone = zone;
            node.first = first;
            if proof > 0 && proof < INFINITE {
                node.choices = choices;
            }
        }
        proof
    }

    fn ends(&self) -> bool {
        self.threats.visited() >= self.until || self.stop.is_stopped()
    }

    /// The winner chooses the move with the least left to prove. `first` is what the move looked at first had left.
    fn choose_answer(&mut self, board: &mut Board, choices: &[Choice], first: &mut u32, limit: u32) -> u32 {
        loop {
            let (mut least, mut second) = (INFINITE, INFINITE);
            let mut chosen = None;
            for choice in choices {
                let number = match self.nodes.get(&choice.key) {
                    None => {
                        let number = first.saturating_mul(UNSEEN + choice.rank) / UNSEEN_PARTS + 1 + choice.handicap;
                        number.min(INFINITE - 1)
                    }
                    Some(node) if node.proof == 0 => {
                        self.similar.add(board, choice.spot);
                        self.add(board, choice.spot);
                        return 0;
                    }
                    Some(node) => (node.proof + choice.handicap).min(INFINITE),
                };
                if number < least {
                    (second, least) = (least, number);
                    chosen = Some(choice);
                } else {
                    second = second.min(number);
                }
            }
            let Some(choice) = chosen.filter(|_| least < limit && !self.ends()) else { return least };
            let next = limit.min(second.saturating_add(1 + second / 4)).min(INFINITE);
            board.make(choice.spot);
            let number = self.search(board, next.saturating_sub(choice.handicap).max(1));
            board.unmake(choice.spot, ());
            if *first == 0 && number < INFINITE {
                *first = number;
            }
        }
    }

    /// Every reply has to be refuted. The one with the most left to prove is searched first: if it cannot be refuted, this is seen soon.
    fn choose_reply(&mut self, board: &mut Board, choices: &mut Vec<Choice>, limit: u32) -> u32 {
        loop {
            let mut zone: Option<Spots> = None;
            choices.retain(|choice| match self.nodes.get(&choice.key) {
                Some(node) if node.proof == 0 => {
                    if let Some(other) = &node.zone {
                        zone = Some(zone.map_or(*other, |mut zone| {
                            zone.intersect(other);
                            zone
                        }));
                    }
                    false
                }
                _ => true,
            });
            // A win by threats refutes all replies outside of its zone.
            if let Some(zone) = zone {
                choices.retain(|choice| zone.contains(choice.spot));
            }
            let (mut sum, mut unseen) = (0u32, 0u32);
            let mut chosen = None;
            for choice in choices.iter() {
                let number = match self.nodes.get(&choice.key) {
                    Some(node) if node.proof >= INFINITE => return INFINITE,
                    Some(node) => node.proof,
                    None => 0,
                };
                sum = (sum + number).min(INFINITE - 1);
                unseen += u32::from(number == 0);
                if chosen.is_none_or(|(_, most)| number > most) {
                    chosen = Some((choice.spot, number));
                }
            }
            // Most of the replies that were not looked at yet are easy.
            let sum = (sum + unseen.div_ceil(OPEN)).min(INFINITE - 1);
            let Some((spot, number)) = chosen else { return 0 };
            if sum >= limit || self.ends() {
                return sum;
            }
            board.make(spot);
            self.search(board, limit - (sum - number.max(1)));
            board.unmake(spot, ());
        }
    }
}
