//! Saved games, files, the clipboard, pictures, and all data on their way to another machine.

use super::{CANNON, Player, sheet_of};
use crate::driver;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::activity::LIBRARY;
use qiju::app::clipboard::Clipboard;
use qiju::app::kept::Change;
use qiju::app::keys::{KeyFocus, KeysGo};
use qiju::app::notices::Notices;
use qiju::app::play::{
    CurrentMatch, ExportChoice, FileDialog, FolderPage, GameList, ListedGame, OfferedData, Painting, SavedGames, Unfinished,
};
use qiju::app::requests::{
    BeginRequest, CopyRequest, CursorRequest, DataRequest, DialogRequest, ExportRequest, FileAim, FileChosen, Go, LibraryRequest,
    Output, PageRequest, PasteClipboard, PictureKind, PictureOrder, ReadRequest, RecordsRequest, StopPainting,
};
use qiju::app::settings::Settings;
use qiju::app::state::{Menu, Screen};
use qiju::app::words::Words;
use qiju_core::record::{Format, PAGE, SeatSpec};
use qiju_core::rules::{Point, Side};
use qiju_core::table::{Action, Notation, TreeEdit};

#[test]
fn games_are_saved_and_opened_again_with_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play_both();
    let text = player.current().table().position_text();
    player.key(KeyCode::Escape);
    player.send(PageRequest::Menu(Menu::None));
    // A new match keeps the unfinished one; saving twice makes one file.
    player.send(RecordsRequest::Save);
    player.send(RecordsRequest::Save);
    player.send(BeginRequest::Rematch(false));
    player.settle();
    assert_eq!(player.current().table().ply(), 0);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    assert_eq!(games.len(), 1, "{games:?}");
    player.send(ReadRequest::Open(vec![games[0].path.clone()]));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    player.assert_pieces_agree();
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!(player.current().table().ply(), 1);
    // An opened game is journalled like any match.
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!((player.current().table().ply(), player.current().played().undone().count()), (1, 1));
    // A file that is no game is reported and changes nothing.
    let rubbish = folder.path().join("rubbish.pgn");
    std::fs::write(&rubbish, "[Game \"Chess\"]\n1. e4").unwrap();
    player.send(ReadRequest::Open(vec![rubbish]));
    let told = |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("rubbish.pgn:1"));
    player.until("the reason", told);
    assert_eq!(player.current().table().ply(), 1);
}

#[test]
fn a_finished_game_stays_saved_when_its_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(Change::new(|settings: &mut Settings| settings.free_take_backs = true));
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let put = |player: &mut Player, points: &[(u8, u8)]| {
        for &(x, y) in points {
            player.play(Action::Drop(Point::new(x, y)));
            player.settle();
        }
    };
    let saved = |player: &mut Player| -> Vec<usize> {
        player.send(PageRequest::Menu(Menu::Records));
        player.frame();
        let mut plies: Vec<usize> =
            player.app.world().resource::<SavedGames>().games.iter().map(|game| game.record.plies()).collect();
        player.send(PageRequest::Menu(Menu::None));
        player.frame();
        plies.sort_unstable();
        plies
    };
    put(&mut player, &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]);
    assert!(player.current().outcome().is_some());
    assert_eq!(saved(&mut player), [5]);
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(player.current().outcome().is_none());
    assert_eq!(saved(&mut player), [5]);
    // The match goes on from an earlier position and ends in another way: these are two games.
    put(&mut player, &[(2, 2), (2, 1)]);
    assert!(player.current().outcome().is_some());
    assert_eq!(saved(&mut player), [5, 6]);
    // A game that is played again to its end is saved once.
    player.send(CursorRequest::Undo);
    player.settle();
    player.send(CursorRequest::Redo);
    player.settle();
    assert!(player.current().outcome().is_some());
    assert_eq!(saved(&mut player), [5, 6]);
}

