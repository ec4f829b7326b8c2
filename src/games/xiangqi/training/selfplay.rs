//! Games of the engine against itself, a line each.
//!
//! A line is `WINNER OPENING MOVE:SCORE..`: `r`, `b` or `d`; the random moves of the opening joined by `,`; then for each further ply the move that
//! was played and what the search thought of it, in hundredths of a soldier for the side to move.

use crate::games::xiangqi::engine::engine::XiangqiEngine;
use crate::games::xiangqi::rules::adjudication::adjudicate;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::notation;
use crate::rules::{History, Position, Side};
use crate::search::{Engine, Job, Limits, StopToken, Value};
use crate::table::EngineOptions;

/// A score that stands for a win by force.
pub const WON: i32 = 10_000;
/// A game that stands so far from even after its opening teaches little: another opening is drawn.
const EVEN: i32 = 500;
/// A game is broken off as won once so many plies in a row one side is seen this far ahead.
const DECIDED: i32 = 1400;
const DECIDED_PLIES: i32 = 6;
/// Longest game, in plies.
const LONGEST: usize = 300;

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// The random moves it begins with.
    pub opening: Vec<Move>,
    /// The moves played from there on, each with what the search thought of it for the side to move.
    pub plies: Vec<(Move, i32)>,
}

/// Plays a game from a random opening that leaves both sides about even.
pub fn play(nodes: u64, random: &mut fastrand::Rng) -> Game {
    let mut engine = XiangqiEngine::new(&EngineOptions { hash_mb: 4, ..EngineOptions::default() });
    loop {
        engine.forget();
        let mut history = History::new(Board::default());
        for _ in 0..random.usize(4..=11) {
            let mut legal = Vec::new();
            history.current().legal_moves(&mut legal);
            let Some(mv) = random.choice(&legal) else { break };
            history.push(*mv);
        }
        let opening = history.moves().to_vec();
        if let Some((winner, plies)) = play_on(&mut engine, history, nodes) {
            return Game { winner, opening, plies };
        }
    }
}

/// Plays a game to its end: the winner and the moves. `None` where the opening left one side too far ahead.
fn play_on(engine: &mut XiangqiEngine, mut history: History<Board>, nodes: u64) -> Option<(Option<Side>, Vec<(Move, i32)>)> {
    let mut plies = Vec::new();
    // For how many plies the first side (positive) or the second has been seen far ahead.
    let mut decided: i32 = 0;
    loop {
        let board = history.current();
        if let Some(outcome) = board.outcome().or_else(|| adjudicate(&history)) {
            return Some((outcome.winner, plies));
        }
        let mut value = Value::Cp(0);
        let job = Job {
            limits: Limits::nodes(nodes),
            left_out: Vec::new(),
            stop: StopToken::new(),
            info: &mut |info| value = info.value,
        };
        let mv = engine.think(&history, job)?;
        let score = match value {
            Value::Cp(cp) => cp,
            Value::Mate(moves) => moves.signum() * WON,
            Value::Exact(_) => 0,
        };
        if history.ply() < 12 && score.abs() > EVEN {
            return None;
        }
        let ahead = if board.turn() == Side::First { score.signum() } else { -score.signum() };
        decided = if score.abs() <= DECIDED {
            0
        } else if ahead == decided.signum() {
            decided + ahead
        } else {
            ahead
        };
        plies.push((mv, score));
        history.push(mv);
        if decided.abs() >= DECIDED_PLIES {
            return Some((Some(if decided > 0 { Side::First } else { Side::Second }), plies));
        }
        if history.ply() > LONGEST {
            return Some((None, plies));
        }
    }
}

/// Writes a game as a line, without the line's end.
pub fn write(game: &Game) -> String {
    let winner = match game.winner {
        Some(Side::First) => "r",
        Some(Side::Second) => "b",
        None => "d",
    };
    let opening: Vec<String> = game.opening.iter().map(Move::to_string).collect();
    let plies = game.plies.iter().map(|(mv, score)| format!(" {mv}:{score}"));
    format!("{winner} {}{}", opening.join(","), plies.collect::<String>())
}

/// Reads a line.
///
/// # Errors
/// What is wrong with it.
pub fn read(line: &str) -> Result<Game, String> {
    let mut words = line.split_whitespace();
    let winner = match words.next() {
        Some("r") => Some(Side::First),
        Some("b") => Some(Side::Second),
        Some("d") => None,
        _ => return Err("a game begins with r, b or d".to_owned()),
    };
    let mut board = Board::default();
    let mut opening = Vec::new();
    for text in words.next().ok_or("the opening is missing")?.split(',') {
        let mv = notation::read(&board, text)?;
        board.apply(mv);
        opening.push(mv);
    }
    let mut plies = Vec::new();
    for word in words {
        let (text, score) = word.split_once(':').ok_or_else(|| format!("'{word}' has no score"))?;
        let score = score.parse().map_err(|_| format!("'{score}' is no score"))?;
        let mv = notation::read(&board, text)?;
        board.apply(mv);
        plies.push((mv, score));
    }
    Ok(Game { winner, opening, plies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_and_read_back() {
        let game = play(300, &mut fastrand::Rng::with_seed(3));
        assert!(!game.plies.is_empty() && game.opening.len() >= 4);
        assert_eq!(read(&write(&game)).unwrap(), game);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (line, part) in [
            ("", "begins"),
            ("x h2e2", "begins"),
            ("r", "opening"),
            ("r a0a9", "way"),
            ("d h2e2 h9g7", "score"),
            ("b h2e2 h9g7:x", "score"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
