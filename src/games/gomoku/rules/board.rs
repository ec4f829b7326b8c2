//! The board: the stones, and for each empty point the shapes that each side would make there, updated by make and unmake.
//!
//! Four lines run through every point. Each line is stored as a window of five points in both directions: one number per side, to which the
//! weight of each stone is added, so a move changes only the windows that contain it. The number of a window gives
//! its pattern, the four patterns of a point give its class, and the points of each class are in bit sets. An engine can keep its own sums over
//! the patterns: a [`Follower`] is called for every change.

use super::classes::{self, Class, Outlook, Outlooks};
use super::lines::{self, FIRST_STRING, Pattern, REACH, STRINGS, WEIGHT, WINDOWS};
use super::renju::TrialStones;
use super::rule::Rule;
use super::spot::{SPOTS, STEPS, STRIDE, Spot, Spots};
use crate::rules::{Forbidden, Outcome, Position, Reason, Side, Skip, zobrist};
use std::fmt;
use std::sync::OnceLock;

/// No stone.
const EMPTY: u8 = u8::MAX;

/// The data of a point besides its stone, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Cell {
    /// Windows of the four directions: from the view of the first side in the low half, of the second side in the high half.
    windows: [u64; 4],
    /// Patterns of the four directions for each side, four bits each.
    patterns: [u16; 2],
    /// The class of the point for each side, from its patterns.
    outlooks: [Outlook; 2],
}

/// Keeps sums over the empty points. It is called for every change of a move, with the codes of the points
/// (see [`Outlook::code`]).
pub trait Follower {
    /// Called when the code of an empty point changes for a side.
    fn changed(&mut self, side: usize, before: u16, after: u16);
    /// Called when a point with this code for a side gets a stone.
    fn filled(&mut self, side: usize, code: u16);
}

/// Keeps nothing.
impl Follower for () {
    #[inline(always)]
    fn changed(&mut self, _: usize, _: u16, _: u16) {}
    #[inline(always)]
    fn filled(&mut self, _: usize, _: u16) {}
}

/// The geometry of a board size: how far the lines through each point reach.
struct Geometry {
    on_board: Spots,
    /// Points behind and ahead in each direction, at most [`REACH`].
    reach: [[(u8, u8); 4]; SPOTS],
    /// The first two and the last two columns, so that neighbourhoods do not wrap around.
    left: [Spots; 2],
    right: [Spots; 2],
}

