//! `openings xiangqi`: makes the opening book, the moves that the engine finds about equally good.

use qiju_core::games::xiangqi::engine::book::mirrored;
use qiju_core::games::xiangqi::engine::engine::XiangqiEngine;
use qiju_core::games::xiangqi::rules::board::{Board, Move};
use qiju_core::rules::{History, Position};
use qiju_core::search::{Engine, Info, Job, Limits, StopToken, Value};
use qiju_core::table::EngineOptions;
use qiju_core::terminal::{Failure, aside, line};
use std::collections::{HashSet, VecDeque};

/// Make the opening book and print it
///
/// From the start on, the engine searches each position; its moves about as good as the best one lead to the next positions.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The number of positions
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The number of plies of the book
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=100))]
    plies: u16,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the order in which positions are searched
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The largest value of a position of the book, in hundredths of a soldier.
const EVEN: i32 = 120;
/// Positions between two lines of progress.
const STRIDE: usize = 20;

/// The number of the move of a position, from 1.
fn number(board: &Board) -> u16 {
    board.text().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// The largest difference to the best move, in hundredths of a soldier; it is larger for the first moves.
fn slack(board: &Board) -> i32 {
    22 + 20 * (3 - i32::from(number(board))).max(0)
}

/// The moves of the deepest search of a position that has so many nodes, each with its value; `None` if the game is over.
fn searched(engine: &mut XiangqiEngine, board: &Board, nodes: u64) -> Option<Vec<(Move, i32)>> {
    let mut found: Vec<(Move, i32)> = Vec::new();
    let mut depth = 0;
    let mut tell = |info: Info<Move>| {
        if info.depth != depth {
            depth = info.depth;
            found.clear();
        }
        if let (Some(&mv), Value::Cp(cp)) = (info.pv.first(), info.value) {
            found.push((mv, cp));
        }
    };
    let job = Job { multipv: 8, ..Job::new(Limits::nodes(nodes), StopToken::new(), &mut tell) };
    engine.think(&History::new(board.clone()), job)?;
    Some(found)
}

/// The lines of the book.
fn lines(args: &Args) -> Vec<String> {
    let mut engine = XiangqiEngine::new(&EngineOptions { hash_mb: 16, ..EngineOptions::default() });
    let mut random = fastrand::Rng::with_seed(args.seed);
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    let mut waiting = VecDeque::from([Board::default()]);
    while lines.len() < args.count as usize
        && let Some(board) = waiting.pop_front()
    {
        let mirror = mirrored(&board).map_or(board.key(), |mirror| mirror.key());
        if seen.contains(&mirror) || !seen.insert(board.key()) {
            continue;
        }
        let Some(mut found) = searched(&mut engine, &board, args.nodes) else { continue };
        let best = found.iter().map(|(_, cp)| *cp).max().unwrap_or(0);
        if best.abs() > EVEN {
            continue;
        }
        let slack = slack(&board);
        let mut line = format!("{:016x}", board.key());
        found.retain(|(_, cp)| best - cp <= slack);
        random.shuffle(&mut found);
        for &(mv, cp) in &found {
            line += &format!(" {mv} {}", slack + 4 - (best - cp));
            let mut next = board.clone();
            next.apply(mv);
            if 2 * number(&next) <= args.plies + 1 {
                waiting.push_back(next);
            }
        }
        lines.push(line);
        if lines.len().is_multiple_of(STRIDE) {
            aside(&format!("{} of {} positions", lines.len(), args.count));
        }
    }
    lines.sort();
    lines
}

pub fn run(args: &Args) -> Result<(), Failure> {
    line("# The opening book, by our own engine (`qiju-tools openings xiangqi`): key, then moves with weights.")?;
    line(&lines(args).join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_book() {
        let book = |seed| lines(&Args { count: 3, plies: 2, nodes: 2000, seed });
        let first = book(1);
        assert_eq!(first.len(), 3);
        assert!(first.iter().all(|line| line.split(' ').count() > 2), "{first:?}");
        assert_eq!(book(1), first);
    }
}
