//! The search for the tree: proof-number search over the moves of both sides. Positions that are won by fours and threes end it.

use super::advice::{self, Advice, Adviser};
use super::similar::Similar;
use super::threats::Threats;
use crate::games::gomoku::engine::threats;
use crate::games::gomoku::engine::values;
use crate::games::gomoku::proof::key::{Key, Place, key, turned, turned_back};
use crate::games::gomoku::proof::work::{Known, Work};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::key_table::KeyTable;
use crate::rules::{Position, Side};
use crate::search::StopToken;
use std::collections::HashSet;

/// The number of a position that is lost for the winner, as far as the search looks.
const INFINITE: u32 = 100_000_000;
/// Node budgets of the search for threats: of a position with the winner to move, of the threat that a move of the winner makes, and of a
/// reply when the replies are looked at together. Each effort doubles them.
const LEAF: u64 = 2_000;
const THREAT: u64 = 1_000;
const QUICK: u64 = 100;
/// After this number of visits, and after each eightfold one, a position is searched for threats again with four times the nodes.
const AGAIN: u32 = 16;
/// The node budget of a win by threats whose moves are put into the tree.
const SETTLED: u64 = 200_000;
/// The nodes of effort 0, and the factor of each further effort.
const NODES: u64 = 400_000_000;
const MORE: u64 = 4;
/// Up to this number of stones the winner may make a move that threatens nothing, and every reply is tried.
const QUIET: usize = 7;
/// If no win after a pass is found beyond that, the move counts so much, and each further of so many searches has four times the nodes.
const PENDING: u32 = 8;
const TRIES: u32 = 3;
/// Up to this number of stones the engine's move is kept in the work, and another one is tried last.
const FEW: usize = 3;
const MOST_HANDICAP: u32 = 100_000;
/// Added to all other moves if the engine says that its move wins, and if it does not.
const CLAIMED: u32 = 200;
const SUGGESTED: u32 = 8;
/// Added to the number of a position in which the engine sees no win.
const DOUBT: u32 = 16;
/// Added to threes and to fours, which are cheap to try and often lead nowhere.
const OF_THREE: u32 = 3;
const OF_FOUR: u32 = 4;
/// Moves of the winner in one position.
const WIDTH: usize = 40;
/// A move of the winner that was not looked at yet counts as the move looked at first times this and its rank, by so many parts.
const UNSEEN: u32 = 6;
const UNSEEN_PARTS: u32 = 8;
/// So many ranks count as one.
const RANKS: u32 = 2;
/// So many replies count as one before any of them was looked at, and so many of those that are not refuted at a look.
const SHARE: u32 = 12;
const OPEN: u32 = 10;
/// The table is cleared before a search if it has more positions.
const MOST: usize = 1_000_000;

/// A position of the search.
struct Node {
    /// How much is left to prove: 0 if it is won for the winner.
    proof: u32,
    choices: Vec<Choice>,
    visits: u32,
    /// How often the engine was asked for a move.
    asked: u32,
    /// With the defender to move: how often a win after a pass was searched in vain.
    pending: u32,
    /// Added to the number of the position, since the engine saw no win.
    doubt: u32,
    /// How often it was searched for threats.
    looks: u32,
    /// The zone of a win by threats.
    zone: Option<Spots>,
    /// With the defender to move: the replies, as long as none of them was looked at.
    replies: Option<Spots>,
    /// With the winner to move: what the move looked at first had left to prove.
    first: u32,
}

#[derive(Clone, Copy)]
struct Choice {
    spot: Spot,
    key: u64,
    /// How many moves seem better.
    rank: u32,
    /// Added to the number of the position after it.
    handicap: u32,
}

impl Node {
    fn of(proof: u32, choices: Vec<Choice>) -> Node {
        Node { proof, choices, visits: 0, asked: 0, pending: 0, doubt: 0, looks: 1, zone: None, replies: None, first: 0 }
    }