/// The text that was copied last.
fn copied(player: &mut Player, what: CopyRequest) -> String {
    player.send(what);
    player.frame();
    player.app.world_mut().resource_mut::<Clipboard>().take().expect("something was copied")
}

/// Pastes a text and waits for the match made from it.
fn paste(player: &mut Player, text: &str) {
    let before = player.app.world().get_resource::<CurrentMatch>().map(|current| current.played().number());
    player.send(ReadRequest::Paste(text.to_owned()));
    player.until("the pasted game", |world| {
        world.get_resource::<CurrentMatch>().is_some_and(|current| Some(current.played().number()) != before)
    });
    player.settle();
}

/// A copied text can be pasted: a game with all its contents, a part of it, and a position of each game.
#[test]
fn what_is_copied_can_be_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let pgn = "[Game \"Chinese Chess\"]\n[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Red \"Li\"]\n[Black \"Wu\"]\n[Result \"1-0\"]\n\n\
               1. H2-E2 {central} (1. C3-C4 B7-C7) 1... H9-G7 $1 2. H0-G2 1-0\n";
    paste(&mut player, pgn);
    let whole = sheet_of(&player);
    let wanted = [(0, "h2e2"), (1, "c3c4"), (1, "b7c7"), (0, "h9g7!"), (0, "h0g2")];
    player.app.world_mut().resource_mut::<Settings>().notation = Some(Notation::Uci);
    player.frame();
    let read = sheet_of(&player);
    assert_eq!(read.iter().map(|(depth, text)| (*depth, text.as_str())).collect::<Vec<_>>(), wanted);
    let text = copied(&mut player, CopyRequest::Game);
    for part in ["[Event \"Cup\"]", "[Date \"2024.05.01\"]", "[Red \"Li\"]", "[Black \"Wu\"]", "{central}", "1-0"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(copied(&mut player, CopyRequest::Moves), "1. h2e2 h9g7 2. h0g2");
    // From the second move on.
    let second = player.current().played().line()[1];
    let part = copied(&mut player, CopyRequest::From(second));
    paste(&mut player, &text);
    assert_eq!(sheet_of(&player).len(), whole.len());
    assert_eq!(player.current().heading().names[Side::First].as_deref(), Some("Li"));
    paste(&mut player, &part);
    let read = sheet_of(&player);
    assert_eq!(read.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["h9g7!", "h0g2"]);
    // A position of each game whose text tells the game.
    let whole_game = text;
    for (game, moves) in [("xiangqi", ["h2e2", "h9g7"]), ("gomoku", ["h8", "i9"])] {
        player.start(game, SeatSpec::Human, SeatSpec::Human);
        player.settle();
        for text in moves {
            let action = player.current().table().read(text).unwrap();
            player.play(action);
            player.settle();
        }
        let wanted = player.current().table().pieces();
        let text = copied(&mut player, CopyRequest::Position);
        paste(&mut player, &text);
        let now = player.current();
        assert_eq!((now.game().entry.key, now.table().pieces()), (game, wanted), "{text}");
    }
    // A link to the game, with its variation; and to the position of an earlier move. What a link leaves out is told.
    paste(&mut player, &whole_game);
    let (sheet, pieces) = (sheet_of(&player), player.current().table().pieces());
    let link = copied(&mut player, CopyRequest::Link);
    assert!(link.starts_with(PAGE) && !link.contains(char::is_whitespace), "{link}");
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.frame();
    let shown = player.current().shown().pieces();
    let position = copied(&mut player, CopyRequest::PositionLink);
    paste(&mut player, &format!("Look: {link}"));
    assert_eq!((sheet_of(&player), player.current().table().pieces()), (sheet, pieces));
    assert_eq!(player.current().heading().names[Side::First].as_deref(), Some("Li"));
    paste(&mut player, &position);
    assert_eq!((player.current().table().pieces(), player.current().played().line().len()), (shown, 0));
    player.send(ReadRequest::Paste(link[..link.len() - 1].to_owned()));
    let told =
        |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("the link is not complete"));
    player.until("what is wrong with the link", told);
    // What is pasted is no file: it is what was copied, whatever encoding it declares.
    paste(&mut player, "(;GM[4]FF[4]CA[GB2312]SZ[15]PB[Müller]PW[棋谱];B[hh];W[ii])");
    let names = &player.current().heading().names;
    assert_eq!((names[Side::First].as_deref(), names[Side::Second].as_deref()), (Some("Müller"), Some("棋谱")));
    // A text that is no game is reported once, with the place of the fault, and changes nothing.
    let number = player.current().played().number();
    player.send(ReadRequest::Paste("neither moves nor a position".to_owned()));
    let told = |world: &mut World| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("clipboard:1:"));
    player.until("the reason", told);
    assert_eq!(player.current().played().number(), number);
}

