//! Announcements for screen readers.

use super::game::{CurrentMatch, in_match};
use super::messages::{BoardChanged, MatchEnded, MoveArrived, MoveRefused, MoveWarned, Passage, Said};
use crate::app::ground::library::LibraryGame;
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::library::Listed;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{Outcome, Reason, Refusal, Side};
use qiju_core::table::{Choice, Names, Opener, Shape, Table};

/// The last announcement. A screen reader reads it when it changes.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The text.
    pub text: String,
    /// The number of earlier announcements, so that the same text twice is announced twice.
    pub count: u64,
}

impl Spoken {
    /// Announces a text.
    pub fn say(&mut self, text: String) {
        *self = Spoken { text, count: self.count + 1 };
    }
}

/// Announces texts together. It counts as a change only if there are any.
pub fn say_all(spoken: &mut ResMut<Spoken>, said: &[String]) {
    if !said.is_empty() {
        spoken.say(said.join(" · "));
    }
}

impl Words {
    /// The name of a player before the sides are decided.
    pub fn opener(&self, who: Opener) -> &str {
        self.say(match who {
            Opener::Setter => "opening.setter",
            Opener::Chooser => "opening.chooser",
        })
    }

    /// The name of a choice in the opening.
    pub fn choice(&self, choice: Choice, sides: &Names) -> String {
        match choice {
            Choice::First => self.with("opening.take", self.of(&sides.first)),
            Choice::Second => self.with("opening.take", self.of(&sides.second)),
            Choice::TwoMore => self.say("opening.two-more").to_owned(),
        }
    }

    /// A level of our engine with its name.
    pub fn level(&self, level: u8) -> String {
        format!("{} · {}", self.with("level", level), self.say(&format!("level.{level}")))
    }

    /// A player of a game in a few words.
    pub fn player(&self, seat: &SeatSpec, game: Option<&LibraryGame>) -> String {
        match seat {
            SeatSpec::Human => self.say("setup.human").to_owned(),
            SeatSpec::Computer { level, manner } => {
                let level = self.with("level", level);
                let manner = manner.as_ref().zip(game).and_then(|(manner, game)| game.sheet.manner(manner));
                manner.map_or_else(|| level.clone(), |manner| format!("{level} · {}", self.of(&manner.name)))
            }
            SeatSpec::External { name } => name.clone(),
            SeatSpec::Friend => self.say("letters.friend").to_owned(),
        }
    }

    /// The code and the name of a kept game's opening; empty if they are not known.
    pub fn opening(&self, game: &Listed) -> String {
        let name = game.opening.as_ref().map_or("", |name| self.of(name));
        format!("{} {name}", game.code).trim().to_owned()
    }

    /// The name of a seat: its side, or its role in the opening.
    pub fn seat<'a>(&'a self, current: &'a CurrentMatch, seat: Side) -> &'a str {
        match (current.table().seat_of(seat), seat) {
            (Some(side), _) => self.of(&current.game().sheet.sides[side]),
            (None, Side::First) => self.opener(Opener::Setter),
            (None, Side::Second) => self.opener(Opener::Chooser),
        }
    }

    /// How long a game of this many plies is, counted as its players count.
    pub fn length(&self, game: &LibraryGame, plies: usize) -> String {
        let count = game.counted(plies);
        let (key, single) = match (game.places_pieces, game.sheet.shape) {
            (true, Shape::Stone { .. }) => ("count.stones", "count.stone"),
            (true, _) => ("count.turns", "count.turn"),
            (false, _) => ("count.moves", "count.move"),
        };
        if count == 1 { self.say(single).to_owned() } else { self.with(key, count) }
    }

    /// The reason why a move is refused.
    pub fn refusal(&self, refusal: Refusal) -> String {
        self.sentence(refusal)
    }

    /// Who won, from the view of the player where one person plays.
    pub fn headline(&self, current: &CurrentMatch, outcome: Outcome) -> String {
        let Some(winner) = outcome.winner else { return self.say("result.draw").to_owned() };
        // Given up before the sides were settled, it is a player's win.
        let seat = current.seat_of(winner);
        let on_time = outcome.reason == Reason::Time;
        match current.viewer() {
            Some(viewer) if viewer == seat => {
                self.say(if on_time { "result.you-won-on-time" } else { "result.you-won" }).to_owned()
            }
            Some(_) => self.say(if on_time { "result.you-lost-on-time" } else { "result.you-lost" }).to_owned(),
            None => self.with("result.wins", self.seat(current, seat)),
        }
    }

    /// Who won a game that is kept; nothing where that is not told.
    pub fn result(&self, result: Option<Outcome>, game: Option<&LibraryGame>) -> String {
        match (result.map(|outcome| outcome.winner), game) {
            (Some(None), _) => self.say("result.draw").to_owned(),
            (Some(Some(side)), Some(game)) => self.with("result.won", self.of(&game.sheet.sides[side])),
            _ => String::new(),
        }
    }

