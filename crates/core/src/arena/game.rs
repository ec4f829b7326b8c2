//! One game of a match.

use super::adjudication::{Adjudicator, Margins};
use super::openings::Opening;
use super::player::{Competitor, Fault};
use crate::record::Record;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::search::Limits;
use std::collections::BTreeMap;
use web_time::{Duration, Instant};

/// The settings of all games.
pub struct Rules {
    /// The limits of each move.
    pub limits: Limits,
    /// The time that an engine may exceed its limit without losing on time.
    pub grace: Duration,
    /// The most plies; a longer game is a draw.
    pub max_plies: usize,
    /// The limits for ending a game early.
    pub margins: Margins,
}

/// A finished game.
pub struct Game {
    /// Its number, from 0; two consecutive games have the same opening.
    pub index: usize,
    /// The engine (0 or 1) that had the first side.
    pub first: usize,
    /// Its outcome.
    pub outcome: Outcome,
    /// The engine that lost by a fault, and the fault.
    pub fault: Option<(usize, Fault)>,
    /// The times of each engine's moves.
    pub times: [Vec<Duration>; 2],
    /// How many moves of each engine were of the manner of one of them, by its key.
    pub suited: BTreeMap<String, [usize; 2]>,
    /// The record of the game.
    pub record: Record,
}

impl Game {
    /// The score of the first engine of the match: 1, 0.5 or 0.
    pub fn score_of_a(&self) -> f64 {
        match self.outcome.winner {
            None => 0.5,
            Some(side) if self.engine_of(side) == 0 => 1.0,
            Some(_) => 0.0,
        }
    }

    fn engine_of(&self, side: Side) -> usize {
        self.first ^ side.index()
    }
}

/// Plays a game from its opening. Engines change sides with every game.
pub fn play(index: usize, opening: &Opening, players: &mut [Competitor; 2], rules: &Rules) -> Game {
    let first = index % 2;
    let mut table = opening.table();
    let mut times = [Vec::new(), Vec::new()];
    let mut times_ms = vec![0; opening.moves()];
    let manners = players.iter().filter_map(|player| player.spec().manner());
    let mut suited: BTreeMap<String, [usize; 2]> = manners.map(|manner| (manner.to_owned(), [0; 2])).collect();
    let mut fault = None;
    let mut adjudicator = Adjudicator::new(rules.margins);
    let mut agreed = None;
    // Both are ready before a clock runs.
    for side in [table.turn(), !table.turn()] {
        let engine = first ^ side.index();
        if let Err(why) = players[engine].prepare(&*table, rules.grace) {
            fault = Some((engine, why));
            break;
        }
    }
    while fault.is_none() && table.outcome().is_none() && agreed.is_none() && table.ply() < rules.max_plies {
        let side = table.turn();
        let mover = first ^ side.index();
        let started = Instant::now();
        let mut value = None;
        let chosen = players[mover].choose(&*table, &rules.limits, rules.grace, &mut value);
        let taken = started.elapsed();
        times[mover].push(taken);
        times_ms.push(taken.as_millis() as u64);
        let late = rules.limits.time.is_some_and(|time| taken > time + rules.grace);
        let played = match chosen {
            Ok(_) | Err(Fault::Illegal(_)) if late => Err(Fault::Time),
            Ok(action) => {
                for (manner, counts) in &mut suited {
                    counts[mover] += usize::from(table.suits(manner, action) == Some(true));
                }
                table.play(action).map(drop).map_err(|error| Fault::Illegal(error.to_string()))
            }
            Err(fault) => Err(fault),
        };
        if let Err(why) = played {
            fault = Some((mover, why));
            break;
        }
        agreed = adjudicator.outcome_after(side, table.ply(), value);
    }
    let outcome = match (&fault, table.outcome()) {
        (Some((engine, why)), _) => {
            Outcome::win(!Side::BOTH[first ^ engine], if *why == Fault::Time { Reason::Time } else { Reason::Abandoned })
        }
        (None, Some(outcome)) => outcome,
        (None, None) => agreed.unwrap_or(Outcome::draw(Reason::MoveLimit)),
    };
    let seats = BySide::from_fn(|side| players[first ^ side.index()].spec().seat());
    let mut record = Record::of(&*table, seats, Some(outcome));
    record.set_times(&times_ms);
    let why = fault.as_ref().map_or(String::new(), |(_, why)| format!("; {why}"));
    record.tags.set("Event", format!("arena, game {}{why}", index + 1));
    Game { index, first, outcome, fault, times, suited, record }
}
