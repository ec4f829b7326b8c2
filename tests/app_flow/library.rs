//! The library, the explorer and the opening book.

use super::{CANNON, Player, computer};
use crate::driver::Phase;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::activities::library::LibraryPage;
use qiju::app::explore::{Explorer, Found, OpeningBook};
use qiju::app::home::Home;
use qiju::app::kept::Change;
use qiju::app::notices::Notices;
use qiju::app::play::{CurrentMatch, MoveRequested};
use qiju::app::requests::{
    BeginRequest, BookRequest, CountGames, CursorRequest, FileAim, FileChosen, GamesFilter, GamesOf, Go, LibraryRequest, Output,
    PageRequest, StudyPage, StudyRequest, TryAgain,
};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Menu;
use qiju_core::book::{BookEdit, BookMove};
use qiju_core::library::{GameId, Library as GamesFile};
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::table::{Action, Setup};
use std::path::Path;

/// What the explorer tells of the position that is shown: the moves with their numbers of games, and in how many games of how many it occurs.
fn explored(player: &mut Player) -> (Vec<(String, usize)>, usize, usize) {
    (0..3).for_each(|_| player.frame());
    player.until("what was played", |world| world.resource::<Explorer>().found().is_some_and(|(_, fresh)| fresh));
    let (found, _) = player.app.world().resource::<Explorer>().found().unwrap();
    let found = found.as_ref().unwrap();
    (found.moves.iter().map(|(text, count)| (text.clone(), count.games)).collect(), found.games, found.all)
}

/// A game of tic-tac-toe that has ended, as it is saved.
fn shelve(folder: &Path, name: &str, moves: &[&str]) {
    std::fs::create_dir_all(folder.join("records")).unwrap();
    let game = format!("(game: \"tic-tac-toe\", moves: {moves:?}, result: Some((winner: Some(first), reason: resignation)))");
    std::fs::write(folder.join("records").join(name), game).unwrap();
}

/// The games in the library of a folder.
fn in_library(folder: &Path) -> Vec<Record> {
    let library = GamesFile::open(Home(folder.to_path_buf()).storage()).unwrap();
    library.ids().map(|id| library.record(id).unwrap()).collect()
}

#[test]
fn finished_matches_come_into_the_library_and_the_explorer_counts_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    shelve(folder.path(), "2026-05-04 12.30 tic-tac-toe 0000000a.ron", &["b2", "a2", "a1", "b1"]);
    shelve(folder.path(), "2026-05-05 12.30 tic-tac-toe 0000000b.ron", &["b2", "a1", "a2", "c2"]);
    shelve(folder.path(), "2026-05-06 12.30 tic-tac-toe 0000000c.ron", &["b2", "a1"]);
    let unfinished = folder.path().join("records/2026-05-07 12.30 tic-tac-toe 0000000d.ron");
    std::fs::write(unfinished, "(game: \"tic-tac-toe\", moves: [\"a1\", \"a2\", \"a3\"])").unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.until("the saved games", |_| in_library(folder.path()).len() == 3);
    assert_eq!(in_library(folder.path())[0].tags.get("Date"), Some("2026.05.04"));
    // In a running match it is there for who asks for it, as the analysis is.
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.key(KeyCode::KeyE);
    assert_eq!(explored(&mut player), (vec![("b2".to_owned(), 3)], 3, 3));
    player.click(Point::new(1, 1));
    player.settle();
    assert_eq!(explored(&mut player), (vec![("a1".to_owned(), 2), ("a2".to_owned(), 1)], 3, 3));
    // The match that ends comes to the others.
    for (x, y) in [(2, 2), (2, 1), (0, 0), (0, 1)] {
        player.click(Point::new(x, y));
        player.settle();
    }
    assert_eq!(player.phase(), Some(Phase::Over));
    fn found(world: &World) -> Option<&Found> {
        world.resource::<Explorer>().found()?.0.as_ref().ok()
    }
    player.until("the match", |world| found(world).is_some_and(|found| found.all == 4));
    assert_eq!(in_library(folder.path()).len(), 4);
    player.send(CursorRequest::Go(Go::Start));
    assert_eq!(explored(&mut player), (vec![("b2".to_owned(), 4)], 4, 4));
    player.key(KeyCode::KeyE);
    player.frame();
    assert!(player.app.world().resource::<Explorer>().found().is_none());
    // A game is opened where the position occurs in it.
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.key(KeyCode::KeyE);
    explored(&mut player);
    let oldest = found(player.app.world()).unwrap().latest.last().unwrap().0;
    player.send(LibraryRequest::Open(oldest.id, oldest.ply));
    player.until("the game", |world| world.resource::<CurrentMatch>().is_of_record());
    player.until("its place", |world| {
        world.resource::<CurrentMatch>().cursor() == world.resource::<CurrentMatch>().played().at_ply(1)
    });
    assert_eq!(player.current().heading().tags.get("Date"), Some("2026.05.04"));
    // The next start finds nothing new, and tells of damage.
    drop(player);
    let file = folder.path().join("library.games");
    let whole = std::fs::read(&file).unwrap();
    let mut player = Player::reopened_in(folder.path());
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.key(KeyCode::KeyE);
    assert_eq!((explored(&mut player).1, std::fs::read(&file).unwrap() == whole), (4, true));
    drop(player);
    std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let mut player = Player::reopened_in(folder.path());
    let told = |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("cut off"));
    player.until("the damage", told);
    // What was lost came from a file that is still there.
    player.until("the saved games", |_| in_library(folder.path()).len() == 4);
}

