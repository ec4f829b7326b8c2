//! Two friends elsewhere: their letters go through a broker, over connections that are cut, and the matches agree in the end.
#![cfg(feature = "friends")]

mod cuts;

use cuts::{Mosquitto, Proxy, wanted};
use qiju::friends::{
    Announced, Beats, Broker, Carrier, Key, Lookout, News, Page, PublicKey, ShowKey, WatchKey, Watchers, Watching, beats_topic,
    shown_topic, topic, watchers_topic,
};
use qiju_core::record::accord::{Accord, Agreement, Asked, Wish};
use qiju_core::record::letter::{Invitation, Letter, Presence, Standing};
use qiju_core::record::{Record, recognise};
use qiju_core::rules::{BySide, Side};
use qiju_core::table::{Action, Origin, Setup, Table, TimeControl, Tree};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const GAMES: [(&str, Option<&str>); 3] = [("xiangqi", None), ("gomoku", Some("renju:15")), ("two-eat-one", None)];
/// The longest matches.
const PLIES: usize = 16;
const NUMBER: u64 = 0x1234_5678_9abc_def0;

/// A player: a match, the own seat, and the keys.
struct Player {
    seat: Side,
    game: &'static str,
    setup: Setup,
    table: Box<dyn Table>,
    played: Vec<Action>,
    accord: Accord,
    key: Key,
    friend: PublicKey,
    show: ShowKey,
    number: u64,
    random: fastrand::Rng,
}

/// Somebody who looks on at a match, as one of its players shows it.
struct Watcher {
    game: &'static str,
    setup: Setup,
    played: Vec<Action>,
    accord: Accord,
    key: WatchKey,
}

impl Watcher {
    fn of(player: &Player) -> Watcher {
        let (game, setup, key) = (player.game, player.setup.clone(), player.show.watch());
        Watcher { game, setup, played: Vec::new(), accord: Accord::default(), key }
    }

    fn read(&mut self, bytes: &[u8]) {
        let text = self.key.open(bytes).expect("what the player shows");
        let record = recognise(text.as_bytes()).and_then(|reading| reading.all()).unwrap().remove(0);
        let letter = Letter::of(&record).unwrap().unwrap();
        assert_eq!(letter.watch.as_ref().map(|watch| &*watch.key), Some(&*self.key.text()));
        let Some(same) = letter.shows(self.game, &self.setup, &self.played, &self.accord) else { return };
        for step in [Agreement::TakenBack { times: letter.told.backs, to: same }, Agreement::Paused(letter.told.pauses)] {
            if self.accord.follows(step) {
                self.accord.apply(step);
            }
        }
        self.played.truncate(same);
        self.played.extend(letter.record.main_actions().split_off(same));
    }

    /// What it knows of the match.
    fn knows(&self) -> (Vec<Action>, u32, u32) {
        let told = self.accord.told(Side::First);
        (self.played.clone(), told.backs, told.pauses)
    }
}

impl Player {
    fn pair(game: &'static str, variant: Option<&str>, seed: u64) -> [Player; 2] {
        let keys = [Key::fresh(), Key::fresh()];
        [0, 1].map(|index| {
            let setup = Setup { variant: variant.map(str::to_owned), position: None };
            Player {
                seat: Side::BOTH[index],
                game,
                table: qiju_core::games::find(game).unwrap().table(&setup).unwrap(),
                setup,
                played: Vec::new(),
                accord: Accord::default(),
                key: keys[index].clone(),
                friend: keys[1 - index].public(),
                show: ShowKey::fresh(),
                number: NUMBER,
                random: fastrand::Rng::with_seed(seed + index as u64),
            }
        })
    }

    /// Plays moves as long as it is the own turn. False if the match is over, or long enough.
    fn play(&mut self, plies: usize) -> bool {
        while self.table.seat_to_move() == self.seat && self.played.len() < plies {
            let Some(action) = self.random.choice(self.table.actions()) else { break };
            // Whoever moves lets the clocks go on.
            self.accord.go_on().into_iter().for_each(|step| self.agree_on(step));
            self.add(action);
        }
        self.table.outcome().is_none() && self.played.len() < plies
    }

    fn add(&mut self, action: Action) {
        self.accord.moved(self.table.seat_to_move());
        self.table.play(action).unwrap();
        self.played.push(action);
    }

    fn agree_on(&mut self, step: Agreement) {
        self.accord.apply(step);
        if let Agreement::TakenBack { to, .. } = step {
            while self.played.len() > to {
                self.played.pop();
                self.table.undo().unwrap();
            }
        }
    }

    /// The number of moves before the last one of a seat.
    fn before_last_of(&self, seat: Side) -> Option<usize> {
        let mut before = self.table.boxed_clone();
        (0..self.played.len()).rev().find(|_| before.undo().is_some() && before.seat_to_move() == seat)
    }

