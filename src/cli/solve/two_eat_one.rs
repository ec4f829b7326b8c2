//! `solve two-eat-one`: retrograde analysis.

use super::{Args, can_be_written};
use crate::cli::output::value_text;
use qiju_core::games::two_eat_one::solution::{Solution, Unsolved, cache_folder};
use qiju_core::search::{StopToken, Value, Verdict, grouped};
use qiju_core::storage::replace_file;
use qiju_core::terminal::{self, Bar, Failure};
use web_time::Instant;

/// Solves a variant and writes the solution, if an output is given.
pub fn run(variant: &str, args: &Args) -> Result<(), Failure> {
    if matches!(args.verify, Some(Some(_))) {
        return Err(Failure::usage("--verify takes no file for two-eat-one"));
    }
    if args.json {
        return Err(Failure::usage("--json is for gomoku"));
    }
    let threads = args.threads();
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
        terminal::aside(&format!("distances in {}", folder.display()));
    }
    terminal::aside(&format!("solved in {}", terminal::time_text(started.elapsed())));

    let mut positions = 0;
    terminal::line("# class positions win draw loss longest_win longest_loss (for the side to move, in plies)")?;
    for class @ (a, b) in solution.classes() {
        let counts = solution.count(class);
        positions += counts.positions();
        let plies = |longest: Option<u32>| longest.map_or("-".to_owned(), |plies| plies.to_string());
        let (win, loss) = (plies(counts.longest_win), plies(counts.longest_loss));
        let (wins, draws, losses) = (counts.wins, counts.draws, counts.losses);
        terminal::line(&format!("{a}v{b} {} {wins} {draws} {losses} {win} {loss}", counts.positions()))?;
    }
    terminal::line(&format!("total {positions}"))?;
    let (start, moves) = solution.start();
    terminal::line(&format!("start {}", text(start)))?;
    for (step, verdict) in moves {
        terminal::line(&format!("move {step} {}", text(verdict)))?;
    }

    if let Some(out) = &args.out {
        let bytes = solution.outcomes().map_err(|error| Failure::work(format!("packing: {error}")))?;
        replace_file(out, &bytes).map_err(|error| Failure::file(out, &error))?;
        terminal::aside(&format!("{} bytes in {}", grouped(bytes.len() as u64), out.display()));
    }
    if args.verify.is_some() {
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
        terminal::line(&format!("failures {failures}"))?;
        if failures > 0 {
            return Err(Failure::work(format!("{failures} positions disagree with their successors")));
        }
    }
    Ok(())
}

fn text(verdict: Verdict) -> String {
    value_text(Value::Exact(verdict))
}
