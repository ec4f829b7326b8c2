//! `qiju-tools`: makes what the program ships. Every command has a seed and shows its progress, and the long ones continue where they were stopped.

mod agreement;
mod gomoku;
mod library;
mod openings;
mod pictures;
mod prove;
mod puzzles;
mod selfplay;
mod train;
mod trainers;
mod training;
mod tune;
mod xiangqi;

use clap::{Parser, Subcommand};
use qiju_core::terminal::{Failure, report};
use std::process::ExitCode;

/// Makes training games, evaluations, networks, proofs, puzzles, openings and a library of games for Qiju.
#[derive(Parser)]
#[command(name = "qiju-tools", version, about, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of an engine against itself; continues an earlier run with the same file
    Selfplay(selfplay::Args),
    /// Fit an evaluation to games, train a network on them, or the one that reads pictures
    Train(train::Args),
    /// Tune the parameters of a search by games; continues an earlier run with the same file
    Tune(tune::Args),
    /// Make a tree of answers that wins gomoku; continues an earlier run
    Prove(prove::Args),
    /// Make puzzles and grade them; continues an earlier run with the same file
    Puzzles(puzzles::Args),
    /// Find balanced openings of gomoku, or make the opening book of xiangqi
    Openings(openings::Args),
    /// Play games for the library that the explorer starts with; continues an earlier run with the same folder
    Library(library::Args),
    /// Make the tablebase of xiangqi's endings
    Endings(xiangqi::endings::Args),
    /// Measure how well a quick review agrees with a thorough one
    Agreement(agreement::Args),
}

fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Err(error) => Err(Failure::of_parser(error.render().to_string(), error.use_stderr())),
        Ok(cli) => match cli.command {
            Command::Selfplay(args) => selfplay::run(&args),
            Command::Train(args) => train::run(&args),
            Command::Tune(args) => tune::run(&args),
            Command::Prove(args) => prove::run(&args),
            Command::Puzzles(args) => puzzles::run(&args),
            Command::Openings(args) => openings::run(&args),
            Command::Library(args) => library::run(&args),
            Command::Endings(args) => xiangqi::endings::run(&args),
            Command::Agreement(args) => agreement::run(&args),
        },
    };
    done.map_or_else(|failure| report("qiju-tools", failure), |()| ExitCode::SUCCESS)
}
