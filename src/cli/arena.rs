//! `arena`: lets two engines play a match.

use super::failure::Failure;

/// Plays a match.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    game: String,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    Err(Failure::work(format!("no arena for {} yet", args.game)))
}
