//! Five in a row by definition. Renju's forbidden points follow the international rules (RIF, "The international rules of renju", section 9): a move that makes
//! exactly five is always allowed; else an overline, two fours, or two threes are forbidden to Black, where a three counts only if the move that
//! makes its straight four is not forbidden itself.

use super::{End, Rules};
use qiju::rules::Side;
use std::collections::BTreeSet;

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

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

type Place = (i32, i32);

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

    /// The unbroken row of one colour through a stone in a direction, in order.
    fn row(&self, place: Place, (dx, dy): (i32, i32)) -> Vec<Place> {
        let colour = self.at(place);
        let step = |(x, y): Place, n: i32| (x + dx * n, y + dy * n);
        let same = |other: &Place| self.on_board(*other) && self.at(*other) == colour;
        let mut row: Vec<Place> = (1..).map(|n| step(place, -n)).take_while(same).collect();
        row.reverse();
        row.push(place);
        row.extend((1..).map(|n| step(place, n)).take_while(same));
        row
    }

    /// True if the stone on a point is in a winning row of its colour.
    fn wins(&self, place: Place, colour: Side) -> bool {
        DIRECTIONS.iter().any(|&(dx, dy)| {
            let row = self.row(place, (dx, dy));
            let (first, last) = (row[0], row[row.len() - 1]);
            let enemy = |other: Place| self.on_board(other) && self.at(other) == Some(!colour);
            let shut = enemy((first.0 - dx, first.1 - dy)) && enemy((last.0 + dx, last.1 + dy));
            match self.rule {
                Rule::Freestyle => row.len() >= 5,
                Rule::Standard => row.len() == 5,
                Rule::Renju if colour == Side::First => row.len() == 5,
                Rule::Renju => row.len() >= 5,
                Rule::Caro => row.len() == 5 && !shut,
                Rule::CaroLong => row.len() >= 5 && !shut,
            }
        })
    }

    /// Black's fives through a stone in a direction.
    fn is_five(&self, place: Place, direction: (i32, i32)) -> bool {
        self.row(place, direction).len() == 5
    }

    /// The fours through a black stone in a direction: sets of four stones that one more stone makes exactly five.
    fn fours(&mut self, place: Place, (dx, dy): (i32, i32)) -> BTreeSet<Vec<Place>> {
        let mut fours = BTreeSet::new();
        for n in -4..=4 {
            let empty = (place.0 + dx * n, place.1 + dy * n);
            if !self.is_empty(empty) {
                continue;
            }
            self.set(empty, Some(Side::First));
            let row = self.row(empty, (dx, dy));
            if row.len() == 5 && row.contains(&place) {
                fours.insert(row.into_iter().filter(|stone| *stone != empty).collect());
            }
            self.set(empty, None);
        }
        fours
    }

    /// True if a black stone is in a straight four in this direction: four in an unbroken row that a stone at either end makes exactly five.
    fn straight_four(&mut self, place: Place, (dx, dy): (i32, i32)) -> Option<Vec<Place>> {
        let row = self.row(place, (dx, dy));
        if row.len() != 4 {
            return None;
        }
        let ends = [(row[0].0 - dx, row[0].1 - dy), (row[3].0 + dx, row[3].1 + dy)];
        for end in ends {
            if !self.is_empty(end) {
                return None;
            }
            self.set(end, Some(Side::First));
            let five = self.is_five(end, (dx, dy));
            self.set(end, None);
            if !five {
                return None;
            }
        }
        Some(row)
    }

    /// True if the black stone on a point is in a three in this direction: one more move, not forbidden and not a five, makes a
    /// straight four with it.
    fn is_three(&mut self, place: Place, (dx, dy): (i32, i32)) -> bool {
        for n in -3..=3 {
            let empty = (place.0 + dx * n, place.1 + dy * n);
            if !self.is_empty(empty) {
                continue;
            }
            self.set(empty, Some(Side::First));
            let five = DIRECTIONS.iter().any(|direction| self.is_five(empty, *direction));
            let straight = !five && self.straight_four(empty, (dx, dy)).is_some_and(|row| row.contains(&place));
            self.set(empty, None);
            if straight && !self.forbidden(empty) {
                return true;
            }
        }
        false
    }

    /// True if an empty point is forbidden to Black.
    fn forbidden(&mut self, place: Place) -> bool {
        self.set(place, Some(Side::First));
        let forbidden = self.is_foul(place);
        self.set(place, None);
        forbidden
    }

    fn is_foul(&mut self, place: Place) -> bool {
        if DIRECTIONS.iter().any(|direction| self.is_five(place, *direction)) {
            return false;
        }
        if DIRECTIONS.iter().any(|direction| self.row(place, *direction).len() > 5) {
            return true;
        }
        let fours: Vec<usize> = DIRECTIONS.iter().map(|direction| self.fours(place, *direction).len()).collect();
        if fours.iter().sum::<usize>() >= 2 {
            return true;
        }
        // A direction with a four does not count as a three too.
        let threes = (0..4).filter(|&number| fours[number] == 0 && self.is_three(place, DIRECTIONS[number])).count();
        threes >= 2
    }

    fn name(place: Place) -> String {
        format!("{}{}", char::from(b'a' + place.0 as u8), place.1 + 1)
    }

    fn place(text: &str) -> Place {
        let column = i32::from(text.as_bytes()[0] - b'a');
        (column, text[1..].parse::<i32>().expect("a number") - 1)
    }
}

impl Rules for Gomoku {
    fn moves(&self) -> BTreeSet<String> {
        let mut board = Gomoku { cells: self.cells.clone(), ..*self };
        let places = (0..self.size).flat_map(|x| (0..self.size).map(move |y| (x, y)));
        let forbids = self.rule == Rule::Renju && self.turn == Side::First;
        places
            .filter(|place| self.is_empty(*place))
            .filter(|place| !forbids || !board.forbidden(*place))
            .map(Self::name)
            .collect()
    }

    fn play(&mut self, text: &str) {
        let place = Self::place(text);
        self.set(place, Some(self.turn));
        self.last = Some(place);
        self.turn = !self.turn;
        self.moves += 1;
    }

    fn end(&self) -> Option<End> {
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

    /// Points beside stones, so that rows occur.
    fn prefers(&self, text: &str) -> bool {
        let (x, y) = Self::place(text);
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        self.moves == 0 || near.into_iter().any(|place| self.on_board(place) && self.at(place).is_some())
    }
}
