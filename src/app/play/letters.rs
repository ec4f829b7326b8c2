//! Matches by letter: which there are, and the letter of each. Each has a journal in a folder of its own, so that any number of them go on beside other
//! matches. Reading letters and sending them is an activity above.

use super::game::{Beginning, CurrentMatch};
use super::journal::restore;
use super::messages::DataTaken;
use super::post::{join, look_on, watchers};
use super::records::{WORTH_KEEPING, keep, moment_of, record_of};
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::{RefereeRequest, Requests};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::games;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::accord::{Agreement, Asked, Told, Wish};
use qiju_core::record::journal::{self, Event, Header, Journal, LockedJournal, Post, VERSION};
use qiju_core::record::letter::{Invitation, Letter, Phrase, Presence, Standing, is_told_by_loser};
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::{BySide, Outcome, Reason, Side};
use qiju_core::table::{Action, Clock, Origin, Tree};
use web_time::{SystemTime, UNIX_EPOCH};

/// Whose turn it is in a match by letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// The user's.
    Mine,
    /// The friend's.
    Theirs,
    /// That of one of those whom the user watches.
    Watched,
    /// Nobody's: it is over, and the last letter is still to be sent.
    Last,
    /// Nobody's.
    Over,
}

/// A match by letter, as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct LetterMatch {
    /// Its number.
    pub number: u64,
    /// The game's key.
    pub game: &'static str,
    /// The friend's name, if it is known; those of both where the user looks on.
    pub friend: Option<String>,
    /// The number of moves.
    pub plies: usize,
    /// Whose turn it is.
    pub turn: Turn,
    /// When a letter was read or shown last, in seconds since 1970.
    pub at: Option<i64>,
    /// The friend's seat; none where the user looks on.
    pub seat: Option<Side>,
    /// How the letters go by themselves, if they do,
    pub post: Option<Post>,
    /// the letter that tells the match as it is here,
    pub letter: Option<Letter>,
    /// and that to those who look on.
    pub shown: Option<Letter>,
}

/// The state of the way to a broker.
#[derive(Clone, Debug, PartialEq)]
pub enum Connection {
    /// It is being tried.
    Connecting,
    /// There is a connection.
    Connected,
    /// There is none, and why. It is tried again.
    Lost(Message),
}

/// The matches by letter, those in which it is the user's turn first, and then the latest.
#[derive(Resource, Default)]
pub struct Letters(pub Vec<LetterMatch>);

impl Letters {
    /// Reads which there are.
    pub fn load(&mut self, home: &Home, library: &Library, notices: &mut Notices) {
        let names = home.storage().list(journal::LETTERS).unwrap_or_default();
        let mut found = Vec::new();
        for number in names.iter().filter_map(|name| journal::number_by_letter(name)) {
            match recovered(home, library, number) {
                Ok(Some((current, at))) => found.push(LetterMatch::of(&current, at)),
                Ok(None) => {}
                Err(why) => notices.fail(why),
            }
        }
        found.sort_by_key(|one| (one.turn, std::cmp::Reverse(one.at)));
        if found != self.0 {
            self.0 = found;
        }
    }
}

impl LetterMatch {
    fn of(current: &CurrentMatch, at: Option<i64>) -> LetterMatch {
        let friend = current.friend();
        let turn = match (current.outcome().is_some(), current.letter_due()) {
            (false, _) if current.looks_on() => Turn::Watched,
            (false, false) => Turn::Mine,
            (false, true) => Turn::Theirs,
            (true, true) => Turn::Last,
            (true, false) => Turn::Over,
        };
        LetterMatch {
            number: current.seed(),
            game: current.game().entry.key,
            friend: friend.map_or_else(|| current.both_names(), |friend| current.heading().names[friend].clone()),
            plies: current.moves().len(),
            turn,
            at,
            seat: friend,
            post: current.post.clone(),
            letter: current.state_letter(&current.recovered_clock()),
            shown: current.shown_letter(&current.recovered_clock(), None),
        }
    }
}

