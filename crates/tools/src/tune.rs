//! `tune GAME`: tunes the parameters of a search by games between slightly different versions of the engine.
//!
//! Simultaneous perturbation stochastic approximation (SPSA; Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992). For each pair of games all parameters are changed at once, each by its step up or down at random, and the two games are played
//! between the engine with these changes and the engine with the opposite ones. The parameters then move a little to the side that scored more. The steps
//! become smaller, and the moves too, as Spall recommends.

use crate::trainers;
use qiju_core::arena::{Competitor, Game, Margins, Opening, Rules, Spec, balanced, play, random};
use qiju_core::games::Entry;
use qiju_core::rules::zobrist;
use qiju_core::search::{Limits, Parameter, grouped};
use qiju_core::storage::{read_file, replace_file};
use qiju_core::table::{EngineOptions, GameSheet, Setup, Table};
use qiju_core::terminal::{Failure, aside, line};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use web_time::{Duration, Instant};

/// The step of a parameter in the last pair, as a part of its range.
const STEP: f64 = 1.0 / 18.0;
/// How the steps and the moves become smaller, and the part of all pairs that delays this.
const STEP_DECAY: f64 = 0.101;
const MOVE_DECAY: f64 = 0.602;
const DELAY: f64 = 0.1;
/// The pairs between two writings of the file.
const WRITE: u64 = 50;
const TITLE: &str = "qiju search parameters 1";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: xiangqi or gomoku
    game: String,
    /// The variant [default: the game's usual one]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The total number of games, two for each change
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Random moves at the start of each pair of games, if the game has no balanced openings
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=40))]
    random_plies: u16,
    /// How far a parameter moves in the last pair for each point by which a side leads, as a part of its step
    #[arg(long, value_name = "R", default_value_t = 0.006)]
    rate: f64,
    /// The seed of the changes and of the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The number of games played at the same time. With one, the result depends on the seed alone
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The file of the parameters; the same command continues it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The values so far, and the number of pairs they come from.
#[derive(Clone, Debug, PartialEq)]
struct State {
    pairs: u64,
    values: Vec<f64>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (entry, training) = trainers::find(&args.game)?;
    if !(args.rate > 0.0 && args.rate <= 1.0) {
        return Err(Failure::usage(format!("--rate {}: it must be above 0 and at most 1", args.rate)));
    }
    let parameters = training.parameters();
    let setup = Setup { variant: args.variant.clone(), position: None };
    let table = entry.table(&setup)?;
    let sheet = entry.load_sheet()?;
    let head = head(entry, args);
    let state = state(args, &head, parameters)?;
    let pairs = args.games / 2;
    if state.pairs > 0 {
        aside(&format!("the file already has {} of {} pairs", grouped(state.pairs), grouped(pairs)));
    }
    let run = Run {
        entry,
        args,
        table: &*table,
        sheet: &sheet,
        parameters,
        pairs,
        head: &head,
        begun: Instant::now(),
        before: state.pairs,
    };
    let next = AtomicU64::new(state.pairs);
    let state = Mutex::new((state, Ok(())));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| run.work(pairs, &next, &state));
        }
    });
    let (state, written) = state.into_inner().expect("nobody panics");
    written?;
    run.write(&state)?;
    for (one, value) in parameters.iter().zip(&state.values) {
        aside(&format!("{}: {} to {:.0}", one.name, one.value, value));
    }
    // As the arena reads them.
    let values: Vec<String> = state.values.iter().map(|value| format!("{value:.0}")).collect();
    line(&format!("parameters:{}", values.join("/")))
}

/// The first line of the file: what the run is.
fn head(entry: &Entry, args: &Args) -> String {
    let Args { nodes, seed, games, rate, random_plies, .. } = args;
    let variant = args.variant.as_deref().unwrap_or("usual");
    format!("{TITLE} {} {variant} nodes {nodes} seed {seed} games {games} rate {rate} random {random_plies}", entry.key)
}

/// The state in the file, or the engine's own values.
fn state(args: &Args, head: &str, parameters: &[Parameter]) -> Result<State, Failure> {
    if args.out.exists() {
        return read(&args.out, head, parameters).map_err(Failure::usage);
    }
    Ok(State { pairs: 0, values: parameters.iter().map(|one| f64::from(one.value)).collect() })
}

/// What does not change during a run.
struct Run<'a> {
    entry: &'static Entry,
    args: &'a Args,
    table: &'a dyn Table,
    sheet: &'a GameSheet,
    parameters: &'a [Parameter],
    pairs: u64,
    head: &'a str,
    begun: Instant,
    /// The pairs of earlier runs.
    before: u64,
}

