//! Games come back as they were added, damage is told, and what is found is what a replay of all games finds.

use qiju_core::games::{self, REGISTRY};
use qiju_core::library::{Added, Explored, GameId, Hit, LISTED, Library, Order, PositionQuery, Query, engine_games};
use qiju_core::record::data::LIBRARY;
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::{Outcome, Point, Reason, Side};
use qiju_core::storage::{Faults, Files, Memory, Storage};
use qiju_core::table::{Action, Cursor, Glyph, Image, Notation, Origin, Piece, Setup, Table, Tree};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A random game that prefers some moves, so that games meet, with names and a result.
fn random_game(game: &str, variant: &str, plies: usize, seed: u64) -> Record {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut record = Record::new(game, Setup { variant: Some(variant.to_owned()), position: None });
    let mut table = record.table().unwrap();
    let mut at = Tree::ROOT;
    while record.tree.len() <= plies {
        let actions = table.actions();
        if actions.is_empty() {
            break;
        }
        // In the first moves one of three, the same in every game.
        let count = if record.tree.len() < 6 { 3.min(actions.len()) } else { actions.len() };
        let action = actions[random.usize(..count) * actions.len() / count];
        table.play(action).unwrap();
        at = record.tree.add(at, action, Origin::Record);
    }
    record.seats.first = SeatSpec::External { name: format!("Player {}", seed % 7) };
    record.seats.second = if seed.is_multiple_of(3) { SeatSpec::computer(4) } else { SeatSpec::Human };
    record.tags.set("Event", format!("Cup {}", seed % 5));
    record.tags.set("Date", format!("20{:02}.0{}.17", seed % 30, 1 + seed % 9));
    record.tags.set("ECCO", ["A10", "B23", "C99"][seed as usize % 3]);
    let reason = Reason::Resignation;
    record.result = table.outcome().or([
        Some(Outcome::win(Side::First, reason)),
        Some(Outcome::win(Side::Second, reason)),
        Some(Outcome::draw(Reason::Agreement)),
        None,
    ][seed as usize % 4]);
    record
}

fn random_games(plies: usize, count: u64) -> Vec<Record> {
    let mut all = Vec::new();
    for entry in REGISTRY {
        for (number, variant) in (entry.variants)().iter().enumerate() {
            all.extend((0..count).map(|seed| random_game(entry.key, variant, plies, seed * 64 + number as u64)));
        }
    }
    let swap2 = (0..count).map(|seed| {
        let mut record = Record::new("gomoku", Setup { variant: Some("freestyle:15+swap2".to_owned()), position: None });
        let (mut table, mut random) = (record.table().unwrap(), fastrand::Rng::with_seed(seed));
        let mut at = Tree::ROOT;
        for _ in 0..12 {
            let Some(action) = random.choice(table.actions()) else { break };
            table.play(action).unwrap();
            at = record.tree.add(at, action, Origin::Main);
        }
        record
    });
    all.extend(swap2);
    all
}

fn library_of(records: &[Record]) -> (Memory, Library) {
    let storage = Memory::default();
    let mut library = Library::open_to_write(Arc::new(storage.clone())).unwrap();
    for record in records {
        library.add(record).unwrap();
    }
    library.flush().unwrap();
    (storage, library)
}

fn reopened(storage: &Memory) -> Library {
    Library::open(Arc::new(storage.clone())).unwrap()
}

fn plain(mut record: Record) -> Record {
    record.tree = record.tree.packed();
    record
}

#[test]
fn a_game_comes_back_as_it_was_added() {
    let mut records = random_games(80, 3);
    let middle = random_game("xiangqi", "axf", 40, 9).replay().unwrap();
    let mut from_position = Record::new("xiangqi", Setup { variant: None, position: Some(middle.position_text()) });
    from_position.tree = Tree::of_line([middle.actions()[0]], Origin::Engine);
    records.push(from_position);
    records.push(Record::new("gomoku", Setup { variant: None, position: Some("h8i9j10".to_owned()) }));
    let mut annotated = random_game("xiangqi", "axf", 30, 77);
    let line = annotated.tree.main_line();
    annotated.tree.set_comment(Tree::ROOT, "a comment on the game");
    annotated.tree.add_glyphs(line[3], &[Glyph(2)]);
    annotated.tree.set_time(line[4], Some(1234));
    let mut cursor = Cursor::at_root(annotated.table().unwrap());
    cursor.go(&annotated.tree, line[5]);
    for action in cursor.table().actions().into_iter().take(3) {
        cursor.play(&mut annotated.tree, action, Origin::Variation).unwrap();
        cursor.go(&annotated.tree, line[5]);
    }
    records.push(annotated);
    let (storage, library) = library_of(&records);
    let mut distinct = HashSet::new();
    let known = |record: &&Record| distinct.insert((record.game.clone(), record.setup.clone(), record.main_actions()));
    let distinct: Vec<&Record> = records
        .iter()
        .filter({
            let mut known = known;
            move |record| known(record)
        })
        .collect();
    for library in [library, reopened(&storage)] {
        let ids: Vec<GameId> = library.ids().collect();
        assert_eq!(ids.len(), distinct.len());
        for (id, record) in ids.iter().zip(&distinct) {
            assert_eq!(plain(library.record(*id).unwrap()), plain((*record).clone()), "{}", record.to_line());
            assert_eq!(id.to_string().parse(), Ok(*id));
        }
    }
}

