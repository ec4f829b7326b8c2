//! A second move generator for each game, slow and simple, written from the rules alone. Games are played, and both generators must find the same legal moves
//! in each position and the same outcome.

mod gomoku;
mod tic_tac_toe;
mod two_eat_one;
mod xiangqi;

use crate::budget::{Budget, guarded};
use crate::diary::Diary;
use qiju_core::games::{self, Entry};
use qiju_core::rules::{Point, Side};
use qiju_core::search::StopToken;
use qiju_core::table::{Action, Notation, SearchRequest, Setup, Table};

/// The outcome of a game by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side wins.
    Won(Side),
    /// A draw.
    Drawn,
}

/// A move: file and rank of its origin, file and rank of its target, counted from 0 at the first side's left and edge. A new stone has its target as origin.
type Move = [u8; 4];

/// The rules of a game.
trait Rules {
    /// The legal moves, each once. After the end of the game the moves are not compared.
    fn moves(&self) -> Vec<Move>;
    /// Plays a legal move.
    fn play(&mut self, mv: Move);
    /// The outcome, if the game is over; also `None` if only the rules of repetition decide it. `moves` are the moves of this position.
    fn end(&self, moves: &[Move]) -> Option<End>;
    /// True if [`end`](Rules::end) includes draws and the rules of repetition.
    fn knows_draws(&self) -> bool;
    /// A move in the game's own notation.
    fn text(&self, mv: Move) -> String;
    /// Moves that are likely to be interesting, for random play.
    fn prefers(&self, _mv: Move) -> bool {
        true
    }
}

fn rules(game: &str, variant: &str) -> Option<Box<dyn Rules>> {
    Some(match game {
        "xiangqi" => Box::new(xiangqi::Xiangqi::new()),
        "gomoku" => Box::new(gomoku::Gomoku::new(variant)?),
        "two-eat-one" => Box::new(two_eat_one::TwoEatOne::new(variant)?),
        "tic-tac-toe" => Box::new(tic_tac_toe::TicTacToe::new()),
        _ => return None,
    })
}

/// The most plies of a game.
const LONGEST: usize = 400;
/// One game in so many is played by the lowest levels, the others at random.
const BY_LEVELS: u64 = 4;
/// In one game in so many the notation of every move is compared too.
const BY_TEXT: u64 = 16;

/// An action as a move of the second generator.
fn plain(action: Action) -> Result<Move, String> {
    let target = action.target().ok_or_else(|| format!("{action:?} has no target"))?;
    let Point { x, y } = action.origin().unwrap_or(target);
    Ok([x, y, target.x, target.y])
}

/// The request of one of the two lowest levels, without a clock and with a small table, so that a game depends on its seed alone.
fn request(entry: &Entry, seed: u64, random: &mut fastrand::Rng) -> Result<SearchRequest, String> {
    let levels = entry.sheet().map_err(|error| error.to_string())?.levels;
    let mut request = levels[random.usize(..2)].request(seed);
    request.limits.time = None;
    request.options.hash_mb = 1;
    Ok(request)
}

/// Plays one game and compares every position. Returns its moves.
fn play(entry: &Entry, variant: &str, seed: u64) -> Result<usize, String> {
    let setup = Setup { variant: Some(variant.to_owned()), position: None };
    let mut table = entry.table(&setup).map_err(|error| error.to_string())?;
    play_on(entry, variant, seed, &mut *table).map_err(|why| {
        let moves = table.played_text(Notation::Uci).join(" ");
        format!("{} {variant}, seed {seed}, after {moves}: {why}", entry.key)
    })
}

