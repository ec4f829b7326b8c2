//! Books come back as they were written, in every format; a book of games has what a replay of the games counts; what is no book is told; players play from one.

use qiju_core::book::{Book, BookEdit, BookFormat, BookMove, BookPlayer, BookUse, Pages, weights};
use qiju_core::games;
use qiju_core::library::{Library, PositionQuery, Query};
use qiju_core::message::Message;
use qiju_core::record::Record;
use qiju_core::rules::{Outcome, Reason, Side};
use qiju_core::search::{Limits, StopToken};
use qiju_core::storage::Memory;
use qiju_core::table::{Action, Image, Notation, Origin, SearchRequest, Setup, Table, Tree};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn table_of(game: &str, variant: Option<&str>, moves: &str) -> Box<dyn Table> {
    let setup = Setup { variant: variant.map(str::to_owned), position: None };
    let mut table = games::find(game).unwrap().table(&setup).unwrap();
    for text in moves.split_whitespace() {
        let action = table.read(text).unwrap();
        table.play(action).unwrap();
    }
    table
}

fn xiangqi(moves: &str) -> Box<dyn Table> {
    table_of("xiangqi", None, moves)
}

/// Games that meet, because in the first moves one of few is played.
fn random_games(game: &str, variant: &str, plies: usize, count: u64) -> Vec<Record> {
    let one = |seed: u64| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut record = Record::new(game, Setup { variant: Some(variant.to_owned()), position: None });
        let (mut table, mut at) = (record.table().unwrap(), Tree::ROOT);
        for ply in 0..plies {
            let actions = table.actions();
            let few = if ply < 6 { 4.min(actions.len()) } else { actions.len() };
            let Some(action) = random.choice(0..few).map(|index| actions[index * actions.len() / few]) else { break };
            table.play(action).unwrap();
            at = record.tree.add(at, action, Origin::Record);
        }
        let won = |side| Outcome::win(side, Reason::Resignation);
        let results = [None, Some(won(Side::First)), Some(won(Side::Second)), Some(Outcome::draw(Reason::Agreement))];
        record.result = results[seed as usize % 4];
        record
    };
    (0..count).map(one).collect()
}

fn pages_of(records: &[Record], plies: usize) -> Pages {
    let mut pages = Pages::new(&*records[0].table().unwrap());
    records.iter().for_each(|record| pages.add(record, plies, false).unwrap());
    pages
}

/// All positions of games, as tables.
fn positions(records: &[Record]) -> Vec<Box<dyn Table>> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for record in records {
        let mut table = record.table().unwrap();
        for action in record.main_actions() {
            if seen.insert(table.key()) {
                found.push(table.boxed_clone());
            }
            table.play(action).unwrap();
        }
    }
    found
}

fn moves_of(book: &Book, table: &dyn Table) -> Vec<(String, i32, [u32; 3])> {
    let mut moves: Vec<_> = book.moves(table).unwrap();
    moves.sort_by_key(|one| table.write(one.action, Notation::Uci));
    moves.into_iter().map(|one| (table.write(one.action, Notation::Uci).unwrap(), one.score, one.results)).collect()
}

/// A move that is written to every format with what it can hold.
const KEPT: &str = "g3g4";

fn edited(book: &mut Book) {
    let table = xiangqi("");
    let action = table.read(KEPT).unwrap();
    let note = if book.format() == BookFormat::Elephant { String::new() } else { "好 棋 # note".to_owned() };
    let results = if book.format() == BookFormat::Elephant { [0; 3] } else { [5, 4, 3] };
    let put = BookMove { score: 777, results, shunned: false, note, action };
    book.edit(&*table, &BookEdit::Put(put.clone())).unwrap();
    let again = Book::open(book.path()).unwrap();
    for book in [&*book, &again] {
        assert_eq!(book.moves(&*table).unwrap().first(), Some(&put), "{:?}", book.format());
        // Once, also on the board that is mirrored.
        let twins = book.moves(&*table).unwrap().into_iter().filter(|one| one.action == action);
        assert_eq!(twins.count(), 1);
    }
    book.edit(&*table, &BookEdit::Put(BookMove { score: 3, ..put.clone() })).unwrap();
    assert_eq!(book.moves(&*table).unwrap().iter().find(|one| one.action == action).unwrap().score, 3);
    if book.format() != BookFormat::Elephant {
        book.edit(&*table, &BookEdit::Put(BookMove { shunned: true, ..put })).unwrap();
        let last = book.moves(&*table).unwrap().pop().unwrap();
        assert!(last.action == action && last.shunned);
    }
    book.edit(&*table, &BookEdit::Remove(action)).unwrap();
    assert!(book.moves(&*table).unwrap().iter().all(|one| one.action != action));
    assert!(Book::open(book.path()).unwrap().moves(&*table).unwrap().iter().all(|one| one.action != action));
}