#[test]
fn a_move_takes_little_room() {
    for (game, variant, most) in
        [("xiangqi", "axf", 1.0), ("gomoku", "renju", 1.0), ("gomoku", "freestyle:20", 1.13), ("two-eat-one", "standard", 1.0)]
    {
        let records: Vec<Record> = (0..20).map(|seed| random_game(game, variant, 120, seed)).collect();
        let size = library_of(&records).1.size();
        assert!(size.plies > 200 && size.moves as f64 <= most * size.plies as f64, "{game}: {size:?}");
    }
}

#[test]
fn a_game_is_kept_once_and_what_is_written_about_it_is_added() {
    let record = random_game("xiangqi", "axf", 30, 1);
    let (storage, mut library) = library_of(std::slice::from_ref(&record));
    let mut other_names = record.clone();
    other_names.seats.first = SeatSpec::Human;
    assert_eq!(library.add(&other_names), Ok(Added::Known));
    let mut richer = record.clone();
    richer.tree.set_comment(Tree::ROOT, "what is written");
    assert_eq!(library.add(&richer), Ok(Added::Richer));
    library.flush().unwrap();
    assert_eq!(library.add(&record), Ok(Added::Known));
    for library in [&library, &reopened(&storage)] {
        assert_eq!((library.size().games, library.size().deleted), (1, 1));
        let id = library.ids().next().unwrap();
        assert_eq!(plain(library.record(id).unwrap()), plain(richer.clone()));
    }
}

/// A record with as much beside its moves and more of something takes the place of the one that is there; what the player changed stays.
#[test]
fn what_is_annotated_later_is_taken_over() {
    let mut record = random_game("xiangqi", "axf", 30, 1);
    let line = record.tree.main_line();
    record.tree.set_comment(line[3], "good");
    record.tags.set("Annotator", "Wang");
    let (storage, mut library) = library_of(std::slice::from_ref(&record));
    let id = library.ids().next().unwrap();
    let mut told = library.outline(id).unwrap();
    told.seats.first = SeatSpec::of_name("Li");
    told.tags.set("Event", "Own cup");
    told.tags.set_keyword("to study", true);
    library.tell(id, &told).unwrap();
    library.flush().unwrap();
    let with = |change: &dyn Fn(&mut Record)| {
        let mut changed = record.clone();
        change(&mut changed);
        changed
    };
    let longer = with(&|record| record.tree.set_comment(line[3], "good, and the only move"));
    let fewer = with(&|record| {
        record.tree.set_comment(line[3], "ok");
        record.tree.add_glyphs(line[4], &[Glyph(2)]);
    });
    let foreign = with(&|record| {
        record.tree.set_comment(line[3], "a long comment by somebody else");
        record.tags.set("Annotator", "Zhao");
    });
    let glyphs = with(&|record| {
        record.tree.set_comment(line[3], "good, and the only move");
        record.tree.add_glyphs(line[4], &[Glyph(2)]);
        record.tags.set("Round", "3");
    });
    let steps = [
        (&record, Added::Known),
        (&fewer, Added::Known),
        (&foreign, Added::Known),
        (&longer, Added::Richer),
        (&longer, Added::Known),
        (&record, Added::Known),
        (&glyphs, Added::Richer),
        (&longer, Added::Known),
    ];
    for (number, (record, expected)) in steps.into_iter().enumerate() {
        assert_eq!(library.wants(record), Ok(expected != Added::Known), "{number}");
        assert_eq!(library.add(record), Ok(expected), "{number}");
        library.flush().unwrap();
    }
    for library in [&library, &reopened(&storage)] {
        let found = library.record(id).unwrap();
        assert_eq!((library.size().games, found.tree.packed()), (1, glyphs.tree.packed()));
        let tag = |name: &str| found.tags.get(name).unwrap_or_default();
        assert_eq!([tag("Event"), tag("Keywords"), tag("Round"), tag("Annotator")], ["Own cup", "to study", "3", "Wang"]);
        assert_eq!((found.seats.first.to_string().as_str(), &found.seats.second), ("Li", &record.seats.second));
    }
    // Both in one import, before anything is written.
    let mut bare = record.clone();
    bare.tree = Tree::of_line(record.main_actions(), Origin::Record);
    let (_, library) = library_of(&[bare, record.clone()]);
    assert_eq!(library.record(id).unwrap().tree.packed(), record.tree.packed());
}

