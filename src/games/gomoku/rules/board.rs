//! The board: the stones, and for each empty point the shapes that each side would make there, updated by make and unmake.
//!
//! Four lines run through every point. Each line is stored as a window of four or five points in both directions: one number, to which the
//! weight of each stone is added, so a move changes only the windows that contain it. The number of a window gives
//! the patterns of both sides, the four patterns of a point give its class, and the points of each class are in bit sets. An engine can keep its own
//! sums over the patterns: a [`Follower`] is called for every change. What a move changed is kept, so that taking it back looks nothing up.

use super::classes::{self, CLASS_NUMBERS, Class, Outlook, Outlooks};
use super::lines::{Lookup, Pattern, REACH, WEIGHT};
use super::renju::TrialStones;
use super::rule::Rule;
use super::spot::{SPOTS, STEPS, STRIDE, Spot, Spots};
use crate::rules::{Forbidden, Outcome, Position, Reason, Side, Skip, zobrist};
use std::fmt;
use std::sync::OnceLock;

/// At least the number of points on the lines through a point that a stone has an effect on; a power of two.
const MOST_CHANGES: usize = 64;

/// No stone.
const EMPTY: u8 = u8::MAX;

/// The data of a point besides its stone, in half a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Cell {
    /// Windows of the four directions from the view of the first side.
    windows: [u32; 4],
    shapes: Shapes,
}

/// What a stone would make on a point, in one number, since it is read and written as a whole: the patterns of the four directions in the low half, a byte
/// each, that of the first side in its low four bits; then the outlooks of both sides, which follow from the patterns.
#[derive(Clone, Copy)]
struct Shapes(u64);

impl Shapes {
    /// The pattern of a side in a direction.
    #[inline]
    fn pattern(self, side: usize, direction: usize) -> usize {
        (self.0 >> (8 * direction + 4 * side) & 15) as usize
    }

    /// The patterns of a side, packed four bits each.
    #[inline]
    fn packed(self, side: usize) -> u16 {
        let one = self.0 as u32 >> (4 * side) & 0x0F0F_0F0F;
        let two = (one | one >> 4) & 0x00FF_00FF;
        (two | two >> 8) as u16
    }

    #[inline]
    fn outlook(self, side: usize) -> Outlook {
        Outlook((self.0 >> (32 + 16 * side)) as u16)
    }

    #[inline]
    fn set_outlook(&mut self, side: usize, outlook: Outlook) {
        self.0 ^= u64::from(self.outlook(side).0 ^ outlook.0) << (32 + 16 * side);
    }
}

/// The shapes of a point before a move changed them.
#[derive(Clone, Copy)]
struct Kept {
    spot: Spot,
    shapes: Shapes,
}

/// Keeps sums over the empty points. It is called for every change of a move, with the outlooks of the points for both sides.
pub trait Follower {
    /// Called when the patterns of an empty point change.
    fn changed(&mut self, before: [Outlook; 2], after: [Outlook; 2]);
    /// Called when an empty point gets a stone.
    fn filled(&mut self, outlooks: [Outlook; 2]);
}

