//! `train GAME`: fits evaluations to games, and trains networks on them; `train pictures` trains the network that reads pictures.

mod evaluation;
mod files;
mod network;

use crate::{gomoku, pictures, xiangqi};
use qiju_core::terminal::Failure;

/// Fits an evaluation to games, trains a network on them, or the one that reads pictures of boards.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(clap::Subcommand, Debug)]
enum Game {
    /// Train the engine of xiangqi
    #[command(subcommand)]
    Xiangqi(Work<xiangqi::network::Options>),
    /// Train the engine of gomoku
    #[command(subcommand)]
    Gomoku(Work<()>),
    /// Train the network that reads pictures of boards, on drawn boards; continues an earlier run in the same folder
    Pictures(pictures::Args),
}

#[derive(clap::Subcommand, Debug)]
enum Work<Own: clap::Args> {
    /// Fit the evaluation to games and write its tables; continues an earlier run in the same folder
    Evaluation(evaluation::Args),
    /// Train the engine's network on games; continues an earlier run in the same folder
    Network {
        #[command(flatten)]
        args: network::Args,
        #[command(flatten)]
        own: Own,
    },
}

/// A number from 0 to 1.
pub fn part(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|part| (0.0..=1.0).contains(part)).ok_or_else(|| "it must be between 0 and 1".to_owned())
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.game {
        Game::Pictures(args) => pictures::run(args),
        Game::Xiangqi(Work::Evaluation(args)) => evaluation::run("xiangqi", &xiangqi::Xiangqi, args),
        Game::Gomoku(Work::Evaluation(args)) => evaluation::run("gomoku", &gomoku::Gomoku, args),
        Game::Xiangqi(Work::Network { args, own }) => {
            let mut trainer = xiangqi::network::Trainer::new(args.plan()?, own).map_err(Failure::usage)?;
            let held_out = files::read_games("xiangqi", own.held_out.as_slice(), &mut |_, game| trainer.hold_out(game));
            held_out.map_err(|failure| match failure {
                Failure::Usage(why) => Failure::Usage(format!("--held-out {why}")),
                other => other,
            })?;
            network::run("xiangqi", trainer, args)
        }
        Game::Gomoku(Work::Network { args, .. }) => {
            network::run("gomoku", gomoku::network::Trainer::new(args.plan()?, gomoku::positions::NODES), args)
        }
    }
}
