//! Letters that go by themselves: which matches have a broker, what it keeps for the friend, and what comes from it.
//! Each change of a match is told as a letter with the whole match ([`CurrentMatch::state_letter`]), after it is on the disk.

use super::clock::MatchClock;
use super::game::CurrentMatch;
use super::journal::MatchJournal;
use super::letters::{Connection, LetterMatch, Letters, Turn, note_post, put_away, recovered, resume};
use super::network::Network;
use crate::app::ground::background::{WakeHandle, WakeHandles};
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::{LetterRequest, RefereeRequest, Requests};
use crate::app::ground::settings::{LettersBy, Settings};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::friends::{
    Beats, Carrier, Key, News, PublicKey, ShowKey, WatchKey, Watchers, Watching, beats_topic, checked_address, of_beats_topic,
    of_shown_topic, of_topic, of_watchers_topic, shown_topic, topic, watchers_topic,
};
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::record::SeatSpec;
use qiju_core::record::journal::Post;
use qiju_core::record::letter::{Invitation, Letter, MOST_WATCHERS, Presence};
use qiju_core::rules::Side;
use std::collections::{BTreeMap, BTreeSet};
use web_time::{Duration, Instant};

struct Way {
    carrier: Carrier,
    connection: Connection,
}

/// A letter of a match that is not on the board.
struct Waiting {
    letter: Box<Letter>,
    /// Since when it waits, or an earlier one with news of the match,
    since: Instant,
    /// and whether it has such news, and not a phrase alone.
    brings: bool,
}

/// How the letters of a match go, and the friend's seat; none if the user looks on.
type Heard = (Post, Option<Side>);

/// The ways to brokers, and what goes over them.
#[derive(Resource, Default)]
pub struct Posts {
    /// By the addresses of the brokers.
    ways: BTreeMap<String, Way>,
    /// This program as a broker for the local network, and the tables nearby.
    pub network: Network,
    /// The matches whose letters go by themselves.
    watched: BTreeMap<u64, Heard>,
    /// What friends, and those who look on, were told last, by the topics.
    told: BTreeMap<String, (Post, Letter)>,
    /// Letters of matches that are not on the board.
    waiting: BTreeMap<u64, Waiting>,
    /// The matches with a letter that could be read, or about which the user was told that one could not.
    heard: BTreeSet<u64>,
    /// The match on the board: the friend, or the player who shows it, is told that the user is there.
    beating: Option<(u64, Heard)>,
    /// What is known of its friend,
    presence: Presence,
    /// and how many look on at the user's link.
    watchers: u8,
    /// How many look on at a match, as its letters say.
    told_watchers: BTreeMap<u64, u8>,
    /// The friend, and those who look on, are to be told another number.
    counted: bool,
    /// The match to which the user had invited, in place of which that of the friend is played.
    given_up: Option<u64>,
}

impl Posts {
    /// How the letters of a new match go, which may follow another one: as in that, else as in the settings. `None` if the user sends them.
    ///
    /// # Errors
    /// The address in the settings is none, or this program cannot be a broker.
    pub(super) fn begin(&mut self, settings: &Settings, after: Option<&(u64, Post, Side)>) -> Result<Option<Post>, Message> {
        let (by, broker) = match after {
            Some((_, post, _)) if post.hosts => (LettersBy::Network, ""),
            Some((_, post, _)) => (LettersBy::Broker, &*post.at),
            None => (settings.letters, &*settings.broker),
        };
        let at = match by {
            LettersBy::Hand => return Ok(None),
            LettersBy::Broker => checked_address(broker)?.to_string(),
            LettersBy::Network => self.network.host(0)?,
        };
        Ok(Some(post(at, by == LettersBy::Network, None)))
    }

    /// The state of the way to the broker of a match.
    pub fn connection(&self, post: &Post) -> Connection {
        self.ways.get(&post.at).map_or(Connection::Connecting, |way| way.connection.clone())
    }