/// The match by letter with this number, from its journal, and the time of its last letter.
///
/// # Errors
/// The journal cannot be read.
pub fn recovered(home: &Home, library: &Library, number: u64) -> Result<Option<(CurrentMatch, Option<i64>)>, Message> {
    let Some(found) = journal::recover(&home.blob(&journal::name_by_letter(number)))? else { return Ok(None) };
    let current = restore(library, &found)?;
    if !current.is_by_letter() || current.seed() != number {
        return Err(message!("{}: this is no match by letter", home.storage().shown(&journal::name_by_letter(number))));
    }
    Ok(Some((current, journal::last_letter(&found.events))))
}

/// The same to be played on.
///
/// # Errors
/// Another window plays on it, or there is no such match.
pub fn resume(home: &Home, library: &Library, number: u64) -> Result<CurrentMatch, Message> {
    if LockedJournal::by_letter(&home.storage(), number)?.is_none() {
        return Err(message!("another window of Qiju has this match open"));
    }
    let found = recovered(home, library, number)?.map(|(current, _)| current);
    found.ok_or_else(|| message!("there is no such match by letter"))
}

/// Writes the journal of the match to which a letter invites, or that it shows.
///
/// # Errors
/// It cannot be written.
pub fn accept(home: &Home, letter: &Letter) -> Result<(), Message> {
    let (reader, record) = (letter.reader, &letter.record);
    let watches = letter.watch.is_some();
    let known = |seat: Side| watches || seat != reader;
    let names = BySide::from_fn(|seat| record.seats[seat].name().filter(|_| known(seat)).map(str::to_owned));
    let header = Header {
        version: VERSION,
        game: record.game.clone(),
        setup: games::find(&record.game)?.table(&record.setup)?.setup().clone(),
        seats: BySide::from_fn(|seat| if known(seat) { SeatSpec::Friend } else { SeatSpec::Human }),
        near: BySide::default(),
        control: letter.control,
        seed: letter.number,
        rated: false,
        teaching: false,
        analysis: false,
        from_record: false,
        unhelped: false,
        tags: Default::default(),
        names,
    };
    let moves = record.main_actions().into_iter().enumerate().flat_map(|(ply, action)| {
        let spent = letter.times.get(ply).map(|time| Event::Spent(*time));
        spent.into_iter().chain([Event::Move(action)])
    });
    let plies = record.plies();
    let offer = letter.draw.then_some(Event::Offered(!reader));
    let told = letter.told;
    let backs = (told.backs > 0).then_some(Agreement::TakenBack { times: told.backs, to: plies });
    let pauses = (told.pauses > 0).then_some(Agreement::Paused(told.pauses));
    let asks = told.asks.filter(|asked| asked.at == plies).map(|asked| Agreement::Asked { by: !reader, asked });
    let agreed = backs.into_iter().chain(pauses).chain(asks).map(Event::Accord);
    let heard = letter.says.map(|(at, _)| Event::Heard(at));
    let post = letter.post.as_ref().and_then(join).or_else(|| look_on(letter.watch.as_ref()?)).map(Event::Post);
    let read = [Event::Letter { at: now_in_seconds(), from: None }];
    let events: Vec<Event> = moves.chain(offer).chain(agreed).chain(heard).chain(post).chain(read).collect();
    Journal::begin(&home.blob(&journal::name_by_letter(letter.number)), &header, &events).keep()?;
    Ok(())
}

/// Adds events to the journal of a match by letter that is not on the board. If another window plays it, that one does so.
///
/// # Errors
/// They cannot be written.
fn note(home: &Home, number: u64, events: &[Event]) -> Result<(), Message> {
    let Some((place, _)) = LockedJournal::by_letter(&home.storage(), number)? else { return Ok(()) };
    if let Some((mut journal, _)) = Journal::resume(place.blob())? {
        journal.append_all(events)?;
    }
    Ok(())
}

