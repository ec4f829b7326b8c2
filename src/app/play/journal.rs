//! The journal of the running match: written and synced at each move, offered again after a kill.

use super::game::{CurrentMatch, Origin};
use super::records::keep_unfinished;
use crate::app::ground::intent::Intent;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Home;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::record::journal;
use crate::record::journal::{Event, Journal, JournalError, Recovered};
use bevy::prelude::*;

/// The journal being written.
#[derive(Resource, Default)]
pub struct MatchJournal {
    journal: Option<Journal>,
    told: bool,
}

impl MatchJournal {
    /// Writes down what happened. The player is told once if that cannot be done; the match goes on.
    pub fn write(&mut self, events: &[Event], notices: &mut Notices) {
        let Some(journal) = &mut self.journal else { return };
        if let Err(error) = journal.append_all(events)
            && !std::mem::replace(&mut self.told, true)
        {
            notices.warn(error.to_string());
        }
    }
}

/// A match found in the journal at the start.
#[derive(Resource, Default)]
pub struct Unfinished(Option<Recovered>);

impl Unfinished {
    /// What was found, if anything.
    pub fn found(&self) -> Option<&Recovered> {
        self.0.as_ref()
    }

    /// Another match has taken its place.
    pub(super) fn give_way(&mut self) {
        self.0 = None;
    }

    /// Sets the match up as it stood, and lets go of it. `None` if there is none.
    pub(super) fn take(&mut self, library: &Library) -> Option<Result<CurrentMatch, String>> {
        let found = self.0.take()?;
        Some(restore(library, &found))
    }
}

fn restore(library: &Library, found: &Recovered) -> Result<CurrentMatch, String> {
    let header = &found.header;
    let library_game = library.game(&header.game).ok_or_else(|| format!("there is no game '{}'", header.game))?;
    let table = journal::replay(header, &found.events).map_err(|error| error.to_string())?;
    let clock = journal::clock_after(header, &found.events).map_err(|error| error.to_string())?;
    let setup = MatchSetup {
        game: library_game.entry.key,
        setup: header.setup.clone(),
        seats: header.seats.clone(),
        control: header.control,
        purpose: if header.rated { Purpose::Rated } else { Purpose::Casual },
    };
    let fresh = CurrentMatch::new(library_game, &setup, header.seed).map_err(|error| error.to_string())?;
    Ok(fresh.told(table, None, Origin::Journal(clock)))
}

/// Looks for a match that was broken off.
fn look(home: Res<Home>, mut unfinished: ResMut<Unfinished>, mut notices: ResMut<Notices>) {
    match journal::recover(&home.journal()) {
        Ok(found) => {
            unfinished.0 =
                found.filter(|found| !found.events.is_empty() && !found.is_closed() && journal::ending(&found.events).is_none());
        }
        Err(error) => notices.warn(error.to_string()),
    }
}

/// Opens the journal of the match that begins: afresh, or where it was broken off.
fn open(
    current: Res<CurrentMatch>,
    (home, words): (Res<Home>, Res<Words>),
    mut kept: ResMut<MatchJournal>,
    mut notices: ResMut<Notices>,
) {
    *kept = MatchJournal::default();
    // An exercise is begun anew rather than gone on with, and leaves an unfinished match alone.
    if current.purpose() == Purpose::Exercise {
        return;
    }
    let path = home.journal();

    // A match that makes room for this one is kept.
    if !matches!(current.origin, Origin::Journal(_))
        && let Ok(Some(told)) = journal::recover(&path)
    {
        match keep_unfinished(&home, &told) {
            Ok(None) => {}
            Ok(Some(_)) => notices.warn(words.say("records.kept")),
            Err(why) => notices.warn(why),
        }
    }

    let opened = || -> Result<Journal, JournalError> {
        if matches!(current.origin, Origin::Journal(_))
            && let Some((journal, told)) = Journal::resume(&path)?
            && told.header == current.header()
        {
            return Ok(journal);
        }
        let mut journal = Journal::create(&path, &current.header())?;
        journal.append_all(&current.events_so_far())?;
        Ok(journal)
    };
    let folder = std::fs::create_dir_all(&home.0);
    if let Err(error) = folder {
        notices.warn(format!("{}: {error}", home.0.display()));
        return;
    }
    match opened() {
        Ok(journal) => kept.journal = Some(journal),
        Err(error) => notices.warn(error.to_string()),
    }
}

/// A match that is over, or left for good, is not offered again; one that is left in the middle is.
fn close(
    current: Option<Res<CurrentMatch>>,
    mut journal: ResMut<MatchJournal>,
    unfinished: ResMut<Unfinished>,
    mut notices: ResMut<Notices>,
    home: Res<Home>,
) {
    if let Some(current) = current
        && current.outcome().is_some()
    {
        journal.write(&[Event::Closed], &mut notices);
    }
    *journal = MatchJournal::default();
    look(home, unfinished, notices);
}

fn forget(mut intents: MessageReader<Intent>, mut unfinished: ResMut<Unfinished>, home: Res<Home>, mut notices: ResMut<Notices>) {
    for intent in intents.read() {
        if *intent == Intent::Forget {
            unfinished.0 = None;
            if let Err(error) = std::fs::remove_file(home.journal())
                && error.kind() != std::io::ErrorKind::NotFound
            {
                notices.warn(error.to_string());
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MatchJournal>()
        .init_resource::<Unfinished>()
        .add_systems(OnExit(Screen::Loading), look)
        .add_systems(OnEnter(Screen::Match), open)
        .add_systems(OnExit(Screen::Match), close)
        .add_systems(Update, forget.in_set(Step::Input));
}
