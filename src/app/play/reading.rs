//! Reading games from files and from the clipboard, in the background. A single game is opened; many become a list.

use crate::app::ground::background::{BackgroundTask, WakeHandle, WakeHandles};
use crate::app::ground::home::Home;
use crate::app::ground::notices::Notices;
use crate::app::ground::position::{PictureRequest, PositionWish};
use crate::app::ground::requests::{BeginRequest, DataRequest, PageRequest, ReadRequest, Requests};
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::compute::Shot;
use qiju_core::games;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::data::Data;
use qiju_core::record::{Charset, Fault, Format, ReadItem, Record, RecordError, Refused, SeatSpec, is_link, name_of};
use qiju_core::rules::Outcome;
use qiju_core::search::StopToken;
use qiju_core::table::Setup;
use qiju_core::vision::is_picture;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// A game of a list: what the list shows of it, and the game itself in our own text.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGame {
    /// Index of its file in [`GameList::files`].
    pub file: usize,
    /// Its number in the file, from 1.
    pub number: usize,
    /// The game's key; `None` where the game could not be read.
    pub game: Option<&'static str>,
    /// The players' names, where they are known.
    pub players: [String; 2],
    /// Event or title.
    pub event: String,
    /// The date as the record gives it.
    pub date: String,
    /// How it ended.
    pub result: Option<Outcome>,
    /// Plies of the main line.
    pub plies: usize,
    /// The game as a line of our own format, or why it could not be read, with its place in the file.
    pub content: Result<Box<str>, Box<Message>>,
    /// What can be used of a game that could not be read.
    pub rescue: Option<Rescue>,
}

/// What can be used of a game that could not be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Rescue {
    /// The game up to its error as a line of our own format, its key, and its number of plies.
    Before(Box<str>, &'static str, usize),
    /// The game's key and a position that no match can begin from.
    Position(&'static str, Setup),
}

impl Rescue {
    fn of(before: Option<Box<Record>>, setup: Option<(String, Setup)>) -> Option<Rescue> {
        let key = |game: &str| games::find(game).ok().map(|entry| entry.key);
        let first = before.and_then(|record| Some(Rescue::Before(record.to_line().into(), key(&record.game)?, record.plies())));
        first.or_else(|| setup.and_then(|(game, setup)| Some(Rescue::Position(key(&game)?, setup))))
    }
}

/// The games of a file with many games, or of several files.
#[derive(Resource, Default)]
pub struct GameList {
    /// The files' names.
    pub files: Vec<String>,
    /// The games and what could not be read, in the order of the files.
    pub games: Vec<ListedGame>,
    /// Changes when another list begins.
    pub number: u32,
    /// The encoding in which the texts were read.
    pub charset: Charset,
    /// What was read last.
    sources: Vec<Source>,
    work: Option<Work>,
}

impl GameList {
    /// True while files are being read.
    pub fn is_at_work(&self) -> bool {
        self.work.is_some()
    }
}

/// Something games can be read from.
#[derive(Clone)]
enum Source {
    File(PathBuf),
    Text(String),
}

impl Source {
    fn name(&self, words: &Words) -> String {
        match self {
            Source::File(path) if is_link(path) => words.say("games.link").to_owned(),
            Source::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Source::Text(_) => words.say("games.clipboard").to_owned(),
        }
    }
}

/// Reading that is under way.
struct Work {
    task: BackgroundTask<End>,
    batches: Mutex<Receiver<Vec<ListedGame>>>,
    files: Vec<String>,
    /// Games have been listed.
    listed: bool,
}

/// What reading came to.
enum End {
    /// One game, and what was left out of it.
    One(Box<Record>, Option<PathBuf>, Vec<Message>),
    /// All of a player's data, and the name of their file.
    Data(String, Box<Data>),
    /// A picture, which may show a position.
    Picture(Vec<u8>),
    /// Games that are listed.
    Many,
    /// No game, and why.
    Nothing(Message, usize),
}

/// So many games are listed at once, so that the page fills while more are read.
const BATCH: usize = 128;

/// What has been read so far.
struct Reader<'a> {
    home: &'a Home,
    stop: &'a StopToken,
    charset: Charset,
    sender: Sender<Vec<ListedGame>>,
    wake: WakeHandle,
    /// The first game, while it is the only one.
    first: Option<(usize, usize, Box<Record>)>,
    batch: Vec<ListedGame>,
    games: usize,
    refused: Vec<Message>,
    /// Something of a game that could not be read can be used.
    rescues: bool,
    remarks: Vec<Message>,
    /// All of a player's data, and the name of their file.
    data: Option<(String, Box<Data>)>,
    /// The first picture.
    picture: Option<Vec<u8>>,
}

