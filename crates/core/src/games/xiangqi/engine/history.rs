//! History tables of the search: which quiet moves and captures gave cut-offs, counter moves, continuation history, and corrections of
//! the evaluation.

use crate::games::xiangqi::rules::attacks::POINTS;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::piece::{Piece, Role};
use crate::games::xiangqi::rules::position_text::possible;
use crate::rules::Side;

/// The number of each piece on each point where it can stand. Continuation history has a number for each pair of these, so leaving out all
/// other points makes it a third as large, and it stays in the cache. Pieces on other points (an edited position may have them) share a number.
static NUMBERS: [[u16; POINTS]; Piece::KINDS] = {
    let mut numbers = [[OTHER; POINTS]; Piece::KINDS];
    let (mut kind, mut next) = (0, 0);
    while kind < Piece::KINDS {
        let piece = Piece::new(if kind < 7 { Side::First } else { Side::Second }, Role::ALL[kind % 7]);
        let mut at = 0;
        while at < POINTS {
            if possible(piece, at) {
                numbers[kind][at] = next;
                next += 1;
            }
            at += 1;
        }
        kind += 1;
    }
    assert!(next == OTHER);
    numbers
};
/// The number of pieces on points where they cannot stand.
const OTHER: u16 = 692;
const PLACES: usize = OTHER as usize + 1;

/// The limit of all history scores.
const LIMIT: i32 = 16_384;
const CORRECTIONS: usize = 1 << 14;
/// The scale of corrections, in parts of a hundredth of a soldier.
const GRAIN: i32 = 256;

/// A piece on its target point: the index of continuation history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// None: the root, or a null move.
    pub const NONE: PieceTo = PieceTo(PLACES as u16);

    /// A piece that moved to a point.
    #[inline(always)]
    pub fn new(piece: Piece, at: usize) -> PieceTo {
        PieceTo(NUMBERS[piece.index()][at])
    }
}

/// Moves a score towards ± [`LIMIT`], more slowly near the limit.
#[inline(always)]
fn learn(slot: &mut i16, bonus: i32) {
    let old = i32::from(*slot);
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *slot = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// Where both sides' soldiers, and their guards, stand: the indices of corrections. Positions of the same shape have similar errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    soldiers: u16,
    guards: u16,
}

impl Shape {
    /// The shape of an empty board.
    pub const NONE: Shape = Shape { soldiers: 0, guards: 0 };
    const GUARDS: [Role; 3] = [Role::Advisor, Role::Elephant, Role::General];

    /// The shape of a board.
    pub fn of(board: &Board) -> Shape {
        Shape { soldiers: mixed(board, &[Role::Soldier]), guards: mixed(board, &Self::GUARDS) }
    }

    /// The shape of the board after a move of `piece` that captured `taken`.
    #[inline(always)]
    pub fn after(mut self, board: &Board, piece: Piece, taken: Option<Piece>) -> Shape {
        let changed = |roles: &[Role]| roles.contains(&piece.role()) || taken.is_some_and(|taken| roles.contains(&taken.role()));
        if changed(&[Role::Soldier]) {
            self.soldiers = mixed(board, &[Role::Soldier]);
        }
        if changed(&Self::GUARDS) {
            self.guards = mixed(board, &Self::GUARDS);
        }
        self
    }
}

