//! `solve`: solves two-eat-one by retrograde analysis, and checks the trees of answers that win gomoku.

mod gomoku;
mod two_eat_one;

use qiju_core::games::{self, Entry};
use qiju_core::table::Setup;
use qiju_core::terminal::Failure;
use std::path::{Path, PathBuf};

/// Solves two-eat-one by retrograde analysis, or checks a tree that wins gomoku for the first player.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: two-eat-one or gomoku
    #[arg(value_parser = super::ask::read_game)]
    game: String,
    /// The variant
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The output file: win, draw and loss of every position of two-eat-one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder of the exact distances of two-eat-one, where an interrupted run continues [default: the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// Check every position of two-eat-one against its successors; or, with a file, the tree of gomoku in it by the rules alone
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
