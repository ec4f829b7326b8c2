//! The way to a broker: it keeps what is to be there, connects again when the connection is lost, and tells what comes in.

use super::beats::Beats;
use super::socket::{Socket, begin, turn};
use super::watchers::{Watchers, Watching};
use super::wire::Wire;
use super::{LONGEST, of_topic};
use http::Uri;
use mqtt_protocol_core::mqtt::connection::role::Client;
use mqtt_protocol_core::mqtt::packet::{MessageExpiryInterval, Packet, Property, Qos, SubEntry, SubOpts, v5_0};
use mqtt_protocol_core::mqtt::result_code::{ConnectReasonCode, MqttError, SubackReasonCode};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::letter::Presence;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, TrySendError, channel, sync_channel};
use web_time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a broker may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The pauses between two tries: the first, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The most news that wait to be taken.
const MOST_NEWS: usize = 32;
/// So often something is sent, in seconds, so that a lost connection is noticed.
const KEEP_ALIVE: u16 = 30;
/// So many messages of a topic may come at once, and so many each second after that,
const AT_ONCE: f32 = 30.0;
const PER_SECOND: f32 = 2.0;
/// and from a topic with more nothing is taken for so long. What stands in it then is taken, so nothing that counts is lost.
const MUTED: Duration = Duration::from_secs(10);
/// A delay that differs by less from the one that was told is no news.
const SAME_DELAY: Duration = Duration::from_millis(50);
/// So long a broker keeps a letter that nobody changes, in seconds.
const KEPT: u32 = 90 * 24 * 3600;

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// There is a connection.
    Connected,
    /// There is none, and why. It is tried again.
    Lost(Message),
    /// What stands in a topic.
    Came(String, Vec<u8>),
    /// Too many messages have come from a topic. It is looked at again in a while.
    Flood(String),
    /// What is known now of the friend who sends beats to a topic.
    Seen(String, Presence),
    /// How many look on, as they say in a topic.
    Watchers(String, u8),
}

enum Order {
    Watch(String),
    Put(String, Vec<u8>),
    Forget(String),
    /// Sends beats to the first topic and takes those of the second.
    Beat([String; 2], Box<Beats>),
    /// Says in a topic that the user looks on.
    LookOn(String, Box<Watching>),
    /// Counts those who say so in a topic.
    Count(String, Box<Watchers>),
    /// Sends the last beat, or the last word of one who looks on, to a topic.
    Still(String),
}

/// The way to a broker. Dropping it ends the connection.
pub struct Carrier {
    orders: Sender<Order>,
    news: Mutex<Receiver<News>>,
}

impl Carrier {
    /// Begins to connect. `wake` is called when there is news.
    ///
    /// # Errors
    /// The address is none.
    pub fn new(address: &str, wake: impl Fn() + Send + 'static) -> Result<Carrier, Message> {
        let address = checked_address(address)?;
        let (orders, taken) = channel();
        // If more comes than is taken, the broker has to wait.
        let (told, news) = sync_channel(MOST_NEWS);
        let work = Work { address, orders: taken, told, wake, wanted: Wanted::default(), connected: false };
        begin(move || work.run()).map_err(|error| message!("{}", error))?;
        Ok(Carrier { orders, news: Mutex::new(news) })
    }

    /// Tells what stands in a topic, now and whenever it changes.
    pub fn watch(&self, topic: String) {
        drop(self.orders.send(Order::Watch(topic)));
    }

    /// Puts something into a topic, in place of what is there, as soon as there is a connection.
    pub fn put(&self, topic: String, bytes: Vec<u8>) {
        drop(self.orders.send(Order::Put(topic, bytes)));
    }

    /// Neither watches a topic any longer nor puts anything into it. What is there stays.
    pub fn forget(&self, topic: String) {
        drop(self.orders.send(Order::Forget(topic)));
    }

    /// Sends beats to a topic, and takes those that come from another one.
    pub fn beat(&self, to: String, from: String, beats: Beats) {
        drop(self.orders.send(Order::Beat([to, from], Box::new(beats))));
    }

    /// Says in a topic that the user looks on.
    pub fn look_on(&self, to: String, watching: Watching) {
        drop(self.orders.send(Order::LookOn(to, Box::new(watching))));
    }

    /// Counts those who say in a topic that they look on, until it is forgotten.
    pub fn count(&self, from: String, watchers: Watchers) {
        drop(self.orders.send(Order::Count(from, Box::new(watchers))));
    }

    /// The user has left the board: the last beat, or the last word of one who looks on, is sent to a topic.
    pub fn still(&self, to: String) {
        drop(self.orders.send(Order::Still(to)));
    }

