//! The board: its kinds, its stones as bits, steps, captures, the end of the game and position text.
//!
//! Rows are counted from White's edge, columns from the left with White's row on top. The point (row, column) is bit
//! `row * size + column`.

use super::lines::{self, LineTable};
use crate::message;
use crate::message::Message;
use crate::rules::{FaultKind, Outcome, Point, Position, PositionFault, Reason, Refusal, Side, Skip, zobrist};
use std::fmt;

/// Stones or points as bits.
pub type Bits = u32;

/// The kind of the game: the board size, the start position, and the capture patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Five by five, five stones per side.
    Standard,
    /// Four by four, four stones per side.
    Four,
    /// Four by four, six stones per side in a U: the edge row and the two ends of the next row.
    FourSix,
    /// Four by four, four stones per side; two stones in a row against two capture both.
    FourBig,
}

impl Kind {
    /// All kinds, the default first.
    pub const ALL: [Kind; 4] = [Kind::Standard, Kind::Four, Kind::FourSix, Kind::FourBig];
    /// Their keys, in the same order.
    pub const KEYS: [&'static str; 4] = ["standard", "4x4", "4x4-six", "4x4-dachi"];

    /// The kind with this key.
    pub fn from_key(key: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// The name used on the command line.
    pub const fn key(self) -> &'static str {
        Kind::KEYS[self as usize]
    }

    /// The number of rows and of columns.
    pub const fn size(self) -> u8 {
        if matches!(self, Kind::Standard) { 5 } else { 4 }
    }

    /// The number of stones per side at the start: the most a side can have.
    pub const fn stones(self) -> u32 {
        match self {
            Kind::Standard => 5,
            Kind::Four | Kind::FourBig => 4,
            Kind::FourSix => 6,
        }
    }

    /// White's stones and Black's at the start.
    pub const fn start(self) -> [Bits; 2] {
        match self {
            Kind::Standard => [0x1F, 0x1F << 20],
            Kind::Four | Kind::FourBig => [0xF, 0xF << 12],
            Kind::FourSix => [0x9F, 0xF900],
        }
    }

    /// All points of the board.
    pub const fn board(self) -> Bits {
        if self.size() == 5 { 0x1FF_FFFF } else { 0xFFFF }
    }

    pub const fn line_table(self) -> &'static LineTable {
        match self {
            Kind::Standard => &lines::FIVE,
            Kind::Four | Kind::FourSix => &lines::FOUR,
            Kind::FourBig => &lines::FOUR_BIG,
        }
    }
}

/// The neighbours of each point of a board of `size`: right, down, left, up (down is away from White's edge); 0xFF is none.
const fn neighbours(size: usize) -> [[u8; 4]; 25] {
    let mut table = [[0xFF; 4]; 25];
    let mut at = 0;
    while at < size * size {
        let (row, column) = (at / size, at % size);
        if column + 1 < size {
            table[at][0] = at as u8 + 1;
        }
        if row + 1 < size {
            table[at][1] = (at + size) as u8;
        }
        if column > 0 {
            table[at][2] = at as u8 - 1;
        }
        if row > 0 {
            table[at][3] = (at - size) as u8;
        }
        at += 1;
    }
    table
}

static NEIGHBOURS_5: [[u8; 4]; 25] = neighbours(5);
static NEIGHBOURS_4: [[u8; 4]; 25] = neighbours(4);

const fn neighbour_table(kind: Kind) -> &'static [[u8; 4]; 25] {
    if kind.size() == 5 { &NEIGHBOURS_5 } else { &NEIGHBOURS_4 }
}

/// A move of a stone by one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Its point before the move, as a bit number.
    pub from: u8,
    /// Its point after the move, as a bit number.
    pub to: u8,
}

const KEYS: [u64; 55] = zobrist::table(0x2EA7);
const KEY_OF_TURN: usize = 50;
const KEY_OF_KIND: usize = 51;