    /// Sometimes asks for something, answers, or lets the clocks go on.
    fn wish(&mut self) {
        let (seat, moves, running) = (self.seat, self.played.len(), self.table.outcome().is_none());
        let step = match self.random.u8(..12) {
            0 | 1 if running && self.accord.can_ask(seat, moves) => {
                let back = self.before_last_of(seat).filter(|_| self.random.bool()).map(Wish::Back);
                let wish = back.or_else(|| (!self.accord.is_paused()).then_some(Wish::Pause));
                wish.map(|wish| Agreement::Asked { by: seat, asked: Asked { at: moves, wish } })
            }
            2..6 if running => self.accord.question(seat, moves).map(|asked| {
                assert!(asked.wish == Wish::Pause || Some(asked.wish) == self.before_last_of(!seat).map(Wish::Back));
                self.accord.answer(seat, asked, self.random.u8(..3) > 0)
            }),
            6 => self.accord.go_on(),
            _ => None,
        };
        step.into_iter().for_each(|step| self.agree_on(step));
    }

    /// What this player knows of the match.
    fn knows(&self) -> (Vec<Action>, u32, u32) {
        let told = self.accord.told(Side::First);
        (self.played.clone(), told.backs, told.pauses)
    }

    /// The sealed letter that tells the match.
    fn letter(&self) -> Vec<u8> {
        self.key.seal(&self.friend, &self.open_letter().link().unwrap())
    }

    /// The same for those who look on.
    fn shown(&self) -> Vec<u8> {
        let mut letter = self.open_letter();
        (letter.told.asks, letter.told.declines) = (None, None);
        letter.watch = Some(Invitation { at: "ws://a.example".to_owned(), key: self.show.watch().text() });
        self.show.seal(&letter.link().unwrap())
    }