    /// What is known of the friend of the match on the board.
    pub fn presence(&self) -> Presence {
        self.presence
    }

    /// How many look on at the match on the board, as far as it is known.
    pub fn watchers(&self) -> usize {
        let told = self.beating.as_ref().and_then(|(number, _)| self.told_watchers.get(number));
        usize::from(self.watchers) + usize::from(told.copied().unwrap_or_default())
    }

    /// Notes how many look on, as a letter says.
    fn hear_watchers(&mut self, letter: &Letter) {
        let before = self.told_watchers.insert(letter.number, letter.watchers);
        self.counted |= before.unwrap_or_default() != letter.watchers;
    }

    /// Tells the friend of this match that the user is at the board, or the player who shows it that the user looks on; and those of the one before
    /// that they have left.
    fn sit(&mut self, at: Option<(u64, Heard)>) {
        if self.beating == at {
            return;
        }
        (self.presence, self.watchers) = (Presence::default(), 0);
        if let Some((number, (post, friend))) = self.beating.take()
            && let Some(way) = self.ways.get(&post.at)
        {
            let watchers = watchers_at(number, &post, friend.is_some());
            match friend {
                Some(friend) => {
                    way.carrier.still(beats_topic(number, !friend));
                    watchers.into_iter().for_each(|topic| way.carrier.forget(topic));
                }
                None => watchers.into_iter().for_each(|topic| way.carrier.still(topic)),
            }
        }
        let Some((number, (post, friend))) = at else { return };
        let Some(way) = self.ways.get(&post.at) else { return };
        let (now, watchers) = (Instant::now(), watchers_at(number, &post, friend.is_some()));
        let link = post.watch.as_deref().and_then(|text| watch_key(text, friend.is_some())).zip(watchers);
        if let Some(friend) = friend {
            let sealed = Key::of_text(&post.secret).zip(post.friend.as_deref().and_then(PublicKey::of_text));
            let Some((key, to)) = sealed else { return };
            let [to_friend, from_friend] = [!friend, friend].map(|seat| beats_topic(number, seat));
            way.carrier.beat(to_friend, from_friend, Beats::new(key, to, now));
            link.into_iter().for_each(|(key, topic)| way.carrier.count(topic, Watchers::new(key, now)));
        } else {
            link.into_iter().for_each(|(key, topic)| way.carrier.look_on(topic, Watching::new(key, now)));
        }
        self.beating = Some((number, (post, friend)));
    }

    /// Tells a friend, or those who look on, something, unless it is what they were told last.
    fn put(&mut self, number: u64, (post, friend): (&Post, Side), letter: Letter) {
        let shows = letter.watch.is_some();
        let to = if shows { shown_at(number, post, true) } else { Some(topic(number, !friend)) };
        let Some(to) = to.filter(|to| self.told.get(to).is_none_or(|(before, told)| before != post || *told != letter)) else {
            return;
        };
        let sealed = letter.link().ok().and_then(|link| sealed(post, shows, &link));
        if let (Some(bytes), Some(way)) = (sealed, self.ways.get(&post.at)) {
            way.carrier.put(to.clone(), bytes);
            self.told.insert(to, (post.clone(), letter));
        }
    }

    /// The user is shown a match: on the board, or later.
    fn shown(&mut self, topic: &str, bytes: &[u8], here: Option<(&CurrentMatch, &Post)>, requests: &mut Requests) {
        let Some(number) = of_shown_topic(topic) else { return };
        let Some((post, None)) = self.watched.get(&number) else { return };
        let Some(letter) = seen(number, post, bytes) else { return };
        self.hear_watchers(&letter);
        if here.is_some_and(|(current, _)| current.seed() == number) {
            requests.write(LetterRequest::Came(letter, Duration::ZERO));
        } else {
            self.waiting.insert(number, Waiting { letter, since: Instant::now(), brings: false });
        }
    }

