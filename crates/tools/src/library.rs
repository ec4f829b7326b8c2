//! `library GAME`: plays games of an engine against itself from the normal start and adds them to a library of games, for the explorer.
//!
//! In the first plies one of the moves that the engine finds about equally good is drawn, the better ones more often; so the games share their openings, as those
//! of people do. What is drawn follows from the number of the game, which is its round in the library: a run that was interrupted is continued.

use crate::selfplay::rough_time;
use qiju_core::arena::{self, Competitor, Margins, Opening, Rules, Spec};
use qiju_core::games;
use qiju_core::library::{Added, Library, Query};
use qiju_core::message::Message;
use qiju_core::record::Record;
use qiju_core::rules::zobrist;
use qiju_core::search::{Limits, StopToken, Value};
use qiju_core::storage::Files;
use qiju_core::table::{Action, EngineOptions, Origin, Player, SearchRequest, Setup, Table, Tree};
use qiju_core::terminal::{Failure, aside};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use web_time::{Duration, Instant};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    game: String,
    /// The variant [default: the game's first]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The number of games of this variant in the library at the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Nodes per move; in the opening, ten times as many are searched for all moves together
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(8..=1_000_000_000))]
    nodes: u64,
    /// The seed of the games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The folder of the library
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// What is told of all these games.
const PLAYER: &str = "Qiju";
const EVENT: &str = "Qiju against itself";
/// The number of a game among those of its variant.
const NUMBER: &str = "Round";
/// The plies of an opening.
const OPENING: std::ops::RangeInclusive<usize> = 8..=12;
/// The first of them, in which more moves are drawn.
const BROAD: usize = 4;
/// The moves among which one is drawn, and how much worse than the best one they may be, in hundredths of the game's unit: in the first plies, and later.
const MOVES: u16 = 8;
const MARGINS: [i32; 2] = [50, 30];
/// How likely a move is drawn, compared to the one before it in the engine's order: in the first plies, and later.
const SHARES: [f64; 2] = [0.6, 0.3];
/// How far both must see one side ahead for the other to resign, and how even the game must be for a draw.
const JUDGED: Margins = Margins { resign: Some(1500), draw: Some(25) };
const LONGEST: usize = 400;
const HASH_MB: usize = 4;
/// So many games in a row that the library has already are the last that are tried.
const REPEATED: u64 = 60;
/// Games that are written together, and seconds between two lines of progress.
const BLOCK: u64 = 50;
const TOLD: f64 = 10.0;

/// Plays the games of a variant.
struct Maker<'a> {
    args: &'a Args,
    start: Box<dyn Table>,
    players: [Competitor; 2],
    searcher: Box<dyn Player>,
    /// The moves of the positions of the openings, each with the upper end of the numbers from 0 to 1 that draw it.
    openings: HashMap<u64, Vec<(Action, f64)>>,
}

impl Maker<'_> {
    fn new(args: &Args) -> Result<Maker<'_>, Failure> {
        let start = games::find(&args.game)?.table(&Setup { variant: args.variant.clone(), position: None })?;
        let options = EngineOptions { hash_mb: HASH_MB, ..EngineOptions::default() };
        let spec = Spec::Algorithm { words: PLAYER.to_owned(), options, limits: Limits::default() };
        let players = [spec.clone(), spec].map(|spec| Competitor::new(spec, Duration::ZERO));
        Ok(Maker { args, players, searcher: start.player(), start, openings: HashMap::new() })
    }

    /// The game with a number.
    fn game(&mut self, number: u64) -> Result<Record, Failure> {
        let seed = zobrist::mix(self.args.seed ^ zobrist::mix(number));
        let mut random = fastrand::Rng::with_seed(seed);
        let mut table = self.start.boxed_clone();
        for ply in 0..random.usize(OPENING) {
            let Some(action) = self.drawn(&*table, usize::from(ply >= BROAD), random.f64())? else { break };
            table.play(action).map_err(|error| Failure::work(error.to_string()))?;
        }
        let sheet = games::find(&self.args.game)?.sheet()?;
        self.players.iter_mut().for_each(|player| player.new_game(&sheet, seed));
        // With the same number of nodes, games that share the opening would be the same.
        let nodes = self.args.nodes * 3 / 4 + random.u64(..self.args.nodes / 2);
        let rules = Rules { limits: Limits::nodes(nodes), grace: Duration::ZERO, max_plies: LONGEST, margins: JUDGED };
        let (plies, index) = (table.ply(), number as usize);
        let played = arena::play(index, &Opening::new(table, plies), &mut self.players, &rules);
        if let Some((_, fault)) = played.fault {
            return Err(Failure::work(format!("game {number}: {fault}")));
        }
        let mut record = played.record;
        // Without the times, a game is its moves alone.
        record.tree = Tree::of_line(record.main_actions(), Origin::Main);
        record.tags.set("Event", EVENT);
        record.tags.set(NUMBER, number.to_string());
        Ok(record)
    }

    /// A move of the opening; `None` if the position is decided.
    fn drawn(&mut self, table: &dyn Table, late: usize, number: f64) -> Result<Option<Action>, Failure> {
        let key = table.key();
        if !self.openings.contains_key(&key) {
            let moves = self.balanced(table, late)?;
            self.openings.insert(key, moves);
        }
        let moves = &self.openings[&key];
        Ok(moves.iter().find(|(_, bound)| number < *bound).or(moves.last()).map(|(action, _)| *action))
    }

    /// The moves about as good as the best one, each with the sum of its share and those before it.
    fn balanced(&mut self, table: &dyn Table, late: usize) -> Result<Vec<(Action, f64)>, Failure> {
        let options = EngineOptions { hash_mb: HASH_MB, ..EngineOptions::default() };
        let limits = Limits::nodes(10 * self.args.nodes);
        let request = SearchRequest { options, limits, multipv: MOVES, ..SearchRequest::default() };
        // What was searched before must leave no trace. The last depth may have been left before all lines were found.
        self.searcher.new_game();
        let (mut depth, mut lines, mut whole) = (0, Vec::new(), Vec::new());
        self.searcher.think(table, &request, &StopToken::new(), &mut |line| {
            if line.depth != depth {
                depth = line.depth;
                lines.clear();
            }
            if let (Some(action), Value::Cp(value)) = (line.pv.first(), line.value) {
                lines.push((*action, value));
            }
            if lines.len() >= whole.len() {
                whole.clone_from(&lines);
            }
        })?;
        let best = whole.iter().map(|(_, value)| *value).max().unwrap_or_default();
        whole.retain(|(_, value)| best - value <= MARGINS[late]);
        let shares: Vec<f64> = (0..whole.len()).map(|place| SHARES[late].powi(place as i32)).collect();
        let (all, mut sum) = (shares.iter().sum::<f64>(), 0.0);
        let drawn = whole.into_iter().zip(shares).map(|((action, _), share)| {
            sum += share / all;
            (action, sum)
        });
        Ok(drawn.collect())
    }
}

