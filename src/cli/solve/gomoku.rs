//! `solve gomoku`: makes and checks trees that win for the side to move.

use super::{Args, can_be_written};
use qiju_core::games::gomoku::proof::solver::{Checked, Solver, Standing, Unproven, check, first_move, open_replies, variant_of};
use qiju_core::games::gomoku::proof::tree::Tree;
use qiju_core::games::two_eat_one::solution::cache_folder;
use qiju_core::search::{StopToken, grouped};
use qiju_core::storage::{read_file, replace_file};
use qiju_core::terminal::{self, Bar, Failure};
use serde::Serialize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use web_time::{Duration, Instant};

/// The time between two progress lines.
const BETWEEN: Duration = Duration::from_secs(30);

/// A finished tree as JSON.
#[derive(Serialize)]
struct Line<'a> {
    variant: &'a str,
    first: Option<String>,
    nodes: usize,
    plies: u16,
    bytes: usize,
    /// The replies to the first move that the tree leaves open.
    open: Vec<String>,
    verified: bool,
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

/// Makes a tree, or checks one.
pub fn run(variant: &str, args: &Args) -> Result<(), Failure> {
    if args.tables.is_some() {
        return Err(Failure::usage("--tables is for two-eat-one; the work on gomoku is in --work FOLDER"));
    }
    match &args.verify {
        Some(Some(file)) => verify_file(file, args),
        verify => make(variant, args, verify.is_some()),
    }
}

fn verify_file(file: &Path, args: &Args) -> Result<(), Failure> {
    if args.out.is_some() || args.is_about_making_a_tree() {
        return Err(Failure::usage("--verify FILE only reads that tree: it goes with --variant, --threads and --json alone"));
    }
    let failed = |why: String| Failure::work(format!("{}: {why}", file.display()));
    let bytes = read_file(file).map_err(|error| failed(error.to_string()))?;
    let length = bytes.len();
    let tree = Tree::read(bytes).map_err(|error| failed(error.to_string()))?;
    let variant = variant_of(tree.title());
    let same = |wanted: &str| wanted.trim_end_matches(":15") == variant;
    if let Some(wanted) = args.variant.as_deref().filter(|wanted| !same(wanted)) {
        return Err(Failure::usage(format!("{}: the tree is about {variant}, not {wanted}", file.display())));
    }
    let fault = checked(&tree, args.threads()).fault;
    tell(&tree, &variant, length, fault.is_none(), args)?;
    fault.map_or(Ok(()), |fault| Err(failed(format!("the tree is no proof: {fault}"))))
}

/// Checks a tree and shows the progress.
fn checked(tree: &Tree, threads: usize) -> Checked {
    let bar = Bar::new("verifying");
    let started = Instant::now();
    let checked = check(tree, threads, &StopToken::new(), &|answers| bar.show(answers as u64, tree.len() as u64));
    bar.close();
    let report = &checked.report;
    let (positions, leaves, left_out) = (report.positions, report.leaves, report.left_out);
    terminal::aside(&format!(
        "{} positions, {} of them won by threats; {} replies touch no threat; {}",
        grouped(positions),
        grouped(leaves),
        grouped(left_out),
        terminal::time_text(started.elapsed())
    ));
    checked
}

/// Writes the result.
fn tell(tree: &Tree, variant: &str, bytes: usize, verified: bool, args: &Args) -> Result<(), Failure> {
    let first = first_move(tree);
    let (nodes, plies) = (tree.len(), tree.plies());
    let open = open_replies(tree);
    if args.json {
        return terminal::json(&Line { variant, first, nodes, plies, bytes, open, verified });
    }
    terminal::line(&format!("variant  {variant}"))?;
    terminal::line(&format!("first    {}", first.as_deref().unwrap_or("by threats")))?;
    terminal::line(&format!("nodes    {nodes}"))?;
    terminal::line(&format!("plies    {plies} at most"))?;
    terminal::line(&format!("bytes    {bytes}"))?;
    if !open.is_empty() {
        terminal::line(&format!("open     {}", open.join(" ")))?;
    }
    terminal::line(&format!("verified {}", if verified { "yes" } else { "no" }))
}

/// Reads a file and hands its bytes to `take`; an error names the file.
fn read_into<E: std::fmt::Display>(file: &Path, take: impl FnOnce(Vec<u8>) -> Result<(), E>) -> Result<(), Failure> {
    let failed = |why: String| Failure::work(format!("{}: {why}", file.display()));
    let bytes = read_file(file).map_err(|error| failed(error.to_string()))?;
    take(bytes).map_err(|error| failed(error.to_string()))
}

fn make(variant: &str, args: &Args, verify: bool) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        can_be_written(out)?;
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
    let last: Mutex<Option<Standing>> = Mutex::new(None);
    let progress = |standing: &Standing| {
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
                        let time = terminal::time_text(started.elapsed());
                        let found = format!("{} answers", grouped(solver.answers()));
                        let done = match bar.done() {
                            0 => found,
                            kept => format!("walking, {} of {found} kept so far", grouped(kept)),
                        };
                        let told = [vec![done], solver.line()].concat().join(" ");
                        terminal::aside(&format!("{told}, {time}"));
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
    terminal::aside(&format!("made in {}", terminal::time_text(started.elapsed())));
    let length = solved.bytes.len();
    let tree = Tree::read(solved.bytes.clone()).map_err(|error| Failure::work(error.to_string()))?;
    let fault = if verify { checked(&tree, args.threads()).fault } else { None };
    if let Some(out) = args.out.as_ref().filter(|_| fault.is_none()) {
        replace_file(out, &solved.bytes).map_err(|error| Failure::work(format!("{}: {error}", out.display())))?;
    }
    tell(&tree, &variant_of(tree.title()), length, verify && fault.is_none(), args)?;
    fault.map_or(Ok(()), |fault| Err(Failure::work(format!("the tree is no proof: {fault}"))))
}

/// A line on standard error about unfinished work.
fn say(standing: &Standing, started: Instant) {
    let Standing { first, answered, replies, answers, .. } = standing;
    let (answers, time) = (grouped(*answers), terminal::time_text(started.elapsed()));
    terminal::aside(&format!("{answered} of {replies} replies to {first} answered; {answers} answers, {time}"));
}

/// Writes how far unfinished work is. What is answered has not been checked yet.
fn unfinished(variant: &str, standing: &Standing, args: &Args) -> Result<(), Failure> {
    let Standing { first, answered, replies, open, answers } = standing;
    if args.json {
        let (first, answered, replies, answers) = (Some(first.as_str()), *answered, *replies, *answers);
        return terminal::json(&Unfinished { variant, first, answered, replies, open, answers });
    }
    terminal::line(&format!("variant  {variant}"))?;
    terminal::line(&format!("first    {first}"))?;
    terminal::line(&format!("answered {answered} of {replies} replies"))?;
    terminal::line(&format!("open     {}", open.join(" ")))?;
    terminal::line(&format!("answers  {answers}"))
}