#[test]
fn what_another_program_has_changed_meanwhile_stays() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages_of(&random_games("xiangqi", "axf", 4, 10), 4);
    let table = xiangqi("");
    for ending in endings() {
        let path = folder.path().join(format!("a.{ending}"));
        pages.save(&path).unwrap();
        let mut books = [Book::open(&path).unwrap(), Book::open(&path).unwrap()];
        for (book, text) in books.iter_mut().zip(["a0a1", "i0i2"]) {
            // A file's time is not finer.
            std::thread::sleep(std::time::Duration::from_millis(20));
            book.edit(&*table, &BookEdit::Put(BookMove::new(table.read(text).unwrap(), 900))).unwrap();
        }
        let scored = Book::open(&path).unwrap().moves(&*table).unwrap().into_iter().filter(|one| one.score == 900);
        assert_eq!(scored.count(), 2, "{ending}");
        assert!(books[0].is_outdated() && !books[1].is_outdated(), "{ending}");
    }
    let small = table_of("gomoku", Some("freestyle:15"), "");
    let path = folder.path().join("b.book");
    Pages::new(&*table_of("gomoku", Some("freestyle:19"), "")).save(&path).unwrap();
    let mut book = Book::open(&path).unwrap();
    let centre = BookMove::new(small.read("h8").unwrap(), 1);
    assert!(book.edit(&*small, &BookEdit::Put(centre)).is_err_and(|why| why.to_string().contains("another size")));
}

/// The endings of the formats of this build.
fn endings() -> &'static [&'static str] {
    if cfg!(feature = "sqlite") { &["book", "dat", "obk", "pfBook"] } else { &["book", "dat"] }
}

#[test]
fn every_format_gives_back_what_it_was_given_and_is_changed_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let records = random_games("xiangqi", "axf", 12, 60);
    let pages = pages_of(&records, 10);
    let tables = positions(&records);
    let own = folder.path().join("a.book");
    pages.save(&own).unwrap();
    let own = Book::open(&own).unwrap();
    let mut with_moves = 0;
    for ending in endings() {
        let path = folder.path().join(format!("b.{ending}"));
        pages.save(&path).unwrap();
        let mut book = Book::open(&path).unwrap();
        assert_eq!((book.format().key(), book.game()), (*ending, "xiangqi"));
        let is_elephant = book.format() == BookFormat::Elephant;
        for table in &tables {
            let mut expected = moves_of(&own, &**table);
            if is_elephant {
                // A weight and no more, and both moves of a board that is its own image.
                expected.retain(|(_, score, _)| *score > 0);
                expected.iter_mut().for_each(|(.., results)| *results = [0; 3]);
            }
            let found = moves_of(&book, &**table);
            assert!(expected.iter().all(|one| found.contains(one)), "{ending}: {expected:?} {found:?}");
            assert!(is_elephant || found.len() == expected.len(), "{ending}: {expected:?} {found:?}");
            with_moves += usize::from(!found.is_empty());
            for (image, other) in table.images().into_iter().filter(|(image, _)| *image == Image::MIRROR) {
                let turned = |one: &BookMove| image.of_action(one.action, table.size());
                let there: BTreeSet<_> = book.moves(&**table).unwrap().iter().map(turned).map(|a| format!("{a:?}")).collect();
                let here: BTreeSet<_> = book.moves(&*other).unwrap().iter().map(|one| format!("{:?}", one.action)).collect();
                assert!(there == here || table.key() == other.key(), "{ending}");
            }
        }
        let before = std::fs::read(&path).unwrap();
        edited(&mut book);
        let backup = folder.path().join(format!("b.{ending}.backup"));
        let kept = std::fs::read(&backup).unwrap();
        assert!(kept == before || book.format() == BookFormat::Obk || book.format() == BookFormat::PfBook);
        // It opens by its content, and has what the book had.
        std::fs::rename(&backup, folder.path().join(format!("c.{ending}"))).unwrap();
        let kept = Book::open(&folder.path().join(format!("c.{ending}"))).unwrap();
        pages.save(&path).unwrap();
        let fresh = Book::open(&path).unwrap();
        assert!(tables.iter().all(|table| moves_of(&kept, &**table) == moves_of(&fresh, &**table)));
    }
    assert!(with_moves > 300, "{with_moves}");
}

