//! `engine`: runs the game's engine with a standard protocol: Gomocup for gomoku, UCI for every other game (and UCCI for xiangqi).

use qiju_core::message::Message;
use qiju_core::terminal::Failure;
use qiju_core::{games, protocol};
use std::io;

/// Runs the engine with a standard protocol.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    #[arg(value_parser = super::ask::read_game)]
    game: String,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game = games::find(&args.game)?;
    let spoken = protocol::engine::run(game, io::BufReader::new(io::stdin()), io::stdout());
    match spoken {
        // The other program has closed our output.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        spoken => spoken.map_err(|error| Failure::work(format!("the connection was interrupted: {}", Message::from(error)))),
    }
}
