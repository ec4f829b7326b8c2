//! `library`: all games in one store: adds records, finds games and positions, counts moves, writes games to a file.

use super::ask::{MovesArgs, PositionArgs, read_notation, words};
use qiju_core::games::{self, Entry, REGISTRY};
use qiju_core::library::{GameId, Import, Imported, Library, MoveCount, PositionQuery, Query, engine_games, files_of};
use qiju_core::message::Message;
use qiju_core::record::{self, Charset, Format, Record, SeatSpec, Writer, keywords_in};
use qiju_core::rules::Side;
use qiju_core::search::StopToken;
use qiju_core::storage::{Files, Storage, replace_file};
use qiju_core::table::{Draft, Notation, Setup, Table};
use qiju_core::terminal::{Bar, Failure, aside, json, line, one_line, time_text};
use serde::Serialize;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use web_time::{Duration, Instant};

/// Keeps all games in one store: adds records, finds games and positions, counts the moves played from a position, and writes games to a file.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Work {
    /// Add the games of files and folders, in any format that `convert` reads. Games that are there already are left out, so an interrupted import is resumed by the
    /// same command
    Add {
        /// Files and folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// The encoding of the texts, if it is detected wrongly: GB18030, Big5, Shift_JIS, windows-1251, ..
        #[arg(long, value_name = "C", value_parser = Charset::named)]
        charset: Option<Charset>,
        #[command(flatten)]
        output: Output,
    },
    /// Tell how many games there are, and how large the file is
    Stat {
        #[command(flatten)]
        output: Output,
    },
    /// Find games
    Search {
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        board: Board,
        /// List at most so many games
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        limit: Option<usize>,
        #[command(flatten)]
        output: Output,
    },
    /// Count the moves that were played from a position, also from its mirrored and turned images
    Explore {
        #[command(flatten)]
        position: PositionArgs,
        #[command(flatten)]
        moves: MovesArgs,
        #[command(flatten)]
        filter: Filter,
        /// In the games of our engine against itself, which come with the program
        #[arg(long, conflicts_with = "library")]
        base: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Write games to a file; its extension is the format: ron, pgn, sgf, txt, ..
    Export {
        /// The file to write
        file: PathBuf,
        #[command(flatten)]
        games: Games,
        /// The notation of moves in a pgn: uci, iccs, wxf or chinese
        #[arg(long, value_name = "N", value_parser = read_notation)]
        notation: Option<Notation>,
        #[command(flatten)]
        place: Place,
    },
    /// Put games under keywords, or take them away; without both, tell which there are
    Tag {
        /// A keyword to add: "to study"
        #[arg(long, value_name = "T", value_parser = read_tag)]
        add: Vec<String>,
        /// A keyword to take away
        #[arg(long, value_name = "T", value_parser = read_tag)]
        remove: Vec<String>,
        #[command(flatten)]
        games: Games,
        #[command(flatten)]
        output: Output,
    },
    /// Change what is told of games, not their moves. An empty text takes away what is told
    Edit {
        /// The ids of the games
        #[arg(required = true, value_name = "ID")]
        ids: Vec<GameId>,
        #[command(flatten)]
        told: Told,
        #[command(flatten)]
        output: Output,
    },
    /// Delete games
    Delete {
        /// The ids of the games
        #[arg(required = true, value_name = "ID")]
        ids: Vec<GameId>,
        #[command(flatten)]
        place: Place,
    },
}

/// Where the library is.
#[derive(clap::Args, Debug)]
pub(super) struct Place {
    /// The folder of the library [default: the user's folder]
    #[arg(long, value_name = "FOLDER")]
    library: Option<PathBuf>,
}

