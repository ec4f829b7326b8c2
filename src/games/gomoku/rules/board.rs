//! The board: stones, and for each empty point what each side would make of it, kept up to date by make and unmake.
//!
//! Through every point run four lines. A line is kept as the window of five points to either side, one number a side that
//! grows and shrinks by the weight of a stone, so that a move touches only the windows it lies in. The window's number gives
//! the pattern, the four patterns of a point its class, and the points of each class stand in bit sets.

use super::lines::{self, FIRST_STRING, Pattern, REACH, STRINGS, WEIGHT, WINDOWS};
use super::renju::Sketch;
use super::rule::Rule;
use super::worth::{self, Class, MOVER, WAITER, Worth, Worths};
use crate::rules::{Forbidden, Outcome, Point, Position, Reason, Side, zobrist};
use std::fmt;
use std::sync::OnceLock;

/// Points a row takes in memory, whatever the board's size.
const STRIDE: usize = 20;
/// Points in memory.
pub const SPOTS: usize = STRIDE * STRIDE;
/// Words of a set of points.
const WORDS: usize = SPOTS.div_ceil(64);
/// Steps of the four directions: along a row, up a file, and the two diagonals.
pub const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// No stone.
const EMPTY: u8 = u8::MAX;

/// A point of the board; as a move, a stone put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot(u16);

impl Spot {
    /// The spot of a point on a board of at most 20 by 20.
    pub const fn new(x: u8, y: u8) -> Spot {
        Spot(y as u16 * STRIDE as u16 + x as u16)
    }

    /// The spot as a point of the board.
    pub fn point(self) -> Point {
        Point::new((usize::from(self.0) % STRIDE) as u8, (usize::from(self.0) / STRIDE) as u8)
    }

    /// A number below [`SPOTS`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The spot of that number.
    #[inline]
    pub fn from_index(index: usize) -> Spot {
        debug_assert!(index < SPOTS);
        Spot(index as u16)
    }

    /// True if the two lie on one line and both fit in one row of five.
    pub fn is_in_reach_of(self, other: Spot) -> bool {
        let (a, b) = (self.point(), other.point());
        let (across, up) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        (across == 0 || up == 0 || across == up) && across.max(up) < 5
    }

    /// The point named `a1`.. (in either case) on a board of this size.
    pub fn from_name(name: &str, size: u8) -> Option<Spot> {
        let mut chars = name.chars();
        let x = chars.next()?.to_ascii_lowercase() as u32;
        let x = u8::try_from(x.checked_sub('a' as u32)?).ok()?;
        let digits = chars.as_str();
        if digits.starts_with('0') || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let y: u8 = digits.parse::<u8>().ok()?.checked_sub(1)?;
        (x < size && y < size).then_some(Spot::new(x, y))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { x, y } = self.point();
        write!(f, "{}{}", char::from(b'a' + x), y + 1)
    }
}

/// A set of spots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spots([u64; WORDS]);

impl Spots {
    /// Adds a spot.
    #[inline]
    pub fn insert(&mut self, spot: Spot) {
        self.0[spot.index() / 64] |= 1 << (spot.index() % 64);
    }

    /// Takes a spot out.
    #[inline]
    pub fn remove(&mut self, spot: Spot) {
        self.0[spot.index() / 64] &= !(1 << (spot.index() % 64));
    }

    /// True if the spot is in the set.
    #[inline]
    pub fn contains(&self, spot: Spot) -> bool {
        self.0[spot.index() / 64] >> (spot.index() % 64) & 1 != 0
    }

    /// Adds all spots of another set.
    #[inline]
    pub fn unite(&mut self, other: &Spots) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// Keeps only the spots that are in the other set too.
    #[inline]
    pub fn intersect(&mut self, other: &Spots) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }

    /// Takes out all spots of another set.
    #[inline]
    pub fn subtract(&mut self, other: &Spots) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
    }

    /// True if no spot is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The number of spots.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The first spot.
    #[inline]
    pub fn first(&self) -> Option<Spot> {
        self.iter().next()
    }

    /// The spots in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Spot> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |index| {
            let mut word = words[index];
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                Some(Spot((index * 64 + bit) as u16))
            })
        })
    }

    /// The set moved along by `by` spots.
    fn shifted_up(&self, by: usize) -> Spots {
        let mut out = [0; WORDS];
        for (index, word) in out.iter_mut().enumerate() {
            *word = self.0[index] << by;
            if index > 0 {
                *word |= self.0[index - 1] >> (64 - by);
            }
        }
        Spots(out)
    }

    fn shifted_down(&self, by: usize) -> Spots {
        let mut out = [0; WORDS];
        for (index, word) in out.iter_mut().enumerate() {
            *word = self.0[index] >> by;
            if index + 1 < WORDS {
                *word |= self.0[index + 1] << (64 - by);
            }
        }
        Spots(out)
    }
}

