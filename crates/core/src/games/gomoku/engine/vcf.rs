//! Wins by continuous fours (VCF): every move threatens a five, so the answers are forced and the search is narrow.
//!
//! A win found here is a proof. Forbidden points of black are respected, and white uses them: a four whose answer is forbidden
//! wins. In rules where a five needs an open end (caro), all points that stop it are tried.

use super::threats;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::Position;

/// The most fours of a win.
const DEEPEST: u32 = 60;
/// The nodes between two looks at `stop`.
const STRIDE: u64 = 256;

/// The searcher, with a table of results for positions with the attacker to move.
pub struct Vcf {
    table: Vec<u64>,
    nodes: u64,
    /// The node limit of the current search, and whether it was reached.
    budget: u64,
    exhausted: bool,
    /// The attacker's stones with its five, at most.
    most: Option<usize>,
}

// An entry: the upper 40 bits of the key, then 10 bits of the move, 8 of the length, 1 for "searched without reaching a limit".
const MARK: u64 = !0 << 24;
const COMPLETE: u64 = 1;

impl Vcf {
    /// A searcher with a table of 2^`bits` words.
    pub fn new(bits: u32) -> Self {
        Vcf { table: vec![0; 1 << bits], nodes: 0, budget: 0, exhausted: false, most: None }
    }

    /// Only wins in which the attacker has so many stones at most, those on the board included. To be called before the first search.
    pub fn within(self, most: usize) -> Self {
        Vcf { most: Some(most), ..self }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.fill(0);
    }

    /// Positions visited since the beginning.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Plies to the five if the side to move wins by fours alone and this is found within `budget` nodes. Otherwise `None`.
    pub fn wins(&mut self, board: &mut Board, budget: u64) -> Option<usize> {
        self.wins_until(board, budget, &mut || false)
    }

    /// The same for a large budget: the search also ends soon after `stop` returns true.
    pub fn wins_until(&mut self, board: &mut Board, budget: u64, stop: &mut dyn FnMut() -> bool) -> Option<usize> {
        self.budget = self.nodes + budget;
        self.exhausted = false;
        // A position has as many moves left as the attacker has stones less, so what the table says is about the same number of moves.
        let own = board.stones(board.side_to_move()).len();
        let deep = self.most.map_or(DEEPEST, |most| u32::try_from(most.saturating_sub(own)).unwrap_or(DEEPEST).min(DEEPEST));
        match self.attack(board, deep, stop) {
            0 => None,
            length => Some(usize::from(length)),
        }
    }

    /// True if the last search found a win, or searched all fours without reaching a limit.
    pub fn is_complete(&self) -> bool {
        !self.exhausted
    }

    /// The line of a win just found: the moves of both sides up to the five.
    pub fn line(&mut self, board: &Board, budget: u64) -> Vec<Spot> {
        let mut board = board.clone();
        let mut line = Vec::new();
        let side = board.side_to_move();
        while self.wins(&mut board, budget).is_some() {
            let five = board.of_class(side, Class::Five).first();
            let Some(mv) = five.or_else(|| self.stored_move(&board)).or_else(|| threats::open_four(&board, side)) else { break };
            line.push(mv);
            board.make(mv);
            if board.winner().is_some() {
                break;
            }
            let Some(answer) = threats::last_answer(&board) else { break };
            line.push(answer);
            board.make(answer);
        }
        line
    }

    /// The points where a further stone of the opponent may refute the win by fours that the side to move has: those of its line, of all fives
    /// threatened in it, and those with which an answer in it would make a four. The opponent's points for a four now are not among them. Only in
    /// rules where nothing else can change a four; otherwise, and if the line is not found again, `None`.
    pub fn zone(&mut self, board: &Board, budget: u64) -> Option<Spots> {
        if !matches!(board.rule(), Rule::Freestyle | Rule::Standard) {
            return None;
        }
        let attacker = board.side_to_move();
        let line = self.line(board, budget);
        let mut board = board.clone();
        let mut zone = Spots::default();
        for spot in line {
            zone.insert(spot);
            let side = board.side_to_move();
            board.make(spot);
            if side == attacker {
                zone.unite(&board.of_class(attacker, Class::Five));
            } else {
                threats::near_fours(&board, spot, &mut zone);
            }
        }
        (board.winner() == Some(attacker)).then_some(zone)
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.table.len() - 1)
    }

    fn stored_move(&self, board: &Board) -> Option<Spot> {
        let entry = self.table[self.slot(board.key())];
        let known = (entry ^ board.key()) & MARK == 0 && entry >> 1 & 0xFF != 0;
        known.then(|| Spot::from_index((entry >> 9 & 0x3FF) as usize))
    }

    fn store(&mut self, key: u64, mv: Option<Spot>, length: u8, complete: bool) {
        let slot = self.slot(key);
        let mv = mv.map_or(0, |mv| mv.index() as u64);
        self.table[slot] = key & MARK | mv << 9 | u64::from(length) << 1 | u64::from(complete);
    }

    /// Plies to the five; 0 if none was found.
    fn attack(&mut self, board: &mut Board, deep: u32, stop: &mut dyn FnMut() -> bool) -> u8 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STRIDE) && stop() {
            self.budget = self.nodes;
        }
        let side = board.side_to_move();
        let bounded = self.most.is_some();
        if bounded && deep == 0 {
            return 0;
        }
        if board.has(side, Class::Five) {
            return 1;
        }
        if bounded && deep == 1 {
            return 0;
        }
        let pressed = board.has(!side, Class::Five);
        if !pressed && threats::open_four(board, side).is_some() {
            return 3;
        }
        let key = board.key();
        let entry = self.table[self.slot(key)];
        if (entry ^ key) & MARK == 0 {
            let length = (entry >> 1 & 0xFF) as u8;
            if length > 0 || entry & COMPLETE != 0 {
                return length;
            }
        }
        if deep == 0 || self.nodes >= self.budget {
            self.exhausted = true;
            return 0;
        }
        let before = std::mem::replace(&mut self.exhausted, false);
        let mut length = 0;
        let mut best = None;
        'classes: for class in [Class::OpenFour, Class::FourThree, Class::FourPlus, Class::Four] {
            if !board.has(side, class) {
                continue;
            }
            let mut spots = board.of_class(side, class);
            if pressed {
                spots.intersect(&threats::against_five(board, side));
            }
            for spot in spots.iter() {
                if !board.may_play(spot, side) {
                    continue;
                }
                board.make(spot);
                let answer = self.defend(board, deep, stop);
                board.unmake(spot, ());
                if answer > 0 {
                    length = answer + 1;
                    best = Some(spot);
                    break 'classes;
                }
            }
        }
        self.store(key, best, length, !self.exhausted);
        self.exhausted = length == 0 && self.exhausted || before;
        length
    }

    /// Plies to the attacker's five after the best answer to a four; 0 if an answer refutes it.
    fn defend(&mut self, board: &mut Board, deep: u32, stop: &mut dyn FnMut() -> bool) -> u8 {
        let side = board.side_to_move();
        if board.has(side, Class::Five) || !board.has(!side, Class::Five) {
            return 0;
        }
        let mut longest = 2;
        for spot in threats::against_five(board, side).iter() {
            if !board.may_play(spot, side) {
                continue;
            }
            board.make(spot);
            let length = self.attack(board, deep - 1, stop);
            board.unmake(spot, ());
            if length == 0 {
                return 0;
            }
            longest = longest.max(length.saturating_add(1));
        }
        longest
    }
}