/// What is told of a game changes, its moves stay; keywords come and go.
#[test]
fn what_is_told_of_a_game_can_be_changed() {
    let records: Vec<Record> = (0..5).map(|seed| random_game("gomoku", "standard", 20, seed)).collect();
    let (storage, mut library) = library_of(&records);
    let ids: Vec<GameId> = library.ids().collect();
    let mut expected = records.clone();
    for (number, (id, record)) in ids.iter().zip(&mut expected).enumerate().skip(1) {
        record.seats.second = SeatSpec::of_name("Somebody new");
        record.tags.set("Date", "1999.12.31");
        record.tags.set_keyword("To Study", true);
        record.tags.set_keyword("tidy", number > 2);
        record.set_winner(Some(None));
        library.tell(*id, record).unwrap();
    }
    library.flush().unwrap();
    let found = |library: &Library| -> Vec<Record> { library.ids().map(|id| library.record(id).unwrap()).collect() };
    assert_eq!(found(&library), expected);
    let with = |keywords: &[&str]| {
        let keywords = keywords.iter().map(|text| (*text).to_owned()).collect();
        library.search(&Query { keywords, ..Query::default() }).len()
    };
    assert_eq!((with(&["to study"]), with(&["TIDY", "to study"]), with(&["study"])), (4, 2, 0));
    let counts: Vec<_> = library.keywords(&ids).unwrap().into_iter().collect();
    assert_eq!(counts, [("To Study".to_owned(), 4), ("tidy".to_owned(), 2)]);
    let mut told = expected[3].clone();
    told.tags.set_keyword("to study", false);
    assert_eq!(told.tags.get("Keywords"), Some("tidy"));
    told.tags.set_keyword("tidy", false);
    assert_eq!(told.tags.get("Keywords"), None);
    library.compact().unwrap();
    assert_eq!((found(&library), found(&reopened(&storage))), (expected.clone(), expected.clone()));
    // What is told again and again does not make the file grow for ever.
    let before = library.size().bytes;
    for round in 0..20 {
        for (id, record) in ids.iter().zip(&mut expected) {
            record.tags.set("Round", round.to_string());
            library.tell(*id, record).unwrap();
        }
        library.settle().unwrap();
        assert!(library.size().bytes < 4 * before, "{round}");
    }
    assert_eq!((found(&library), found(&reopened(&storage))), (expected.clone(), expected));
    library.delete(ids[0]).unwrap();
    library.flush().unwrap();
    assert!(library.tell(ids[0], &records[0]).is_err());
}

#[test]
fn comments_material_and_lengths_are_found() {
    let start = |position: &str, moves: &str| {
        let text = format!("(game:\"xiangqi\",setup:(position:\"{position}\"),moves:[{moves}])");
        Record::read_all("t", &text).unwrap().remove(0)
    };
    let mut records = vec![
        // A chariot and a horse against a cannon, and the chariot is taken.
        start("3k5/9/9/9/9/2c6/9/2N6/9/2R1K4 b", "\"c4c0\",\"c2d4\""),
        // The other way round, with a soldier.
        start("r3k4/9/2n6/9/9/P8/9/9/9/3K1C3 w", "\"a4a5\""),
        start("3k5/9/9/9/9/9/9/9/9/R3K4 w", "\"a0a1\",\"d9d8\",\"a1a2\""),
    ];
    let line = records[2].tree.main_line();
    records[2].tree.set_comment(line[1], "王说：\"Well\nplayed\"");
    let (_, library) = library_of(&records);
    let ids: Vec<GameId> = library.ids().collect();
    let table = games::find("xiangqi").unwrap().table(&Setup::default()).unwrap();
    let hits = |query: Query| -> Vec<(usize, Option<usize>)> {
        let number = |hit: &Hit| ids.iter().position(|id| *id == hit.id).unwrap();
        library.search(&query).iter().map(|hit| (number(hit), hit.ply)).collect()
    };
    for (text, as_told, expected) in [
        ("RH-C", false, vec![(0, Some(0))]),
        ("rn-c", true, vec![(0, Some(0))]),
        ("C-RH", true, vec![]),
        ("C-RH", false, vec![(0, Some(0))]),
        ("RH-C*", false, vec![(0, Some(0)), (1, Some(0))]),
        ("CP-HR", true, vec![(1, Some(0))]),
        ("KH-KC", false, vec![(0, Some(1))]),
        ("R-", false, vec![(2, Some(0))]),
        ("*-*", false, vec![(0, Some(0)), (1, Some(0)), (2, Some(0))]),
    ] {
        let position = Some(PositionQuery::material(&*table, text, as_told, false).unwrap());
        assert_eq!(hits(Query { position, ..Query::default() }), expected, "{text} {as_told}");
    }
    for wrong in ["RH", "RX-C", "RRR-C", "1-2", "R-C-H"] {
        assert!(PositionQuery::material(&*table, wrong, false, false).is_err(), "{wrong}");
    }
    let stones = games::find("gomoku").unwrap().table(&Setup::default()).unwrap();
    assert!(PositionQuery::material(&*stones, "X-O", false, false).is_err());
    let comment = |text: &str| hits(Query { comment: Some(text.to_owned()), ..Query::default() }).len();
    assert_eq!(["王说", "well\nPLAYED\"", "：\"", "xiangqi", "comment"].map(comment), [1, 1, 1, 0, 0]);
    let lengths = |shortest, longest| hits(Query { shortest, longest, ..Query::default() }).len();
    assert_eq!((lengths(Some(2), None), lengths(None, Some(1)), lengths(Some(2), Some(2))), (2, 1, 1));
}

