//! The board of three by three: its cells, moves, lines and text.

use crate::message;
use crate::message::Message;
use crate::rules::{FaultKind, Outcome, Point, Position, PositionFault, Reason, Side, Skip, zobrist};
use std::fmt;

/// A cell, from `a1` on the first side's left to `c3`; as a move, a mark placed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The nine cells, `a1`, `b1`, ..
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..9).map(Cell)
    }

    /// The cell as a point of the board.
    pub fn point(self) -> Point {
        Point::new(self.0 % 3, self.0 / 3)
    }

    /// The cell with this name (`a1` to `c3`, upper or lower case).
    pub fn from_name(name: &str) -> Option<Cell> {
        let [file, rank] = name.as_bytes() else { return None };
        let (x, y) = (file.to_ascii_lowercase().checked_sub(b'a')?, rank.checked_sub(b'1')?);
        (x < 3 && y < 3).then(|| Cell(y * 3 + x))
    }

    /// The cell at a point of the board.
    pub fn at(point: Point) -> Option<Cell> {
        (point.x < 3 && point.y < 3).then(|| Cell(point.y * 3 + point.x))
    }

    fn bit(self) -> u16 {
        1 << self.0
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { x, y } = self.point();
        write!(f, "{}{}", char::from(b'a' + x), y + 1)
    }
}

/// The eight lines, as cells.
pub const LINES: [[Cell; 3]; 8] = [
    [Cell(0), Cell(1), Cell(2)],
    [Cell(3), Cell(4), Cell(5)],
    [Cell(6), Cell(7), Cell(8)],
    [Cell(0), Cell(3), Cell(6)],
    [Cell(1), Cell(4), Cell(7)],
    [Cell(2), Cell(5), Cell(8)],
    [Cell(0), Cell(4), Cell(8)],
    [Cell(2), Cell(4), Cell(6)],
];

const KEYS: [u64; 19] = zobrist::table(3);

/// A position: the marks of each side, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    marks: [u16; 2],
    turn: Side,
    key: u64,
}

impl Default for Grid {
    fn default() -> Self {
        Grid { marks: [0; 2], turn: Side::First, key: 0 }
    }
}

