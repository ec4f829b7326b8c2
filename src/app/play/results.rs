//! The player's own way: the results of the matches against our levels, the rating that follows from them, and the level that suits it.

use super::game::{CurrentMatch, in_match};
use super::messages::MatchEnded;
use crate::app::ground::home::Home;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::setup::{NEAR, Purpose};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::record::SeatSpec;
use qiju_core::record::journal::{self, Recovered};
use qiju_core::rules::{BySide, Outcome, Reason, Side};
use qiju_core::storage::Blob;
use qiju_core::study::rating::{Counted, Rating, RatingEstimate, even_opponent, level_near, nearest_level};
use qiju_core::study::results::{Ending, FILE, MatchResult, Results};
use qiju_core::table::{GameSheet, Handicap, Table};
use std::collections::BTreeMap;
use web_time::{SystemTime, UNIX_EPOCH};

/// The level around which a player's rating is expected before the first match.
const FIRST_LEVEL: usize = 3;
/// A match with fewer moves was broken off and doesn't count.
const FEWEST_PLIES: usize = 2;
/// Seconds in a day.
const DAY: f64 = 86_400.0;

/// A result, and the rating after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Milestone {
    /// The result.
    pub result: MatchResult,
    /// The rating after it; `None` if it doesn't count, or the game's levels have no ratings.
    pub rating: Option<Rating>,
}

/// The player's way in a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Way {
    /// The results, oldest first.
    pub milestones: Vec<Milestone>,
    /// The rating now; before the first match what is expected. `None` if the game's levels have no ratings.
    pub rating: Option<Rating>,
    /// What all matches without help say about the player, casual ones too.
    pub strength: Option<Rating>,
    /// The level that suits that strength best.
    pub next: Option<u8>,
}

/// What results say about a player.
struct Estimate {
    estimate: Option<RatingEstimate>,
    last: Option<i64>,
}

impl Estimate {
    /// Before the first match.
    fn of(levels: &[f64]) -> Estimate {
        let estimate = match levels {
            [weakest, .., strongest] => {
                Some(RatingEstimate::new(levels[FIRST_LEVEL.min(levels.len()) - 1], *weakest, *strongest))
            }
            _ => None,
        };
        Estimate { estimate, last: None }
    }

    /// Takes a result against an opponent of this rating into account.
    fn add(&mut self, result: &MatchResult, opponent: f64) {
        let pause = self.last.map_or(0.0, |last| (result.date - last) as f64 / DAY).max(0.0);
        let counted = Counted { opponent, score: result.ending.score(), pause };
        self.estimate = self.estimate.take().map(|estimate| estimate.after(counted));
        self.last = Some(result.date);
    }

    fn rating(&self) -> Option<Rating> {
        self.estimate.as_ref().map(RatingEstimate::rating)
    }
}

impl Way {
    fn of(results: Vec<MatchResult>, sheet: &GameSheet) -> Way {
        let levels = &sheet.ratings[..];
        let (mut rated, mut all) = (Estimate::of(levels), Estimate::of(levels));
        let mut milestones = Vec::new();
        for result in results {
            let mut rating = None;
            if let Some(opponent) = opponent(&result, sheet).filter(|_| result.is_fair()) {
                all.add(&result, opponent);
                if result.counts() {
                    rated.add(&result, opponent);
                    rating = rated.rating();
                }
            }
            milestones.push(Milestone { result, rating });
        }
        let strength = all.rating();
        let next = strength.and_then(|strength| nearest_level(strength.value, levels));
        Way { milestones, rating: rated.rating(), strength, next }
    }
}

/// The rating of the player for whom this match was even: that of the level, or with a handicap what was measured.
fn opponent(result: &MatchResult, sheet: &GameSheet) -> Option<f64> {
    let level = *sheet.ratings.get(usize::from(result.level.max(1)) - 1)?;
    match &result.handicap {
        None => Some(level),
        Some(position) => sheet.handicap(position)?.even_with(!result.side, level),
    }
}

/// The player's results.
#[derive(Resource, Default)]
pub struct MyResults {
    store: Results,
    ways: BTreeMap<&'static str, Way>,
    /// What was erased last.
    erased: Vec<MatchResult>,
}

