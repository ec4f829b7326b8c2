//! `analyze`: searches one position and prints the result of each depth.

use super::ask::{EngineArgs, LimitArgs, MovesArgs, PositionArgs};
use super::output::{SearchLine, outcome_text, value_text};
use qiju_core::search::{StopToken, Value, grouped};
use qiju_core::table::{Certain, Notation, Progress, Table};
use qiju_core::terminal::{Failure, json, line, time_text};
use std::collections::BTreeMap;

/// Searches one position.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    moves: MovesArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Search as if the side to move passed: what the other side threatens
    #[arg(long)]
    threat: bool,
    /// Print one JSON object for each line instead of a table
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut table = args.position.table()?;
    args.moves.play(&mut *table)?;
    if args.threat {
        let refused = || Failure::usage("--threat: the side to move cannot pass: it is in check, or the game is over".to_owned());
        table = table.passed().ok_or_else(refused)?;
    }
    let request = args.engine.request(args.limits.limits(), &*table)?;
    let mut printer = Printer { json: args.json, kept: BTreeMap::new(), failed: None };
    if let Some(outcome) = table.outcome() {
        printer.kept.insert(1, nothing_searched(Value::of_outcome(outcome, table.turn()), Vec::new()));
        if !args.json {
            return line(&format!("the game is over: {}", outcome_text(outcome)));
        }
        return printer.finish();
    }
    let stop = StopToken::new();
    let mut player = table.player();
    player.prepare(&*table, &request)?;
    if !args.json {
        line(&format!("{:>5} {:>9} {:>15} {:>12} {:>9}  line", "depth", "value", "nodes", "nodes/s", "time"))?;
    }
    let certain = Certain::of(&*table, &request.limits, &stop);
    let best = player.think(&*table, &request, &stop, &mut |mut progress| {
        certain.correct(&mut progress);
        printer.take(progress);
        if printer.failed.is_some() {
            stop.stop();
        }
    })?;
    let best_text = best.and_then(|action| table.write(action, Notation::Uci)).unwrap_or_default();
    printer.settle(&*table, &certain, best.zip(Some(best_text.clone())));
    printer.finish()?;
    if args.json { Ok(()) } else { line(&format!("best {best_text}")) }
}

/// The progress line of an answer without a search.
fn nothing_searched(value: Value, pv_text: Vec<String>) -> Progress {
    Progress { pv_text, ..Progress::new(0, 0, value, Vec::new()) }
}

/// Prints a line only after a later one has replaced it, so that the last ones can be marked as final.
struct Printer {
    json: bool,
    kept: BTreeMap<u16, Progress>,
    failed: Option<Failure>,
}

impl Printer {
    fn take(&mut self, progress: Progress) {
        if let Some(earlier) = self.kept.insert(progress.multipv, progress)
            && let Err(failure) = self.print(&earlier, false)
        {
            self.failed.get_or_insert(failure);
        }
    }

    /// Makes the first line agree with the move the engine chose: an interrupted search may have found a
    /// better move than its last finished depth.
    fn settle(&mut self, table: &dyn Table, certain: &Certain, best: Option<(qiju_core::table::Action, String)>) {
        let Some((action, text)) = best else { return };
        debug_assert!(table.refusal(action).is_none(), "an engine chose an illegal move");
        let first = self.kept.entry(1).or_insert_with(|| nothing_searched(Value::Cp(0), Vec::new()));
        if first.pv_text.first() != Some(&text) {
            first.pv_text = vec![text];
            first.pv = vec![action];
        }
        certain.correct(first);
    }

    fn finish(mut self) -> Result<(), Failure> {
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        self.kept.values().try_for_each(|progress| self.print(progress, true))
    }

    fn print(&self, progress: &Progress, last: bool) -> Result<(), Failure> {
        if self.json {
            return json(&SearchLine::of(progress, last));
        }
        line(&format!(
            "{:>5} {:>9} {:>15} {:>12} {:>9}  {}",
            progress.depth,
            value_text(progress.value),
            grouped(progress.nodes),
            grouped(progress.nps()),
            time_text(progress.time),
            progress.pv_text.join(" ")
        ))
    }
}
