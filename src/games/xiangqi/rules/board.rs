//! The board: pieces on points, kept as bits for the generator and as a list of points for everybody else, with text both ways.

use super::adjudication::Repetition;
use super::attacks::{self, BETWEEN, Bits, POINTS, Points, bit};
use crate::rules::{Point, Side, zobrist};
use std::fmt;

/// The kinds of pieces, in the order of the game's sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Role {
    /// 帥 將
    General,
    /// 仕 士
    Advisor,
    /// 相 象
    Elephant,
    /// 馬
    Horse,
    /// 車
    Chariot,
    /// 炮 砲
    Cannon,
    /// 兵 卒
    Soldier,
}

impl Role {
    /// Every role, in the order of its number.
    pub const ALL: [Role; 7] =
        [Role::General, Role::Advisor, Role::Elephant, Role::Horse, Role::Chariot, Role::Cannon, Role::Soldier];

    /// How many of them a side has at the start.
    pub const fn set(self) -> usize {
        match self {
            Role::General => 1,
            Role::Soldier => 5,
            _ => 2,
        }
    }

    /// The capital letter of position text.
    pub const fn letter(self) -> char {
        match self {
            Role::General => 'K',
            Role::Advisor => 'A',
            Role::Elephant => 'B',
            Role::Horse => 'N',
            Role::Chariot => 'R',
            Role::Cannon => 'C',
            Role::Soldier => 'P',
        }
    }

    fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Role::General,
            'A' => Role::Advisor,
            'B' | 'E' => Role::Elephant,
            'N' | 'H' => Role::Horse,
            'R' => Role::Chariot,
            'C' => Role::Cannon,
            'P' => Role::Soldier,
            _ => return None,
        })
    }
}

/// A piece: a side and a role in one small number, the first side's from 0, the second's from 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// Kinds of pieces of both sides.
    pub const KINDS: usize = 14;

    /// The piece of a side and role.
    #[inline(always)]
    pub const fn new(side: Side, role: Role) -> Piece {
        Piece(side as u8 * 7 + role as u8)
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::First } else { Side::Second }
    }

    /// What it is.
    #[inline(always)]
    pub const fn role(self) -> Role {
        Role::ALL[self.0 as usize % 7]
    }

    /// Its number, below [`Piece::KINDS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter in position text: capital for the first side.
    pub fn letter(self) -> char {
        let letter = self.role().letter();
        if self.side() == Side::First { letter } else { letter.to_ascii_lowercase() }
    }
}

/// What stands on an empty point.
const EMPTY: u8 = Piece::KINDS as u8;

/// A move: from a point to a point. 0 (from a0 to a0) is no move and stands for none.
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

    /// Where the piece stands.
    #[inline(always)]
    pub const fn from(self) -> usize {
        (self.0 >> 7) as usize
    }

    /// Where it goes.
    #[inline(always)]
    pub const fn to(self) -> usize {
        (self.0 & 127) as usize
    }
}

/// The point's number.
pub fn index(point: Point) -> Option<usize> {
    (point.x < 9 && point.y < 10).then(|| usize::from(point.y) * 9 + usize::from(point.x))
}

/// The point of a number.
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
/// Exclusive-or'ed in when the second side moves.
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
    /// The pieces on each rank, from 1: ranks 0 and 11 are the empty ones beyond the edges.
    ranks: [u16; 12],
    /// The pieces on each file, likewise.
    files: [u16; 11],
    turn: Side,
    key: u64,
    /// Plies since the last capture.
    quiet: u16,
    /// The number of the move, from 1.
    number: u16,
    /// What a third occurrence means in this game; no part of the text.
    repetition: Repetition,
}

/// What taking a move back needs.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: u8,
    key: u64,
    quiet: u16,
}

impl Undo {
    /// The piece the move took.
    #[inline(always)]
    pub fn captured(self) -> Option<Piece> {
        (self.captured != EMPTY).then_some(Piece(self.captured))
    }
}

/// The start of a whole game.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

impl Default for Board {
    fn default() -> Self {
        Board::parse(START).expect("the start is a position")
    }
}

