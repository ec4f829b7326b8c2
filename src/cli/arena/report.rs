//! The result of a match.

use super::sprt::{Decision, Sprt, SprtState};
use super::statistics::{Strength, strength};
use crate::cli::output::outcome_text;
use qiju_core::arena::{Fault, Game};
use qiju_core::terminal::{Failure, json, line};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The counts of one engine.
#[derive(Default, Serialize)]
struct Counts {
    name: String,
    illegal_moves: u32,
    time_losses: u32,
    crashes: u32,
    moves: usize,
    #[serde(skip)]
    time: Duration,
    #[serde(skip)]
    longest: Duration,
    ms_per_move: u64,
    longest_ms: u64,
}

/// Collects the games of a match.
pub struct Report {
    /// The scores of the first engine, by number of the game.
    scores: BTreeMap<usize, f64>,
    engines: [Counts; 2],
    plies: usize,
    /// How many moves of each engine were of a manner.
    suited: BTreeMap<String, [usize; 2]>,
    /// The sequential test and its state, which no longer changes after the decision.
    test: Option<(Sprt, SprtState)>,
}

#[derive(Serialize)]
struct Summary<'a> {
    game: &'a str,
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    score: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: f64,
    plies_per_game: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtState>,
    /// For each manner, how many of 100 moves of each engine were of it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    manners: BTreeMap<&'a str, [f64; 2]>,
    a: &'a Counts,
    b: &'a Counts,
}

impl Report {
    /// An empty report for engines with these names.
    pub fn new(names: [String; 2], sprt: Option<Sprt>) -> Self {
        let engines = names.map(|name| Counts { name, ..Counts::default() });
        let test = sprt.map(|sprt| (sprt, sprt.state(&[0; 5])));
        Report { scores: BTreeMap::new(), engines, plies: 0, suited: BTreeMap::new(), test }
    }

    /// True once the sequential test has decided.
    pub fn is_decided(&self) -> bool {
        self.test.is_some_and(|(_, state)| state.decision.is_some())
    }

    /// The scores of complete pairs of games with the same opening, 0 to 1.
    fn pairs(&self) -> Vec<f64> {
        let pair = |index: usize| Some((self.scores.get(&index)? + self.scores.get(&(index + 1))?) / 2.0);
        self.scores.keys().filter(|index| **index % 2 == 0).filter_map(|index| pair(*index)).collect()
    }

    /// Updates the sequential test, unless it is already decided.
    fn test_again(&mut self) {
        let mut counts = [0; 5];
        for score in self.pairs() {
            counts[(score * 4.0).round() as usize] += 1;
        }
        if let Some((sprt, state)) = &mut self.test
            && state.decision.is_none()
        {
            *state = sprt.state(&counts);
        }
    }

    /// Adds a finished game.
    pub fn take(&mut self, game: &Game) {
        self.scores.insert(game.index, game.score_of_a());
        self.plies += game.record.plies();
        for (manner, counts) in &game.suited {
            let all = self.suited.entry(manner.clone()).or_default();
            *all = [all[0] + counts[0], all[1] + counts[1]];
        }
        self.test_again();
        if let Some((engine, fault)) = &game.fault {
            let counts = &mut self.engines[*engine];
            match fault {
                Fault::Illegal(_) => counts.illegal_moves += 1,
                Fault::Time => counts.time_losses += 1,
                Fault::Crash(_) => counts.crashes += 1,
            }
        }
        for (counts, times) in self.engines.iter_mut().zip(&game.times) {
            counts.moves += times.len();
            counts.time += times.iter().sum::<Duration>();
            counts.longest = counts.longest.max(times.iter().max().copied().unwrap_or_default());
            counts.ms_per_move = (counts.time.as_secs_f64() * 1000.0 / counts.moves.max(1) as f64) as u64;
            counts.longest_ms = counts.longest.as_millis() as u64;
        }
    }

    fn wins_draws_losses(&self) -> (usize, usize, usize) {
        let count = |score: f64| self.scores.values().filter(|value| **value == score).count();
        (count(1.0), count(0.5), count(0.0))
    }

