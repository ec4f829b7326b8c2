//! `engine`: the game's engine behind a standard protocol.

use super::failure::Failure;
use crate::{games, protocol};
use std::io;

/// Runs the engine behind a protocol.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    game: String,
}

/// Speaks a protocol on standard input and output until the input ends.
type Serve = fn() -> Result<(), Failure>;

/// The protocols there are: a game's key and what speaks it. One line a game.
const PROTOCOLS: &[(&str, Serve)] = &[("xiangqi", xiangqi), ("gomoku", gomoku)];

fn xiangqi() -> Result<(), Failure> {
    served(protocol::xiangqi::run(io::BufReader::new(io::stdin()), io::stdout()))
}

fn gomoku() -> Result<(), Failure> {
    served(protocol::gomocup::run(io::BufReader::new(io::stdin()), io::stdout()))
}

fn served(done: io::Result<()>) -> Result<(), Failure> {
    done.map_err(|error| Failure::work(format!("the conversation broke off: {error}")))
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game = games::find(&args.game)?;
    match PROTOCOLS.iter().find(|(key, _)| *key == game.key) {
        Some((_, serve)) => serve(),
        None => Err(Failure::work(format!("the protocol of {} comes with a later release", game.key))),
    }
}
