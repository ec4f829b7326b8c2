//! What the search learns about moves as it goes: which quiet moves and captures cut off, after which moves, and how far the
//! evaluation errs.

use crate::games::xiangqi::rules::attacks::POINTS;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::piece::{Piece, Role};
use crate::rules::Side;

const PLACES: usize = Piece::KINDS * POINTS;
/// No learnt number leaves this range.
const LIMIT: i32 = 16_384;
const CORRECTIONS: usize = 1 << 14;
/// Corrections are kept in these parts of a hundredth of a soldier.
const GRAIN: i32 = 256;

/// A piece's arrival on a point: what follow-up moves are learnt about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival(u16);

impl Arrival {
    /// Nothing arrived: the root, or a null move.
    pub const NONE: Arrival = Arrival(PLACES as u16);

    /// The piece's arrival on a point.
    #[inline(always)]
    pub fn new(piece: Piece, at: usize) -> Arrival {
        Arrival((piece.index() * POINTS + at) as u16)
    }
}

/// A learnt number moves towards ± [`LIMIT`], the slower the nearer it is.
#[inline(always)]
fn learn(slot: &mut i16, bonus: i32) {
    let old = i32::from(*slot);
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *slot = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// One thread's learnt tables.
pub struct Tables {
    quiet: Vec<i16>,
    follow: Vec<i16>,
    capture: Vec<i16>,
    counter: Vec<Move>,
    correction: Vec<i32>,
}

impl Tables {
    /// Nothing learnt.
    pub fn new() -> Tables {
        Tables {
            quiet: vec![0; 2 << 14],
            follow: vec![0; (PLACES + 1) * PLACES],
            capture: vec![0; PLACES * 7],
            counter: vec![Move::NONE; PLACES + 1],
            correction: vec![0; 4 * CORRECTIONS],
        }
    }

    /// Forgets everything.
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
    fn follow_slot(before: Arrival, now: Arrival) -> usize {
        usize::from(before.0) * PLACES + usize::from(now.0)
    }

    /// How good a quiet move has been, after the arrivals one, two and four plies before.
    #[inline]
    pub fn quiet(&self, side: Side, mv: Move, piece: Piece, before: [Arrival; 3]) -> i32 {
        let now = Arrival::new(piece, mv.to());
        let follow = |arrival| i32::from(self.follow[Self::follow_slot(arrival, now)]);
        i32::from(self.quiet[Self::quiet_slot(side, mv)]) + follow(before[0]) + follow(before[1]) + follow(before[2]) / 2
    }

    /// A quiet move cut off (positive) or was tried in vain (negative).
    pub fn learn_quiet(&mut self, side: Side, mv: Move, piece: Piece, before: [Arrival; 3], bonus: i32) {
        learn(&mut self.quiet[Self::quiet_slot(side, mv)], bonus);
        let now = Arrival::new(piece, mv.to());
        for arrival in before {
            if arrival != Arrival::NONE {
                learn(&mut self.follow[Self::follow_slot(arrival, now)], bonus);
            }
        }
    }

    /// How good it has been to take this kind of piece there.
    #[inline(always)]
    pub fn capture(&self, piece: Piece, to: usize, taken: Role) -> i32 {
        i32::from(self.capture[(piece.index() * POINTS + to) * 7 + taken as usize])
    }

    /// A capture cut off, or was tried in vain.
    pub fn learn_capture(&mut self, piece: Piece, to: usize, taken: Role, bonus: i32) {
        learn(&mut self.capture[(piece.index() * POINTS + to) * 7 + taken as usize], bonus);
    }

    /// The quiet move that refuted this arrival last.
    #[inline(always)]
    pub fn counter(&self, arrival: Arrival) -> Move {
        self.counter[usize::from(arrival.0)]
    }

    /// Remembers the refutation of an arrival.
    pub fn set_counter(&mut self, arrival: Arrival, mv: Move) {
        self.counter[usize::from(arrival.0)] = mv;
    }

    /// The two places where errors about a position like this are kept: by its soldiers, and by its palace guards and cannons.
    fn correction_slots(board: &Board) -> [usize; 2] {
        let side = board.turn().index();
        let mixed = |roles: &[Role]| {
            let mut hash = 0u64;
            for side in Side::BOTH {
                for &role in roles {
                    let bits = board.of(side, role);
                    hash = (hash ^ bits as u64 ^ (bits >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    hash ^= hash >> 32;
                }
            }
            (hash >> 20) as usize % CORRECTIONS
        };
        [
            side * CORRECTIONS + mixed(&[Role::Soldier]),
            (2 + side) * CORRECTIONS + mixed(&[Role::Advisor, Role::Elephant, Role::General]),
        ]
    }

    /// What the evaluation of positions like this has been off by.
    #[inline]
    pub fn correction(&self, board: &Board) -> i32 {
        let [soldiers, guards] = Self::correction_slots(board);
        (self.correction[soldiers] + self.correction[guards]) / (2 * GRAIN)
    }

    /// A search of `depth` plies found the evaluation off by `error`.
    pub fn learn_correction(&mut self, board: &Board, depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        for slot in Self::correction_slots(board) {
            let kept = &mut self.correction[slot];
            *kept = (*kept * (256 - weight) + error.clamp(-200, 200) * GRAIN * weight) / 256;
        }
    }
}
