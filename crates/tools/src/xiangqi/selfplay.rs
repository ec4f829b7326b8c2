//! Self-play games of the engine, with the search's score of every position.
//!
//! A game begins with 8 to 12 random moves, none of which loses a piece at once, and is used if the search then sees neither side more than
//! [`EVEN`] ahead. It is played by the rules of the Asian Xiangqi Federation to its end, or until one side has been far ahead for some plies, or until
//! there was no capture for a long time and neither side is ahead. Drawn endings are played long enough to be useful for training.
//!
//! A game is stored as: who won and how the game ended (a byte: 0 draw, 1 first, 2 second; plus four times the [`End`]); the number of random moves (a
//! byte); the length of the text of the first position (a byte, 0 for the game's own start) and that text; the number of further moves
//! (`u16`); the random moves (`u16` each: `from * 128 + to`, where a point is `rank * 9 + file`); then for each further ply its move (`u16`) and the score
//! of the position before it for the side to move (`i16`, hundredths of a soldier; ±[`WON`] is a forced win). Numbers are
//! little-endian: four bytes a ply.

use crate::training::SelfPlay;
use crate::training::archive::Record;
use qiju_core::games::xiangqi::engine::engine::XiangqiEngine;
use qiju_core::games::xiangqi::engine::exchange;
use qiju_core::games::xiangqi::rules::adjudication::adjudicate;
use qiju_core::games::xiangqi::rules::board::{Board, Move};
use qiju_core::rules::{History, Position, Side};
use qiju_core::search::{Engine, Info, Job, Limits, StopToken, Value};
use qiju_core::table::{EngineOptions, Evaluation};

/// The score of a forced win.
pub const WON: i16 = 10_000;
/// The random moves at the start of a game.
const OPENING: std::ops::RangeInclusive<usize> = 8..=12;
/// The largest score after the random moves; otherwise other random moves are tried.
const EVEN: i16 = 400;
/// A game is adjudicated as won when one side is this far ahead for this number of plies in a row.
const DECIDED: i16 = 2000;
const DECIDED_PLIES: i32 = 6;
/// A game is adjudicated as drawn after this number of plies without a capture, if neither side was further ahead than
/// [`LEVEL`] for the last [`LEVEL_PLIES`].
const QUIET: u16 = 80;
const LEVEL: i16 = 60;
const LEVEL_PLIES: u32 = 30;
/// The longest game, in scored plies.
const LONGEST: usize = 400;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Rules,
    /// Adjudicated as won.
    Decided,
    /// Adjudicated as drawn.
    Level,
    /// It was too long and counts as drawn.
    Long,
}

impl End {
    const ALL: [End; 4] = [End::Rules, End::Decided, End::Level, End::Long];
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// How it ended.
    pub end: End,
    /// The position before the random moves.
    pub start: Board,
    /// The random moves it begins with.
    pub opening: Vec<Move>,
    /// The moves played from there on, each with the score of the position before it for the side to move.
    pub plies: Vec<(Move, i16)>,
}

impl Game {
    /// The position after the random moves.
    pub fn first_scored(&self) -> Board {
        let mut board = self.start.clone();
        for &mv in &self.opening {
            board.apply(mv);
        }
        board
    }
}

/// Plays games with a fixed number of nodes per move.
pub struct Games {
    engine: XiangqiEngine,
    nodes: u64,
}

impl Games {
    /// A player with `nodes` nodes per move.
    pub fn new(nodes: u64, evaluation: &Evaluation) -> Games {
        let options = EngineOptions { hash_mb: 4, evaluation: evaluation.clone(), ..EngineOptions::default() };
        Games { engine: XiangqiEngine::new(&options), nodes }
    }

    /// Plays the game of a seed.
    pub fn play(&mut self, seed: u64) -> Game {
        let mut random = fastrand::Rng::with_seed(seed);
        self.engine.forget();
        loop {
            let mut history = History::new(Board::default());
            for _ in 0..random.usize(OPENING) {
                let Some(mv) = random_move(history.current(), &mut random) else { break };
                history.push(mv);
            }
            let opening = history.moves().to_vec();
            if history.ply() < *OPENING.start() || history.current().outcome().is_some() || adjudicate(&history).is_some() {
                continue;
            }
            let Some(first) = self.think(&history).filter(|(_, score)| score.abs() <= EVEN) else { continue };
            let start = history.start().clone();
            let (winner, end, plies) = self.play_on(history, first);
            return Game { winner, end, start, opening, plies };
        }
    }

