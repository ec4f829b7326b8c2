//! Five in a row by definition. Renju's forbidden points follow the international rules (RIF, "The international rules of renju", section 9): a move that makes
//! exactly five is always allowed; else an overline, two fours, or two threes are forbidden to Black, where a three counts only if the move that
//! makes its straight four is not forbidden itself.

use super::{End, Move, Rules};
use qiju_core::rules::Side;

type Place = (i32, i32);
type Direction = (i32, i32);

const DIRECTIONS: [Direction; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Freestyle,
    Standard,
    Renju,
    Caro,
    CaroLong,
}

pub struct Gomoku {
    rule: Rule,
    size: i32,
    cells: Vec<Option<Side>>,
    turn: Side,
    last: Option<(i32, i32)>,
    moves: usize,
}

/// The point `n` steps from another one in a direction.
fn step((x, y): Place, (dx, dy): Direction, n: i32) -> Place {
    (x + dx * n, y + dy * n)
}

impl Gomoku {
    /// The rules of a variant; `None` if it has an opening rule.
    pub fn new(variant: &str) -> Option<Self> {
        let (name, size) = variant.split_once(':').unwrap_or((variant, "15"));
        let rule = match name {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            "renju" => Rule::Renju,
            "caro" => Rule::Caro,
            "caro-long" => Rule::CaroLong,
            _ => return None,
        };
        let size: i32 = size.parse().ok()?;
        Some(Gomoku { rule, size, cells: vec![None; (size * size) as usize], turn: Side::First, last: None, moves: 0 })
    }

    fn on_board(&self, (x, y): Place) -> bool {
        (0..self.size).contains(&x) && (0..self.size).contains(&y)
    }

    fn at(&self, (x, y): Place) -> Option<Side> {
        if self.on_board((x, y)) { self.cells[(y * self.size + x) as usize] } else { None }
    }

    fn set(&mut self, (x, y): Place, stone: Option<Side>) {
        self.cells[(y * self.size + x) as usize] = stone;
    }

    fn is_empty(&self, place: Place) -> bool {
        self.on_board(place) && self.at(place).is_none()
    }

    /// The unbroken row of one colour through a stone in a direction: its first stone and its length.
    fn row(&self, place: Place, (dx, dy): Direction) -> (Place, i32) {
        let colour = self.at(place);
        let same = |n: &i32| {
            let other = (place.0 + dx * n, place.1 + dy * n);
            self.on_board(other) && self.at(other) == colour
        };
        let before = (1..).take_while(|n| same(&-n)).count() as i32;
        let after = (1..).take_while(same).count() as i32;
        ((place.0 - dx * before, place.1 - dy * before), before + 1 + after)
    }

    /// True if the stone on a point is in a winning row of its colour.
    fn wins(&self, place: Place, colour: Side) -> bool {
        DIRECTIONS.iter().any(|&direction| {
            let (first, length) = self.row(place, direction);
            let enemy = |other: Place| self.on_board(other) && self.at(other) == Some(!colour);
            let shut = enemy(step(first, direction, -1)) && enemy(step(first, direction, length));
            match self.rule {
                Rule::Freestyle => length >= 5,
                Rule::Standard => length == 5,
                Rule::Renju if colour == Side::First => length == 5,
                Rule::Renju => length >= 5,
                Rule::Caro => length == 5 && !shut,
                Rule::CaroLong => length >= 5 && !shut,
            }
        })
    }

    /// True if a black stone on this point makes exactly five in a direction.
    fn is_five(&self, place: Place, direction: Direction) -> bool {
        self.row(place, direction).1 == 5
    }

    /// The fours through a black stone in a direction: sets of four stones that one more stone makes exactly five.
    fn fours(&mut self, place: Place, direction: Direction) -> usize {
        let mut fours: Vec<Vec<Place>> = Vec::new();
        for n in -4..=4 {
            let empty = step(place, direction, n);
            if !self.is_empty(empty) {
                continue;
            }
            self.set(empty, Some(Side::First));
            let (first, length) = self.row(empty, direction);
            if length == 5 {
                let five: Vec<Place> = (0..5).map(|n| step(first, direction, n)).collect();
                let four: Vec<Place> = five.iter().copied().filter(|stone| *stone != empty).collect();
                if five.contains(&place) && !fours.contains(&four) {
                    fours.push(four);
                }
            }
            self.set(empty, None);
        }
        fours.len()
    }