    /// Watches these matches and no others; and keeps the ways to their brokers alone.
    fn watch(&mut self, wanted: BTreeMap<u64, Heard>, wake: &WakeHandle) -> Result<(), Message> {
        let before = std::mem::replace(&mut self.watched, wanted);
        let is_in = |all: &BTreeMap<u64, Heard>, number: &u64, at: &str| all.get(number).is_some_and(|(post, _)| post.at == at);
        for (number, (post, friend)) in before.iter().filter(|(number, (post, _))| !is_in(&self.watched, number, &post.at)) {
            let of_seats = Side::BOTH.into_iter().flat_map(|seat| [topic(*number, seat), beats_topic(*number, seat)]);
            let of_link = [shown_at, watchers_at].into_iter().filter_map(|at| at(*number, post, friend.is_some()));
            self.told_watchers.remove(number);
            for topic in of_seats.chain(of_link) {
                self.told.remove(&topic);
                if let Some(way) = self.ways.get(&post.at) {
                    way.carrier.forget(topic);
                }
            }
        }
        let mut failed = Ok(());
        for (number, (post, friend)) in self.watched.iter().filter(|(number, (post, _))| !is_in(&before, number, &post.at)) {
            if !self.ways.contains_key(&post.at) {
                let wake = wake.clone();
                match Carrier::new(&post.at, move || wake.wake()) {
                    Ok(carrier) => drop(self.ways.insert(post.at.clone(), Way { carrier, connection: Connection::Connecting })),
                    Err(why) => failed = Err(why),
                }
            }
            let source = friend.map(|friend| topic(*number, friend)).or_else(|| shown_at(*number, post, false));
            if let (Some(way), Some(source)) = (self.ways.get(&post.at), source) {
                way.carrier.watch(source);
            }
        }
        self.ways.retain(|at, _| self.watched.values().any(|(post, _)| post.at == *at));
        if !self.watched.values().any(|(post, _)| post.hosts) {
            self.network.close();
        }
        failed
    }
}

fn post(at: String, hosts: bool, friend: Option<String>) -> Post {
    let key = Key::fresh();
    Post { at, hosts, secret: key.text(), public: key.public().text(), friend, watch: None }
}

/// The key of those who look on, as this program keeps it or as their link has it.
fn watch_key(text: &str, own: bool) -> Option<WatchKey> {
    if own { ShowKey::of_text(text).map(|key| key.watch()) } else { WatchKey::of_text(text) }
}

/// The topic of what those who look on are shown, by this program or by that of a player.
fn shown_at(number: u64, post: &Post, own: bool) -> Option<String> {
    Some(shown_topic(number, &watch_key(post.watch.as_deref()?, own)?.signer()))
}

/// The topic in which they say that they do.
fn watchers_at(number: u64, post: &Post, own: bool) -> Option<String> {
    Some(watchers_topic(number, &watch_key(post.watch.as_deref()?, own)?.signer()))
}

/// A letter sealed for the friend, or for those who look on.
fn sealed(post: &Post, shows: bool, link: &str) -> Option<Vec<u8>> {
    if shows {
        return Some(ShowKey::of_text(post.watch.as_deref()?)?.seal(link));
    }
    let to = PublicKey::of_text(post.friend.as_deref()?)?;
    Some(Key::of_text(&post.secret)?.seal(&to, link))
}

/// The same post with a key with which others are shown the match.
pub fn shared(post: &Post) -> Option<Post> {
    let key = ShowKey::fresh().text();
    Some(Post { watch: Some(post.watch.clone().unwrap_or(key)), ..post.clone() })
}

/// What those who look on need, if the match is shown to others.
pub(super) fn watchers(post: &Post) -> Option<Invitation> {
    let key = ShowKey::of_text(post.watch.as_deref()?)?.watch();
    Some(Invitation { at: post.at.clone(), key: key.text() })
}