/// What is known of a point besides its stone, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Cell {
    /// Windows of the four directions: the first side's view in the low half, the second's in the high.
    windows: [u64; 4],
    /// Patterns of the four directions for each side, four bits each.
    patterns: [u16; 2],
    /// What the patterns are worth to each side.
    worths: [Worth; 2],
}

/// What a board of one size looks like: how far the lines through each point reach.
struct Shape {
    on_board: Spots,
    /// Points behind and ahead in each direction, at most [`REACH`].
    reach: [[(u8, u8); 4]; SPOTS],
    /// Columns 0 and 1, and the last two, for neighbourhoods that must not wrap.
    left: [Spots; 2],
    right: [Spots; 2],
}

fn shape(size: u8) -> &'static Shape {
    static SHAPES: [OnceLock<Box<Shape>>; STRIDE + 1] = [const { OnceLock::new() }; STRIDE + 1];
    SHAPES[usize::from(size)].get_or_init(|| {
        let mut shape = Shape {
            on_board: Spots::default(),
            reach: [[(0, 0); 4]; SPOTS],
            left: Default::default(),
            right: Default::default(),
        };
        for y in 0..size {
            for x in 0..size {
                let spot = Spot::new(x, y);
                shape.on_board.insert(spot);
                let (east, west, north, south) = (size - 1 - x, x, size - 1 - y, y);
                let reach = |back: u8, ahead: u8| (back.min(REACH as u8), ahead.min(REACH as u8));
                shape.reach[spot.index()] = [
                    reach(west, east),
                    reach(south, north),
                    reach(west.min(south), east.min(north)),
                    reach(east.min(south), west.min(north)),
                ];
                for (near, column) in shape.left.iter_mut().enumerate() {
                    if usize::from(x) <= near {
                        column.insert(spot);
                    }
                }
                for (near, column) in shape.right.iter_mut().enumerate() {
                    if usize::from(size - 1 - x) <= near {
                        column.insert(spot);
                    }
                }
            }
        }
        Box::new(shape)
    })
}

const KEYS: [u64; 2 * SPOTS + 1] = zobrist::table(0x60);
const TURN_KEY: u64 = KEYS[2 * SPOTS];

