//! Self-play games of the engine, one per line.
//!
//! A line is `WINNER [RULE] OPENING BEST:SCORE..`: `b`, `w` or `d`; the rule, if it is not freestyle; the stones of the opening; then for each
//! further ply the best move of the search and its score for the side to move, in hundredths of an open two. `:PLAYED` follows if another move
//! was played, to reach positions that do not occur in play without mistakes.
//!
//! A quarter of the games are freestyle, a quarter standard, and half renju, whose sides have values of their own; which one a game is follows from
//! its seed.

use qiju_core::games::gomoku::engine::engine::GomokuEngine;
use qiju_core::games::gomoku::engine::{candidates, values};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::notation;
use qiju_core::games::gomoku::rules::rule::Rule;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::{History, Position, Side};
use qiju_core::search::{Engine, Job, Limits, StopToken, Value};
use qiju_core::table::{EngineOptions, Evaluation};

/// The score of a proven win.
pub const PROVEN: i32 = 10_000;
/// The rules of the games; each is drawn as often as it is listed.
const RULES: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Renju];
/// The lines of the board.
const LINES: u8 = 15;
/// One move in this many is chosen at random among the [`CHOICE`] points with the highest values for both sides.
const RANDOM_MOVE: u32 = 12;
const CHOICE: usize = 10;
/// The largest score of either side for an opening to be used, in hundredths of an open two. Most random openings are already lost for
/// one side, and decided positions are of little use for training.
const EVEN: i32 = 120;
/// The most plies of a game.
const LONGEST: usize = 120;

/// One ply: the result of the search and the move played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The best move.
    pub best: Spot,
    /// The score for the side to move; from [`PROVEN`] on, a proven win or loss.
    pub score: i32,
    /// The move that was played.
    pub played: Spot,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its rule.
    pub rule: Rule,
    /// The index of the winner, 0 or 1; 2 is a draw.
    pub winner: usize,
    /// The stones before the engine's first move.
    pub opening: Vec<Spot>,
    /// The plies after the opening.
    pub plies: Vec<Ply>,
}

/// The name of a rule in a line, as in the keys of the variants.
fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "freestyle",
        Rule::Standard => "standard",
        Rule::Renju => "renju",
        Rule::Caro => "caro",
        Rule::CaroLong => "caro-long",
    }
}

impl Game {
    /// The board before its first stone.
    pub fn start(&self) -> Board {
        Board::new(self.rule, LINES)
    }
}

/// The engine that plays the games, with this evaluation. A network that cannot be loaded is not used.
pub fn engine(evaluation: &Evaluation) -> GomokuEngine {
    GomokuEngine::new(&EngineOptions { hash_mb: 4, evaluation: evaluation.clone(), ..EngineOptions::default() })
}

/// Plays one game on 15 lines with about `nodes` nodes per move, up to a proven win. The engine forgets everything first.
pub fn play(engine: &mut GomokuEngine, nodes: u64, random: &mut fastrand::Rng) -> Game {
    engine.forget();
    let rule = RULES[random.usize(0..RULES.len())];
    let opening = opening(engine, rule, nodes, random);
    let mut history = History::new(Board::new(rule, LINES));
    opening.iter().for_each(|&spot| history.push(spot));
    let mut plies = Vec::new();
    let mut winner = 2;
    while history.current().outcome().is_none() && history.ply() < LONGEST {
        let limit = nodes / 2 + random.u64(0..nodes.max(1));
        let Some((best, score)) = think(engine, &history, limit) else { break };
        let mover = history.current().side_to_move();
        if score >= PROVEN {
            plies.push(Ply { best, score, played: best });
            winner = mover.index();
            break;
        }
        if score <= -PROVEN {
            winner = (!mover).index();
            break;
        }
        let mut played = best;
        if random.u32(0..RANDOM_MOVE) == 0 {
            let board = history.current();
            let mut near: Vec<Spot> = candidates::candidates(board).iter().collect();
            let ordering_score =
                |spot: &Spot| Side::BOTH.map(|side| values::ordering_score(board, *spot, side)).iter().sum::<i32>();
            near.sort_by_key(|spot| -ordering_score(spot));
            played = near[random.usize(0..near.len().min(CHOICE))];
        }
        plies.push(Ply { best, score, played });
        history.push(played);
    }
    if let Some(side) = history.current().winner() {
        winner = side.index();
    }
    Game { rule, winner, opening, plies }
}