/// Keeps nothing.
impl Follower for () {
    #[inline(always)]
    fn changed(&mut self, _: [Outlook; 2], _: [Outlook; 2]) {}
    #[inline(always)]
    fn filled(&mut self, _: [Outlook; 2]) {}
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
    /// The points of each class for each side.
    by_class: [[Spots; CLASS_NUMBERS]; 2],
    counts: [[u16; CLASS_NUMBERS]; 2],
    cells: [Cell; SPOTS],
    /// What the moves changed, in order, and where the changes of each move begin.
    kept: Vec<Kept>,
    begins: Vec<u32>,
    /// Where [`Board::add_to_windows`] notes the points that change, each with the bits of its patterns that do. It is here since a new list would be filled with zeros for every move.
    changing: [(u16, u32); MOST_CHANGES],
    geometry: &'static Geometry,
    lookup: Lookup,
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
        let empty_cell = Cell { windows: [0; 4], shapes: Shapes(0) };
        let mut board = Board {
            rule,
            size,
            turn: Side::First,
            key: zobrist::mix(rule as u64 * 64 + u64::from(size)),
            winner: None,
            stones: [Spots::default(); 2],
            empty: geometry.on_board,
            stone: [EMPTY; SPOTS],
            by_class: [[Spots::default(); CLASS_NUMBERS]; 2],
            counts: [[0; CLASS_NUMBERS]; 2],
            cells: [empty_cell; SPOTS],
            kept: Vec::new(),
            begins: Vec::new(),
            changing: [(0, 0); MOST_CHANGES],
            geometry,
            lookup: Lookup::of(rule.line_rule(Side::First), rule.line_rule(Side::Second)),
            outlooks: Side::BOTH.map(|side| classes::outlooks(rule.line_rule(side))),
        };
        for spot in geometry.on_board.iter() {
            let cell = &mut board.cells[spot.index()];
            for (direction, &(back, ahead)) in geometry.reach[spot.index()].iter().enumerate() {
                let window = board.lookup.empty_window(usize::from(back), usize::from(ahead));
                cell.windows[direction] = window;
                cell.shapes.0 |= u64::from(board.lookup.patterns[window as usize]) << (8 * direction);
            }
            for side in Side::BOTH {
                let packed = usize::from(cell.shapes.packed(side.index()));
                cell.shapes.set_outlook(side.index(), board.outlooks[side.index()][packed]);
            }
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
        self.cells[spot.index()].shapes.outlook(side.index()).class()
    }

    /// A point's pattern for a side in a direction (see [`STEPS`]).
    #[inline]
    pub fn pattern(&self, spot: Spot, side: Side, direction: usize) -> Pattern {
        Pattern::ALL[self.cells[spot.index()].shapes.pattern(side.index(), direction)]
    }

    /// The four patterns of a point for a side, in any order, as one number (see [`Outlook::code`]).
    #[inline]
    pub fn code(&self, spot: Spot, side: Side) -> u16 {
        self.cells[spot.index()].shapes.outlook(side.index()).code()
    }

    /// What both sides would make on a point.
    #[inline]
    pub fn outlooks_of(&self, spot: Spot) -> [Outlook; 2] {
        [0, 1].map(|side| self.cells[spot.index()].shapes.outlook(side))
    }

    /// A point's patterns for a side, packed four bits each.
    #[inline]
    pub fn packed_patterns(&self, spot: Spot, side: Side) -> u16 {
        self.cells[spot.index()].shapes.packed(side.index())
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
        let class = self.class(spot, side) as usize;
        self.by_class[side.index()][class].insert(spot);
        self.counts[side.index()][class] += 1;
    }

    #[inline]
    fn leave(&mut self, spot: Spot, side: Side) {
        let class = self.class(spot, side) as usize;
        self.by_class[side.index()][class].remove(spot);
        self.counts[side.index()][class] -= 1;
    }

    /// Moves a spot from one class of a side (by its index) to another. Often they are the same; a branch would be mispredicted, which takes longer.
    #[inline]
    fn reclass(&mut self, spot: Spot, side: usize, before: Outlook, after: Outlook) {
        let (before, after) = (before.class_number(), after.class_number());
        self.by_class[side][before].remove(spot);
        self.by_class[side][after].insert(spot);
        self.counts[side][before] -= 1;
        self.counts[side][after] += 1;
    }