/// Where the library is, and how results are printed.
#[derive(clap::Args, Debug)]
struct Output {
    #[command(flatten)]
    place: Place,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// What is told of a game.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = true)]
struct Told {
    /// The first player's name
    #[arg(long, value_name = "N")]
    first: Option<String>,
    /// The second player's name
    #[arg(long, value_name = "N")]
    second: Option<String>,
    /// The event
    #[arg(long, value_name = "E")]
    event: Option<String>,
    /// The date
    #[arg(long, value_name = "D")]
    date: Option<String>,
    /// The round
    #[arg(long, value_name = "R")]
    round: Option<String>,
    /// The place
    #[arg(long, value_name = "P")]
    place: Option<String>,
    /// Who won: first, second, draw or none
    #[arg(long, value_parser = read_ending)]
    result: Option<Ending>,
}

/// The winner of a game, or that it has no result.
#[derive(Clone, Copy, Debug)]
struct Ending(Option<Won>);

fn read_ending(word: &str) -> Result<Ending, String> {
    if word == "none" { Ok(Ending(None)) } else { read_result(word).map(|won| Ending(Some(won))).map_err(|why| why + ", none") }
}

impl Told {
    /// Writes it into a record.
    fn write(&self, record: &mut Record) {
        for (side, name) in [(Side::First, &self.first), (Side::Second, &self.second)] {
            if let Some(name) = name {
                record.seats[side] = if name.is_empty() { SeatSpec::Human } else { SeatSpec::of_name(name) };
            }
        }
        for (name, value) in [("Event", &self.event), ("Date", &self.date), ("Round", &self.round), ("Site", &self.place)] {
            if let Some(value) = value {
                record.tags.set(name, value.trim());
            }
        }
        if let Some(Ending(result)) = self.result {
            record.set_winner(result.map(|Won(winner)| winner));
        }
    }
}

/// What is written about games.
#[derive(clap::Args, Debug)]
struct Filter {
    /// A part of either player's name
    #[arg(long, value_name = "N")]
    player: Option<String>,
    /// A part of the event's name
    #[arg(long, value_name = "E")]
    event: Option<String>,
    /// The first day: 2020, 2020.05 or 2020.05.17
    #[arg(long, value_name = "D", value_parser = read_date)]
    from: Option<String>,
    /// The last day, likewise
    #[arg(long, value_name = "D", value_parser = read_date)]
    to: Option<String>,
    /// Who won: first, second or draw
    #[arg(long, value_parser = read_result)]
    result: Option<Won>,
    /// The beginning of the opening's code, or a part of its name, as a tag tells it or as `qiju opening` names it
    #[arg(long, value_name = "C")]
    opening: Option<String>,
    /// A keyword under which the game is kept; given more than once, all of them
    #[arg(long, value_name = "T")]
    tag: Vec<String>,
    /// A part of a comment
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// The fewest moves of the main line
    #[arg(long, value_name = "N")]
    min_plies: Option<usize>,
    /// The most moves of the main line
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
}

/// What occurs on the board.
#[derive(clap::Args, Debug)]
struct Board {
    /// Only games of this game
    #[arg(long, value_parser = super::ask::read_game)]
    game: Option<String>,
    /// Only games by these rules
    #[arg(long, value_name = "V", requires = "game")]
    variant: Option<String>,
    /// This position, or an image of it, occurs in the game
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// These pieces stand like this in the game, whatever else is on the board and whoever is to move: a position text with these pieces only
    #[arg(long, value_name = "P", allow_hyphen_values = true, conflicts_with = "position")]
    formation: Option<String>,
    /// These pieces are on the board beside those that a side always has, whoever is to move: RH-C, either side's; with * any others of kinds
    /// that are not named: RH*-C*
    #[arg(long, value_name = "M", conflicts_with_all = ["position", "formation"])]
    material: Option<String>,
    /// The pieces before the dash are the first side's
    #[arg(long, requires = "material")]
    as_told: bool,
}

/// Some games of the library.
#[derive(clap::Args, Debug)]
pub(super) struct Games {
    /// Only these games, by their ids [default: all that the other options find]
    #[arg(long, value_name = "ID", num_args = 1..)]
    id: Vec<GameId>,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    board: Board,
}

impl Games {
    pub(super) fn query(&self) -> Result<Query, Failure> {
        self.board.query(&self.filter)
    }