/// All data go into a file and out of it, in another home: after the question everything is there at once, and what was there before is kept. Over a
/// match nothing is replaced.
#[test]
fn all_data_move_to_another_home() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = from.path().join("all");
    let mut player = Player::opened_in(from.path(), 0.0);
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for text in ["h8", "i9"] {
        let action = player.current().table().read(text).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(RecordsRequest::Save);
    player.send(Change::new(|settings: &mut Settings| settings.theme = "night".to_owned()));
    player.frame();
    let aim = FileAim::Save { output: Output::Data, name: "all".to_owned(), ending: "qiju" };
    player.send(FileChosen(aim, vec![file.clone()]));
    let file = file.with_extension("qiju");
    player.until("the file", |_| file.exists());
    drop(player);

    let mut player = Player::opened_in(to.path(), 0.0);
    let before = std::fs::read(to.path().join("preferences.ron")).unwrap();
    player.send(ReadRequest::Open(vec![file.clone()]));
    player.until("the question", |world| *world.resource::<State<Menu>>().get() == Menu::Data);
    let offered = |world: &World| world.resource::<OfferedData>().get().map(|(_, data)| data.to_string());
    assert_eq!(offered(player.app.world()).as_deref(), Some("settings, 1 saved game, 1 unfinished match"));
    assert_eq!(std::fs::read(to.path().join("preferences.ron")).unwrap(), before, "nothing is replaced before the answer");
    player.send(DataRequest::Take);
    player.until("the data", |world| world.resource::<Settings>().theme == "night");
    player.until("the match", |world| world.resource::<Unfinished>().found().is_some());
    assert_eq!(offered(player.app.world()), None);
    assert!(player.app.world().resource::<Notices>().shown.iter().any(|(text, _)| text.contains("before-import-1.qiju")));
    player.send(PageRequest::Menu(Menu::Records));
    player.until("the saved game", |world| world.resource::<SavedGames>().games.len() == 1);
    player.send(PageRequest::Menu(Menu::None));
    player.send(BeginRequest::Resume);
    player.until("the match", |world| world.get_resource::<CurrentMatch>().is_some_and(|current| current.table().ply() == 2));
    // What was there before can be brought back, but not over a match.
    let kept = to.path().join("before-import-1.qiju");
    player.send(ReadRequest::Open(vec![kept.clone()]));
    let told = |world: &mut World| {
        let text = world.resource::<Words>().say("data.in-match").to_owned();
        world.resource::<Notices>().shown.iter().any(|(shown, _)| *shown == text)
    };
    player.until("the reason", told);
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(ReadRequest::Open(vec![kept]));
    player.until("the question", |world| *world.resource::<State<Menu>>().get() == Menu::Data);
    player.send(DataRequest::Take);
    player.until("the old settings", |world| world.resource::<Settings>().theme != "night");
    // An import that was begun is completed by the next start.
    drop(player);
    std::fs::copy(&file, to.path().join("import-7.qiju")).unwrap();
    let player = Player::reopened_in(to.path());
    assert_eq!(player.app.world().resource::<Settings>().theme, "night");
    assert!(!to.path().join("import-7.qiju").exists() && to.path().join("before-import-7.qiju").exists());
}