    /// A position with the defender to move, which has these replies.
    fn against(board: &Board, mut replies: Spots) -> Node {
        replies.intersect(board.empty());
        Node { replies: Some(replies), ..Node::of(1 + replies.len() as u32 / SHARE, Vec::new()) }
    }
}

/// Finds answers on one thread.
pub struct Maker<'a> {
    work: &'a Work,
    stop: &'a StopToken,
    threats: Threats,
    similar: Similar,
    adviser: Adviser,
    nodes: KeyTable<Node>,
    winner: Side,
    effort: u8,
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

/// The key of a position.
pub fn key_of(board: &Board) -> Key {
    let size = board.size();
    let stones = Side::BOTH.into_iter().flat_map(|side| board.stones(side).iter().map(move |spot| (place(spot, size), side)));
    key(stones, size)
}

/// Stopped before an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Maker<'a> {
    /// A maker that proves wins of `winner` on boards of this size.
    pub fn new(winner: Side, size: u8, work: &'a Work, stop: &'a StopToken) -> Maker<'a> {
        let threats = Threats::new(winner, size);
        Maker {
            work,
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

    fn is_known(&self, board: &Board) -> bool {
        matches!(self.work.known(key_of(board).hash), Some(Known::Won(_)))
    }

    /// The nodes of a search for threats: more where few stones are, since more depends on it.
    fn budget(&self, board: &Board, nodes: u64) -> u64 {
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

    /// Searches again for a win after a pass of the defender, with more nodes.
    fn look_again(&mut self, board: &mut Board, key: u64) {
        let tries = self.nodes.get(&key).map_or(0, |node| node.pending);
        board.pass();
        let win = self.threats.find(board, self.budget(board, THREAT) << (2 * tries));
        board.pass();
        let node = match win {
            Some(win) => Node::against(board, win.zone),
            None if tries >= TRIES => Node::of(INFINITE, Vec::new()),
            None => Node { pending: tries + 1, ..Node::of(PENDING << (2 * tries), Vec::new()) },
        };
        self.nodes.insert(key, node);
    }

    /// Asks the engine and puts its move first. Returns what is added to the number of the position.
    fn ask(&mut self, board: &Board, choices: &mut Vec<Choice>, asked: u32) -> u32 {
        let (size, known) = (board.size(), key_of(board));
        let kept = match self.work.known(known.hash) {
            Some(Known::Chosen(place)) => Some(spot(turned_back(place, known.symmetry, size), size)),
            _ => None,
        };
        let advice = match kept.filter(|spot| asked == 0 && board.is_empty(*spot)) {
            Some(spot) => Some(Advice { spot, wins: true }),
            None => self.adviser.ask(board, advice::nodes(board.stone_count(), asked), self.stop),
        };
        let Some(Advice { spot, wins }) = advice.filter(|_| !self.stop.is_stopped()) else { return 0 };
        let few = board.stone_count() <= FEW;
        if few && wins && kept != Some(spot) {
            self.work.add(known.hash, Known::Chosen(turned(place(spot, size), known.symmetry, size)));
        }
        let more = match wins {
            true if few => MOST_HANDICAP,
            true => CLAIMED,
            false => SUGGESTED,
        };
        choices.retain(|choice| choice.spot != spot);
        choices.insert(0, Choice { spot, key: board.key_after(spot), rank: 0, handicap: 0 });
        for (rank, choice) in (1..).zip(&mut choices[1..]) {
            (choice.rank, choice.handicap) = (rank, rank / RANKS + more);
        }
        if wins { 0 } else { DOUBT }
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

    /// A position with the winner to move, seen for the first time.
    fn winner_node(&mut self, board: &mut Board) -> Node {
        if self.is_known(board) {
            return Node::of(0, Vec::new());
        }
        let blocks = *board.of_class(!self.winner, Class::Five);
        if board.count(self.winner, Class::Five) == 0 && blocks.len() > 1 {
            return Node::of(INFINITE, Vec::new());
        }
        if let Some(win) = self.threats.find(board, self.budget(board, LEAF)) {
            return Node { zone: Some(win.zone), ..Node::of(0, Vec::new()) };
        }
        let side = self.winner;
        let spots = if !blocks.is_empty() {
            blocks
        } else if threats::open_four(board, !side).is_some() {
            threats::against_open_four(board, side)
        } else {
            board.near_stones()
        };
        let forced = !blocks.is_empty();
        let mut tried = self.similar.answers(board);
        tried.retain(|spot| !forced || spots.contains(*spot));
        let worth = |spot| values::ordering_score(board, spot, side) + values::ordering_score(board, spot, !side) / 2;
        let mut list: Vec<(i32, Spot)> = spots.iter().map(|spot| (worth(spot), spot)).collect();
        list.retain(|(_, spot)| !tried.contains(spot));
        list.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        list.truncate(WIDTH);
        let ordered = tried.into_iter().chain(list.into_iter().map(|(_, spot)| spot));
        let choice = |(rank, spot)| {
            let rank = rank as u32;
            let forcing = match board.class(spot, side) {
                _ if forced => 0,
                class if class >= Class::Four => OF_FOUR,
                class if class >= Class::Three => OF_THREE,
                _ => 0,
            };
            Choice { spot, key: board.key_after(spot), rank, handicap: rank / RANKS + forcing }
        };
        let choices: Vec<Choice> = ordered.enumerate().map(choice).collect();
        Node::of(if choices.is_empty() { INFINITE } else { 1 }, choices)
    }

    /// A position with the defender to move, seen for the first time.
    fn defender_node(&mut self, board: &mut Board) -> Node {
        let side = !self.winner;
        if board.winner().is_some() {
            return Node::of(0, Vec::new());
        }
        if board.count(side, Class::Five) > 0 || board.empty().is_empty() {
            return Node::of(INFINITE, Vec::new());
        }
        let fives = *board.of_class(self.winner, Class::Five);
        let replies = match fives.len() {
            0 => {
                board.pass();
                let win = self.threats.find(board, self.budget(board, THREAT));
                board.pass();
                match win {
                    Some(win) => win.zone,
                    None if board.stone_count() <= QUIET => *board.empty(),
                    None => return Node { pending: 1, ..Node::of(PENDING, Vec::new()) },
                }
            }
            1 => fives,
            // One of two fives cannot be stopped.
            _ => return Node::of(0, Vec::new()),
        };
        Node::against(board, replies)
    }

    /// The replies that are not refuted at once.
    fn open_replies(&mut self, board: &mut Board, replies: Spots) -> Vec<Choice> {
        let side = !self.winner;
        // Replies that do little are refuted first: what refutes them refutes many others.
        let danger = |spot| values::ordering_score(board, spot, side) + values::ordering_score(board, spot, !side);
        let mut list: Vec<(i32, Spot)> = replies.iter().map(|spot| (danger(spot), spot)).collect();
        list.sort_by_key(|(danger, _)| *danger);
        let mut seen = HashSet::new();
        let mut left = replies;
        for &(_, spot) in &list {
            if !left.contains(spot) {
                continue;
            }
            board.make(spot);
            let key = key_of(board);
            let known = matches!(self.work.known(key.hash), Some(Known::Won(_))) || !seen.insert(key.hash);
            let win = if known { None } else { self.threats.find(board, QUICK << self.effort) };
            board.unmake(spot, ());
            if let Some(win) = win {
                left.intersect(&win.zone);
            }
            if known || win.is_some() {
                left.remove(spot);
            }
        }
        list.retain(|(_, spot)| left.contains(*spot));
        list.iter().rev().map(|&(_, spot)| Choice { spot, key: board.key_after(spot), rank: 0, handicap: 0 }).collect()
    }
}