impl MyResults {
    /// Opens the results of a user. Errors are reported; the program continues without what is lost.
    pub fn open(home: &Home, library: &Library, words: &Words, notices: &mut Notices) -> MyResults {
        let blob = Blob::new(home.storage(), FILE);
        let mut store = Results::default();
        match Results::open(blob.clone()) {
            Ok((opened, damage)) => {
                store = opened;
                if let Some(damage) = damage {
                    notices.warn(words.fill("results.set-aside", &[&damage.kept, &damage.saved.to_string()]));
                }
            }
            Err(error) => notices.fail(message!("{}: {}", blob.to_string(), error)),
        }
        let mut results = MyResults { store, ..MyResults::default() };
        results.work_out(library);
        results
    }

    /// Computes the ratings.
    fn work_out(&mut self, library: &Library) {
        let way = |game: &LibraryGame| {
            let results = self.store.list().filter(|result| result.game == game.entry.key).cloned().collect();
            (game.entry.key, Way::of(results, &game.sheet))
        };
        self.ways = library.games.iter().map(way).collect();
    }

    /// The player's way in a game.
    pub fn way(&self, game: &str) -> Option<&Way> {
        self.ways.get(game)
    }

    /// Erases those of this game, or of all games.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn erase(&mut self, game: Option<&str>, library: &Library) -> Result<(), std::io::Error> {
        self.erased = self.store.erase(game)?;
        self.work_out(library);
        Ok(())
    }

    /// Brings back those that were erased last.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn restore(&mut self, library: &Library) -> Result<(), std::io::Error> {
        self.store.restore(&self.erased)?;
        self.forget_erased();
        self.work_out(library);
        Ok(())
    }

    /// Those that were erased last are not brought back any more.
    pub fn forget_erased(&mut self) {
        self.erased.clear();
    }

    /// How many results were erased last and can be brought back.
    pub fn erased(&self) -> usize {
        self.erased.len()
    }

    /// The result of this match, if it has one, with the rating after it.
    pub fn of_match(&self, current: &CurrentMatch) -> Option<&Milestone> {
        let way = self.way(current.game().entry.key)?;
        way.milestones.iter().rev().find(|milestone| milestone.result.id == current.seed())
    }

    /// The levels of a match with this seed that begins with this position: those near the player's rating are chosen.
    pub(super) fn seats(
        &self,
        game: &LibraryGame,
        seats: &BySide<SeatSpec>,
        (position, seed): (Option<&str>, u64),
    ) -> (BySide<SeatSpec>, BySide<bool>) {
        let handicap = position.and_then(|position| game.sheet.handicap(position));
        let near = BySide::from_fn(|side| matches!(seats[side], SeatSpec::Computer { level: NEAR, .. }));
        let chosen = BySide::from_fn(|side| match &seats[side] {
            SeatSpec::Computer { level: NEAR, manner } => {
                SeatSpec::Computer { level: self.near(game, (!side, handicap), seed), manner: manner.clone() }
            }
            seat => seat.clone(),
        });
        (chosen, near)
    }

    /// A level with which the match of a player on this side, with this handicap, is even.
    fn near(&self, game: &LibraryGame, (side, handicap): (Side, Option<&Handicap>), seed: u64) -> u8 {
        let rating = self.way(game.entry.key).and_then(|way| way.strength);
        let rating = rating.map(|rating| even_opponent(rating.value, side, handicap));
        let chance = (qiju_core::rules::zobrist::mix(seed) >> 11) as f64 / (1u64 << 53) as f64;
        let level = rating.and_then(|rating| level_near(rating, &game.sheet.ratings, chance));
        level.unwrap_or(FIRST_LEVEL as u8)
    }

    fn add(&mut self, result: MatchResult, library: &Library, notices: &mut Notices, words: &Words) {
        if let Err(error) = self.store.add(result) {
            notices.warn(words.with("results.not-kept", error));
        }
        self.work_out(library);
    }

    /// Counts a match that was over when the program was ended, before its result could be written.
    pub(super) fn recover(&mut self, told: &Recovered, library: &Library, notices: &mut Notices, words: &Words) {
        let header = &told.header;
        if told.is_closed() || header.from_record || self.store.knows(header.seed) {
            return;
        }
        let Ok(played) = journal::replay(header, &told.events) else { return };
        let Some(outcome) = played.table().outcome().or_else(|| journal::ending(&told.events)) else { return };
        let about = About {
            id: header.seed,
            seats: &header.seats,
            rated: header.rated,
            time_odds: header.control.differ(),
            helped: told.is_helped(),
            plies: played.line().len(),
        };
        let Some(game) = library.game(played.table().game()) else { return };
        if let Some(result) = about.result(played.table(), &game.sheet, outcome) {
            self.add(result, library, notices, words);
        }
    }
}

