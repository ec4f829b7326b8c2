//! The board: pieces on points, kept as bits for the generator and as a list of points for everything else.

use super::adjudication::Repetition;
use super::attacks::{self, BETWEEN, Bits, POINTS, Points, bit};
use super::piece::{Piece, Role};
use super::position_text::START;
use crate::rules::{Point, Side, zobrist};
use std::fmt;

/// The number of an empty point.
const EMPTY: u8 = Piece::KINDS as u8;

/// A move: from a point to a point. 0 (from a0 to a0) means no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u16);

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// The move between two points, numbered `rank * 9 + file`.
    #[inline(always)]
    pub const fn new(from: usize, to: usize) -> Move {
        Move((from << 7 | to) as u16)
    }

    /// The origin.
    #[inline(always)]
    pub const fn from(self) -> usize {
        (self.0 >> 7) as usize
    }

    /// The target.
    #[inline(always)]
    pub const fn to(self) -> usize {
        (self.0 & 127) as usize
    }
}

/// The point's number.
pub fn index(point: Point) -> Option<usize> {
    (point.x < 9 && point.y < 10).then(|| usize::from(point.y) * 9 + usize::from(point.x))
}

/// The point with this number.
pub fn point(at: usize) -> Point {
    Point::new((at % 9) as u8, (at / 9) as u8)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (point(self.from()), point(self.to()));
        let file = |x: u8| char::from(b'a' + x);
        write!(f, "{}{}{}{}", file(from.x), from.y, file(to.x), to.y)
    }
}

const KEYS: [u64; Piece::KINDS * POINTS] = zobrist::table(9);
/// The key for the second side to move.
const TURN: u64 = zobrist::mix(0xC0FF_EE00);

/// The key of a piece on a point.
#[inline(always)]
fn piece_key(piece: u8, at: usize) -> u64 {
    KEYS[piece as usize * POINTS + at]
}

/// A position: the pieces, the side to move and the counters of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    points: [u8; POINTS],
    pieces: [Bits; Piece::KINDS],
    sides: [Bits; 2],
    /// The number of pieces.
    count: u8,
    /// The pieces on each rank, from 1: ranks 0 and 11 are the empty ones beyond the edges.
    ranks: [u16; 12],
    /// The pieces on each file, likewise.
    files: [u16; 11],
    pub(super) turn: Side,
    pub(super) key: u64,
    /// Plies since the last capture.
    pub(super) quiet: u16,
    /// The number of the move, from 1.
    pub(super) number: u16,
    /// The rule for the third occurrence; not part of the text.
    repetition: Repetition,
}

/// The data needed to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: u8,
    key: u64,
    quiet: u16,
}

impl Undo {
    /// The captured piece.
    #[inline(always)]
    pub fn captured(self) -> Option<Piece> {
        (self.captured != EMPTY).then_some(Piece(self.captured))
    }
}

impl Default for Board {
    fn default() -> Self {
        Board::parse(START).expect("the start is a position")
    }
}

impl Board {
    pub(super) fn empty() -> Board {
        Board {
            points: [EMPTY; POINTS],
            pieces: [0; Piece::KINDS],
            sides: [0; 2],
            count: 0,
            ranks: [0; 12],
            files: [0; 11],
            turn: Side::First,
            key: 0,
            quiet: 0,
            number: 1,
            repetition: Repetition::default(),
        }
    }

    /// The piece on a point.
    #[inline(always)]
    pub fn at(&self, at: usize) -> Option<Piece> {
        let piece = self.points[at];
        (piece != EMPTY).then_some(Piece(piece))
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The key of pieces and side to move.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.key
    }

    /// Plies since the last capture.
    #[inline(always)]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// The rule for the third occurrence.
    pub fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// The same position with this rule of repetition.
    pub fn with_repetition(self, repetition: Repetition) -> Board {
        Board { repetition, ..self }
    }

    /// The points of a side's pieces of a role.
    #[inline(always)]
    pub fn of(&self, side: Side, role: Role) -> Bits {
        self.pieces[Piece::new(side, role).index()]
    }

    /// The points of each kind of piece, by [`Piece::index`].
    #[inline(always)]
    pub fn kinds(&self) -> &[Bits; Piece::KINDS] {
        &self.pieces
    }

    /// The points of a side's pieces.
    #[inline(always)]
    pub fn side(&self, side: Side) -> Bits {
        self.sides[side.index()]
    }

    /// The points of all pieces.
    #[inline(always)]
    pub fn all(&self) -> Bits {
        self.sides[0] | self.sides[1]
    }

