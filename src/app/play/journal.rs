//! The journal of the current match: written and synced at each move, and offered again after a crash.
//!
//! A window has one journal, its place; a second window with the same files gets another. While the journal cannot be written, the match
//! continues, the user is told at once, and the events are written as soon as this is possible again.

use super::clock::MatchClock;
use super::game::{Beginning, CurrentMatch, Heading};
use super::letters;
use super::messages::DataTaken;
use super::records::keep_unfinished;
use super::results::MyResults;
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::{Notices, show_notices};
use crate::app::ground::requests::{Discard, PageRequest, Requests};
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::SeatSpec;
use qiju_core::record::journal::{self, Event, Header, Journal, LockedJournal, Recovered};
use qiju_core::rules::Side;
use qiju_core::storage::Storage;
use std::sync::Arc;
use web_time::{Duration, Instant};

/// The time after a failure until the next try, if there is no event.
const TRY_AGAIN: Duration = Duration::from_secs(2);

/// The current journal.
#[derive(Resource, Default)]
pub struct MatchJournal {
    /// The journal of this window; `None` until one is available.
    place: Option<LockedJournal>,
    /// The journal of the match by letter on the board.
    letters: Option<LockedJournal>,
    journal: Option<Journal>,
    trouble: Option<Trouble>,
}

/// The state while moves cannot be saved.
struct Trouble {
    why: Message,
    last_try: Instant,
    told: bool,
}

impl MatchJournal {
    /// Writes an event. If this fails, the match continues, the user is told, and the event is written later.
    pub fn write(&mut self, home: &Home, events: &[Event]) {
        let Some(journal) = &mut self.journal else { return };
        journal.note(events);
        self.keep(&home.storage());
    }

    /// True while events are not on the disk.
    pub fn is_in_trouble(&self) -> bool {
        self.trouble.is_some()
    }

    /// Gives the journal's name free. [`look`] takes one again.
    pub(super) fn release(&mut self) {
        self.place = None;
    }

    fn keep(&mut self, storage: &Arc<dyn Storage>) {
        let Some(journal) = &mut self.journal else { return };
        let mut write = || {
            if self.place.is_none() && self.letters.is_none() {
                let place = LockedJournal::free(storage)?;
                journal.move_to(place.blob());
                self.place = Some(place);
            }
            journal.keep()
        };
        match write() {
            Ok(()) => {
                // A problem that was reported ends with another message, see `tell`.
                if let Some(trouble) = self.trouble.take_if(|trouble| !trouble.told) {
                    drop(trouble);
                }
            }
            Err(error) => {
                let told = self.trouble.take().is_some_and(|trouble| trouble.told);
                self.trouble = Some(Trouble { why: error.into(), last_try: Instant::now(), told });
            }
        }
    }

    /// To be called when all events are on the disk, or there is no match.
    pub(super) fn is_kept(&self) -> bool {
        let has_place = self.place.is_some() || self.letters.is_some();
        self.journal.as_ref().is_none_or(|journal| has_place && journal.is_kept())
    }
}

/// A match found in the journal at the start, and one that was discarded since.
#[derive(Resource, Default)]
pub struct Unfinished {
    found: Option<Recovered>,
    discarded: Option<Recovered>,
}

impl Unfinished {
    /// The match found, if any.
    pub fn found(&self) -> Option<&Recovered> {
        self.found.as_ref()
    }

    /// What was discarded and can still be brought back.
    pub fn discarded(&self) -> Option<&Recovered> {
        self.discarded.as_ref()
    }

    /// To be called when another match replaces it.
    pub(super) fn give_way(&mut self) {
        *self = Unfinished::default();
    }

    /// Sets up the match found, and removes it from here. `None` if there is none.
    pub(super) fn take(&mut self, library: &Library) -> Option<Result<CurrentMatch, Message>> {
        let found = self.found.take()?;
        Some(restore(library, &found))
    }
}