impl Reader<'_> {
    fn source(&mut self, index: usize, source: &Source) {
        let (name, read) = match source {
            Source::File(path) if is_link(path) => (message!("link"), self.home.bytes_of(path).map_err(Message::from)),
            Source::File(path) => (message!("{}", name_of(path)), self.home.bytes_of(path).map_err(Message::from)),
            Source::Text(text) => (message!("clipboard"), Ok(text.clone().into_bytes())),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(why) => return self.refuse(index, 0, why, None),
        };
        if is_picture(&bytes) {
            self.picture.get_or_insert(bytes);
            return;
        }
        if Data::is_data(&bytes) {
            match Data::unpack(&bytes) {
                Ok(data) => self.data = Some((name.to_string(), Box::new(data))),
                Err(error) => self.refuse(index, 0, message!("{}: {}", name, error), None),
            }
            return;
        }
        let (ending, charset) = match source {
            Source::File(path) => (path.extension().and_then(|ending| ending.to_str()), self.charset),
            // Whatever it declares.
            Source::Text(_) => (None, Charset::UTF_8),
        };
        let bytes = charset.applied(&bytes, ending);
        let Some(format) = Format::of(&bytes, ending) else {
            return self.refuse(
                index,
                0,
                message!("{}:{}: {}", name, 1, message!("this is no record in any format that is read here")),
                None,
            );
        };
        let mut number = 0;
        format.each_in(charset, &bytes, &mut |found| {
            match found {
                ReadItem::Game(record) => {
                    number += 1;
                    self.game(index, number, record);
                }
                ReadItem::Refused(Refused { fault, before, setup }) => {
                    number += 1;
                    let alone = number == 1;
                    let why = Fault { game: if alone { 0 } else { fault.game }, ..fault }.in_file(&name);
                    self.refuse(index, number, why, Rescue::of(before, setup));
                }
                ReadItem::Remark(fault) => self.remarks.push(Fault { game: 0, ..fault }.in_file(&name)),
            }
            !self.stop.is_stopped()
        });
        if number == 0 && !self.stop.is_stopped() {
            self.refuse(index, 0, message!("{}:{}: {}", name, 1, message!("there is no record here")), None);
        }
    }

    fn game(&mut self, file: usize, number: usize, record: Box<Record>) {
        self.games += 1;
        if self.games == 1 && self.refused.is_empty() {
            self.first = Some((file, number, record));
            return;
        }
        self.list_the_first();
        self.add(listed(file, number, &record));
    }

    fn refuse(&mut self, file: usize, number: usize, why: Message, rescue: Option<Rescue>) {
        self.list_the_first();
        self.refused.push(why.clone());
        self.rescues |= rescue.is_some();
        self.add(ListedGame {
            file,
            number,
            game: None,
            players: Default::default(),
            event: String::new(),
            date: String::new(),
            result: None,
            plies: 0,
            content: Err(why.into()),
            rescue,
        });
    }

    fn list_the_first(&mut self) {
        if let Some((file, number, record)) = self.first.take() {
            self.add(listed(file, number, &record));
        }
    }

    fn add(&mut self, game: ListedGame) {
        self.batch.push(game);
        if self.batch.len() >= BATCH && self.games > 0 {
            self.send();
        }
    }

    fn send(&mut self) {
        // Nobody listens where reading was stopped.
        let _ = self.sender.send(std::mem::take(&mut self.batch));
        self.wake.wake();
    }
}

/// What a list shows of a game.
fn listed(file: usize, number: usize, record: &Record) -> ListedGame {
    let tag = |names: &[&str]| {
        let known = names.iter().filter_map(|name| record.tags.get(name));
        known
            .map(str::trim)
            .find(|value| !value.is_empty() && !value.chars().all(|c| "?.-".contains(c)))
            .unwrap_or_default()
            .to_owned()
    };
    let player = |seat: &SeatSpec| match seat {
        SeatSpec::Human => String::new(),
        other => other.to_string(),
    };
    ListedGame {
        file,
        number,
        game: games::find(&record.game).ok().map(|entry| entry.key),
        players: [player(&record.seats.first), player(&record.seats.second)],
        event: tag(&["Title", "Event"]),
        date: tag(&["Date"]),
        result: record.result,
        plies: record.plies(),
        content: Ok(record.to_line().into()),
        rescue: None,
    }
}

/// Reads the games of all sources. The list is sent in parts while it is read.
fn read(sources: &[Source], mut reader: Reader) -> End {
    let stop = reader.stop;
    for (index, source) in sources.iter().enumerate() {
        if !stop.is_stopped() {
            reader.source(index, source);
        }
    }
    if let Some((file, _, record)) = reader.first.take() {
        let path = match &sources[file] {
            Source::File(path) => Some(path.clone()).filter(|path| !is_link(path)),
            Source::Text(_) => None,
        };
        return End::One(record, path, reader.remarks);
    }
    if let Some((file, data)) = reader.data.take().filter(|_| reader.games == 0) {
        return End::Data(file, data);
    }
    if let Some(picture) = reader.picture.take().filter(|_| reader.games == 0) {
        return End::Picture(picture);
    }
    if reader.games == 0 && !reader.rescues {
        let more = reader.refused.len().saturating_sub(1);
        let first = reader.refused.into_iter().next();
        return End::Nothing(first.unwrap_or_else(|| message!("there is no record here")), more);
    }
    reader.send();
    End::Many
}

/// A path that begins with `~/`, as people type it, made whole.
pub(super) fn from_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), directories::BaseDirs::new()) {
        (Ok(rest), Some(dirs)) => dirs.home_dir().join(rest),
        _ => path.to_owned(),
    }
}