    /// Those with the ids; without any, those that the query finds.
    pub(super) fn among(&self, library: &Library, query: &Query) -> Vec<GameId> {
        if self.id.is_empty() { library.search(query).into_iter().map(|hit| hit.id).collect() } else { self.id.clone() }
    }
}

/// The winner of a game, if there is one.
#[derive(Clone, Copy, Debug)]
struct Won(Option<Side>);

fn read_result(word: &str) -> Result<Won, String> {
    let known = [("first", Some(Side::First)), ("second", Some(Side::Second)), ("draw", None)];
    let found = known.into_iter().find(|(key, _)| *key == word);
    found.map(|(_, winner)| Won(winner)).ok_or_else(|| format!("there are {}", words(known.map(|(key, _)| key))))
}

fn read_tag(text: &str) -> Result<String, String> {
    let mut found = keywords_in(text);
    let one = found.next().filter(|_| found.next().is_none());
    one.map(str::to_owned).ok_or_else(|| "a tag is a short text without semicolons".to_owned())
}

fn read_date(text: &str) -> Result<String, String> {
    let whole = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = if whole { vec![&text[..4], &text[4..6], &text[6..]] } else { text.split(['.', '-', '/']).collect() };
    let plain = parts[0].len() == 4 && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let exists = |part: &&str, last: u8| part.parse::<u8>().is_ok_and(|number| (1..=last).contains(&number));
    let exists = parts.len() <= 3 && parts[1..].iter().zip([12, 31]).all(|(part, last)| exists(part, last));
    if plain && exists { Ok(text.to_owned()) } else { Err("a date is 2020, 2020.05 or 2020.05.17".to_owned()) }
}

impl Place {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(Files::below(self.library.clone().unwrap_or_else(record::home)))
    }

    /// The library to search. What is wrong with its file is told.
    pub(super) fn open(&self) -> Result<Library, Failure> {
        Ok(told(Library::open(self.storage()).map_err(work)?))
    }

    fn open_to_write(&self) -> Result<Library, Failure> {
        Ok(told(Library::open_to_write(self.storage()).map_err(work)?))
    }
}

fn told(library: Library) -> Library {
    if let Some(damage) = library.damage() {
        tell(damage);
    }
    library
}

fn tell(what: impl Display) {
    aside(&format!("qiju: {}", one_line(&what.to_string())));
}

pub(super) fn work(why: Message) -> Failure {
    Failure::work(why.to_string())
}

impl Filter {
    fn query(&self, game: Option<&str>, position: Option<PositionQuery>) -> Query {
        Query {
            game: game.map(str::to_owned),
            player: self.player.clone(),
            event: self.event.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            result: self.result.map(|Won(winner)| winner),
            opening: self.opening.clone(),
            keywords: self.tag.clone(),
            comment: self.comment.clone(),
            shortest: self.min_plies,
            longest: self.max_plies,
            position,
            ..Query::default()
        }
    }
}

impl Board {
    /// The game; without a name, the first that has such a position.
    fn entry(&self) -> Result<Option<&'static Entry>, Failure> {
        let on_board = self.position.is_some() || self.formation.is_some() || self.material.is_some();
        match &self.game {
            Some(key) => Ok(Some(games::find(key)?)),
            None if self.material.is_some() => Ok(Some(games::find("xiangqi")?)),
            None if on_board => {
                let found = REGISTRY.iter().find(|entry| self.position(entry).is_ok());
                found.map(Some).ok_or_else(|| Failure::usage("no game has such a position; name the game with --game"))
            }
            None => Ok(None),
        }
    }

    fn position(&self, entry: &Entry) -> Result<Option<PositionQuery>, Failure> {
        let (variant, usage) = (&self.variant, |why: Message| Failure::usage(why.to_string()));
        if let Some(text) = &self.material {
            let table = entry.table(&Setup { variant: variant.clone(), position: None })?;
            let query = PositionQuery::material(&*table, text, self.as_told, variant.is_some());
            return query.map(Some).map_err(|why| Failure::usage(format!("--material: {why}")));
        }
        match (&self.position, &self.formation) {
            (Some(text), _) => {
                let args = PositionArgs { game: entry.key.to_owned(), variant: variant.clone(), position: Some(text.clone()) };
                PositionQuery::position(&*args.table()?, variant.is_some()).map(Some).map_err(usage)
            }
            (_, Some(text)) => {
                let table = entry.table(&Setup { variant: variant.clone(), position: None })?;
                let pieces: Vec<_> = formation(&*table, text)?.pieces.into_iter().collect();
                PositionQuery::formation(&*table, &pieces, variant.is_some()).map(Some).map_err(usage)
            }
            (None, None) => Ok(None),
        }
    }

    fn query(&self, filter: &Filter) -> Result<Query, Failure> {
        let entry = self.entry()?;
        let position = entry.map(|entry| self.position(entry)).transpose()?.flatten();
        Ok(Query { variant: self.variant.clone(), ..filter.query(entry.map(|entry| entry.key), position) })
    }
}