fn geometry(size: u8) -> &'static Geometry {
    static GEOMETRIES: [OnceLock<Box<Geometry>>; STRIDE + 1] = [const { OnceLock::new() }; STRIDE + 1];
    GEOMETRIES[usize::from(size)].get_or_init(|| {
        let mut geometry = Geometry {
            on_board: Spots::default(),
            reach: [[(0, 0); 4]; SPOTS],
            left: Default::default(),
            right: Default::default(),
        };
        for y in 0..size {
            for x in 0..size {
                let spot = Spot::new(x, y);
                geometry.on_board.insert(spot);
                let (east, west, north, south) = (size - 1 - x, x, size - 1 - y, y);
                let reach = |back: u8, ahead: u8| (back.min(REACH as u8), ahead.min(REACH as u8));
                geometry.reach[spot.index()] = [
                    reach(west, east),
                    reach(south, north),
                    reach(west.min(south), east.min(north)),
                    reach(east.min(south), west.min(north)),
                ];
                for (near, column) in geometry.left.iter_mut().enumerate() {
                    if usize::from(x) <= near {
                        column.insert(spot);
                    }
                }
                for (near, column) in geometry.right.iter_mut().enumerate() {
                    if usize::from(size - 1 - x) <= near {
                        column.insert(spot);
                    }
                }
            }
        }
        Box::new(geometry)
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
    /// The winner, if the game is won.
    winner: Option<Side>,
    stones: [Spots; 2],
    empty: Spots,
    /// The index of the side whose stone is on a spot, or [`EMPTY`].
    stone: [u8; SPOTS],
    /// How far a stone has an effect along a line: four points, or five if the exact length of a row matters.
    sight: u8,
    /// The points of each class for each side.
    by_class: [[Spots; Class::COUNT]; 2],
    counts: [[u16; Class::COUNT]; 2],
    cells: [Cell; SPOTS],
    geometry: &'static Geometry,
    tables: [&'static [u8; WINDOWS]; 2],
    outlooks: [&'static Outlooks; 2],
}

impl Board {
    /// The empty board.
    ///
    /// # Panics
    /// If the size is not 5 to 20.
    pub fn new(rule: Rule, size: u8) -> Board {
        assert!((5..=STRIDE as u8).contains(&size), "a board has 5 to 20 lines");
        let geometry = geometry(size);
        let empty_cell = Cell { windows: [0; 4], patterns: [0; 2], outlooks: [classes::NOTHING; 2] };
        let mut board = Board {
            rule,
            size,
            turn: Side::First,
            key: zobrist::mix(rule as u64 * 64 + u64::from(size)),
            winner: None,
            stones: [Spots::default(); 2],
            empty: geometry.on_board,
            stone: [EMPTY; SPOTS],
            sight: if rule == Rule::Freestyle { 4 } else { REACH as u8 },
            by_class: [[Spots::default(); Class::COUNT]; 2],
            counts: [[0; Class::COUNT]; 2],
            cells: [empty_cell; SPOTS],
            geometry,
            tables: Side::BOTH.map(|side| lines::table(rule.line_rule(side))),
            outlooks: Side::BOTH.map(|side| classes::outlooks(rule.line_rule(side))),
        };
        for spot in geometry.on_board.iter() {
            let mut windows = [0; 4];
            let mut patterns = [0; 2];
            for (direction, &(back, ahead)) in geometry.reach[spot.index()].iter().enumerate() {
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

    /// A board with these stones and this side to move.
    ///
    /// # Panics
    /// If two stones are on the same spot.
    pub fn with_stones(rule: Rule, size: u8, stones: &[(Spot, Side)], turn: Side) -> Board {
        let mut board = Board::new(rule, size);
        for &(spot, side) in stones {
            assert!(board.is_empty(spot), "two stones on {spot}");
            board.turn = side;
            // A five that a later stone of the list completes counts as a win too.
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

    /// The number of lines in each direction.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The side whose stone is on the spot.
    #[inline]
    pub fn at(&self, spot: Spot) -> Option<Side> {
        Side::BOTH.get(usize::from(self.stone[spot.index()])).copied()
    }

    /// True if the spot is on the board and empty.
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

    /// The number of stones on the board.
    pub fn stone_count(&self) -> usize {
        self.stones.iter().map(Spots::len).sum()
    }

    /// The points of a class for a side.
    #[inline]
    pub fn of_class(&self, side: Side, class: Class) -> &Spots {
        &self.by_class[side.index()][class as usize]
    }

    /// The number of points of a class for a side.
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
        self.cells[spot.index()].outlooks[side.index()].class
    }

    /// A point's pattern for a side in a direction (see [`STEPS`]).
    #[inline]
    pub fn pattern(&self, spot: Spot, side: Side, direction: usize) -> Pattern {
        Pattern::ALL[usize::from(self.cells[spot.index()].patterns[side.index()] >> (4 * direction) & 15)]
    }

    /// The four patterns of a point for a side, in any order, as one number (see [`Outlook::code`]).
    #[inline]
    pub fn code(&self, spot: Spot, side: Side) -> u16 {
        self.cells[spot.index()].outlooks[side.index()].code
    }

    /// A point's patterns for a side, packed four bits each.
    #[inline]
    pub fn packed_patterns(&self, spot: Spot, side: Side) -> u16 {
        self.cells[spot.index()].patterns[side.index()]
    }

    /// True if no line through the point can become a five of the side, or it may not play there.
    pub fn is_useless(&self, spot: Spot, side: Side) -> bool {
        let dead = |direction| self.pattern(spot, side, direction) <= Pattern::Overline;
        self.class(spot, side) == Class::Forbidden || (0..4).all(dead)
    }

    /// How many points lie before and after a spot in a direction, at most five.
    #[inline]
    pub fn reach(&self, spot: Spot, direction: usize) -> (usize, usize) {
        let (back, ahead) = self.geometry.reach[spot.index()][direction];
        (usize::from(back), usize::from(ahead))
    }

    /// The empty points at most two rows and two files from a stone.
    pub fn near_stones(&self) -> Spots {
        let mut all = self.stones[0];
        all.unite(&self.stones[1]);
        let mut wide = all;
        for near in 0..2 {
            let mut up = all;
            up.subtract(&self.geometry.right[near]);
            let mut down = all;
            down.subtract(&self.geometry.left[near]);
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
        let outlook = self.outlooks[side.index()][usize::from(cell.patterns[side.index()])];
        cell.outlooks[side.index()] = outlook;
        self.by_class[side.index()][outlook.class as usize].insert(spot);
        self.counts[side.index()][outlook.class as usize] += 1;
    }

    #[inline]
    fn leave(&mut self, spot: Spot, side: Side) {
        let class = self.class(spot, side) as usize;
        self.by_class[side.index()][class].remove(spot);
        self.counts[side.index()][class] -= 1;
    }

    /// Changes a window of `spot` by `delta` and updates the patterns and classes of the sides that the change affects.
    #[inline(always)]
    fn shift_window<F: Follower>(&mut self, spot: usize, direction: usize, delta: u64, blind: usize, follower: &mut F) {
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
            let after = self.outlooks[s][usize::from(patterns)];
            let before = std::mem::replace(&mut self.cells[spot].outlooks[s], after);
            self.cells[spot].patterns[s] = patterns;
            follower.changed(s, before.code, after.code);
            if before.class != after.class {
                let spot = Spot(spot as u16);
                self.by_class[s][before.class as usize].remove(spot);
                self.by_class[s][after.class as usize].insert(spot);
                self.counts[s][before.class as usize] -= 1;
                self.counts[s][after.class as usize] += 1;
            }
        }
    }

    /// Adds (`sign` 1) or removes (`u64::MAX`) a stone of `side` in the windows of the empty points around it. A stone blocks
    /// the line for the other side, so beyond one stone of each side nothing changes. Stones are removed in the reverse
    /// order, so removing a stone changes the same windows.
    // One copy per follower: inlined into every caller it would use too much of the instruction cache.
    #[inline(never)]
    fn shift_windows<F: Follower>(&mut self, spot: Spot, side: Side, sign: u64, follower: &mut F) {
        // A stone is digit 1 to its own side and digit 2 to the other.
        let digits: u64 = if side == Side::First { 2 << 32 | 1 } else { 1 << 32 | 2 };
        let digits = digits.wrapping_mul(sign);
        let reach = self.geometry.reach[spot.index()];
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (back, ahead) = reach[direction];
            let mut blind = 0;
            let mut other = spot.index();
            for weight in &WEIGHT[..usize::from(ahead.min(self.sight))] {
                other += step;
                match self.stone[other] {
                    EMPTY => {
                        let delta = digits.wrapping_mul(STRINGS as u64 * u64::from(*weight));
                        self.shift_window(other, direction, delta, blind, follower);
                    }
                    // A stone blocks the line for the other side.
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
                    EMPTY => self.shift_window(other, direction, digits.wrapping_mul(u64::from(*weight)), blind, follower),
                    stone => blind |= 3 ^ 1 << stone,
                }
                if blind == 3 {
                    break;
                }
            }
        }
    }

    /// Why an empty point is forbidden to black in renju; `None` if it is not.
    ///
    /// A five is never forbidden. Then overlines, double fours and double threes are forbidden; a three counts only if its straight
    /// four could be made by a legal move (Renju International Federation, rules of renju, 9).
    pub fn forbidden(&self, spot: Spot) -> Option<Forbidden> {
        if self.rule != Rule::Renju || !self.is_empty(spot) {
            return None;
        }
        let outlook = self.cells[spot.index()].outlooks[Side::First.index()];
        match outlook.class {
            Class::Five => None,
            Class::Forbidden => {
                let overline = (0..4).any(|d| self.pattern(spot, Side::First, d) == Pattern::Overline);
                Some(if overline { Forbidden::Overline } else { Forbidden::DoubleFour })
            }
            _ if outlook.open_threes < 2 => None,
            _ => TrialStones::of(self).forbidden(spot),
        }
    }

    /// The empty points that are forbidden to the side to move.
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

    /// The sides that have a winning row, computed from the stones alone.
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

    /// Places a stone of the side to move on an empty point and calls the follower for each change.
    #[inline]
    pub fn make_followed<F: Follower>(&mut self, spot: Spot, follower: &mut F) {
        let side = self.turn;
        if self.class(spot, side) == Class::Five {
            self.winner = Some(side);
        }
        for either in Side::BOTH {
            follower.filled(either.index(), self.code(spot, either));
            self.leave(spot, either);
        }
        self.empty.remove(spot);
        self.stones[side.index()].insert(spot);
        self.stone[spot.index()] = side.index() as u8;
        self.shift_windows(spot, side, 1, follower);
        self.key ^= KEYS[2 * spot.index() + side.index()] ^ TURN_KEY;
        self.turn = !side;
    }

    /// Changes the side to move without placing a stone.
    #[inline]
    pub fn pass(&mut self) {
        self.turn = !self.turn;
        self.key ^= TURN_KEY;
    }

    /// The key of the position after a stone of the side to move on this spot.
    #[inline]
    pub fn key_after(&self, spot: Spot) -> u64 {
        self.key ^ KEYS[2 * spot.index() + self.turn.index()] ^ TURN_KEY
    }

    /// Sets the winner of a position that already contains a winning row.
    pub(super) fn declare_winner(&mut self, side: Side) {
        self.winner = Some(side);
    }

    /// Clears a win that occurred only while a position was set up stone by stone.
    pub(super) fn clear_winner(&mut self) {
        self.winner = None;
    }

    /// True if the side to move has a legal move.
    fn has_legal_move(&self) -> bool {
        if self.rule != Rule::Renju || self.turn == Side::Second {
            return !self.empty.is_empty();
        }
        self.empty.iter().any(|spot| self.forbidden(spot).is_none())
    }
}

impl Skip for Board {
    fn skip(&mut self) {
        self.pass();
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
        self.make_followed(spot, &mut ());
    }

    #[inline]
    fn unmake(&mut self, spot: Spot, (): ()) {
        self.turn = !self.turn;
        let side = self.turn;
        self.winner = None;
        self.key ^= KEYS[2 * spot.index() + side.index()] ^ TURN_KEY;
        self.shift_windows(spot, side, u64::MAX, &mut ());
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

    /// A five wins; a full board is a draw. If every empty point is forbidden to black in renju, black could only pass, as the
    /// rules allow; this is counted as a draw, as if both sides had passed.
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
