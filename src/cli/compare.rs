//! `compare`: searches one position with minimax, negamax, alpha-beta and the game's own engine.

use super::ask::PositionArgs;
use super::output::value_text;
use qiju_core::search::{Limits, PlainKind, StopToken, Value, grouped, nodes_per_second};
use qiju_core::table::{Algorithm, EngineOptions, Notation, Progress, SearchRequest};
use qiju_core::terminal::{Failure, json, line, time_text};
use serde::Serialize;
use web_time::Instant;

/// Compares the search algorithms on one position.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Search depth in plies
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=100))]
    depth: u16,
    /// Print one JSON object for each algorithm instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    depth: u16,
    score: Value,
    best: String,
    nodes: u64,
    cutoffs: u64,
    time_ms: u64,
    nps: u64,
    pv: Vec<String>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let table = args.position.table()?;
    if let Some(outcome) = table.outcome() {
        return Err(Failure::usage(format!("the game is over ({}): there is nothing to search", outcome.reason.key())));
    }
    if !args.json {
        line(&format!("{:<10} {:>16} {:>8} {:>15} {:>13} {:>9}", "algorithm", "value", "move", "nodes", "cut-offs", "time"))?;
    }
    let plain = [PlainKind::Minimax, PlainKind::Negamax, PlainKind::AlphaBeta].map(Algorithm::Plain);
    for algorithm in plain.into_iter().chain([Algorithm::Own]) {
        let options = EngineOptions { algorithm, ..EngineOptions::default() };
        let request = SearchRequest { options, limits: Limits::depth(args.depth), ..SearchRequest::default() };
        let mut player = table.player();
        player.prepare(&*table, &request)?;
        let mut last: Option<Progress> = None;
        let started = Instant::now();
        let best = player.think(&*table, &request, &StopToken::new(), &mut |progress| {
            if progress.multipv == 1 {
                last = Some(progress);
            }
        })?;
        let time = started.elapsed();
        let best = best.and_then(|action| table.write(action, Notation::Uci));
        let (Some(last), Some(best)) = (last, best) else {
            return Err(Failure::work(format!("the {} search gave no answer", algorithm.key())));
        };
        let row = Row {
            algorithm: algorithm.key(),
            depth: last.depth,
            score: last.value,
            best,
            nodes: last.nodes,
            cutoffs: last.cutoffs,
            time_ms: time.as_millis() as u64,
            nps: nodes_per_second(last.nodes, time),
            pv: last.pv_text,
        };
        if args.json {
            json(&row)?;
        } else {
            line(&format!(
                "{:<10} {:>16} {:>8} {:>15} {:>13} {:>9}",
                row.algorithm,
                value_text(row.score),
                row.best,
                grouped(row.nodes),
                grouped(row.cutoffs),
                time_text(time)
            ))?;
        }
    }
    Ok(())
}