/// Reads pieces on a board. The side to move may be left out.
fn formation(table: &dyn Table, text: &str) -> Result<Draft, Failure> {
    let placement = table.capabilities().placement;
    let placement = placement.ok_or_else(|| Failure::usage(format!("--formation: {} has no formations", table.game())))?;
    let variant = table.setup().variant.clone().unwrap_or_default();
    let start = table.position_text();
    let with_side = || Some(format!("{text} {}", start.split(' ').nth(1)?));
    placement
        .read(&variant, text)
        .or_else(|error| placement.read(&variant, &with_side().ok_or_else(|| error.clone())?).map_err(|_| error))
        .map_err(|error| Failure::usage(format!("--formation: {error}")))
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.work {
        Work::Add { paths, charset, output } => add(paths, charset.unwrap_or_default(), output),
        Work::Stat { output } => stat(output),
        Work::Search { filter, board, limit, output } => search(&board.query(filter)?, *limit, output),
        Work::Explore { position, moves, filter, base, output } => {
            let mut table = position.table()?;
            moves.play(&mut *table)?;
            let (rules, json) = (position.variant.is_some(), output.json);
            let explore = |library: &Library| explore(library, &*table, filter, rules, json);
            if *base { explore(engine_games()) } else { explore(&output.place.open()?) }
        }
        Work::Export { file, games, notation, place } => {
            let library = place.open()?;
            export(&library, &games.among(&library, &games.query()?), file, *notation)
        }
        Work::Tag { add, remove, games, output } => {
            let query = games.query()?;
            if add.is_empty() && remove.is_empty() {
                let library = output.place.open()?;
                return tags(&library, &games.among(&library, &query), output);
            }
            let mut library = output.place.open_to_write()?;
            let ids = games.among(&library, &query);
            change(&mut library, &ids, output, "tagged", |record| {
                add.iter().for_each(|tag| record.tags.set_keyword(tag, true));
                remove.iter().for_each(|tag| record.tags.set_keyword(tag, false));
            })
        }
        Work::Edit { ids, told, output } => {
            change(&mut output.place.open_to_write()?, ids, output, "changed", |record| told.write(record))
        }
        Work::Delete { ids, place } => {
            let mut library = place.open_to_write()?;
            for id in ids {
                library.delete(*id).map_err(|why| Failure::usage(why.to_string()))?;
            }
            library.compact().map_err(work)?;
            line(&format!("{} deleted, {} left", games_text(ids.len()), library.size().games))
        }
    }
}

/// The last line of an answer that changed games, as JSON.
#[derive(Serialize)]
struct Changed {
    games: usize,
}

/// Changes what is told of games.
fn change(library: &mut Library, ids: &[GameId], output: &Output, done: &str, with: impl Fn(&mut Record)) -> Result<(), Failure> {
    let mut games = 0;
    for id in ids {
        let before = library.outline(*id).map_err(|why| Failure::usage(why.to_string()))?;
        let mut record = before.clone();
        with(&mut record);
        if record != before {
            library.tell(*id, &record).map_err(work)?;
            games += 1;
        }
    }
    library.settle().map_err(work)?;
    if output.json { json(&Changed { games }) } else { line(&format!("{} {done}", games_text(games))) }
}