    /// The reason of the outcome, as a sentence that names the side if necessary.
    pub fn reason(&self, current: &CurrentMatch, outcome: Outcome) -> String {
        let loser = outcome.winner.map(|winner| current.seat_of(!winner));
        let told = |key: &str| match loser {
            Some(loser) => self.with(key, self.seat(current, loser)),
            None => self.say(&format!("reason.{}", outcome.reason.key())).to_owned(),
        };
        let own = current.viewer().is_some_and(|viewer| loser == Some(viewer));
        match outcome.reason {
            Reason::PerpetualCheck => told("reason.perpetual-check.of"),
            Reason::PerpetualChase => told("reason.perpetual-chase.of"),
            Reason::Resignation if own => self.say("reason.resignation.yours").to_owned(),
            Reason::Resignation => told("reason.resignation.of"),
            Reason::Time if own => self.say("reason.time.yours").to_owned(),
            Reason::Time => told("reason.time.of"),
            reason => {
                let key = reason.key();
                let own = current.game().sheet.reasons.get(key);
                own.map_or_else(|| self.say(&format!("reason.{key}")).to_owned(), |text| self.of(text).to_owned())
            }
        }
    }
}

/// The last choice in the opening, with the player.
fn chosen(table: &dyn Table, current: &CurrentMatch, words: &Words) -> Option<String> {
    let choices = table.opening()?.choices();
    let (_, choice) = choices.last()?;
    // The chooser chooses first, and the setter if the choice is left to that player.
    let who = if choices.len() == 1 { Opener::Chooser } else { Opener::Setter };
    Some(format!("{}: {}", words.opener(who), words.choice(*choice, &current.game().sheet.sides)))
}

/// The messages that are announced.
#[derive(bevy::ecs::system::SystemParam)]
struct Events<'w, 's> {
    changed: MessageReader<'w, 's, BoardChanged>,
    arrived: MessageReader<'w, 's, MoveArrived>,
    refused: MessageReader<'w, 's, MoveRefused>,
    warned: MessageReader<'w, 's, MoveWarned>,
    told: MessageReader<'w, 's, Said>,
    ended: MessageReader<'w, 's, MatchEnded>,
}

fn speak(
    mut events: Events,
    mut spoken: ResMut<Spoken>,
    current: Res<CurrentMatch>,
    (words, settings): (Res<Words>, Res<Settings>),
    mut notices: ResMut<Notices>,
) {
    let mut said = Vec::new();
    let notation = settings.notation(current.table(), words.language);
    if let Some(change) = events.changed.read().last() {
        let side = words.of(&current.game().sheet.sides[change.mover]);
        match change.passage {
            Passage::Played | Passage::Replayed if Choice::of_action(change.action).is_some() => {
                if let Some(text) = chosen(current.shown(), &current, &words) {
                    match change.passage {
                        Passage::Played => notices.warn(text),
                        _ => said.push(text),
                    }
                }
            }
            Passage::Played | Passage::Replayed => {
                let text = current.shown().played_text(notation).pop().unwrap_or_default();
                said.push(format!("{side} {text}"));
            }
            Passage::TakenBack => said.push(words.with("spoken.back", side)),
            Passage::Leapt => said.push(words.with("spoken.at", words.length(current.game(), current.shown().ply()))),
        }
        if change.check {
            said.push(words.say("play.check").to_owned());
        }
    }
    for arrival in events.arrived.read() {
        let table = current.table();
        if Choice::of_action(arrival.action).is_some() {
            notices.warn(chosen(table, &current, &words).unwrap_or_default());
        } else {
            let side = words.of(&current.game().sheet.sides[arrival.mover]);
            said.push(format!("{side} {}", table.played_text(notation).pop().unwrap_or_default()));
        }
        said.extend(table.check().map(|_| words.say("play.check").to_owned()));
    }
    for refusal in events.refused.read() {
        notices.fail(refusal.reason);
    }
    for warning in events.warned.read() {
        let why = words.say(match warning.outcome.reason {
            Reason::PerpetualCheck => "warning.perpetual-check",
            _ => "warning.perpetual-chase",
        });
        notices.warn(why);
    }
    for Said(text) in events.told.read() {
        notices.warn(text.clone());
    }
    said.append(&mut notices.bypass_change_detection().take_unsaid(&words));
    for MatchEnded(outcome) in events.ended.read() {
        said.push(words.headline(&current, *outcome));
        said.push(words.reason(&current, *outcome));
    }
    say_all(&mut spoken, &said);
}

/// Announces the messages that are shown outside of a match, or that come after [`speak`].
fn speak_notices(mut spoken: ResMut<Spoken>, mut notices: ResMut<Notices>, words: Res<Words>) {
    say_all(&mut spoken, &notices.bypass_change_detection().take_unsaid(&words));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Spoken>().add_systems(
        Update,
        (speak.run_if(in_match), speak_notices.run_if(|notices: Res<Notices>| notices.has_unsaid()))
            .chain()
            .in_set(Step::Animate),
    );
}