#[test]
fn a_book_is_shown_changed_and_played_from() {
    let folder = tempfile::tempdir().unwrap();
    let books = tempfile::tempdir().unwrap();
    let file = books.path().join("a.book");
    std::fs::write(&file, "qiju book 1 tic-tac-toe standard\n......... x\n a1 5 3 2 1\n b1 0 0 0 0\nx........ o\n b1 1 0 0 0\n")
        .unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let told = |world: &mut World, text: &str| world.resource::<Notices>().shown.iter().any(|(shown, _)| shown.contains(text));
    let choose = |player: &mut Player, game: &'static str, plays: bool| {
        player.send(FileChosen(FileAim::Book { game, plays }, vec![file.clone()]));
    };
    choose(&mut player, "xiangqi", false);
    player.until("why it is none", |world| told(world, "a.book: this is a book of tic-tac-toe, not of xiangqi"));
    choose(&mut player, "tic-tac-toe", false);
    player.until("the book", |world| world.resource::<Settings>().books.contains_key("tic-tac-toe"));
    fn in_book(player: &mut Player) -> Vec<(String, i32)> {
        (0..3).for_each(|_| player.frame());
        player.until("the book", |world| world.resource::<OpeningBook>().found().is_some_and(|(_, fresh)| fresh));
        let (found, _) = player.app.world().resource::<OpeningBook>().found().unwrap();
        found.as_ref().unwrap().moves.iter().map(|(text, one, _)| (text.clone(), one.score)).collect()
    }
    player.send(BeginRequest::Start(MatchSetup::analysis("tic-tac-toe", Setup::default())));
    player.until("the board", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_analysis));
    player.send(StudyRequest(Some(StudyPage::Explorer)));
    // The corners are one corner, and the edges one edge.
    let start = in_book(&mut player);
    assert_eq!(start.iter().map(|(_, score)| *score).collect::<Vec<_>>(), [5, 0], "{start:?}");
    // A move that the book does not have is put into it, changed, and taken out.
    player.click(Point::new(1, 1));
    player.settle();
    assert_eq!(in_book(&mut player), []);
    let missing = |world: &World| world.resource::<OpeningBook>().found().unwrap().0.as_ref().unwrap().missing.clone();
    assert_eq!(missing(player.app.world()).as_deref(), Some("b2"));
    player.send(BookRequest::AddLast);
    player
        .until("the change", |world| std::fs::read_to_string(&file).unwrap().contains(" b2 1 0 0 0") && missing(world).is_none());
    let kept = std::fs::read_to_string(books.path().join("a.book.backup")).unwrap();
    assert!(!kept.contains("b2") && kept.contains(" a1 5 3 2 1"));
    player.send(CursorRequest::Go(Go::Start));
    let centre = Action::Drop(Point::new(1, 1));
    assert_eq!(in_book(&mut player).len(), 3);
    player.send(BookRequest::Edit(BookEdit::Put(BookMove::new(centre, 9))));
    player.until("the change", |_| std::fs::read_to_string(&file).unwrap().contains(" b2 9 0 0 0"));
    player.until("the book", |world| {
        let found = world.resource::<OpeningBook>().found();
        found.is_some_and(|(found, fresh)| fresh && found.as_ref().is_ok_and(|found| found.moves[0].1.score == 9))
    });
    player.send(BookRequest::Edit(BookEdit::Remove(centre)));
    player.until("the change", |_| !std::fs::read_to_string(&file).unwrap().contains(" b2 "));
    // The computer plays from it when it is told to, and not in a rated match.
    choose(&mut player, "tic-tac-toe", true);
    player.until("the book", |world| world.resource::<Settings>().books["tic-tac-toe"].plays);
    player.start("tic-tac-toe", SeatSpec::computer(10), SeatSpec::Human);
    player.until("its move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
    let corner = player.current().table().played()[0].target().unwrap();
    assert!([0, 2].contains(&corner.x) && [0, 2].contains(&corner.y), "{corner:?}");
    // A book that is gone is told once, and the computer plays on.
    std::fs::remove_file(&file).unwrap();
    player.start("tic-tac-toe", SeatSpec::computer(10), SeatSpec::Human);
    player.until("why", |world| told(world, "a.book: there is no such file"));
    player.send(TryAgain);
    player.until("its move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
}

#[test]
fn files_are_added_to_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let files = tempfile::tempdir().unwrap();
    let game = |moves: &str| format!("[Game \"Chinese Chess\"]\n[Date \"2019.01.01\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    let drawn = game("1. b2e2 b9c7").replace("1-0", "1/2-1/2");
    let games = [game("1. h2e2 h9g7"), drawn, game("1. g3g4 g6g5"), game("1. h2e2 h2e2")].concat();
    std::fs::write(files.path().join("all.pgn"), &games).unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
    player.until("the board", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_analysis));
    player.send(StudyRequest(Some(StudyPage::Explorer)));
    // The games of our engine are shown until there are others.
    let engine = explored(&mut player);
    assert!(engine.1 == engine.2 && engine.1 > 1000, "{engine:?}");
    player.send(CountGames::Of(GamesOf::Library));
    assert_eq!(explored(&mut player), (Vec::new(), 0, 0));
    player.app.world_mut().write_message(FileChosen(FileAim::Add, vec![files.path().to_owned()]));
    let told = |world: &mut World, text: &str| world.resource::<Notices>().shown.iter().any(|(shown, _)| shown.contains(text));
    player.until("the games", |world| told(world, "3 games added, 0 were there already, 1 could not be read"));
    player.frame();
    assert!(told(player.app.world_mut(), "all.pgn:"));
    let (moves, ..) = explored(&mut player);
    assert_eq!(moves.iter().map(|(_, games)| *games).collect::<Vec<_>>(), [2, 1]);
    // On the page of the library games are found, deleted and brought back, and written to a file.
    player.key(KeyCode::Escape);
    player.send(PageRequest::Menu(Menu::None));
    player.send(LibraryRequest::Show);
    let shows = |player: &mut Player, count: usize| {
        player.until("the games", |world| world.resource::<LibraryPage>().count() == Some(count));
    };
    shows(&mut player, 3);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("2019", Some("xiangqi"));
    (0..3).for_each(|_| player.frame());
    shows(&mut player, 3);
    // How the list says that a game was drawn is found, too.
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("2019 draw", None);
    player.frame();
    shows(&mut player, 1);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("nobody", None);
    player.frame();
    shows(&mut player, 0);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("", None);
    player.frame();
    shows(&mut player, 3);
    let ids: Vec<GameId> = GamesFile::open(Home(folder.path().to_owned()).storage()).unwrap().ids().collect();
    player.send(LibraryRequest::Delete(ids[..1].into()));
    shows(&mut player, 2);
    assert_eq!(in_library(folder.path()).len(), 2);
    player.send(LibraryRequest::Restore);
    shows(&mut player, 3);
    assert_eq!(in_library(folder.path()).len(), 3);
    // What is told of several games is changed, then they are deleted and brought back at once.
    let change = |id: &GameId| {
        let mut record = GamesFile::open(Home(folder.path().to_owned()).storage()).unwrap().outline(*id).unwrap();
        record.tags.set_keyword("to study", true);
        record.tags.set("Date", "2021");
        (*id, record)
    };
    player.send(LibraryRequest::Tell(ids[1..].iter().map(change).collect()));
    let tagged = |record: &&Record| record.tags.keywords().eq(["to study"]) && record.tags.get("Date") == Some("2021");
    player.until("the tags", |_| in_library(folder.path()).iter().filter(tagged).count() == 2);
    player.app.world_mut().resource_mut::<LibraryPage>().look_for("STUDY", None);
    player.frame();
    shows(&mut player, 2);
    player.send(LibraryRequest::Delete(ids[1..].into()));
    shows(&mut player, 0);
    assert_eq!(in_library(folder.path()).len(), 1);
    player.send(LibraryRequest::Restore);
    shows(&mut player, 2);
    assert_eq!(in_library(folder.path()).iter().filter(tagged).count(), 2);
    let (output, name) = (Output::Games(ids.into()), String::new());
    let written = files.path().join("out.pgn");
    let aim = FileAim::Save { output, name, ending: "pgn" };
    player.app.world_mut().write_message(FileChosen(aim, vec![written.clone()]));
    player.until("the file", |world| told(world, "out.pgn"));
    assert_eq!(qiju_core::record::open(&written).unwrap().records.len(), 3);
    player.send(PageRequest::Menu(Menu::None));
    player.send(StudyRequest(Some(StudyPage::Explorer)));
    // A move of the explorer is a move of the board, and the next position is looked for.
    player.app.world_mut().write_message(MoveRequested { action: CANNON, ply: 0 });
    player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() == 1);
    assert_eq!(explored(&mut player).1, 2);
    // In a match it counts as help, and a rated match has none.
    player.start("xiangqi", SeatSpec::Human, computer(1));
    assert!(!player.current().is_helped());
    player.key(KeyCode::KeyE);
    player.until("help", |world| world.resource::<CurrentMatch>().is_helped());
    let seats = BySide::new(SeatSpec::Human, computer(1));
    let setup = MatchSetup::untimed("xiangqi", Setup::default(), seats, Purpose::Rated);
    player.send(BeginRequest::Start(setup));
    player.until("the match", |world| world.resource::<CurrentMatch>().purpose() == Purpose::Rated);
    player.key(KeyCode::KeyE);
    (0..5).for_each(|_| player.frame());
    assert!(player.app.world().resource::<Explorer>().found().is_none());
}

