//! The openings of a match.

use crate::cli::ask::PositionArgs;
use crate::cli::failure::Failure;
use qiju_core::games::Entry;
use qiju_core::record::{GomokuLine, position_and_moves};
use qiju_core::table::{Action, Setup, Table};
use std::path::Path;

/// A position and the moves of the opening.
pub struct Opening {
    start: Box<dyn Table>,
    moves: usize,
}

impl Clone for Opening {
    fn clone(&self) -> Self {
        Opening { start: self.start.boxed_clone(), moves: self.moves }
    }
}

impl Opening {
    /// An opening without moves.
    pub fn of(start: Box<dyn Table>) -> Opening {
        Opening { start, moves: 0 }
    }

    /// The table after the opening.
    pub fn table(&self) -> Box<dyn Table> {
        self.start.boxed_clone()
    }

    /// The number of moves of the opening.
    pub fn moves(&self) -> usize {
        self.moves
    }
}

/// The game's balanced opening for a pair of games; `None` if it has none.
pub fn balanced(entry: &Entry, start: &dyn Table, pair: usize, seed: u64) -> Option<Opening> {
    let variant = start.setup().variant.as_deref().unwrap_or_default();
    let setup = entry.opening(variant, seed.wrapping_mul(1_000_003).wrapping_add(pair as u64))?;
    entry.table(&setup).ok().map(Opening::of)
}

/// Openings of random moves that do not end the game. Fewer if the game does not have so many.
pub fn random(start: &dyn Table, plies: u16, count: usize, seed: u64) -> Vec<Opening> {
    const ATTEMPTS: usize = 100;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut attempt = |plies: u16| {
        let mut table = start.boxed_clone();
        for _ in 0..plies {
            let actions: Vec<Action> = table.actions();
            if actions.is_empty() {
                return None;
            }
            table.play(actions[random.usize(..actions.len())]).ok()?;
        }
        table.outcome().is_none().then_some(Opening { start: table, moves: usize::from(plies) })
    };
    // Without random moves there is only one opening.
    let count = if plies == 0 { 1 } else { count };
    let mut openings: Vec<Opening> = (0..count).filter_map(|_| (0..ATTEMPTS).find_map(|_| attempt(plies))).collect();
    if openings.is_empty() {
        openings.push(Opening { start: start.boxed_clone(), moves: 0 });
    }
    openings
}

/// Reads a file of openings. `#` begins a comment. A line is `POSITION` or `POSITION ; moves M M ..`; for gomoku it is
/// `SIZE RULE MOVES`, as Gomocup writes them. Lines of the requested board size and rule are used; if there are none, those of
/// the freestyle rule.
pub fn load(path: &Path, entry: &Entry, asked: &PositionArgs) -> Result<Vec<Opening>, Failure> {
    let bytes = qiju_core::storage::read_file(path).map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{}: not valid UTF-8 text", path.display())))?;
    let mut openings = Vec::new();
    // Gomoku's freestyle lines of the right size, in case there are none with the requested rule.
    let mut free = Vec::new();
    let board = asked.table()?;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let read = match GomokuLine::read(line).filter(|_| entry.key == "gomoku") {
            Some(read) => read.and_then(|line| gomoku_opening(entry, &*board, &line)),
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
    Ok(Opening { start: table, moves })
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

    #[test]
    fn balanced_openings_where_the_game_has_them() {
        let start = |game: &str| games::find(game).unwrap().table(&Setup::default()).unwrap();
        for pair in 0..12 {
            let opening = balanced(games::find("gomoku").unwrap(), &*start("gomoku"), pair, 1).unwrap();
            assert!(opening.table().pieces().len() >= 3);
            assert!(balanced(games::find("xiangqi").unwrap(), &*start("xiangqi"), pair, 1).is_none());
        }
    }

    #[test]
    fn random_openings_differ_and_do_not_end_the_game() {
        let table = games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
        let openings = random(&*table, 4, 30, 1);
        assert_eq!(openings.len(), 30);
        assert!(openings.iter().all(|opening| opening.table().outcome().is_none() && opening.table().ply() == 4));
        let texts: std::collections::HashSet<_> = openings.iter().map(|opening| opening.table().position_text()).collect();
        assert!(texts.len() > 10);
        assert_eq!(random(&*table, 0, 30, 1).len(), 1);
        assert_eq!(random(&*table, 40, 30, 1).len(), 1, "if there is no other opening, the start is used");
    }
}
