//! Wins by continuous threats (VCT): fours and open threes, found by proof-number search.
//!
//! Depth-first [proof-number search](super::proof_numbers). Each node first searches for a win by fours alone.
//! The attacker plays fours and open threes; the defender tries every point that may stop them, and its own fours. So a proof is valid
//! against every defence, but if no proof is found there may still be a win. If there is none, the attacker also plays every move that
//! threatens a win by fours.

use super::proof_numbers::{Children, INFINITE, Numbers};
use super::threats;
use super::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::{Position, Side};

/// The node budgets of a search for a win by fours: of the attacker at a new node; of the defender at a new node, if a proof is sought (its fours
/// are among its moves too, so this only saves nodes) and if a refutation is sought too; and of the attacker where answers to a threat are sought.
const ATTACK_FOURS: u64 = 150;
const DEFENCE_FOURS: u64 = 30;
const REFUTATION_FOURS: u64 = 300;
const THREAT_FOURS: u64 = 300;
/// The nodes, of both searches, between two looks at `stop`.
const STRIDE: u64 = 512;
/// The limits of the whole search.
const LIMITS: Numbers = Numbers { proof: INFINITE - 1, disproof: INFINITE - 1 };
/// The number of table entries that may hold a position.
const PROBES: usize = 4;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    proof: u32,
    disproof: u32,
    work: u32,
    /// Plies to the five, if proven.
    length: u32,
}

/// A proven win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The winning line against the longest defence that was found.
    pub line: Vec<Spot>,
    /// Plies to the five against that defence.
    pub plies: usize,
}

/// The searcher.
pub struct Vct {
    table: Vec<Entry>,
    attacker: Side,
    nodes: u64,
    budget: u64,
    stopped: bool,
    /// Whether moves that only threaten a win by fours also count as attacks.
    wide: bool,
    /// The node budget of the defender's search for fours.
    defence_fours: u64,
    /// The node count of both searches at which `stop` is asked next.
    next_look: u64,
}

