//! A game on a line, as files of openings have them: xiangqi's `FEN ; moves M M ..` and gomoku's `SIZE RULE MOVES [SOURCE]`. `#` begins a comment.

use super::{played, psq};
use crate::record::{Record, RecordError, SeatSpec};
use crate::rules::BySide;
use crate::table::{Notation, Setup};

/// A line of gomoku's: a board, a rule and the moves.
#[derive(Debug, PartialEq, Eq)]
pub struct GomokuLine {
    /// The variant's key, with the board's size.
    pub variant: String,
    /// The moves.
    pub moves: Vec<String>,
}

impl GomokuLine {
    /// Reads `SIZE RULE MOVES [SOURCE]`; `None` if the line is of another kind.
    ///
    /// # Errors
    /// There is no such rule.
    pub fn read(line: &str) -> Option<Result<GomokuLine, String>> {
        let mut words = line.split_whitespace();
        let (size, rule): (u8, u8) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let moves = split_moves(words.next()?);
        let variant =
            psq::variant(rule, size).ok_or_else(|| format!("there is no rule {rule}: 0 free, 1 standard, 4 renju, 8 caro"));
        Some(variant.map(|variant| GomokuLine { variant, moves }))
    }
}

/// `h8i9g10` as its moves.
fn split_moves(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for c in text.chars() {
        match moves.last_mut() {
            Some(last) if !c.is_alphabetic() => last.push(c),
            _ => moves.push(c.to_string()),
        }
    }
    moves
}

/// `POSITION ; moves M M ..` as its two halves; the word and the moves may be missing.
pub fn position_and_moves(line: &str) -> (&str, impl Iterator<Item = &str>) {
    let (position, moves) = line.split_once(';').unwrap_or((line, ""));
    let moves = moves.trim();
    (position.trim(), moves.strip_prefix("moves").unwrap_or(moves).split_whitespace())
}

/// True if a line may be one of these.
pub fn looks_like(line: &str) -> bool {
    GomokuLine::read(line).is_some() || position_and_moves(line).0.matches('/').count() == 9
}

/// Reads the games of a file.
pub fn read(file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let bad = |why: String| RecordError::bad(file, number, why);
        let (game, variant, position, moves) = if let Some(read) = GomokuLine::read(line) {
            let GomokuLine { variant, moves } = read.map_err(bad)?;
            ("gomoku", Some(variant), None, moves)
        } else if looks_like(line) {
            let (position, moves) = position_and_moves(line);
            ("xiangqi", None, Some(position.to_owned()), moves.map(str::to_owned).collect())
        } else {
            return Err(bad("a line is 'FEN ; moves M M ..' or 'SIZE RULE MOVES'".to_owned()));
        };
        let setup = Setup { variant, position };
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
        let record =
            Record { game: game.to_owned(), setup, seats, event: String::new(), moves, times_ms: Vec::new(), result: None };
        records.push(played(file, record, number, &[])?);
    }
    Ok(records)
}

/// Writes a game.
pub fn write(record: &Record) -> Result<String, String> {
    let mut table = record.replay().map_err(|(_, why)| why)?;
    // An opening's choices are no moves on the board.
    let all = table.played_text(Notation::Uci).into_iter().zip(table.played());
    let moves: Vec<String> = all.filter(|(_, action)| action.target().is_some()).map(|(text, _)| text).collect();
    let variant = table.setup().variant.clone().unwrap_or_default();
    match record.game.as_str() {
        "gomoku" if table.pieces().len() == moves.len() => {
            let rule = psq::rule(&variant).ok_or_else(|| format!("there is no number for the variant '{variant}'"))?;
            Ok(format!("{} {rule} {}", table.size().0, moves.concat()))
        }
        "xiangqi" => {
            while table.undo().is_some() {}
            Ok(format!("{} ; moves {}", table.position_text(), moves.join(" ")))
        }
        other => Err(format!("there is no line format for this game of {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_without_blanks() {
        assert_eq!(split_moves("h8i10g7"), ["h8", "i10", "g7"]);
        assert_eq!(split_moves(""), [""; 0]);
        assert_eq!(split_moves("8h"), ["8", "h"]);
    }
}
