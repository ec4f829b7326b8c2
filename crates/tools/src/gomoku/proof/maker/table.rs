//! The positions of the search, shared by all its threads.
//!
//! Threads that work on the same tree divide the replies: with the defender to move, each prefers a reply that no other thread is at. While a thread
//! computes the moves of a position, the others pass it by.

use super::node::{Choice, INFINITE, Node};
use super::similar::Similar;
use crate::gomoku::proof::tasks::lock;
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::{Spot, Spots};
use qiju_core::rules::key_table::KeyTable;
use std::cmp::Reverse;
use std::sync::Mutex;

/// The table is cleared before a search if it has more positions.
const MOST: usize = 3_000_000;
/// A move of the winner that was not looked at yet counts as the move looked at first times this and its rank, by so many parts.
const UNSEEN: u32 = 6;
const UNSEEN_PARTS: u32 = 8;
/// So many replies that were not looked at yet count as one.
const OPEN: u32 = 10;
/// What is left to prove of replies beside the hardest counts by so many parts.
const BEGUN: u32 = 8;

/// The positions, and the answers to similar ones.
#[derive(Default)]
pub struct Table {
    inner: Mutex<Inner>,
    similar: Mutex<Similar>,
}

#[derive(Default)]
struct Inner {
    nodes: KeyTable<Node>,
    /// Positions on the path of a thread, each with the number of threads.
    busy: KeyTable<u32>,
    /// Positions whose moves a thread computes.
    held: KeyTable<()>,
}

/// What a thread does next in a position.
pub enum Next {
    /// The winner's move, if this is won.
    Won(Option<Spot>),
    /// It leaves with this number.
    Leave(u32),
    /// Another thread has the position.
    Wait,
    /// It goes on with this move until the number of the position after it reaches the limit. `leave` has to be called afterwards.
    Search(Choice, u32),
}

/// A position that a thread may work on.
pub enum Taken {
    /// It was never looked at.
    New,
    /// What is known of it. It is not in the table until it is put back.
    Known(Node),
    /// Another thread has it.
    Held,
}

impl Table {
    /// Prepares a search of these positions. No other thread may be searching.
    pub fn begin(&self, keys: &[u64]) {
        let mut inner = lock(&self.inner);
        let exhausted = |key: &u64| inner.nodes.get(key).is_some_and(|node| node.proof >= INFINITE);
        if inner.nodes.len() > MOST || keys.iter().any(exhausted) {
            // What failed may succeed with more nodes.
            inner.nodes.clear();
        }
    }

    /// Forgets the positions, but not what is known of similar ones. No other thread may be searching.
    pub fn forget(&self) {
        lock(&self.inner).nodes.clear();
    }

    /// Forgets everything. No other thread may be searching.
    pub fn clear(&self) {
        lock(&self.inner).nodes = KeyTable::default();
        *lock(&self.similar) = Similar::default();
    }

    /// Forgets positions if there are too many; those on the paths of threads stay.
    pub fn trim(&self) {
        let Inner { nodes, busy, .. } = &mut *lock(&self.inner);
        if nodes.len() > MOST {
            nodes.retain(|key, _| busy.contains_key(key));
        }
    }

    /// The line that is searched most from a position on: the winner's moves with the least left to prove, and the replies with the most.
    pub fn line(&self, mut key: u64, mut attacking: bool) -> Vec<Spot> {
        let inner = lock(&self.inner);
        let mut line = Vec::new();
        while let Some(node) = inner.nodes.get(&key) {
            let seen = node.choices.iter().filter_map(|choice| Some((choice, inner.nodes.get(&choice.key)?.proof)));
            let left = seen.filter(|(_, number)| *number > 0);
            let next = if attacking {
                left.min_by_key(|(choice, number)| number.saturating_add(choice.handicap))
            } else {
                left.max_by_key(|(_, number)| *number)
            };
            let Some((choice, _)) = next else { break };
            line.push(choice.spot);
            (key, attacking) = (choice.key, !attacking);
        }
        line
    }

    /// The answers to similar positions.
    pub fn similar(&self, board: &Board) -> Vec<Spot> {
        lock(&self.similar).answers(board)
    }

    /// Adds an answer for similar positions.
    pub fn add_similar(&self, board: &Board, answer: Spot) {
        lock(&self.similar).add(board, answer);
    }

    /// Takes a position to compute its moves. Unless it is held, it has to be put back.
    pub fn take(&self, key: u64) -> Taken {
        let mut inner = lock(&self.inner);
        if inner.held.insert(key, ()).is_some() {
            return Taken::Held;
        }
        // The number stays for the others.
        match inner.nodes.get_mut(&key) {
            Some(node) => {
                let proof = node.proof;
                Taken::Known(std::mem::replace(node, Node::of(proof, Vec::new())))
            }
            None => Taken::New,
        }
    }

    /// Puts a position back.
    pub fn put(&self, key: u64, node: Node) {
        let mut inner = lock(&self.inner);
        inner.held.remove(&key);
        inner.nodes.insert(key, node);
    }