/// The match of a journal.
///
/// # Errors
/// Its game is not there, or an event of it is not possible.
pub(super) fn restore(library: &Library, found: &Recovered) -> Result<CurrentMatch, Message> {
    let header = &found.header;
    let library_game = library.game(&header.game).ok_or_else(|| message!("there is no game '{}'", &header.game))?;
    let played = journal::replay(header, &found.events)?;
    let mut clock = journal::clock_after(header, &found.events)?;
    let setup = MatchSetup {
        game: library_game.entry.key,
        setup: header.setup.clone(),
        seats: header.seats.clone(),
        control: header.control,
        purpose: match header {
            header if header.analysis => Purpose::Analysis,
            header if header.rated => Purpose::Rated,
            header if Side::BOTH.into_iter().any(|side| header.seats[side] == SeatSpec::Friend) => Purpose::Friend,
            header if header.teaching => Purpose::Teaching,
            _ => Purpose::Casual,
        },
    };
    let fresh = CurrentMatch::new(library_game, &setup, header.seed)?;
    let ended = journal::ending(&found.events).filter(|_| played.table().outcome().is_none());
    // In a match against a friend the clock does not stop when the match is closed.
    if ended.is_none() && played.table().outcome().is_none() {
        clock.spend(played.table().seat_to_move(), journal::in_turn(&found.events, letters::now_in_ms()));
    }
    let heading = Heading { tags: header.tags.clone(), names: header.names.clone() };
    let mut resumed = fresh.told(played, ended, Beginning::Journal(clock), header.from_record).headed(heading);
    (resumed.helped, resumed.near) = (found.is_helped(), header.near);
    resumed.unhelped = header.unhelped;
    resumed.tries = journal::tries(&found.events);
    resumed.went_on = journal::went_on(header, &found.events)?;
    resumed.hinted = journal::hinted(&found.events);
    resumed.offered = journal::offer(header, &found.events)?;
    resumed.accord = journal::accord(header, &found.events)?;
    (resumed.said, resumed.heard) = (journal::said(&found.events), journal::heard(&found.events));
    resumed.post = journal::post(&found.events).cloned();
    resumed.invited = journal::last_letter(&found.events).is_some();
    let last = found.events.iter().rev().find(|event| !matches!(event, Event::Tree(_) | Event::Post(_) | Event::Since { .. }));
    resumed.letter_shown = matches!(last, Some(Event::Letter { .. }));
    if let (Some(friend), Some(name)) = (resumed.friend(), journal::last_writer(&found.events)) {
        resumed.name_player(friend, name);
    }
    Ok(resumed)
}

/// Looks for a match that was broken off, and takes the journal for this window: that of this match, or a free one. A match that is over is not
/// offered; what was written about it after its end is kept as a record.
fn look(
    (home, words): (Res<Home>, Res<Words>),
    mut unfinished: ResMut<Unfinished>,
    mut match_journal: ResMut<MatchJournal>,
    (mut results, library): (ResMut<MyResults>, Res<Library>),
    mut notices: ResMut<Notices>,
) {
    // The earlier journal of this window may belong to another window now.
    match_journal.place = None;
    let (place, found, errors) = LockedJournal::find(&home.storage());
    for error in errors {
        notices.fail(error);
    }
    if let Some(missing) = found.as_ref().and_then(|found| found.missing.as_ref()) {
        notices.fail(missing);
    }
    if found.is_none()
        && let Some(place) = &place
        && let Ok(Some(told)) = journal::recover(place.blob())
    {
        results.recover(&told, &library, &mut notices, &words);
        match keep_unfinished(&home, &told) {
            Ok(None) => {}
            Ok(Some(_)) => {
                notices.warn(words.say("records.kept-notes"));
                if let Err(error) = place.blob().remove() {
                    notices.fail(error);
                }
            }
            Err(why) => notices.fail(why),
        }
    }
    match_journal.place = place;
    *unfinished = Unfinished { found, discarded: None };
}

/// Opens the journal of the new match: a new one, or that of a resumed match.
fn open(
    current: Res<CurrentMatch>,
    (home, words): (Res<Home>, Res<Words>),
    mut match_journal: ResMut<MatchJournal>,
    (mut notices, mut requests): (ResMut<Notices>, Requests),
) {
    (match_journal.journal, match_journal.trouble) = (None, None);
    // An exercise is not resumed, and does not affect an unfinished match.
    if !current.traits().journal {
        return;
    }
    if current.is_by_letter() {
        open_letters(&current, &home, &mut match_journal, &mut notices, &mut requests);
        return;
    }
    let goes_on = matches!(current.beginning, Beginning::Journal(_));
    if goes_on
        && let Some(place) = &match_journal.place
        && let Ok(Some((journal, told))) = Journal::resume(place.blob())
        && told.header == current.header()
    {
        match_journal.journal = Some(journal);
        return;
    }

    // An unfinished match that is replaced is saved as a record; if this fails it stays in its journal, and the new match gets another journal.
    let told = match_journal.place.as_ref().filter(|_| !goes_on).map(|place| journal::recover(place.blob()));
    let kept = match told {
        Some(Ok(Some(told))) => keep_unfinished(&home, &told),
        Some(Err(error)) => Err(error.into()),
        None | Some(Ok(None)) => Ok(None),
    };
    match kept {
        Ok(None) => {}
        Ok(Some(_)) => notices.warn(words.say("records.kept")),
        Err(why) => {
            notices.fail(why);
            match_journal.place = None;
        }
    }

    let storage = home.storage();
    if match_journal.place.is_none() {
        match_journal.place = LockedJournal::free(&storage).ok();
    }
    let blob = match_journal.place.as_ref().map_or_else(|| home.journal(), |place| place.blob().clone());
    match_journal.journal = Some(Journal::begin(&blob, &current.header(), &current.events_so_far()));
    match_journal.keep(&storage);
}