/// A quick press of Ctrl+V, of which all four events are in one slow frame, pastes; in a text field the field does it.
#[test]
fn a_quick_press_of_the_keys_pastes() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let mut pastes = |receiver: KeysGo| {
        player.app.world_mut().resource_mut::<KeyFocus>().go = receiver;
        player.app.world_mut().resource_mut::<Messages<PasteClipboard>>().clear();
        for (code, state) in driver::with_control(KeyCode::KeyV) {
            driver::key(&mut player.app, code, state);
        }
        player.frame();
        let requests = player.app.world().resource::<Messages<PasteClipboard>>();
        requests.iter_current_update_messages().count()
    };
    assert_eq!([pastes(KeysGo::Button), pastes(KeysGo::Text)], [1, 0]);
}

/// A file with many games becomes a list, damaged games with their reason; a click opens one.
#[test]
fn many_games_are_listed_and_opened_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let game = |number: usize, moves: &str| {
        format!("[Game \"Chinese Chess\"]\n[Event \"Cup {number}\"]\n[Red \"Li {number}\"]\n[Result \"0-1\"]\n\n{moves} 0-1\n\n")
    };
    let good = "1. H2-E2 H9-G7 2. H0-G2";
    let text: String = (1..=300).map(|number| game(number, if number == 7 { "1. A0-I9" } else { good })).collect();
    let path = folder.path().join("many.pgn");
    std::fs::write(&path, text).unwrap();
    let other = folder.path().join("one.pgn");
    std::fs::write(&other, game(1, good)).unwrap();
    player.send(ReadRequest::Open(vec![path, other, folder.path().join("missing.pgn")]));
    player.until("the list", |world| *world.resource::<State<Menu>>().get() == Menu::Games);
    player.until("the end", |world| !world.resource::<GameList>().is_at_work());
    let list = player.app.world().resource::<GameList>();
    assert_eq!((list.files.len(), list.games.len()), (3, 302));
    let bad: Vec<&ListedGame> = list.games.iter().filter(|game| game.content.is_err()).collect();
    assert_eq!(bad.iter().map(|game| (game.file, game.number)).collect::<Vec<_>>(), [(0, 7), (2, 0)]);
    let why = bad[0].content.as_ref().unwrap_err();
    assert!(why.to_string().contains("many.pgn:") && why.to_string().contains("move 1"), "{why}");
    let listed = &list.games[41];
    assert_eq!((listed.players[0].as_str(), listed.event.as_str(), listed.plies), ("Li 42", "Cup 42", 3));
    // A damaged game says why and opens nothing; another one opens.
    player.send(ReadRequest::Listed(6));
    player.frame();
    assert!(player.app.world().get_resource::<CurrentMatch>().is_none());
    player.send(ReadRequest::Listed(41));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    assert_eq!(player.current().table().ply(), 3);
    assert_eq!(player.current().heading().tags.get("Event"), Some("Cup 42"));
    assert_eq!(player.app.world().resource::<GameList>().games.len(), 302);
}

/// The page of folders that is shown.
fn folder_page(player: &Player) -> &FolderPage {
    player.app.world().resource::<FileDialog>().page().expect("the page of folders is open")
}