/// A position.
#[derive(Clone)]
pub struct Board {
    rule: Rule,
    size: u8,
    turn: Side,
    key: u64,
    /// How the game was won, if it was.
    winner: Option<Side>,
    stones: [Spots; 2],
    empty: Spots,
    /// The index of the side whose stone stands on a spot, or [`EMPTY`].
    stone: [u8; SPOTS],
    /// How far a stone is seen along a line: four points, or five where the length of a row counts.
    sight: u8,
    /// The points of each class for each side.
    by_class: [[Spots; Class::COUNT]; 2],
    counts: [[u16; Class::COUNT]; 2],
    /// Sum of what the empty points are worth to each side, as mover and as waiter.
    standing: [[i32; 2]; 2],
    cells: [Cell; SPOTS],
    shape: &'static Shape,
    tables: [&'static [u8; WINDOWS]; 2],
    worths: [&'static Worths; 2],
}

impl Board {
    /// The empty board.
    ///
    /// # Panics
    /// If the size is not 5 to 20.
    pub fn new(rule: Rule, size: u8) -> Board {
        assert!((5..=STRIDE as u8).contains(&size), "a board has 5 to 20 lines");
        let shape = shape(size);
        let empty_cell = Cell { windows: [0; 4], patterns: [0; 2], worths: [worth::NOTHING; 2] };
        let mut board = Board {
            rule,
            size,
            turn: Side::First,
            key: zobrist::mix(rule as u64 * 64 + u64::from(size)),
            winner: None,
            stones: [Spots::default(); 2],
            empty: shape.on_board,
            stone: [EMPTY; SPOTS],
            sight: if rule == Rule::Freestyle { 4 } else { REACH as u8 },
            by_class: [[Spots::default(); Class::COUNT]; 2],
            counts: [[0; Class::COUNT]; 2],
            standing: [[0; 2]; 2],
            cells: [empty_cell; SPOTS],
            shape,
            tables: Side::BOTH.map(|side| lines::table(rule.line_rule(side))),
            worths: Side::BOTH.map(|side| worth::worths(rule.line_rule(side))),
        };
        for spot in shape.on_board.iter() {
            let mut windows = [0; 4];
            let mut patterns = [0; 2];
            for (direction, &(back, ahead)) in shape.reach[spot.index()].iter().enumerate() {
                let window = FIRST_STRING[usize::from(back)] * STRINGS as u32 + FIRST_STRING[usize::from(ahead)];
                windows[direction] = u64::from(window) << 32 | u64::from(window);
                for (patterns, table) in patterns.iter_mut().zip(board.tables) {
                    *patterns |= u16::from(table[window as usize]) << (4 * direction);
                }
            }
            board.cells[spot.index()].windows = windows;
            board.cells[spot.index()].patterns = patterns;
            for side in Side::BOTH {
                board.enter(spot, side);
            }
        }
        board
    }

    /// A board with these stones, whoever's they are, and the side to move.
    ///
    /// # Panics
    /// If two stones stand on one spot.
    pub fn with_stones(rule: Rule, size: u8, stones: &[(Spot, Side)], turn: Side) -> Board {
        let mut board = Board::new(rule, size);
        for &(spot, side) in stones {
            assert!(board.is_empty(spot), "two stones on {spot}");
            board.turn = side;
            // A five that is completed by a later stone of the list counts as won, too.
            let won = board.winner;
            board.make(spot);
            board.winner = won.or(board.winner);
        }
        if board.turn != turn {
            board.turn = turn;
        }
        board.key = board.key_from_scratch();
        board
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Lines a side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The side whose stone stands there.
    #[inline]
    pub fn at(&self, spot: Spot) -> Option<Side> {
        Side::BOTH.get(usize::from(self.stone[spot.index()])).copied()
    }

    /// True if no stone stands there (and the spot is on the board).
    #[inline]
    pub fn is_empty(&self, spot: Spot) -> bool {
        self.empty.contains(spot)
    }

    /// The empty points.
    pub fn empty(&self) -> &Spots {
        &self.empty
    }

    /// A side's stones.
    pub fn stones(&self, side: Side) -> &Spots {
        &self.stones[side.index()]
    }

    /// The stones on the board.
    pub fn stone_count(&self) -> usize {
        self.stones.iter().map(Spots::len).sum()
    }

    /// The points of a class for a side.
    #[inline]
    pub fn of_class(&self, side: Side, class: Class) -> &Spots {
        &self.by_class[side.index()][class as usize]
    }

    /// How many points are of a class for a side.
    #[inline]
    pub fn count(&self, side: Side, class: Class) -> usize {
        usize::from(self.counts[side.index()][class as usize])
    }

    /// The points of a class or a stronger one for a side.
    pub fn at_least(&self, side: Side, class: Class) -> Spots {
        let mut spots = Spots::default();
        for class in class as usize..Class::COUNT {
            if self.counts[side.index()][class] > 0 {
                spots.unite(&self.by_class[side.index()][class]);
            }
        }
        spots
    }

    /// A point's class for a side.
    #[inline]
    pub fn class(&self, spot: Spot, side: Side) -> Class {
        self.cells[spot.index()].worths[side.index()].class
    }

    /// What a point is worth to a side.
    #[inline]
    pub fn worth(&self, spot: Spot, side: Side) -> Worth {
        self.cells[spot.index()].worths[side.index()]
    }

    /// A point's pattern for a side in a direction (see [`STEPS`]).
    #[inline]
    pub fn pattern(&self, spot: Spot, side: Side, direction: usize) -> Pattern {
        Pattern::ALL[usize::from(self.cells[spot.index()].patterns[side.index()] >> (4 * direction) & 15)]
    }

    /// The sum of what the empty points are worth to a side, which is on the move or waits.
    #[inline]
    pub fn standing(&self, side: Side) -> i32 {
        self.standing[side.index()][if side == self.turn { MOVER } else { WAITER }]
    }

    /// A point's patterns for a side, packed four bits each.
    pub fn packed_patterns(&self, spot: Spot, side: Side) -> u16 {
        self.cells[spot.index()].patterns[side.index()]
    }

    /// How many points lie before and after a spot in a direction, at most five.
    #[inline]
    pub fn reach(&self, spot: Spot, direction: usize) -> (usize, usize) {
        let (back, ahead) = self.shape.reach[spot.index()][direction];
        (usize::from(back), usize::from(ahead))
    }

    /// The empty points at most two rows and two files from a stone.
    pub fn near_stones(&self) -> Spots {
        let mut all = self.stones[0];
        all.unite(&self.stones[1]);
        let mut wide = all;
        for near in 0..2 {
            let mut up = all;
            up.subtract(&self.shape.right[near]);
            let mut down = all;
            down.subtract(&self.shape.left[near]);
            wide.unite(&up.shifted_up(near + 1));
            wide.unite(&down.shifted_down(near + 1));
        }
        let mut tall = wide;
        for rows in 1..=2 {
            tall.unite(&wide.shifted_up(rows * STRIDE));
            tall.unite(&wide.shifted_down(rows * STRIDE));
        }
        tall.intersect(&self.empty);
        tall
    }

    #[inline]
    fn enter(&mut self, spot: Spot, side: Side) {
        let cell = &mut self.cells[spot.index()];
        let worth = self.worths[side.index()][usize::from(cell.patterns[side.index()])];
        cell.worths[side.index()] = worth;
        self.by_class[side.index()][worth.class as usize].insert(spot);
        self.counts[side.index()][worth.class as usize] += 1;
        for role in [MOVER, WAITER] {
            self.standing[side.index()][role] += i32::from(worth.standing[role]);
        }
    }

    #[inline]
    fn leave(&mut self, spot: Spot, side: Side) {
        let worth = self.cells[spot.index()].worths[side.index()];
        self.by_class[side.index()][worth.class as usize].remove(spot);
        self.counts[side.index()][worth.class as usize] -= 1;
        for role in [MOVER, WAITER] {
            self.standing[side.index()][role] -= i32::from(worth.standing[role]);
        }
    }

    /// A window of `spot` has changed by `delta`: finds the new patterns and classes of the sides that can see the change.
    #[inline(always)]
    fn shift_window(&mut self, spot: usize, direction: usize, delta: u64, blind: usize) {
        let cell = &mut self.cells[spot];
        let window = cell.windows[direction].wrapping_add(delta);
        cell.windows[direction] = window;
        let shift = 4 * direction as u32;
        for s in 0..2 {
            if blind >> s & 1 != 0 {
                continue;
            }
            let view = (window >> (32 * s)) as u32 as usize;
            let new = u16::from(self.tables[s][view]);
            let old = self.cells[spot].patterns[s];
            if old >> shift & 15 == new {
                continue;
            }
            let patterns = old & !(15 << shift) | new << shift;
            let after = self.worths[s][usize::from(patterns)];
            let before = std::mem::replace(&mut self.cells[spot].worths[s], after);
            self.cells[spot].patterns[s] = patterns;
            for role in [MOVER, WAITER] {
                self.standing[s][role] += i32::from(after.standing[role]) - i32::from(before.standing[role]);
            }
            if before.class != after.class {
                let spot = Spot(spot as u16);
                self.by_class[s][before.class as usize].remove(spot);
                self.by_class[s][after.class as usize].insert(spot);
                self.counts[s][before.class as usize] -= 1;
                self.counts[s][after.class as usize] += 1;
            }
        }
    }

    /// Adds (`sign` 1) or takes away (`u64::MAX`) a stone of `side` in the windows of the empty points around. What lies
    /// behind a stone is out of sight for the other side, so beyond a stone of each side nothing changes; stones come and
    /// go in order, so it has not changed either when the stone is taken away.
    #[inline]
    fn shift_windows(&mut self, spot: Spot, side: Side, sign: u64) {
        // A stone is digit 1 to its own side and digit 2 to the other.
        let digits: u64 = if side == Side::First { 2 << 32 | 1 } else { 1 << 32 | 2 };
        let digits = digits.wrapping_mul(sign);
        let reach = self.shape.reach[spot.index()];
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (back, ahead) = reach[direction];
            let mut blind = 0;
            let mut other = spot.index();
            for weight in &WEIGHT[..usize::from(ahead.min(self.sight))] {
                other += step;
                match self.stone[other] {
                    EMPTY => self.shift_window(other, direction, digits.wrapping_mul(STRINGS as u64 * u64::from(*weight)), blind),
                    // A stone blinds the side it does not belong to.
                    stone => blind |= 3 ^ 1 << stone,
                }
                if blind == 3 {
                    break;
                }
            }
            let mut blind = 0;
            let mut other = spot.index();
            for weight in &WEIGHT[..usize::from(back.min(self.sight))] {
                other -= step;
                match self.stone[other] {
                    EMPTY => self.shift_window(other, direction, digits.wrapping_mul(u64::from(*weight)), blind),
                    stone => blind |= 3 ^ 1 << stone,
                }
                if blind == 3 {
                    break;
                }
            }
        }
    }

    /// Why the first side may not play an empty point, in renju; `None` if it may.
    ///
    /// Five comes first, then an overline, two fours, and two threes, of which each counts only if its straight four could
    /// be made by a legal move (Renju International Federation, rules of renju, 9).
    pub fn forbidden(&self, spot: Spot) -> Option<Forbidden> {
        if self.rule != Rule::Renju || !self.is_empty(spot) {
            return None;
        }
        let worth = self.worth(spot, Side::First);
        match worth.class {
            Class::Five => None,
            Class::Forbidden => {
                let overline = (0..4).any(|d| self.pattern(spot, Side::First, d) == Pattern::Overline);
                Some(if overline { Forbidden::Overline } else { Forbidden::DoubleFour })
            }
            _ if worth.open_threes < 2 => None,
            _ => Sketch::of(self).forbidden(spot),
        }
    }

    /// The points the side to move may not play though they are empty.
    pub fn forbidden_points(&self) -> Vec<Spot> {
        if self.rule != Rule::Renju || self.turn == Side::Second || self.winner.is_some() {
            return Vec::new();
        }
        self.empty.iter().filter(|&spot| self.forbidden(spot).is_some()).collect()
    }

    /// True if the side may play the empty point.
    #[inline]
    pub fn may_play(&self, spot: Spot, side: Side) -> bool {
        self.rule != Rule::Renju || side == Side::Second || self.forbidden(spot).is_none()
    }

    /// The winner, if the game is won.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The stones of the winning row.
    pub fn winning_row(&self) -> Vec<Spot> {
        let Some(winner) = self.winner else { return Vec::new() };
        for start in self.stones[winner.index()].iter() {
            for (direction, step) in STEPS.into_iter().enumerate() {
                let row = self.row_from(start, direction, winner);
                let begins = self.reach(start, direction).0 == 0 || self.at(Spot((start.index() - step) as u16)) != Some(winner);
                if begins && row.len() >= 5 && self.row_wins(&row, direction, winner) {
                    return row;
                }
            }
        }
        Vec::new()
    }

    fn row_from(&self, start: Spot, direction: usize, side: Side) -> Vec<Spot> {
        let mut row = vec![start];
        let mut spot = start;
        while self.reach(spot, direction).1 > 0 {
            spot = Spot((spot.index() + STEPS[direction]) as u16);
            if self.at(spot) != Some(side) {
                break;
            }
            row.push(spot);
        }
        row
    }

    fn row_wins(&self, row: &[Spot], direction: usize, side: Side) -> bool {
        let exact = match self.rule {
            Rule::Freestyle | Rule::CaroLong => false,
            Rule::Standard | Rule::Caro => true,
            Rule::Renju => side == Side::First,
        };
        let step = STEPS[direction];
        let (first, last) = (row[0], row[row.len() - 1]);
        let enemy_before = self.reach(first, direction).0 > 0 && self.at(Spot((first.index() - step) as u16)) == Some(!side);
        let enemy_after = self.reach(last, direction).1 > 0 && self.at(Spot((last.index() + step) as u16)) == Some(!side);
        let shut = matches!(self.rule, Rule::Caro | Rule::CaroLong) && enemy_before && enemy_after;
        (row.len() == 5 || row.len() > 5 && !exact) && !shut
    }

    /// The winner as the stones alone show it, the sides asked in order.
    pub fn winners_from_scratch(&self) -> Vec<Side> {
        let wins = |side: Side| {
            self.stones[side.index()].iter().any(|start| {
                (0..4).any(|direction| {
                    let step = STEPS[direction];
                    let begins =
                        self.reach(start, direction).0 == 0 || self.at(Spot((start.index() - step) as u16)) != Some(side);
                    let row = self.row_from(start, direction, side);
                    begins && self.row_wins(&row, direction, side)
                })
            })
        };
        Side::BOTH.into_iter().filter(|&side| wins(side)).collect()
    }

    /// Gives the move to the other side: what if it were its turn?
    #[inline]
    pub fn pass(&mut self) {
        self.turn = !self.turn;
        self.key ^= TURN_KEY;
    }

    /// The key after a stone of the side to move on this spot.
    #[inline]
    pub fn key_after(&self, spot: Spot) -> u64 {
        self.key ^ KEYS[2 * spot.index() + self.turn.index()] ^ TURN_KEY
    }

    /// Says that the game was won by a row that stood when the board was set up.
    pub(super) fn declare_winner(&mut self, side: Side) {
        self.winner = Some(side);
    }

    /// Forgets a win that was met only on the way to a position set up stone by stone.
    pub(super) fn clear_winner(&mut self) {
        self.winner = None;
    }

    /// Any point the side to move may play.
    fn has_legal_move(&self) -> bool {
        if self.rule != Rule::Renju || self.turn == Side::Second {
            return !self.empty.is_empty();
        }
        self.empty.iter().any(|spot| self.forbidden(spot).is_none())
    }
}

impl Position for Board {
    type Move = Spot;
    type Undo = ();

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<Spot>) {
        if self.winner.is_none() {
            out.extend(self.empty.iter().filter(|&spot| self.may_play(spot, self.turn)));
        }
    }

    #[inline]
    fn make(&mut self, spot: Spot) {
        let side = self.turn;
        if self.class(spot, side) == Class::Five {
            self.winner = Some(side);
        }
        for either in Side::BOTH {
            self.leave(spot, either);
        }
        self.empty.remove(spot);
        self.stones[side.index()].insert(spot);
        self.stone[spot.index()] = side.index() as u8;
        self.shift_windows(spot, side, 1);
        self.key ^= KEYS[2 * spot.index() + side.index()] ^ TURN_KEY;
        self.turn = !side;
    }

    #[inline]
    fn unmake(&mut self, spot: Spot, (): ()) {
        self.turn = !self.turn;
        let side = self.turn;
        self.winner = None;
        self.key ^= KEYS[2 * spot.index() + side.index()] ^ TURN_KEY;
        self.shift_windows(spot, side, u64::MAX);
        self.stones[side.index()].remove(spot);
        self.stone[spot.index()] = EMPTY;
        self.empty.insert(spot);
        for either in Side::BOTH {
            self.enter(spot, either);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = zobrist::mix(self.rule as u64 * 64 + u64::from(self.size));
        if self.turn == Side::Second {
            key ^= TURN_KEY;
        }
        for side in Side::BOTH {
            for spot in self.stones[side.index()].iter() {
                key ^= KEYS[2 * spot.index() + side.index()];
            }
        }
        key
    }

    /// A five wins; a full board is a draw. Where every empty point is forbidden to renju's black it could only pass, as the
    /// rules of renju allow, and the game is called a draw as if both had passed.
    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = self.winner {
            return Some(Outcome::win(winner, Reason::Five));
        }
        if self.empty.is_empty() {
            return Some(Outcome::draw(Reason::FullBoard));
        }
        (!self.has_legal_move()).then(|| Outcome::draw(Reason::NoMove))
    }

    #[inline]
    fn move_code(spot: Spot) -> u16 {
        spot.0 + 1
    }

    fn is_legal(&self, spot: Spot) -> bool {
        self.winner.is_none() && self.is_empty(spot) && self.may_play(spot, self.turn)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", super::notation::text(self))
    }
}
