//! Wins by fours and threes, found by depth-first proof-number search, each with its zone.
//!
//! A three is a move after which the attacker would win by fours if the defender passed. The defender's moves are those that may touch these
//! fours. A move that is refuted by other fours refutes all moves that do not touch those.
//!
//! The zone of a win is the set of points where one more stone of the defender can matter:
//! - the points of the attacker's moves, of the fives that it threatens, and of the defender's replies;
//! - the empty points of every row of five points with two stones of the defender and none of the attacker. With one more stone, and one more
//!   that the proof leaves out, such a row could become a four, which has to be answered.
//!
//! A stone elsewhere leaves the whole win valid.

use super::rows::Rows;
use super::similar::number_of;
use qiju_core::games::gomoku::engine::proof_numbers::{Children, INFINITE, Numbers};
use qiju_core::games::gomoku::engine::threats;
use qiju_core::games::gomoku::engine::vcf::Vcf;
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::classes::Class;
use qiju_core::games::gomoku::rules::spot::{Spot, Spots};
use qiju_core::rules::key_table::KeyTable;
use qiju_core::rules::{Position, Side};

/// The node budget of a search for fours.
const FOURS: u64 = 300;
/// The table is cleared before a search if it has more positions.
const MOST: usize = 400_000;

/// A win of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Win {
    /// Its first move.
    pub first: Spot,
    /// The points where one more stone of the defender can matter.
    pub zone: Spots,
}

/// A move of a position: the key after it, and the proof numbers assumed before it is searched.
#[derive(Clone, Copy)]
struct Choice {
    spot: Spot,
    key: u64,
    guess: Numbers,
}

impl Choice {
    fn new(board: &Board, spot: Spot, (proof, disproof): (u32, u32)) -> Choice {
        Choice { spot, key: board.key_after(spot), guess: Numbers { proof, disproof } }
    }
}

struct Node {
    numbers: Numbers,
    choices: Vec<Choice>,
    /// What is known of the zone; all of it if the win is proven.
    zone: Spots,
    /// The attacker's winning move.
    first: Option<Spot>,
}

impl Node {
    fn won(first: Option<Spot>, zone: Spots) -> Node {
        Node { numbers: Numbers { proof: 0, disproof: INFINITE }, choices: Vec::new(), zone, first }
    }

    fn refuted() -> Node {
        Node { numbers: Numbers { proof: INFINITE, disproof: 0 }, choices: Vec::new(), zone: Spots::default(), first: None }
    }
}

/// A win by fours: its first move, and its points together with the empty points of the defender's rows of two, and of three.
struct Line {
    first: Spot,
    zones: [Spots; 2],
}

/// The searcher for wins of one side.
pub struct Threats {
    attacker: Side,
    /// The attacker's stones with its five, at most.
    most: usize,
    rows: Rows,
    fours: Vcf,
    nodes: KeyTable<Node>,
    /// The last winning move by the attacker's stones.
    hints: KeyTable<Spot>,
    visits: u64,
    until: u64,
}

fn one(spot: Spot) -> Spots {
    let mut spots = Spots::default();
    spots.insert(spot);
    spots
}

impl Threats {
    /// A searcher for wins of this side on boards of this size.
    pub fn new(attacker: Side, size: u8) -> Threats {
        Threats {
            attacker,
            most: usize::MAX,
            rows: Rows::new(size),
            fours: Vcf::new(18),
            nodes: KeyTable::default(),
            hints: KeyTable::default(),
            visits: 0,
            until: 0,
        }
    }

    /// Only wins in which the attacker has so many stones at most, those on the board included. To be called before the first search.
    pub fn within(self, most: usize) -> Threats {
        Threats { most, fours: self.fours.within(most), ..self }
    }

    /// Positions visited since the beginning, those of the searches for fours included.
    pub fn visited(&self) -> u64 {
        self.visits + self.fours.nodes()
    }

    /// A win of the attacker, who is to move, if one is found with this number of nodes. A search of the same position goes on where the last ended.
    pub fn find(&mut self, board: &mut Board, budget: u64) -> Option<Win> {
        if self.nodes.len() > MOST {
            self.nodes.clear();
        }
        if self.hints.len() > MOST {
            self.hints.clear();
        }
        self.until = self.visited() + budget;
        if self.search(board, Numbers::UNLIMITED).proof > 0 {
            return None;
        }
        let node = self.nodes.get(&board.key())?;
        let mut zone = node.zone;
        zone.unite(&self.rows.near(board, !self.attacker)[0]);
        Some(Win { first: node.first?, zone })
    }

    /// Whether the last search of this position went through everything that it can try and found no win. More nodes find none either.
    pub fn is_refuted(&self, board: &Board) -> bool {
        self.nodes.get(&board.key()).is_some_and(|node| node.numbers.disproof == 0)
    }

    /// The attacker's own moves that are left.
    pub fn left(&self, board: &Board) -> u16 {
        u16::try_from(self.most.saturating_sub(board.stones(self.attacker).len())).unwrap_or(u16::MAX)
    }

    /// A win by fours of the attacker, who is to move.
    fn line(&mut self, board: &mut Board) -> Option<Line> {
        self.fours.wins(board, FOURS)?;
        let line = self.fours.line(board, FOURS);
        let mut zones = self.rows.near(board, !self.attacker);
        let mut won = false;
        let mut made = 0;
        for &spot in &line {
            zones.iter_mut().for_each(|zone| zone.insert(spot));
            let attacking = board.side_to_move() == self.attacker;
            board.make(spot);
            made += 1;
            if attacking {
                let fives = board.of_class(self.attacker, Class::Five);
                zones.iter_mut().for_each(|zone| zone.unite(&fives));
                won = board.winner().is_some() || fives.len() > 1;
                if won {
                    break;
                }
            } else {
                let near = self.rows.near(board, !self.attacker);
                zones.iter_mut().zip(near).for_each(|(zone, near)| zone.unite(&near));
            }
        }
        line[..made].iter().rev().for_each(|&spot| board.unmake(spot, ()));
        won.then_some(Line { first: *line.first()?, zones })
    }

