//! `inspect`: shows a position with its legal moves and outcome; the position may be one in a picture.

use super::ask::{MovesArgs, PositionArgs, check_evaluation, read_notation, words};
use super::output::{outcome_text, value_text};
use qiju_core::games::Entry;
use qiju_core::message::Message;
use qiju_core::rules::{Outcome, Point, Side};
use qiju_core::search::Value;
use qiju_core::storage::read_file;
use qiju_core::table::{Evaluation, GameSheet, Notation, Piece, Setup, Table};
use qiju_core::terminal::{Failure, json, line};
use qiju_core::vision::{self, Recognised};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Shows a position: pieces, legal moves, outcome.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    moves: MovesArgs,
    /// Show the position in a picture of a board: a file of PNG, JPEG or GIF
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    picture: Option<PathBuf>,
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
    #[serde(flatten)]
    picture: Option<InPicture>,
}

/// What was seen in a picture.
#[derive(Serialize)]
struct InPicture {
    /// The points that should be looked at.
    uncertain: Vec<String>,
    /// From the second side's view.
    flipped: bool,
    /// The outermost points, in pixels: upper left, upper right, lower right, lower left.
    corners: [(f32, f32); 4],
    points: Vec<PointSeen>,
    /// Why no game can begin with the position.
    fault: Option<String>,
}

#[derive(Serialize)]
struct PointSeen {
    at: String,
    side: Option<&'static str>,
    piece: Option<String>,
    certainty: f32,
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
    let entry = args.position.entry()?;
    let sheet = entry.load_sheet()?;
    let Some(path) = &args.picture else { return show(args, &sheet, args.position.table()?, None) };
    let seen = recognise(path, entry, &sheet, args.position.variant.as_deref())?;
    let placement = (entry.capabilities)(&seen.variant).placement;
    let position = placement.map(|placement| placement.text(&seen.variant, &seen.draft));
    let mut picture = in_picture(&seen, &sheet);
    match entry.table(&Setup { variant: Some(seen.variant.clone()), position: position.clone() }) {
        Ok(table) => show(args, &sheet, table, Some(picture)),
        Err(error) => {
            picture.fault = Some(error.to_string());
            let report = Report {
                game: entry.key,
                variant: &seen.variant,
                position: position.unwrap_or_default(),
                side: seen.draft.turn.key(),
                ply: 0,
                legal: Vec::new(),
                forbidden: Vec::new(),
                check: false,
                outcome: None,
                notation: Vec::new(),
                evaluation: None,
                picture: Some(picture),
            };
            if args.json { json(&report) } else { draw(None, &report) }
        }
    }
}

/// The position in the file of a picture.
fn recognise(path: &Path, entry: &Entry, sheet: &GameSheet, variant: Option<&str>) -> Result<Recognised, Failure> {
    let bytes = read_file(path).map_err(|error| Failure::file(path, &error))?;
    let wrong = |why: Message| Failure::usage(format!("{}: {why}", path.display()));
    let picture = vision::decode(&bytes).map_err(wrong)?;
    vision::recognise(&picture, entry, sheet, variant).map_err(wrong)
}

/// The name of a piece.
fn name_of(sheet: &GameSheet, piece: Piece) -> String {
    sheet.roles.get(usize::from(piece.role)).map_or_else(|| piece.role.to_string(), |role| role.key.clone())
}

/// How the points of a board of this size are named.
fn point_names(sheet: &GameSheet, size: (u8, u8)) -> impl Fn(Point) -> String {
    let coordinates = sheet.board(size).map(|board| board.coordinates);
    move |at| coordinates.map_or_else(|| format!("{at:?}"), |coordinates| coordinates.name(at))
}

fn in_picture(seen: &Recognised, sheet: &GameSheet) -> InPicture {
    let size = seen.points.iter().fold((0, 0), |size, one| (size.0.max(one.at.x + 1), size.1.max(one.at.y + 1)));
    let name = point_names(sheet, size);
    let point = |one: &vision::Seen| PointSeen {
        at: name(one.at),
        side: one.piece.map(|piece| piece.side.key()),
        piece: one.piece.map(|piece| name_of(sheet, piece)),
        certainty: (one.certainty * 1000.0).round() / 1000.0,
    };
    InPicture {
        uncertain: seen.uncertain().map(&name).collect(),
        flipped: seen.flipped,
        corners: seen.corners,
        points: seen.points.iter().map(point).collect(),
        fault: None,
    }
}

/// Shows the position of a table after the moves that were given.
fn show(args: &Args, sheet: &GameSheet, mut table: Box<dyn Table>, picture: Option<InPicture>) -> Result<(), Failure> {
    if !table.notations().contains(&args.notation) {
        let known = words(table.notations().iter().map(|notation| notation.key()));
        return Err(Failure::usage(format!("{} is not written in '{}'; it has {known}", table.game(), args.notation.key())));
    }
    let start = table.ply();
    args.moves.play(&mut *table)?;
    let name = point_names(sheet, table.size());
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
        evaluation: args.evaluation.as_ref().map(|wanted| judged(wanted, &*table, sheet, &name)).transpose()?,
        picture,
    };
    if args.json { json(&report) } else { draw(Some(&*table), &report) }
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
        Some(PieceValue { side: piece.side.key(), piece: name_of(sheet, *piece), at: name(at), worth })
    };
    let mut pieces: Vec<PieceValue> = worths.pieces.into_iter().filter_map(worth).collect();
    pieces.sort_by_key(|one| (one.side != Side::First.key(), std::cmp::Reverse(one.worth)));
    Ok(Judged { value: worths.whole, pieces })
}

/// Draws a position; without a table it is one that no game can begin with.
fn draw(table: Option<&dyn Table>, report: &Report) -> Result<(), Failure> {
    if let Some(table) = table {
        line(&table.diagram())?;
        line("")?;
    }
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
    if let Some(picture) = &report.picture {
        let certain = picture.uncertain.is_empty();
        line(&format!("uncertain {}", if certain { "nothing".to_owned() } else { picture.uncertain.join(" ") }))?;
        if let Some(fault) = &picture.fault {
            line(&format!("fault     {fault}"))?;
        }
    }
    let Some(table) = table else { return Ok(()) };
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
