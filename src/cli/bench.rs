//! `bench`: fixed positions of every game, searched to fixed depths.
//!
//! It uses one thread, an empty transposition table of fixed size and no time limit, so the node counts are the same on every machine. They change only
//! when an engine changes. `tests/data/bench.txt` has the expected counts.

use qiju_core::games::{self, Entry, REGISTRY};
use qiju_core::search::{Limits, StopToken, grouped, nodes_per_second};
use qiju_core::table::{EngineOptions, SearchRequest, Setup};
use qiju_core::terminal::{Failure, json, line};
use serde::Serialize;
use web_time::{Duration, Instant};

/// Searches fixed positions of every game to fixed depths and counts the nodes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game [default: all games]
    #[arg(value_parser = super::ask::read_game)]
    game: Option<String>,
    /// Print one JSON object for each game
    #[arg(long)]
    json: bool,
}

/// Size of the transposition table, in MiB.
const HASH_MB: usize = 16;

/// Variant, position and depth.
type Place = (&'static str, Option<&'static str>, u16);

/// The positions of a game: opening, middle game and ending, and if possible one with a forced win.
fn places(game: &str) -> &'static [Place] {
    match game {
        "xiangqi" => &[
            ("axf", None, 13),
            ("axf", Some("r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1C2C1N2/9/RNBAKABR1 b - - 0 5"), 13),
            ("axf", Some("2b1k4/9/3Rb3n/p4N3/8p/4P1P2/5C1r1/4B1n2/3cA4/3K1AB2 w - - 0 1"), 12),
            ("axf", Some("1R3abr1/C3a4/3kb3n/p1pr5/1C5cp/2P1P1N2/3c3RP/4B4/4A4/2BAK4 w - - 0 1"), 12),
            ("threefold", Some("2bakab2/9/4c4/p3p3p/9/2P3R2/P3P3P/4C4/4n4/2BAKAB2 w - - 0 20"), 13),
            ("axf", Some("3k5/9/9/9/9/2B6/1p1p5/4B4/3R5/4K4 w - - 0 1"), 16),
        ],
        "gomoku" => &[
            ("freestyle", None, 11),
            ("freestyle", Some("h8i9g7g9h10"), 10),
            ("standard:19", Some("j10k11i9k9k10"), 10),
            ("renju", Some("h8h9j10g7i9"), 10),
            ("caro", Some("h8i9i8g8h7"), 10),
            ("freestyle:20", Some("l14i13h11j12"), 10),
            ("freestyle", Some("g13e14b13g11h13e12i12e13e11f12d14d12g12f14c11f11f15g10g14j11h9"), 10),
        ],
        "two-eat-one" => &[
            ("standard", None, 13),
            ("standard", Some(".xo..oo..x.x.o..o..x...x. o"), 13),
            ("standard", Some("o.x...oo.x..x..o.o..x..x. x"), 12),
            ("4x4", None, 14),
        ],
        "tic-tac-toe" => &[("standard", None, 9), ("standard", Some("x.o.x.... o"), 9)],
        _ => &[],
    }
}

/// The node count and the time of a game's positions.
struct Count {
    nodes: u64,
    time: Duration,
}

#[derive(Serialize)]
struct Line<'a> {
    game: &'a str,
    nodes: u64,
    nps: u64,
}

impl Line<'_> {
    fn new(entry: &Entry, count: &Count) -> Line<'static> {
        Line { game: entry.key, nodes: count.nodes, nps: nodes_per_second(count.nodes, count.time) }
    }
}

/// The counts of one game, as `qiju bench GAME --json` prints them: for a system without a command line.
///
/// # Errors
/// There is no such game.
#[cfg(target_arch = "wasm32")]
pub fn of_game(game: &str) -> Result<String, String> {
    let entry = games::find(game).map_err(|error| error.to_string())?;
    let count = measure(entry).map_err(|failure| match failure {
        Failure::Usage(why) | Failure::Work(why) | Failure::Help(why) => why,
        Failure::Closed => String::new(),
    })?;
    serde_json::to_string(&Line::new(entry, &count)).map_err(|error| error.to_string())
}

/// Searches the game's positions one after the other, each with a new engine.
fn measure(entry: &Entry) -> Result<Count, Failure> {
    // A very large width: without a width the engine of a solved game would use its tablebase instead of a search.
    let options = EngineOptions { hash_mb: HASH_MB, width: Some(u16::MAX), ..EngineOptions::default() };
    let mut whole = Count { nodes: 0, time: Duration::ZERO };
    for &(variant, position, depth) in places(entry.key) {
        let setup = Setup { variant: Some(variant.to_owned()), position: position.map(str::to_owned) };
        let table = entry.table(&setup)?;
        let request = SearchRequest { options: options.clone(), limits: Limits::depth(depth), ..SearchRequest::default() };
        let mut player = table.player();
        player.prepare(&*table, &request)?;
        let mut nodes = 0;
        let started = Instant::now();
        player.think(&*table, &request, &StopToken::new(), &mut |progress| nodes = progress.nodes)?;
        whole.time += started.elapsed();
        whole.nodes += nodes;
    }
    Ok(whole)
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let chosen: Vec<&Entry> = match &args.game {
        Some(key) => vec![games::find(key)?],
        None => REGISTRY.iter().collect(),
    };
    let mut all = Count { nodes: 0, time: Duration::ZERO };
    let print = |game: &str, Count { nodes, time }: &Count| {
        line(&format!("{game:<12} {:>12} nodes {:>12} nodes/s", grouped(*nodes), grouped(nodes_per_second(*nodes, *time))))
    };
    for entry in &chosen {
        let measured = measure(entry)?;
        if args.json {
            json(&Line::new(entry, &measured))?;
        } else {
            print(entry.key, &measured)?;
        }
        all.nodes += measured.nodes;
        all.time += measured.time;
    }
    if !args.json && chosen.len() > 1 {
        print("all", &all)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit that changes an engine also changes the counts in the file, and says why.
    #[test]
    fn the_counts_equal_those_of_the_file() {
        let kept: Vec<(&str, u64)> = include_str!("../../tests/data/bench.txt")
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .map(|line| line.split_once(' ').expect("GAME NODES"))
            .map(|(game, nodes)| (game, nodes.trim().parse().expect("a count of nodes")))
            .collect();
        let counted: Vec<(&str, u64)> =
            REGISTRY.iter().map(|entry| (entry.key, measure(entry).expect("every position is one of its game").nodes)).collect();
        assert_eq!(counted, kept);
        assert!(counted.iter().all(|(_, nodes)| *nodes > 0), "a game has no positions: {counted:?}");
    }
}