    /// The number of pieces of both sides. Not every processor can count bits.
    #[inline(always)]
    pub fn piece_count(&self) -> u32 {
        u32::from(self.count)
    }

    /// The point of a side's general.
    #[inline(always)]
    pub fn general(&self, side: Side) -> usize {
        // A position has both generals; the mask only avoids bounds checks.
        (self.of(side, Role::General).trailing_zeros() as usize) % 128
    }

    /// A position with these pieces, at most one per point, including both generals; its counters are those of a game's start.
    pub fn of_pieces(pieces: impl Iterator<Item = (Piece, usize)>, turn: Side) -> Board {
        let mut board = Board { turn, ..Board::empty() };
        pieces.for_each(|(piece, at)| board.put(piece, at));
        board.key = board.hash_from_scratch();
        board
    }

    pub(super) fn put(&mut self, piece: Piece, at: usize) {
        self.points[at] = piece.0;
        self.pieces[piece.index()] |= bit(at);
        self.sides[piece.side().index()] |= bit(at);
        self.count += 1;
        self.ranks[at / 9 + 1] |= 1 << (at % 9);
        self.files[at % 9 + 1] |= 1 << (at / 9);
    }

    /// Makes a move that must be at least pseudo-legal.
    #[inline]
    pub fn apply(&mut self, mv: Move) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.points[from];
        let captured = self.points[to];
        let undo = Undo { captured, key: self.key, quiet: self.quiet };
        self.points[from] = EMPTY;
        self.points[to] = piece;
        let both = bit(from) | bit(to);
        self.pieces[piece as usize] ^= both;
        self.sides[self.turn.index()] ^= both;
        self.key ^= piece_key(piece, from) ^ piece_key(piece, to) ^ TURN;
        self.ranks[from / 9 + 1] ^= 1 << (from % 9);
        self.files[from % 9 + 1] ^= 1 << (from / 9);
        // A record may have any number of moves.
        self.quiet = self.quiet.saturating_add(1);
        if captured == EMPTY {
            self.ranks[to / 9 + 1] ^= 1 << (to % 9);
            self.files[to % 9 + 1] ^= 1 << (to / 9);
        } else {
            self.pieces[captured as usize] ^= bit(to);
            self.sides[(!self.turn).index()] ^= bit(to);
            self.count -= 1;
            self.key ^= piece_key(captured, to);
            self.quiet = 0;
        }
        self.number = self.number.saturating_add(self.turn as u16);
        self.turn = !self.turn;
        undo
    }

    /// Takes back what [`apply`](Board::apply) did.
    #[inline]
    pub fn revert(&mut self, mv: Move, undo: Undo) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.points[to];
        self.turn = !self.turn;
        self.number -= self.turn as u16;
        self.points[from] = piece;
        self.points[to] = undo.captured;
        let both = bit(from) | bit(to);
        self.pieces[piece as usize] ^= both;
        self.sides[self.turn.index()] ^= both;
        self.ranks[from / 9 + 1] ^= 1 << (from % 9);
        self.files[from % 9 + 1] ^= 1 << (from / 9);
        if undo.captured == EMPTY {
            self.ranks[to / 9 + 1] ^= 1 << (to % 9);
            self.files[to % 9 + 1] ^= 1 << (to / 9);
        } else {
            self.pieces[undo.captured as usize] ^= bit(to);
            self.sides[(!self.turn).index()] ^= bit(to);
            self.count += 1;
        }
        self.key = undo.key;
        self.quiet = undo.quiet;
    }

    /// A null move; a second one takes it back.
    #[inline]
    pub fn pass(&mut self) {
        self.turn = !self.turn;
        self.key ^= TURN;
    }

    /// The key computed from the pieces alone.
    pub fn hash_from_scratch(&self) -> u64 {
        let turn = if self.turn == Side::First { 0 } else { TURN };
        Points(self.all()).fold(turn, |key, at| key ^ piece_key(self.points[at], at))
    }

    /// The pieces on a point's rank.
    #[inline(always)]
    pub fn rank_pieces(&self, at: usize) -> u16 {
        self.ranks[at / 9 + 1]
    }

    /// The pieces on a point's file.
    #[inline(always)]
    pub fn file_pieces(&self, at: usize) -> u16 {
        self.files[at % 9 + 1]
    }

    /// The points that a chariot on the point reaches, including pieces of both sides.
    #[inline(always)]
    pub fn chariot_reach(&self, at: usize) -> Bits {
        chariot_along(at, self.rank_pieces(at), self.file_pieces(at))
    }

    /// The pieces of both sides that a cannon on the point could capture over one screen.
    #[inline(always)]
    pub fn cannon_strikes(&self, at: usize) -> Bits {
        cannon_along(at, self.rank_pieces(at), self.file_pieces(at))
    }

    /// The points that a horse on the point reaches.
    #[inline(always)]
    pub fn horse_reach(&self, at: usize) -> Bits {
        let (file, rank) = (at % 9, at / 9);
        let beside = self.ranks[rank + 1] << 1 >> file & 5;
        let above = self.files[file + 1] << 1 >> rank & 5;
        attacks::HORSE[at][(beside | above << 1) as usize & 15]
    }

    /// The occupied diagonal neighbours, as the index of the horse and elephant tables.
    #[inline(always)]
    fn diagonals(&self, at: usize) -> usize {
        let (file, rank) = (at % 9, at / 9);
        let below = self.ranks[rank] << 1 >> file;
        let above = self.ranks[rank + 2] << 1 >> file;
        (below & 1 | (above & 1) << 1 | below & 4 | (above & 4) << 1) as usize
    }

    /// The points from which horses reach the point.
    #[inline(always)]
    pub fn horses_to(&self, at: usize) -> Bits {
        attacks::HORSE_TO[at][self.diagonals(at)]
    }

    /// The points that an elephant on the point reaches.
    #[inline(always)]
    pub fn elephant_reach(&self, at: usize) -> Bits {
        attacks::ELEPHANT[at][self.diagonals(at)]
    }

    /// The pseudo-legal targets of a piece on the point: quiet moves and captures, without regard to the
    /// safety of its general.
    #[inline(always)]
    pub fn reach(&self, piece: Piece, at: usize) -> Bits {
        let own = self.side(piece.side());
        let targets = match piece.role() {
            Role::General => attacks::GENERAL[at],
            Role::Advisor => attacks::ADVISOR[at],
            Role::Elephant => self.elephant_reach(at),
            Role::Horse => self.horse_reach(at),
            Role::Chariot => self.chariot_reach(at),
            Role::Cannon => self.chariot_reach(at) & !self.all() | self.cannon_strikes(at),
            Role::Soldier => attacks::SOLDIER[piece.side().index()][at],
        };
        targets & !own
    }

    /// The pieces of `side` that could capture on the point, whether it is occupied or not; facing generals are not counted.
    pub fn attackers(&self, side: Side, at: usize) -> Bits {
        let of = |role| self.of(side, role);
        let mut found = attacks::SOLDIER_TO[side.index()][at] & of(Role::Soldier);
        found |= self.horses_to(at) & of(Role::Horse);
        found |= self.chariot_reach(at) & of(Role::Chariot);
        found |= self.cannon_strikes(at) & of(Role::Cannon);
        if attacks::HOME[side.index()] & bit(at) != 0 {
            found |= attacks::ADVISOR[at] & of(Role::Advisor);
            found |= attacks::GENERAL[at] & of(Role::General);
            found |= self.elephants_to(at) & of(Role::Elephant);
        }
        found
    }

    /// The points from which elephants reach the point: the eye is in the middle, so it is the same from both ends.
    #[inline(always)]
    fn elephants_to(&self, at: usize) -> Bits {
        self.elephant_reach(at)
    }

    /// True if the generals face each other on an open file.
    pub fn generals_face(&self) -> bool {
        let (a, b) = (self.general(Side::First), self.general(Side::Second));
        a % 9 == b % 9 && BETWEEN[a][b] & self.all() == 0
    }
}

/// The points that a chariot on the point reaches along lines with these pieces.
#[inline(always)]
pub fn chariot_along(at: usize, rank_pieces: u16, file_pieces: u16) -> Bits {
    let (file, rank) = (at % 9, at / 9);
    attacks::shifted(Bits::from(attacks::CHARIOT_RANK[file][rank_pieces as usize & 511]), rank * 9)
        | attacks::shifted(attacks::SPREAD[usize::from(attacks::CHARIOT_FILE[rank][file_pieces as usize & 1023]) & 1023], file)
}

/// The pieces that a cannon on the point could capture along lines with these pieces.
#[inline(always)]
pub fn cannon_along(at: usize, rank_pieces: u16, file_pieces: u16) -> Bits {
    let (file, rank) = (at % 9, at / 9);
    attacks::shifted(Bits::from(attacks::CANNON_RANK[file][rank_pieces as usize & 511]), rank * 9)
        | attacks::shifted(attacks::SPREAD[usize::from(attacks::CANNON_FILE[rank][file_pieces as usize & 1023]) & 1023], file)
}