    /// A visit found nothing to do.
    pub fn forget_visit(&self, key: u64) {
        if let Some(node) = lock(&self.inner).nodes.get_mut(&key) {
            node.visits = node.visits.saturating_sub(1);
        }
    }

    /// Begins the path of a thread.
    pub fn enter(&self, key: u64) {
        *lock(&self.inner).busy.entry(key).or_default() += 1;
    }

    /// The thread is back from a position. If the winner moved there, `from` is the position before the move, and how much is left to prove after it.
    pub fn leave(&self, key: u64, from: Option<(u64, u32)>) {
        let inner = &mut *lock(&self.inner);
        if let Some(threads) = inner.busy.get_mut(&key) {
            *threads -= 1;
            if *threads == 0 {
                inner.busy.remove(&key);
            }
        }
        if let Some((parent, number)) = from.filter(|(_, number)| *number < INFINITE)
            && let Some(node) = inner.nodes.get_mut(&parent).filter(|node| node.first == 0)
        {
            node.first = number;
        }
    }

    /// The next move in a position that was computed: that of the winner with the least left to prove, or the reply with the most. `path` leads to it.
    pub fn next(&self, key: u64, attacking: bool, limit: u32, path: &[u64], ends: bool) -> Next {
        let inner = &mut *lock(&self.inner);
        if inner.held.contains_key(&key) {
            return Next::Wait;
        }
        let Some(node) = inner.nodes.get_mut(&key) else { return Next::Wait };
        if node.proof == 0 || node.proof >= INFINITE {
            return Next::Leave(node.proof);
        }
        let mut choices = std::mem::take(&mut node.choices);
        let (first, doubt) = (node.first, node.doubt);
        // Another thread may have decided a position before this one.
        let decided = |key: &u64| inner.nodes.get(key).is_some_and(|node| node.proof == 0 || node.proof >= INFINITE);
        let ends = ends || path.iter().any(decided);
        let next = if attacking { inner.answer(&choices, first, doubt, limit) } else { inner.reply(&mut choices, limit) };
        let (number, next) = match next {
            (number, Next::Search(_, _)) if ends => (number, Next::Leave(number)),
            next => next,
        };
        if let Next::Search(choice, _) = &next {
            *inner.busy.entry(choice.key).or_default() += 1;
        }
        if let Some(node) = inner.nodes.get_mut(&key) {
            node.proof = number;
            if number > 0 && number < INFINITE {
                node.choices = choices;
            }
        }
        next
    }
}

impl Inner {
    /// The winner chooses the move with the least left to prove. `first` is what the move looked at first had left.
    fn answer(&self, choices: &[Choice], first: u32, doubt: u32, limit: u32) -> (u32, Next) {
        if doubt >= limit {
            return (doubt + 1, Next::Leave(doubt + 1));
        }
        let limit = limit - doubt;
        let (mut least, mut second) = (INFINITE, INFINITE);
        let mut chosen = None;
        for choice in choices {
            let number = match self.nodes.get(&choice.key) {
                None => {
                    let number = first.saturating_mul(UNSEEN + choice.rank) / UNSEEN_PARTS + 1 + choice.handicap;
                    number.min(INFINITE - 1)
                }
                Some(node) if node.proof == 0 => return (0, Next::Won(Some(choice.spot))),
                Some(node) => (node.proof + choice.handicap).min(INFINITE),
            };
            if number < least {
                (second, least) = (least, number);
                chosen = Some(*choice);
            } else {
                second = second.min(number);
            }
        }
        let number = (least + doubt).min(INFINITE);
        let Some(choice) = chosen.filter(|_| least < limit) else { return (number, Next::Leave(number)) };
        let next = limit.min(second.saturating_add(1 + second / 4)).min(INFINITE);
        (number, Next::Search(choice, next.saturating_sub(choice.handicap).max(1)))
    }