#[test]
fn the_explorer_tells_own_games_from_those_of_others_and_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let files = tempfile::tempdir().unwrap();
    let game = |red: &str, elo: &str, moves: &str| {
        format!("[Game \"Chinese Chess\"]\n[Red \"{red}\"]\n[Black \"Li\"]\n{elo}[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let games = [
        game("Wang Wei", "[RedElo \"2100\"]\n[BlackElo \"1901\"]\n", "1. h2e2 h9g7"),
        game("Zhao", "[RedElo \"?\"]\n[Date \"1999.05.??\"]\n", "1. h2e2 b9c7"),
        game("Zhao", "[Date \"2001.12.31\"]\n", "1. c3c4 b9c7"),
    ];
    std::fs::write(files.path().join("all.pgn"), games.concat()).unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
    player.until("the board", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::is_analysis));
    player.app.world_mut().write_message(FileChosen(FileAim::Add, vec![files.path().to_owned()]));
    player.until("the games", |_| in_library(folder.path()).len() == 3);
    player.key(KeyCode::KeyE);
    let numbers = |player: &mut Player| {
        let (moves, games, all) = explored(player);
        (moves.into_iter().map(|(_, games)| games).collect::<Vec<_>>(), games, all)
    };
    player.until("the library", |world| {
        world.resource::<Explorer>().found().is_some_and(|(found, _)| found.as_ref().is_ok_and(|found| found.all == 3))
    });
    assert_eq!(numbers(&mut player), (vec![2, 1], 3, 3));
    let rating = |player: &Player| {
        let found = player.app.world().resource::<Explorer>().found().unwrap().0.as_ref().unwrap();
        found.moves.iter().map(|(_, count)| count.rating()).collect::<Vec<_>>()
    };
    assert_eq!(rating(&player), [Some(2001), None]);
    // Without a name of the player nobody knows which games are his.
    player.send(CountGames::Of(GamesOf::Mine));
    assert_eq!(numbers(&mut player), (vec![2, 1], 3, 3));
    player.send(Change::new(|settings: &mut Settings| settings.my_names = "wang wei".to_owned()));
    assert_eq!(numbers(&mut player), (vec![1], 1, 1));
    player.send(CountGames::Of(GamesOf::Others));
    assert_eq!(numbers(&mut player), (vec![1, 1], 2, 2));
    player.send(CountGames::Of(GamesOf::Library));
    // A filter by player and side, by years, and by result.
    let filter = GamesFilter { player: "zha".to_owned(), ..GamesFilter::default() };
    for (filter, counts) in [
        (filter.clone(), (vec![1, 1], 2, 2)),
        (GamesFilter { side: Some(Side::First), ..filter.clone() }, (vec![1, 1], 2, 2)),
        (GamesFilter { side: Some(Side::Second), ..filter }, (vec![], 0, 0)),
        (GamesFilter { result: Some(Some(Side::First)), ..GamesFilter::default() }, (vec![2, 1], 3, 3)),
        (GamesFilter { result: Some(None), ..GamesFilter::default() }, (vec![], 0, 0)),
        (GamesFilter { from: "2001".to_owned(), ..GamesFilter::default() }, (vec![1], 1, 1)),
        (GamesFilter { to: "2000".to_owned(), ..GamesFilter::default() }, (vec![1], 1, 1)),
    ] {
        player.send(CountGames::Only(Some(filter.clone())));
        assert_eq!(numbers(&mut player), counts, "{filter:?}");
    }
    player.send(CountGames::Only(None));
    assert_eq!(numbers(&mut player), (vec![2, 1], 3, 3));
    // A game of the engine is opened like any other.
    player.send(CountGames::Of(GamesOf::Engine));
    let (moves, games, all) = numbers(&mut player);
    assert!(games == all && games > 1000 && moves.len() > 2, "{moves:?}");
    let found = player.app.world().resource::<Explorer>().found().unwrap().0.as_ref().unwrap();
    let newest = found.latest[0].0;
    player.send(LibraryRequest::Open(newest.id, newest.ply));
    player.until("the game", |world| world.resource::<CurrentMatch>().is_of_record());
    assert!(player.current().tree().main_line().len() > 8);
}
