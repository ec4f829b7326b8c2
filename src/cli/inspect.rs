//! `inspect`: shows a position with its legal moves and outcome.

use super::ask::{MovesArgs, PositionArgs, check_evaluation, read_notation, words};
use super::output::{outcome_text, value_text};
use qiju_core::rules::{Outcome, Point, Side};
use qiju_core::search::Value;
use qiju_core::table::{Evaluation, GameSheet, Notation, Table};
use qiju_core::terminal::{Failure, json, line};
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
    /// Also show the value of each piece on its point, by this evaluation: own, hand, network or network:FILE
    #[arg(long, value_name = "E", num_args = 0..=1, default_missing_value = "own", value_parser = Evaluation::read)]
    evaluation: Option<Evaluation>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Judged>,
}

/// The value of the position for the side to move, and of each piece for its side, in hundredths of the game's unit.
#[derive(Serialize)]
struct Judged {
    value: i32,
    pieces: Vec<PieceValue>,
}

#[derive(Serialize)]
struct PieceValue {
    side: &'static str,
    piece: String,
    at: String,
    worth: i32,
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
    let forbidden = table.restrictions();
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
        evaluation: args.evaluation.as_ref().map(|wanted| judged(wanted, &*table, &sheet, &name)).transpose()?,
    };
    if args.json { json(&report) } else { draw(&*table, &report) }
}

/// The value of each piece on the board.
fn judged(wanted: &Evaluation, table: &dyn Table, sheet: &GameSheet, name: &dyn Fn(Point) -> String) -> Result<Judged, Failure> {
    let none = || Failure::usage(format!("--evaluation: {} cannot say what a piece is worth", table.game()));
    let evaluations = table.capabilities().evaluations.ok_or_else(none)?;
    check_evaluation(wanted, table).map_err(|why| Failure::usage(format!("--evaluation: {why}")))?;
    let worths = evaluations.worths(table, wanted).ok_or_else(none)?;
    let standing = table.pieces();
    let worth = |(at, worth): (Point, i32)| {
        let (_, piece) = standing.iter().find(|(point, _)| *point == at)?;
        let role = sheet.roles.get(usize::from(piece.role));
        let piece_name = role.map_or_else(|| piece.role.to_string(), |role| role.key.clone());
        Some(PieceValue { side: piece.side.key(), piece: piece_name, at: name(at), worth })
    };
    let mut pieces: Vec<PieceValue> = worths.pieces.into_iter().filter_map(worth).collect();
    pieces.sort_by_key(|one| (one.side != Side::First.key(), std::cmp::Reverse(one.worth)));
    Ok(Judged { value: worths.whole, pieces })
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
    }?;
    let Some(judged) = &report.evaluation else { return Ok(()) };
    line(&format!("value     {} for the side to move; the pieces' worths to their sides:", value_text(Value::Cp(judged.value))))?;
    for one in &judged.pieces {
        line(&format!("{:<9} {:<9} {} {:>7}", one.side, one.piece, one.at, value_text(Value::Cp(one.worth))))?;
    }
    Ok(())
}