    /// Every reply has to be refuted. The one with the most left to prove is searched first: if it cannot be refuted, this is seen soon.
    fn reply(&self, choices: &mut Vec<Choice>, limit: u32) -> (u32, Next) {
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
        let (mut most, mut sum, mut unseen) = (0u32, 0u32, 0u32);
        let mut chosen = None;
        for choice in choices.iter() {
            let number = match self.nodes.get(&choice.key) {
                Some(node) if node.proof >= INFINITE => return (INFINITE, Next::Leave(INFINITE)),
                Some(node) => node.proof,
                None => 0,
            };
            most = most.max(number);
            sum = (sum + number).min(INFINITE - 1);
            unseen += u32::from(number == 0);
            let threads = self.busy.get(&choice.key).copied().unwrap_or(0) + u32::from(self.held.contains_key(&choice.key));
            let order = (Reverse(threads), number);
            if chosen.is_none_or(|(_, best)| order > best) {
                chosen = Some((*choice, order));
            }
        }
        let Some((choice, _)) = chosen else { return (0, Next::Won(None)) };
        // Most of the replies that were not looked at yet are easy. One thread has one of the others; what many threads began in parallel has to count less.
        let others = unseen.div_ceil(OPEN) + (sum - most) / BEGUN;
        let number = (most + others).min(INFINITE - 1);
        if number >= limit {
            return (number, Next::Leave(number));
        }
        (number, Next::Search(choice, limit - others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: u8) -> Spot {
        Spot::new(x, 0)
    }

    /// A move to the position with this key.
    fn to(key: u64) -> Choice {
        Choice { spot: spot(key as u8), key, rank: 0, handicap: 0 }
    }

    fn with(nodes: &[(u64, u32, &[u64])]) -> Table {
        let table = Table::default();
        for &(key, proof, moves) in nodes {
            table.put(key, Node::of(proof, moves.iter().copied().map(to).collect()));
        }
        table
    }

    /// The key that the next thread goes to, and the limit.
    fn goes(table: &Table, key: u64, attacking: bool, limit: u32) -> (u64, u32) {
        match table.next(key, attacking, limit, &[], false) {
            Next::Search(choice, limit) => (choice.key, limit),
            _ => panic!("it does not go on"),
        }
    }

    #[test]
    fn threads_divide_the_replies() {
        let table = with(&[(10, 1, &[1, 2, 3, 4]), (2, 80, &[9]), (3, 20, &[9])]);
        // The hardest one first, which may get as hard as the limit allows: the two others and those not looked at count little.
        assert_eq!(goes(&table, 10, false, 1_000), (2, 1_000 - 1 - 20 / BEGUN));
        assert_eq!(goes(&table, 10, false, 1_000).0, 3);
        assert_eq!(goes(&table, 10, false, 1_000).0, 1);
        assert_eq!(goes(&table, 10, false, 1_000).0, 4);
        // All have a thread: the hardest one gets a second.
        assert_eq!(goes(&table, 10, false, 1_000).0, 2);
        table.leave(3, None);
        assert_eq!(goes(&table, 10, false, 1_000).0, 3);
    }

    #[test]
    fn a_position_is_computed_by_one_thread() {
        let table = with(&[(10, 7, &[1, 2])]);
        assert!(matches!(table.take(1), Taken::New) && matches!(table.take(1), Taken::Held));
        let Taken::Known(node) = table.take(10) else { panic!("it is in the table") };
        assert_eq!((node.proof, node.choices.len()), (7, 2));
        assert!(matches!(table.next(10, false, 100, &[], false), Next::Wait));
        table.put(10, node);
        // Another thread has the first reply.
        assert_eq!(goes(&table, 10, false, 100).0, 2);
        table.put(1, Node::of(3, vec![to(5)]));
        assert!(matches!(table.take(1), Taken::Known(_)));
    }

    #[test]
    fn the_winner_takes_what_is_easiest_and_wins_with_one_move() {
        let table = with(&[(10, 1, &[1, 2]), (1, 40, &[9]), (2, 12, &[9])]);
        // Until it is harder than the second by a quarter.
        assert_eq!(goes(&table, 10, true, 1_000), (2, 40 + 1 + 10));
        table.leave(2, Some((10, 12)));
        assert!(matches!(table.next(10, true, 12, &[], false), Next::Leave(12)), "as hard as allowed");
        assert!(matches!(table.next(10, true, 1_000, &[], true), Next::Leave(12)), "at the end of the time");
        table.put(1, Node::of(0, Vec::new()));
        assert!(matches!(table.next(10, true, 1_000, &[], true), Next::Won(Some(mv)) if mv == spot(1)));
        assert!(matches!(table.next(10, true, 1_000, &[], false), Next::Leave(0)), "it is known now");
    }

    #[test]
    fn what_another_thread_decided_is_left() {
        let table = with(&[(10, 5, &[1]), (1, 5, &[2]), (2, 5, &[3])]);
        assert_eq!(goes(&table, 2, false, 100).0, 3);
        table.put(10, Node::of(0, Vec::new()));
        assert!(matches!(table.next(2, false, 100, &[10, 1], false), Next::Leave(1)));
        // A reply that cannot be refuted decides as well.
        let table = with(&[(10, 5, &[1, 2]), (2, INFINITE, &[])]);
        assert!(matches!(table.next(10, false, 100, &[], false), Next::Leave(INFINITE)));
    }

    #[test]
    fn exhausted_positions_are_searched_again_and_waiting_counts_no_visit() {
        let table = with(&[(10, INFINITE, &[]), (1, 3, &[2])]);
        table.begin(&[1]);
        assert!(matches!(table.take(10), Taken::Known(_)));
        table.put(10, Node { visits: 8, ..Node::of(INFINITE, Vec::new()) });
        table.forget_visit(10);
        assert!(matches!(table.take(10), Taken::Known(node) if node.visits == 7));
        table.put(10, Node::of(INFINITE, Vec::new()));
        table.begin(&[10]);
        assert!(matches!(table.take(1), Taken::New));
    }

    #[test]
    fn the_line_searched_most_is_told() {
        let table = with(&[(10, 5, &[1, 2]), (1, 9, &[5]), (2, 4, &[3, 4]), (3, 1, &[]), (4, 4, &[])]);
        assert_eq!(table.line(10, true), [spot(2), spot(4)]);
        assert!(table.line(77, true).is_empty());
    }
}