    /// The news since the last call.
    pub fn news(&mut self) -> Vec<News> {
        self.news.get_mut().map(|news| news.try_iter().collect()).unwrap_or_default()
    }
}

/// The address of a broker, with its default port.
///
/// # Errors
/// It is not `ws://HOST[:PORT][/PATH]`, nor the same with `wss`.
pub fn checked_address(text: &str) -> Result<Uri, Message> {
    let bad = || {
        message!("'{}' is no address of a broker: ws://HOST:PORT or wss://HOST:PORT is expected", text.escape_debug().to_string())
    };
    let uri: Uri = text.trim().parse().map_err(|_| bad())?;
    let known = matches!(uri.scheme_str(), Some("ws" | "wss"));
    let plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    if known && plain && uri.host().is_some_and(|host| !host.is_empty()) { Ok(uri) } else { Err(bad()) }
}

/// What is to be at the broker.
#[derive(Default)]
struct Wanted {
    watched: BTreeSet<String>,
    put: BTreeMap<String, Vec<u8>>,
    /// The topics that this connection does not watch yet,
    to_watch: BTreeSet<String>,
    /// those whose content was not sent over it yet,
    to_put: BTreeSet<String>,
    /// those about which its broker was asked, by the number of the question,
    asked: BTreeMap<u16, String>,
    /// whether it knows those about which it has answered,
    known: BTreeMap<String, bool>,
    /// and those that are watched no longer.
    to_leave: BTreeSet<String>,
    /// The beats, by the topics from which the friends' come.
    beats: BTreeMap<String, Pulse>,
    /// The topics in which the user says to look on,
    looks_on: BTreeMap<String, Watching>,
    /// and those in which others say so.
    watchers: BTreeMap<String, Watchers>,
    /// How many messages of a topic may come, as it was at a time.
    room: BTreeMap<String, (f32, Instant)>,
    /// The topics with too many messages, and until when they are left alone.
    muted: BTreeMap<String, Instant>,
}

struct Pulse {
    /// The topic of the own beats.
    to: String,
    beats: Beats,
    told: Presence,
}

/// Seconds since 1970.
fn time() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64
}

impl Wanted {
    fn take(&mut self, order: Order) {
        match order {
            Order::Watch(topic) => self.watch(topic),
            Order::Put(topic, bytes) => self.put(topic, bytes),
            Order::Beat([to, from], beats) => {
                self.watch(from.clone());
                self.beats.insert(from, Pulse { to, beats: *beats, told: Presence::default() });
            }
            Order::LookOn(to, watching) => drop(self.looks_on.insert(to, *watching)),
            Order::Count(from, watchers) => {
                self.watch(from.clone());
                self.watchers.insert(from, *watchers);
            }
            Order::Still(to) => {
                if let Some(mut watching) = self.looks_on.remove(&to) {
                    self.put(to, watching.last());
                    return;
                }
                let from = self.beats.iter().find(|(_, pulse)| pulse.to == to).map(|(from, _)| from.clone());
                if let Some(from) = from
                    && let Some(mut pulse) = self.beats.remove(&from)
                {
                    self.put(to, pulse.beats.last(Instant::now(), time()));
                    self.leave(from);
                }
            }
            Order::Forget(topic) => {
                self.beats.remove(&topic);
                self.looks_on.remove(&topic);
                self.watchers.remove(&topic);
                self.room.remove(&topic);
                self.muted.remove(&topic);
                self.to_put.remove(&topic);
                self.put.remove(&topic);
                self.leave(topic);
            }
        }
    }

    fn watch(&mut self, topic: String) {
        self.to_leave.remove(&topic);
        if self.watched.insert(topic.clone()) {
            self.to_watch.insert(topic);
        }
    }

    fn leave(&mut self, topic: String) {
        self.to_watch.remove(&topic);
        if self.watched.remove(&topic) {
            self.to_leave.insert(topic);
        }
    }

    fn put(&mut self, topic: String, bytes: Vec<u8>) {
        if self.put.insert(topic.clone(), bytes.clone()).is_none_or(|before| before != bytes) {
            self.to_put.insert(topic);
        }
    }

    /// True if one more message of a topic may come; else the topic is left alone for a while.
    fn may_come(&mut self, topic: &str) -> bool {
        let now = Instant::now();
        let (left, at) = self.room.get(topic).copied().unwrap_or((AT_ONCE, now));
        let left = (left + PER_SECOND * now.duration_since(at).as_secs_f32()).min(AT_ONCE) - 1.0;
        if left >= 0.0 {
            self.room.insert(topic.to_owned(), (left, now));
            return true;
        }
        self.leave(topic.to_owned());
        self.muted.insert(topic.to_owned(), now + MUTED);
        false
    }