fn play_on(entry: &Entry, variant: &str, seed: u64, table: &mut dyn Table) -> Result<usize, String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut rules = rules(entry.key, variant).ok_or("there is no second generator of this variant")?;
    let mut level = None;
    if seed.is_multiple_of(BY_LEVELS) {
        level = Some((request(entry, seed, &mut random)?, [table.player(), table.player()]));
    }
    let texts = (seed / BY_LEVELS).is_multiple_of(BY_TEXT);
    // Some of the games played at random are played close to other pieces.
    let close = random.bool();
    loop {
        let theirs = rules.moves();
        let end = table.outcome().map(|outcome| outcome.winner.map_or(End::Drawn, End::Won));
        let expected = rules.end(&theirs);
        let by_repetition = !rules.knows_draws() && expected.is_none() && end.is_some();
        if end != expected && !by_repetition {
            return Err(format!("the game has ended as {end:?}, by the second generator as {expected:?}"));
        }
        let ply = table.ply();
        if end.is_some() || ply >= LONGEST {
            return Ok(ply);
        }
        let actions = table.actions();
        let ours = actions.iter().map(|action| plain(*action)).collect::<Result<Vec<Move>, String>>()?;
        agree(&ours, theirs, &*rules)?;
        if texts {
            for (action, mv) in actions.iter().zip(&ours) {
                let (text, expected) = (table.write(*action, Notation::Uci), rules.text(*mv));
                if text.as_ref() != Some(&expected) {
                    return Err(format!("{expected} is written as {text:?}"));
                }
            }
        }
        let chosen = match &mut level {
            Some((request, players)) if ply >= 4 => {
                let found = players[ply % 2].think(table, request, &StopToken::new(), &mut |_| {});
                let action = found.map_err(|error| error.to_string())?.ok_or("the level finds no move")?;
                actions.iter().position(|legal| *legal == action).ok_or_else(|| format!("the level plays {action:?}"))?
            }
            _ => {
                let liked: Vec<usize> = (0..ours.len()).filter(|index| close && rules.prefers(ours[*index])).collect();
                random.choice(&liked).copied().unwrap_or_else(|| random.usize(..ours.len()))
            }
        };
        table.play(actions[chosen]).map_err(|error| format!("{}: {error}", rules.text(ours[chosen])))?;
        rules.play(ours[chosen]);
    }
}

/// Both generators must have found the same moves, each once.
fn agree(ours: &[Move], theirs: Vec<Move>, rules: &dyn Rules) -> Result<(), String> {
    let sorted = |mut moves: Vec<Move>| {
        moves.sort_unstable_by_key(|mv| u32::from_be_bytes(*mv));
        moves
    };
    let (ours, theirs) = (sorted(ours.to_vec()), sorted(theirs));
    if ours == theirs {
        return Ok(());
    }
    let text = |moves: &[Move]| moves.iter().map(|mv| rules.text(*mv)).collect::<Vec<_>>().join(" ");
    Err(format!("legal here: {}; by the second generator: {}", text(&ours), text(&theirs)))
}

/// The games after which the diary of a long run is written on.
const DIARY_STEP: u64 = 500;

/// Plays games of every rule set until the budget is used up, or only of those that `QIJU_FUZZ_RULES` lists (separated by commas). With a
/// diary it goes on where the diary ends. Returns the rule sets with their numbers of games and positions.
pub fn compare(budget: &Budget) -> Vec<(String, u64, u64)> {
    let all = games::REGISTRY.iter().flat_map(|entry| (entry.variants)().iter().map(move |variant| (entry, *variant)));
    let sets: Vec<(&Entry, &str)> = all.filter(|(entry, variant)| rules(entry.key, variant).is_some()).collect();
    let name = |(entry, variant): (&Entry, &str)| format!("{} {variant}", entry.key);
    let chosen: Vec<usize> = match std::env::var("QIJU_FUZZ_RULES") {
        Ok(list) => {
            let index = |wanted: &str| sets.iter().position(|set| name(*set) == wanted);
            list.split(',').map(|wanted| index(wanted.trim()).unwrap_or_else(|| panic!("no rule set '{wanted}'"))).collect()
        }
        Err(_) => (0..sets.len()).collect(),
    };
    let mut diary = Diary::open(budget.seed());
    let mut done = Vec::new();
    for &index in &chosen {
        let (entry, variant) = sets[index];
        let rules = name(sets[index]);
        let (mut games, mut positions) = diary.counts(&rules);
        for seed in budget.share(index, chosen.len()).after(games) {
            match guarded(|| play(entry, variant, seed)) {
                Ok(plies) => positions += plies as u64 + 1,
                Err(why) => panic!("{why}"),
            }
            games += 1;
            if games.is_multiple_of(DIARY_STEP) {
                diary.note(&rules, games, positions);
            }
        }
        diary.note(&rules, games, positions);
        println!("second generator, {rules}: {games} games, {positions} positions");
        done.push((rules, games, positions));
    }
    done
}
