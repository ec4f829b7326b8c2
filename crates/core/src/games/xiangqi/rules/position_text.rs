//! Reads and writes position text (FEN; the side to move is `w` or `r`, or `b`).

use super::attacks::{self, Bits, Points, bit};
use super::board::{Board, point};
use super::piece::{Piece, Role};
use crate::message;
use crate::message::Message;
use crate::rules::{FaultKind, PositionFault, Side};

/// The start position.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The points that a piece can ever reach.
pub const fn possible(piece: Piece, at: usize) -> bool {
    let side = piece.side();
    let (file, rank) = (at % 9, if matches!(side, Side::First) { at / 9 } else { 9 - at / 9 });
    match piece.role() {
        Role::General => attacks::PALACE[side.index()] & bit(at) != 0,
        Role::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        Role::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        Role::Soldier => rank >= 5 || rank >= 3 && file % 2 == 0,
        _ => true,
    }
}

/// The character of an error, from 1, and what is wrong.
type Bad = (usize, Message);

impl Board {
    /// Reads position text (FEN): ranks from the top joined by `/`, `w` (or `r`) or `b`, then optionally `- -` and the two counters,
    /// plies since a capture and number of the move. H and E are read for N and B.
    ///
    /// # Errors
    /// The character (from 1) and the reason.
    pub fn parse(text: &str) -> Result<Board, (usize, Message)> {
        let (start, board) = Board::read(text, true)?;
        let faults = board.faults();
        faults.first().map_or(Ok(()), |fault| Err((start, told(fault))))?;
        Ok(board)
    }

    /// Reads position text without asking whether it is a position of a game: both generals, checks. `limited`: each piece on a point that
    /// it can reach, and not more of a kind than there are. Also returns the character of the first piece.
    ///
    /// # Errors
    /// The same as for [`parse`](Board::parse).
    pub fn read(text: &str, limited: bool) -> Result<(usize, Board), (usize, Message)> {
        let mut fields = Fields { text, at: 0 };
        let mut board = Board::empty();
        let Some((start, pieces)) = fields.next() else { return Err((1, message!("the position is empty"))) };
        board.parse_pieces(start, pieces, limited)?;
        board.turn = match fields.next() {
            None => return Err((fields.end(), message!("the side to move is missing"))),
            Some((_, "w" | "W" | "r" | "R")) => Side::First,
            Some((_, "b" | "B")) => Side::Second,
            Some((at, other)) => return Err((at, message!("'{}' is not a side: w or b", other))),
        };
        let mut rest: Vec<(usize, &str)> = Vec::new();
        while let Some(field) = fields.next() {
            rest.push(field);
        }
        let mut counters = &rest[..];
        if let [(_, "-"), (_, "-"), after @ ..] = counters {
            counters = after;
        }
        let number = |(at, text): (usize, &str)| {
            text.parse::<u16>().ok().filter(|n| *n < 10_000).ok_or((at, message!("'{}' is not a number from 0 to 9999", text)))
        };
        if let Some(&field) = counters.first() {
            board.quiet = number(field)?;
        }
        if let Some(&field) = counters.get(1) {
            board.number = number(field)?.max(1);
        }
        if let Some(&(at, text)) = counters.get(2) {
            return Err((at, message!("'{}' follows a complete position", text)));
        }
        board.key = board.hash_from_scratch();
        Ok((start, board))
    }

    fn parse_pieces(&mut self, start: usize, text: &str, limited: bool) -> Result<(), Bad> {
        let (mut rank, mut file) = (9usize, 0usize);
        let mut at = start;
        for letter in text.chars() {
            match letter {
                '/' => {
                    if file != 9 {
                        return Err((at, message!("rank {} has {} points, not 9", rank, file)));
                    }
                    if rank == 0 {
                        return Err((at, message!("there are more than 10 ranks")));
                    }
                    (rank, file) = (rank - 1, 0);
                }
                '1'..='9' => {
                    file += letter as usize - '0' as usize;
                    if file > 9 {
                        return Err((at, message!("rank {} has more than 9 points", rank)));
                    }
                }
                _ => {
                    let Some(role) = Role::from_letter(letter).filter(|_| letter.is_ascii()) else {
                        return Err((at, message!("'{}' is not a piece: k a b n r c p, capital for Red", letter)));
                    };
                    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                    if file > 8 {
                        return Err((at, message!("rank {} has more than 9 points", rank)));
                    }
                    let piece = Piece::new(side, role);
                    let square = rank * 9 + file;
                    if limited && !possible(piece, square) {
                        return Err((at, message!("'{}' can never be on {}{}", letter, char::from(b'a' + file as u8), rank)));
                    }
                    if limited && self.of(side, role).count_ones() as usize >= role.set() {
                        return Err((at, message!("there are more than {} of '{}'", role.set(), letter)));
                    }
                    self.put(piece, square);
                    file += 1;
                }
            }
            at += 1;
        }
        if rank != 0 {
            return Err((at, message!("there are {} ranks, not 10", 10 - rank)));
        }
        if file != 9 {
            return Err((at, message!("rank 0 has {} points, not 9", file)));
        }
        Ok(())
    }