impl Grid {
    /// The side whose mark is in the cell.
    pub fn at(&self, cell: Cell) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.marks[side.index()] & cell.bit() != 0)
    }

    /// The complete line of one side, if there is one.
    pub fn line(&self) -> Option<[Cell; 3]> {
        LINES.into_iter().find(|line| {
            let mask = line.iter().fold(0, |mask, cell| mask | cell.bit());
            self.marks.iter().any(|marks| marks & mask == mask)
        })
    }

    fn is_full(&self) -> bool {
        self.marks[0] | self.marks[1] == 0x1FF
    }

    /// Reads nine characters, top rank first, `x` for the first side, `o` for the second, `.` empty, then the side to move.
    ///
    /// # Errors
    /// The character (from 1) and what is wrong with it.
    pub fn parse(text: &str) -> Result<Grid, (usize, Message)> {
        let grid = Grid::read(text)?;
        match grid.fault().map(|fault| fault.kind) {
            None => Ok(grid),
            Some(FaultKind::Uneven { first, second }) => {
                Err((1, message!("{} x and {} o are not possible with alternating moves", first, second)))
            }
            Some(_) => Err((1, message!("the marks are not those of a game"))),
        }
    }

    /// A grid with these marks and this side to move.
    pub fn of_marks(marks: impl Iterator<Item = (Cell, Side)>, turn: Side) -> Grid {
        let mut grid = Grid { turn, ..Grid::default() };
        marks.for_each(|(cell, side)| grid.marks[side.index()] |= cell.bit());
        grid.key = grid.key_from_scratch();
        grid
    }

    /// What is wrong with the marks.
    pub fn fault(&self) -> Option<PositionFault> {
        let [first, second] = self.marks.map(|marks| marks.count_ones() as usize);
        (first.abs_diff(second) > 1).then(|| PositionFault { kind: FaultKind::Uneven { first, second }, at: Vec::new() })
    }

    /// Reads the same text without asking whether moves can lead to it.
    ///
    /// # Errors
    /// The character (from 1) and what is wrong with it.
    pub fn read(text: &str) -> Result<Grid, (usize, Message)> {
        let mut grid = Grid::default();
        let (cells, side) = text.split_once(' ').ok_or((text.chars().count() + 1, message!("the side to move is missing")))?;
        let count = cells.chars().count();
        if count != 9 {
            return Err((count.min(9) + 1, message!("a position has 9 cells, not {}", count)));
        }
        for (index, mark) in cells.chars().enumerate() {
            let cell = Cell(((2 - index / 3) * 3 + index % 3) as u8);
            match mark {
                'x' => grid.marks[0] |= cell.bit(),
                'o' => grid.marks[1] |= cell.bit(),
                '.' => {}
                other => return Err((index + 1, message!("'{}' is not x, o or .", other))),
            }
        }
        grid.turn = match side {
            "x" => Side::First,
            "o" => Side::Second,
            other => return Err((11, message!("'{}' is not a side: x or o", other))),
        };
        grid.key = grid.key_from_scratch();
        Ok(grid)
    }

    /// The position as text that [`parse`](Grid::parse) can read.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(11);
        for y in (0..3).rev() {
            for x in 0..3 {
                text.push(match self.at(Cell(y * 3 + x)) {
                    Some(Side::First) => 'x',
                    Some(Side::Second) => 'o',
                    None => '.',
                });
            }
        }
        text.push(' ');
        text.push(if self.turn == Side::First { 'x' } else { 'o' });
        text
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..3).rev() {
            let mark = |x: u8| match self.at(Cell(y * 3 + x)) {
                Some(Side::First) => 'x',
                Some(Side::Second) => 'o',
                None => ' ',
            };
            writeln!(f, "{} {} │ {} │ {}", y + 1, mark(0), mark(1), mark(2))?;
            if y > 0 {
                writeln!(f, "  ──┼───┼──")?;
            }
        }
        write!(f, "  a   b   c")
    }
}

impl Position for Grid {
    type Move = Cell;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<Cell>) {
        if self.line().is_none() {
            out.extend(Cell::all().filter(|cell| (self.marks[0] | self.marks[1]) & cell.bit() == 0));
        }
    }

    fn make(&mut self, mv: Cell) {
        self.marks[self.turn.index()] |= mv.bit();
        self.key ^= KEYS[usize::from(mv.0) * 2 + self.turn.index()] ^ KEYS[18];
        self.turn = !self.turn;
    }

    fn unmake(&mut self, mv: Cell, (): ()) {
        self.turn = !self.turn;
        self.marks[self.turn.index()] &= !mv.bit();
        self.key ^= KEYS[usize::from(mv.0) * 2 + self.turn.index()] ^ KEYS[18];
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.turn == Side::First { 0 } else { KEYS[18] };
        for cell in Cell::all() {
            if let Some(side) = self.at(cell) {
                key ^= KEYS[usize::from(cell.0) * 2 + side.index()];
            }
        }
        key
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.line() {
            Some(line) => Some(Outcome::win(self.at(line[0])?, Reason::Three)),
            None => self.is_full().then(|| Outcome::draw(Reason::FullBoard)),
        }
    }

    fn move_code(mv: Cell) -> u16 {
        u16::from(mv.0) + 1
    }
}

impl Skip for Grid {
    fn skip(&mut self) {
        self.turn = !self.turn;
        self.key ^= KEYS[18];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_refused() {
        let text = "x.o.x.... o";
        assert_eq!(Grid::parse(text).unwrap().text(), text);
        assert_eq!(Grid::parse("x.o.x... o").unwrap_err().0, 9);
        assert_eq!(Grid::parse("x.o.q.... o").unwrap_err().0, 5);
        assert!(Grid::parse("xxx...... o").is_err());
        assert!(Grid::parse("").is_err());
    }

    #[test]
    fn the_whole_tree() {
        // Published counts: 255 168 games end at plies 5 to 9; perft follows the same tree.
        let leaves: Vec<u64> = (1..=9).map(|depth| Grid::default().perft(depth)).collect();
        assert_eq!(leaves, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    }
}
