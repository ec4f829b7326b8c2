//! `openings GAME`: finds balanced openings, and makes the opening book.

mod gomoku;
mod xiangqi;

use qiju_core::terminal::Failure;

/// Finds balanced openings of gomoku, or makes the opening book of xiangqi.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(clap::Subcommand, Debug)]
enum Game {
    Gomoku(gomoku::Args),
    Xiangqi(xiangqi::Args),
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.game {
        Game::Gomoku(args) => gomoku::run(args),
        Game::Xiangqi(args) => xiangqi::run(args),
    }
}
