//! Wins by fours and threes, found by depth-first proof-number search.
//!
//! A three is a move after which the attacker would win by fours if the defender passed. The defender's moves are all those that may touch
//! these fours (see [`super`]).

use super::board::{Plain, Zone};
use super::fours::{Fours, Line};
use crate::games::gomoku::proof::key::Place;
use crate::rules::Side;
use crate::rules::key_table::KeyTable;
use std::sync::Arc;

/// The most positions of a search for fours.
const FOURS: u32 = 250;
const INFINITE: u32 = 1 << 28;
/// With so many rows through a point, or more, a move there seems nearest to the end.
const MOST_ROWS: u32 = 8;

/// A position of the search.
struct Node {
    proof: u32,
    disproof: u32,
    /// The moves, each with the proof number assumed before it is searched.
    moves: Arc<[(Place, u32)]>,
    /// The fours of the attacker: those that win with the attacker to move; those that it threatens with the defender to move.
    line: Option<Line>,
}

impl Node {
    fn proven(line: Option<Line>) -> Node {
        Node { proof: 0, disproof: INFINITE, moves: Arc::default(), line }
    }

    fn refuted() -> Node {
        Node { proof: INFINITE, disproof: 0, moves: Arc::default(), line: None }
    }
}

/// Searches for wins by threats of one side.
pub struct Threats {
    attacker: Side,
    fours: Fours,
    nodes: KeyTable<Node>,
    /// The last winning move by the attacker's stones: it is likely to win again.
    hints: KeyTable<Place>,
    budget: usize,
}

/// What a proven win is worth to the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Win {
    /// The attacker's own moves to the five, at most.
    pub moves: u16,
    /// The points where one more stone of the defender may matter.
    pub zone: Zone,
}

impl Threats {
    /// A search for wins of this side.
    pub fn new(attacker: Side) -> Threats {
        Threats { attacker, fours: Fours::new(attacker), nodes: KeyTable::default(), hints: KeyTable::default(), budget: 0 }
    }

    /// A win of the attacker, who is to move, if one is found within `budget` positions.
    pub fn find(&mut self, board: &mut Plain, budget: usize) -> Option<Win> {
        self.nodes.clear();
        self.hints.clear();
        self.fours.forget();
        self.budget = budget;
        let (proof, _) = self.search(board, true, INFINITE, INFINITE);
        if proof > 0 {
            return None;
        }
        let mut win = Win::default();
        let mut seen = KeyTable::default();
        board.near_rows(!self.attacker, 2, None, &mut win.zone);
        win.moves = self.collect(board, true, &mut win.zone, &mut seen);
        Some(win)
    }

    /// The fours of the attacker, if the defender passes, and the moves of the defender that may touch them.
    pub fn against_fours(&mut self, board: &mut Plain) -> Option<(Line, Vec<Place>)> {
        self.fours.forget();
        self.fours_and_replies(board)
    }

    fn fours_and_replies(&mut self, board: &mut Plain) -> Option<(Line, Vec<Place>)> {
        let line = self.fours.find(board, FOURS)?;
        let mut zone = Zone::default();
        line.zone(board, self.attacker, 3, &mut zone);
        let moves = (0..board.points()).filter(|&place| zone.has(place) && board.is_empty(place)).collect();
        Some((line, moves))
    }

    fn attacker_node(&mut self, board: &mut Plain) -> Node {
        if let Some(line) = self.fours.find(board, FOURS) {
            return Node::proven(Some(line));
        }
        let moves = match board.fives(!self.attacker)[..] {
            [] => board.builders(self.attacker, 3),
            [block] => vec![block],
            _ => return Node::refuted(),
        };
        if moves.is_empty() {
            return Node::refuted();
        }
        let hint = self.hints.get(&board.print_of(self.attacker)).copied();
        // Moves in many rows are likely to win sooner.
        let guess = |place| {
            if hint == Some(place) { 1 } else { MOST_ROWS.saturating_sub(board.rows_through(place, self.attacker)) / 2 + 1 }
        };
        let moves = moves.into_iter().map(|place| (place, guess(place))).collect();
        Node { proof: 1, disproof: 1, moves, line: None }
    }

    fn defender_node(&mut self, board: &mut Plain) -> Node {
        if !board.fives(!self.attacker).is_empty() {
            return Node::refuted();
        }
        let (moves, line) = match board.fives(self.attacker)[..] {
            [] => match self.fours_and_replies(board) {
                Some((line, moves)) => (moves, Some(line)),
                None => return Node::refuted(),
            },
            [reply] => (vec![reply], None),
            _ => return Node::proven(None),
        };
        Node { proof: 1, disproof: 1, moves: moves.into_iter().map(|place| (place, 1)).collect(), line }
    }