impl Board {
    fn empty() -> Board {
        Board {
            points: [EMPTY; POINTS],
            pieces: [0; Piece::KINDS],
            sides: [0; 2],
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

    /// What a third occurrence means in this game.
    pub fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// The same position in a game with this rule of repetition.
    pub fn with_repetition(self, repetition: Repetition) -> Board {
        Board { repetition, ..self }
    }

    /// Where a side's pieces of a role stand.
    #[inline(always)]
    pub fn of(&self, side: Side, role: Role) -> Bits {
        self.pieces[Piece::new(side, role).index()]
    }

    /// Where a side's pieces stand.
    #[inline(always)]
    pub fn side(&self, side: Side) -> Bits {
        self.sides[side.index()]
    }

    /// Where pieces stand.
    #[inline(always)]
    pub fn all(&self) -> Bits {
        self.sides[0] | self.sides[1]
    }

    /// Where a side's general stands.
    #[inline(always)]
    pub fn general(&self, side: Side) -> usize {
        // A position has both generals; the mask only spares the bounds checks.
        (self.of(side, Role::General).trailing_zeros() as usize) % 128
    }

    fn put(&mut self, piece: Piece, at: usize) {
        self.points[at] = piece.0;
        self.pieces[piece.index()] |= bit(at);
        self.sides[piece.side().index()] |= bit(at);
        self.ranks[at / 9 + 1] |= 1 << (at % 9);
        self.files[at % 9 + 1] |= 1 << (at / 9);
    }

    /// Makes a move that is known to be at least a move of a piece of the side to move.
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
        self.quiet += 1;
        if captured == EMPTY {
            self.ranks[to / 9 + 1] ^= 1 << (to % 9);
            self.files[to % 9 + 1] ^= 1 << (to / 9);
        } else {
            self.pieces[captured as usize] ^= bit(to);
            self.sides[(!self.turn).index()] ^= bit(to);
            self.key ^= piece_key(captured, to);
            self.quiet = 0;
        }
        self.number += self.turn as u16;
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
        }
        self.key = undo.key;
        self.quiet = undo.quiet;
    }

    /// Hands the turn over without a move; handing it over again takes it back.
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

    /// What a chariot on the point reaches, pieces of either side included.
    #[inline(always)]
    pub fn chariot_reach(&self, at: usize) -> Bits {
        chariot_along(at, self.rank_pieces(at), self.file_pieces(at))
    }

    /// The pieces a cannon on the point strikes over one screen, of either side.
    #[inline(always)]
    pub fn cannon_strikes(&self, at: usize) -> Bits {
        cannon_along(at, self.rank_pieces(at), self.file_pieces(at))
    }

    /// What a horse on the point reaches.
    #[inline(always)]
    pub fn horse_reach(&self, at: usize) -> Bits {
        let (file, rank) = (at % 9, at / 9);
        let beside = self.ranks[rank + 1] << 1 >> file & 5;
        let above = self.files[file + 1] << 1 >> rank & 5;
        attacks::HORSE[at][(beside | above << 1) as usize & 15]
    }

    /// The diagonal neighbours that are taken, as the index of the horse and elephant tables.
    #[inline(always)]
    fn diagonals(&self, at: usize) -> usize {
        let (file, rank) = (at % 9, at / 9);
        let below = self.ranks[rank] << 1 >> file;
        let above = self.ranks[rank + 2] << 1 >> file;
        (below & 1 | (above & 1) << 1 | below & 4 | (above & 4) << 1) as usize
    }

    /// Where horses that reach the point stand.
    #[inline(always)]
    pub fn horses_to(&self, at: usize) -> Bits {
        attacks::HORSE_TO[at][self.diagonals(at)]
    }

    /// What an elephant on the point reaches.
    #[inline(always)]
    pub fn elephant_reach(&self, at: usize) -> Bits {
        attacks::ELEPHANT[at][self.diagonals(at)]
    }

    /// What the piece of this kind would reach from the point: quiet moves and captures of the other side's pieces, the
    /// safety of its general not considered.
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

    /// The pieces of `side` that could capture on the point, whatever stands there, generals not seeing each other.
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

    /// Where elephants that reach the point stand: the eye lies between, so it is the same from both ends.
    #[inline(always)]
    fn elephants_to(&self, at: usize) -> Bits {
        self.elephant_reach(at)
    }

    /// True if the generals stand on one file with nothing between.
    pub fn generals_face(&self) -> bool {
        let (a, b) = (self.general(Side::First), self.general(Side::Second));
        a % 9 == b % 9 && BETWEEN[a][b] & self.all() == 0
    }
}

/// What a chariot on the point reaches along lines with these pieces.
#[inline(always)]
pub fn chariot_along(at: usize, rank_pieces: u16, file_pieces: u16) -> Bits {
    let (file, rank) = (at % 9, at / 9);
    Bits::from(attacks::CHARIOT_RANK[file][rank_pieces as usize & 511]) << (rank * 9)
        | attacks::CHARIOT_FILE[rank][file_pieces as usize & 1023] << file
}

/// What a cannon on the point strikes along lines with these pieces.
#[inline(always)]
pub fn cannon_along(at: usize, rank_pieces: u16, file_pieces: u16) -> Bits {
    let (file, rank) = (at % 9, at / 9);
    Bits::from(attacks::CANNON_RANK[file][rank_pieces as usize & 511]) << (rank * 9)
        | attacks::CANNON_FILE[rank][file_pieces as usize & 1023] << file
}

