//! `prove GAME`: makes trees that win for the side to move.

use crate::gomoku::proof::solver::{SearchProgress, Solver, Unproven};
use qiju_core::games;
use qiju_core::games::gomoku::proof::check::{Checked, Summary, check, extent};
use qiju_core::games::gomoku::proof::tree::Tree;
use qiju_core::games::two_eat_one::solution::cache_folder;
use qiju_core::search::{StopToken, grouped};
use qiju_core::storage::{read_file, replace_file};
use qiju_core::terminal::{Bar, Failure, aside, json, line, time_text};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use web_time::{Duration, Instant};

/// The time between two progress lines.
const BETWEEN: Duration = Duration::from_secs(30);

/// Makes a tree that wins for the first player: an answer to every reply. The work is kept, and the same command continues it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: gomoku
    game: String,
    /// The variant: freestyle or standard, also with a size [default: freestyle]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The file of the tree
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder of the work, where an interrupted run continues [default: the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    /// A position in which the side to move wins [default: the empty board]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Only a win of so many plies at most, an odd number. Answers of --from that take more are tried first
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,
    /// Stop the work after this time
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    seconds: Option<u32>,
    /// When the work is stopped by --seconds, make a tree of the replies to the first stone that are answered so far
    #[arg(long)]
    part: bool,
    /// Moves to try first: a tree by any rule, also of a smaller board, or text with moves from the empty board on each line, the last of which is tried. They cannot
    /// make a tree wrong. Can be given more than once
    #[arg(long, value_name = "FILE")]
    hints: Vec<PathBuf>,
    /// A tree to go on from: its answers are taken over. Can be given more than once
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Check the tree by the rules alone, as `qiju solve gomoku --verify FILE` does; only a proof is written
    #[arg(long)]
    verify: bool,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The number of threads.
    fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or(cores, usize::from).clamp(1, 256)
    }
}

/// Unfinished work as JSON.
#[derive(Serialize)]
struct Unfinished<'a> {
    variant: &'a str,
    first: Option<&'a str>,
    answered: usize,
    replies: usize,
    open: &'a [String],
    answers: u64,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game = games::find(&args.game)?;
    if game.key != "gomoku" {
        return Err(Failure::usage(format!("proofs are made of gomoku, not of {}", game.key)));
    }
    make(args.variant.as_deref().unwrap_or((game.variants)()[0]), args)
}

/// Checks a tree and shows the progress.
fn checked(tree: &Tree, threads: usize) -> Checked {
    let bar = Bar::new("verifying");
    let started = Instant::now();
    let checked = check(tree, threads, &StopToken::new(), &|answers| bar.show(answers as u64, tree.len() as u64));
    bar.close();
    aside(&format!("{}; {}", extent(&checked.report), time_text(started.elapsed())));
    checked
}

/// Reads a file and hands its bytes to `take`; an error names the file.
fn read_into<E: std::fmt::Display>(file: &Path, take: impl FnOnce(Vec<u8>) -> Result<(), E>) -> Result<(), Failure> {
    let failed = |why: String| Failure::work(format!("{}: {why}", file.display()));
    let bytes = read_file(file).map_err(|error| failed(error.to_string()))?;
    take(bytes).map_err(|error| failed(error.to_string()))
}