    /// Watches the topics again that were left alone for long enough.
    fn hear_again(&mut self) {
        let now = Instant::now();
        let due: Vec<String> = self.muted.iter().filter(|(_, until)| **until <= now).map(|(topic, _)| topic.clone()).collect();
        for topic in due {
            self.muted.remove(&topic);
            self.watch(topic);
        }
    }

    /// Puts the beats that are due, and returns what is news about the friends.
    fn beat(&mut self) -> Vec<News> {
        let now = Instant::now();
        let due: Vec<_> =
            self.beats.values_mut().filter_map(|pulse| Some((pulse.to.clone(), pulse.beats.next(now, time())?))).collect();
        due.into_iter().for_each(|(to, bytes)| self.put(to, bytes));
        let due: Vec<_> = self.looks_on.iter_mut().filter_map(|(to, one)| Some((to.clone(), one.next(now)?))).collect();
        due.into_iter().for_each(|(to, bytes)| self.put(to, bytes));
        let counted = self.watchers.iter_mut();
        let counted: Vec<_> = counted.filter_map(|(from, all)| Some(News::Watchers(from.clone(), all.news(now)?))).collect();
        let news = self.beats.iter_mut().filter_map(|(from, pulse)| {
            let seen = pulse.beats.seen(now);
            let same = match (seen.delay, pulse.told.delay) {
                (Some(now), Some(told)) => now.abs_diff(told) < SAME_DELAY,
                _ => seen == pulse.told,
            };
            pulse.told = if same { pulse.told } else { seen };
            (!same).then(|| News::Seen(from.clone(), seen))
        });
        news.chain(counted).collect()
    }

    /// The next topic into which something can be put. An older broker of ours breaks off where it does not know a topic, but only declines to watch it:
    /// whatever was added after letters is watched first, and put only if the broker agrees.
    fn next_to_put(&mut self) -> Option<String> {
        let may = |topic: &&String| of_topic(topic).is_some() || self.known.get(*topic) == Some(&true);
        let topic = self.to_put.iter().find(may).cloned()?;
        self.to_put.take(&topic)
    }

    /// The topics about which the broker is to be asked.
    fn to_ask(&self) -> Vec<String> {
        let asked = |topic: &String| self.known.contains_key(topic) || self.asked.values().any(|other| other == topic);
        self.to_put.iter().filter(|topic| of_topic(topic).is_none() && !asked(topic)).cloned().collect()
    }

    /// The broker has answered a question.
    fn answered(&mut self, id: u16, yes: bool) {
        let Some(topic) = self.asked.remove(&id) else { return };
        if yes && !self.watched.contains(&topic) {
            self.to_leave.insert(topic.clone());
        }
        self.known.insert(topic, yes);
    }

    /// All of it is to be done over a new connection.
    fn anew(&mut self) {
        self.room.clear();
        self.beats.values_mut().for_each(|pulse| pulse.beats.again(Instant::now()));
        self.looks_on.values_mut().for_each(|one| one.again(Instant::now()));
        self.to_watch = self.watched.clone();
        self.to_put = self.put.keys().cloned().collect();
        self.asked.clear();
        self.known.clear();
        self.to_leave.clear();
    }
}

struct Work<W: Fn()> {
    address: Uri,
    orders: Receiver<Order>,
    told: SyncSender<News>,
    wake: W,
    wanted: Wanted,
    connected: bool,
}

/// Nobody wants it any longer.
struct Over;