#[test]
fn what_is_deleted_leaves_the_file_when_it_is_compacted() {
    let records: Vec<Record> = (0..40).map(|seed| random_game("gomoku", "standard", 30, seed)).collect();
    let (storage, mut library) = library_of(&records);
    let ids: Vec<GameId> = library.ids().collect();
    ids.iter().step_by(2).for_each(|id| library.delete(*id).unwrap());
    library.flush().unwrap();
    let left: Vec<GameId> = ids.iter().skip(1).step_by(2).copied().collect();
    let check = |library: &Library| {
        assert_eq!(library.ids().collect::<Vec<_>>(), left);
        for (id, record) in left.iter().zip(records.iter().skip(1).step_by(2)) {
            assert_eq!(library.record(*id).as_ref(), Ok(record));
        }
    };
    check(&library);
    check(&reopened(&storage));
    assert!(library.delete(ids[0]).is_err() && library.record(ids[0]).is_err());
    // A deleted game can be added again.
    assert_eq!(library.add(&records[0]), Ok(Added::New));
    library.flush().unwrap();
    library.delete(ids[0]).unwrap();
    let before = library.size().bytes;
    library.compact().unwrap();
    check(&library);
    check(&reopened(&storage));
    assert!(library.size().bytes < before * 2 / 3 && library.size().deleted == 0);
    library.release();
    // What was deleted is not wanted any more, whatever becomes of the file, until it is added again.
    let mut library = reopened(&storage);
    assert_eq!((library.wants(&records[0]), library.wants(&records[1])), (Ok(false), Ok(false)));
    assert_eq!(library.wants(&random_game("gomoku", "standard", 30, 99)), Ok(true));
    drop(library);
    let mut library = Library::open_to_write(Arc::new(storage.clone())).unwrap();
    library.add(&records[0]).unwrap();
    library.flush().unwrap();
    library.delete(ids[0]).unwrap();
    library.compact().unwrap();
    assert_eq!(library.ids().count(), left.len());
    assert_eq!(reopened(&storage).wants(&records[0]), Ok(false));
}

#[test]
fn damage_is_told_and_the_rest_can_be_read() {
    let records: Vec<Record> = (0..30).map(|seed| random_game("xiangqi", "axf", 30, seed)).collect();
    let (storage, mut library) = library_of(&records[..10]);
    let mut ends = vec![storage.read(LIBRARY).unwrap().unwrap().len()];
    for part in records[10..].chunks(10) {
        part.iter().for_each(|record| assert!(library.add(record).is_ok()));
        library.flush().unwrap();
        ends.push(storage.read(LIBRARY).unwrap().unwrap().len());
    }
    drop(library);
    let whole = storage.read(LIBRARY).unwrap().unwrap();
    let of = |bytes: &[u8]| {
        let storage = Memory::default();
        storage.replace(LIBRARY, &[bytes]).unwrap();
        storage
    };
    // Cut anywhere: the blocks before are read, and the end can be written again.
    for length in [0, 5, 15, 16, 20, ends[0], ends[0] + 3, ends[1] - 1, ends[1] + 100, whole.len() - 1] {
        let storage = of(&whole[..length]);
        let games = 10 * ends.iter().filter(|end| **end <= length).count();
        let torn = length != 0 && length != 15 && !ends.contains(&length);
        let library = reopened(&storage);
        assert_eq!((library.ids().count(), library.damage().is_some()), (games, torn), "{length}");
        let mut library = Library::open_to_write(Arc::new(storage.clone())).unwrap();
        records.iter().for_each(|record| assert!(library.add(record).is_ok()));
        library.flush().unwrap();
        assert_eq!((reopened(&storage).ids().count(), reopened(&storage).damage()), (30, None), "{length}");
        assert_eq!(storage.read(&format!("{LIBRARY}.damaged-1")).unwrap().is_some(), torn);
    }
    // A changed byte spoils its own block.
    for at in [ends[0] + 9, ends[0] + 200, ends[1] - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        let library = reopened(&of(&bytes));
        assert_eq!(library.ids().count(), 20, "{at}");
        assert!(library.damage().unwrap().to_string().contains("damaged"));
        library.ids().for_each(|id| assert!(library.record(id).is_ok()));
    }
    for foreign in ["qiju library 2\nx", "something else"] {
        assert!(Library::open(Arc::new(of(foreign.as_bytes()))).is_err());
    }
}

