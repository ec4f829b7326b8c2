//! Reads a file of openings.

use crate::cli::ask::PositionArgs;
use qiju_core::arena::Opening;
use qiju_core::games::Entry;
use qiju_core::record::{GomokuLine, position_and_moves};
use qiju_core::table::{Setup, Table};
use qiju_core::terminal::Failure;
use std::path::Path;

/// Reads a file of openings. `#` begins a comment. A line is `POSITION` or `POSITION ; moves M M ..`; for gomoku it is
/// `SIZE RULE MOVES`, as Gomocup writes them. Lines of the requested board size and rule are used; if there are none, those of
/// the freestyle rule.
pub fn load(path: &Path, entry: &Entry, asked: &PositionArgs) -> Result<Vec<Opening>, Failure> {
    let bytes = qiju_core::storage::read_file(path).map_err(|error| Failure::file(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{}: not valid UTF-8 text", path.display())))?;
    let mut openings = Vec::new();
    // Gomoku's freestyle lines of the right size, in case there are none with the requested rule.
    let mut free = Vec::new();
    let board = asked.table()?;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let read = match GomokuLine::read(line).filter(|_| entry.key == "gomoku") {
            Some(read) => read.map_err(String::from).and_then(|line| gomoku_opening(entry, &*board, &line)),
            None => opening(entry, asked, line).map(|opening| (Kind::Asked, Some(opening))),
        };
        let (kind, opening) = read.map_err(|why| Failure::usage(format!("{}:{number}: {why}", path.display())))?;
        match kind {
            Kind::Asked => openings.extend(opening),
            Kind::Free => free.extend(opening),
        }
    }
    if openings.is_empty() {
        openings = free;
    }
    if openings.is_empty() {
        return Err(Failure::usage(format!("{}: there is no opening for this game and board", path.display())));
    }
    Ok(openings)
}

fn opening(entry: &Entry, asked: &PositionArgs, line: &str) -> Result<Opening, String> {
    let (position, moves) = position_and_moves(line);
    let position = Some(position.to_owned()).filter(|position| !matches!(position.as_str(), "" | "-" | "startpos"));
    let setup = Setup { variant: asked.variant.clone(), position };
    let table = entry.table(&setup).map_err(|error| error.to_string())?;
    play(table, moves)
}

fn play<'a>(mut table: Box<dyn Table>, moves: impl Iterator<Item = &'a str>) -> Result<Opening, String> {
    let start = table.ply();
    for (number, text) in (1..).zip(moves) {
        let played = table.read(text).and_then(|action| table.play(action));
        played.map_err(|error| format!("move {number}: {error}"))?;
    }
    if let Some(outcome) = table.outcome() {
        return Err(format!("the game is over after this opening ({})", outcome.reason.key()));
    }
    let moves = table.ply() - start;
    Ok(Opening::new(table, moves))
}

enum Kind {
    Asked,
    Free,
}

fn gomoku_opening(entry: &Entry, board: &dyn Table, line: &GomokuLine) -> Result<(Kind, Option<Opening>), String> {
    let (rule, size) = line.variant.split_once(':').unwrap_or((&line.variant, ""));
    let asked = board.setup().variant.as_deref().and_then(|variant| variant.split(':').next()).unwrap_or("freestyle");
    let kind = if rule == asked { Kind::Asked } else { Kind::Free };
    if size != board.size().0.to_string() || (rule != asked && rule != "freestyle") {
        return Ok((kind, None));
    }
    let setup = Setup { variant: Some(format!("{asked}:{size}")), position: None };
    let table = entry.table(&setup).map_err(|error| error.to_string())?;
    match play(table, line.moves.iter().map(String::as_str)) {
        Ok(opening) => Ok((kind, Some(opening))),
        // A freestyle line is played by the requested rule, which may refuse it.
        Err(_) if rule != asked => Ok((kind, None)),
        Err(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games;

    fn asked(game: &str, variant: Option<&str>) -> PositionArgs {
        PositionArgs { game: game.into(), variant: variant.map(str::to_owned), position: None }
    }

    fn read(game: &str, variant: Option<&str>, text: &str) -> Result<usize, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        match load(file.path(), games::find(game).unwrap(), &asked(game, variant)) {
            Ok(openings) => Ok(openings.len()),
            Err(Failure::Usage(why)) => Err(why),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn openings_are_read_or_refused_with_their_line() {
        let good = "# all\n\n- ; moves b2 a1 # two\n....x.... o\n....x.... o ; a1\n";
        assert_eq!(read("tic-tac-toe", None, good), Ok(3));
        let cases = [
            ("# none\n", "there is no opening"),
            ("-\n????\n", ":2: position, character"),
            ("- ; moves b2 b2", ":1: move 2: "),
            ("- ; moves a1 a2 b1 b2 c1", ":1: the game is over"),
        ];
        for (text, words) in cases {
            let why = read("tic-tac-toe", None, text).unwrap_err();
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn gomoku_takes_the_lines_of_its_board_and_rule() {
        let text = "15 0 h8i9\n15 4 h8i9g7\n15 1 h8 # c\n20 0 j10\n15 4 h8i8\n";
        // (variant, number of openings)
        let cases = [(None, 1), (Some("renju"), 2), (Some("standard:15"), 1), (Some("caro"), 1), (Some("freestyle:20"), 1)];
        for (variant, count) in cases {
            assert_eq!(read("gomoku", variant, text), Ok(count), "{variant:?}");
        }
        assert!(read("gomoku", Some("renju:19"), text).unwrap_err().contains("no opening"));
        assert!(read("gomoku", None, "15 0 h8h8").unwrap_err().contains(":1: move 2: "));
        assert!(read("gomoku", None, "15 3 h8").unwrap_err().contains(":1: there is no rule 3"));
    }
}
