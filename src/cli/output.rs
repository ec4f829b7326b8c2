//! Values, outcomes and progress lines of searches, as text and as JSON.

use qiju_core::rules::Outcome;
use qiju_core::search::{Known, Value, Verdict};
use qiju_core::table::Progress;
use serde::Serialize;

/// A value as text: `+0.34`, `win in 3`, `draw`.
pub fn value_text(value: Value) -> String {
    let in_plies = |n: u32| if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") };
    let moves = |n: i32| if n == 1 { "1 move".to_owned() } else { format!("{n} moves") };
    match value {
        Value::Cp(units) => format!("{:+.2}", f64::from(units) / 100.0),
        Value::Mate(n) if n < 0 => format!("loss in {}", moves(-n)),
        Value::Mate(n) => format!("win in {}", moves(n)),
        Value::Exact(Verdict { known: Known::Draw, .. }) => "draw".to_owned(),
        Value::Exact(Verdict { known: Known::Win, plies: Some(plies) }) => format!("win in {}", in_plies(plies)),
        Value::Exact(Verdict { known: Known::Loss, plies: Some(plies) }) => format!("loss in {}", in_plies(plies)),
        Value::Exact(Verdict { known: Known::Win, plies: None }) => "win".to_owned(),
        Value::Exact(Verdict { known: Known::Loss, plies: None }) => "loss".to_owned(),
    }
}

/// An outcome as text: `first wins, checkmate`.
pub fn outcome_text(outcome: Outcome) -> String {
    let reason = outcome.reason.key();
    outcome.winner.map_or_else(|| format!("draw, {reason}"), |side| format!("{} wins, {reason}", side.key()))
}

/// A progress line of a search as JSON.
#[derive(Serialize)]
pub struct SearchLine<'a> {
    depth: u16,
    seldepth: u16,
    score: Value,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    hashfull: u16,
    pv: &'a [String],
    best: Option<&'a str>,
    multipv: u16,
    #[serde(rename = "final")]
    last: bool,
}

impl<'a> SearchLine<'a> {
    /// Converts a progress line; `last` marks the final lines.
    pub fn of(progress: &'a Progress, last: bool) -> Self {
        SearchLine {
            depth: progress.depth,
            seldepth: progress.seldepth,
            score: progress.value,
            nodes: progress.nodes,
            nps: progress.nps(),
            time_ms: progress.time.as_millis() as u64,
            hashfull: progress.hashfull,
            pv: &progress.pv_text,
            best: progress.pv_text.first().map(String::as_str),
            multipv: progress.multipv,
            last,
        }
    }
}