/// Every step of writing may fail, for once or for good: what was acknowledged stays.
#[test]
fn a_failed_write_loses_nothing() {
    let records: Vec<Record> = (0..9).map(|seed| random_game("gomoku", "standard", 20, seed)).collect();
    let (mut failures, mut told_failures) = (0, 0);
    for first in 0..60 {
        for count in [1, usize::MAX] {
            let folder = tempfile::tempdir().unwrap();
            let faults = Faults::new(first, count, 7);
            let storage = Arc::new(Files::with_faults(folder.path(), faults));
            let Ok(mut library) = Library::open_to_write(storage.clone()) else { continue };
            let mut kept = HashSet::new();
            for (number, record) in records.iter().enumerate() {
                library.add(record).unwrap();
                if library.flush().is_ok() {
                    kept = (0..=number).collect();
                }
            }
            // What is told of the last game: before or after, whatever fails.
            let last = library.ids().last().filter(|_| kept.len() == records.len());
            let mut told = records[records.len() - 1].clone();
            told.tags.set_keyword("to study", true);
            let mut was_told = false;
            if let Some(id) = last {
                library.tell(id, &told).unwrap();
                was_told = library.flush().is_ok();
                told_failures += usize::from(!was_told);
            }
            let begin = library.ids().next();
            if let Some(id) = begin {
                library.delete(id).unwrap();
                // Whatever becomes of the new file, the others stay.
                let _ = library.compact();
                kept.remove(&0);
            }
            failures += usize::from(kept.len() < records.len() - 1);
            drop(library);
            let library = Library::open(Arc::new(Files::below(folder.path()))).unwrap();
            let mut found: Vec<Record> = library.ids().map(|id| library.record(id).unwrap()).collect();
            if last.is_some() {
                let tagged = found.iter().position(|record| *record == told);
                assert!(tagged.is_some() || !was_told, "step {first}: what was told is lost");
                if let Some(number) = tagged {
                    found[number] = records[records.len() - 1].clone();
                }
            }
            for number in kept {
                assert!(found.contains(&records[number]), "step {first}: game {number} is lost");
            }
        }
    }
    assert!(failures > 10 && told_failures > 0);
}

#[test]
fn only_one_program_changes_it() {
    let storage = Memory::default();
    let library = Library::open_to_write(Arc::new(storage.clone())).unwrap();
    assert!(Library::open_to_write(Arc::new(storage.clone())).is_err());
    let mut reader = reopened(&storage);
    reader.add(&random_game("gomoku", "standard", 20, 1)).unwrap();
    assert!(reader.flush().is_err());
    drop(library);
    assert!(Library::open_to_write(Arc::new(storage)).is_ok());
}

/// Pieces in order, and the side to move.
type Position = (Vec<(u8, u8, Side, u8)>, Side);

fn position(table: &dyn Table, image: Image) -> Position {
    let place = |(at, piece): (Point, Piece)| {
        let at = image.of(at, table.size());
        (at.x, at.y, piece.side, piece.role)
    };
    let mut pieces: Vec<_> = table.pieces().into_iter().map(place).collect();
    pieces.sort();
    (pieces, table.turn())
}

/// The positions of a game, each with the move that was played there.
fn visits(record: &Record) -> Vec<(Position, Option<Action>)> {
    let mut table = record.table().unwrap();
    let mut all = Vec::new();
    for action in record.main_actions() {
        all.push((position(&*table, Image::SAME), Some(action)));
        table.play(action).unwrap();
    }
    all.push((position(&*table, Image::SAME), None));
    all
}

/// The table after some moves of a game, often as an image of it.
fn table_of(record: &Record, ply: usize, random: &mut fastrand::Rng) -> Box<dyn Table> {
    let mut table = record.table().unwrap();
    record.main_actions()[..ply].iter().for_each(|action| drop(table.play(*action).unwrap()));
    let images = table.images();
    if table.opening().is_some() { table } else { images[random.usize(..images.len())].1.boxed_clone() }
}

/// The games of a library as the rules play them.
struct Replayed {
    records: Vec<Record>,
    ids: Vec<GameId>,
    visits: Vec<Vec<(Position, Option<Action>)>>,
    sizes: Vec<(u8, u8)>,
}

impl Replayed {
    fn of(library: &Library) -> Replayed {
        let ids: Vec<GameId> = library.ids().collect();
        let records: Vec<Record> = ids.iter().map(|id| library.record(*id).unwrap()).collect();
        let visits = records.iter().map(visits).collect();
        let sizes = records.iter().map(|record| record.table().unwrap().size()).collect();
        Replayed { records, ids, visits, sizes }
    }

    /// The numbers of the games that are played on the board of a table.
    fn on_board(&self, table: &dyn Table) -> Vec<usize> {
        let is_there = |number: &usize| self.records[*number].game == table.game() && self.sizes[*number] == table.size();
        (0..self.records.len()).filter(is_there).collect()
    }

    /// Asks for a random position of a game, which often is an early one, and compares with what a replay of all games finds. Returns the position and in how
    /// many games it occurs.
    fn compare(&self, library: &Library, random: &mut fastrand::Rng) -> (Box<dyn Table>, usize) {
        let asked = random.usize(..self.records.len());
        let plies = self.visits[asked].len();
        let most = if random.bool() { plies } else { plies.min(6) };
        let table = table_of(&self.records[asked], random.usize(..most), random);
        let same_rules = random.bool();
        let rules = |setup: &Setup| setup.rules().0.to_owned();
        let wanted: Vec<_> = table.images().iter().map(|(image, _)| (*image, position(&*table, *image))).collect();
        let mut counts: HashMap<Action, [usize; 4]> = HashMap::new();
        let mut games = Vec::new();
        for number in self.on_board(&*table) {
            let (record, visits) = (&self.records[number], &self.visits[number]);
            if same_rules && rules(&record.setup) != rules(table.setup()) {
                continue;
            }
            let found = visits.iter().enumerate().find_map(|(ply, (there, action))| {
                let (image, _) = wanted.iter().find(|(_, position)| position == there)?;
                Some((ply, *image, *action))
            });
            let Some((ply, image, action)) = found else { continue };
            games.push(Hit { id: self.ids[number], ply: Some(ply) });
            let Some(action) = action else { continue };
            let count = counts.entry(image.back_action(action, table.size())).or_default();
            count[0] += 1;
            if let Some(result) = record.result {
                count[result.winner.map_or(2, |side| 1 + 2 * side.index())] += 1;
            }
        }
        let found = PositionQuery::position(&*table, same_rules).unwrap();
        let query = Query { game: Some(table.game().to_owned()), position: Some(found), ..Query::default() };
        assert_eq!(library.search(&query), games, "{}", table.position_text());
        let explored = library.explore(&query);
        let found: HashMap<Action, [usize; 4]> = explored
            .moves
            .iter()
            .map(|count| (count.action, [count.games, count.first_wins, count.draws, count.second_wins]))
            .collect();
        assert_eq!((explored.games, &found), (games.len(), &counts), "{}", table.position_text());
        assert!(explored.moves.is_sorted_by_key(|count| std::cmp::Reverse(count.games)));
        assert!(explored.latest.iter().eq(&games[games.len().saturating_sub(LISTED)..]));
        let joined = explored.clone().joined(&*table);
        let total = |explored: &Explored| explored.moves.iter().map(|count| count.games).sum::<usize>();
        assert_eq!(total(&joined), total(&explored));
        (table, games.len())
    }
}