/// A position: the stones of each side, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    kind: Kind,
    stones: [Bits; 2],
    turn: Side,
    key: u64,
}

impl Board {
    /// The start position of a kind.
    pub fn start(kind: Kind) -> Board {
        Board::new(kind, kind.start(), Side::First)
    }

    /// A position with White's and Black's stones, which must be on different points, and the side to move.
    pub fn new(kind: Kind, stones: [Bits; 2], turn: Side) -> Board {
        let mut board = Board { kind, stones, turn, key: 0 };
        board.key = board.key_from_scratch();
        board
    }

    /// The kind of the game.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A side's stones.
    pub fn stones(&self, side: Side) -> Bits {
        self.stones[side.index()]
    }

    /// The side whose stone is on a point.
    pub fn at(&self, bit: u8) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones(*side) >> bit & 1 != 0)
    }

    /// The bit number of a point of the board.
    pub fn bit(&self, point: Point) -> u8 {
        point.y * self.kind.size() + point.x
    }

    /// The point of a bit number.
    pub fn point(&self, bit: u8) -> Point {
        Point::new(bit % self.kind.size(), bit / self.kind.size())
    }

    /// All steps of a side, even if the game is over: by rows from the top, and for each stone right, down, left, up.
    pub fn steps(&self, side: Side, out: &mut Vec<Step>) {
        let taken = self.stones[0] | self.stones[1];
        let neighbours = neighbour_table(self.kind);
        let mut left = self.stones(side);
        while left != 0 {
            let from = left.trailing_zeros() as u8;
            left &= left - 1;
            for &to in &neighbours[usize::from(from)] {
                if to != 0xFF && taken >> to & 1 == 0 {
                    out.push(Step { from, to });
                }
            }
        }
    }

    /// The number of steps of a side.
    pub fn mobility(&self, side: Side) -> u32 {
        let free = self.kind.board() & !(self.stones[0] | self.stones[1]);
        let own = self.stones(side);
        let size = u32::from(self.kind.size());
        let (left_edge, right_edge) = if size == 5 { (0x10_8421, 0x108_4210) } else { (0x1111, 0x8888) };
        (own << size & free).count_ones()
            + (own >> size & free).count_ones()
            + ((own & !right_edge) << 1 & free).count_ones()
            + ((own & !left_edge) >> 1 & free).count_ones()
    }

    /// Why an illegal step is illegal, if the game is not over.
    pub fn refusal(&self, from: u8, to: u8) -> Refusal {
        let (a, b) = (self.point(from), self.point(to));
        match (self.at(from), self.at(to)) {
            (None, _) => Refusal::NoPiece,
            (Some(side), _) if side != self.turn => Refusal::NotYours,
            (_, Some(side)) if side == self.turn => Refusal::OwnPiece,
            (_, Some(_)) => Refusal::Occupied,
            _ if a.x.abs_diff(b.x) + a.y.abs_diff(b.y) != 1 => Refusal::WrongWay,
            _ => Refusal::GameOver,
        }
    }

    /// The stones that a legal step captures.
    pub fn taken_by(&self, step: Step) -> Bits {
        let own = self.stones(self.turn) ^ (1 << step.from | 1 << step.to);
        lines::taken(self.kind.size(), self.kind.line_table(), own, self.stones(!self.turn), step.to)
    }

    /// Reads the rows from White's edge, `o` White, `x` Black, `.` empty, a space and the side to move.
    ///
    /// # Errors
    /// The character (from 1) and what is wrong with it.
    pub fn parse(kind: Kind, text: &str) -> Result<Board, (usize, Message)> {
        let board = Board::read(kind, text)?;
        let fault = board.faults().into_iter().next().map(|fault| fault.kind);
        if let Some(FaultKind::TooMany { side, most, .. }) = fault {
            let (name, count) = (if side == Side::First { "o" } else { "x" }, board.stones(side).count_ones());
            return Err((1, message!("a side has at most {} stones, but {} has {}", most, name, count)));
        }
        Ok(board)
    }

    /// What is wrong with the stones.
    pub fn faults(&self) -> Vec<PositionFault> {
        let most = self.kind.stones() as usize;
        let sides = Side::BOTH.into_iter().filter(|side| self.stones(*side).count_ones() as usize > most);
        let points = |side: Side| (0..25).filter(move |bit| self.stones(side) >> bit & 1 != 0).map(|bit| self.point(bit));
        sides.map(|side| PositionFault { kind: FaultKind::TooMany { side, role: 0, most }, at: points(side).collect() }).collect()
    }

    /// Reads the same text without counting the stones.
    ///
    /// # Errors
    /// The character (from 1) and what is wrong with it.
    pub fn read(kind: Kind, text: &str) -> Result<Board, (usize, Message)> {
        let cells = usize::from(kind.size()).pow(2);
        let mut stones: [Bits; 2] = [0; 2];
        let mut characters = text.trim_end().chars();
        for index in 0..cells {
            match characters.next() {
                Some('o') => stones[0] |= 1 << index,
                Some('x') => stones[1] |= 1 << index,
                Some('.') => {}
                Some(other) => return Err((index + 1, message!("'{}' is not o, x or .", other))),
                None => return Err((index + 1, message!("a position has {} points, not {}", cells, index))),
            }
        }
        let turn = match (characters.next(), characters.next(), characters.next()) {
            (Some(' '), Some('o'), None) => Side::First,
            (Some(' '), Some('x'), None) => Side::Second,
            (Some(' '), side, _) => {
                let given: String = side.into_iter().chain(characters).collect();
                return Err((cells + 2, message!("'{}' is not a side to move: o or x", given)));
            }
            (Some(_), ..) => {
                return Err((cells + 1, message!("after {} points there must be a space and the side to move, o or x", cells)));
            }
            (None, ..) => return Err((cells + 1, message!("the side to move is missing"))),
        };
        Ok(Board::new(kind, stones, turn))
    }

    /// The position as text that [`parse`](Board::parse) can read.
    pub fn text(&self) -> String {
        let cells = self.kind.size().pow(2);
        let mut text: String = (0..cells)
            .map(|bit| match self.at(bit) {
                Some(Side::First) => 'o',
                Some(Side::Second) => 'x',
                None => '.',
            })
            .collect();
        text.push(' ');
        text.push(if self.turn == Side::First { 'o' } else { 'x' });
        text
    }
}