    /// Everything that is wrong with these pieces and this side to move.
    pub fn faults(&self) -> Vec<PositionFault> {
        let mut faults = Vec::new();
        let points = |bits: Bits| Points(bits).map(point).collect::<Vec<_>>();
        for side in Side::BOTH {
            for role in Role::ALL {
                let (of, number) = (self.of(side, role), role as u8);
                for at in Points(of).filter(|at| !possible(Piece::new(side, role), *at)) {
                    faults.push(PositionFault { kind: FaultKind::Misplaced { side, role: number }, at: vec![point(at)] });
                }
                if of.count_ones() as usize > role.set() {
                    let kind = FaultKind::TooMany { side, role: number, most: role.set() };
                    faults.push(PositionFault { kind, at: points(of) });
                }
            }
            if self.of(side, Role::General) == 0 {
                let kind = FaultKind::Missing { side, role: Role::General as u8 };
                faults.push(PositionFault { kind, at: Vec::new() });
            }
        }
        // Checks are asked about only where there is a general each.
        if !faults.is_empty() {
            return faults;
        }
        let [red, black] = Side::BOTH.map(|side| self.general(side));
        let waiting = !self.turn;
        if self.generals_face() {
            faults.push(PositionFault { kind: FaultKind::GeneralsFace, at: vec![point(red), point(black)] });
        } else if self.in_check(waiting) {
            let mut at = points(self.attackers(self.turn, self.general(waiting)));
            at.insert(0, point(self.general(waiting)));
            faults.push(PositionFault { kind: FaultKind::CheckAfterMove { side: waiting }, at });
        }
        faults
    }

    /// The position as text that [`parse`](Board::parse) can read.
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

/// A fault as a message.
fn told(fault: &PositionFault) -> Message {
    match fault.kind {
        FaultKind::Missing { side: Side::First, .. } => message!("Red's general (K) is missing"),
        FaultKind::Missing { side: Side::Second, .. } => message!("Black's general (k) is missing"),
        FaultKind::GeneralsFace => message!("the generals face each other on an open file"),
        FaultKind::CheckAfterMove { .. } => message!("the side that is not to move is in check"),
        // These are found at their characters.
        _ => message!("the pieces are not those of a game"),
    }
}

/// The words of a text, each with its first character.
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
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", 25, "not a side"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", 22, "9 ranks"),
        ("3k5/9/9/9/9/9/9/9/9/9/4K4 w", 22, "more than 10"),
        ("3k6/9/9/9/9/9/9/9/9/4K4 w", 3, "more than 9"),
        ("3k4/9/9/9/9/9/9/9/9/4K4 w", 4, "not 9"),
        ("3k5/9/9/9/9/9/9/9/9/4K3 w", 24, "not 9"),
        ("3q5/9/9/9/9/9/9/9/9/4K4 w", 2, "not a piece"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", 1, "Red's general"),
        ("9/9/9/9/9/9/9/9/9/4K4 w", 1, "Black's general"),
        ("2k6/9/9/9/9/9/9/9/9/4K4 w", 2, "never"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", 17, "never"),
        ("3k5/9/9/9/9/9/9/9/9/A3K4 w", 21, "never"),
        ("3k5/9/9/B8/9/9/9/9/9/4K4 w", 9, "never"),
        ("3k5/9/RRR6/9/9/9/9/9/9/4K4 w", 9, "more than 2"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", 1, "face"),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w", 1, "in check"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1", 31, "number"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 9", 35, "follows"),
        ("将3k5/9 w", 1, "not a piece"),
    ];

    #[test]
    fn wrong_text_is_refused_with_its_place() {
        for &(text, at, word) in WRONG {
            let (place, why) = Board::parse(text).unwrap_err();
            assert!(place == at && why.to_string().contains(word), "{text}: {place}: {why}");
        }
    }
}