    /// Searches until one of the numbers reaches its limit; returns the numbers.
    fn search(&mut self, board: &mut Plain, attacking: bool, proof_limit: u32, disproof_limit: u32) -> (u32, u32) {
        let print = board.print();
        if !self.nodes.contains_key(&print) {
            let node = if attacking { self.attacker_node(board) } else { self.defender_node(board) };
            self.nodes.insert(print, node);
        }
        let side = if attacking { self.attacker } else { !self.attacker };
        loop {
            let node = &self.nodes[&print];
            if node.proof == 0 || node.disproof == 0 {
                return (node.proof, node.disproof);
            }
            // The side to move chooses the child with the smallest number of its own.
            let (mut least, mut second, mut most, mut open) = (INFINITE, INFINITE, 0, 0);
            let mut chosen = None;
            let moves = node.moves.clone();
            for &(place, guess) in moves.iter() {
                let child = self.nodes.get(&board.print_after(place, side));
                let (proof, disproof) = child.map_or((guess, 1), |child| (child.proof, child.disproof));
                let (own, other) = if attacking { (proof, disproof) } else { (disproof, proof) };
                if own < least {
                    second = least;
                    least = own;
                    chosen = Some((place, proof, disproof));
                } else if own < second {
                    second = own;
                }
                if other > 0 {
                    open += 1;
                    most = most.max(other);
                }
            }
            // The largest number and one for each other child: a sum would count what several children share more than once.
            let sum = if open == 0 { 0 } else { (most + open - 1).min(INFINITE) };
            let (proof, disproof) = if attacking { (least, sum) } else { (sum, least) };
            if let Some(node) = self.nodes.get_mut(&print) {
                (node.proof, node.disproof) = (proof, disproof);
            }
            if attacking
                && proof == 0
                && let Some((place, ..)) = chosen
            {
                self.hints.insert(board.print_of(self.attacker), place);
            }
            if proof == 0 || disproof == 0 || proof >= proof_limit || disproof >= disproof_limit {
                return (proof, disproof);
            }
            let Some((place, child_proof, child_disproof)) = chosen.filter(|_| self.nodes.len() < self.budget) else {
                return (proof, disproof);
            };
            let next = second.saturating_add(1 + second / 4).min(INFINITE);
            let (child_proof_limit, child_disproof_limit) = if attacking {
                (proof_limit.min(next), (disproof_limit - disproof + child_disproof).min(INFINITE))
            } else {
                ((proof_limit - proof + child_proof).min(INFINITE), disproof_limit.min(next))
            };
            board.put(place, side);
            self.search(board, !attacking, child_proof_limit, child_disproof_limit);
            board.take(place);
        }
    }

    /// Whether the last search has proven a position.
    pub fn proves(&self, board: &Plain) -> bool {
        self.is_proven(board.print())
    }

    /// The attacker's own moves to the five at most, in a proven position with the attacker to move.
    pub fn moves(&self, board: &mut Plain) -> u16 {
        self.collect(board, true, &mut Zone::default(), &mut KeyTable::default())
    }

    /// The fours of the attacker in a position of the last search: those that win, or those that it threatens.
    pub fn fours(&self, board: &Plain) -> Option<Line> {
        self.nodes.get(&board.print())?.line.clone()
    }

    /// The winning move of a proven position with the attacker to move.
    pub fn first(&self, board: &Plain) -> Option<Place> {
        let node = self.nodes.get(&board.print())?;
        match &node.line {
            Some(line) => Some(line.steps.first().map_or(line.last, |(four, _)| *four)),
            None => {
                node.moves.iter().map(|(place, _)| *place).find(|&place| self.is_proven(board.print_after(place, self.attacker)))
            }
        }
    }

    fn is_proven(&self, print: u64) -> bool {
        self.nodes.get(&print).is_some_and(|node| node.proof == 0)
    }

    /// Adds the points of a proven position to the zone; returns the attacker's own moves to the five at most.
    fn collect(&self, board: &mut Plain, attacking: bool, zone: &mut Zone, seen: &mut KeyTable<u16>) -> u16 {
        let print = board.print();
        if let Some(&moves) = seen.get(&print) {
            return moves;
        }
        let node = &self.nodes[&print];
        let mut moves = 0;
        if let Some(line) = &node.line {
            line.zone(board, self.attacker, 2, zone);
            moves = line.moves();
        }
        if attacking && node.line.is_none() {
            if let Some(place) = self.first(board) {
                zone.add(place);
                board.put(place, self.attacker);
                moves = 1 + self.collect(board, false, zone, seen);
                board.take(place);
            }
        } else if !attacking {
            let fives = board.fives(self.attacker);
            if fives.len() > 1 {
                moves = 1;
            }
            fives.iter().for_each(|five| zone.add(*five));
            for &(place, _) in node.moves.iter() {
                zone.add(place);
                board.put(place, !self.attacker);
                board.near_rows(!self.attacker, 2, Some(place), zone);
                moves = moves.max(self.collect(board, true, zone, seen));
                board.take(place);
            }
        }
        seen.insert(print, moves);
        moves
    }
}
