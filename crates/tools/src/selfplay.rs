//! `selfplay GAME`: plays games of an engine against itself on several threads and adds them to a file.
//!
//! The seed of every game follows from its number. Threads play batches of games, which are written in the order of their numbers, so the file
//! does not depend on the number of threads or on interruptions.

use crate::trainers;
use crate::training::archive::{self, Archive, Label, Record};
use qiju_core::rules::zobrist;
use qiju_core::search::grouped;
use qiju_core::table::Evaluation;
use qiju_core::terminal::{Failure, aside};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use web_time::{Duration, Instant};

/// The number of games per block.
const BATCH: u64 = 32;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: xiangqi or gomoku
    game: String,
    /// The total number of games in the file at the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// The seed of the games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The number of games played at the same time
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The evaluation: own (the best that the engine has), hand, network or network:FILE
    #[arg(long, value_name = "E", default_value = "own", value_parser = Evaluation::read)]
    evaluation: Evaluation,
    /// The output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (game, training) = trainers::find(&args.game)?;
    let network = training.network_sum(&args.evaluation).map_err(|why| Failure::usage(format!("--evaluation: {why}")))?;
    let label = Label { game: game.key.to_owned(), nodes: args.nodes, seed: args.seed, network };
    let mut archive = Archive::open(&args.out, &label).map_err(archive::failed(&args.out))?;
    let done = archive.found.games;
    if archive.found.torn > 0 {
        aside(&format!("an incomplete block of {} bytes was removed", grouped(archive.found.torn)));
    }
    if done > 0 {
        aside(&format!("the file already has {} games with {} positions", grouped(done), grouped(archive.found.positions)));
    }
    let mut progress = Progress::new(done, args.games);
    // The first game of the next batch.
    let next = AtomicU64::new(done);
    std::thread::scope(|scope| {
        let (to_file, finished) = mpsc::sync_channel(2 * usize::from(args.threads));
        for _ in 0..args.threads {
            let (to_file, next) = (to_file.clone(), &next);
            scope.spawn(move || {
                let mut player = training.selfplay(args.nodes, &args.evaluation);
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    let numbers = first..args.games.min(first.saturating_add(BATCH));
                    if numbers.is_empty() {
                        return;
                    }
                    let seed = |number| zobrist::mix(args.seed ^ zobrist::mix(number));
                    let games: Vec<Record> = numbers.map(|number| player.game(seed(number))).collect();
                    if to_file.send((first, games)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to_file);
        let added = |games: &[Record]| {
            progress.add(games);
            Ok(())
        };
        archive.add_in_order(finished, added).map_err(archive::failed(&args.out))
    })
}

/// Prints the progress every five seconds.
struct Progress {
    begun: Instant,
    told: Instant,
    found: u64,
    games: u64,
    wanted: u64,
    positions: u64,
}

impl Progress {
    fn new(found: u64, wanted: u64) -> Progress {
        Progress { begun: Instant::now(), told: Instant::now(), found, games: found, wanted, positions: 0 }
    }

    fn add(&mut self, games: &[Record]) {
        self.games += games.len() as u64;
        self.positions += games.iter().map(|game| u64::from(game.positions)).sum::<u64>();
        if self.told.elapsed() >= Duration::from_secs(5) || self.games >= self.wanted {
            self.told = Instant::now();
            let passed = self.begun.elapsed().as_secs_f64();
            let left = passed / (self.games - self.found) as f64 * self.wanted.saturating_sub(self.games) as f64;
            aside(&format!(
                "{} of {} games, {} positions, {} per second, {} left",
                grouped(self.games),
                grouped(self.wanted),
                grouped(self.positions),
                grouped((self.positions as f64 / passed.max(1e-3)) as u64),
                rough_time(left)
            ));
        }
    }
}

/// Seconds as hours and minutes.
pub fn rough_time(seconds: f64) -> String {
    let seconds = seconds as u64;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_the_same_however_the_work_was_done() {
        for (game, nodes, games) in [("gomoku", 60, 5), ("xiangqi", 20, 70)] {
            let folder = tempfile::tempdir().unwrap();
            let play = |name: &str, games, threads| {
                let out = folder.path().join(name);
                let args =
                    Args { game: game.to_owned(), games, nodes, seed: 7, threads, evaluation: Evaluation::Own, out: out.clone() };
                run(&args).unwrap();
                fs::read(&out).unwrap()
            };
            let whole = play("whole", games, 3);
            assert_eq!(play("one", games, 1), whole);
            // A run was killed while it wrote its last block.
            fs::write(folder.path().join("one"), &whole[..whole.len() - 5]).unwrap();
            assert_eq!(play("one", games, 2), whole);
            assert_eq!(play("one", games - 3, 2), whole, "a file with more games is not changed");
        }
    }
}
