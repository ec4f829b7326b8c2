//! `opening`: the name of the opening of a game.

use super::ask::{MovesArgs, PositionArgs};
use qiju_core::games::opening_name;
use qiju_core::table::Text;
use qiju_core::terminal::{Failure, json, line};
use serde::Serialize;

/// Names the opening of a game.
///
/// It prints the number of the opening in the literature, its names, and the ply at which it was reached.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    moves: MovesArgs,
    /// Print one JSON object, null if the opening has no name
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Named<'a> {
    code: &'a str,
    name: &'a Text,
    ply: usize,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut table = args.position.table()?;
    args.moves.play(&mut *table)?;
    let named = opening_name(&*table).map(|(opening, ply)| Named { code: &opening.code, name: &opening.name, ply });
    match named {
        named if args.json => json(&named),
        Some(Named { code, name, ply }) => line(format!("{code} {} {} (ply {ply})", name.zh, name.en).trim_start()),
        None => line("no name is known"),
    }
}