/// Opens the journal of a match by letter: each has one, beside the match that was broken off.
fn open_letters(
    current: &CurrentMatch,
    home: &Home,
    match_journal: &mut MatchJournal,
    notices: &mut Notices,
    requests: &mut Requests,
) {
    let storage = home.storage();
    let opened = LockedJournal::by_letter(&storage, current.seed()).and_then(|taken| {
        let Some((place, told)) = taken else { return Ok(None) };
        // The friend may have told their name since.
        let header = |names| Header { names, ..current.header() };
        let resumes = told.is_some_and(|told| told.header == header(told.header.names.clone()));
        let resumed = if resumes { Journal::resume(place.blob())? } else { None };
        let journal = resumed.map(|(journal, _)| journal);
        let mut journal = journal.unwrap_or_else(|| Journal::begin(place.blob(), &current.header(), &current.events_so_far()));
        journal.note(&Vec::from_iter(current.since(&current.recovered_clock())));
        Ok(Some((place, journal)))
    });
    match opened {
        Ok(Some((place, journal))) => {
            (match_journal.letters, match_journal.journal) = (Some(place), Some(journal));
            match_journal.keep(&storage);
        }
        Ok(None) => {
            notices.fail(message!("another window of Qiju has this match open"));
            requests.write(PageRequest::Title);
        }
        Err(error) => {
            notices.fail(error);
            requests.write(PageRequest::Title);
        }
    }
}

/// Tells the user when moves cannot be saved, and when they are saved again.
fn tell(mut match_journal: ResMut<MatchJournal>, (home, words): (Res<Home>, Res<Words>), mut notices: ResMut<Notices>) {
    let Some(trouble) = &mut match_journal.trouble else { return };
    if !std::mem::replace(&mut trouble.told, true) {
        notices.warn(words.with("journal.not-kept", words.tell(&trouble.why)));
    }
    if trouble.last_try.elapsed() >= TRY_AGAIN {
        match_journal.keep(&home.storage());
    }
    if match_journal.is_kept() {
        match_journal.trouble = None;
        notices.warn(words.say("journal.kept-again"));
    }
}

/// A match that is over is not offered again; one that is left in the middle is.
fn close(
    current: Option<Res<CurrentMatch>>,
    mut match_journal: ResMut<MatchJournal>,
    unfinished: ResMut<Unfinished>,
    mut notices: ResMut<Notices>,
    (results, library, clock): (ResMut<MyResults>, Res<Library>, Res<MatchClock>),
    (home, words): (Res<Home>, Res<Words>),
) {
    if let Some(current) = current
        && current.outcome().is_some()
    {
        match match_journal.letters {
            None => match_journal.write(&home, &[Event::Closed]),
            // The friend still has to be told of it.
            Some(_) if current.letter_due() => {}
            Some(_) => letters::put_away(&home, &current, clock.get()).unwrap_or_else(|why| notices.fail(why)),
        }
    }
    match_journal.keep(&home.storage());
    if let Some(trouble) = match_journal.trouble.take() {
        notices.fail(trouble.why);
    }
    (match_journal.journal, match_journal.letters) = (None, None);
    look((home, words), unfinished, match_journal, (results, library), notices);
}

/// The match that was found is discarded, or brought back.
fn discard(
    mut requests: MessageReader<Discard>,
    mut unfinished: ResMut<Unfinished>,
    match_journal: Res<MatchJournal>,
    mut notices: ResMut<Notices>,
) {
    for request in requests.read() {
        let Some(place) = &match_journal.place else { continue };
        let done = match request {
            Discard(true) if unfinished.found.is_some() => {
                unfinished.discarded = unfinished.found.take();
                place.blob().remove().map_err(Message::from)
            }
            Discard(false) => match unfinished.discarded.take() {
                Some(told) => {
                    let written = Journal::begin(place.blob(), &told.header, &told.events).keep();
                    unfinished.found = Some(told);
                    written.map_err(Message::from)
                }
                None => Ok(()),
            },
            _ => Ok(()),
        };
        if let Err(why) = done {
            notices.fail(why);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MatchJournal>()
        .init_resource::<Unfinished>()
        .add_systems(OnExit(Screen::Loading), look)
        .add_systems(OnEnter(Screen::Match), open)
        .add_systems(OnExit(Screen::Match), close)
        .add_systems(Update, look.run_if(on_message::<DataTaken>).in_set(Step::Settle))
        .add_systems(Update, discard.in_set(Step::Input))
        .add_systems(Update, tell.in_set(Step::Ui).before(show_notices));
}