/// How the letters go of a match that can be watched.
pub fn look_on(invitation: &Invitation) -> Option<Post> {
    checked_address(&invitation.at).ok()?;
    WatchKey::of_text(&invitation.key)?;
    let (at, watch) = (invitation.at.clone(), Some(invitation.key.clone()));
    Some(Post { at, hosts: false, secret: String::new(), public: String::new(), friend: None, watch })
}

/// How the letters go of a match to which a letter invites.
pub fn join(invitation: &Invitation) -> Option<Post> {
    checked_address(&invitation.at).ok()?;
    PublicKey::of_text(&invitation.key)?;
    Some(post(invitation.at.clone(), false, Some(invitation.key.clone())))
}

/// The letter in a message, and the key of its writer; `None` if it is not for the owner of this post, or is no letter.
fn opened(post: &Post, bytes: &[u8]) -> Option<(String, Box<Letter>)> {
    let (writer, text) = Key::of_text(&post.secret)?.open(bytes)?;
    Some((writer.text(), Box::new(Letter::in_text(&text)?))).filter(|(_, letter)| letter.watch.is_none())
}

/// The letter in a message to those who look on at a match.
fn seen(number: u64, post: &Post, bytes: &[u8]) -> Option<Box<Letter>> {
    let key = post.watch.as_deref()?;
    let letter = Letter::in_text(&WatchKey::of_text(key)?.open(bytes)?)?;
    let same = letter.watch.as_ref().is_some_and(|watch| watch.key == key);
    (letter.number == number && same).then(|| Box::new(letter))
}

/// The match on the board, if its letters go by themselves.
fn on_board<'a>(current: &'a Option<Res<CurrentMatch>>, screen: &State<Screen>) -> Option<(&'a CurrentMatch, &'a Post)> {
    let current = current.as_deref().filter(|_| *screen.get() == Screen::Match)?;
    current.is_by_letter().then_some(())?;
    current.post().map(|post| (current, post))
}

/// Brings the brokers up to date: which matches are watched, and what the friends are told.
fn tend(
    mut posts: ResMut<Posts>,
    (mut letters, current, journal, clock): (ResMut<Letters>, Option<Res<CurrentMatch>>, Res<MatchJournal>, Res<MatchClock>),
    (screen, wake, settings): (Res<State<Screen>>, WakeHandles, Res<Settings>),
    (mut notices, mut requests): (ResMut<Notices>, Requests),
) {
    let posts = posts.bypass_change_detection();
    let changed = letters.is_changed() || journal.is_changed() || screen.is_changed() || std::mem::take(&mut posts.counted);
    if !changed && !current.as_ref().is_some_and(|current| current.is_changed()) {
        return;
    }
    let here = on_board(&current, &screen);
    for one in &mut letters.bypass_change_detection().0 {
        if posts.waiting.get(&one.number).is_some_and(|waiting| waiting.brings) {
            one.turn = Turn::Mine;
        }
    }
    let beside = |one: &&LetterMatch| here.is_none_or(|(current, _)| current.seed() != one.number);
    let (own, all) = (posts.watchers, (posts.watchers() as u8).min(MOST_WATCHERS));
    let mut wanted: BTreeMap<u64, Heard> = BTreeMap::new();
    let mut told: Vec<(u64, Letter)> = Vec::new();
    for one in letters.0.iter().filter(beside) {
        if let Some(post) = &one.post {
            wanted.insert(one.number, (post.clone(), one.seat));
            told.extend([&one.letter, &one.shown].into_iter().flatten().map(|letter| (one.number, letter.clone())));
        }
    }
    if let Some((current, post)) = here {
        wanted.insert(current.seed(), (post.clone(), current.friend()));
        // What is not on the disk is not told.
        if journal.is_kept() {
            let letters = [(current.state_letter(clock.get()), own), (current.shown_letter(clock.get(), None), all)];
            told.extend(
                letters.into_iter().filter_map(|(letter, watchers)| Some((current.seed(), Letter { watchers, ..letter? }))),
            );
        }
    }
    // The friend of the match before may invite as well.
    if let Some((current, _)) = here
        && !current.goes_by_itself()
        && let Some((number, post, friend)) = current.again_after.clone()
    {
        wanted.entry(number).or_insert((post, Some(friend)));
    }
    // This program is the broker of some.
    for (number, (post, _)) in &mut wanted {
        // As long as it can be reached there, nobody asks for the address of this computer.
        let reached = !matches!(posts.connection(post), Connection::Lost(_)) && posts.network.hosted().as_ref() == Some(&post.at);
        if !post.hosts || reached {
            continue;
        }
        let port = post.at.trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(0);
        match posts.network.host(port) {
            Ok(at) if at != post.at => {
                post.at = at;
                if here.is_some_and(|(current, _)| current.seed() == *number) {
                    requests.write(RefereeRequest::Post(Box::new(post.clone())));
                }
            }
            Ok(_) => {}
            Err(why) => notices.fail(why),
        }
    }
    if let Err(why) = posts.watch(wanted, &wake.handle()) {
        notices.fail(why);
    }
    posts.sit(here.and_then(|(current, post)| {
        let plays = current.to_play_again().map(|(number, post, friend)| (number, (post, Some(friend))));
        plays.or_else(|| current.looks_on().then(|| (current.seed(), (post.clone(), None))))
    }));
    let open = here.filter(|(current, post)| post.hosts && current.invites() && current.again_after.is_none());
    let invitation = open.and_then(|(current, _)| current.letter(clock.get(), settings.my_name()));
    if let Err(why) = posts.network.announce(invitation) {
        notices.fail(why);
    }
    if let Some((current, _)) = here
        && !current.goes_by_itself()
        && let Some((number, post, friend)) = &current.again_after
        && let Some(letter) = current.letter(clock.get(), settings.my_name())
    {
        posts.put(*number, (post, *friend), letter);
    }
    for (number, mut letter) in told {
        let Some((post, Some(friend))) = posts.watched.get(&number).cloned() else { continue };
        if let Some(name) = settings.my_name() {
            letter.record.seats[!friend] = SeatSpec::External { name };
        }
        posts.put(number, (&post, friend), letter);
    }
}