/// Begins to read what is asked for, and opens a game of the list.
fn begin(
    (mut asked, mut requests): (MessageReader<ReadRequest>, Requests),
    mut list: ResMut<GameList>,
    (home, words, mut notices, wake): (Res<Home>, Res<Words>, ResMut<Notices>, WakeHandles),
) {
    let (mut opened, mut positions) = (Vec::new(), Vec::new());
    for request in asked.read() {
        if matches!(request, ReadRequest::Open(_) | ReadRequest::Paste(_)) {
            list.charset = Charset::default();
        }
        let sources = match request {
            ReadRequest::Open(paths) => paths.iter().map(|path| Source::File(from_home(path))).collect(),
            ReadRequest::Paste(text) if text.trim().is_empty() => {
                notices.warn(words.say("games.nothing-to-paste"));
                continue;
            }
            ReadRequest::Paste(text) => vec![Source::Text(text.clone())],
            ReadRequest::Listed(index) => {
                match list.games.get(*index).map(|game| &game.content) {
                    Some(Ok(text)) => match of_line(text) {
                        Ok(records) => opened.extend(records.into_iter().map(Box::new)),
                        Err(error) => notices.fail(error),
                    },
                    Some(Err(why)) => {
                        notices.fail(why.as_ref());
                        match list.games[*index].rescue.clone() {
                            Some(Rescue::Before(text, ..)) => {
                                let remark = words.sentence(message!("the file is damaged here; {}", why.as_ref()));
                                for mut record in of_line(&text).into_iter().flatten() {
                                    record.remark(&remark);
                                    opened.push(Box::new(record));
                                }
                            }
                            Some(Rescue::Position(game, setup)) => positions.push((game, setup)),
                            None => {}
                        }
                    }
                    None => {}
                }
                continue;
            }
            ReadRequest::In(charset) => {
                list.charset = *charset;
                list.sources.clone()
            }
            ReadRequest::Stop => {
                list.work = None;
                continue;
            }
        };
        let sources: Vec<Source> = sources;
        let files = sources.iter().map(|source| source.name(&words)).collect();
        let (sender, batches) = channel();
        let home = home.clone();
        let (woken, wake) = (wake.handle(), wake.handle());
        let charset = list.charset;
        list.sources = sources.clone();
        let task = BackgroundTask::on_thread(wake, move |stop| {
            let (batch, refused, remarks) = (Vec::new(), Vec::new(), Vec::new());
            let (home, wake, rescues) = (&home, woken, false);
            let first = None;
            let reader = Reader {
                home,
                stop,
                charset,
                sender,
                wake,
                first,
                batch,
                games: 0,
                refused,
                rescues,
                remarks,
                data: None,
                picture: None,
            };
            read(&sources, reader)
        });
        list.work = Some(Work { task, batches: Mutex::new(batches), files, listed: false });
    }
    for record in opened {
        requests.write(BeginRequest::Record(record, None));
    }
    for (game, setup) in positions {
        requests.write(PositionWish::Open { game, setup });
    }
}

/// The game of a line of our own format.
fn of_line(text: &str) -> Result<Vec<Record>, RecordError> {
    Format::Ron.read("list", text.as_bytes()).and_then(|reading| reading.all())
}

/// The first of several messages, and how many more there are.
fn and_more(first: Message, more: usize) -> Message {
    if more > 0 { message!("{} (+{})", first, more) } else { first }
}

/// Takes what has been read.
fn take(mut list: ResMut<GameList>, mut requests: Requests, mut notices: ResMut<Notices>) {
    let list = &mut *list;
    let Some(work) = &mut list.work else { return };
    let end = work.task.poll();
    let batches: Vec<Vec<ListedGame>> = work.batches.get_mut().map(|batches| batches.try_iter().collect()).unwrap_or_default();
    for batch in batches {
        if !std::mem::replace(&mut work.listed, true) {
            (list.files, list.games, list.number) = (std::mem::take(&mut work.files), Vec::new(), list.number + 1);
            requests.write(PageRequest::Menu(Menu::Games));
        }
        list.games.extend(batch);
    }
    match end {
        None => return,
        Some(End::Many) => {}
        Some(End::Data(file, data)) => requests.write(DataRequest::Offer(file, data)),
        Some(End::Picture(bytes)) => requests.write(PictureRequest::Read(Arc::new(Shot::File(bytes.into())))),
        Some(End::One(record, path, remarks)) => {
            let more = remarks.len().saturating_sub(1);
            if let Some(first) = remarks.into_iter().next() {
                notices.fail(and_more(first, more));
            }
            // The list offers to read it in another encoding.
            (list.files, list.games, list.number) =
                (std::mem::take(&mut work.files), vec![listed(0, 1, &record)], list.number + 1);
            requests.write(BeginRequest::Record(record, path));
        }
        Some(End::Nothing(why, more)) => notices.fail(and_more(why, more)),
    }
    list.work = None;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<GameList>()
        .add_systems(Update, (begin, take.run_if(|list: Res<GameList>| list.is_at_work())).chain().in_set(Step::Input));
}