/// Notes how the letters of a match go from now on, and the name of the friend who has sat down, whether it is on the board or not.
///
/// # Errors
/// It cannot be written.
pub fn note_post(
    home: &Home,
    (number, on_board): (u64, bool),
    post: Post,
    friend: Option<String>,
    requests: &mut Requests,
) -> Result<(), Message> {
    if !on_board {
        let named = friend.map(|name| Event::Letter { at: now_in_seconds(), from: Some(name) });
        return note(home, number, &[Event::Post(post)].into_iter().chain(named).collect::<Vec<_>>());
    }
    requests.write(RefereeRequest::Post(Box::new(post)));
    friend.into_iter().for_each(|name| requests.write(RefereeRequest::Letter(Some(name))));
    Ok(())
}

/// Keeps the game among the saved games, and removes the journal.
///
/// # Errors
/// One of them cannot be done; then the journal is still there.
pub fn put_away(home: &Home, current: &CurrentMatch, clock: &Clock) -> Result<(), Message> {
    let record = record_of(current, clock);
    if record.plies() >= WORTH_KEEPING {
        keep(home, record, current.seed())?;
    }
    let blob = home.blob(&journal::name_by_letter(current.seed()));
    blob.remove().map_err(|error| message!("{}: {}", blob.to_string(), error))
}

/// Seconds since 1970.
pub(super) fn now_in_seconds() -> i64 {
    (now_in_ms() / 1000) as i64
}

/// Milliseconds since 1970.
pub(super) fn now_in_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// What a letter brings to its match.
#[derive(Debug, PartialEq)]
pub struct Brings {
    /// What the friend has agreed to: it comes before the moves.
    pub agreed: Vec<Agreement>,
    /// The moves.
    pub moves: Vec<Action>,
    /// What is said after them.
    pub words: Vec<RefereeRequest>,
}

impl CurrentMatch {
    /// The seat of a friend elsewhere who plays against the user, if one does.
    pub fn friend(&self) -> Option<Side> {
        let elsewhere = |seat: Side| self.seats[seat] == SeatSpec::Friend;
        Side::BOTH.into_iter().find(|seat| elsewhere(*seat) && !elsewhere(!*seat))
    }

    /// True if two others play elsewhere, and the user looks on.
    pub fn looks_on(&self) -> bool {
        Side::BOTH.into_iter().all(|seat| self.seats[seat] == SeatSpec::Friend)
    }

    /// True if somebody plays elsewhere.
    pub fn is_by_letter(&self) -> bool {
        self.friend().is_some() || self.looks_on()
    }