    fn attacker_node(&mut self, board: &mut Board) -> Node {
        let side = self.attacker;
        if self.left(board) == 0 {
            return Node::refuted();
        }
        if let Some(five) = board.of_class(side, Class::Five).first() {
            return Node::won(Some(five), one(five));
        }
        let blocks = board.of_class(!side, Class::Five);
        if blocks.len() > 1 {
            return Node::refuted();
        }
        if let Some(line) = self.line(board) {
            return Node::won(Some(line.first), line.zones[0]);
        }
        let spots = if !blocks.is_empty() {
            blocks
        } else {
            let mut spots = board.at_least(side, Class::Three);
            if threats::open_four(board, !side).is_some() {
                spots.intersect(&threats::against_open_four(board, side));
            }
            spots
        };
        if spots.is_empty() {
            return Node::refuted();
        }
        // Strong moves of either side seem closer to the end.
        let guess = |class| match class {
            Class::FourThree | Class::DoubleThree => (1, 2),
            Class::FourPlus | Class::OpenThreePlus => (2, 2),
            class if class >= Class::OpenThree => (3, 1),
            _ => (4, 1),
        };
        // What won with the same stones of the attacker is likely to win again.
        let hint = self.hints.get(&number_of(board, side)).copied();
        let guess = |spot| if hint == Some(spot) { (1, 1) } else { guess(board.class(spot, side)) };
        let choices = spots.iter().map(|spot| Choice::new(board, spot, guess(spot)));
        let zone = self.rows.near(board, !side)[0];
        Node { numbers: Numbers::UNKNOWN, choices: choices.collect(), zone, first: None }
    }

    fn defender_node(&mut self, board: &mut Board) -> Node {
        let (attacker, side) = (self.attacker, !self.attacker);
        if board.has(side, Class::Five) {
            return Node::refuted();
        }
        if self.left(board) == 0 {
            return Node::refuted();
        }
        let fives = board.of_class(attacker, Class::Five);
        match fives.len() {
            0 => {}
            1 => {
                let choices = fives.iter().map(|spot| Choice::new(board, spot, (1, 1)));
                return Node { numbers: Numbers::UNKNOWN, choices: choices.collect(), zone: fives, first: None };
            }
            _ => return Node::won(None, fives),
        }
        board.pass();
        let line = self.line(board);
        board.pass();
        let Some(Line { zones: [mut zone, mut left], .. }) = line else { return Node::refuted() };
        left.intersect(board.empty());
        for reply in left.iter() {
            if !left.contains(reply) {
                continue;
            }
            board.make(reply);
            let line = self.line(board);
            board.unmake(reply, ());
            if let Some(line) = line {
                zone.unite(&line.zones[0]);
                left.remove(reply);
                left.intersect(&line.zones[1]);
            }
        }
        if left.is_empty() {
            return Node::won(None, zone);
        }
        let guess = |class| if class >= Class::Four { (2, 1) } else { (1, 1) };
        let choices = left.iter().map(|spot| Choice::new(board, spot, guess(board.class(spot, side))));
        Node { numbers: Numbers::UNKNOWN, choices: choices.collect(), zone, first: None }
    }

    /// Searches until one of the numbers reaches its limit; returns the numbers.
    fn search(&mut self, board: &mut Board, limits: Numbers) -> Numbers {
        self.visits += 1;
        let key = board.key();
        let attacking = board.side_to_move() == self.attacker;
        if !self.nodes.contains_key(&key) {
            let node = if attacking { self.attacker_node(board) } else { self.defender_node(board) };
            self.nodes.insert(key, node);
        }
        let Some(node) = self.nodes.get_mut(&key) else { return Numbers::UNKNOWN };
        if node.numbers.is_decided() {
            return node.numbers;
        }
        let choices = std::mem::take(&mut node.choices);
        let numbers = self.search_choices(board, &choices, attacking, limits);
        let mut zone = Spots::default();
        let mut first = None;
        if numbers.proof == 0 {
            for choice in &choices {
                let Some(child) = self.nodes.get(&choice.key).filter(|child| child.numbers.proof == 0) else { continue };
                zone.unite(&child.zone);
                zone.insert(choice.spot);
                if attacking {
                    first = Some(choice.spot);
                    break;
                }
            }
        }
        if let Some(first) = first {
            self.hints.insert(number_of(board, self.attacker), first);
        }
        if let Some(node) = self.nodes.get_mut(&key) {
            (node.numbers, node.first) = (numbers, first);
            node.zone.unite(&zone);
            if !numbers.is_decided() {
                node.choices = choices;
            }
        }
        numbers
    }

    fn search_choices(&mut self, board: &mut Board, choices: &[Choice], attacking: bool, limits: Numbers) -> Numbers {
        loop {
            let mut all = Children::new(attacking);
            for choice in choices {
                all.add(choice.spot, self.nodes.get(&choice.key).map_or(choice.guess, |child| child.numbers));
            }
            let Some((spot, within)) = all.next(limits).filter(|_| self.visited() < self.until) else { return all.numbers() };
            board.make(spot);
            self.search(board, within);
            board.unmake(spot, ());
        }
    }
}
