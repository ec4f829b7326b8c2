//! `solve`: solves a game by retrograde analysis.

use super::failure::Failure;
use super::output;
use crate::games::two_eat_one::solution::{Solution, Unsolved, cache_folder};
use crate::games::{self, Entry};
use crate::search::{StopToken, Value, Verdict, grouped};
use crate::storage::replace_file;
use crate::table::Setup;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Solves a game by retrograde analysis.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    game: String,
    /// The variant
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The output file for win, draw and loss of every position, in the compressed format of the built-in table
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder of the exact distances, where an interrupted run continues [default: the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// Check every position against its successors
    #[arg(long)]
    verify: bool,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Solves a variant and writes the solution, if an output is given.
type Solve = fn(&str, &Args) -> Result<(), Failure>;

/// The games that can be solved, one per line.
const SOLVERS: &[(&str, Solve)] = &[("two-eat-one", two_eat_one)];

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

fn two_eat_one(variant: &str, args: &Args) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.map_or(cores, usize::from).clamp(1, 256);
    if let Some(out) = &args.out {
        can_be_written(out)?;
    }
    let standard = variant == "standard";
    // Solving the small boards is faster than reading them from a file, so they are saved only on request.
    let folder = args.tables.clone().or_else(|| cache_folder().filter(|_| standard));
    let started = Instant::now();
    let bar = Bar::new("solving");
    let solution =
        Solution::work_out(variant, folder.as_deref(), threads, &StopToken::new(), &|done, whole| bar.show(done, whole));
    bar.close();
    let failed = |error: Unsolved| match error {
        Unsolved::UnknownVariant(_) => Failure::usage(error.to_string()),
        _ => Failure::work(error.to_string()),
    };
    let solution = solution.map_err(failed)?;
    if let Some(folder) = &folder {
        solution.keep(folder).map_err(failed)?;
        output::aside(&format!("distances in {}", folder.display()));
    }
    output::aside(&format!("solved in {}", output::time_text(started.elapsed())));

    let mut positions = 0;
    output::line("# class positions win draw loss longest_win longest_loss (for the side to move, in plies)")?;
    for class @ (a, b) in solution.classes() {
        let counts = solution.count(class);
        positions += counts.positions();
        let plies = |longest: Option<u32>| longest.map_or("-".to_owned(), |plies| plies.to_string());
        let (win, loss) = (plies(counts.longest_win), plies(counts.longest_loss));
        let (wins, draws, losses) = (counts.wins, counts.draws, counts.losses);
        output::line(&format!("{a}v{b} {} {wins} {draws} {losses} {win} {loss}", counts.positions()))?;
    }
    output::line(&format!("total {positions}"))?;
    let (start, moves) = solution.start();
    output::line(&format!("start {}", text(start)))?;
    for (step, verdict) in moves {
        output::line(&format!("move {step} {}", text(verdict)))?;
    }

    if let Some(out) = &args.out {
        let bytes = solution.outcomes().map_err(|error| Failure::work(format!("packing: {error}")))?;
        replace_file(out, &bytes).map_err(|error| Failure::work(format!("{}: {error}", out.display())))?;
        output::aside(&format!("{} bytes in {}", grouped(bytes.len() as u64), out.display()));
    }
    if args.verify {
        let bar = Bar::new("verifying");
        let classes = solution.classes();
        let size = |class| solution.count(class).positions();
        let whole: u64 = classes.iter().map(|class| size(*class)).sum();
        let (mut done, mut failures) = (0, 0);
        for class in classes {
            failures += solution.verify(class, threads);
            done += size(class);
            bar.show(done, whole);
        }
        bar.close();
        output::line(&format!("failures {failures}"))?;
        if failures > 0 {
            return Err(Failure::work(format!("{failures} positions disagree with their successors")));
        }
    }
    Ok(())
}

fn text(verdict: Verdict) -> String {
    output::value_text(Value::Exact(verdict))
}

/// Checks before the work that the output can be written.
fn can_be_written(out: &Path) -> Result<(), Failure> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if out.is_dir() || !folder.is_dir() {
        return Err(Failure::usage(format!("--out {}: no file can be written there", out.display())));
    }
    Ok(())
}

/// A progress bar on standard error, if it is a terminal.
struct Bar {
    what: &'static str,
    terminal: bool,
    shown: Mutex<(Option<Instant>, u64)>,
}

impl Bar {
    fn new(what: &'static str) -> Bar {
        Bar { what, terminal: io::stderr().is_terminal(), shown: Mutex::new((None, 0)) }
    }

    /// Updates the bar, at most ten times a second; it never goes back.
    fn show(&self, done: u64, whole: u64) {
        const WIDTH: u64 = 40;
        let Ok(mut shown) = self.shown.lock() else { return };
        let (last, most) = &mut *shown;
        *most = (*most).max(done.min(whole));
        if !self.terminal || last.is_some_and(|last| last.elapsed() < Duration::from_millis(100)) {
            return;
        }
        *last = Some(Instant::now());
        let filled = *most * WIDTH / whole.max(1);
        let bar: String = (0..WIDTH).map(|at| if at < filled { '█' } else { '·' }).collect();
        let _ = write!(io::stderr(), "\r{} {bar} {:>3} %", self.what, *most * 100 / whole.max(1));
    }

    fn close(&self) {
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