    fn open_letter(&self) -> Letter {
        let mut record = Record::new(self.game, self.setup.clone());
        record.tree = Tree::of_line(self.played.iter().copied(), Origin::Main);
        record.result = self.table.outcome();
        Letter {
            number: self.number,
            reader: !self.seat,
            draw: false,
            over: record.result.is_some(),
            post: None,
            watch: None,
            says: None,
            watchers: 0,
            told: self.accord.told(self.seat),
            control: BySide::equal(TimeControl::Sudden { main: 600 }),
            times: vec![7; self.played.len()],
            record,
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        let (writer, text) = self.key.open(bytes).expect("the friend's letter");
        assert_eq!(writer, self.friend);
        let record = recognise(text.as_bytes()).and_then(|reading| reading.all()).unwrap().remove(0);
        let letter = Letter::of(&record).unwrap().unwrap();
        if self.accord.is_older(&letter.told) {
            return;
        }
        let agreed = self.accord.agreed(self.seat, &letter.told).expect("nothing that was not asked for");
        agreed.into_iter().for_each(|step| self.agree_on(step));
        match letter.against(self.game, &self.setup, &self.played) {
            Standing::Newer(moves) => moves.into_iter().for_each(|action| self.add(action)),
            Standing::Same | Standing::Older(_) => {}
            other => panic!("{other:?}"),
        }
        let says = self.accord.says(self.seat, &letter.told, self.played.len(), false);
        says.into_iter().for_each(|step| self.agree_on(step));
    }
}

/// Letters are delayed, lost, doubled and out of order; as long as the last one of each comes in the end, the matches agree, and those who look on have
/// seen nothing but what was.
#[test]
fn a_bad_network_changes_nothing() {
    let (mut backs, mut pauses) = (0, 0);
    for seed in 0..wanted("QIJU_CUTS", 24) as u64 {
        let (game, variant) = GAMES[seed as usize % GAMES.len()];
        let mut players = Player::pair(game, variant, seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let mut written: [Vec<Vec<u8>>; 2] = Default::default();
        let mut watchers = [0, 1].map(|index| Watcher::of(&players[index]));
        let mut shown: [Vec<Vec<u8>>; 2] = Default::default();
        let mut known = [0, 1].map(|index| vec![players[index].knows()]);
        let mut rounds = 0;
        loop {
            let going: Vec<bool> = players
                .iter_mut()
                .map(|player| {
                    player.wish();
                    player.random.bool() || player.play(24)
                })
                .collect();
            for (index, player) in players.iter().enumerate() {
                written[index].push(player.letter());
                shown[index].push(player.shown());
                known[index].push(player.knows());
                for _ in 0..random.usize(..3) {
                    let some = random.choice(&shown[index]).unwrap();
                    watchers[index].read(some);
                    assert!(known[index].contains(&watchers[index].knows()), "{game}, seed {seed}");
                }
                assert_eq!(players[1 - index].key.open(shown[index].last().unwrap()), None);
            }
            if !going.contains(&true) || rounds > 2000 {
                break;
            }
            rounds += 1;
            for reader in 0..2 {
                for _ in 0..random.usize(..4) {
                    // Any letter of the friend's, as often as it likes.
                    let some = random.choice(&written[1 - reader]).unwrap().clone();
                    players[reader].read(&some);
                }
                // Sometimes the last one.
                if random.u8(..4) == 0 {
                    let last = written[1 - reader].last().unwrap().clone();
                    players[reader].read(&last);
                }
            }
        }
        // The last one of each comes in the end, whichever comes first.
        for round in 0..6 {
            let reader = (round + seed as usize) % 2;
            let last = players[1 - reader].letter();
            players[reader].read(&last);
        }
        assert_eq!(players[0].played, players[1].played, "{game}, seed {seed}");
        for (watcher, player) in watchers.iter_mut().zip(&players) {
            watcher.read(&player.shown());
            assert_eq!(watcher.knows(), player.knows(), "{game}, seed {seed}");
        }
        let agreed = [0, 1].map(|index| (players[index].accord.told(Side::First).backs, players[index].accord.is_paused()));
        assert_eq!(agreed[0], agreed[1], "{game}, seed {seed}");
        (backs, pauses) = (backs + agreed[0].0, pauses + players[0].accord.told(Side::First).pauses);
        assert!(rounds < 2000, "{game}, seed {seed}");
    }
    eprintln!("{backs} times moves were taken back, {pauses} times clocks were stopped or started");
    assert!(backs > 0 && pauses > 0);
}

/// Messages that were changed on their way are not opened; letters that the friend has made wrong are refused, or are other letters.
/// How many of them is told by `QIJU_TAMPERED`.
#[test]
fn changed_messages_do_no_harm() {
    let count = wanted("QIJU_TAMPERED", 3000);
    let mut random = fastrand::Rng::with_seed(61);
    let (mut refused, mut other) = (0, 0);
    for (seed, (game, variant)) in (0..).zip(GAMES) {
        let [mut red, mut black] = Player::pair(game, variant, seed);
        for _ in 0..20 {
            red.play(20);
            black.read(&red.letter());
            black.play(20);
            red.read(&black.letter());
        }
        let message = red.letter();
        let (_, text) = black.key.open(&message).unwrap();
        let link: Vec<char> = text.chars().collect();
        for round in 0..count / GAMES.len() {
            if round % 2 == 0 {
                let mut changed = message.clone();
                // The highest bit of a key has no meaning.
                let index = random.usize(..changed.len() - 1);
                let index = if index == 32 { changed.len() - 1 } else { index };
                changed[index] ^= random.u8(1..);
                assert_eq!(black.key.open(&changed), None);
                refused += 1;
                continue;
            }
            let mut changed = link.clone();
            for _ in 0..random.usize(1..4) {
                let index = random.usize(..changed.len());
                changed[index] = random.alphanumeric();
            }
            let sealed = red.key.seal(&red.friend, &changed.iter().collect::<String>());
            let (_, text) = black.key.open(&sealed).unwrap();
            let read = recognise(text.as_bytes()).and_then(|reading| reading.all());
            match read.map(|records| Letter::of(&records[0])) {
                Ok(Ok(Some(letter))) => {
                    letter.against(game, &black.setup, &black.played);
                    other += 1;
                }
                _ => refused += 1,
            }
        }
    }
    eprintln!("{refused} messages were refused, {other} were letters");
    assert!(refused > count / 2);
}

/// Plays a match over carriers until both players, and one who looks on for each of them, have all moves, and says how many connections were cut.
fn match_over(broker: SocketAddr, (game, variant): (&'static str, Option<&str>), plies: usize, cuts: usize, seed: u64) -> usize {
    let proxies = [0, 1].map(|index| Proxy::to(broker, cuts.div_ceil(2), None, seed + index));
    let mut players = Player::pair(game, variant, seed);
    let mut carriers = [0, 1].map(|index| Carrier::new(&format!("ws://{}", proxies[index].address), || ()).unwrap());
    for (index, carrier) in carriers.iter().enumerate() {
        carrier.watch(topic(NUMBER ^ seed, Side::BOTH[1 - index]));
    }
    let mut watchers = [0, 1].map(|index| Watcher::of(&players[index]));
    let signers = [0, 1].map(|index| shown_topic(NUMBER ^ seed, &watchers[index].key.signer()));
    let mut seen = [0, 1].map(|index| Carrier::new(&format!("ws://{}", proxies[1 - index].address), || ()).unwrap());
    (0..2).for_each(|index| seen[index].watch(signers[index].clone()));
    let begun = Instant::now();
    loop {
        let mut going = false;
        for index in 0..2 {
            for news in seen[index].news() {
                if let News::Came(from, bytes) = news {
                    assert_eq!(from, signers[index]);
                    watchers[index].read(&bytes);
                }
            }
            let shown = players[index].played.len();
            for news in carriers[index].news() {
                match news {
                    News::Came(from, bytes) => {
                        assert_eq!(from, topic(NUMBER ^ seed, Side::BOTH[1 - index]));
                        players[index].read(&bytes);
                    }
                    News::Connected | News::Lost(_) | News::Seen(..) | News::Watchers(..) | News::Flood(_) => {}
                }
            }
            let before = players[index].played.len();
            going |= players[index].play(plies);
            if players[index].played.len() != before || before == 0 {
                carriers[index].put(topic(NUMBER ^ seed, Side::BOTH[index]), players[index].letter());
            }
            if players[index].played.len() != shown {
                carriers[index].put(signers[index].clone(), players[index].shown());
            }
        }
        let agree = |index: usize| players[index].played == players[0].played && watchers[index].played == players[0].played;
        if !going && agree(0) && agree(1) {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(240),
            "{game}: {} and {}",
            players[0].played.len(),
            players[1].played.len()
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    proxies.iter().map(Proxy::cuts).sum()
}

fn local() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

#[test]
fn matches_go_on_over_connections_that_are_cut() {
    let broker = Broker::new(local()).unwrap();
    eprintln!("{} connections were cut", matches_with_cuts(broker.address(), 1000));
}

/// Plays matches of all games until enough connections were cut; how many.
fn matches_with_cuts(broker: SocketAddr, first_seed: u64) -> usize {
    let (mut cuts, wanted) = (0, wanted("QIJU_CUTS", 10));
    for (seed, game) in (first_seed..).step_by(10).zip(GAMES.into_iter().cycle()) {
        cuts += match_over(broker, game, PLIES, wanted.saturating_sub(cuts).min(20), seed);
        if cuts >= wanted && (seed - first_seed) / 10 + 1 >= GAMES.len() as u64 {
            break;
        }
    }
    cuts
}

/// Waits for a message, and says in which topic it was.
fn wait_for(carrier: &mut Carrier, wanted: &[u8]) -> String {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(20));
        let found = carrier.news().into_iter().find_map(|news| match news {
            News::Came(topic, bytes) if bytes == wanted => Some(topic),
            _ => None,
        });
        match found {
            Some(topic) => return topic,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Whoever comes late finds the last letter, and nobody gets what is not his.
#[test]
fn the_broker_keeps_the_last_letter() {
    let broker = Broker::new(local()).unwrap();
    let address = format!("ws://{}", broker.address());
    let first = Carrier::new(&address, || ()).unwrap();
    let at = topic(7, Side::First);
    for text in ["one", "two", "three"] {
        first.put(at.clone(), text.into());
    }
    let mut other = Carrier::new(&address, || ()).unwrap();
    other.watch(topic(8, Side::First));
    let mut late = Carrier::new(&address, || ()).unwrap();
    late.watch(at.clone());
    assert_eq!(wait_for(&mut late, b"three"), at);
    // The first one is gone, and what it has written is still there.
    drop(first);
    let mut later = Carrier::new(&address, || ()).unwrap();
    later.watch(at.clone());
    assert_eq!(wait_for(&mut later, b"three"), at);
    assert!(other.news().iter().all(|news| *news == News::Connected));
}

/// A broker that does not know a topic breaks off where something is put into it: so it is asked first, and letters go on.
#[test]
fn what_a_broker_does_not_know_is_not_put() {
    let broker = Broker::new(local()).unwrap();
    let address = format!("ws://{}", broker.address());
    let mut writer = Carrier::new(&address, || ()).unwrap();
    let topics = [topic(7, Side::First), shown_topic(7, &ShowKey::fresh().watch().signer())];
    let mut readers = topics.each_ref().map(|topic| {
        let reader = Carrier::new(&address, || ()).unwrap();
        reader.watch(topic.clone());
        reader
    });
    for text in ["one", "two"] {
        writer.put(topic(7, Side::First) + "/something-new", text.into());
        for (topic, reader) in topics.iter().zip(&mut readers) {
            writer.put(topic.clone(), text.into());
            assert_eq!(wait_for(reader, text.as_bytes()), *topic);
        }
    }
    assert_eq!(writer.news(), [News::Connected]);
}

/// Those who look on are counted, and whatever they say besides changes and disturbs nothing. An older broker does not know their topic:
/// there nothing is known, and letters go on.
#[test]
fn those_who_look_on_are_counted() {
    let broker = Broker::new(local()).unwrap();
    let new = || Carrier::new(&format!("ws://{}", broker.address()), || ()).unwrap();
    let (key, now) = (ShowKey::fresh().watch(), Instant::now());
    let at = watchers_topic(7, &key.signer());
    let unknown = topic(7, Side::First) + "/something-new";
    let until = |player: &mut Carrier, wanted: u8| {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < Duration::from_secs(60), "not {wanted}");
            let news = player.news();
            assert!(!news.iter().any(|news| matches!(news, News::Flood(_) | News::Lost(_))), "{news:?}");
            if news.contains(&News::Watchers(at.clone(), wanted)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let mut player = new();
    for topic in [&at, &unknown] {
        player.count(topic.clone(), Watchers::new(key.clone(), now));
    }
    let watching = [0, 1].map(|_| {
        let one = new();
        [&at, &unknown].into_iter().for_each(|topic| one.look_on(topic.clone(), Watching::new(key.clone(), now)));
        one
    });
    until(&mut player, 2);
    watching[0].still(at.clone());
    until(&mut player, 1);

    // One of another link is nobody, and one who says very much is not heard any longer.
    let (other, loud, letters) = (new(), new(), topic(7, Side::Second));
    other.look_on(at.clone(), Watching::new(ShowKey::fresh().watch(), now));
    player.watch(letters.clone());
    for number in 0..200_u32 {
        loud.put(at.clone(), number.to_string().into());
        std::thread::sleep(Duration::from_millis(5));
    }
    loud.put(letters.clone(), b"a letter".to_vec());
    let (mut came, begun) = (false, Instant::now());
    while !came {
        assert!(begun.elapsed() < Duration::from_secs(20));
        for news in player.news() {
            came |= news == News::Came(letters.clone(), b"a letter".to_vec());
            assert!(!matches!(news, News::Flood(_) | News::Lost(_) | News::Watchers(..)), "{news:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    watching[1].still(at.clone());
    until(&mut player, 0);
}

/// Two programs at an idle table, and the broker between them, cost less than half a hundredth of a core in all. Run it alone:
/// `cargo test --test friends -- --ignored idle`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures the processor time of the whole process"]
fn an_idle_table_costs_next_to_nothing() {
    // In hundredths of a second, as Linux tells it.
    let used = || -> u64 {
        let text = std::fs::read_to_string("/proc/self/stat").unwrap();
        let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let broker = Broker::new(local()).unwrap();
    let keys = [Key::fresh(), Key::fresh()];
    let mut carriers = [0, 1].map(|_| Carrier::new(&format!("ws://{}", broker.address()), || ()).unwrap());
    for (index, carrier) in carriers.iter().enumerate() {
        let [own, other] = [index, 1 - index].map(|index| Side::BOTH[index]);
        carrier.watch(topic(NUMBER, other));
        let beats = Beats::new(keys[index].clone(), keys[1 - index].public(), Instant::now());
        carrier.beat(beats_topic(NUMBER, own), beats_topic(NUMBER, other), beats);
    }
    std::thread::sleep(Duration::from_secs(3));
    let begun = used();
    std::thread::sleep(Duration::from_secs(60));
    let seen: Vec<News> = carriers.iter_mut().flat_map(Carrier::news).collect();
    assert!(seen.iter().filter(|news| matches!(news, News::Seen(_, Presence { delay: Some(_), .. }))).count() >= 2);
    let part = (used() - begun) as f64 / 6000.0;
    eprintln!("{:.2} % of a core, {seen:?}", 100.0 * part);
    assert!(part < 0.005);
}

/// Too many messages of one topic are refused; its last one is read later, and other topics are not disturbed.
#[test]
fn a_flood_is_refused() {
    let broker = Broker::new(local()).unwrap();
    let address = format!("ws://{}", broker.address());
    let (many, few) = (topic(7, Side::First), topic(8, Side::First));
    let mut reader = Carrier::new(&address, || ()).unwrap();
    reader.watch(many.clone());
    reader.watch(few.clone());
    let writer = Carrier::new(&address, || ()).unwrap();
    let (mut came, mut floods, mut number) = (Vec::new(), 0, 0_u32);
    let begun = Instant::now();
    let mut last = None;
    while last.is_none() || came.last() != last.as_ref() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} messages, {floods} floods", came.len());
        if floods == 0 {
            number += 1;
            writer.put(many.clone(), number.to_string().into());
        } else if last.is_none() {
            last = Some(b"the last one".to_vec());
            writer.put(many.clone(), b"the last one".to_vec());
            writer.put(few.clone(), b"another".to_vec());
        }
        std::thread::sleep(Duration::from_millis(5));
        for news in reader.news() {
            match news {
                News::Came(from, bytes) if from == many => came.push(bytes),
                News::Came(..) => assert!(begun.elapsed() < Duration::from_secs(30), "the other one does not wait"),
                News::Flood(from) => {
                    assert_eq!(from, many);
                    floods += 1;
                }
                _ => {}
            }
        }
    }
    assert!(floods == 1 && (30..60).contains(&came.len()), "{floods} floods, {} messages of {number}", came.len());
}

/// What is no client of ours gets a short answer or none, and the broker goes on.
#[test]
fn the_broker_bears_bad_clients() {
    let broker = Broker::new(local()).unwrap();
    let address = broker.address();
    let ask = move |text: &[u8]| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(text).unwrap();
        let mut answer = String::new();
        drop(stream.shutdown(Shutdown::Write));
        drop(stream.read_to_string(&mut answer));
        answer
    };
    assert!(ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
    for path in ["/settings.ron", "/../etc/passwd", "/x"] {
        assert!(ask(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).starts_with("HTTP/1.1 404 "));
    }
    let upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    let mut random = fastrand::Rng::with_seed(3);
    std::thread::scope(|scope| {
        for round in 0..20 {
            let mut bytes = if round % 2 == 0 { upgrade.as_bytes().to_vec() } else { Vec::new() };
            bytes.extend((0..random.usize(1..300)).map(|_| random.u8(..)));
            scope.spawn(move || ask(&bytes));
        }
    });
    assert!(match_over(broker.address(), GAMES[0], 4, 0, 5) == 0);
}

#[test]
fn what_is_no_address_is_refused() {
    for bad in ["", "localhost", "http://localhost:80", "ws://", "ws://user@host:1", "mqtt://host:1883", "ws:// host"] {
        let why = Carrier::new(bad, || ()).err().unwrap_or_else(|| panic!("{bad}")).to_string();
        assert!(why.starts_with(&format!("'{bad}' is no address of a broker")), "{why}");
    }
    let lost = |address: String| {
        let mut carrier = Carrier::new(&address, || ()).unwrap();
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < Duration::from_secs(20), "{address}");
            if let Some(News::Lost(why)) = carrier.news().into_iter().next() {
                return why.to_string();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    // Nobody listens there.
    let free = TcpListener::bind(local()).unwrap().local_addr().unwrap();
    let why = lost(format!("ws://{free}"));
    assert!(why.starts_with(&format!("ws://{free}/: ")), "{why}");
    // Somebody listens, without TLS.
    let broker = Broker::new(local()).unwrap();
    let why = lost(format!("wss://{}", broker.address()));
    assert!(why.starts_with(&format!("wss://{}/: ", broker.address())), "{why}");
    eprintln!("{why}");
}

/// A broker of others: Debian's `mosquitto`, where it is installed. It is killed and begins again in the middle of matches, without a store.
#[test]
fn matches_go_over_a_broker_of_others() {
    matches_over_mosquitto(false);
}

/// The same with a store: it is ended and begins again, and a letter is there although its writer is gone.
#[test]
fn matches_go_over_a_broker_of_others_with_a_store() {
    matches_over_mosquitto(true);
}

fn matches_over_mosquitto(stores: bool) {
    let Some(broker) = Mosquitto::begin(stores) else { return };
    let address = broker.address;
    let running = Mutex::new(broker);
    let stop = AtomicUsize::new(0);
    let restarts = std::thread::scope(|scope| {
        let restarts = scope.spawn(|| {
            let mut count = 0;
            while stop.load(Ordering::Relaxed) == 0 {
                std::thread::sleep(Duration::from_millis(1500));
                running.lock().unwrap().again();
                count += 1;
            }
            count
        });
        let matches = scope.spawn(|| {
            let seed = if stores { 3000 } else { 2000 };
            eprintln!("{} connections were cut", matches_with_cuts(address, seed));
        });
        let played = matches.join();
        stop.store(1, Ordering::Relaxed);
        let count = restarts.join().unwrap();
        played.unwrap();
        count
    });
    if stores {
        let address = format!("ws://{address}");
        let writer = Carrier::new(&address, || ()).unwrap();
        let mut witness = Carrier::new(&address, || ()).unwrap();
        writer.put(topic(5, Side::First), b"stored".to_vec());
        witness.watch(topic(5, Side::First));
        assert_eq!(wait_for(&mut witness, b"stored"), topic(5, Side::First));
        drop((writer, witness));
        running.lock().unwrap().again();
        let mut late = Carrier::new(&address, || ()).unwrap();
        late.watch(topic(5, Side::First));
        assert_eq!(wait_for(&mut late, b"stored"), topic(5, Side::First));
    }
    assert!(restarts > 0);
}

/// Two names on this computer: whoever looks finds the table that the other one announces, until it is gone.
#[test]
fn tables_nearby_are_found() {
    let (wake, woken) = std::sync::mpsc::channel();
    let lookout = Lookout::new(move || wake.send(()).unwrap_or_default()).unwrap();
    let until = |what: &str, so: &dyn Fn(&[Letter]) -> bool| {
        let begun = Instant::now();
        while !so(&lookout.tables()) {
            woken.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
            if begun.elapsed() > Duration::from_secs(20) {
                eprintln!("no {what}: this computer has no network on which it hears itself");
                return false;
            }
        }
        true
    };
    let [mut player, _] = Player::pair("xiangqi", None, 1);
    player.play(1);
    let post = Some(Invitation { at: "ws://127.0.0.1:9/".to_owned(), key: player.key.public().text() });
    let letter = Letter { post, ..player.open_letter() };
    let announced = Announced::new(letter.number, (Ipv4Addr::LOCALHOST, 9).into(), &letter.link().unwrap()).unwrap();
    // What is no invitation is not shown.
    let _none = Announced::new(1, (Ipv4Addr::LOCALHOST, 9).into(), "#qiju=none").unwrap();
    let _plain = Announced::new(2, (Ipv4Addr::LOCALHOST, 9).into(), &player.open_letter().link().unwrap()).unwrap();
    if until("table", &|tables| tables.contains(&letter)) {
        assert_eq!(lookout.tables(), [letter]);
        drop(announced);
        assert!(until("end of the table", &|tables| tables.is_empty()));
    }
}

/// A folder with what makes a page.
fn page_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("page");
    std::fs::create_dir_all(inside.join("data/x")).unwrap();
    for (name, text) in [("index.html", "<p>Qiju"), ("qiju_bg.wasm", "module"), ("data/x/table.0", "table"), (".nojekyll", "")] {
        std::fs::write(inside.join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret", inside.join("link")).unwrap();
    folder
}

/// What is answered to this request.
fn answer(broker: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(broker).unwrap();
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: {broker}\r\n\r\n").as_bytes()).unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    said
}

#[test]
fn a_broker_gives_the_page_and_nothing_else() {
    let folder = page_folder();
    let page = Page::in_folder(&folder.path().join("page")).unwrap();
    let broker = Broker::with_page(local(), Some(page)).unwrap();
    let at = broker.address();
    assert_eq!(broker.page(), Some(format!("http://{at}/")));
    for (path, kind, body) in [
        ("/", "text/html", "<p>Qiju"),
        ("/index.html?v=1", "text/html", "<p>Qiju"),
        ("/qiju_bg.wasm?v=0123", "application/wasm", "module"),
        ("/data/x/table.0", "application/octet-stream", "table"),
    ] {
        let said = answer(at, &format!("GET {path}"));
        let whole = said.starts_with("HTTP/1.1 200 OK") && said.contains(&format!("Content-Type: {kind}"));
        assert!(whole && said.ends_with(&format!("\r\n\r\n{body}")), "{path}: {said}");
        let head = answer(at, &format!("HEAD {path}"));
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())) && head.ends_with("\r\n\r\n"), "{path}: {head}");
    }
    let outside = folder.path().join("secret").display().to_string();
    for path in [
        "/../secret",
        "/data/../../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/..\\secret",
        "/link",
        "/.nojekyll",
        "/data",
        "/data/",
        "/data/x",
        "//index.html",
        "/./index.html",
        "/qiju_bg.wasm/",
        "/QIJU_BG.WASM",
        "",
        "index.html",
        "http://x/index.html",
        &outside,
        &format!("/{outside}"),
        "/\u{0}",
        "/é",
        "/?v=/../secret&",
    ] {
        let said = answer(at, &format!("GET {path}"));
        let refused = said.starts_with("HTTP/1.1 404") || path == "/?v=/../secret&" && said.ends_with("<p>Qiju");
        assert!(refused && !said.contains("secret"), "{path}: {said}");
    }
    for method in ["POST", "PUT", "DELETE", "get", ""] {
        let said = answer(at, &format!("{method} /"));
        assert!(said.starts_with("HTTP/1.1 405"), "{method}: {said}");
    }
    // A file that has gone, and a head that does not end.
    std::fs::remove_file(folder.path().join("page/data/x/table.0")).unwrap();
    let mut stream = TcpStream::connect(at).unwrap();
    stream.write_all(b"GET /data/x/table.0 HTTP/1.1\r\n\r\n").unwrap();
    assert_eq!(stream.read(&mut [0; 16]).unwrap_or_default(), 0);
    let mut stream = TcpStream::connect(at).unwrap();
    stream.write_all(&[b'a'; 5000]).unwrap();
    assert_eq!(stream.read(&mut [0; 16]).unwrap_or_default(), 0);
    // It is still a broker.
    assert!(match_over(at, ("gomoku", None), 8, 2, 5) >= 1);

    let without = Broker::new(local()).unwrap();
    assert!(without.page().is_none() && answer(without.address(), "GET /").contains("open the invitation in the program"));
    assert!(answer(without.address(), "GET /index.html").starts_with("HTTP/1.1 404"));
    for bad in [folder.path().join("page/data"), folder.path().join("nowhere")] {
        assert!(Page::in_folder(&bad).unwrap_err().to_string().contains(&bad.display().to_string()));
    }
}

/// A page in a real browser plays against a player here, and the connections of both are cut: no move is lost or doubled, and what is told of the
/// clocks stays as it was told.
#[test]
#[ignore = "needs a page and a browser: BUILT=FOLDER scripts/test-friends"]
fn a_page_in_a_browser_plays_over_connections_that_are_cut() {
    let told = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let (built, script) = (told("QIJU_BUILT"), told("QIJU_PAGE_TEST"));
    let broker = Broker::with_page(local(), Some(Page::in_folder(built.as_ref()).unwrap())).unwrap();
    let address = broker.page().unwrap();
    let (mut cuts, wanted) = (0, wanted("QIJU_CUTS", 10));
    // The page moves last.
    let plies = (2 * wanted).clamp(12, 80);
    let control = BySide::equal(TimeControl::Sudden { main: 7200 });
    for seed in 4000.. {
        let proxy = Proxy::to(broker.address(), (wanted - cuts).min(250), Some(Duration::from_secs(2)), seed);
        let at = format!("ws://{}/", proxy.address);
        let [mut player, _] = Player::pair("gomoku", None, seed);
        player.number = NUMBER ^ seed;
        player.play(plies);
        let letter = |player: &Player, times: &[u64]| Letter { control, times: times.to_vec(), ..player.open_letter() };
        let mut times = vec![7];
        let post = Some(Invitation { at: at.clone(), key: player.key.public().text() });
        let link = Letter { post, ..letter(&player, &times) }.link().unwrap();
        let invitation = format!("{address}#{}", link.split_once('#').unwrap().1);
        let mut page = Command::new("node")
            .args([&script, "chromium", &address, "dist/web-test"])
            .envs([("ONLY", "friend"), ("INVITATION", &invitation), ("PLIES", &plies.to_string())])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut carrier = Carrier::new(&at, || ()).unwrap();
        carrier.watch(topic(player.number, !player.seat));
        let mut seated = false;
        while player.played.len() < plies {
            assert_eq!(page.try_wait().unwrap(), None, "the browser ended after {} moves", player.played.len());
            for news in carrier.news() {
                let News::Came(_, bytes) = news else { continue };
                let (writer, text) = player.key.open(&bytes).unwrap();
                if !std::mem::replace(&mut seated, true) {
                    player.friend = writer;
                }
                let theirs = Letter::in_text(&text).unwrap().times;
                for (ply, (told, known)) in theirs.iter().zip(&times).enumerate() {
                    assert!(told.abs_diff(*known) <= 100, "move {ply}: {told} ms and {known} ms");
                }
                player.read(&bytes);
                times.extend(theirs.get(times.len()..).unwrap_or_default());
                assert_eq!(times.len(), player.played.len());
                if player.play(plies) {
                    times.resize(player.played.len(), 7);
                }
                carrier.put(
                    topic(player.number, player.seat),
                    player.key.seal(&player.friend, &letter(&player, &times).link().unwrap()),
                );
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // It has no more to wait for.
        drop(page.stdin.take());
        assert!(page.wait().unwrap().success());
        cuts += proxy.cuts();
        eprintln!("{cuts} connections were cut, {} moves", player.played.len());
        if cuts >= wanted {
            return;
        }
    }
}

/// `qiju host` with these arguments.
fn host(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command.arg("host").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The first line that it prints.
fn first_line(host: &mut Child) -> serde_json::Value {
    let mut told = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut told).unwrap();
    serde_json::from_str(&told).unwrap()
}

/// `qiju host` with a game is a table at which an engine sits.
#[cfg(unix)]
#[test]
fn an_engine_sits_at_the_table_of_a_host() {
    let broker = Broker::new(local()).unwrap();
    let url = format!("ws://{}", broker.address());
    for arguments in [vec!["--side", "first"], vec!["--broker", &url]] {
        let mut host = host(&[&["--game", "tic-tac-toe", "--level", "3", "--clock", "10", "--json"][..], &arguments].concat());
        let told = first_line(&mut host);
        let record = recognise(told["invitation"].as_str().unwrap().as_bytes()).unwrap().all().unwrap().remove(0);
        let letter = Letter::of(&record).unwrap().unwrap();
        let post = letter.post.clone().unwrap();
        assert_eq!(told["topic"], format!("qiju/{:016x}", letter.number));
        assert!(post.at.contains(told["address"].as_str().unwrap()) && letter.writer() == Some("Qiju, level 3"));
        let mut player = Player::pair("tic-tac-toe", None, 3).into_iter().find(|player| player.seat == letter.reader).unwrap();
        (player.number, player.friend) = (letter.number, PublicKey::of_text(&post.key).unwrap());
        let mut carrier = Carrier::new(&post.at, || ()).unwrap();
        carrier.watch(topic(player.number, !player.seat));
        // The friend sits down.
        carrier.put(topic(player.number, player.seat), player.letter());
        let (begun, mut asked) = (Instant::now(), false);
        while player.table.outcome().is_none() || !asked {
            assert!(begun.elapsed() < Duration::from_secs(60), "{} moves", player.played.len());
            for news in carrier.news() {
                if let News::Came(_, bytes) = news {
                    player.read(&bytes);
                }
            }
            let before = player.played.len();
            // Once it asks for its first move back, and the engine agrees.
            let back = player.before_last_of(player.seat).filter(|_| !asked && player.table.seat_to_move() == player.seat);
            if let Some(to) = back.filter(|_| player.accord.can_ask(player.seat, before)) {
                asked = true;
                player.agree_on(Agreement::Asked { by: player.seat, asked: Asked { at: before, wish: Wish::Back(to) } });
                carrier.put(topic(player.number, player.seat), player.letter());
            }
            if !player.accord.waits(player.seat) {
                player.play(9);
            }
            if player.played.len() != before {
                carrier.put(topic(player.number, player.seat), player.letter());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(player.accord.told(player.seat).backs, 1);
        rustix::process::kill_process(rustix::process::Pid::from_child(&host), rustix::process::Signal::TERM).unwrap();
        let output = host.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.contains("The friend is at the table"), "{said}");
    }
    for (arguments, part) in [
        (&["--game", "chess"][..], "chess"),
        (&["--game", "gomoku", "--clock", "5+x"][..], "5+x"),
        (&["--game", "gomoku", "--variant", "x"][..], "'x'"),
        (&["--level", "3"][..], "--game"),
        (&["--broker", &url][..], "--game"),
        (&["--game", "gomoku", "--broker", "broker.example"][..], "broker.example"),
    ] {
        let output = host(arguments).wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(output.stdout.is_empty() && said.contains(part), "{said}");
    }
}

/// `qiju host` is a broker until it is stopped.
#[cfg(unix)]
#[test]
fn a_host_carries_letters_until_it_is_stopped() {
    let mut host_of_all = host(&["--json"]);
    let told = first_line(&mut host_of_all);
    let address = told["address"].as_str().unwrap();
    assert_eq!(told["invitation"], format!("ws://{address}/"));
    assert!(told["topic"].is_null() && address.starts_with("127.0.0.1:"));
    assert!(match_over(address.parse().unwrap(), ("gomoku", None), 12, 6, 9) >= 1);

    // With a page, the invitation to a table opens in a browser.
    let folder = page_folder();
    let page = folder.path().join("page").display().to_string();
    let mut table = host(&["--game", "gomoku", "--page", &page, "--json"]);
    let told_of_table = first_line(&mut table);
    let start = format!("http://{}/#qiju=", told_of_table["address"].as_str().unwrap());
    assert!(told_of_table["invitation"].as_str().unwrap().starts_with(&start), "{told_of_table}");
    assert!(Letter::in_text(told_of_table["invitation"].as_str().unwrap()).unwrap().post.is_some());
    table.kill().unwrap();
    table.wait().unwrap();
    let output = host(&["--page", "nowhere"]).wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().lines().count()), (Some(2), 1));

    // A port in use, an address of another computer, and what is no address.
    let (used, foreign) = ("this address is in use: another program listens there", "this is no address of this computer");
    for (bind, status, why) in [(address, 1, used), ("192.0.2.1", 1, foreign), ("here", 2, "this is no IP address")] {
        let output = host(&["--bind", bind]).wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(status), 1), "{said}");
        assert!(output.stdout.is_empty() && said.contains(bind) && said.contains(why), "{said}");
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&host_of_all), rustix::process::Signal::TERM).unwrap();
    let output = host_of_all.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("Only programs on this computer can reach this address"), "{said}");
}