/// A keyword, as JSON.
#[derive(Serialize)]
struct TagLine<'a> {
    tag: &'a str,
    games: usize,
}

/// Tells the keywords of games.
fn tags(library: &Library, ids: &[GameId], output: &Output) -> Result<(), Failure> {
    let counts = library.keywords(ids).map_err(|why| Failure::usage(why.to_string()))?;
    for (tag, games) in &counts {
        let (tag, games) = (tag.as_str(), *games);
        if output.json { json(&TagLine { tag, games })? } else { line(&format!("{}: {}", one_line(tag), games_text(games)))? }
    }
    Ok(())
}

pub(super) fn games_text(count: usize) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}

/// What an import has come to, as JSON.
#[derive(Serialize)]
struct ImportLine {
    #[serde(flatten)]
    done: Imported,
    ms: u64,
}

/// The most errors that are told one by one.
const MOST_TOLD: usize = 20;

fn add(paths: &[PathBuf], charset: Charset, output: &Output) -> Result<(), Failure> {
    let began = Instant::now();
    let mut files = Vec::new();
    for path in paths {
        files.extend(files_of(path).map_err(|error| Failure::file(path, &error))?);
    }
    let mut library = output.place.open_to_write()?;
    let bar = Bar::new("adding");
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    let (whole, mut read) = (files.iter().map(size).sum::<u64>(), 0);
    let mut told = 0;
    let mut refuse = |why: Message| {
        told += 1;
        if told <= MOST_TOLD {
            bar.close();
            tell(&why);
        }
    };
    let (stop, done) = (&StopToken::new(), Imported::default());
    let mut import = Import { library: &mut library, charset, stop, refuse: &mut refuse, told: &mut |_| {}, done };
    for path in &files {
        import.file(path, record::bytes_of(path).map_err(Message::from)).map_err(work)?;
        read += size(path);
        bar.show(read, whole);
    }
    let done = import.done;
    library.flush().map_err(work)?;
    bar.close();
    if done.refused > MOST_TOLD {
        tell(format!("{} more are refused", done.refused - MOST_TOLD));
    }
    if output.json {
        json(&ImportLine { done, ms: began.elapsed().as_millis() as u64 })?;
    } else {
        let Imported { files, games, added, duplicates, refused } = done;
        let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
        let time = time_text(began.elapsed());
        line(&format!("{files}, {}: {added} added, {duplicates} were there, {refused} refused; {time}", games_text(games)))?;
    }
    if done.games == 0 && done.refused > 0 {
        return Err(Failure::usage("there is no game that can be added"));
    }
    Ok(())
}

fn stat(output: &Output) -> Result<(), Failure> {
    let library = output.place.open()?;
    let (size, by_game) = (library.size(), library.games());
    if output.json {
        let of_games: serde_json::Map<String, serde_json::Value> =
            by_game.into_iter().map(|(game, count)| (game, count.into())).collect();
        return json(&serde_json::json!({
            "games": size.games, "plies": size.plies, "move_bytes": size.moves, "bytes": size.bytes, "deleted": size.deleted,
            "of": of_games,
        }));
    }
    for (game, count) in by_game {
        line(&format!("{game:<12} {}", games_text(count)))?;
    }
    let of_a_ply = size.moves as f64 / size.plies.max(1) as f64;
    line(&format!(
        "{}, {} plies, {of_a_ply:.3} bytes a ply; {} bytes in the file",
        games_text(size.games),
        size.plies,
        size.bytes
    ))
}

/// A game that was found, as JSON.
#[derive(Serialize)]
struct HitLine<'a> {
    id: String,
    game: &'a str,
    first: String,
    second: String,
    date: Option<&'a str>,
    result: Option<&'static str>,
    ply: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<&'a str>,
}

fn result_of(record: &Record) -> Option<&'static str> {
    record.result.map(|result| result.winner.map_or("draw", Side::key))
}