#[test]
fn a_book_of_games_has_what_a_replay_of_the_games_counts() {
    let folder = tempfile::tempdir().unwrap();
    for (game, variant) in [("xiangqi", "axf"), ("gomoku", "renju:15"), ("two-eat-one", "standard"), ("tic-tac-toe", "standard")]
    {
        let records = random_games(game, variant, 9, 80);
        let mut library = Library::open_to_write(Arc::new(Memory::default())).unwrap();
        let mut added = Vec::new();
        for record in records {
            if library.wants(&record).unwrap() {
                library.add(&record).unwrap();
                library.flush().unwrap();
                added.push(record);
            }
        }
        let path = folder.path().join(format!("{game}.book"));
        pages_of(&added, usize::MAX).save(&path).unwrap();
        let book = Book::open(&path).unwrap();
        assert_eq!((book.game(), book.variant()), (game, Some(variant)));
        let mut counted = 0;
        for table in positions(&added) {
            let position = Some(PositionQuery::position(&*table, true).unwrap());
            let explored = library.explore(&Query { position, ..Query::default() }).joined(&*table);
            let moves = book.moves(&*table).unwrap();
            let results = |one: &BookMove| one.results.iter().sum::<u32>() as usize;
            let of_mover = |first: usize, second: usize| if table.turn() == Side::First { first } else { second };
            for count in &explored.moves {
                let known = explored.moves.len() == moves.len();
                // Moves that are images of each other on a board that is its own image are told as one of them.
                let one = moves.iter().find(|one| one.action == count.action || same_by_image(&*table, one.action, count.action));
                let one = one.unwrap_or_else(|| panic!("{game}: {:?}", count.action));
                let wins = of_mover(count.first_wins, count.second_wins);
                let unknown = count.games - count.first_wins - count.draws - count.second_wins;
                assert!(known, "{game}: {moves:?}");
                assert_eq!((one.results[0] as usize, one.results[1] as usize), (wins, count.draws), "{game}");
                assert_eq!(results(one) + unknown, count.games, "{game}");
                assert_eq!(one.score as usize, 2 * wins + count.draws + unknown, "{game}");
                counted += 1;
            }
        }
        assert!(counted > 100, "{game}: {counted}");
    }
}

/// True if an image of the board that leaves it as it is turns one move into the other.
fn same_by_image(table: &dyn Table, one: Action, other: Action) -> bool {
    table.images().iter().any(|(image, turned)| turned.key() == table.key() && image.of_action(one, table.size()) == other)
}

