//! `book`: opening books: shows what one has for a position, changes it, makes one of games of the library.

use super::ask::{MovesArgs, PositionArgs, check_file};
use super::library::{Games, Place, games_text, work};
use qiju_core::book::{Book, BookEdit, BookMove, Pages, shares};
use qiju_core::library::engine_games;
use qiju_core::message::Message;
use qiju_core::table::{Action, Notation, Table};
use qiju_core::terminal::{Bar, Failure, json, line, one_line};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Shows what an opening book has for a position; changes it, or makes one of games of the library.
///
/// It reads .obk and .pfBook of xiangqi programs, ElephantEye's BOOK.DAT, Yixin's database of gomoku, our own books, and any record of games as a book:
/// RenLib's libraries, PGN. Positions are found mirrored and turned, too.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    work: Option<Work>,
    #[command(flatten)]
    show: Show,
}

#[derive(clap::Args, Debug)]
struct Show {
    /// The book
    #[arg(required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    at: At,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand, Debug)]
enum Work {
    /// Make a book of the library's games; the ending of the file is the format: book for every game, and obk, pfBook or dat for xiangqi
    Make {
        /// The file to write
        file: PathBuf,
        #[command(flatten)]
        games: Box<Games>,
        /// Take so many moves of each game
        #[arg(long, value_name = "N", default_value_t = 40)]
        plies: usize,
        /// Leave out moves with a lower score. It is the sum of 2 for a game won with the move, 1 for a draw and 1 for a game without a result
        #[arg(long, value_name = "N", default_value_t = 0)]
        least: i32,
        /// Take the games of our engine against itself, which come with the program
        #[arg(long, conflicts_with = "library")]
        base: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Put a move into a book, or change it. A copy of the book as it was is kept beside it as NAME.backup
    Put {
        #[command(flatten)]
        what: What,
        /// Its score: the computer plays moves in proportion to their scores
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        score: Option<i32>,
        /// Whether it is never to be played
        #[arg(long, value_name = "YES", action = clap::ArgAction::Set, num_args = 0..=1, default_missing_value = "true")]
        never: Option<bool>,
        /// What is written about it; an empty text takes it away
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Take a move out of a book, with a copy kept likewise
    Remove {
        #[command(flatten)]
        what: What,
    },
}

/// A move of a book.
#[derive(clap::Args, Debug)]
struct What {
    /// The book
    file: PathBuf,
    /// The move, in any notation of the game
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    mv: String,
    #[command(flatten)]
    at: At,
}

/// A position of the book's game.
#[derive(clap::Args, Debug)]
struct At {
    /// The variant [default: that of the book, or the first of its game]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The position as text [default: the start position]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    moves: MovesArgs,
}

impl At {
    fn table(&self, book: &Book) -> Result<Box<dyn Table>, Failure> {
        let variant = self.variant.clone().or_else(|| book.variant().map(str::to_owned));
        let position = PositionArgs { game: book.game().to_owned(), variant, position: self.position.clone() };
        let mut table = position.table()?;
        self.moves.play(&mut *table)?;
        Ok(table)
    }
}

impl What {
    /// The book, the position, and the move.
    fn open(&self) -> Result<(Book, Box<dyn Table>, Action), Failure> {
        let book = open(&self.file)?;
        let table = self.at.table(&book)?;
        let action = table.read(&self.mv).map_err(|why| Failure::usage(why.to_string()))?;
        Ok((book, table, action))
    }
}

fn usage(why: Message) -> Failure {
    Failure::usage(why.to_string())
}

fn open(file: &Path) -> Result<Book, Failure> {
    check_file(file)?;
    Book::open(file).map_err(usage)
}

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.work {
        None => show(&args.show),
        Some(Work::Make { file, games, plies, least, base, place }) => {
            let own;
            let library = if *base {
                engine_games()
            } else {
                own = place.open()?;
                &own
            };
            let ids = games.among(library, &games.query()?);
            let first = ids.first().ok_or_else(|| Failure::usage("no game was found"))?;
            let mut pages = Pages::new(&*library.outline(*first).map_err(work)?.table()?);
            let bar = Bar::new("making");
            for (number, id) in (0..).zip(&ids) {
                pages.add(&library.record(*id).map_err(work)?, *plies, false).map_err(usage)?;
                bar.show(number, ids.len() as u64);
            }
            bar.close();
            pages.drop_below(*least);
            pages.save(file).map_err(usage)?;
            line(&format!("{} positions of {} in {}", pages.len(), games_text(ids.len()), file.display()))
        }
        Some(Work::Put { what, score, never, note }) => {
            let (mut book, table, action) = what.open()?;
            let known = book.moves(&*table).map_err(usage)?.into_iter().find(|one| one.action == action);
            let mut put = known.unwrap_or_else(|| BookMove::new(action, 1));
            put.score = score.unwrap_or(put.score);
            put.shunned = never.unwrap_or(put.shunned);
            put.note = note.clone().unwrap_or(put.note);
            book.edit(&*table, &BookEdit::Put(put)).map_err(usage)
        }
        Some(Work::Remove { what }) => {
            let (mut book, table, action) = what.open()?;
            if !book.moves(&*table).map_err(usage)?.iter().any(|one| one.action == action) {
                return Err(Failure::usage(format!("{}: the book does not have the move {}", what.file.display(), what.mv)));
            }
            book.edit(&*table, &BookEdit::Remove(action)).map_err(usage)
        }
    }
}

/// A move of a book, as JSON.
#[derive(Serialize)]
struct MoveLine<'a> {
    #[serde(rename = "move")]
    mv: String,
    score: i32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// The part of the games in which the computer plays it, in 0..1.
    share: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    never: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

/// The last line, as JSON.
#[derive(Serialize)]
struct Told<'a> {
    format: &'a str,
    game: &'a str,
    moves: usize,
}

fn show(show: &Show) -> Result<(), Failure> {
    let Some(file) = &show.file else { return Err(Failure::usage("a file is missing")) };
    let book = open(file)?;
    let table = show.at.table(&book)?;
    let moves = book.moves(&*table).map_err(usage)?;
    for (BookMove { action, score, results: [won, drawn, lost], shunned, note }, share) in moves.iter().zip(shares(&moves)) {
        let Some(mv) = table.write(*action, Notation::Uci) else { continue };
        if show.json {
            let (won, drawn, lost, never) = (*won, *drawn, *lost, *shunned);
            json(&MoveLine { mv, score: *score, won, drawn, lost, share, never, note })?;
            continue;
        }
        let mut text = format!("{mv:<10} {score:>8} {:>4.0} %", share * 100.0);
        if won + drawn + lost > 0 {
            text += &format!("  {won} won, {drawn} drawn, {lost} lost");
        }
        text += if *shunned { "  never" } else { "" };
        if !note.is_empty() {
            text += &format!("  {}", one_line(note));
        }
        line(&text)?;
    }
    let (format, game, count) = (book.format().key(), book.game(), moves.len());
    if show.json {
        return json(&Told { format, game, moves: count });
    }
    let count = if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
    line(&format!("{count}; a book of {game}, {format}"))
}