/// The explorer and the search for positions find what a replay of all games by the rules finds.
#[test]
fn what_is_found_is_what_a_replay_finds() {
    let (_, library) = library_of(&random_games(60, 12));
    let replayed = Replayed::of(&library);
    let mut random = fastrand::Rng::with_seed(5);
    let mut shared = 0;
    for _ in 0..100 {
        let (table, games) = replayed.compare(&library, &mut random);
        shared += usize::from(games > 1);
        // Some of the pieces.
        let mut pieces = table.pieces();
        random.shuffle(&mut pieces);
        pieces.truncate(random.usize(1..5));
        if pieces.is_empty() {
            continue;
        }
        let stands = |there: &Position, image: Image| {
            let stands = |(at, piece): &(Point, Piece)| {
                let at = image.of(*at, table.size());
                there.0.contains(&(at.x, at.y, piece.side, piece.role))
            };
            pieces.iter().all(stands)
        };
        let images: Vec<Image> = table.images().into_iter().map(|(image, _)| image).collect();
        let formed = replayed.on_board(&*table).into_iter().filter_map(|number| {
            let stands = |there: &Position| images.iter().any(|image| stands(there, *image));
            let ply = replayed.visits[number].iter().position(|(there, _)| stands(there))?;
            Some(Hit { id: replayed.ids[number], ply: Some(ply) })
        });
        let found = PositionQuery::formation(&*table, &pieces, false).unwrap();
        let query = Query { position: Some(found), ..Query::default() };
        assert_eq!(library.search(&query), formed.collect::<Vec<_>>(), "{pieces:?}");
    }
    assert!(shared > 20, "{shared}");
}

/// Each game that comes with the program is possible by the rules, ends as it tells, and is counted by the explorer; the file is small.
#[test]
fn the_games_of_our_engine_are_whole() {
    let library = engine_games();
    assert_eq!(library.damage(), None);
    assert!(library.size().bytes <= 1_500_000, "{:?}", library.size());
    let replayed = Replayed::of(library);
    for (record, visits) in replayed.records.iter().zip(&replayed.visits) {
        let mut table = record.table().unwrap();
        record.main_actions().into_iter().for_each(|action| drop(table.play(action).unwrap()));
        assert!(record.setup.position.is_none() && visits.len() > 8 && record.seats.first.to_string() == "Qiju");
        let end = record.result.unwrap();
        assert!(table.outcome().is_none_or(|outcome| outcome == end), "{}", record.to_line());
    }
    let of = |game: &str, variant: &str| {
        let of_this = |record: &&Record| record.game == game && record.setup.variant.as_deref() == Some(variant);
        replayed.records.iter().filter(of_this).count()
    };
    let counts = [("xiangqi", "axf"), ("gomoku", "freestyle"), ("gomoku", "renju")].map(|(game, variant)| of(game, variant));
    assert!(counts.iter().all(|count| *count >= 100) && counts.iter().sum::<usize>() == replayed.records.len(), "{counts:?}");
    let mut random = fastrand::Rng::with_seed(7);
    let shared = (0..30).filter(|_| replayed.compare(library, &mut random).1 > 10).count();
    assert!(shared > 5, "{shared}");
}