impl Vct {
    /// A searcher with a table of 2^`bits` entries.
    pub fn new(bits: u32) -> Self {
        Vct {
            table: vec![Entry::default(); 1 << bits],
            attacker: Side::First,
            nodes: 0,
            budget: 0,
            stopped: false,
            wide: false,
            defence_fours: DEFENCE_FOURS,
            next_look: 0,
        }
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A proof that the side to move wins by fours and threes, if one is found within `budget` nodes (including the search for fours)
    /// and before `stop` returns true.
    pub fn proves(&mut self, board: &mut Board, vcf: &mut Vcf, budget: u64, stop: &mut dyn FnMut() -> bool) -> Option<Proof> {
        self.defence_fours = DEFENCE_FOURS;
        let root = self.root(board, board.side_to_move(), vcf, budget, stop);
        // The line is completed without a limit.
        (self.budget, self.next_look) = (u64::MAX, u64::MAX);
        (root.proof == 0).then(|| Proof { line: self.line(board, vcf), plies: root.length as usize })
    }

    /// Whether `attacker` wins by fours and threes, whichever side is to move: plies to the five, `Some(0)` if it does not win with such
    /// moves, `None` if this is not known within `budget` nodes.
    pub fn decides(&mut self, board: &mut Board, attacker: Side, vcf: &mut Vcf, budget: u64) -> Option<usize> {
        self.defence_fours = REFUTATION_FOURS;
        let root = self.root(board, attacker, vcf, budget, &mut || false);
        match (root.proof, root.disproof) {
            (0, _) => Some(root.length as usize),
            (_, 0) => Some(0),
            _ => None,
        }
    }

    fn root(&mut self, board: &mut Board, attacker: Side, vcf: &mut Vcf, budget: u64, stop: &mut dyn FnMut() -> bool) -> Entry {
        if self.attacker != attacker || self.wide {
            self.table.fill(Entry::default());
            self.attacker = attacker;
        }
        self.nodes = 0;
        self.budget = vcf.nodes() + budget;
        self.next_look = 0;
        self.stopped = false;
        self.wide = false;
        let mut root = self.search(board, vcf, LIMITS, stop);
        if root.disproof == 0 {
            self.table.fill(Entry::default());
            self.wide = true;
            root = self.search(board, vcf, LIMITS, stop);
        }
        root
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.fill(Entry::default());
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        let mask = self.table.len() - 1;
        (0..PROBES).map(|i| self.table[(key as usize).wrapping_add(i) & mask]).find(|entry| entry.key == key)
    }

    fn store(&mut self, entry: Entry) {
        let mask = self.table.len() - 1;
        let slots = (0..PROBES).map(|i| (entry.key as usize).wrapping_add(i) & mask);
        let slot = slots
            .min_by_key(|&slot| if self.table[slot].key == entry.key { 0 } else { u64::from(self.table[slot].work) + 1 })
            .unwrap_or(0);
        self.table[slot] = entry;
    }

    /// True once the search must end.
    fn halted(&mut self, vcf: &Vcf, stop: &mut dyn FnMut() -> bool) -> bool {
        let done = self.nodes + vcf.nodes();
        if !self.stopped && done >= self.budget {
            self.stopped = true;
        } else if !self.stopped && done >= self.next_look {
            self.next_look = done + STRIDE;
            self.stopped = stop();
        }
        self.stopped
    }

    /// The points to try, or the result (as an error value) if the branch ends here. `fresh` enables the expensive tests. If the search must end,
    /// the result means nothing.
    fn expand(&mut self, board: &mut Board, vcf: &mut Vcf, fresh: bool, stop: &mut dyn FnMut() -> bool) -> Result<Spots, Entry> {
        let key = board.key();
        let proven = |length: usize| Entry { key, proof: 0, disproof: INFINITE, work: 1, length: length as u32 };
        let refuted = Entry { key, proof: INFINITE, disproof: 0, work: 1, length: 0 };
        let side = board.side_to_move();
        let attacking = side == self.attacker;
        if board.has(side, Class::Five) {
            return Err(if attacking { proven(1) } else { refuted });
        }
        if board.has(!side, Class::Five) {
            let mut stops = threats::against_five(board, side);
            threats::keep_legal(board, &mut stops);
            return if !stops.is_empty() {
                Ok(stops)
            } else if attacking {
                Err(refuted)
            } else {
                Err(proven(2))
            };
        }
        if threats::open_four(board, side).is_some() {
            return Err(if attacking { proven(3) } else { refuted });
        }
        let fours = if attacking { ATTACK_FOURS } else { self.defence_fours };
        if fresh && let Some(length) = vcf.wins(board, fours) {
            return Err(if attacking { proven(length) } else { refuted });
        }
        let pressed = threats::open_four(board, !side).is_some();
        let mut spots = if attacking {
            let mut spots = board.at_least(side, if self.wide { Class::Three } else { Class::OpenThree });
            if pressed {
                spots.intersect(&threats::against_open_four(board, side));
            }
            spots
        } else if pressed {
            threats::against_open_four(board, side)
        } else if self.wide && (fresh || self.probe(key).is_some_and(|e| e.disproof > 0)) {
            self.against_fours(board, vcf, stop).ok_or(refuted)?
        } else {
            return Err(refuted);
        };
        threats::keep_legal(board, &mut spots);
        if spots.is_empty() {
            return Err(if attacking { refuted } else { proven(4) });
        }
        Ok(spots)
    }

    /// The points after which the attacker no longer wins by fours; `None` if it would not win anyway.
    fn against_fours(&mut self, board: &mut Board, vcf: &mut Vcf, stop: &mut dyn FnMut() -> bool) -> Option<Spots> {
        let side = board.side_to_move();
        board.pass();
        let threat = vcf.wins(board, THREAT_FOURS);
        let zone = threat.and_then(|_| vcf.zone(board, THREAT_FOURS));
        board.pass();
        threat?;
        let mut tries = zone.unwrap_or(*board.empty());
        tries.unite(&threats::fours(board, side));
        let mut defences = Spots::default();
        for spot in tries.iter() {
            let idle = Side::BOTH.into_iter().all(|side| board.is_useless(spot, side));
            if idle || !board.may_play(spot, side) {
                continue;
            }
            if self.halted(vcf, stop) {
                return None;
            }
            board.make(spot);
            if vcf.wins(board, THREAT_FOURS).is_none() {
                defences.insert(spot);
            }
            board.unmake(spot, ());
        }
        Some(defences)
    }

    /// Enters the answers to the threat of an open four after which there is still one. Otherwise each of them would count as a way to refute
    /// the threat until it is visited.
    fn enter_useless(&mut self, board: &mut Board, answers: &Spots) {
        let side = board.side_to_move();
        for spot in answers.iter() {
            board.make(spot);
            if !board.has(side, Class::Five) && threats::open_four(board, !side).is_some() {
                self.store(Entry { key: board.key(), proof: 0, disproof: INFINITE, work: 1, length: 3 });
            }
            board.unmake(spot, ());
        }
    }

    /// Searches until one of the numbers reaches its limit.
    fn search(&mut self, board: &mut Board, vcf: &mut Vcf, limits: Numbers, stop: &mut dyn FnMut() -> bool) -> Entry {
        self.nodes += 1;
        let key = board.key();
        let known = self.probe(key);
        let expanded = self.expand(board, vcf, known.is_none(), stop);
        if self.stopped {
            return known.unwrap_or(Entry { key, proof: 1, disproof: 1, work: 1, length: 0 });
        }
        let spots = match expanded {
            Ok(spots) => spots,
            Err(end) => {
                self.store(end);
                return end;
            }
        };
        let side = board.side_to_move();
        let attacking = side == self.attacker;
        let before = self.nodes;
        if known.is_none() && !attacking && threats::open_four(board, !side).is_some() && !board.has(!side, Class::Five) {
            self.enter_useless(board, &spots);
        }
        // The child by its key. A new child gets estimated proof numbers: a forced move takes no choice, and strong moves of either side seem closer to
        // the end.
        let children: Vec<(Spot, u64, (u32, u32))> = spots
            .iter()
            .map(|spot| {
                let own = board.class(spot, side);
                let guess = match (attacking, own) {
                    _ if spots.len() == 1 => (1, 1),
                    (true, Class::FourThree | Class::DoubleThree) => (1, 2),
                    (true, Class::FourPlus | Class::OpenThreePlus) => (2, 2),
                    (true, Class::Three) => (12, 1),
                    (true, Class::DoubleTwo | Class::ThreePlus) => (8, 1),
                    (true, _) => (3, 1),
                    (false, own) if own >= Class::Four => (2, 1),
                    (false, _) => (1, 1),
                };
                (spot, board.key_after(spot), guess)
            })
            .collect();
        loop {
            let mut all = Children::new(attacking);
            let (mut longest, mut shortest) = (0, u32::MAX);
            for &(spot, child_key, guess) in &children {
                let child = self.probe(child_key);
                let (proof, disproof) = child.map_or(guess, |c| (c.proof, c.disproof));
                if proof == 0 {
                    let length = child.map_or(1, |c| c.length) + 1;
                    longest = longest.max(length);
                    shortest = shortest.min(length);
                }
                all.add(spot, Numbers { proof, disproof });
            }
            let Numbers { proof, disproof } = all.numbers();
            let length = match (proof, attacking) {
                (0, true) => shortest,
                (0, false) => longest,
                _ => 0,
            };
            let next = all.next(limits);
            let Some((spot, within)) = next.filter(|_| !self.halted(vcf, stop)) else {
                let work = (self.nodes - before + 1).min(u64::from(u32::MAX)) as u32;
                let entry = Entry { key, proof, disproof, work, length };
                self.store(entry);
                return entry;
            };
            board.make(spot);
            self.search(board, vcf, within, stop);
            board.unmake(spot, ());
        }
    }

    /// The line of a proof: the attacker's shortest known win against the longest defence.
    fn line(&mut self, board: &Board, vcf: &mut Vcf) -> Vec<Spot> {
        let mut board = board.clone();
        let mut line: Vec<Spot> = Vec::new();
        while board.winner().is_none() {
            let side = board.side_to_move();
            if side == self.attacker
                && let Some(_) = vcf.wins(&mut board, THREAT_FOURS)
            {
                line.extend(vcf.line(&board, THREAT_FOURS));
                break;
            }
            let next = match self.expand(&mut board, vcf, false, &mut || false) {
                Ok(spots) => {
                    let proven = spots.iter().filter_map(|spot| {
                        let child = self.probe(board.key_after(spot))?;
                        (child.proof == 0).then_some((child.length, spot))
                    });
                    if side == self.attacker { proven.min() } else { proven.max() }.map(|(_, spot)| spot)
                }
                Err(_) => threats::last_answer(&board),
            };
            let Some(spot) = next else { break };
            line.push(spot);
            board.make(spot);
        }
        line
    }
}