/// What the result of a match depends on beside its table.
struct About<'a> {
    id: u64,
    seats: &'a BySide<SeatSpec>,
    rated: bool,
    time_odds: bool,
    helped: bool,
    plies: usize,
}

impl About<'_> {
    /// The result, if one person played against one of our levels and the match was not broken off.
    fn result(&self, table: &dyn Table, sheet: &GameSheet, outcome: Outcome) -> Option<MatchResult> {
        let person = Side::BOTH.into_iter().find(|seat| self.seats[*seat] == SeatSpec::Human)?;
        let SeatSpec::Computer { level, .. } = self.seats[!person] else { return None };
        if self.plies < FEWEST_PLIES || outcome.reason == Reason::Abandoned {
            return None;
        }
        let seat = |side: Side| table.seat_of(side).unwrap_or(side);
        let ending = match outcome.winner {
            None => Ending::Drawn,
            Some(winner) if seat(winner) == person => Ending::Won,
            Some(_) => Ending::Lost,
        };
        let begun = table.setup().position.as_ref().filter(|_| table.setup().is_set_up());
        let handicap = begun.filter(|position| sheet.handicap(position).is_some());
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(MatchResult {
            id: self.id,
            game: table.game().to_owned(),
            variant: table.setup().rules().0.to_owned(),
            level,
            side: if seat(Side::First) == person { Side::First } else { Side::Second },
            ending,
            date: i64::try_from(since.as_secs()).unwrap_or_default(),
            rated: self.rated,
            helped: self.helped,
            set_up: begun.is_some() && handicap.is_none(),
            handicap: handicap.cloned(),
            time_odds: self.time_odds,
            unrated: !self.rated,
        })
    }
}

/// Counts a match that has ended.
fn count(
    mut ended: MessageReader<MatchEnded>,
    current: Res<CurrentMatch>,
    mut results: ResMut<MyResults>,
    (library, words, mut notices): (Res<Library>, Res<Words>, ResMut<Notices>),
) {
    for MatchEnded(outcome) in ended.read() {
        if current.from_record || !current.traits().counts {
            continue;
        }
        let about = About {
            id: current.seed(),
            seats: current.seats(),
            rated: current.purpose() == Purpose::Rated,
            time_odds: current.control.differ(),
            helped: current.is_helped(),
            plies: current.played().line().len(),
        };
        if let Some(result) = about.result(current.table(), &current.game().sheet, *outcome) {
            results.add(result, &library, &mut notices, &words);
        }
    }
}

impl Words {
    /// A rating with its error.
    pub fn rating(&self, rating: Rating) -> String {
        format!("{:.0} ± {:.0}", rating.value, rating.error)
    }

    /// What the match that has just ended means for the player's rating, in a line; `None` if it has no result.
    pub fn standing(&self, results: &MyResults, current: &CurrentMatch) -> Option<String> {
        let milestone = results.of_match(current)?;
        let way = results.way(current.game().entry.key)?;
        match (milestone.rating, way.next) {
            (Some(rating), Some(next)) => Some(self.fill("results.now", &[&self.rating(rating), &next.to_string()])),
            _ if milestone.result.set_up => Some(self.say("results.not-counted.set-up").to_owned()),
            _ if milestone.result.helped => Some(self.say("results.not-counted.helped").to_owned()),
            (None, Some(_)) if milestone.result.unrated => Some(self.say("results.not-counted.casual").to_owned()),
            _ if milestone.result.handicap.is_some() => Some(self.say("results.not-counted.set-up").to_owned()),
            _ => None,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MyResults>().add_systems(Update, count.in_set(Step::Animate).run_if(in_match));
}
