//! The command line: one file a subcommand.
//!
//! Standard output carries answers only; messages go to standard error. Exit status: 0 done, 1 the work could not be done,
//! 2 bad usage or bad input, with one line that says what was wrong and where.

mod analyze;
mod arena;
mod ask;
mod bench;
mod compare;
mod convert;
mod engine;
mod failure;
mod inspect;
mod lessons;
mod openings;
mod output;
mod perft;
mod picture;
mod play;
mod review;
mod solve;
#[cfg(feature = "training")]
mod train;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// A board-game table: xiangqi, gomoku, two-eat-one and tic-tac-toe, with engines of ten levels.
#[derive(Parser)]
#[command(name = "qiju", version, about, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Open the table's window (what `qiju` alone does)
    Play(play::Args),
    /// Run the engine behind a standard protocol on standard input and output
    Engine(engine::Args),
    /// Count the leaves of the tree of legal moves
    Perft(perft::Args),
    /// Show a position: pieces, legal moves, outcome
    Inspect(inspect::Args),
    /// Search one position
    Analyze(analyze::Args),
    /// Search fixed positions of every game to fixed depths: the nodes, and nodes a second
    Bench(bench::Args),
    /// Let two engines play a match
    Arena(arena::Args),
    /// Play training games and fit evaluations to them
    #[cfg(feature = "training")]
    Train(train::Args),
    /// Solve a game from its end
    Solve(solve::Args),
    /// Turn records of games from one format into another
    Convert(convert::Args),
    /// Judge every move of a game on record
    Review(review::Args),
    /// Draw a position as a picture, or a game as an animated one
    Picture(picture::Args),
    /// Find balanced openings with the game's own engine
    Openings(openings::Args),
    /// Show what lost games taught the engines, learn from records, forget
    Lessons(lessons::Args),
    /// Search one position by minimax, negamax, alpha-beta and the game's own search
    Compare(compare::Args),
}

/// Runs the command line and says how it went.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return failure::report(failure::of_clap(&error)),
    };
    let done = match cli.command {
        None => play::run(play::Args::default()),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Arena(args)) => arena::run(&args),
        #[cfg(feature = "training")]
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Review(args)) => review::run(&args),
        Some(Command::Picture(args)) => picture::run(&args),
        Some(Command::Openings(args)) => openings::run(&args),
        Some(Command::Lessons(args)) => lessons::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure::report(failure),
    }
}
