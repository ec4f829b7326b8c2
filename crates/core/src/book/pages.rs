//! A book in memory: pages of moves by position, and our own format for it.
//!
//! The format is a text for every game. Its first line is `qiju book 1`, the game and the variant. A line with a position text begins a page; the lines below it
//! begin with a space and have a move, its score and its games won, drawn and lost by the side that plays it; then `never` if it is not to be played, and a note
//! after `#`. A position stands for its images too.

use super::entry::{BookEdit, BookMove};
use crate::games;
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::rules::{Point, Side, zobrist};
use crate::table::{Action, Cursor, Image, Notation, OpeningRule, Piece, Setup, Table, Tree};
use std::collections::{HashMap, HashSet};

/// How a file of our own begins.
pub const HEAD: &str = "qiju book 1 ";

/// What a book has for a position.
#[derive(Clone)]
struct Page {
    /// The position.
    text: String,
    /// Its image whose key is the page's, on which the moves are played.
    image: Image,
    moves: Vec<BookMove>,
}

/// A position as books in memory name it: by the smallest key of its images.
pub(super) struct Place {
    pub key: u64,
    /// The images of the board with this key; more than one if it is its own image.
    images: Vec<Image>,
}

impl Page {
    /// The moves on the board whose image the page's is.
    fn moves_on(&self, image: Image, size: (u8, u8)) -> Vec<BookMove> {
        self.moves.iter().map(|one| BookMove { action: image.back_action(one.action, size), ..one.clone() }).collect()
    }
}

impl Place {
    /// The place of these pieces on a board of this size with these symmetries.
    pub fn of(pieces: &[(Point, Piece)], turn: Side, size: (u8, u8), images: &[Image]) -> Place {
        let key = |image: Image| {
            pieces.iter().fold(zobrist::mix(turn.index() as u64), |key, (at, Piece { side, role })| {
                let (at, kind) = (image.of(*at, size), u64::from(*role) << 1 | side.index() as u64);
                key ^ zobrist::mix(kind << 24 | u64::from(at.x) << 16 | u64::from(at.y) << 8 | 1)
            })
        };
        let keys: Vec<(u64, Image)> = images.iter().map(|image| (key(*image), *image)).collect();
        let key = keys.iter().map(|(key, _)| *key).min().unwrap_or_default();
        Place { key, images: keys.into_iter().filter(|(of, _)| *of == key).map(|(_, image)| image).collect() }
    }

    /// The image that is taken.
    fn image(&self) -> Image {
        self.images.first().copied().unwrap_or(Image::SAME)
    }
}

/// The positions of a book, each with its moves.
#[derive(Clone)]
pub struct Pages {
    game: &'static str,
    variant: String,
    size: (u8, u8),
    /// The symmetries of the game.
    images: Vec<Image>,
    list: Vec<Page>,
    places: HashMap<u64, usize>,
}

