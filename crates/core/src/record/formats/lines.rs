//! Plain text with one game per line, like files of openings: `FEN ; moves M M ..` for xiangqi and `SIZE RULE MOVES
//! [SOURCE]` for gomoku; `#` begins a comment. Other text is searched for a game, see `plain.rs`.

use super::{Loss, ReadItem, Sink, of_reading, plain, rules, tell};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::table::{Action, Notation};

/// A line of gomoku: the board size, the rule and the moves.
#[derive(Debug, PartialEq, Eq)]
pub struct GomokuLine {
    /// The variant's key, with the board's size.
    pub variant: String,
    /// The moves.
    pub moves: Vec<String>,
}

impl GomokuLine {
    /// Reads `SIZE RULE MOVES [SOURCE]`; `None` if the line has another form.
    ///
    /// # Errors
    /// The rule is unknown.
    pub fn read(line: &str) -> Option<Result<GomokuLine, Message>> {
        let mut words = line.split_whitespace();
        let (size, rule): (u8, u8) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let moves = split_moves(words.next().unwrap_or_default());
        let variant =
            rules::of_number(rule).ok_or_else(|| message!("there is no rule {}: 0 free, 1 standard, 4 renju, 8 caro", rule));
        Some(variant.map(|rule| GomokuLine { variant: rules::variant(rule, size), moves }))
    }
}

/// Splits `h8i9g10` into moves.
pub(in crate::record) fn split_moves(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for c in text.chars() {
        match moves.last_mut() {
            Some(last) if !c.is_alphabetic() => last.push(c),
            _ => moves.push(c.to_string()),
        }
    }
    moves
}

/// Splits `POSITION ; moves M M ..` into position and moves; the word `moves` and the moves are optional.
pub fn position_and_moves(line: &str) -> (&str, impl Iterator<Item = &str>) {
    let (position, moves) = line.split_once(';').unwrap_or((line, ""));
    let moves = moves.trim();
    (position.trim(), moves.strip_prefix("moves").unwrap_or(moves).split_whitespace())
}

/// True if a line may have one of these forms.
pub(in crate::record) fn looks_like(line: &str) -> bool {
    let is_fen = |position: &str| {
        let pieces = position.split_whitespace().next().unwrap_or_default();
        pieces.matches('/').count() == 9 && pieces.chars().all(|c| c == '/' || c.is_ascii_alphanumeric())
    };
    let is_points = |line: &GomokuLine| line.moves.iter().all(|mv| mv.len() <= 3 && mv.is_ascii());
    matches!(GomokuLine::read(line), Some(Err(_)))
        || GomokuLine::read(line).is_some_and(|read| read.is_ok_and(|line| is_points(&line)))
        || is_fen(position_and_moves(line).0)
}

/// Reads the games of a file.
pub(super) fn read(text: &str, sink: &mut Sink) {
    let lines = || (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()));
    let of_lines = lines().find(|(_, line)| !line.is_empty()).is_some_and(|(_, line)| looks_like(line));
    if !of_lines {
        return plain::read(text, sink);
    }
    // A position alone, and moves below it in any form.
    let mut filled = lines().filter(|(_, line)| !line.is_empty()).map(|(_, line)| line);
    let alone = filled.next().is_some_and(|line| {
        GomokuLine::read(line).is_none_or(|read| read.is_ok_and(|line| line.moves.is_empty()))
            && position_and_moves(line).1.next().is_none()
    });
    if alone && filled.next().is_some_and(|line| !looks_like(line)) {
        return plain::read(text, sink);
    }
    let mut others = Vec::new();
    for (number, line) in lines().filter(|(_, line)| !line.is_empty()) {
        if !looks_like(line) {
            others.push(number);
        } else if !sink(of_reading(|partial| read_line(line, partial).map_err(|why| Fault::line(number, why)))) {
            return;
        }
    }
    if let Some(first) = others.first() {
        let mut why = message!("a line must be 'FEN ; moves M M ..' or 'SIZE RULE MOVES'");
        if others.len() > 1 {
            why = message!("{}; {} more lines are not, either", why, others.len() - 1);
        }
        tell(sink, ReadItem::Refused(Fault::line(*first, why).into()));
    }
}

fn read_line(line: &str, partial: &mut Partial) -> Result<Record, Message> {
    let (builder, moves) = if let Some(read) = GomokuLine::read(line) {
        let GomokuLine { variant, moves } = read?;
        (partial.gomoku(variant)?, moves)
    } else {
        let (position, moves) = position_and_moves(line);
        let position = if position.contains(char::is_whitespace) { position.to_owned() } else { format!("{position} w") };
        (partial.xiangqi(Some(position))?, moves.map(str::to_owned).collect())
    };
    for (index, mv) in moves.iter().enumerate() {
        builder.play_text(mv).map_err(|why| message!("move {}: {}", index + 1, why))?;
    }
    Ok(builder.finish(None, None))
}

/// Writes a game.
pub(super) fn write(record: &Record) -> Result<(String, Loss), Message> {
    let table = record.replay().map_err(|(_, why)| why)?;
    let told = record.result.filter(|result| table.outcome().is_none_or(|outcome| outcome.winner != result.winner));
    let names =
        [&record.seats.first, &record.seats.second].into_iter().filter(|seat| **seat != crate::record::SeatSpec::Human).count();
    let loss = Loss { names, results: usize::from(told.is_some()), ..Loss::beside_the_main_line(record) };
    let variant = table.setup().variant.clone().unwrap_or_default();
    let text = match record.game.as_str() {
        "gomoku" => {
            let all = table.played_text(Notation::Uci).into_iter().zip(table.played());
            // The choices of an opening are not moves on the board, so a line cannot hold them.
            let moves: Vec<String> = all.filter(|(_, action)| matches!(action, Action::Drop(_))).map(|(text, _)| text).collect();
            if table.pieces().len() != moves.len() {
                return Err(message!("a line of gomoku holds games from the empty board, not from a set-up position"));
            }
            if table.opening().is_some() {
                return Err(message!("a line of gomoku cannot hold the choice of sides in the opening"));
            }
            let rule = rules::number_of(&variant).ok_or_else(|| message!("there is no number for the variant '{}'", variant))?;
            format!("{} {rule} {}", table.size().0, moves.concat())
        }
        "xiangqi" => {
            let start = record.table()?;
            format!("{} ; moves {}", start.position_text(), record.moves(Notation::Uci).join(" "))
        }
        other => return Err(message!("there is no line format for this game of {}", other)),
    };
    Ok((text + "\n", loss))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_without_spaces() {
        assert_eq!(split_moves("h8i10g7"), ["h8", "i10", "g7"]);
        assert_eq!(split_moves(""), [""; 0]);
        assert_eq!(split_moves("8h"), ["8", "h"]);
    }
}