fn search(query: &Query, limit: Option<usize>, output: &Output) -> Result<(), Failure> {
    let library = output.place.open()?;
    let began = Instant::now();
    let hits = library.search(query);
    let time = began.elapsed();
    for hit in hits.iter().take(limit.unwrap_or(usize::MAX)) {
        let record = library.outline(hit.id).map_err(work)?;
        let (first, second) = (record.seats.first.to_string(), record.seats.second.to_string());
        let (date, result) = (record.tags.get("Date"), result_of(&record));
        if output.json {
            let tags = record.tags.keywords().collect();
            json(&HitLine { id: hit.id.to_string(), game: &record.game, first, second, date, result, ply: hit.ply, tags })?;
        } else {
            let ply = hit.ply.map(|ply| format!(", ply {ply}")).unwrap_or_default();
            let (date, result) = (date.unwrap_or("-"), result.unwrap_or("no result"));
            line(&one_line(&format!("{} {} {date} {first} - {second}: {result}{ply}", hit.id, record.game)))?;
        }
    }
    if output.json {
        json(&Total::of(hits.len(), time))
    } else {
        line(&format!("{}, {}", games_text(hits.len()), time_text(time)))
    }
}

/// The last line of an answer as JSON.
#[derive(Serialize)]
struct Total {
    games: usize,
    ms: f64,
}

impl Total {
    fn of(games: usize, time: Duration) -> Total {
        Total { games, ms: time.as_micros() as f64 / 1000.0 }
    }
}

/// A move that was played, as JSON.
#[derive(Serialize)]
struct MoveLine {
    #[serde(rename = "move")]
    mv: String,
    games: usize,
    first_wins: usize,
    draws: usize,
    second_wins: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<usize>,
}

fn explore(library: &Library, table: &dyn Table, filter: &Filter, same_rules: bool, as_json: bool) -> Result<(), Failure> {
    let position = PositionQuery::position(table, same_rules).map_err(|why| Failure::usage(why.to_string()))?;
    let query = filter.query(Some(table.game()), Some(position));
    let began = Instant::now();
    let explored = library.explore(&query);
    let time = began.elapsed();
    for count in &explored.moves {
        // A choice of an opening rule is no move on this board.
        let Some(mv) = table.write(count.action, Notation::Uci) else { continue };
        let MoveCount { games, first_wins, draws, second_wins, .. } = *count;
        let rating = count.rating();
        if as_json {
            json(&MoveLine { mv, games, first_wins, draws, second_wins, rating })?;
        } else {
            let rating = rating.map(|rating| format!(", average rating {rating}")).unwrap_or_default();
            line(&format!(
                "{mv:<10} {games:>8} games: {first_wins} won by the first side, {draws} drawn, {second_wins} by the second{rating}"
            ))?;
        }
    }
    if as_json {
        json(&Total::of(explored.games, time))
    } else {
        line(&format!("{}, {}", games_text(explored.games), time_text(time)))
    }
}

fn export(library: &Library, ids: &[GameId], file: &Path, notation: Option<Notation>) -> Result<(), Failure> {
    let usage = |why: Message| Failure::usage(format!("{}: {why}", file.display()));
    let format = file.extension().and_then(|ending| ending.to_str()).and_then(Format::from_key);
    let format = format.filter(|format| format.is_written()).ok_or_else(|| {
        let endings = words(Format::WRITTEN.map(Format::key));
        Failure::usage(format!("{}: the extension is not an output format; there are {endings}", file.display()))
    })?;
    if ids.is_empty() {
        return Err(Failure::usage("no game was found"));
    }
    let mut writer = Writer::new(format, notation, false).map_err(usage)?;
    let mut out = Vec::new();
    for id in ids {
        let record = library.record(*id).map_err(|why| Failure::usage(why.to_string()))?;
        writer.add(&record, &mut out).map_err(usage)?;
    }
    if let Some(lost) = writer.finish(&mut out) {
        tell(lost);
    }
    replace_file(file, out).map_err(|error| Failure::file(file, &error))?;
    line(&format!("{} in {}", games_text(ids.len()), file.display()))
}