impl Run<'_> {
    /// Plays the pairs before `until`, unless the file cannot be written.
    fn work(&self, until: u64, next: &AtomicU64, state: &Mutex<(State, Result<(), Failure>)>) {
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= until {
                return;
            }
            let values = state.lock().expect("nobody panics").0.values.clone();
            let changes = self.changes(pair);
            let lead = self.lead(pair, &values, &changes);
            let mut locked = state.lock().expect("nobody panics");
            let (state, written) = &mut *locked;
            improve(&mut state.values, &changes, self.parameters, lead * self.rate(pair));
            state.pairs += 1;
            if state.pairs.is_multiple_of(WRITE) && state.pairs < self.pairs {
                aside(&self.progress(state.pairs));
                *written = self.write(state);
            }
            if written.is_err() {
                return;
            }
        }
    }

    /// The changes of a pair: the step of each parameter, up or down.
    fn changes(&self, pair: u64) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(zobrist::mix(self.args.seed ^ zobrist::mix(pair)));
        let larger = (self.pairs as f64 / (pair + 1) as f64).powf(STEP_DECAY);
        let step = |one: &Parameter| (f64::from(one.most - one.least) * STEP * larger).max(0.5);
        self.parameters.iter().map(|one| if random.bool() { step(one) } else { -step(one) }).collect()
    }

    /// The part of its step by which a parameter moves for a point of lead after a pair.
    fn rate(&self, pair: u64) -> f64 {
        let all = self.pairs as f64;
        self.args.rate * (all * (1.0 + DELAY) / (all * DELAY + (pair + 1) as f64)).powf(MOVE_DECAY)
    }

    /// Plays two games of the engine with the changes against that with the opposite ones: by how many points it leads, from -2 to 2.
    fn lead(&self, pair: u64, values: &[f64], changes: &[f64]) -> f64 {
        let engine = |sign: f64| {
            let rounded = values.iter().zip(changes).map(|(value, change)| (value + sign * change).round() as i32);
            let parameters = rounded.zip(self.parameters).map(|(value, one)| value.clamp(one.least, one.most)).collect();
            let options = EngineOptions { hash_mb: 4, parameters, ..EngineOptions::default() };
            Competitor::new(Spec::Algorithm { words: "own".to_owned(), options, limits: Limits::default() }, Duration::ZERO)
        };
        let mut players = [engine(1.0), engine(-1.0)];
        let opening = self.opening(pair);
        let rules = Rules {
            limits: Limits::nodes(self.args.nodes),
            grace: Duration::ZERO,
            max_plies: 200,
            margins: Margins { resign: Some(1000), draw: Some(50) },
        };
        let score = |index: usize, players: &mut [Competitor; 2]| {
            players.iter_mut().for_each(|player| player.new_game(self.sheet, 0));
            let game: Game = play(index, &opening, players, &rules);
            2.0 * game.score_of_a() - 1.0
        };
        score(0, &mut players) + score(1, &mut players)
    }

    fn opening(&self, pair: u64) -> Opening {
        balanced(self.entry, self.table, pair as usize, self.args.seed).unwrap_or_else(|| {
            let seed = zobrist::mix(self.args.seed ^ zobrist::mix(!pair));
            random(self.table, self.args.random_plies, 1, seed).swap_remove(0)
        })
    }

    fn progress(&self, done: u64) -> String {
        let seconds = self.begun.elapsed().as_secs_f64();
        let left = seconds / (done - self.before).max(1) as f64 * (self.pairs - done) as f64;
        format!("{} of {} games, {:.0} minutes left", grouped(2 * done), grouped(2 * self.pairs), left / 60.0)
    }

    fn write(&self, state: &State) -> Result<(), Failure> {
        let mut text = format!("{}\npairs {}\n", self.head, state.pairs);
        for (one, value) in self.parameters.iter().zip(&state.values) {
            let _ = writeln!(text, "{} {value}", one.name);
        }
        let path = &self.args.out;
        replace_file(path, text).map_err(|error| Failure::work(format!("{}: {error}", path.display())))
    }
}

/// Moves the values along the changes, but not out of their ranges.
fn improve(values: &mut [f64], changes: &[f64], parameters: &[Parameter], by: f64) {
    for ((value, change), one) in values.iter_mut().zip(changes).zip(parameters) {
        *value = (*value + by * change).clamp(f64::from(one.least), f64::from(one.most));
    }
}