/// Without a file dialog of the system, the program's own page lists folders; a game is written to a file and read again.
#[test]
fn files_are_chosen_on_the_own_page_and_games_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("games");
    std::fs::create_dir(&other).unwrap();
    std::fs::create_dir(other.join("Old")).unwrap();
    for name in ["b.pgn", "A.XQF", "notes.odt", ".hidden.pgn"] {
        std::fs::write(other.join(name), "").unwrap();
    }
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play(CANNON);
    player.settle();
    let at = player.current().played().line()[0];
    player.send(CursorRequest::Edit(TreeEdit::Comment { at, text: "central".to_owned() }));
    // The formats that can hold the game, each with what it cannot hold of it.
    player.send(ExportRequest(None));
    player.until("the choice", |world| *world.resource::<State<Menu>>().get() == Menu::Export);
    let choice = player.app.world().resource::<ExportChoice>();
    let lost = |format: Format| choice.formats.iter().find(|(known, _)| *known == format).map(|(_, lost)| lost.is_some());
    assert_eq!((lost(Format::Pgn), lost(Format::Lines), lost(Format::Psq)), (Some(false), Some(true), None));
    let name = choice.name.clone();
    let aim = FileAim::Save { output: Output::Game(Format::Pgn, None), name, ending: "pgn" };
    player.send(DialogRequest::Choose(aim.clone()));
    player.until("the page", |world| *world.resource::<State<Menu>>().get() == Menu::Files);
    player.send(DialogRequest::Enter(other.clone()));
    player.until("the folder", |world| {
        world.resource::<FileDialog>().page().is_some_and(|page| page.folder.ends_with("games") && !page.entries.is_empty())
    });
    let entries: Vec<(&str, bool, bool)> =
        folder_page(&player).entries.iter().map(|entry| (entry.name.as_str(), entry.is_folder, entry.is_record)).collect();
    assert_eq!(entries, [("Old", true, false), ("A.XQF", false, true), ("b.pgn", false, true), ("notes.odt", false, false)]);
    // A missing folder is reported and changes nothing.
    player.send(DialogRequest::Enter(other.join("nowhere")));
    player.until("the reason", |world| world.resource::<FileDialog>().page().is_some_and(|page| page.fault.is_some()));
    assert_eq!(folder_page(&player).folder, other);
    // Where the folder that was shown last is gone, the next dialog does not begin there.
    let gone = other.join("Old");
    player.send(DialogRequest::Enter(gone.clone()));
    player.until("the old games", |world| world.resource::<FileDialog>().page().is_some_and(|page| page.folder.ends_with("Old")));
    player.send(PageRequest::Menu(Menu::None));
    std::fs::remove_dir(&gone).unwrap();
    player.send(DialogRequest::Choose(aim.clone()));
    player.until("a folder that is there", |world| {
        world.resource::<FileDialog>().page().is_some_and(|page| page.folder != gone && page.fault.is_none())
    });
    // Another typed file extension chooses another format.
    player.send(FileChosen(aim.clone(), vec![other.join("mine")]));
    player.send(FileChosen(aim, vec![other.join("mine.ron")]));
    player.frame();
    let pgn = std::fs::read_to_string(other.join("mine.pgn")).unwrap();
    assert!(pgn.contains("central}"), "{pgn}");
    assert!(std::fs::read_to_string(other.join("mine.ron")).unwrap().contains("central"));
    player.send(PageRequest::Menu(Menu::None));
    player.frame();
    player.send(FileChosen(FileAim::Open, vec![other.join("mine.pgn")]));
    player.until("the game", |world| {
        !world.resource::<CurrentMatch>().played().tree().is_empty() && world.resource::<CurrentMatch>().explores()
    });
    assert_eq!(player.current().table().ply(), 1);
    // A page over which files are chosen is there again afterwards.
    let menu = |world: &World| *world.resource::<State<Menu>>().get();
    player.send(LibraryRequest::Show);
    player.until("the library", |world| menu(world) == Menu::Page(LIBRARY));
    player.send(DialogRequest::Choose(FileAim::AddFolder));
    player.until("the page", |world| menu(world) == Menu::Files);
    player.send(PageRequest::Menu(Menu::None));
    player.until("the library", |world| menu(world) == Menu::Page(LIBRARY));
}