fn work(why: Message) -> Failure {
    Failure::work(why.to_string())
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut maker = Maker::new(args)?;
    let mut library = Library::open_to_write(Arc::new(Files::below(args.out.clone()))).map_err(work)?;
    let variant = maker.start.setup().variant.clone();
    let known = library.search(&Query { game: Some(maker.start.game().to_owned()), variant, ..Query::default() });
    let (mut games, mut number) = (known.len() as u64, 0);
    if let Some(last) = known.last() {
        let last = library.outline(last.id).map_err(work)?;
        let told = last.tags.get(NUMBER).and_then(|number| number.parse().ok());
        number = told.ok_or_else(|| Failure::usage("the games of this library have no numbers"))?;
        aside(&format!("there are {games} games already"));
    }
    let (found, began, mut told) = (games, Instant::now(), 0.0);
    let mut newest = number;
    while games < args.games {
        number += 1;
        if library.add(&maker.game(number)?).map_err(work)? == Added::New {
            games += 1;
            newest = number;
        } else if number - newest >= REPEATED {
            library.compact().map_err(work)?;
            let why = format!("only {games} of {} games differ; with more nodes there are more", args.games);
            return Err(Failure::work(why));
        }
        if games.is_multiple_of(BLOCK) {
            library.flush().map_err(work)?;
        }
        let passed = began.elapsed().as_secs_f64();
        if passed - told > TOLD || games == args.games {
            told = passed;
            let left = passed / (games - found).max(1) as f64 * (args.games - games) as f64;
            aside(&format!("{games} of {} games, {} left", args.games, rough_time(left)));
        }
    }
    library.compact().map_err(work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::library::PositionQuery;
    use std::fs;

    #[test]
    fn games_that_would_only_be_repeated_are_not_tried_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let args =
            Args { game: "xiangqi".to_owned(), variant: None, games: 100, nodes: 8, seed: 1, out: folder.path().to_owned() };
        let Failure::Work(told) = run(&args).unwrap_err() else { panic!("it is no wrong usage") };
        assert!(told.contains("of 100 games differ"), "{told}");
        let library = Library::open(Arc::new(Files::below(folder.path().to_owned()))).unwrap();
        assert!(library.ids().next().is_some(), "those that differ are kept");
    }

    #[test]
    fn a_library_is_the_same_however_the_work_was_done() {
        for (game, variant) in [("xiangqi", None), ("gomoku", Some("renju"))] {
            let folder = tempfile::tempdir().unwrap();
            let play = |name: &str, games: u64| {
                let (game, variant, out) = (game.to_owned(), variant.map(str::to_owned), folder.path().join(name));
                run(&Args { game, variant, games, nodes: 40, seed: 3, out: out.clone() }).unwrap();
                fs::read(out.join("library.games")).unwrap()
            };
            let whole = play("whole", 9);
            play("parts", 4);
            assert_eq!(play("parts", 9), whole);
            let library = Library::open(Arc::new(Files::below(folder.path().join("whole")))).unwrap();
            let start = games::find(game).unwrap().table(&Setup { variant: variant.map(str::to_owned), position: None }).unwrap();
            let position = Some(PositionQuery::position(&*start, true).unwrap());
            let explored = library.explore(&Query { position, ..Query::default() });
            assert_eq!(explored.games, 9);
            assert!(explored.moves.len() < 9, "the games share their openings: {explored:?}");
            for id in library.ids() {
                let record = library.record(id).unwrap();
                assert!(record.table().is_ok() && record.result.is_some() && record.plies() >= *OPENING.start());
            }
        }
    }
}