impl<W: Fn()> Work<W> {
    async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        let mut told = None;
        loop {
            let Err(lost) = self.connection().await else { return };
            if std::mem::take(&mut self.connected) {
                (pause, told) = (FIRST_PAUSE, None);
                self.wanted.beats.values_mut().for_each(|pulse| pulse.beats.lost());
            }
            let why = message!("{}: {}", self.address.to_string(), lost);
            if told.as_ref() != Some(&why) && self.tell(News::Lost(why.clone())).await.is_err() {
                return;
            }
            told = Some(why);
            let until = Instant::now() + pause;
            while Instant::now() < until {
                turn().await;
                if self.take().is_err() {
                    return;
                }
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Tells news, when there is room for them.
    async fn tell(&self, mut news: News) -> Result<(), Over> {
        loop {
            match self.told.try_send(news) {
                Ok(()) => break,
                Err(TrySendError::Full(same)) => news = same,
                Err(TrySendError::Disconnected(_)) => return Err(Over),
            }
            turn().await;
        }
        (self.wake)();
        Ok(())
    }

    /// Takes the orders that have come.
    fn take(&mut self) -> Result<(), Over> {
        loop {
            match self.orders.try_recv() {
                Ok(order) => self.wanted.take(order),
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(Over),
            }
        }
    }

    /// Works as long as the connection lasts.
    async fn connection(&mut self) -> io::Result<Over> {
        let mut wire: Wire<Client, Socket> = Wire::new(Socket::connect(&self.address).await?);
        let name = format!("qiju-{:016x}", fastrand::u64(..));
        let connect =
            v5_0::Connect::builder().client_id(name).and_then(|one| one.clean_start(true).keep_alive(KEEP_ALIVE).build());
        wire.mqtt.set_pingresp_recv_timeout(PATIENCE.as_millis() as u64);
        wire.send(connect.map_err(told)?.into())?;
        let begun = Instant::now();
        loop {
            if self.take().is_err() {
                return Ok(Over);
            }
            if self.connected {
                self.wanted.hear_again();
                for news in self.wanted.beat() {
                    if self.tell(news).await.is_err() {
                        return Ok(Over);
                    }
                }
                self.send(&mut wire)?;
            } else if begun.elapsed() > PATIENCE {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let message = wire.socket.next().await?;
            for packet in wire.receive(&message)? {
                match packet {
                    Packet::V5_0Connack(answer) if answer.reason_code() == ConnectReasonCode::Success => {
                        self.wanted.anew();
                        self.connected = true;
                        if self.tell(News::Connected).await.is_err() {
                            return Ok(Over);
                        }
                    }
                    Packet::V5_0Connack(answer) => return Err(io::Error::other(format!("{:?}", answer.reason_code()))),
                    Packet::V5_0Publish(one) => {
                        let (topic, bytes) = (one.topic_name(), one.payload().as_slice());
                        let taken = self.wanted.watched.contains(topic) && (1..=LONGEST).contains(&bytes.len());
                        let news = if !taken {
                            continue;
                        } else if !self.wanted.may_come(topic) {
                            // Whoever has the link may say what they like, as often as they like: it disturbs nobody.
                            if self.wanted.watchers.contains_key(topic) {
                                continue;
                            }
                            News::Flood(topic.to_owned())
                        } else if let Some(watchers) = self.wanted.watchers.get_mut(topic) {
                            watchers.came(bytes, Instant::now());
                            continue;
                        } else if let Some(pulse) = self.wanted.beats.get_mut(topic) {
                            pulse.beats.came(bytes, Instant::now(), time());
                            continue;
                        } else {
                            News::Came(topic.to_owned(), bytes.to_vec())
                        };
                        if self.tell(news).await.is_err() {
                            return Ok(Over);
                        }
                    }
                    Packet::V5_0Suback(answer) => {
                        let refused = |code: &SubackReasonCode| code.is_failure();
                        self.wanted.answered(answer.packet_id(), !answer.reason_codes().iter().any(refused));
                    }
                    Packet::V5_0Puback(answer) if answer.reason_code().is_some_and(|code| code.is_failure()) => {
                        return Err(io::Error::other(format!("{:?}", answer.reason_code())));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Sends what is not at the broker yet, as much as it takes at a time.
    fn send(&mut self, wire: &mut Wire<Client, Socket>) -> io::Result<()> {
        while let Some(topic) = self.wanted.to_leave.pop_first() {
            let id = wire.mqtt.acquire_packet_id().map_err(told)?;
            let packet = v5_0::Unsubscribe::builder().packet_id(id).entries([topic]).and_then(|one| one.build());
            wire.send(packet.map_err(told)?.into())?;
        }
        let asks = self.wanted.to_ask();
        for topic in std::mem::take(&mut self.wanted.to_watch).into_iter().chain(asks) {
            let id = wire.mqtt.acquire_packet_id().map_err(told)?;
            self.wanted.asked.insert(id, topic.clone());
            let entry = SubEntry::new(topic, SubOpts::new().set_qos(Qos::AtLeastOnce)).map_err(told)?;
            let packet = v5_0::Subscribe::builder().packet_id(id).entries(vec![entry]).build();
            wire.send(packet.map_err(told)?.into())?;
        }
        while wire.mqtt.get_receive_maximum_vacancy_for_send() != Some(0)
            && let Some(topic) = self.wanted.next_to_put()
        {
            let Some(bytes) = self.wanted.put.get(&topic) else { continue };
            let id = wire.mqtt.acquire_packet_id().map_err(told)?;
            let expiry = MessageExpiryInterval::new(KEPT).map_err(told)?;
            let packet = v5_0::Publish::builder().topic_name(topic).and_then(|one| {
                let one = one.qos(Qos::AtLeastOnce).retain(true).packet_id(id).payload(bytes.clone());
                one.props(vec![Property::MessageExpiryInterval(expiry)]).build()
            });
            wire.send(packet.map_err(told)?.into())?;
        }
        Ok(())
    }
}

fn told(error: MqttError) -> io::Error {
    io::Error::other(error.to_string())
}