/// The position becomes a PNG or an SVG and the moves an animated GIF or a PDF, in the background; the GIF can be stopped.
#[test]
fn pictures_of_the_match_are_painted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play_both();
    let order = PictureOrder { kind: PictureKind::Png, pixels: 120, from: 0, to: 2, pace_ms: 500, every: 1 };
    let save = |order: PictureOrder| FileAim::Save { output: Output::Picture(order), name: "x".to_owned(), ending: "png" };
    let idle = |world: &mut World| world.resource::<Painting>().progress().is_none();
    player.send(FileChosen(save(order), vec![folder.path().join("one")]));
    player.until("the picture", idle);
    assert!(std::fs::read(folder.path().join("one.png")).unwrap().starts_with(b"\x89PNG"));
    let film = PictureOrder { kind: PictureKind::Gif, ..order };
    player.send(FileChosen(save(film), vec![folder.path().join("film.gif")]));
    player.until("the film", idle);
    let bytes = std::fs::read(folder.path().join("film.gif")).unwrap();
    let mut reader = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
    let delays: Vec<u16> = std::iter::from_fn(|| reader.read_next_frame().unwrap().map(|frame| frame.delay)).collect();
    assert_eq!(delays, [80, 50, 200]);
    for (kind, file, head) in [(PictureKind::Svg, "one.svg", "<svg "), (PictureKind::Pdf, "game.pdf", "%PDF-")] {
        player.send(FileChosen(save(PictureOrder { kind, ..order }), vec![folder.path().join(file)]));
        player.until(file, idle);
        assert!(std::fs::read(folder.path().join(file)).unwrap().starts_with(head.as_bytes()), "{file}");
    }
    player.send(FileChosen(save(PictureOrder { pixels: 1600, ..film }), vec![folder.path().join("stopped.gif")]));
    player.send(StopPainting);
    player.until("the stop", idle);
    // A file that cannot be written is reported.
    player.send(FileChosen(save(order), vec![folder.path().join("one.png/x.png")]));
    player.until("the reason", |world| world.resource::<Notices>().shown.iter().any(|(text, _)| text.contains("one.png/x.png:")));
    assert!(!folder.path().join("stopped.gif").exists());
}

/// A saved game is renamed, deleted and brought back; opened and saved again it stays one file.
#[test]
fn saved_games_are_renamed_deleted_and_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    player.play_both();
    player.send(RecordsRequest::Save);
    let listed = |player: &mut Player| {
        player.send(PageRequest::Menu(Menu::Records));
        player.frame();
        let games = player.app.world().resource::<SavedGames>().games.clone();
        player.send(PageRequest::Menu(Menu::None));
        player.frame();
        games
    };
    let path = listed(&mut player)[0].path.clone();
    player.send(RecordsRequest::Rename(path.clone(), "My best game".to_owned()));
    player.frame();
    // Saved once more, the title stays; opened, changed and saved, it is the same file.
    player.send(RecordsRequest::Save);
    player.send(ReadRequest::Open(vec![path.clone()]));
    player.until("the game", |world| world.resource::<CurrentMatch>().explores());
    player.settle();
    let at = player.current().played().line()[0];
    player.send(CursorRequest::Edit(TreeEdit::Comment { at, text: "central".to_owned() }));
    player.send(RecordsRequest::Save);
    let games = listed(&mut player);
    assert_eq!(games.len(), 1, "{games:?}");
    assert_eq!(games[0].record.tags.get("Title"), Some("My best game"));
    assert!(std::fs::read_to_string(&path).unwrap().contains("central"));
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    player.send(RecordsRequest::Delete(path.clone()));
    player.frame();
    assert!(!path.exists());
    assert!(player.app.world().resource::<SavedGames>().games.is_empty());
    player.send(RecordsRequest::Restore);
    player.frame();
    assert!(path.exists());
    assert_eq!(player.app.world().resource::<SavedGames>().games, games);
    // Files in other folders are refused.
    let elsewhere = tempfile::NamedTempFile::new().unwrap();
    player.send(RecordsRequest::Delete(elsewhere.path().to_owned()));
    player.frame();
    assert!(elsewhere.path().exists());
}