/// In a position that is its own image, a move and its images are one; the last year is told.
#[test]
fn images_of_a_move_are_counted_together() {
    let game = |game: &str, moves: &str, date: &str| {
        let mut record = Record::read_all("t", &format!("(game:\"{game}\",moves:[{moves}])")).unwrap().remove(0);
        record.tags.set("Date", date);
        record
    };
    let (_, library) = library_of(&[
        game("xiangqi", "\"h2e2\",\"h9g7\"", "1999.1.1"),
        game("xiangqi", "\"b2e2\",\"h9g7\"", "12/30/2011"),
        game("xiangqi", "\"b2e2\",\"b9c7\"", "?"),
        game("xiangqi", "\"c3c4\"", "1980"),
        game("gomoku", "\"h8\",\"i9\"", "?"),
        game("gomoku", "\"h8\",\"g7\"", "?"),
        game("gomoku", "\"h8\",\"h7\"", "?"),
    ]);
    let explore = |key: &str, moves: &[&str]| {
        let mut table = games::find(key).unwrap().table(&Setup::default()).unwrap();
        moves.iter().for_each(|text| drop(table.play(table.read(text).unwrap()).unwrap()));
        let position = Some(PositionQuery::position(&*table, false).unwrap());
        let explored = library.explore(&Query { game: Some(key.to_owned()), position, ..Query::default() });
        let text = |action| table.write(action, Notation::Uci).unwrap();
        let told = |explored: Explored| -> Vec<_> {
            explored.moves.into_iter().map(|count| (text(count.action), count.games, count.last_year)).collect()
        };
        (told(explored.clone()), told(explored.joined(&*table)))
    };
    let one = |text: &str, games: usize, year: Option<u16>| (text.to_owned(), games, year);
    let (apart, joined) = explore("xiangqi", &[]);
    assert_eq!(apart[..2], [one("b2e2", 2, Some(2011)), one("h2e2", 1, Some(1999))]);
    assert_eq!(joined, [one("h2e2", 3, Some(2011)), one("g3g4", 1, Some(1980))]);
    // A cannon on its file: the position is no image of itself.
    assert_eq!(explore("xiangqi", &["h2e2"]).1, [one("h9g7", 2, Some(1999)), one("b9c7", 1, Some(2011))]);
    assert_eq!(explore("gomoku", &["h8"]).1, [one("i9", 2, None), one("i8", 1, None)]);
}

#[test]
fn games_are_found_by_what_is_written_about_them() {
    let records: Vec<Record> = (0..60).map(|seed| random_game("xiangqi", "axf", 20, seed)).collect();
    let (_, library) = library_of(&records);
    let tag = |record: &Record, name: &str| record.tags.get(name).unwrap().to_owned();
    let text = |text: &str| Some(text.to_owned());
    let winner = |record: &Record| record.result.map(|result| result.winner);
    let words = |words: &str| Query { words: words.split(' ').map(str::to_owned).collect(), ..Query::default() };
    let cases: [(Query, &dyn Fn(&Record) -> bool); 11] = [
        (Query::default(), &|_| true),
        (Query { game: text("gomoku"), ..Query::default() }, &|_| false),
        (Query { player: text("PLAYER 3"), ..Query::default() }, &|record| record.seats.first.to_string() == "Player 3"),
        (Query { event: text("cup 2"), ..Query::default() }, &|record| tag(record, "Event") == "Cup 2"),
        (Query { from: text("2010"), ..Query::default() }, &|record| tag(record, "Date").as_str() >= "2010"),
        (Query { to: text("2010-05"), ..Query::default() }, &|record| tag(record, "Date").as_str() <= "2010.05.99"),
        (Query { result: Some(Some(Side::Second)), ..Query::default() }, &|record| winner(record) == Some(Some(Side::Second))),
        (Query { result: Some(None), ..Query::default() }, &|record| winner(record) == Some(None)),
        (Query { opening: text("b"), ..Query::default() }, &|record| tag(record, "ECCO").starts_with('B')),
        (words("PLAYER 2011"), &|record| tag(record, "Date").starts_with("2011")),
        (words("cup b23 02"), &|record| tag(record, "ECCO") == "B23" && tag(record, "Date").contains("02")),
    ];
    for (number, (query, holds)) in cases.iter().enumerate() {
        let found: Vec<Record> = library.search(query).iter().map(|hit| library.record(hit.id).unwrap()).collect();
        let expected: Vec<&Record> = records.iter().filter(|record| holds(record)).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{number}");
        assert!(number < 2 || (1..60).contains(&expected.len()), "{number}");
    }
    let table = games::find("gomoku").unwrap().table(&Setup::default()).unwrap();
    assert!(PositionQuery::formation(&*table, &[], false).is_err());
    // Own games: by the name, and a match that was played here by somebody without a name.
    let mut own = random_game("xiangqi", "axf", 20, 61);
    own.tree = Tree::of_line(own.main_actions(), Origin::Main);
    let (_, library) = library_of(&[&records[..], &[own.clone()]].concat());
    for mine in [true, false] {
        let found = library.search(&Query { whose: Some((vec!["player 3".to_owned()], mine)), ..Query::default() });
        let found: Vec<Record> = found.iter().map(|hit| library.record(hit.id).unwrap()).collect();
        let is_mine = |record: &&Record| (record.seats.first.to_string() == "Player 3" || **record == own) == mine;
        assert_eq!(found.iter().collect::<Vec<_>>(), records.iter().chain([&own]).filter(is_mine).collect::<Vec<_>>());
    }
}