/// Points a piece can ever stand on.
fn possible(piece: Piece, at: usize) -> bool {
    let (side, file, rank) = (piece.side(), at % 9, if piece.side() == Side::First { at / 9 } else { 9 - at / 9 });
    match piece.role() {
        Role::General => attacks::PALACE[side.index()] & bit(at) != 0,
        Role::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        Role::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        Role::Soldier => rank >= 5 || rank >= 3 && file % 2 == 0,
        _ => true,
    }
}

type Bad = (usize, String);

impl Board {
    /// Reads position text (FEN): ranks from the top joined by `/`, `w` (or `r`) or `b`, then optionally `- -` and the two counters,
    /// plies since a capture and number of the move. H and E are read for N and B.
    ///
    /// # Errors
    /// The character (from 1) and what is wrong there.
    pub fn parse(text: &str) -> Result<Board, (usize, String)> {
        let mut fields = Fields { text, at: 0 };
        let mut board = Board::empty();
        let Some((start, pieces)) = fields.next() else { return Err((1, "the position is empty".to_owned())) };
        board.parse_pieces(start, pieces)?;
        board.turn = match fields.next() {
            None => return Err((fields.end(), "the side to move is missing".to_owned())),
            Some((_, "w" | "W" | "r" | "R")) => Side::First,
            Some((_, "b" | "B")) => Side::Second,
            Some((at, other)) => return Err((at, format!("'{other}' is no side: w or b"))),
        };
        let mut rest: Vec<(usize, &str)> = Vec::new();
        while let Some(field) = fields.next() {
            rest.push(field);
        }
        let mut counters = &rest[..];
        if let [(_, "-"), (_, "-"), after @ ..] = counters {
            counters = after;
        }
        let number = |(at, text): (usize, &str), what: &str| {
            text.parse::<u16>().ok().filter(|n| *n < 10_000).ok_or((at, format!("'{text}' is no {what}")))
        };
        if let Some(&field) = counters.first() {
            board.quiet = number(field, "count of plies since a capture")?;
        }
        if let Some(&field) = counters.get(1) {
            board.number = number(field, "move number")?.max(1);
        }
        if let Some(&(at, text)) = counters.get(2) {
            return Err((at, format!("'{text}' follows a complete position")));
        }
        board.key = board.hash_from_scratch();
        board.validate(start)?;
        Ok(board)
    }

    fn parse_pieces(&mut self, start: usize, text: &str) -> Result<(), Bad> {
        let (mut rank, mut file) = (9usize, 0usize);
        let mut at = start;
        for letter in text.chars() {
            match letter {
                '/' => {
                    if file != 9 {
                        return Err((at, format!("rank {rank} has {file} points, not 9")));
                    }
                    if rank == 0 {
                        return Err((at, "there are more than 10 ranks".to_owned()));
                    }
                    (rank, file) = (rank - 1, 0);
                }
                '1'..='9' => {
                    file += letter as usize - '0' as usize;
                    if file > 9 {
                        return Err((at, format!("rank {rank} has more than 9 points")));
                    }
                }
                _ => {
                    let Some(role) = Role::from_letter(letter).filter(|_| letter.is_ascii()) else {
                        return Err((at, format!("'{letter}' is no piece: k a b n r c p, capital for Red")));
                    };
                    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                    if file > 8 {
                        return Err((at, format!("rank {rank} has more than 9 points")));
                    }
                    let piece = Piece::new(side, role);
                    let square = rank * 9 + file;
                    if !possible(piece, square) {
                        return Err((at, format!("'{letter}' can never stand on {}{rank}", char::from(b'a' + file as u8))));
                    }
                    if self.of(side, role).count_ones() as usize >= role.set() {
                        return Err((at, format!("there are more than {} of '{letter}'", role.set())));
                    }
                    self.put(piece, square);
                    file += 1;
                }
            }
            at += 1;
        }
        if rank != 0 {
            return Err((at, format!("there are {} ranks, not 10", 10 - rank)));
        }
        if file != 9 {
            return Err((at, format!("rank 0 has {file} points, not 9")));
        }
        Ok(())
    }

    fn validate(&self, start: usize) -> Result<(), Bad> {
        for (side, name) in [(Side::First, "Red's general (K)"), (Side::Second, "Black's general (k)")] {
            if self.of(side, Role::General) == 0 {
                return Err((start, format!("{name} is missing")));
            }
        }
        if self.generals_face() {
            return Err((start, "the generals face each other on an open file".to_owned()));
        }
        if self.in_check(!self.turn) {
            return Err((start, "the side that is not to move stands in check".to_owned()));
        }
        Ok(())
    }

