//! The board: the stones, and for each empty point the shapes that each side would make there, updated by make and unmake.
//!
//! Four lines run through every point. Each line is stored as a window of four or five points in both directions: one number, to which the
//! weight of each stone is added, so a move changes only the windows that contain it. The number of a window gives
//! the patterns of both sides, the four patterns of a point give its class, and the points of each class are in bit sets. What a move changed is kept: so taking it back looks nothing up,
//! and an engine can keep sums over the patterns (see [`Board::changes`]).

use super::classes::{self, Class, Outlook, Outlooks};
use super::lines::{Lookup, Pattern, REACH};
use super::renju::TrialStones;
use super::rule::Rule;
use super::shapes::{Change, ClassSets, Shapes, packed};
use super::spot::{SPOTS, STEPS, STRIDE, Spot, Spots};
use super::windows::{LineWindows, SEGMENTS};
use crate::rules::{Forbidden, Outcome, Position, Reason, Side, Skip, zobrist};
use std::fmt;
use std::sync::OnceLock;

/// At least the number of points on the lines through a point that a stone has an effect on; a power of two.
const MOST_CHANGES: usize = 64;

/// No stone.
const EMPTY: u8 = u8::MAX;

/// At least the number of points in memory; a power of two.
const CELLS: usize = 512;