/// A number below [`CORRECTIONS`] for the points of the pieces with these roles.
fn mixed(board: &Board, roles: &[Role]) -> u16 {
    let mut hash = 0u64;
    for side in Side::BOTH {
        for &role in roles {
            let bits = board.of(side, role);
            hash = (hash ^ bits as u64 ^ (bits >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 32;
        }
    }
    ((hash >> 20) as usize % CORRECTIONS) as u16
}

/// The parts of the tables that have the scores of a position's quiet moves.
pub struct Quiets<'a> {
    quiet: &'a [i16],
    follow: [&'a [i16]; 3],
}

impl Quiets<'_> {
    /// The score of a move of this piece.
    #[inline(always)]
    pub fn score(&self, mv: Move, piece: Piece) -> i32 {
        let now = PieceTo::new(piece, mv.to());
        let [first, second, fourth] = self.follow.map(|follow| i32::from(follow[usize::from(now.0)]));
        i32::from(self.quiet[usize::from(mv.0)]) + first + second + fourth / 2
    }
}

/// The history tables of one thread.
pub struct Tables {
    quiet: Vec<i16>,
    follow: Vec<i16>,
    capture: Vec<i16>,
    counter: Vec<Move>,
    correction: Vec<i32>,
}

impl Tables {
    /// Empty tables.
    pub fn new() -> Tables {
        Tables {
            quiet: vec![0; 2 << 14],
            follow: vec![0; (PLACES + 1) * PLACES],
            capture: vec![0; PLACES * 7],
            counter: vec![Move::NONE; PLACES + 1],
            correction: vec![0; 4 * CORRECTIONS],
        }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.follow.fill(0);
        self.capture.fill(0);
        self.counter.fill(Move::NONE);
        self.correction.fill(0);
    }

    #[inline(always)]
    fn quiet_slot(side: Side, mv: Move) -> usize {
        side.index() << 14 | usize::from(mv.0)
    }

    #[inline(always)]
    fn follow_slot(before: PieceTo, now: PieceTo) -> usize {
        usize::from(before.0) * PLACES + usize::from(now.0)
    }

    /// The history scores of a side's quiet moves, with the moves one, two and four plies before.
    #[inline(always)]
    pub fn quiets(&self, side: Side, before: [PieceTo; 3]) -> Quiets<'_> {
        let follow = before.map(|piece_to| &self.follow[Self::follow_slot(piece_to, PieceTo(0))..][..PLACES]);
        Quiets { quiet: &self.quiet[Self::quiet_slot(side, Move::NONE)..][..1 << 14], follow }
    }

    /// Rewards a quiet move that gave a cut-off (positive), or penalises one that did not (negative).
    pub fn learn_quiet(&mut self, side: Side, mv: Move, piece: Piece, before: [PieceTo; 3], bonus: i32) {
        learn(&mut self.quiet[Self::quiet_slot(side, mv)], bonus);
        let now = PieceTo::new(piece, mv.to());
        for piece_to in before {
            if piece_to != PieceTo::NONE {
                learn(&mut self.follow[Self::follow_slot(piece_to, now)], bonus);
            }
        }
    }

    #[inline(always)]
    fn capture_slot(piece: Piece, to: usize, taken: Role) -> usize {
        usize::from(PieceTo::new(piece, to).0) * 7 + taken as usize
    }

    /// The history score of a capture.
    #[inline(always)]
    pub fn capture(&self, piece: Piece, to: usize, taken: Role) -> i32 {
        i32::from(self.capture[Self::capture_slot(piece, to, taken)])
    }

    /// Rewards or penalises a capture.
    pub fn learn_capture(&mut self, piece: Piece, to: usize, taken: Role, bonus: i32) {
        learn(&mut self.capture[Self::capture_slot(piece, to, taken)], bonus);
    }

    /// The counter move: the quiet move that last refuted this move.
    #[inline(always)]
    pub fn counter(&self, piece_to: PieceTo) -> Move {
        self.counter[usize::from(piece_to.0)]
    }

    /// Stores a counter move.
    pub fn set_counter(&mut self, piece_to: PieceTo, mv: Move) {
        self.counter[usize::from(piece_to.0)] = mv;
    }

    /// The two correction entries of a position: by its soldiers, and by its guards.
    #[inline(always)]
    fn correction_slots(side: Side, shape: Shape) -> [usize; 2] {
        let side = side.index();
        [side * CORRECTIONS + usize::from(shape.soldiers), (2 + side) * CORRECTIONS + usize::from(shape.guards)]
    }

    /// The mean error of the evaluation in positions of the same shape, with this side to move.
    #[inline(always)]
    pub fn correction(&self, side: Side, shape: Shape) -> i32 {
        let [soldiers, guards] = Self::correction_slots(side, shape);
        (self.correction[soldiers] + self.correction[guards]) / (2 * GRAIN)
    }

    /// Updates the correction: a search of `depth` plies showed this `error` of the evaluation.
    pub fn learn_correction(&mut self, side: Side, shape: Shape, depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        for slot in Self::correction_slots(side, shape) {
            let kept = &mut self.correction[slot];
            *kept = (*kept * (256 - weight) + error.clamp(-200, 200) * GRAIN * weight) / 256;
        }
    }
}
