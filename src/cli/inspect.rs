//! `inspect`: shows a position with its legal moves and outcome.

use super::ask::{MovesArgs, PositionArgs, read_notation, words};
use super::failure::Failure;
use super::output::{json, line, outcome_text};
use crate::rules::Outcome;
use crate::table::{Notation, Table};
use serde::Serialize;

/// Shows a position: pieces, legal moves, outcome.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    moves: MovesArgs,
    /// The notation of the moves in the output: uci, iccs, wxf or chinese
    #[arg(long, value_name = "NOTATION", default_value = "uci", value_parser = read_notation)]
    notation: Notation,
    /// Print one JSON object instead of a drawing
    #[arg(long)]
    json: bool,
}

/// The JSON output.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    variant: &'a str,
    position: String,
    side: &'static str,
    ply: usize,
    legal: Vec<String>,
    forbidden: Vec<String>,
    check: bool,
    outcome: Option<End>,
    notation: Vec<String>,
}

#[derive(Serialize)]
struct End {
    winner: &'static str,
    reason: &'static str,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        End { winner: outcome.winner.map_or("none", |side| side.key()), reason: outcome.reason.key() }
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut table = args.position.table()?;
    if !table.notations().contains(&args.notation) {
        let known = words(table.notations().iter().map(|notation| notation.key()));
        return Err(Failure::usage(format!("{} is not written in '{}'; it has {known}", table.game(), args.notation.key())));
    }
    let start = table.ply();
    args.moves.play(&mut *table)?;
    let sheet = args.position.entry()?.load_sheet()?;
    let coordinates = sheet.board(table.size()).map(|board| board.coordinates);
    let name = |point| coordinates.map_or_else(|| format!("{point:?}"), |coordinates| coordinates.name(point));
    let forbidden = table.capabilities().judge.map(|judge| judge.restrictions(&*table)).unwrap_or_default();
    let report = Report {
        game: table.game(),
        variant: table.setup().variant.as_deref().unwrap_or_default(),
        position: table.position_text(),
        side: table.turn().key(),
        ply: table.ply(),
        legal: table.actions().into_iter().filter_map(|action| table.write(action, Notation::Uci)).collect(),
        forbidden: forbidden.into_iter().map(|one| name(one.at)).collect(),
        check: table.check().is_some(),
        outcome: table.outcome().map(End::from),
        notation: table.played_text(args.notation).split_off(start),
    };
    if args.json { json(&report) } else { draw(&*table, &report) }
}

fn draw(table: &dyn Table, report: &Report) -> Result<(), Failure> {
    line(&table.diagram())?;
    line("")?;
    line(&format!("game      {} {}", report.game, report.variant))?;
    line(&format!("position  {}", report.position))?;
    line(&format!("to move   {} (ply {})", report.side, report.ply))?;
    if report.check {
        line("check     yes")?;
    }
    if !report.notation.is_empty() {
        line(&format!("played    {}", report.notation.join(" ")))?;
    }
    if !report.forbidden.is_empty() {
        line(&format!("forbidden {}", report.forbidden.join(" ")))?;
    }
    match table.outcome() {
        Some(outcome) => line(&format!("outcome   {}", outcome_text(outcome))),
        None => line(&format!("legal     {} moves: {}", report.legal.len(), report.legal.join(" "))),
    }
}