impl fmt::Display for Board {
    /// White's edge is on top, as usual in diagrams of this game; ○ White, ● Black.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.kind.size();
        let names: Vec<String> = (0..size).map(|column| column.to_string()).collect();
        write!(f, "  {}", names.join("   "))?;
        for row in 0..size {
            if row > 0 {
                write!(f, "\n  {}", vec!["│"; usize::from(size)].join("   "))?;
            }
            write!(f, "\n{row} ")?;
            for column in 0..size {
                let empty = match (row, column) {
                    (0, 0) => '┌',
                    (0, c) if c + 1 == size => '┐',
                    (0, _) => '┬',
                    (r, 0) if r + 1 == size => '└',
                    (r, c) if r + 1 == size && c + 1 == size => '┘',
                    (r, _) if r + 1 == size => '┴',
                    (_, 0) => '├',
                    (_, c) if c + 1 == size => '┤',
                    _ => '┼',
                };
                let mark = match self.at(row * size + column) {
                    Some(Side::First) => '○',
                    Some(Side::Second) => '●',
                    None => empty,
                };
                write!(f, "{mark}")?;
                if column + 1 < size {
                    write!(f, "───")?;
                }
            }
        }
        Ok(())
    }
}

impl Position for Board {
    type Move = Step;
    type Undo = Bits;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<Step>) {
        if !self.is_bare() {
            self.steps(self.turn, out);
        }
    }

    fn make(&mut self, mv: Step) -> Bits {
        let taken = self.taken_by(mv);
        let (own, other) = (self.turn.index(), 1 - self.turn.index());
        self.stones[own] ^= 1 << mv.from | 1 << mv.to;
        self.stones[other] ^= taken;
        self.key ^= self.difference(mv, taken);
        self.turn = !self.turn;
        taken
    }

    fn unmake(&mut self, mv: Step, taken: Bits) {
        self.turn = !self.turn;
        let (own, other) = (self.turn.index(), 1 - self.turn.index());
        self.stones[own] ^= 1 << mv.from | 1 << mv.to;
        self.stones[other] ^= taken;
        self.key ^= self.difference(mv, taken);
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = KEYS[KEY_OF_KIND + self.kind as usize];
        if self.turn == Side::Second {
            key ^= KEYS[KEY_OF_TURN];
        }
        for bit in 0..25 {
            if let Some(side) = self.at(bit) {
                key ^= KEYS[usize::from(bit) * 2 + side.index()];
            }
        }
        key
    }

    fn outcome(&self) -> Option<Outcome> {
        // Only the side to move can have lost: its stones may just have been captured.
        if self.is_bare() {
            return Some(Outcome::win(!self.turn, Reason::Bare));
        }
        (self.mobility(self.turn) == 0).then(|| Outcome::win(!self.turn, Reason::NoMove))
    }

    fn move_code(mv: Step) -> u16 {
        u16::from(mv.from) * 25 + u16::from(mv.to) + 1
    }
}