    /// The names of both players, if one of them has a name.
    pub fn both_names(&self) -> Option<String> {
        let BySide { first, second } = &self.heading().names;
        let names: Vec<&str> = [first, second].into_iter().flatten().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(" – "))
    }

    /// The moves of the match.
    pub fn moves(&self) -> Vec<Action> {
        self.played.line().iter().filter_map(|id| self.tree().node(*id).action()).collect()
    }

    /// The seat whose offer of a draw stands, in a match against a friend.
    pub fn offered(&self) -> Option<Side> {
        self.offered
    }

    /// True if the friend waits for a letter: it is their turn, or the user had the last word.
    pub fn letter_due(&self) -> bool {
        let Some(friend) = self.friend() else { return false };
        match self.outcome() {
            Some(_) if self.friend_knows => false,
            None => self.table().seat_to_move() == friend,
            Some(outcome) => match outcome.reason {
                reason if is_told_by_loser(reason) => outcome.winner.is_some_and(|winner| self.seat_of(winner) == friend),
                Reason::Agreement => self.offered == Some(friend),
                _ => {
                    let mut before = self.table().boxed_clone();
                    before.adjudicate(false);
                    before.undo().is_some() && before.seat_to_move() == !friend
                }
            },
        }
    }

    /// True if a letter is to be shown that was not shown yet: the friend waits for it, or is invited by it.
    pub fn has_new_letter(&self) -> bool {
        match self.post {
            Some(_) => self.invites() && !self.invited && self.again_after.is_none(),
            None => self.letter_due() && !self.letter_shown,
        }
    }

    /// True if a letter can be shown: the friend waits for it, or is invited by it.
    pub fn has_letter(&self) -> bool {
        self.letter_due() || self.invites()
    }

    /// True if the friend does not sit at the board yet, and letters go by themselves when they do.
    pub fn invites(&self) -> bool {
        self.outcome().is_none() && !self.looks_on() && self.post.as_ref().is_some_and(|post| post.friend.is_none())
    }

    /// How the letters go by themselves, if they do.
    pub fn post(&self) -> Option<&Post> {
        self.post.as_ref()
    }

    /// True if the letters go by themselves, and the friend sits at the board.
    pub fn goes_by_itself(&self) -> bool {
        self.post.as_ref().is_some_and(|post| post.friend.is_some())
    }

    /// This match and the friend's seat, if another one can be played in the same way.
    pub(super) fn to_play_again(&self) -> Option<(u64, Post, Side)> {
        let post = self.post.clone().filter(|_| self.goes_by_itself())?;
        Some((self.seed(), post, self.friend()?))
    }

    /// The letter that tells the match as it is here, whoever had the last word, without the user's name; `None` if it does not go by itself.
    pub fn state_letter(&self, clock: &Clock) -> Option<Letter> {
        let mut letter = self.letter(clock, None).filter(|_| self.goes_by_itself())?;
        letter.post = None;
        // Only who resigns, or has no time left, says so.
        let mine = |outcome: &Outcome| {
            !is_told_by_loser(outcome.reason) || outcome.winner.map(|side| self.seat_of(side)) == self.friend()
        };
        letter.record.result = letter.record.result.filter(mine);
        Some(letter)
    }

    /// The letter to those who look on, from a user of this name; `None` if the match is shown to nobody.
    pub fn shown_letter(&self, clock: &Clock, my_name: Option<String>) -> Option<Letter> {
        let watch = watchers(self.post()?);
        let letter = self.letter(clock, my_name).filter(|_| watch.is_some())?;
        let told = Told { backs: letter.told.backs, pauses: letter.told.pauses, ..Told::default() };
        Some(Letter { draw: false, post: None, says: None, watch, told, ..letter })
    }

    /// True if others can be let look on.
    pub fn can_be_shown(&self) -> bool {
        self.goes_by_itself() && self.outcome().is_none()
    }

    /// The letter to the friend, from a user of this name, with the times of this clock; `None` if no friend plays.
    pub fn letter(&self, clock: &Clock, my_name: Option<String>) -> Option<Letter> {
        let friend = self.friend()?;
        let tree = Tree::of_line(self.moves(), Origin::Main);
        let named = |name: Option<String>| name.map_or(SeatSpec::Human, |name| SeatSpec::External { name });
        let friends_name = self.heading().names[friend].clone();
        let seats = BySide::from_fn(|seat| named(if seat == friend { friends_name.clone() } else { my_name.clone() }));
        let record = Record::with_tree(self.table(), seats, self.outcome(), tree);
        let draw = self.offered == Some(!friend) && self.outcome().is_none();
        let post = self.post.as_ref().map(|post| Invitation { at: post.at.clone(), key: post.public.clone() });
        let control = self.control;
        let times = if control.is_limited() { clock.times() } else { Vec::new() };
        let times = times.iter().map(|time| time.as_millis() as u64).collect();
        Some(Letter {
            number: self.seed(),
            reader: friend,
            draw,
            over: self.outcome().is_some(),
            post,
            watch: None,
            says: self.said,
            watchers: 0,
            told: self.accord.told(!friend),
            control,
            times,
            record,
        })
    }

    /// What a letter brings; `None` if nothing.
    pub fn brings(&self, letter: &Letter) -> Option<Brings> {
        if self.looks_on() {
            return self.is_shown(letter);
        }
        let (me, told) = (letter.reader, &letter.told);
        let agreed = self.accord.agreed(me, told).ok().filter(|_| !self.accord.is_older(told))?;
        let back = agreed.iter().find_map(|event| if let Agreement::TakenBack { to, .. } = event { Some(*to) } else { None });
        // What both agreed to before counts more than what one of them did after it.
        if self.outcome().is_some() && back.is_none() {
            return None;
        }
        let before = self.moves();
        let before = &before[..back.unwrap_or(before.len()).min(before.len())];
        let lost = letter.gives_up().map(|reason| match reason {
            Reason::Time => RefereeRequest::FriendIsLate,
            _ => RefereeRequest::Resign(self.seat_of(!me)),
        });
        let offered = self.offered.filter(|_| back.is_none());
        let offers = (letter.draw && offered != Some(!me)).then_some(RefereeRequest::FriendOffers);
        let (moves, word) = match letter.against(self.game().entry.key, self.table().setup(), before) {
            Standing::Older(_) | Standing::Same if lost.is_some() => (Vec::new(), lost),
            Standing::Same if letter.agrees() && offered == Some(me) => (Vec::new(), Some(RefereeRequest::FriendAgrees)),
            Standing::Same | Standing::Newer(_) if letter.agrees() => return None,
            // An offer that was declined may come again before the friend knows.
            Standing::Same => (Vec::new(), offers.filter(|_| !self.accord.has_declined(me, before.len()))),
            Standing::Newer(moves) => (moves, lost.or(offers)),
            Standing::Older(_) if back.is_none() => (Vec::new(), None),
            Standing::Older(_) | Standing::OtherStart | Standing::OtherMove(_) => return None,
        };
        let mut accord = self.accord;
        agreed.iter().for_each(|step| accord.apply(*step));
        if !moves.is_empty() {
            accord.moved(!me);
        }
        let says = accord.says(me, told, before.len() + moves.len(), offered == Some(me));
        let says = says.into_iter().map(RefereeRequest::Agree);
        let brings = Brings { agreed, words: word.into_iter().chain(says).collect(), moves };
        let nothing = brings.agreed.is_empty() && brings.moves.is_empty() && brings.words.is_empty();
        (!nothing).then_some(brings)
    }

    /// What a letter to those who look on brings.
    fn is_shown(&self, letter: &Letter) -> Option<Brings> {
        let (before, told) = (self.moves(), &letter.told);
        let same = letter.shows(self.game().entry.key, self.table().setup(), &before, &self.accord)?;
        let known = self.accord.told(letter.reader);
        let back = (told.backs > known.backs).then_some(Agreement::TakenBack { times: told.backs, to: same });
        if self.outcome().is_some() && back.is_none() {
            return None;
        }
        let paused = (told.pauses > known.pauses).then_some(Agreement::Paused(told.pauses));
        let agreed: Vec<Agreement> = back.into_iter().chain(paused).collect();
        let moves = letter.record.main_actions().split_off(same);
        let by_word = |outcome: &Outcome| is_told_by_loser(outcome.reason) || outcome.reason == Reason::Agreement;
        let words: Vec<_> = letter.record.result.filter(by_word).map(RefereeRequest::Ended).into_iter().collect();
        let nothing = agreed.is_empty() && moves.is_empty() && words.is_empty();
        (!nothing).then_some(Brings { agreed, moves, words })
    }

    /// What the friend says in a letter, and when, if it was not told yet.
    pub fn hears(&self, letter: &Letter) -> Option<(u64, Phrase)> {
        letter.says.filter(|(at, _)| *at > self.heard)
    }

    /// How a letter stands to this match.
    pub fn against(&self, letter: &Letter) -> Standing {
        if self.accord.is_older(&letter.told) {
            return Standing::Older(letter.record.plies());
        }
        let moves = self.moves();
        match letter.against(self.game().entry.key, self.table().setup(), &moves) {
            Standing::OtherStart => Standing::OtherStart,
            // It tells of something to which nobody has agreed here.
            standing if self.accord.agreed(letter.reader, &letter.told).is_err() => match standing {
                Standing::Older(at) | Standing::OtherMove(at) => Standing::OtherMove(at),
                _ => Standing::OtherMove(moves.len()),
            },
            standing => standing,
        }
    }

    /// True while both clocks stand by agreement.
    pub fn is_paused(&self) -> bool {
        self.accord.is_paused()
    }

    /// True if the friend was asked for something and has not answered yet.
    pub fn awaits_answer(&self) -> bool {
        self.friend().is_some_and(|friend| self.outcome().is_none() && self.accord.waits(!friend))
    }

    /// The number of moves before the last one of a seat.
    fn before_last_of(&self, seat: Side) -> Option<usize> {
        let mut before = self.table().boxed_clone();
        before.adjudicate(false);
        let mut moves = self.moves().len();
        while moves > 0 {
            before.undo()?;
            moves -= 1;
            if before.seat_to_move() == seat {
                return Some(moves);
            }
        }
        None
    }

    /// True if the friend can be asked for something beside the moves, now.
    fn can_ask(&self) -> bool {
        let Some(friend) = self.friend().filter(|_| self.outcome().is_none()) else { return false };
        // A letter that the user sends goes after a move.
        let told = if self.post.is_some() { self.goes_by_itself() } else { self.letter_due() };
        told && self.accord.can_ask(!friend, self.moves().len())
    }

    /// The wish to take the user's last move back, with those after it, if the friend can be asked for it.
    pub fn back_wish(&self) -> Option<Wish> {
        self.before_last_of(!self.friend()?).filter(|_| self.can_ask()).map(Wish::Back)
    }

    /// The wish for a pause, if the friend can be asked for it.
    pub fn pause_wish(&self) -> Option<Wish> {
        (self.has_shared_clock() && !self.is_paused() && self.can_ask()).then_some(Wish::Pause)
    }

    /// What the friend asks for beside the moves.
    pub(super) fn asked_by_friend(&self) -> Option<Asked> {
        let friend = self.friend().filter(|_| self.outcome().is_none())?;
        let asked = self.accord.question(!friend, self.moves().len())?;
        let can_be = match asked.wish {
            Wish::Back(to) => self.before_last_of(friend) == Some(to),
            Wish::Pause => self.has_shared_clock() && !self.is_paused(),
        };
        can_be.then_some(asked)
    }

    /// True if the time of a player is limited: the programs tell each other how long a move took.
    pub fn has_shared_clock(&self) -> bool {
        self.goes_by_itself() && self.control.is_limited()
    }

    /// The event that says since when the player to move uses time, in a match against a friend.
    pub(super) fn since(&self, clock: &Clock) -> Option<Event> {
        let runs = self.has_shared_clock() && self.outcome().is_none();
        runs.then(|| Event::Since { at: now_in_ms(), spent: clock.spent().as_millis() as u64 })
    }

    /// The clock of a match that was resumed from its journal.
    pub fn recovered_clock(&self) -> Clock {
        match &self.beginning {
            Beginning::Journal(clock) | Beginning::Record(clock) => clock.clone(),
            Beginning::Fresh => Clock::new(self.control),
        }
    }
}

impl Words {
    /// Whether the friend is at the board; `None` if nothing is known.
    pub fn presence(&self, presence: Presence) -> Option<String> {
        match presence {
            Presence { delay: Some(delay), .. } => {
                // Less than a hundredth of a second is no news.
                Some(self.with("letters.here", (delay.as_millis() / 10 * 10).max(10)))
            }
            Presence { last, .. } => Some(self.with("letters.away", moment_of(last?)?)),
        }
    }
}

fn load(mut letters: ResMut<Letters>, (home, library): (Res<Home>, Res<Library>), mut notices: ResMut<Notices>) {
    letters.bypass_change_detection().load(&home, &library, &mut notices);
    letters.set_changed();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Letters>()
        .add_systems(OnEnter(Screen::Title), load)
        .add_systems(Update, load.run_if(on_message::<DataTaken>).in_set(Step::Settle));
}
