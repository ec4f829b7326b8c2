//! `openings gomoku`: finds balanced openings with the engine.

use qiju_core::games;
use qiju_core::rules::Point;
use qiju_core::search::{Limits, StopToken, Value};
use qiju_core::table::{Action, Notation, SearchRequest, Setup, Table};
use qiju_core::terminal::{Failure, aside, line};
use std::collections::HashSet;

/// Find balanced openings and print them as `SIZE RULE MOVES`
///
/// Stones are placed at random near each other, and the engine searches the position. Positions with a value within the limit are printed; rotated and
/// mirrored duplicates are left out.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The variant [default: freestyle]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The number of openings to find
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The number of stones of each opening
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(2..=20))]
    plies: u16,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 200_000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The largest value, in hundredths, that counts as balanced
    #[arg(long, value_name = "N", default_value_t = 40, allow_negative_numbers = true, value_parser = clap::value_parser!(u16))]
    even: u16,
    /// The largest distance of the other stones from the first one
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=19))]
    spread: u8,
    /// Seed of the random stones
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let start = games::find("gomoku")?.table(&Setup { variant: args.variant.clone(), position: None })?;
    let variant = start.setup().variant.clone().unwrap_or_default();
    let rule = variant.split([':', '+']).next().unwrap_or_default();
    let number = ["freestyle", "standard", "", "", "renju", "", "", "", "caro"].iter().position(|known| *known == rule);
    let number = number.ok_or_else(|| Failure::usage(format!("there is no number for the rule '{rule}'")))?;
    let mut random = fastrand::Rng::with_seed(args.seed);
    let mut seen = HashSet::new();
    let (mut found, mut tried) = (0, 0);
    while found < args.count {
        tried += 1;
        if tried > args.count.saturating_mul(2000) {
            return Err(Failure::work(format!("after {tried} tries only {found} openings are balanced")));
        }
        let Some(table) = scatter(&*start, args, &mut random) else { continue };
        if !seen.insert(class(&*table)) {
            continue;
        }
        let Some(value) = judge(&*table, args.nodes)? else { continue };
        if value.unsigned_abs() > u32::from(args.even) {
            continue;
        }
        found += 1;
        line(&format!("{} {number} {}", table.size().0, table.played_text(Notation::Uci).concat()))?;
    }
    aside(&format!("{found} of {tried} tried"));
    Ok(())
}

/// The start position with stones placed at random around one of them.
fn scatter(start: &dyn Table, args: &Args, random: &mut fastrand::Rng) -> Option<Box<dyn Table>> {
    let mut table = start.boxed_clone();
    let (files, ranks) = table.size();
    let first = Point::new(random.u8(..files), random.u8(..ranks));
    table.play(Action::Drop(first)).ok()?;
    while table.played().len() < usize::from(args.plies) {
        let mut near = |from: u8, end: u8| random.u8(from.saturating_sub(args.spread)..end.min(from + args.spread + 1));
        let at = Point::new(near(first.x, files), near(first.y, ranks));
        // An occupied or forbidden point is drawn again.
        let _ = table.play(Action::Drop(at));
        if table.outcome().is_some() {
            return None;
        }
    }
    Some(table)
}

/// The stones in the smallest of their eight images.
fn class(table: &dyn Table) -> Vec<(u8, u8, usize)> {
    let last = table.size().0 - 1;
    let image = |turn: u8| {
        let mut stones: Vec<(u8, u8, usize)> = table
            .pieces()
            .into_iter()
            .map(|(Point { x, y }, piece)| {
                let x = if turn & 1 == 0 { x } else { last - x };
                let y = if turn & 2 == 0 { y } else { last - y };
                let (x, y) = if turn & 4 == 0 { (x, y) } else { (y, x) };
                (x, y, piece.side.index())
            })
            .collect();
        stones.sort_unstable();
        stones
    };
    (0..8).map(image).min().unwrap_or_default()
}

/// The value of the position for the side to move; `None` if it is decided.
fn judge(table: &dyn Table, nodes: u64) -> Result<Option<i32>, Failure> {
    let request = SearchRequest { limits: Limits::nodes(nodes), ..SearchRequest::default() };
    let mut value = None;
    table.player().think(table, &request, &StopToken::new(), &mut |progress| {
        value = match progress.value {
            Value::Cp(units) => Some(units),
            Value::Mate(_) | Value::Exact(_) => None,
        };
    })?;
    Ok(value)
}