impl Skip for Board {
    fn skip(&mut self) {
        self.turn = !self.turn;
        self.key ^= KEYS[KEY_OF_TURN];
    }
}

impl Board {
    /// True if the side to move has fewer than two stones left.
    fn is_bare(&self) -> bool {
        self.stones(self.turn).count_ones() < 2
    }

    /// The change of the key by a step of `self.turn`.
    fn difference(&self, mv: Step, mut taken: Bits) -> u64 {
        let (own, other) = (self.turn.index(), 1 - self.turn.index());
        let mut difference = KEYS[KEY_OF_TURN] ^ KEYS[usize::from(mv.from) * 2 + own] ^ KEYS[usize::from(mv.to) * 2 + own];
        while taken != 0 {
            difference ^= KEYS[taken.trailing_zeros() as usize * 2 + other];
            taken &= taken - 1;
        }
        difference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_refused() {
        for kind in Kind::ALL {
            let text = Board::start(kind).text();
            assert_eq!(Board::parse(kind, &text).unwrap(), Board::start(kind));
        }
        // Text, the character of the error.
        let refused = [
            ("", 1),
            ("ooooo", 6),
            ("ooooo...............xxxxx", 26),
            ("ooooo...............xxxxx ", 26),
            ("ooooo...............xxxxxo", 26),
            ("ooooo...............xxxxx w", 27),
            ("ooooo...............xxxxx oo", 27),
            ("ooooo.....q.........xxxxx o", 11),
            ("oooooo..............xxxxx o", 1),
            ("ooooo....é..........xxxxx o", 10),
        ];
        for (text, at) in refused {
            assert_eq!(Board::parse(Kind::Standard, text).unwrap_err().0, at, "{text}");
        }
    }

    #[test]
    fn mobility_counts_the_steps() {
        for kind in Kind::ALL {
            let mut random = fastrand::Rng::with_seed(5);
            for _ in 0..2000 {
                let white = (0..kind.stones()).fold(0, |bits, _| bits | 1 << random.u8(0..kind.size().pow(2)));
                let black = (0..kind.stones()).fold(0, |bits, _| bits | 1 << random.u8(0..kind.size().pow(2))) & !white;
                let board = Board::new(kind, [white, black], Side::First);
                for side in Side::BOTH {
                    let mut steps = Vec::new();
                    board.steps(side, &mut steps);
                    assert_eq!(board.mobility(side), steps.len() as u32, "{board}");
                }
            }
        }
    }
}