/// The best move and its score.
pub fn think(engine: &mut GomokuEngine, history: &History<Board>, nodes: u64) -> Option<(Spot, i32)> {
    let mut value = Value::Cp(0);
    let best = engine.think(history, Job::new(Limits::nodes(nodes), StopToken::new(), &mut |info| value = info.value))?;
    let score = match value {
        Value::Cp(cp) => cp,
        Value::Mate(plies) => PROVEN * plies.signum(),
        Value::Exact(_) => 0,
    };
    Some((best, score))
}

/// A few random stones near each other, drawn again until the position is about even.
fn opening(engine: &mut GomokuEngine, rule: Rule, nodes: u64, random: &mut fastrand::Rng) -> Vec<Spot> {
    loop {
        let mut history = History::new(Board::new(rule, LINES));
        let mut opening = Vec::new();
        let lines = 2..LINES - 2;
        let mut spot = Spot::new(random.u8(lines.clone()), random.u8(lines));
        for _ in 0..random.usize(3..12) {
            history.push(spot);
            opening.push(spot);
            let board = history.current();
            let near: Vec<Spot> = board.near_stones().iter().filter(|&spot| board.is_legal(spot)).collect();
            if near.is_empty() {
                break;
            }
            spot = near[random.usize(0..near.len())];
        }
        if history.current().outcome().is_none() && think(engine, &history, nodes).is_some_and(|(_, score)| score.abs() <= EVEN) {
            return opening;
        }
    }
}

/// Writes a game as a line, without the line's end.
pub fn write(game: &Game) -> String {
    let mut line = format!("{} ", ['b', 'w', 'd'][game.winner]);
    if game.rule != Rule::Freestyle {
        line += &format!("{} ", name(game.rule));
    }
    line.extend(game.opening.iter().map(Spot::to_string));
    for ply in &game.plies {
        line += &format!(" {}:{}", ply.best, ply.score);
        if ply.played != ply.best {
            line += &format!(":{}", ply.played);
        }
    }
    line
}

/// Reads a line.
///
/// # Errors
/// A message that says what is wrong.
pub fn read(line: &str) -> Result<Game, String> {
    let mut words = line.split_whitespace();
    let winner = match words.next() {
        Some("b") => 0,
        Some("w") => 1,
        Some("d") => 2,
        _ => return Err("a game must begin with b, w or d".into()),
    };
    let mut moves = words.next().ok_or("the opening is missing")?;
    let mut rule = Rule::Freestyle;
    if let Some((named, _)) = Rule::of_variant(moves) {
        rule = named;
        moves = words.next().ok_or("the opening is missing")?;
    }
    let opened = notation::read_moves(rule, LINES, moves).map_err(|(at, why)| format!("opening, character {at}: {why}"))?;
    let opening = opened.moves().to_vec();
    let mut board = opened.current().clone();
    let mut plies = Vec::new();
    for word in words {
        let mut parts = word.split(':');
        let best = notation::read_move(&board, parts.next().unwrap_or_default())?;
        let score = parts.next().and_then(|s| s.parse().ok()).ok_or_else(|| format!("\"{word}\" has no score"))?;
        let played = parts.next().map_or(Ok(best), |name| notation::read_move(&board, name))?;
        board.make(played);
        plies.push(Ply { best, score, played });
    }
    Ok(Game { rule, winner, opening, plies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_and_read_back() {
        let (mut engine, mut rules) = (engine(&Evaluation::Hand), Vec::new());
        for seed in 0..12 {
            let game = play(&mut engine, 100, &mut fastrand::Rng::with_seed(seed));
            assert!(!game.plies.is_empty());
            assert_eq!(read(&write(&game)).unwrap(), game);
            rules.push(game.rule);
        }
        assert!(RULES.iter().all(|rule| rules.contains(rule)), "{rules:?}");
    }

    #[test]
    fn invalid_games_are_refused() {
        for (line, part) in [
            ("", "begin"),
            ("x h8", "begin"),
            ("b", "opening"),
            ("b h8z9", "z9"),
            ("b renju", "opening"),
            ("d h8i9 g7", "score"),
            ("b h8i9 h8:0", "occupied"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