impl Pages {
    /// An empty book for the game and the rules of a table.
    pub fn new(table: &dyn Table) -> Pages {
        let variant = table.setup().variant.clone().unwrap_or_default();
        Pages {
            game: table.game(),
            variant: OpeningRule::split(&variant).0.to_owned(),
            size: table.size(),
            images: table.images().into_iter().map(|(image, _)| image).collect(),
            list: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// The key of its game.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// Its variant, without an opening rule.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The number of positions with moves.
    pub fn len(&self) -> usize {
        self.list.iter().filter(|page| !page.moves.is_empty()).count()
    }

    /// True if no position has a move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key of the position of a table: the same for its images, and in every run of the program.
    pub fn key(&self, table: &dyn Table) -> u64 {
        self.place(table).key
    }

    fn place(&self, table: &dyn Table) -> Place {
        Place::of(&table.pieces(), table.turn(), self.size, &self.images)
    }

    /// The move of a table's board on the board of the page. Of moves that are images of each other on a board that is its own image it is always the same, so that
    /// they are counted together.
    fn on_page(&self, place: &Place, action: Action) -> Action {
        let points = |action: &Action| [action.target(), action.origin()].map(|at| at.map(|at| (at.x, at.y)));
        let images = place.images.iter().map(|image| image.of_action(action, self.size));
        images.max_by_key(points).unwrap_or(action)
    }

    /// The moves for the position of a table; none for a board of another size.
    pub fn moves(&self, table: &dyn Table) -> Vec<BookMove> {
        if table.size() != self.size {
            return Vec::new();
        }
        let place = self.place(table);
        let page = self.places.get(&place.key).map(|number| &self.list[*number]);
        page.map(|page| page.moves_on(place.image(), self.size)).unwrap_or_default()
    }

    /// The page of the position of a table.
    fn page(&mut self, place: &Place, table: &dyn Table) -> &mut Page {
        let list = &mut self.list;
        let number = *self.places.entry(place.key).or_insert_with(|| {
            list.push(Page { text: table.position_text(), image: place.image(), moves: Vec::new() });
            list.len() - 1
        });
        &mut self.list[number]
    }

    /// Changes a move.
    ///
    /// # Errors
    /// The board has another size.
    pub(super) fn edit(&mut self, table: &dyn Table, edit: &BookEdit) -> Result<(), Message> {
        if table.size() != self.size {
            return Err(message!("this is a board of another size"));
        }
        let place = self.place(table);
        let action = place.image().of_action(edit.action(), self.size);
        let page = self.page(&place, table);
        page.moves.retain(|one| one.action != action);
        if let BookEdit::Put(put) = edit {
            page.moves.push(BookMove { action, ..put.clone() });
        }
        Ok(())
    }

    /// Adds the first moves of a game, and with `variations` those of its whole tree: each counts as a game won, drawn or lost by the side that played it. The score
    /// of a move is the sum of two for a win, one for a draw and one for a game without a result. A position counts once in a game. Moves in variations have one
    /// point and no results; so have, with `variations`, those of the game from a position that occurs again.
    ///
    /// # Errors
    /// The game is another one, or cannot be replayed.
    pub fn add(&mut self, record: &Record, plies: usize, variations: bool) -> Result<(), Message> {
        let table = record.table()?;
        if table.game() != self.game || table.size() != self.size {
            return Err(message!("a book has games of one kind on one board, and this is a game of {}", &record.game));
        }
        let tree = &record.tree;
        let line = tree.main_line();
        let main: HashSet<_> = line.iter().copied().collect();
        let nodes: Vec<_> = if variations { tree.walk().collect() } else { line };
        let (mut cursor, mut seen) = (Cursor::at_root(table), HashSet::new());
        for id in nodes.into_iter().filter(|id| *id != Tree::ROOT && tree.depth(*id) <= plies) {
            let before = tree.previous(id).unwrap_or(Tree::ROOT);
            cursor.go(tree, before);
            let Some(action) = tree.node(id).action().filter(|action| action.target().is_some()) else { continue };
            if cursor.at() != before || cursor.table().refusal(action).is_some() {
                return Err(message!("the moves of a game cannot be replayed"));
            }
            let place = self.place(cursor.table());
            let is_again = main.contains(&id) && !seen.insert(place.key);
            let is_main = main.contains(&id) && !is_again;
            if is_again && !variations {
                continue;
            }
            let action = self.on_page(&place, action);
            let mover = cursor.table().turn();
            let note = tree.notes(id).comment.trim().replace(['\n', '\r', '\t'], " ");
            let page = self.page(&place, cursor.table());
            let at = page.moves.iter().position(|one| one.action == action).unwrap_or_else(|| {
                page.moves.push(BookMove::new(action, 0));
                page.moves.len() - 1
            });
            let one = &mut page.moves[at];
            one.score = one.score.saturating_add(match record.result.filter(|_| is_main).map(|result| result.winner) {
                None => 1,
                Some(winner) => {
                    one.results[result_of(winner, mover)] += 1;
                    [2, 1, 0][result_of(winner, mover)]
                }
            });
            if one.note.is_empty() && variations {
                one.note = note;
            }
        }
        Ok(())
    }

    /// Leaves out moves with a lower score.
    pub fn drop_below(&mut self, score: i32) {
        self.list.iter_mut().for_each(|page| page.moves.retain(|one| one.score >= score));
    }

    /// The games of a file with all their variations.
    ///
    /// # Errors
    /// There are none, or they are of several kinds.
    pub fn of_records(records: &[Record]) -> Result<Pages, Message> {
        let first = records.first().ok_or_else(|| message!("there is no record here"))?;
        let mut pages = Pages::new(&*first.table()?);
        records.iter().try_for_each(|record| pages.add(record, usize::MAX, true))?;
        Ok(pages)
    }

    /// The table of a position of this book.
    fn table(&self, text: &str) -> Result<Box<dyn Table>, Message> {
        let setup = Setup { variant: Some(self.variant.clone()), position: Some(text.to_owned()) };
        Ok(games::find(self.game)?.table(&setup)?)
    }

    /// Goes through all positions, each as a table with its moves.
    pub(super) fn each(&self, visit: &mut dyn FnMut(&dyn Table, &[BookMove]) -> Result<(), Message>) -> Result<(), Message> {
        for page in self.list.iter().filter(|page| !page.moves.is_empty()) {
            visit(&*self.table(&page.text)?, &page.moves_on(page.image, self.size))?;
        }
        Ok(())
    }

    /// The file in our own format.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{HEAD}{} {}\n", self.game, self.variant);
        let visited = self.each(&mut |table, moves| {
            text += &table.position_text();
            text.push('\n');
            for BookMove { action, score, results: [won, drawn, lost], shunned, note } in moves {
                let Some(written) = table.write(*action, Notation::Uci) else { continue };
                text += &format!(" {written} {score} {won} {drawn} {lost}");
                text += if *shunned { " never" } else { "" };
                if !note.is_empty() {
                    text += &format!(" # {}", note.replace(['\n', '\r'], " "));
                }
                text.push('\n');
            }
            Ok(())
        });
        debug_assert!(visited.is_ok(), "positions of a book are valid: {visited:?}");
        text
    }

    /// Reads a file in our own format.
    ///
    /// # Errors
    /// What is wrong, with the line.
    pub(super) fn parse(bytes: &[u8]) -> Result<Pages, Message> {
        let text = std::str::from_utf8(bytes).map_err(|_| message!("not valid UTF-8 text"))?;
        let mut lines = (1..).zip(text.lines());
        let (_, head) = lines.next().unwrap_or((1, ""));
        let mut words = head[HEAD.len()..].split_whitespace();
        let (game, variant) = (words.next().unwrap_or_default(), words.next().map(str::to_owned));
        let at_line = |line: usize, why: Message| message!("line {}: {}", line, why);
        let start = games::find(game).and_then(|entry| entry.table(&Setup { variant, position: None }));
        let mut pages = Pages::new(&*start.map_err(|why| at_line(1, why.into()))?);
        let mut table: Option<Box<dyn Table>> = None;
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            match (line.strip_prefix(' '), &table) {
                (Some(told), Some(table)) => {
                    let one = read_move(&**table, told);
                    let put = one.and_then(|one| pages.edit(&**table, &BookEdit::Put(one)));
                    put.map_err(|why| at_line(number, why))?;
                }
                (Some(_), None) => return Err(at_line(number, message!("there is no position above this move"))),
                (None, _) => table = Some(pages.table(line.trim()).map_err(|why| at_line(number, why))?),
            }
        }
        Ok(pages)
    }
}

/// The place of a result in [`BookMove::results`].
fn result_of(winner: Option<Side>, mover: Side) -> usize {
    match winner {
        Some(winner) if winner == mover => 0,
        None => 1,
        Some(_) => 2,
    }
}

/// Reads the line of a move.
fn read_move(table: &dyn Table, told: &str) -> Result<BookMove, Message> {
    let (numbers, note) = told.split_once('#').unwrap_or((told, ""));
    let words: Vec<&str> = numbers.split_whitespace().collect();
    let (&written, rest) = words.split_first().ok_or_else(|| message!("a move is missing"))?;
    let action = table.read(written)?;
    let (rest, shunned) = match rest.split_last() {
        Some((&"never", rest)) => (rest, true),
        _ => (rest, false),
    };
    let cannot = || message!("after a move come its score and three numbers of games, as in {}", "h2e2 5 2 1 0");
    let [score, won, drawn, lost] = rest else { return Err(cannot()) };
    let count = |word: &str| word.parse::<u32>().map_err(|_| cannot());
    let score = score.parse().map_err(|_| cannot())?;
    Ok(BookMove { action, score, results: [count(won)?, count(drawn)?, count(lost)?], shunned, note: note.trim().to_owned() })
}