    /// The text [`parse`](Board::parse) reads.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..10).rev() {
            let mut gap = 0u8;
            for file in 0..9 {
                match self.at(rank * 9 + file) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            text.push(char::from(b'0' + gap));
                            gap = 0;
                        }
                        text.push(piece.letter());
                    }
                }
            }
            if gap > 0 {
                text.push(char::from(b'0' + gap));
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if self.turn == Side::First { 'w' } else { 'b' };
        format!("{text} {side} - - {} {}", self.quiet, self.number)
    }
}

/// The words of a text with the character each begins at.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    fn end(&self) -> usize {
        self.text.chars().count() + 1
    }

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.at..];
        let begin = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let length = self.text[begin..].find(char::is_whitespace).unwrap_or(self.text.len() - begin);
        self.at = begin + length;
        Some((self.text[..begin].chars().count() + 1, &self.text[begin..self.at]))
    }
}

/// The character carved on a piece, as the diagrams show it: Red's and Black's differ.
pub const GLYPHS: [char; Piece::KINDS] = ['帥', '仕', '相', '傌', '俥', '炮', '兵', '將', '士', '象', '馬', '車', '砲', '卒'];

impl fmt::Display for Board {
    /// The board with its lines. A piece is one wide character; an empty crossing is as wide.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            write!(f, "{rank} ")?;
            for file in 0..9 {
                match self.at(rank * 9 + file) {
                    Some(piece) => write!(f, "{}", GLYPHS[piece.index()])?,
                    None => {
                        let corner = match (rank, file) {
                            (9, 0) => '┌',
                            (9, 8) => '┐',
                            (0, 0) => '└',
                            (0, 8) => '┘',
                            (_, 0) => '├',
                            (_, 8) => '┤',
                            (9 | 4, _) => '┬',
                            (0 | 5, _) => '┴',
                            _ => '┼',
                        };
                        write!(f, "{corner}{}", if file < 8 { '─' } else { ' ' })?;
                    }
                }
                if file < 8 {
                    f.write_str("──")?;
                }
            }
            writeln!(f)?;
            match rank {
                0 => {}
                5 => writeln!(f, "  │       楚  河          漢  界      │")?,
                9 | 2 => writeln!(f, "  │   │   │   │ ╲ │ ╱ │   │   │   │")?,
                8 | 1 => writeln!(f, "  │   │   │   │ ╱ │ ╲ │   │   │   │")?,
                _ => writeln!(f, "  │   │   │   │   │   │   │   │   │")?,
            }
        }
        write!(f, "  a   b   c   d   e   f   g   h   i")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_written() {
        let start = Board::default();
        assert_eq!(start.text(), START);
        for (text, same) in [
            ("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r", START),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR  w  0 1 ", START),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -", START),
            ("3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 33", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 33"),
        ] {
            assert_eq!(Board::parse(text).unwrap().text(), same, "{text}");
        }
    }

    /// Text, the character the error names, a word of the message.
    const WRONG: &[(&str, usize, &str)] = &[
        ("", 1, "empty"),
        ("3k5/9/9/9/9/9/9/9/9/4K4", 24, "side"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", 25, "no side"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", 22, "9 ranks"),
        ("3k5/9/9/9/9/9/9/9/9/9/4K4 w", 22, "more than 10"),
        ("3k6/9/9/9/9/9/9/9/9/4K4 w", 3, "more than 9"),
        ("3k4/9/9/9/9/9/9/9/9/4K4 w", 4, "not 9"),
        ("3k5/9/9/9/9/9/9/9/9/4K3 w", 24, "not 9"),
        ("3q5/9/9/9/9/9/9/9/9/4K4 w", 2, "no piece"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", 1, "Red's general"),
        ("9/9/9/9/9/9/9/9/9/4K4 w", 1, "Black's general"),
        ("2k6/9/9/9/9/9/9/9/9/4K4 w", 2, "never"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", 17, "never"),
        ("3k5/9/9/9/9/9/9/9/9/A3K4 w", 21, "never"),
        ("3k5/9/9/B8/9/9/9/9/9/4K4 w", 9, "never"),
        ("3k5/9/RRR6/9/9/9/9/9/9/4K4 w", 9, "more than 2"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", 1, "face"),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w", 1, "in check"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1", 31, "count"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 9", 35, "follows"),
        ("将3k5/9 w", 1, "no piece"),
    ];

    #[test]
    fn wrong_text_is_refused_with_its_place() {
        for &(text, at, word) in WRONG {
            let (place, why) = Board::parse(text).unwrap_err();
            assert!(place == at && why.contains(word), "{text}: {place}: {why}");
        }
    }

    #[test]
    fn the_diagram_has_a_line_a_rank_and_a_river() {
        let drawn = Board::default().to_string();
        assert_eq!(drawn.lines().count(), 20);
        assert!(drawn.contains('楚') && drawn.starts_with("9 車──馬──象──士──將──士──象──馬──車"));
    }
}