    /// A line for standard error after a game.
    pub fn progress(&self, game: &Game, games: u32) -> String {
        let (wins, draws, losses) = self.wins_draws_losses();
        let first = ["a", "b"][game.first];
        let fault = game.fault.as_ref().map_or(String::new(), |(engine, fault)| format!(" [{}: {fault}]", ["a", "b"][*engine]));
        let test = self.test.map_or(String::new(), |(_, state)| format!("   {}", ratio(&state)));
        format!(
            "game {:>3} of {games}, {first} first: {}, {} plies{fault}   a +{wins} ={draws} -{losses}{test}",
            game.index + 1,
            outcome_text(game.outcome),
            game.record.plies(),
        )
    }

    fn strength(&self) -> Option<Strength> {
        let games: Vec<f64> = self.scores.values().copied().collect();
        strength(&games, &self.pairs())
    }

    /// Prints the result.
    pub fn print(&self, as_json: bool, game: &str) -> Result<(), Failure> {
        let Some(strength) = self.strength() else { return Err(Failure::work("no game was played")) };
        let (wins, draws, losses) = self.wins_draws_losses();
        let games = self.scores.len();
        let plies_per_game = self.plies as f64 / games as f64;
        let [a, b] = &self.engines;
        let share = |count: usize, engine: &Counts| count as f64 * 100.0 / engine.moves.max(1) as f64;
        let shares = |counts: &[usize; 2]| [share(counts[0], a), share(counts[1], b)];
        let finite = |value: f64| value.is_finite().then_some((value * 10.0).round() / 10.0);
        if as_json {
            return json(&Summary {
                game,
                games,
                wins,
                draws,
                losses,
                score: strength.score,
                elo: finite(strength.elo),
                elo_low: finite(strength.low),
                elo_high: finite(strength.high),
                superiority: strength.superiority,
                plies_per_game,
                sprt: self.test.map(|(_, state)| state),
                manners: self.suited.iter().map(|(manner, counts)| (manner.as_str(), shares(counts))).collect(),
                a,
                b,
            });
        }
        let bound = |value: f64| if value.is_finite() { format!("{value:+.1}") } else { format!("{value:+}") };
        line(&format!("a  {}", a.name))?;
        line(&format!("b  {}", b.name))?;
        line(&format!(
            "games {games}: a wins {wins}, draws {draws}, loses {losses}; score {:.1} %; {plies_per_game:.1} plies per game",
            strength.score * 100.0
        ))?;
        line(&format!("elo of a over b {}, 95 % from {} to {}", bound(strength.elo), bound(strength.low), bound(strength.high)))?;
        line(&format!("likelihood of superiority {:.1} %", strength.superiority * 100.0))?;
        if let Some((_, state)) = &self.test {
            let decision = match state.decision {
                Some(Decision::H1) => format!("a is stronger by {:+} Elo rather than {:+}", state.elo1, state.elo0),
                Some(Decision::H0) => format!("a is stronger by {:+} Elo rather than {:+}", state.elo0, state.elo1),
                None => "not decided".to_owned(),
            };
            line(&format!("sprt {} {}: {}: {decision}", state.elo0, state.elo1, ratio(state)))?;
        }
        for (manner, counts) in &self.suited {
            let [a, b] = shares(counts);
            line(&format!("moves of the manner {manner}: a {a:.1}, b {b:.1} of 100"))?;
        }
        for (name, counts) in ["a", "b"].into_iter().zip([a, b]) {
            line(&format!(
                "{name}: illegal moves {}, time losses {}, crashes {}; {} moves, {} ms each, longest {} ms",
                counts.illegal_moves, counts.time_losses, counts.crashes, counts.moves, counts.ms_per_move, counts.longest_ms
            ))?;
        }
        Ok(())
    }
}

/// The log-likelihood ratio with its bounds.
fn ratio(state: &SprtState) -> String {
    format!("llr {:+.2} [{:+.2}, {:+.2}]", state.llr, state.lower, state.upper)
}
