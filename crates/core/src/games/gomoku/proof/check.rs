//! Checks a whole tree on several threads, and says what it is about.

use super::board::spot;
use super::key::{Key, Place, key};
use super::tree::{Title, Tree};
use super::verifier::{Answers, Report, Seen, Walk};
use crate::search::{StopToken, grouped};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Walks over a tree on several threads and puts together what they found.
pub fn walk<A: Answers>(
    (title, most): (&Title, u16),
    source: impl Fn() -> A + Sync,
    threads: usize,
    stop: &StopToken,
    walked: &(dyn Fn(usize) + Sync),
) -> Report {
    let threads = threads.max(1);
    let seen = Seen::new(threads);
    let counts: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
    let one = |thread: usize| {
        let progress = |report: &Report| {
            counts[thread].store(report.answers.len(), Relaxed);
            walked(counts.iter().map(|count| count.load(Relaxed)).sum());
        };
        Walk::new(title, (&seen, thread), source(), 1, stop, &progress).within(most).run()
    };
    let reports: Vec<Report> = std::thread::scope(|scope| {
        let one = &one;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || one(thread))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut whole = Report { stopped: reports.len() < threads, ..Report::default() };
    for report in reports {
        whole.faults.extend(report.faults);
        whole.answers.extend(report.answers);
        whole.positions += report.positions;
        whole.leaves += report.leaves;
        whole.left_out += report.left_out;
        whole.moves = whole.moves.max(report.moves);
        whole.stopped |= report.stopped;
    }
    whole.answers.sort_unstable_by_key(|(hash, _)| *hash);
    whole
}

impl Answers for &Tree {
    fn answer(&mut self, key: Key, _left: u16) -> Option<Place> {
        Tree::answer(self, key).map(|answer| answer.place)
    }
}

/// The key of the variant that a tree is about.
pub fn variant_of(title: &Title) -> String {
    let rule = if title.exact { "standard" } else { "freestyle" };
    if title.size == 15 { rule.to_owned() } else { format!("{rule}:{}", title.size) }
}

/// The answer of a tree in its first position; `None` if that is won by threats.
pub fn first_move(tree: &Tree) -> Option<String> {
    let title = tree.title();
    let answer = tree.answer(key(title.stones.iter().copied(), title.size))?;
    Some(spot(answer.place, title.size).to_string())
}

/// The replies to the first answer of a tree against which it proves nothing.
pub fn open_replies(tree: &Tree) -> Vec<String> {
    tree.title().open.iter().map(|&reply| spot(reply, tree.title().size).to_string()).collect()
}

/// What the check of a tree found.
pub struct Checked {
    /// The walk over it. There are no faults if the tree is a proof.
    pub report: Report,
    /// The first fault as text.
    pub fault: Option<String>,
}

/// Checks a tree by the rules alone, on so many threads. Stops at the first fault.
pub fn check(tree: &Tree, threads: usize, stop: &StopToken, walked: &(dyn Fn(usize) + Sync)) -> Checked {
    let title = tree.title();
    let report = walk((title, tree.plies().div_ceil(2)), || tree, threads, stop, walked);
    let size = tree.title().size;
    let named = |places: &[Place]| places.iter().map(|&place| spot(place, size).to_string()).collect::<Vec<_>>().join(" ");
    let mut fault = report.faults.first().map(|fault| format!("after {}: {}", named(&fault.moves), fault.why));
    if fault.is_none() && !report.stopped {
        let kept = |hash: u64| tree.answer(Key { hash, symmetry: 0 });
        if report.answers.len() != tree.len() {
            fault = Some(format!("{} of its {} answers belong to no line", tree.len() - report.answers.len(), tree.len()));
        } else if report.moves * 2 != tree.plies() + 1 {
            fault = Some(format!("its longest line has {} plies, not {}", report.moves * 2 - 1, tree.plies()));
        } else if report.answers.iter().any(|(hash, answer)| kept(*hash) != Some(*answer)) {
            fault = Some("a number of moves in it is wrong".to_owned());
        }
    }
    Checked { report, fault }
}

/// How much a walk has looked at, in words.
pub fn extent(report: &Report) -> String {
    let Report { positions, leaves, left_out, .. } = report;
    let (positions, leaves, left_out) = (grouped(*positions), grouped(*leaves), grouped(*left_out));
    format!("{positions} positions, {leaves} of them won by threats; {left_out} replies touch no threat")
}

/// What a tree is about, for the command line.
#[derive(Serialize)]
pub struct Summary {
    variant: String,
    /// The first answer; `None` if the first position is won by threats.
    first: Option<String>,
    nodes: usize,
    plies: u16,
    bytes: usize,
    /// The replies to the first move that the tree leaves open.
    open: Vec<String>,
    verified: bool,
}

impl Summary {
    /// The summary of a tree whose file has so many bytes.
    pub fn of(tree: &Tree, bytes: usize, verified: bool) -> Summary {
        Summary {
            variant: variant_of(tree.title()),
            first: first_move(tree),
            nodes: tree.len(),
            plies: tree.plies(),
            bytes,
            open: open_replies(tree),
            verified,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { variant, first, nodes, plies, bytes, open, verified } = self;
        let first = first.as_deref().unwrap_or("by threats");
        write!(f, "variant  {variant}\nfirst    {first}\nnodes    {nodes}\nplies    {plies} at most\nbytes    {bytes}\n")?;
        if !open.is_empty() {
            writeln!(f, "open     {}", open.join(" "))?;
        }
        write!(f, "verified {}", if *verified { "yes" } else { "no" })
    }
}
