//! `solve gomoku`: checks trees that win for the side to move. The tools make them.

use super::Args;
use qiju_core::games::gomoku::proof::check::{Checked, Summary, check, extent, variant_of};
use qiju_core::games::gomoku::proof::tree::Tree;
use qiju_core::search::StopToken;
use qiju_core::storage::read_file;
use qiju_core::terminal::{self, Bar, Failure};
use web_time::Instant;

/// Checks a tree.
pub fn run(_: &str, args: &Args) -> Result<(), Failure> {
    let Some(Some(file)) = &args.verify else {
        return Err(Failure::usage("solve gomoku checks a tree: --verify FILE; `qiju-tools prove gomoku` makes one"));
    };
    if args.out.is_some() || args.tables.is_some() {
        return Err(Failure::usage("--verify FILE only reads that tree: it goes with --variant, --threads and --json alone"));
    }
    let failed = |why: String| Failure::work(format!("{}: {why}", file.display()));
    let bytes = read_file(file).map_err(|error| Failure::file(file, &error))?;
    let length = bytes.len();
    let tree = Tree::read(bytes).map_err(|error| failed(error.to_string()))?;
    let variant = variant_of(tree.title());
    let same = |wanted: &str| wanted.trim_end_matches(":15") == variant;
    if let Some(wanted) = args.variant.as_deref().filter(|wanted| !same(wanted)) {
        return Err(Failure::usage(format!("{}: the tree is about {variant}, not {wanted}", file.display())));
    }
    let fault = checked(&tree, args.threads()).fault;
    let summary = Summary::of(&tree, length, fault.is_none());
    if args.json {
        terminal::json(&summary)?
    } else {
        terminal::line(&summary.to_string())?
    }
    fault.map_or(Ok(()), |fault| Err(failed(format!("the tree is no proof: {fault}"))))
}

/// Checks a tree and shows the progress.
fn checked(tree: &Tree, threads: usize) -> Checked {
    let bar = Bar::new("verifying");
    let started = Instant::now();
    let checked = check(tree, threads, &StopToken::new(), &|answers| bar.show(answers as u64, tree.len() as u64));
    bar.close();
    terminal::aside(&format!("{}; {}", extent(&checked.report), terminal::time_text(started.elapsed())));
    checked
}