#[test]
fn what_is_no_book_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let why = Book::open(&path).err().unwrap_or_else(|| panic!("{name} is no book")).to_string();
        assert!(why.contains(name), "{why}");
        why
    };
    let head = "qiju book 1 xiangqi axf\n";
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n";
    let own = |text: &str| refused("a.book", format!("{head}{text}").as_bytes());
    assert!(own("rnba w\n").contains("line 2: position, character"));
    assert!(own(" h2e2 1 0 0 0\n").contains("line 2: there is no position"));
    assert!(own(&format!("{start} h2e9 1 0 0 0\n")).contains("line 3: 'h2e9'"));
    assert!(own(&format!("{start} h2e2 1 0 0\n")).contains("line 3: after a move"));
    assert!(own(&format!("{start} h2e2 1 0 0 -1\n")).contains("line 3: after a move"));
    assert!(refused("b.book", b"qiju book 1 chess\n").contains("line 1: there is no game 'chess'"));
    assert!(refused("c.book", b"qiju book 1 xiangqi axf\n\xff").contains("UTF-8"));
    assert!(refused("d.dat", &[0; 15]).contains("byte 8: a record of the book has 8 bytes"));
    assert!(refused("e.dat", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).contains("byte 8: the records are not in order"));
    assert!(refused("f.obk", b"no database").contains("no SQLite database"));
    assert!(refused("g.doc", b"nothing at all").contains("no record in any known format"));
    assert!(refused("h.db", &[1, 0, 0, 0, 9, 0, 0]).contains("byte 6: the file is cut off"));
    assert!(refused("i.db", &[0, 0, 0, 0, 9]).contains("byte 4: there is more"));
    assert!(refused("j.db", &[1, 0, 0, 0, 5, 0, 0, 15, 15, 20, 7, 0, 0]).contains("byte 4: this is no position"));
    assert!(Book::open(&folder.path().join("none.obk")).is_err_and(|why| why.to_string().contains("no such file")));
    assert!(Book::open(folder.path()).is_err());
    // A book that is whole, but of another game, and one that can only be read.
    let path = folder.path().join("k.book");
    std::fs::write(&path, format!("{head}{start} h2e2 1 0 0 0\n")).unwrap();
    let mut book = Book::open(&path).unwrap();
    let gomoku = table_of("gomoku", None, "");
    assert!(book.moves(&*gomoku).is_err_and(|why| why.to_string().contains("a book of xiangqi, not of gomoku")));
    let table = xiangqi("h2e2");
    let white = BookMove::new(xiangqi("").read("h2e2").unwrap(), 1);
    let illegal = book.edit(&*table, &BookEdit::Put(white)).unwrap_err().to_string();
    assert!(illegal.contains("is illegal"), "{illegal}");
    assert!(!folder.path().join("k.book.backup").exists());
    let path = folder.path().join("l.pgn");
    std::fs::write(&path, "[Game \"Chinese Chess\"]\n\n1. h2e2 h9g7 *\n").unwrap();
    let mut book = Book::open(&path).unwrap();
    let action = xiangqi("").read("g3g4").unwrap();
    assert!(
        book.edit(&*xiangqi(""), &BookEdit::Put(BookMove::new(action, 1)))
            .is_err_and(|why| why.to_string().contains("only be read"))
    );
    let pages = pages_of(&random_games("gomoku", "freestyle:15", 4, 2), 4);
    assert!(pages.save(&folder.path().join("m.obk")).is_err_and(|why| why.to_string().contains("only books of xiangqi")));
    assert!(pages.save(&folder.path().join("m.doc")).is_err_and(|why| why.to_string().contains("the ending of a book")));
    assert!(pages.save(&folder.path().join("no/m.book")).is_ok_and(|()| folder.path().join("no/m.book").exists()));
}

