//! `engine`: the game's engine behind a standard protocol.

use super::failure::Failure;
use crate::{games, protocol};

/// Runs the engine behind a protocol.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    game: String,
}

/// Speaks a protocol on standard input and output until the input ends.
type Serve = fn() -> Result<(), Failure>;

/// The protocols there are: a game's key and what speaks it. One line a game.
const PROTOCOLS: &[(&str, Serve)] = &[("xiangqi", xiangqi)];

fn xiangqi() -> Result<(), Failure> {
    let input = std::io::BufReader::new(std::io::stdin());
    protocol::xiangqi::run(input, std::io::stdout())
        .map_err(|error| Failure::work(format!("the conversation broke off: {error}")))
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game = games::find(&args.game)?;
    match PROTOCOLS.iter().find(|(key, _)| *key == game.key) {
        Some((_, serve)) => serve(),
        None => Err(Failure::work(format!("the protocol of {} comes with a later release", game.key))),
    }
}