/// Reads the file of the run with this first line.
fn read(path: &Path, head: &str, parameters: &[Parameter]) -> Result<State, String> {
    let name = path.display();
    let bytes = read_file(path).map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name}: not valid UTF-8 text"))?;
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    if !first.starts_with(TITLE) {
        return Err(format!("{name}: the first line does not begin with \"{TITLE}\""));
    }
    if first != head {
        return Err(format!("{name}: it is of another run: '{first}' instead of '{head}'"));
    }
    let mut lines = (2..).zip(rest.lines());
    let mut number = |wanted: &str| {
        let (line, text) = lines.next().ok_or_else(|| format!("{name}: '{wanted}' is missing"))?;
        let number = text.split_once(' ').filter(|(word, _)| *word == wanted).and_then(|(_, number)| number.parse::<f64>().ok());
        number.filter(|number| number.is_finite()).ok_or_else(|| format!("{name}:{line}: not '{wanted} NUMBER'"))
    };
    let pairs = number("pairs")? as u64;
    let values = parameters.iter().map(|one| number(one.name)).collect::<Result<_, _>>()?;
    Ok(State { pairs, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[Parameter] = &[
        Parameter { name: "first", value: 40, least: 0, most: 100 },
        Parameter { name: "second", value: -5, least: -20, most: 10 },
    ];

    #[test]
    fn parameters_move_to_the_side_that_scores_more() {
        // The lead is what an engine would have whose best values are 70 and -12, without chance.
        let best = [70.0, -12.0];
        let mut values: Vec<f64> = TWO.iter().map(|one| f64::from(one.value)).collect();
        let distance = |values: &[f64]| values.iter().zip(best).map(|(value, best)| (value - best).powi(2)).sum::<f64>();
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let changes: Vec<f64> = [5.0, 1.5].into_iter().map(|step| if random.bool() { step } else { -step }).collect();
            let moved =
                |sign: f64| -> Vec<f64> { values.iter().zip(&changes).map(|(value, change)| value + sign * change).collect() };
            let lead = (distance(&moved(-1.0)) - distance(&moved(1.0))).clamp(-2.0, 2.0);
            improve(&mut values, &changes, TWO, lead * 0.02);
        }
        assert!(distance(&values) < 4.0, "{values:?}");
        improve(&mut values, &[1e6, -1e6], TWO, 1.0);
        assert_eq!(values, [100.0, -20.0], "the ranges are kept");
    }

    #[test]
    fn a_file_of_parameters_is_read_back_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search");
        let head = format!("{TITLE} game nodes 1 seed 2 games 4 rate 0.1");
        let put = |text: &str| std::fs::write(&path, text).unwrap();
        put(&format!("{head}\npairs 2\nfirst 41.5\nsecond -6.25\n"));
        assert_eq!(read(&path, &head, TWO), Ok(State { pairs: 2, values: vec![41.5, -6.25] }));
        for (text, part) in [
            (format!("{TITLE} something else\n"), "of another run"),
            ("something else\n".to_owned(), "does not begin with"),
            (format!("{head}\n"), "'pairs' is missing"),
            (format!("{head}\npairs 2\nfirst 41.5\n"), "'second' is missing"),
            (format!("{head}\npairs 2\nfirst x\n"), ":3: not 'first NUMBER'"),
            (format!("{head}\npairs 2\nthird 1\n"), ":3: not 'first NUMBER'"),
            (format!("{head}\npairs 2\nfirst inf\n"), ":3: not 'first NUMBER'"),
        ] {
            put(&text);
            let error = read(&path, &head, TWO).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_run_that_is_continued_is_as_if_it_had_not_been_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let games = |out: &str, until: u64| {
            let Ok((entry, training)) = trainers::find("gomoku") else { panic!("gomoku can be trained") };
            let args = Args {
                game: "gomoku".to_owned(),
                variant: None,
                games: 24,
                nodes: 200,
                random_plies: 6,
                rate: 0.05,
                seed: 7,
                threads: 1,
                out: folder.path().join(out),
            };
            let (table, sheet) = (entry.table(&Setup::default()).unwrap(), entry.load_sheet().unwrap());
            let run = Run {
                entry,
                args: &args,
                table: &*table,
                sheet: &sheet,
                parameters: training.parameters(),
                pairs: 12,
                head: &head(entry, &args),
                begun: Instant::now(),
                before: 0,
            };
            let state = state(&args, run.head, run.parameters).unwrap();
            let next = AtomicU64::new(state.pairs);
            let state = Mutex::new((state, Ok(())));
            run.work(until, &next, &state);
            let (state, written) = state.into_inner().unwrap();
            written.and_then(|()| run.write(&state)).map_err(|_| "written").unwrap();
            state
        };
        let whole = games("whole", 12);
        games("parts", 5);
        assert_eq!(games("parts", 12), whole);
        let own = trainers::find("gomoku").unwrap().1.parameters().iter().map(|one| f64::from(one.value));
        assert!(!own.eq(whole.values), "a pair was won by one side");
    }
}