    /// The engine's move and its score, limited to the range of a stored game. `None` if the game is over.
    fn think(&mut self, history: &History<Board>) -> Option<(Move, i16)> {
        let mut value = Value::Cp(0);
        let mut info = |info: Info<Move>| value = info.value;
        let job = Job::new(Limits::nodes(self.nodes), StopToken::new(), &mut info);
        let mv = self.engine.think(history, job)?;
        let score = match value {
            Value::Cp(cp) => cp.clamp(1 - i32::from(WON), i32::from(WON) - 1) as i16,
            Value::Mate(moves) => moves.signum() as i16 * WON,
            Value::Exact(_) => 0,
        };
        Some((mv, score))
    }

    /// Plays a game to its end; the first of its scored moves is given.
    fn play_on(&mut self, mut history: History<Board>, first: (Move, i16)) -> (Option<Side>, End, Vec<(Move, i16)>) {
        let mut plies = Vec::new();
        let mut next = Some(first);
        // For how many plies the first side (positive) or the second has been seen far ahead, and for how many neither has been ahead.
        let (mut decided, mut level) = (0_i32, 0);
        while let Some((mv, score)) = next {
            let board = history.current();
            let ahead = i32::from(score.signum()) * if board.turn() == Side::First { 1 } else { -1 };
            decided = match score.abs() > DECIDED {
                true if ahead == decided.signum() => decided + ahead,
                true => ahead,
                false => 0,
            };
            level = if score.abs() <= LEVEL { level + 1 } else { 0 };
            let quiet = board.quiet_plies();
            plies.push((mv, score));
            history.push(mv);
            if let Some(outcome) = history.current().outcome().or_else(|| adjudicate(&history)) {
                return (outcome.winner, End::Rules, plies);
            }
            if decided.abs() >= DECIDED_PLIES {
                return (Some(if decided > 0 { Side::First } else { Side::Second }), End::Decided, plies);
            }
            if quiet >= QUIET && level >= LEVEL_PLIES {
                return (None, End::Level, plies);
            }
            if plies.len() >= LONGEST {
                return (None, End::Long, plies);
            }
            next = self.think(&history);
        }
        (None, End::Rules, plies)
    }
}

impl SelfPlay for Games {
    fn game(&mut self, seed: u64) -> Record {
        let game = self.play(seed);
        Record { positions: game.plies.len() as u32, bytes: write(&game) }
    }
}

/// A random legal move that does not lose a piece on the point it goes to.
fn random_move(board: &Board, random: &mut fastrand::Rng) -> Option<Move> {
    let mut legal = Vec::new();
    board.legal_moves(&mut legal);
    legal.retain(|mv| exchange::wins(board, *mv, 0));
    random.choice(&legal).copied()
}

/// Writes a game as bytes.
pub fn write(game: &Game) -> Vec<u8> {
    let winner = match game.winner {
        None => 0,
        Some(Side::First) => 1,
        Some(Side::Second) => 2,
    };
    let start = if game.start == Board::default() { String::new() } else { game.start.text() };
    let mut bytes = vec![winner + 4 * game.end as u8, game.opening.len() as u8, start.len() as u8];
    bytes.extend(start.bytes());
    bytes.extend((game.plies.len() as u16).to_le_bytes());
    bytes.extend(game.opening.iter().flat_map(|mv| mv.0.to_le_bytes()));
    for (mv, score) in &game.plies {
        bytes.extend(mv.0.to_le_bytes());
        bytes.extend(score.to_le_bytes());
    }
    bytes
}

/// The next bytes of a game.
fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], String> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or("the game ends too early")?;
    *bytes = rest;
    Ok(taken)
}

