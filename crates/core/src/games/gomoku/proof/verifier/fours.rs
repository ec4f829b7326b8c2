//! Wins by fours: every move threatens a five, so every reply is forced.

use super::board::{Plain, Zone};
use crate::games::gomoku::proof::key::Place;
use crate::rules::Side;
use crate::rules::key_table::KeyHasher;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// A win by fours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The fours, each with its forced reply.
    pub steps: Vec<(Place, Place)>,
    /// The last move: a five, or a move that threatens two.
    pub last: Place,
    /// The fives that the last move threatens; empty if it is a five itself.
    pub fives: Vec<Place>,
}

impl Line {
    /// The attacker's own moves to the five.
    pub fn moves(&self) -> u16 {
        self.steps.len() as u16 + if self.fives.is_empty() { 1 } else { 2 }
    }

    /// Adds the points where a further stone of the defender can matter, if windows with `number` of the defender's stones count.
    pub fn zone(&self, board: &mut Plain, attacker: Side, number: u8, zone: &mut Zone) {
        board.near_rows(!attacker, number, None, zone);
        for &(four, reply) in &self.steps {
            zone.add(four);
            zone.add(reply);
            board.put(four, attacker);
            board.put(reply, !attacker);
            board.near_rows(!attacker, number, Some(reply), zone);
        }
        zone.add(self.last);
        self.fives.iter().for_each(|five| zone.add(*five));
        for &(four, reply) in self.steps.iter().rev() {
            board.take(reply);
            board.take(four);
        }
    }
}

/// Searches for wins by fours of one side.
pub struct Fours {
    attacker: Side,
    /// Positions without a win by fours.
    failed: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    left: u32,
}

impl Fours {
    /// A search for wins of this side.
    pub fn new(attacker: Side) -> Fours {
        Fours { attacker, failed: HashSet::default(), left: 0 }
    }

    /// Forgets what it remembers: the next result follows from its position alone.
    pub fn forget(&mut self) {
        self.failed = HashSet::default();
    }

    /// A win by fours of the attacker, who is to move, if one is found within `budget` positions.
    pub fn find(&mut self, board: &mut Plain, budget: u32) -> Option<Line> {
        self.left = budget;
        self.search(board)
    }

    fn search(&mut self, board: &mut Plain) -> Option<Line> {
        self.left = self.left.checked_sub(1)?;
        let attacker = self.attacker;
        if let Some(&five) = board.fives(attacker).first() {
            return Some(Line { steps: Vec::new(), last: five, fives: Vec::new() });
        }
        if self.failed.contains(&board.print()) {
            return None;
        }
        let pressed = board.fives(!attacker);
        if pressed.len() > 1 {
            return None;
        }
        let mut fours = Vec::new();
        for four in board.builders(attacker, 4) {
            if pressed.first().is_some_and(|block| *block != four) {
                continue;
            }
            let fives = board.fives_after(four, attacker);
            match fives[..] {
                [] => {}
                [reply] => fours.push((four, reply)),
                _ => return Some(Line { steps: Vec::new(), last: four, fives }),
            }
        }
        for (four, reply) in fours {
            if self.failed.contains(&board.print_after_both((four, attacker), (reply, !attacker))) {
                continue;
            }
            board.put(four, attacker);
            board.put(reply, !attacker);
            let found = self.search(board);
            board.take(reply);
            board.take(four);
            if let Some(mut line) = found {
                line.steps.insert(0, (four, reply));
                return Some(line);
            }
        }
        if self.left > 0 {
            self.failed.insert(board.print());
        }
        None
    }
}