#[test]
fn records_are_books_with_their_variations_and_comments() {
    let folder = tempfile::tempdir().unwrap();
    // RenLib: h8, then h9 at the end of a line with a sibling, and i9 with a comment.
    let mut library = b"\xffRenLib\xff\x03\x00".to_vec();
    library.resize(20, 0xff);
    library.extend([0x78, 0x00, 0x68, 0xc0, 0x69, 0x48]);
    library.extend(b"sharp\0");
    let path = folder.path().join("a.lib");
    std::fs::write(&path, library).unwrap();
    let book = Book::open(&path).unwrap();
    assert_eq!((book.format(), book.game()), (BookFormat::Records, "gomoku"));
    let table = table_of("gomoku", None, "h8");
    let moves = book.moves(&*table).unwrap();
    assert_eq!(moves.iter().map(|one| one.score).collect::<Vec<_>>(), [1, 1]);
    let noted = moves.iter().find(|one| one.action == table.read("i9").unwrap());
    assert!(noted.is_some_and(|one| one.note == "sharp"), "{moves:?}");
    // By other rules on the same board, and not on another one.
    assert_eq!(book.moves(&*table_of("gomoku", Some("renju:15"), "h8")).unwrap().len(), 2);
    assert_eq!(book.moves(&*table_of("gomoku", Some("freestyle:19"), "h8")).unwrap(), []);
    // Games: each counts, with its result for the side that moves.
    let path = folder.path().join("b.pgn");
    let game = |result: &str, moves: &str| format!("[Game \"Chinese Chess\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let games = [game("1-0", "1. h2e2 h9g7"), game("0-1", "1. b2e2 b9c7"), game("1/2-1/2", "1. g3g4 (1. c3c4 g6g5) h9g7")];
    std::fs::write(&path, games.concat()).unwrap();
    let book = Book::open(&path).unwrap();
    let start = xiangqi("");
    let [cannon, soldier] = &book.moves(&*start).unwrap()[..] else { panic!("two moves and their images") };
    assert_eq!((cannon.score, cannon.results), (2, [1, 0, 1]));
    assert_eq!((soldier.score, soldier.results), (2, [0, 1, 0]));
    let after = xiangqi("h2e2");
    assert_eq!(moves_of(&book, &*after), [("h9g7".to_owned(), 2, [1, 0, 1])]);
}

#[test]
fn databases_of_yixin_are_read_plain_and_packed() {
    let folder = tempfile::tempdir().unwrap();
    let record = |key: &[u8], contents: &[u8]| {
        let length = |bytes: &[u8]| (bytes.len() as u16).to_le_bytes();
        [&length(key)[..], key, &length(contents), contents].concat()
    };
    // Renju after h8 and h9: a win for white, who has moved, with a comment; after h8 and i9: a value of -30 for black; h8 and j10 is not to be played.
    let records = [
        record(&[0, 0, 0], b"\0\0\0\0\0charset=\"UTF-8\""),
        record(&[2, 15, 15, 7, 7, 7, 6], b"w\0\0\0\0@BTXT@77A\x08\xe5\xa5\xbd"),
        record(&[2, 15, 15, 7, 7, 8, 6], &[0xff, 0xe2, 0xff, 0, 0]),
        record(&[2, 15, 15, 7, 7, 9, 5], b"x\0\0\0\0"),
        record(&[0, 15, 15, 7, 7, 7, 5], b"w\0\0\0\0"),
    ];
    let plain = [&5u32.to_le_bytes()[..], &records.concat()].concat();
    let path = folder.path().join("a.db");
    std::fs::write(&path, &plain).unwrap();
    let table = table_of("gomoku", Some("renju:15"), "h8");
    let found = Book::open(&path).unwrap().moves(&*table).unwrap();
    let told = |one: &BookMove| (one.score, one.shunned, one.note.clone());
    // Four images of the first, four of each of the others.
    assert_eq!(found.iter().filter(|one| told(one) == (30_000, false, "好".to_owned())).count(), 4, "{found:?}");
    assert_eq!(found.iter().filter(|one| told(one) == (30, false, String::new())).count(), 4);
    assert_eq!(found.iter().filter(|one| one.shunned).count(), 4);
    assert_eq!(found.len(), 12);
    assert_eq!(weights(&found)[..4], [30_000; 4]);
    let free = table_of("gomoku", Some("freestyle:15"), "h8");
    assert_eq!(Book::open(&path).unwrap().moves(&*free).unwrap().len(), 4);
    // In a frame of LZ4: a block as it is, and one with repetitions.
    let frame = |blocks: &[u8]| [&0x184d_2204u32.to_le_bytes()[..], &[0x60, 0x40, 0x82], blocks, &[0; 4]].concat();
    let as_it_is = [&(plain.len() as u32 | 0x8000_0000).to_le_bytes()[..], &plain].concat();
    let mut block = vec![0xf0, (plain.len() - 15 - 4) as u8];
    block.extend(&plain[..plain.len() - 4]);
    // The last four bytes as they stand at the end of the record before, which is as long.
    block.extend([16, 0]);
    let packed = [&(block.len() as u32).to_le_bytes()[..], &block].concat();
    assert!(plain.ends_with(&[0; 4]));
    for (name, blocks) in [("b.db", as_it_is), ("c.db", packed)] {
        let path = folder.path().join(name);
        std::fs::write(&path, frame(&blocks)).unwrap();
        let mut again = Book::open(&path).unwrap().moves(&*table).unwrap();
        again.retain(|one| found.contains(one));
        assert_eq!(again.len(), found.len());
        std::fs::write(&path, &frame(&blocks)[..frame(&blocks).len() / 2]).unwrap();
        assert!(Book::open(&path).is_err_and(|why| why.to_string().contains("cut off")));
    }
}

/// What a player with a book answers; no nodes if it is from the book.
fn think(player: &mut BookPlayer, table: &dyn Table, request: &SearchRequest) -> Result<(String, bool), Message> {
    use qiju_core::table::Player;
    let mut searched = false;
    let found = player.think(table, request, &StopToken::new(), &mut |_| searched = true)?;
    Ok((table.write(found.unwrap(), Notation::Uci).unwrap(), searched))
}

#[test]
fn a_player_plays_from_a_book_in_proportion_and_to_its_depth() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let text = format!(
        "qiju book 1 xiangqi axf\n{start}\n h0i2 30 0 0 0\n g3g4 10 0 0 0 # quiet\n a3a4 -5 9 0 0\n i0i1 90 0 0 0 never\n\
         rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5CN/9/RNBAKAB1R b\n a6a5 0 1 0 0\n i6i5 0 0 0 4\n"
    );
    std::fs::write(&path, text).unwrap();
    let player = |plies| BookPlayer::new(xiangqi("").player(), BookUse { file: path.clone(), plies });
    let request = |seed| {
        let mut request = SearchRequest { limits: Limits::nodes(500), book: true, ..SearchRequest::default() };
        request.options.seed = seed;
        request
    };
    let table = xiangqi("");
    let mut with_book = player(40);
    let chosen: Vec<String> = (0..200)
        .map(|seed| {
            let (mv, searched) = think(&mut with_book, &*table, &request(seed)).unwrap();
            assert!(!searched);
            mv
        })
        .collect();
    let share = chosen.iter().filter(|mv| *mv == "h0i2").count();
    assert!((120..180).contains(&share) && chosen.iter().all(|mv| mv == "h0i2" || mv == "g3g4"), "{share}");
    assert_eq!(think(&mut with_book, &*table, &request(7)).unwrap().0, chosen[7]);
    // Without scores the results decide; a move that only lost is not played.
    assert_eq!(think(&mut with_book, &*xiangqi("h0i2"), &request(1)).unwrap(), ("a6a5".to_owned(), false));
    // Where the book ends, where it may not be used, and where its moves are left out, the engine thinks.
    assert!(think(&mut with_book, &*xiangqi("a3a4"), &request(1)).unwrap().1);
    assert!(think(&mut player(1), &*xiangqi("h0i2"), &request(1)).unwrap().1);
    assert!(think(&mut with_book, &*table, &SearchRequest { book: false, ..request(1) }).unwrap().1);
    let left_out = ["h0i2", "g3g4"].map(|text| table.read(text).unwrap()).to_vec();
    assert!(think(&mut with_book, &*table, &SearchRequest { left_out, ..request(1) }).unwrap().1);
    // A book that is not there is told once.
    let file = Path::new("/nonexistent/a.obk").to_owned();
    let mut without = BookPlayer::new(table.player(), BookUse { file, plies: 40 });
    assert!(think(&mut without, &*table, &request(1)).is_err_and(|why| why.to_string().contains("/nonexistent/a.obk: ")));
    assert!(think(&mut without, &*table, &request(1)).unwrap().1);
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;
    use rusqlite::Connection;
    use rusqlite::types::Value;

    /// The key of the start position in these books.
    const START: i64 = 0x628d_04d7_c9c1_44ae;

    #[test]
    fn databases_of_other_programs_are_read_as_they_come() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obk");
        // Without an index and some columns; a note of bytes in an old encoding; a move in the other order; one that is no move, one of nobody, one of text.
        let other = Connection::open(&path).unwrap();
        other
            .execute_batch(&format!(
                "CREATE TABLE BHOBK (vkey, vmove, vscore REAL, vvalid INTEGER, vmemo BLOB);
                 INSERT INTO bhobk VALUES ({START}, {0}, 12.0, 1, x'bac3c6e5');
                 INSERT INTO bhobk VALUES ({START}, {1}, 99, 0, NULL);
                 INSERT INTO bhobk VALUES ({START}, {2}, 5, NULL, 'plain');
                 INSERT INTO bhobk VALUES ({START}, 0, 5, 1, NULL), ({START}, NULL, 5, 1, NULL), ({START}, 70000, 5, 1, NULL);
                 INSERT INTO bhobk VALUES ({START}, 'x', 'y', 'z', 7), ({START}, {3}, 5, 1, NULL);",
                0xaaa7, 0xc6a7, 0x8999, 0xaa17
            ))
            .unwrap();
        drop(other);
        let mut book = Book::open(&path).unwrap();
        let table = xiangqi("");
        let told: Vec<_> = book.moves(&*table).unwrap();
        let written =
            |one: &BookMove| (table.write(one.action, Notation::Uci).unwrap(), one.score, one.shunned, one.note.clone());
        let text = str::to_owned;
        let expected = [("h2e2", 12, false, "好棋"), ("g3g4", 5, false, "plain"), ("d0e1", 99, true, "")];
        let found: Vec<_> = told.iter().map(written).collect();
        let expected = expected.map(|(mv, score, shunned, note)| (text(mv), score, shunned, text(note)));
        assert_eq!(found[..2], expected[..2], "{found:?}");
        // Results have no column here.
        let put = BookMove { results: [1, 0, 0], ..told[0].clone() };
        assert!(book.edit(&*table, &BookEdit::Put(put)).is_err_and(|why| why.to_string().contains("no column vwin")));
        book.edit(&*table, &BookEdit::Put(BookMove { score: 13, ..told[0].clone() })).unwrap();
        assert_eq!(book.moves(&*table).unwrap()[0].score, 13);
        let kept = Connection::open(folder.path().join("a.obk.backup")).unwrap();
        let score: f64 = kept.query_row("SELECT max(vscore) FROM bhobk WHERE vvalid = 1", [], |row| row.get(0)).unwrap();
        assert_eq!(score, 12.0);
    }

    #[test]
    fn keys_with_their_highest_bit_are_floating_point_numbers_in_an_obk_alone() {
        let folder = tempfile::tempdir().unwrap();
        let records = random_games("xiangqi", "axf", 8, 40);
        let pages = pages_of(&records, 8);
        for (ending, table) in [("obk", "bhobk"), ("pfBook", "pfBook")] {
            let path = folder.path().join(format!("a.{ending}"));
            pages.save(&path).unwrap();
            let rows = Connection::open(&path).unwrap();
            let mut asked = rows.prepare(&format!("SELECT vkey FROM {table}")).unwrap();
            let keys: Vec<Value> = asked.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            let real = keys.iter().filter(|key| matches!(key, Value::Real(key) if *key < 0.0)).count();
            let negative = keys.iter().filter(|key| matches!(key, Value::Integer(key) if *key < 0)).count();
            assert!(keys.contains(&Value::Integer(START)));
            assert!(if ending == "obk" { real > 20 && negative < 5 } else { real == 0 && negative > 20 }, "{real} {negative}");
            // The other form is read too.
            drop(asked);
            if ending == "pfBook" {
                rows.execute_batch("ALTER TABLE pfBook RENAME TO bhobk; DROP TABLE bookVersion").unwrap();
                let book = Book::open(&path).unwrap();
                assert_eq!(book.format(), BookFormat::Obk);
                let other = Book::open(&folder.path().join("a.obk")).unwrap();
                assert!(positions(&records).iter().all(|table| moves_of(&book, &**table) == moves_of(&other, &**table)));
            }
        }
    }

    #[test]
    fn a_database_that_is_no_book_or_damaged_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obk");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE bhobk (vkey INTEGER)").unwrap();
        drop(other);
        let why = |path: &Path| Book::open(path).map(drop).unwrap_err().to_string();
        assert!(why(&path).contains("no table bhobk or pfBook"), "{}", why(&path));
        let whole = folder.path().join("b.obk");
        pages_of(&random_games("xiangqi", "axf", 12, 200), 12).save(&whole).unwrap();
        let bytes = std::fs::read(&whole).unwrap();
        for length in [20, 100, 3000] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(why(&path).contains("a.obk: the database says: "), "{}", why(&path));
        }
        // The head is whole, the rows are not.
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let told = Book::open(&path).and_then(|book| book.moves(&*xiangqi("")));
        assert!(told.is_err_and(|why| why.to_string().contains("a.obk: the database says: ")));
    }
}