/// Where the changes of a move begin, and what is restored when it is taken back.
#[derive(Clone, Copy)]
struct Begin {
    change: u32,
    perhaps: [u16; 2],
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
    sets: ClassSets,
    windows: LineWindows,
    /// What a stone would make on each point. Those of a point with a stone do not change.
    shapes: [Shapes; CELLS],
    /// What the moves changed, in order, and where the changes of each move begin.
    changes: Vec<Change>,
    begins: Vec<Begin>,
    /// Where [`Board::fill`] notes the points that change, each with the bits of its patterns that do. It is here since a new list would be filled with zeros for every move.
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
        let lookup = Lookup::of(rule.line_rule(Side::First), rule.line_rule(Side::Second));
        let mut board = Board {
            rule,
            size,
            turn: Side::First,
            key: zobrist::mix(rule as u64 * 64 + u64::from(size)),
            winner: None,
            stones: [Spots::default(); 2],
            empty: geometry.on_board,
            stone: [EMPTY; SPOTS],
            sets: ClassSets::new(),
            windows: LineWindows::new(&lookup),
            shapes: [Shapes::new(0, [Outlook::NONE; 2]); CELLS],
            changes: Vec::new(),
            begins: Vec::new(),
            changing: [(0, 0); MOST_CHANGES],
            geometry,
            lookup,
            outlooks: Side::BOTH.map(|side| classes::outlooks(rule.line_rule(side))),
        };
        for spot in geometry.on_board.iter() {
            let windows = geometry.reach[spot.index()]
                .map(|(back, ahead)| board.lookup.empty_window(usize::from(back), usize::from(ahead)));
            board.windows.insert(spot, windows);
            let patterns = u32::from_le_bytes(windows.map(|window| board.lookup.patterns[window as usize]));
            let outlooks = [0, 1].map(|side| board.outlooks[side][usize::from(packed(patterns, side))]);
            board.shapes[spot.index()] = Shapes::new(patterns, outlooks);
            board.sets.insert(spot, outlooks);
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
    pub fn of_class(&self, side: Side, class: Class) -> Spots {
        self.sets.of(side, class)
    }

    /// True if there is a point of a class for a side.
    #[inline]
    pub fn has(&self, side: Side, class: Class) -> bool {
        self.sets.has(side, class)
    }

    /// The number of points of a class for a side.
    #[inline]
    pub fn count(&self, side: Side, class: Class) -> usize {
        if self.has(side, class) { self.of_class(side, class).len() } else { 0 }
    }

    /// The points of a class or a stronger one for a side.
    pub fn at_least(&self, side: Side, class: Class) -> Spots {
        self.sets.at_least(side, class)
    }

    /// What the moves since the first position changed, in order. A move changes the point that got the stone and points on the lines through it.
    #[inline]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// A point's class for a side.
    #[inline]
    pub fn class(&self, spot: Spot, side: Side) -> Class {
        self.shapes[spot.index()].outlook(side.index()).class()
    }

    /// A point's pattern for a side in a direction (see [`STEPS`]).
    #[inline]
    pub fn pattern(&self, spot: Spot, side: Side, direction: usize) -> Pattern {
        Pattern::ALL[self.shapes[spot.index()].pattern(side.index(), direction)]
    }

    /// The four patterns of a point for a side, in any order, as one number (see [`Outlook::code`]).
    #[inline]
    pub fn code(&self, spot: Spot, side: Side) -> u16 {
        self.shapes[spot.index()].outlook(side.index()).code()
    }

    /// What both sides would make on a point.
    #[inline]
    pub fn outlooks_of(&self, spot: Spot) -> [Outlook; 2] {
        self.shapes[spot.index()].outlooks()
    }

    /// A point's patterns for a side, packed four bits each.
    #[inline]
    pub fn packed_patterns(&self, spot: Spot, side: Side) -> u16 {
        packed(self.shapes[spot.index()].patterns(), side.index())
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

    /// Fills an empty point: adds a stone of `side` to the windows of the points around it, and updates the patterns and classes of the empty ones.
    // Inlined into every caller it would use too much of the instruction cache.
    #[inline(never)]
    fn fill(&mut self, spot: Spot, side: Side) {
        const NEAR: usize = REACH - 1;
        if self.lookup.sight == NEAR { self.fill_within::<NEAR>(spot, side) } else { self.fill_within::<REACH>(spot, side) }
    }

    /// [`Board::fill`], where a stone has an effect on so many points in each direction.
    #[inline(always)]
    fn fill_within<const SIGHT: usize>(&mut self, spot: Spot, side: Side) {
        let Board { windows, shapes, lookup, sets, changes, begins, changing, outlooks, .. } = self;
        let begin = changes.len();
        begins.push(Begin { change: begin as u32, perhaps: sets.perhaps() });
        changes.push(Change { spot, after: [Outlook::NONE; 2], shapes: shapes[spot.index()] });
        let mut count = 0;
        for (direction, (step, segment)) in STEPS.into_iter().zip(SEGMENTS[spot.index()]).enumerate() {
            let (windows, open) = windows.add(segment, side.index());
            for lane in REACH - SIGHT..REACH + SIGHT + 1 {
                // Behind an edge this is another point, but it is not open.
                let other = (spot.index() + lane * step).wrapping_sub(REACH * step) % CELLS;
                let shift = 8 * direction as u32;
                let pattern = lookup.patterns[windows[lane] as usize];
                let changed = ((shapes[other].patterns() >> shift) as u8 ^ pattern) & open[lane];
                changing[count % MOST_CHANGES] = (other as u16, u32::from(changed) << shift);
                count += usize::from(changed != 0);
            }
        }
        changes.extend(changing[..count.min(MOST_CHANGES)].iter().map(|&(other, changed)| {
            let shapes = &mut shapes[usize::from(other) % CELLS];
            let before = *shapes;
            let patterns = before.patterns() ^ changed;
            let after = [0, 1].map(|side| outlooks[side][usize::from(packed(patterns, side))]);
            *shapes = Shapes::new(patterns, after);
            Change { spot: Spot(other), after, shapes: before }
        }));
        sets.change(&changes[begin..]);
    }

    /// Undoes [`Board::fill`] for the last stone.
    #[inline(never)]
    fn clear(&mut self, spot: Spot, side: Side) {
        SEGMENTS[spot.index()].iter().for_each(|segment| self.windows.take(*segment, side.index()));
        let Some(begin) = self.begins.pop() else { return };
        let changes = &self.changes[begin.change as usize..];
        changes.iter().for_each(|change| self.shapes[change.spot.index()] = change.shapes);
        self.sets.change_back(changes, begin.perhaps);
        self.changes.truncate(begin.change as usize);
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
    pub fn has_legal_move(&self) -> bool {
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
        let side = self.turn;
        if self.class(spot, side) == Class::Five {
            self.winner = Some(side);
        }
        self.empty.remove(spot);
        self.stones[side.index()].insert(spot);
        self.stone[spot.index()] = side.index() as u8;
        self.fill(spot, side);
        self.key ^= KEYS[2 * spot.index() + side.index()] ^ TURN_KEY;
        self.turn = !side;
    }

    #[inline]
    fn unmake(&mut self, spot: Spot, (): ()) {
        self.turn = !self.turn;
        let side = self.turn;
        self.winner = None;
        self.key ^= KEYS[2 * spot.index() + side.index()] ^ TURN_KEY;
        self.clear(spot, side);
        self.stones[side.index()].remove(spot);
        self.stone[spot.index()] = EMPTY;
        self.empty.insert(spot);
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
