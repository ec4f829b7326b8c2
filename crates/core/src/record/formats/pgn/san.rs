//! Moves of xiangqi in the chess style of WinBoard and PyChess (SAN): `Cbe2`, `Rxc6`, `c5`, `H8e7`, `A10e9`. WinBoard counts ranks from 0, PyChess
//! from 1, also in `h3e3`.

use crate::record::builder::bare_move;
use crate::rules::Point;
use crate::table::{Action, Table};

/// How the moves of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// In a notation of the game itself.
    Usual,
    /// Piece and target, with ranks from this number.
    Short(u8),
    /// Origin and target, with ranks from 1.
    FromOne,
}

impl Dialect {
    /// The forms tried if the notations of the game do not fit.
    pub const OTHERS: [Dialect; 3] = [Dialect::Short(0), Dialect::Short(1), Dialect::FromOne];

    /// Every legal action that a word may mean.
    pub fn readings(self, table: &dyn Table, word: &str) -> Vec<Action> {
        // Signs for check and comments may stand behind a move.
        match (self.exactly(table, word), bare_move(word)) {
            (readings, bare) if !readings.is_empty() || bare == word => readings,
            (_, bare) => self.exactly(table, bare),
        }
    }

    fn exactly(self, table: &dyn Table, word: &str) -> Vec<Action> {
        match self {
            Dialect::Usual => table.readings(word),
            Dialect::Short(lowest) => Short::of(word, lowest).map(|short| short.readings(table)).unwrap_or_default(),
            Dialect::FromOne => from_one(word).filter(|action| table.refusal(*action).is_none()).into_iter().collect(),
        }
    }
}

/// The parts of a short move.
struct Short {
    role: u8,
    file: Option<u8>,
    rank: Option<u8>,
    to: Point,
}

impl Short {
    fn of(word: &str, lowest: u8) -> Option<Short> {
        let plain: Vec<u8> = word.bytes().filter(|byte| !matches!(byte, b'x' | b'+' | b'#' | b'=' | b'-')).collect();
        let (rank, rest) = split_rank(&plain, lowest);
        let (file, rest) = split_file(rest);
        let to = Point::new(file?, rank?);
        let (role, rest) = match rest.split_first() {
            Some((letter, rest)) if letter.is_ascii_uppercase() => (role_of(*letter)?, rest),
            _ => (6, rest),
        };
        let (rank, rest) = split_rank(rest, lowest);
        let (file, rest) = split_file(rest);
        rest.is_empty().then_some(Short { role, file, rank, to })
    }

    fn readings(&self, table: &dyn Table) -> Vec<Action> {
        let pieces = table.pieces();
        let fits = |action: &Action| {
            let Action::Step { from, to } = *action else { return false };
            let is_it = |(at, piece): &(Point, crate::table::Piece)| *at == from && piece.role == self.role;
            to == self.to
                && self.file.is_none_or(|file| file == from.x)
                && self.rank.is_none_or(|rank| rank == from.y)
                && pieces.iter().any(is_it)
        };
        table.actions().into_iter().filter(fits).collect()
    }
}

/// The index of the role in the game's sheet.
fn role_of(letter: u8) -> Option<u8> {
    Some(match letter {
        b'K' | b'G' => 0,
        b'A' => 1,
        b'E' | b'B' => 2,
        b'H' | b'N' => 3,
        b'R' => 4,
        b'C' => 5,
        b'P' | b'S' => 6,
        _ => return None,
    })
}

/// Splits a rank (converted to count from 0) from the end of the bytes.
fn split_rank(bytes: &[u8], lowest: u8) -> (Option<u8>, &[u8]) {
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (rest, digits) = bytes.split_at(bytes.len() - digits);
    let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse::<u8>().ok());
    (number.and_then(|number| number.checked_sub(lowest)).filter(|rank| *rank < 10), rest)
}

/// Splits a file from the end of the bytes.
fn split_file(bytes: &[u8]) -> (Option<u8>, &[u8]) {
    match bytes.split_last() {
        Some((file @ b'a'..=b'i', rest)) => (Some(file - b'a'), rest),
        _ => (None, bytes),
    }
}

/// Reads `h3e3` and `a10b10`, with ranks from 1.
fn from_one(word: &str) -> Option<Action> {
    let lower = word.to_ascii_lowercase();
    let plain: Vec<u8> = lower.bytes().filter(|byte| *byte != b'-').collect();
    let (rank, rest) = split_rank(&plain, 1);
    let (file, rest) = split_file(rest);
    let to = Point::new(file?, rank?);
    let (rank, rest) = split_rank(rest, 1);
    let (file, rest) = split_file(rest);
    let from = Point::new(file?, rank?);
    rest.is_empty().then_some(Action::Step { from, to })
}

/// True if a word is a move of chess that does not exist in our games.
pub fn is_chess(word: &str) -> bool {
    let plain = word.trim_end_matches(['+', '#']);
    let square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    if plain.starts_with("O-O") || plain.starts_with("0-0") {
        return true;
    }
    let (body, promoted) =
        plain.split_once('=').map_or((plain, false), |(body, piece)| (body, matches!(piece, "Q" | "R" | "B" | "N")));
    let Some(at) = body.len().checked_sub(2).filter(|at| body.is_char_boundary(*at)) else { return false };
    let (before, target) = body.split_at(at);
    let before = before.trim_end_matches('x');
    let piece = before.is_empty()
        || before.chars().all(|c| matches!(c, 'K' | 'Q' | 'R' | 'B' | 'N' | 'a'..='h' | '1'..='8')) && before.len() <= 3;
    // Two squares alone may also be a move of xiangqi.
    square(target) && !square(before) && (piece || promoted)
}
