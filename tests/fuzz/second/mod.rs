//! A second move generator for each game, slow and simple, written from the rules alone. Games are played, and both generators must find the same legal moves
//! in each position and the same outcome.

mod gomoku;
mod tic_tac_toe;
mod two_eat_one;
mod xiangqi;

use crate::budget::{Budget, guarded};
use qiju::games::{self, Entry};
use qiju::rules::Side;
use qiju::search::StopToken;
use qiju::table::{Notation, Setup};
use std::collections::BTreeSet;

/// The outcome of a game by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side wins.
    Won(Side),
    /// A draw.
    Drawn,
}

/// The rules of a game.
trait Rules {
    /// The legal moves in the game's own notation. Not called after the end of the game.
    fn moves(&self) -> BTreeSet<String>;
    /// Plays a legal move.
    fn play(&mut self, text: &str);
    /// The outcome, if the game is over; also `None` if only the rules of repetition decide it.
    fn end(&self) -> Option<End>;
    /// True if [`end`](Rules::end) includes draws and the rules of repetition.
    fn knows_draws(&self) -> bool;
    /// Moves that are likely to be interesting, for random play.
    fn prefers(&self, _text: &str) -> bool {
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

/// Plays one game and compares every position. Returns its moves.
fn play(entry: &Entry, variant: &str, seed: u64) -> Result<usize, String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let setup = Setup { variant: Some(variant.to_owned()), position: None };
    let mut table = entry.table(&setup).map_err(|error| error.to_string())?;
    let mut rules = rules(entry.key, variant).ok_or("there is no second generator of this variant")?;
    // One game in four is played by the lowest levels, the others at random, some of them close to other pieces.
    let levels = entry.sheet().map_err(|error| error.to_string())?.levels;
    let level = seed.is_multiple_of(4).then(|| levels[random.usize(..2)].request(seed));
    let close = random.bool();
    let mut players = level.is_some().then(|| [table.player(), table.player()]);
    loop {
        let moves = table.played_text(Notation::Uci).join(" ");
        let place = |why: String| format!("{} {variant}, seed {seed}, after {moves}: {why}", entry.key);
        let end = table.outcome().map(|outcome| outcome.winner.map_or(End::Drawn, End::Won));
        let expected = rules.end();
        let by_repetition = !rules.knows_draws() && expected.is_none() && end.is_some();
        if end != expected && !by_repetition {
            return Err(place(format!("the game has ended as {end:?}, by the second generator as {expected:?}")));
        }
        if end.is_some() || table.ply() >= LONGEST {
            return Ok(table.ply());
        }
        let actions = table.actions();
        let texts: Vec<String> = actions.iter().map(|action| table.write(*action, Notation::Uci).unwrap_or_default()).collect();
        let ours: BTreeSet<String> = texts.iter().cloned().collect();
        let theirs = rules.moves();
        if ours != theirs {
            let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>().join(" ");
            return Err(place(format!(
                "legal here only: {}; by the second generator only: {}",
                only(&ours, &theirs),
                only(&theirs, &ours)
            )));
        }
        let chosen = match (&level, &mut players) {
            (Some(request), Some(players)) if table.ply() >= 4 => {
                let found = players[table.ply() % 2].think(&*table, request, &StopToken::new(), &mut |_| {});
                let action = found
                    .map_err(|error| place(error.to_string()))?
                    .ok_or_else(|| place("the level finds no move".to_owned()))?;
                actions.iter().position(|legal| *legal == action).ok_or_else(|| place(format!("the level plays {action:?}")))?
            }
            _ => {
                let liked: Vec<usize> = (0..texts.len()).filter(|index| close && rules.prefers(&texts[*index])).collect();
                random.choice(&liked).copied().unwrap_or_else(|| random.usize(..texts.len()))
            }
        };
        table.play(actions[chosen]).map_err(|error| place(format!("{}: {error}", texts[chosen])))?;
        rules.play(&texts[chosen]);
    }
}

/// Plays games of every rule set until the budget is used up. Returns the variants with their numbers of games and positions.
pub fn compare(budget: &Budget) -> Vec<(String, u64, u64)> {
    let sets: Vec<(&Entry, &str)> = games::REGISTRY
        .iter()
        .flat_map(|entry| (entry.variants)().iter().map(move |variant| (entry, *variant)))
        .filter(|(entry, variant)| rules(entry.key, variant).is_some())
        .collect();
    let mut done = Vec::new();
    for (index, (entry, variant)) in sets.iter().enumerate() {
        let share = budget.share(index, sets.len());
        let (mut games, mut positions) = (0, 0);
        for seed in share {
            match guarded(|| play(entry, variant, seed)) {
                Ok(plies) => positions += plies as u64 + 1,
                Err(why) => panic!("{why}"),
            }
            games += 1;
        }
        println!("second generator, {} {variant}: {games} games, {positions} positions", entry.key);
        done.push((format!("{} {variant}", entry.key), games, positions));
    }
    done
}