/// Takes what has come. A letter of the match on the board is read at once; one of another match waits, and the user is told.
fn receive(
    mut posts: ResMut<Posts>,
    (mut letters, current, screen): (ResMut<Letters>, Option<Res<CurrentMatch>>, Res<State<Screen>>),
    (home, library, words): (Res<Home>, Res<Library>, Res<Words>),
    (mut notices, mut requests): (ResMut<Notices>, Requests),
) {
    let posts = posts.bypass_change_detection();
    let here = on_board(&current, &screen);
    if let Some(number) = posts.given_up.take_if(|number| here.is_some_and(|(current, _)| current.seed() != *number))
        && let Err(why) = resume(&home, &library, number).and_then(|one| put_away(&home, &one, &one.recovered_clock()))
    {
        notices.fail(why);
    }
    if let Some((current, _)) = here
        && let Some(Waiting { letter, since, .. }) = posts.waiting.remove(&current.seed())
    {
        requests.write(LetterRequest::Came(letter, since.elapsed()));
    }
    let mut came = Vec::new();
    for (at, way) in &mut posts.ways {
        for news in way.carrier.news() {
            match news {
                News::Connected => way.connection = Connection::Connected,
                News::Lost(why) => {
                    way.connection = Connection::Lost(why);
                    if posts.beating.as_ref().is_some_and(|(_, (post, _))| post.at == *at) {
                        posts.presence.delay = None;
                    }
                }
                News::Flood(_) => notices.warn(words.say("letters.flood")),
                News::Seen(topic, seen) => {
                    let of = of_beats_topic(&topic);
                    if posts.beating.as_ref().is_some_and(|(number, (_, friend))| of == friend.map(|friend| (*number, friend))) {
                        posts.presence = seen;
                    }
                }
                News::Watchers(topic, count) => {
                    let of = of_watchers_topic(&topic);
                    if posts.beating.as_ref().is_some_and(|(number, _)| of == Some(*number)) {
                        (posts.watchers, posts.counted) = (count, true);
                    }
                }
                News::Came(topic, bytes) => came.push((topic, bytes)),
            }
        }
    }
    for (topic, bytes) in came {
        let Some((number, writer)) = of_topic(&topic) else {
            posts.shown(&topic, &bytes, here, &mut requests);
            continue;
        };
        let heard = posts.watched.get(&number).filter(|(_, friend)| *friend == Some(writer)).cloned();
        let Some((post, _)) = heard else { continue };
        let Some((key, letter)) = opened(&post, &bytes) else {
            // The friend of an invitation writes to one reader alone.
            if post.friend.is_some() && !post.hosts && posts.heard.insert(number) {
                notices.warn(words.say("letters.not-for-you"));
            }
            continue;
        };
        let board = here.filter(|(current, _)| current.seed() == number);
        // The friend wants to play again.
        if letter.number != number {
            let known = letters.0.iter().any(|one| one.number == letter.number);
            let invites = letter.post.is_some() && post.friend.as_ref() == Some(&key);
            let after_this = |current: &CurrentMatch| current.again_after.as_ref().is_some_and(|(before, ..)| *before == number);
            let crossed = here.map(|(current, _)| current).filter(|own| !own.goes_by_itself() && after_this(own));
            // If both have invited each other, the match with the lower number is played.
            if !invites || known || crossed.is_some_and(|own| own.seed() < letter.number) || !posts.heard.insert(letter.number) {
                continue;
            }
            // Who wants to play again knows how this match ended.
            if board.is_some() {
                requests.write(RefereeRequest::FriendKnows);
            }
            requests.write(LetterRequest::Read(letter));
            if let Some(own) = crossed {
                posts.given_up = Some(own.seed());
                requests.write(LetterRequest::Accept);
            }
            continue;
        }
        if letter.reader == writer {
            continue;
        }
        let friend = letter.writer().unwrap_or(words.say("letters.friend")).to_owned();
        match &post.friend {
            Some(known) if *known == key => {}
            // Somebody else has the same invitation.
            Some(_) => continue,
            None => {
                let seated = Post { friend: Some(key), ..post };
                notices.warn(words.with("letters.seated", &friend));
                let name = letter.writer().map(str::to_owned);
                if let Err(why) = note_post(&home, (number, board.is_some()), seated.clone(), name.clone(), &mut requests) {
                    notices.fail(why);
                    continue;
                }
                posts.watched.insert(number, (seated.clone(), Some(writer)));
                for one in letters.0.iter_mut().filter(|one| one.number == number) {
                    (one.post, one.friend) = (Some(seated.clone()), name.clone());
                }
            }
        }
        posts.heard.insert(number);
        posts.hear_watchers(&letter);
        if board.is_some() {
            requests.write(LetterRequest::Came(letter, Duration::ZERO));
            continue;
        }
        let Some(one) = letters.0.iter_mut().find(|one| one.number == number) else { continue };
        if matches!(one.turn, Turn::Last) && letter.over {
            one.turn = Turn::Over;
        }
        let Ok(Some((known, _))) = recovered(&home, &library, number) else { continue };
        let brings = known.brings(&letter).is_some();
        let before = posts.waiting.remove(&number);
        let since = before.as_ref().filter(|before| before.brings).map_or_else(Instant::now, |before| before.since);
        if brings && before.is_none_or(|before| before.letter != letter) {
            one.turn = Turn::Mine;
            notices.warn(words.fill("letters.came", &[&friend, words.of(&known.game().sheet.name)]));
        }
        if brings || known.hears(&letter).is_some() {
            posts.waiting.insert(number, Waiting { letter, since, brings });
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Posts>().add_systems(Update, receive.in_set(Step::Input)).add_systems(Update, tend.in_set(Step::Settle));
}
