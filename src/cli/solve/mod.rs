//! `solve`: solves a game, by retrograde analysis or by a tree of answers.

mod gomoku;
mod two_eat_one;

use qiju_core::games::{self, Entry};
use qiju_core::table::Setup;
use qiju_core::terminal::Failure;
use std::path::{Path, PathBuf};

/// Solves a game: two-eat-one by retrograde analysis, gomoku by a tree that wins for the first player.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: two-eat-one or gomoku
    game: String,
    /// The variant
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The output file: win, draw and loss of every position of two-eat-one, or the tree of gomoku
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder of the exact distances of two-eat-one, where an interrupted run continues [default: the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// The folder of the work on gomoku, where an interrupted run continues [default: the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    /// A position of gomoku in which the side to move wins [default: the empty board]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Only a win of gomoku of so many plies at most, an odd number. Answers of --from that take more are tried first
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,
    /// Stop the work on gomoku after this time
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    seconds: Option<u32>,
    /// When the work on gomoku is stopped by --seconds, make a tree of the replies to the first stone that are answered so far
    #[arg(long)]
    part: bool,
    /// Moves of gomoku to try first: a tree by any rule, also of a smaller board, or text with moves from the empty board on each line, the last of which is tried. They cannot
    /// make a tree wrong. Can be given more than once
    #[arg(long, value_name = "FILE")]
    hints: Vec<PathBuf>,
    /// A tree of gomoku to go on from: its answers are taken over. Can be given more than once
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Check the result: every position of two-eat-one against its successors, or the tree of gomoku by the rules alone. With a file (gomoku
    /// only), this tree is checked and nothing is made
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    verify: Option<Option<PathBuf>>,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Write JSON, one object per line (gomoku)
    #[arg(long)]
    json: bool,
}

/// Solves a variant and writes the solution, if an output is given.
type Solve = fn(&str, &Args) -> Result<(), Failure>;

/// The games that can be solved, one per line.
const SOLVERS: &[(&str, Solve)] = &[("two-eat-one", two_eat_one::run), ("gomoku", gomoku::run)];

pub fn run(args: &Args) -> Result<(), Failure> {
    let game: &Entry = games::find(&args.game)?;
    let setup = Setup { variant: args.variant.clone(), position: None };
    game.table(&setup)?;
    let variant = args.variant.as_deref().unwrap_or((game.variants)()[0]);
    match SOLVERS.iter().find(|(key, _)| *key == game.key) {
        Some((_, solve)) => solve(variant, args),
        None => Err(Failure::work(format!("there is no solver of {}", game.key))),
    }
}

impl Args {
    /// Whether an option is given that says how a tree of gomoku is made.
    fn is_about_making_a_tree(&self) -> bool {
        self.position.is_some()
            || self.work.is_some()
            || self.seconds.is_some()
            || self.plies.is_some()
            || self.part
            || !self.hints.is_empty()
            || !self.from.is_empty()
    }

    /// The number of threads.
    fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or(cores, usize::from).clamp(1, 256)
    }
}

/// Checks before the work that the output can be written.
fn can_be_written(out: &Path) -> Result<(), Failure> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if out.is_dir() || !folder.is_dir() {
        return Err(Failure::usage(format!("--out {}: no file can be written there", out.display())));
    }
    Ok(())
}