#[test]
fn both_chinese_scripts_find_the_same_games() {
    let mut record = random_game("xiangqi", "axf", 20, 62);
    record.seats.first = SeatSpec::External { name: "胡榮華".to_owned() };
    record.tags.set("Event", "全国赛");
    let (_, library) = library_of(&[record]);
    let found = |player: Option<&str>, word: Option<&str>| {
        let words = word.into_iter().map(str::to_owned).collect();
        library.search(&Query { player: player.map(str::to_owned), words, ..Query::default() }).len()
    };
    assert_eq!(["胡榮華", "胡荣华", "荣", "胡荣"].map(|name| found(Some(name), None)), [1; 4]);
    assert_eq!(["全國賽", "全国赛"].map(|word| found(None, Some(word))), [1; 2]);
    assert_eq!((found(Some("许銀川"), None), found(None, Some("全國盃"))), (0, 0));
}

#[test]
fn games_are_sorted() {
    let mut records: Vec<Record> = (0..4).map(|seed| random_game("gomoku", "standard", 10 + seed as usize, seed)).collect();
    let winner = [Some(None), Some(Some(Side::Second)), None, Some(Some(Side::First))];
    let dates = ["5/17/2020", "?", "2019.12", "2020.01.02"];
    for (number, record) in records.iter_mut().enumerate() {
        record.set_winner(winner[number]);
        record.tags.set("Date", dates[number]);
        record.tags.set("ECCO", ["B", "", "A", "C"][number]);
        record.seats.first = SeatSpec::of_name(["b", "A", "c", "a"][number]);
        record.seats.second = SeatSpec::of_name(["1", "2", "1", "1"][number]);
    }
    let (_, library) = library_of(&records);
    let ids: Vec<GameId> = library.ids().collect();
    for (order, rising, falling) in [
        (Order::Added, [0, 1, 2, 3], [3, 2, 1, 0]),
        (Order::Players, [3, 1, 0, 2], [2, 0, 1, 3]),
        (Order::Date, [2, 3, 0, 1], [0, 3, 2, 1]),
        (Order::Result, [3, 0, 1, 2], [1, 0, 3, 2]),
        (Order::Opening, [2, 0, 3, 1], [3, 0, 2, 1]),
        (Order::Plies, [0, 1, 2, 3], [3, 2, 1, 0]),
    ] {
        for (down, expected) in [(false, rising), (true, falling)] {
            let mut sorted = ids.clone();
            library.sort(&mut sorted, order, down);
            assert_eq!(sorted, expected.map(|number| ids[number]), "{order:?} {down}");
        }
    }
}

/// Where no tag tells the opening, it is named when the game is added.
#[test]
fn openings_are_found_by_code_and_name() {
    let game = |moves: &str| Record::read_all("t", &format!("(game:\"xiangqi\",moves:[{moves}])")).unwrap().remove(0);
    let mut told = game("\"h2e2\"");
    told.tags.set("Opening", "Something else");
    let records = [game("\"g0e2\""), game("\"c0e2\",\"c9e7\""), told];
    let (storage, mut library) = library_of(&records);
    library.compact().unwrap();
    for (wanted, expected) in [
        ("A1", vec![0, 1]),
        ("a10", vec![0]),
        ("飞相", vec![0]),
        ("elephant opening", vec![0, 1]),
        ("else", vec![2]),
        ("C", vec![]),
    ] {
        let query = Query { opening: Some(wanted.to_owned()), ..Query::default() };
        let expected: Vec<GameId> = expected.into_iter().map(|number: usize| library.ids().nth(number).unwrap()).collect();
        let found: Vec<GameId> = reopened(&storage).search(&query).into_iter().map(|hit| hit.id).collect();
        assert_eq!(found, expected, "{wanted}");
    }
    let listed = |number: usize| library.listed(library.ids().nth(number).unwrap()).unwrap();
    let (known, told) = (listed(0), listed(2));
    assert_eq!((known.code.as_str(), known.opening.unwrap().zh.as_str()), ("A10", "飞相局"));
    assert_eq!((told.code.as_str(), told.opening.unwrap().en.as_str()), ("", "Something else"));
}

#[test]
fn dates_are_compared_as_far_as_they_are_known() {
    // (date of a game, from, to, whether it is within)
    let cases = [
        ("2020.05.17", Some("2020"), Some("2020"), true),
        ("2020.05.17", Some("2020.05.17"), Some("2020-5-17"), true),
        ("2020.05.17", Some("2020.05.18"), None, false),
        ("2020.05.17", None, Some("2020.04"), false),
        ("2020-5-7", Some("20200507"), Some("2020/05/07"), true),
        ("2020.??.??", Some("2020.05"), None, true),
        ("2019", Some("2020.05"), None, false),
        ("????.??.??", None, Some("2030"), false),
        ("5/17/2020", Some("2020.05.17"), Some("2020.05.17"), true),
        ("17.5.2020", Some("2020.05.17"), Some("2020.05.17"), true),
        ("2020年5月17日", Some("2020.05.17"), Some("2020.05.17"), true),
        ("20200517", Some("2020.05.18"), None, false),
        ("", Some("1900"), None, false),
    ];
    for (number, (date, from, to, within)) in cases.into_iter().enumerate() {
        let mut record = random_game("gomoku", "standard", 10, number as u64);
        record.tags.set("Date", date);
        let text = |bound: Option<&str>| bound.map(str::to_owned);
        let query = Query { from: text(from), to: text(to), ..Query::default() };
        assert_eq!(library_of(&[record]).1.search(&query).len(), usize::from(within), "{date} {from:?} {to:?}");
    }
}