    /// Calls `change` with the cell of each point on a line through `spot`, as far as a stone has an effect, its number, the direction, and the weight of
    /// a stone on `spot` in its window. Points with a stone are among them: so there is nothing to decide on the way.
    #[inline(always)]
    fn around(
        cells: &mut [Cell; SPOTS],
        reach: &[(u8, u8); 4],
        &Lookup { sight, strings, .. }: &Lookup,
        spot: Spot,
        mut change: impl FnMut(&mut Cell, usize, usize, u32),
    ) {
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (back, ahead) = reach[direction];
            let mut other = spot.index();
            for weight in &WEIGHT[..usize::from(ahead).min(sight)] {
                other += step;
                change(&mut cells[other], other, direction, strings * weight);
            }
            let mut other = spot.index();
            for weight in &WEIGHT[..usize::from(back).min(sight)] {
                other -= step;
                change(&mut cells[other], other, direction, *weight);
            }
        }
    }

    /// Adds a stone of `side` to the windows of the points around it, and updates the patterns and classes of the empty ones.
    // One copy per follower: inlined into every caller it would use too much of the instruction cache.
    #[inline(never)]
    fn add_to_windows<F: Follower>(&mut self, spot: Spot, side: Side, follower: &mut F) {
        self.begins.push(self.kept.len() as u32);
        // A stone of the first side is digit 1, of the second side digit 2.
        let digit = side.index() as u32 + 1;
        let Board { cells, geometry, lookup, empty, changing, .. } = self;
        let mut count = 0;
        Board::around(cells, &geometry.reach[spot.index()], lookup, spot, |cell, other, direction, weight| {
            let window = cell.windows[direction] + digit * weight;
            cell.windows[direction] = window;
            let shift = 8 * direction as u32;
            let changed = (cell.shapes.0 as u32 >> shift & 255) ^ u32::from(lookup.patterns[window as usize]);
            let other = Spot(other as u16);
            changing[count % MOST_CHANGES] = (other.0, changed << shift);
            count += usize::from(changed != 0) & usize::from(empty.contains(other));
        });
        for at in 0..count {
            let (other, changed) = self.changing[at % MOST_CHANGES];
            let spot = Spot(other);
            let shapes = self.cells[spot.index()].shapes;
            self.kept.push(Kept { spot, shapes });
            let mut now = Shapes(shapes.0 ^ u64::from(changed));
            let before = [0, 1].map(|side| shapes.outlook(side));
            let after = [0, 1].map(|side| self.outlooks[side][usize::from(now.packed(side))]);
            for side in 0..2 {
                now.set_outlook(side, after[side]);
                self.reclass(spot, side, before[side], after[side]);
            }
            follower.changed(before, after);
            self.cells[spot.index()].shapes = now;
        }
    }

    /// Undoes [`Board::add_to_windows`] for the last stone.
    #[inline(never)]
    fn take_from_windows(&mut self, spot: Spot, side: Side) {
        let digit = side.index() as u32 + 1;
        let reach = &self.geometry.reach[spot.index()];
        let less = |cell: &mut Cell, _, direction: usize, weight| cell.windows[direction] -= digit * weight;
        Board::around(&mut self.cells, reach, &self.lookup, spot, less);
        let begin = self.begins.pop().unwrap_or(0) as usize;
        for at in begin..self.kept.len() {
            let Kept { spot, shapes } = self.kept[at];
            let now = std::mem::replace(&mut self.cells[spot.index()].shapes, shapes);
            for side in 0..2 {
                let (now, before) = (now.outlook(side), shapes.outlook(side));
                self.reclass(spot, side, now, before);
            }
        }
        self.kept.truncate(begin);
    }

    /// Why an empty point is forbidden to black in renju; `None` if it is not.
    ///
    /// A five is never forbidden. Then overlines, double fours and double threes are forbidden; a three counts only if its straight
    /// four could be made by a legal move (Renju International Federation, rules of renju, 9).
    pub fn forbidden(&self, spot: Spot) -> Option<Forbidden> {
        if self.rule != Rule::Renju || !self.is_empty(spot) {
            return None;
        }
        match self.class(spot, Side::First) {
            Class::Five => None,
            Class::Forbidden => {
                let overline = (0..4).any(|d| self.pattern(spot, Side::First, d) == Pattern::Overline);
                Some(if overline { Forbidden::Overline } else { Forbidden::DoubleFour })
            }
            _ if (0..4).filter(|&d| self.pattern(spot, Side::First, d).is_open_three()).count() < 2 => None,
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
        follower.filled(self.outlooks_of(spot));
        for either in Side::BOTH {
            self.leave(spot, either);
        }
        self.empty.remove(spot);
        self.stones[side.index()].insert(spot);
        self.stone[spot.index()] = side.index() as u8;
        self.add_to_windows(spot, side, follower);
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
        self.take_from_windows(spot, side);
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
