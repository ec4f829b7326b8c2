//! `agreement FILE..`: how well a quick review agrees with a thorough one of the same games.

use qiju_core::record;
use qiju_core::search::{Limits, StopToken};
use qiju_core::study::{Review, review};
use qiju_core::table::{Action, Judgement, SearchRequest, Table};
use qiju_core::terminal::{Failure, aside, line};
use std::path::PathBuf;
use web_time::{Duration, Instant};

/// Reviews games twice and compares the verdicts. Each review has an engine of its own.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The records, of any format that `qiju convert` reads
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The most games of each file
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    games: usize,
    /// Nodes of the quick review for each position
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(1..))]
    quick: u64,
    /// Nodes of the thorough review for each position
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    thorough: u64,
}

/// What the reviews of some games took.
#[derive(Default)]
struct Spent {
    positions: u64,
    nodes: u64,
    time: Duration,
    /// The longest time for one position.
    longest: Duration,
}

impl Spent {
    /// Reviews a game.
    fn review(&mut self, start: &dyn Table, moves: &[Action], nodes: u64) -> Result<Review, Failure> {
        let request = SearchRequest { limits: Limits::nodes(nodes), ..SearchRequest::default() };
        let mut player = start.player();
        player.prepare(start, &request)?;
        let begun = Instant::now();
        let (mut last, mut searched) = (begun, 0);
        let reviewed = review(start, moves, &mut *player, &request, &StopToken::new(), &mut |news| {
            self.longest = self.longest.max(last.elapsed());
            (last, searched) = (Instant::now(), news.nodes);
        });
        self.positions += moves.len() as u64 + 1;
        self.nodes += searched;
        self.time += begun.elapsed();
        reviewed.map_err(|error| Failure::work(error.to_string()))
    }

    fn told(&self, name: &str) -> String {
        format!(
            "{name}: {} nodes and {} ms a position, the longest {} ms",
            self.nodes / self.positions.max(1),
            self.time.as_millis() / u128::from(self.positions.max(1)),
            self.longest.as_millis()
        )
    }
}

/// How often the verdicts agree.
#[derive(Default)]
struct Agreement {
    /// The moves told as mistakes or blunders by the quick review, and how many of them are so by the thorough one.
    told: [usize; 2],
    /// The blunders by the thorough review, and how many of them the quick one tells neither as mistakes nor as blunders.
    blunders: [usize; 2],
}

impl Agreement {
    /// Counts a move; true if the reviews disagree about it.
    fn count(&mut self, quick: Judgement, thorough: Judgement) -> bool {
        let [told, is] = [quick, thorough].map(|judgement| judgement >= Judgement::Mistake);
        let missed = thorough == Judgement::Blunder && !told;
        self.told[0] += usize::from(told);
        self.told[1] += usize::from(told && is);
        self.blunders[0] += usize::from(thorough == Judgement::Blunder);
        self.blunders[1] += usize::from(missed);
        told && !is || missed
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (mut quick, mut thorough) = (Spent::default(), Spent::default());
    let mut agreement = Agreement::default();
    for path in &args.files {
        for (number, record) in (1..).zip(record::open(path)?.all()?.into_iter().take(args.games)) {
            let (start, moves) = (record.table()?, record.main_actions());
            let reviews = [quick.review(&*start, &moves, args.quick)?, thorough.review(&*start, &moves, args.thorough)?];
            for ply in 1..=moves.len() {
                let verdict = |review: &Review| review.positions[ply].as_ref()?.verdict.clone();
                let [Some(one), Some(other)] = reviews.each_ref().map(verdict) else { continue };
                if agreement.count(one.judgement, other.judgement) {
                    let [a, b] = [one, other].map(|verdict| format!("{} ({:.3})", verdict.judgement.key(), verdict.lost()));
                    line(&format!("{} game {number} ply {ply}: {a}, thoroughly {b}", path.display()))?;
                }
            }
            aside(&format!("{} game {number}: {} plies", path.display(), moves.len()));
        }
    }
    let [told, right] = agreement.told;
    let [blunders, missed] = agreement.blunders;
    line(&format!("{} positions: {told} told as mistakes or blunders, {right} of them are", quick.positions))?;
    line(&format!("{blunders} blunders, {missed} of them missed"))?;
    line(&quick.told("quick"))?;
    line(&thorough.told("thorough"))
}
