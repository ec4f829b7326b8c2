//! `solve`: works a game out from its end.

use super::failure::Failure;
use crate::games;
use crate::table::Setup;
use std::path::{Path, PathBuf};

/// Solves a game from the end.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    game: String,
    /// The variant
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// Where the solution goes
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Solves a variant and writes the solution, if a place is given.
type Solve = fn(&Setup, Option<&Path>) -> Result<(), Failure>;

/// The games that can be solved. One line a game.
const SOLVERS: &[(&str, Solve)] = &[];

pub fn run(args: &Args) -> Result<(), Failure> {
    let game = games::find(&args.game)?;
    let setup = Setup { variant: args.variant.clone(), position: None };
    game.table(&setup)?;
    match SOLVERS.iter().find(|(key, _)| *key == game.key) {
        Some((_, solve)) => solve(&setup, args.out.as_deref()),
        None => Err(Failure::work(format!("the solver of {} comes with a later release", game.key))),
    }
}
