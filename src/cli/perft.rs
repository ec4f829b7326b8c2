//! `perft`: counts the leaves of the tree of legal moves, to test move generators.

use super::ask::PositionArgs;
use qiju_core::search::{grouped, nodes_per_second};
use qiju_core::terminal::{Failure, aside, line, time_text};
use web_time::Instant;

/// Counts the leaves of the tree of legal moves.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Depth in plies
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Also print the count below each move
    #[arg(long)]
    divide: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let table = args.position.table()?;
    let started = Instant::now();
    let total = if args.divide && args.depth > 0 {
        let counts = table.divide(args.depth);
        for (text, leaves) in &counts {
            line(&format!("{text}: {leaves}"))?;
        }
        counts.iter().map(|(_, leaves)| leaves).sum()
    } else {
        table.perft(args.depth)
    };
    let time = started.elapsed();
    line(&format!("nodes {total}"))?;
    aside(&format!("{} in {}: {} per second", grouped(total), time_text(time), grouped(nodes_per_second(total, time))));
    Ok(())
}