fn take_u16(bytes: &mut &[u8]) -> Result<u16, String> {
    take(bytes, 2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

/// Reads a game.
///
/// # Errors
/// What is wrong with it.
pub fn read(mut bytes: &[u8]) -> Result<Game, String> {
    let bytes = &mut bytes;
    let head = take(bytes, 3)?;
    let winner = match head[0] % 4 {
        0 => None,
        1 => Some(Side::First),
        2 => Some(Side::Second),
        _ => return Err("nobody knows who won".to_owned()),
    };
    let end = *End::ALL.get(usize::from(head[0] / 4)).ok_or("nobody knows how it ended")?;
    let start = match take(bytes, usize::from(head[2]))? {
        [] => Board::default(),
        text => {
            let text = std::str::from_utf8(text).map_err(|_| "the first position is no text")?;
            Board::parse(text).map_err(|(at, why)| format!("the first position, character {at}: {why}"))?
        }
    };
    let count = usize::from(take_u16(bytes)?);
    let mut board = start.clone();
    let mut play = |mv: u16, number: usize| {
        let mv = Move(mv);
        if !board.is_legal(mv) {
            return Err(format!("move {number} is not legal"));
        }
        board.apply(mv);
        Ok(mv)
    };
    let mut opening = Vec::new();
    for number in 1..=usize::from(head[1]) {
        opening.push(play(take_u16(bytes)?, number)?);
    }
    let mut plies = Vec::with_capacity(count);
    for number in 1..=count {
        let mv = play(take_u16(bytes)?, opening.len() + number)?;
        plies.push((mv, take_u16(bytes)? as i16));
    }
    if !bytes.is_empty() {
        return Err(format!("{} bytes are left over", bytes.len()));
    }
    Ok(Game { winner, end, start, opening, plies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_follows_from_its_seed_and_is_read_back() {
        let mut games = Games::new(100, &Evaluation::Hand);
        let first = games.play(3);
        assert!((8..=12).contains(&first.opening.len()) && first.plies[0].1.abs() <= EVEN);
        let other = games.play(4);
        assert_ne!(first, other);
        assert_eq!(games.play(3), first, "the games before leave no trace");
        for game in [first, other] {
            let bytes = write(&game);
            assert_eq!(bytes.len(), 5 + 2 * game.opening.len() + 4 * game.plies.len());
            assert_eq!(read(&bytes).unwrap(), game);
        }
        let ending = Board::parse("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1").unwrap();
        let (mv, _) = Games::new(50, &Evaluation::Hand).think(&History::new(ending.clone())).unwrap();
        let game = Game { winner: Some(Side::First), end: End::Decided, start: ending, opening: vec![], plies: vec![(mv, WON)] };
        assert_eq!(read(&write(&game)).unwrap(), game);
    }

    #[test]
    fn games_end_by_the_rules_or_are_broken_off_as_they_stand() {
        let mut games = Games::new(60, &Evaluation::Hand);
        let played: Vec<Game> = (0..30).map(|seed| games.play(seed)).collect();
        for game in &played {
            let mut history = History::new(game.start.clone());
            game.opening.iter().chain(game.plies.iter().map(|(mv, _)| mv)).for_each(|&mv| history.push(mv));
            let outcome = history.current().outcome().or_else(|| adjudicate(&history));
            match game.end {
                End::Rules => assert_eq!(outcome.map(|outcome| outcome.winner), Some(game.winner)),
                End::Decided => {
                    let (_, score) = *game.plies.last().unwrap();
                    assert!(outcome.is_none() && score.abs() > DECIDED && game.winner.is_some());
                }
                End::Level | End::Long => assert!(outcome.is_none() && game.winner.is_none()),
            }
        }
        assert!(played.iter().any(|game| game.winner.is_some()));
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let whole = write(&Games::new(50, &Evaluation::Hand).play(1));
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{end} bytes");
        }
        // (byte, put there, a part of the message)
        let cases = [(0, 3, "who won"), (0, 17, "how it ended"), (2, 1, "first position"), (6, 90, "move 1 is not legal")];
        for (at, put, part) in cases {
            let mut bad = whole.clone();
            bad[at] = put;
            let error = read(&bad).unwrap_err();
            assert!(error.contains(part), "{at}: {error}");
        }
        let error = read(&[&whole[..], &[0]].concat()).unwrap_err();
        assert!(error.contains("left over"), "{error}");
    }
}
