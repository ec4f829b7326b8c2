//! The command line: one file per subcommand.
//!
//! Standard output has results only; messages go to standard error. Exit status: 0 success, 1 the work could not be done,
//! 2 wrong usage or input, with one line that says what is wrong and where.

mod analyze;
mod arena;
mod ask;
mod bench;
mod book;
mod compare;
mod convert;
mod data;
mod engine;
#[cfg(all(feature = "friends", not(target_arch = "wasm32")))]
mod host;
mod inspect;
mod lessons;
mod library;
mod opening;
mod output;
mod perft;
mod picture;
mod play;
mod puzzles;
mod review;
mod solve;
mod teach;
mod tree;

#[cfg(target_arch = "wasm32")]
pub use bench::of_game as bench_of_game;

use clap::{CommandFactory, Parser, Subcommand};
use qiju_core::record;
use qiju_core::terminal::{Failure, report};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Board games: xiangqi, gomoku, two-eat-one and tic-tac-toe, with engines of ten levels.
#[derive(Parser)]
#[command(name = "qiju", version, about, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Open the window (the same as `qiju` alone, or with a game or a file)
    Play(play::Args),
    /// Run the engine with a standard protocol on standard input and output
    Engine(engine::Args),
    /// Count the leaves of the tree of legal moves
    Perft(perft::Args),
    /// Show a position: pieces, legal moves, outcome
    Inspect(inspect::Args),
    /// Search one position
    Analyze(analyze::Args),
    /// Search fixed positions of every game to fixed depths: node counts and nodes per second
    Bench(bench::Args),
    /// Play a match between two engines
    Arena(arena::Args),
    /// Solve two-eat-one by retrograde analysis, or check a tree that wins gomoku
    Solve(solve::Args),
    /// Convert records of games from one format to another
    Convert(convert::Args),
    /// Assess every move of a recorded game
    Review(review::Args),
    /// Judge the last move of a line
    Teach(teach::Args),
    /// Name the opening of a game
    Opening(opening::Args),
    /// List, show and check puzzles
    Puzzles(puzzles::Args),
    /// Draw a position as a picture, or a game as an animated picture
    Picture(picture::Args),
    /// List what the engines learnt from lost games, learn from records, delete lessons
    Lessons(lessons::Args),
    /// Show, change and make opening books
    Book(book::Args),
    /// Keep all games in one store, and find games and positions in it
    Library(library::Args),
    /// Open a table at which an engine waits for a friend, or carry the matches of friends, as a broker for them
    #[cfg(all(feature = "friends", not(target_arch = "wasm32")))]
    Host(host::Args),
    /// Write all settings, saved games, lessons and results to one file, or take them over from one
    Data(data::Args),
    /// Search one position with minimax, negamax, alpha-beta and the game's own engine
    Compare(compare::Args),
    /// Show the tree as minimax, negamax or alpha-beta searches it
    Tree(tree::Args),
}

/// The arguments that are meant: the manager of Gomocup calls a program whose name begins with `pbrain-` without any; a desktop opens a file with the
/// name of the file alone.
fn meant(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_engine = |program: &Path| {
        let name = program.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.to_ascii_lowercase().starts_with("pbrain-"))
    };
    match &arguments[..] {
        [program] if is_engine(program.as_ref()) => arguments.extend(["engine", "gomoku"].map(OsString::from)),
        [_, one] if Cli::command().find_subcommand(one).is_none() => {
            let path = Path::new(one);
            if path.is_file() || record::is_link(path) {
                arguments.splice(1..1, ["play", "--load"].map(OsString::from));
            } else if one.to_str().is_some_and(|game| ask::game_called(game).is_some()) {
                arguments.insert(1, "play".into());
            }
        }
        _ => {}
    }
    arguments
}

/// Runs the command line and returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = meant(arguments.into_iter().collect());
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return report("qiju", Failure::of_parser(error.render().to_string(), error.use_stderr())),
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
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Review(args)) => review::run(&args),
        Some(Command::Teach(args)) => teach::run(&args),
        Some(Command::Opening(args)) => opening::run(&args),
        Some(Command::Puzzles(args)) => puzzles::run(&args),
        Some(Command::Picture(args)) => picture::run(&args),
        Some(Command::Lessons(args)) => lessons::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Library(args)) => library::run(&args),
        #[cfg(all(feature = "friends", not(target_arch = "wasm32")))]
        Some(Command::Host(args)) => host::run(&args),
        Some(Command::Data(args)) => data::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Tree(args)) => tree::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report("qiju", failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manager_of_gomocup_means_the_engine() {
        let of = |arguments: &[&str]| meant(arguments.iter().map(OsString::from).collect());
        assert_eq!(of(&["games/PBrain-Qiju.exe"]), ["games/PBrain-Qiju.exe", "engine", "gomoku"]);
        assert_eq!(of(&["pbrain-qiju", "bench"]), ["pbrain-qiju", "bench"]);
        assert_eq!(of(&["pbrain-games/qiju"]), ["pbrain-games/qiju"]);
    }

    #[test]
    fn a_file_or_a_game_alone_is_opened() {
        let of = |arguments: &[&str]| meant(arguments.iter().map(OsString::from).collect());
        assert_eq!(of(&["qiju", "Cargo.toml"]), ["qiju", "play", "--load", "Cargo.toml"]);
        assert_eq!(of(&["qiju", "gomoku"]), ["qiju", "play", "gomoku"]);
        assert_eq!(of(&["qiju", "五子棋"]), ["qiju", "play", "五子棋"]);
        for others in
            [&["qiju", "bench"][..], &["qiju", "src"], &["qiju", "chess"], &["qiju", "--version"], &["qiju", "play", "gomoku"]]
        {
            assert_eq!(of(others), others);
        }
    }
}
