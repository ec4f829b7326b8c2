//! Positions of searches, each with a judgement of a longer search.
//!
//! What the values have to judge are the leaves of a search, and those look different from the positions of games: one side has made bad moves, threats are not answered. So each third position
//! of a game is searched with few nodes, and some leaves of that search, drawn at random, are searched again on their own.

use super::selfplay::{self, Game, PROVEN};
use crate::games::gomoku::engine::engine::GomokuEngine;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{History, Position};
use crate::search::Engine;
use crate::table::Evaluation;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// One position of a game in this many is searched first.
const EVERY: usize = 3;
/// The nodes of that search, and of the search of each leaf.
const NODES: u64 = 800;
const JUDGING_NODES: u64 = 1500;
/// One game in this many is used for validation only.
const TESTED: usize = 16;
/// Games between two lines of progress.
const STRIDE: usize = 2000;

/// A leaf of a search.
pub struct Judged {
    pub rule: Rule,
    /// The board's lines.
    pub lines: u8,
    /// All moves from the empty board.
    pub moves: Box<[Spot]>,
    /// The best move of its search, and the score for the side to move.
    pub best: Spot,
    pub score: i32,
    /// Whether it is used for validation only.
    pub tested: bool,
}

impl Judged {
    /// The board before the last move, and the board itself.
    pub fn boards(&self) -> (Board, Board) {
        let mut board = Board::new(self.rule, self.lines);
        let mut before = board.clone();
        for (number, &spot) in self.moves.iter().enumerate() {
            if number + 1 == self.moves.len() {
                before = board.clone();
            }
            board.make(spot);
        }
        (before, board)
    }
}

/// The judged leaves of these games, in their order. The same games give the same leaves.
///
/// # Errors
/// The report cannot be written.
pub fn of_searches(games: &[Game], report: &mut dyn Write) -> io::Result<Vec<Judged>> {
    let all = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    writeln!(report, "judging leaves of searches of {} games on {threads} threads", games.len())?;
    let run = || {
        let (mut searcher, mut judge) = (selfplay::engine(&Evaluation::Hand), selfplay::engine(&Evaluation::Hand));
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(number) else { return };
            let judged = of_game(number, game, &mut searcher, &mut judge);
            all.lock().unwrap_or_else(PoisonError::into_inner).push((number, judged));
        }
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let mut told = 0;
        while running.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(std::time::Duration::from_millis(20));
            let begun = next.load(Ordering::Relaxed).min(games.len());
            if begun >= told + STRIDE {
                told = begun;
                writeln!(report, "{told} games")?;
            }
        }
        io::Result::Ok(())
    })?;
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(number, _)| *number);
    Ok(all.into_iter().flat_map(|(_, judged)| judged).collect())
}

fn of_game(number: usize, game: &Game, searcher: &mut GomokuEngine, judge: &mut GomokuEngine) -> Vec<Judged> {
    // So the result does not depend on the thread.
    searcher.forget();
    judge.forget();
    let mut found = Vec::new();
    let start = game.start();
    let mut history = History::new(start.clone());
    game.opening.iter().for_each(|&spot| history.push(spot));
    let mut moves = game.opening.clone();
    for (ply, played) in game.plies.iter().enumerate() {
        if played.score.abs() < PROVEN && (number + ply).is_multiple_of(EVERY) {
            let seed = (number as u64) << 16 | ply as u64;
            for line in searcher.leaves(history.current(), NODES, seed) {
                let mut leaf = History::new(start.clone());
                moves.iter().chain(&line).for_each(|&spot| leaf.push(spot));
                if leaf.current().outcome().is_some() {
                    continue;
                }
                if let Some((best, score)) = selfplay::think(judge, &leaf, JUDGING_NODES) {
                    let moves = moves.iter().chain(&line).copied().collect();
                    let tested = number.is_multiple_of(TESTED);
                    found.push(Judged { rule: game.rule, lines: start.size(), moves, best, score, tested });
                }
            }
        }
        moves.push(played.played);
        history.push(played.played);
    }
    found
}