fn make(variant: &str, args: &Args) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if out.is_dir() || !folder.is_dir() {
            return Err(Failure::usage(format!("--out {}: no file can be written there", out.display())));
        }
    }
    let failed = |error: Unproven| match error {
        Unproven::Setup(_) | Unproven::Variant(_) | Unproven::Plies(_) | Unproven::Over => Failure::usage(error.to_string()),
        _ => Failure::work(error.to_string()),
    };
    let mut solver = Solver::new(variant, args.position.as_deref()).map_err(failed)?;
    if let Some(plies) = args.plies {
        solver.within(plies).map_err(failed)?;
    }
    for file in &args.hints {
        read_into(file, |bytes| solver.hint(bytes))?;
    }
    if let Some(folder) = args.work.clone().or_else(cache_folder) {
        solver.keep_in(&folder).map_err(failed)?;
    }
    for file in &args.from {
        read_into(file, |bytes| solver.take_over(bytes))?;
    }
    let started = Instant::now();
    let stop = StopToken::new();
    let last: Mutex<Option<SearchProgress>> = Mutex::new(None);
    let progress = |standing: &SearchProgress| {
        say(standing, started);
        if let Ok(mut last) = last.lock() {
            *last = Some(standing.clone());
        }
    };
    let bar = Bar::new("walking");
    let solved = std::thread::scope(|scope| {
        let (done, ticks) = channel::<()>();
        let (stop, solver, bar) = (&stop, &solver, &bar);
        scope.spawn(move || {
            let end = args.seconds.map(|seconds| started + Duration::from_secs(u64::from(seconds)));
            let mut next = started + BETWEEN;
            loop {
                let until = end.filter(|_| !stop.is_stopped()).map_or(next, |end| end.min(next));
                match ticks.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Err(RecvTimeoutError::Timeout) if Instant::now() < next => stop.stop(),
                    Err(RecvTimeoutError::Timeout) => {
                        let time = time_text(started.elapsed());
                        let found = format!("{} answers", grouped(solver.answers()));
                        let done = match bar.done() {
                            0 => found,
                            kept => format!("walking, {} of {found} kept so far", grouped(kept)),
                        };
                        let told = [vec![done], solver.line()].concat().join(" ");
                        aside(&format!("{told}, {time}"));
                        next += BETWEEN;
                    }
                    _ => return,
                }
            }
        });
        let solved = solver.run(args.threads(), args.part, stop, &progress, &|answers| {
            bar.show(answers as u64, solver.answers());
        });
        drop(done);
        solved
    });
    bar.close();
    let solved = match solved {
        Err(error @ Unproven::Stopped) => {
            if let Some(standing) = last.into_inner().ok().flatten() {
                unfinished(variant, &standing, args)?;
            }
            return Err(failed(error));
        }
        solved => solved.map_err(failed)?,
    };
    aside(&format!("made in {}: {}", time_text(started.elapsed()), extent(&solved.report)));
    let length = solved.bytes.len();
    let tree = Tree::read(solved.bytes.clone()).map_err(|error| Failure::work(error.to_string()))?;
    let fault = if args.verify { checked(&tree, args.threads()).fault } else { None };
    if let Some(out) = args.out.as_ref().filter(|_| fault.is_none()) {
        replace_file(out, &solved.bytes).map_err(|error| Failure::work(format!("{}: {error}", out.display())))?;
    }
    let summary = Summary::of(&tree, length, args.verify && fault.is_none());
    if args.json {
        json(&summary)?
    } else {
        line(&summary.to_string())?
    }

    fault.map_or(Ok(()), |fault| Err(Failure::work(format!("the tree is no proof: {fault}"))))
}

/// A line on standard error about unfinished work.
fn say(standing: &SearchProgress, started: Instant) {
    let SearchProgress { first, answered, replies, answers, .. } = standing;
    let (answers, time) = (grouped(*answers), time_text(started.elapsed()));
    aside(&format!("{answered} of {replies} replies to {first} answered; {answers} answers, {time}"));
}

/// Writes how far unfinished work is. What is answered has not been checked yet.
fn unfinished(variant: &str, standing: &SearchProgress, args: &Args) -> Result<(), Failure> {
    let SearchProgress { first, answered, replies, open, answers } = standing;
    if args.json {
        let (first, answered, replies, answers) = (Some(first.as_str()), *answered, *replies, *answers);
        return json(&Unfinished { variant, first, answered, replies, open, answers });
    }
    line(&format!("variant  {variant}"))?;
    line(&format!("first    {first}"))?;
    line(&format!("answered {answered} of {replies} replies"))?;
    line(&format!("open     {}", open.join(" ")))?;
    line(&format!("answers  {answers}"))
}