    /// True if two black stones, this one and another, are in one straight four in a direction: four in an unbroken row that a stone at
    /// either end makes exactly five.
    fn straight_four(&mut self, place: Place, other: Place, direction: Direction) -> bool {
        let (first, length) = self.row(place, direction);
        if length != 4 || !(0..4).any(|n| step(first, direction, n) == other) {
            return false;
        }
        [step(first, direction, -1), step(first, direction, 4)].into_iter().all(|end| {
            if !self.is_empty(end) {
                return false;
            }
            self.set(end, Some(Side::First));
            let five = self.is_five(end, direction);
            self.set(end, None);
            five
        })
    }

    /// True if the black stone on a point is in a three in this direction: one more move, not forbidden and not a five, makes a
    /// straight four with it.
    fn is_three(&mut self, place: Place, direction: Direction) -> bool {
        for n in -3..=3 {
            let empty = step(place, direction, n);
            if !self.is_empty(empty) {
                continue;
            }
            self.set(empty, Some(Side::First));
            let straight = self.straight_four(empty, place, direction);
            let five = straight && DIRECTIONS.iter().any(|direction| self.is_five(empty, *direction));
            self.set(empty, None);
            if straight && !five && !self.forbidden(empty) {
                return true;
            }
        }
        false
    }

    /// True if an empty point is forbidden to Black.
    fn forbidden(&mut self, place: Place) -> bool {
        if !self.may_be_foul(place) {
            return false;
        }
        self.set(place, Some(Side::First));
        let forbidden = self.is_foul(place);
        self.set(place, None);
        forbidden
    }

    /// False where a point is free at a glance: an overline needs five more black stones in one direction, two fours in one direction four
    /// or more, and fours and threes in two directions two or more in each; all but the last of an overline at most four points away.
    fn may_be_foul(&self, place: Place) -> bool {
        let black = |direction: Direction| {
            let near = (-4..=4).filter(|n| *n != 0).map(|n| step(place, direction, n));
            near.filter(|other| self.at(*other) == Some(Side::First)).count()
        };
        let counts = DIRECTIONS.map(black);
        counts.iter().any(|count| *count >= 4) || counts.iter().filter(|count| **count >= 2).count() >= 2
    }

    fn is_foul(&mut self, place: Place) -> bool {
        if DIRECTIONS.iter().any(|direction| self.is_five(place, *direction)) {
            return false;
        }
        if DIRECTIONS.iter().any(|direction| self.row(place, *direction).1 > 5) {
            return true;
        }
        let fours = DIRECTIONS.map(|direction| self.fours(place, direction));
        if fours.iter().sum::<usize>() >= 2 {
            return true;
        }
        // A direction with a four does not count as a three too.
        let threes = (0..4).filter(|&number| fours[number] == 0 && self.is_three(place, DIRECTIONS[number])).count();
        threes >= 2
    }

    fn place([x, y, ..]: Move) -> Place {
        (i32::from(x), i32::from(y))
    }
}

impl Rules for Gomoku {
    fn moves(&self) -> Vec<Move> {
        let mut board = Gomoku { cells: self.cells.clone(), ..*self };
        let places = (0..self.size).flat_map(|x| (0..self.size).map(move |y| (x, y)));
        let forbids = self.rule == Rule::Renju && self.turn == Side::First;
        places
            .filter(|place| self.is_empty(*place))
            .filter(|place| !forbids || !board.forbidden(*place))
            .map(|(x, y)| [x as u8, y as u8, x as u8, y as u8])
            .collect()
    }

    fn play(&mut self, mv: Move) {
        let place = Self::place(mv);
        self.set(place, Some(self.turn));
        self.last = Some(place);
        self.turn = !self.turn;
        self.moves += 1;
    }

    fn end(&self, _: &[Move]) -> Option<End> {
        let last = self.last?;
        if self.wins(last, !self.turn) {
            return Some(End::Won(!self.turn));
        }
        (self.moves == self.cells.len()).then_some(End::Drawn)
    }

    fn knows_draws(&self) -> bool {
        // If Black has only forbidden points, the table decides the outcome.
        false
    }

    fn text(&self, mv: Move) -> String {
        let (x, y) = Self::place(mv);
        format!("{}{}", char::from(b'a' + x as u8), y + 1)
    }

    /// Points beside stones, so that rows occur.
    fn prefers(&self, mv: Move) -> bool {
        let (x, y) = Self::place(mv);
        let mut near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        self.moves == 0 || near.any(|place| self.on_board(place) && self.at(place).is_some())
    }
}
