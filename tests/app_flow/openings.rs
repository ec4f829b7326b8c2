//! The opening rules of gomoku, and its forbidden points.

use super::{Player, computer, from_moves, gomoku, left};
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::hand::Restrictions;
use qiju::app::kept::Change;
use qiju::app::play::{CurrentMatch, SavedGames, ScoreSheet, Spoken};
use qiju::app::requests::{
    BeginRequest, CursorRequest, Go, PageRequest, ReadRequest, RecordsRequest, RefereeRequest, SelectionRequest,
};
use qiju::app::settings::Settings;
use qiju::app::state::Menu;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Forbidden, Point, Side};
use qiju_core::table::{Choice, Duty, Opener, Setup, TimeControl};

/// A match with an opening rule that decides the sides.
fn opened(player: &mut Player, first: SeatSpec, second: SeatSpec, variant: &str) {
    gomoku(player, Setup { variant: Some(variant.to_owned()), position: None }, first, second);
}

fn duty(player: &Player) -> Duty {
    let table = player.current().table();
    table.opening().unwrap().duty(table.pieces().len())
}

#[test]
fn the_opening_decides_the_sides() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.control = BySide::equal(TimeControl::Sudden { main: 600 });
    opened(&mut player, SeatSpec::Human, SeatSpec::Human, "freestyle+swap2");
    player.settle();
    assert_eq!(duty(&player), Duty::Put(Opener::Setter));
    // A choice that is made too early is ignored.
    player.key(KeyCode::Digit1);
    for (stones, at) in [(1, Point::new(7, 7)), (2, Point::new(8, 8)), (3, Point::new(6, 6))] {
        for _ in 0..20 {
            player.frame();
        }
        player.click(at);
        player.settle();
        assert_eq!(player.current().table().pieces().len(), stones);
    }
    // All that time was used by the first player, whatever the colours.
    assert!(left(&player, Side::First) < 599_500 && left(&player, Side::Second) > 599_900);
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    // A stone is refused while a choice is due.
    player.click(Point::new(0, 0));
    player.settle();
    assert_eq!(player.current().table().ply(), 3);
    for _ in 0..50 {
        player.frame();
    }
    assert!(left(&player, Side::Second) < 599_500);
    player.key(KeyCode::Digit3);
    player.settle();
    assert_eq!(duty(&player), Duty::Put(Opener::Chooser));
    player.assert_pieces_agree();
    // Take-back and another choice, a look back, and a kill in the middle.
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    player.send(CursorRequest::Redo);
    player.settle();
    player.click(Point::new(1, 1));
    player.settle();
    player.send(CursorRequest::Go(Go::Ply(2)));
    player.settle();
    player.assert_pieces_agree();
    player.send(CursorRequest::Go(Go::End));
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.settle();
    assert_eq!((player.current().table().ply(), duty(&player)), (5, Duty::Put(Opener::Chooser)));
    player.click(Point::new(2, 1));
    player.settle();
    assert!(matches!(duty(&player), Duty::Choose(Opener::Setter, _)));
    player.send(SelectionRequest::Take(Choice::TwoMore));
    assert_eq!(player.current().table().ply(), 6, "the choice is not offered twice");
    player.send(SelectionRequest::Take(Choice::Second));
    player.settle();
    // The first player took White: the second player has Black, and White is to move.
    assert_eq!(duty(&player), Duty::Play(Opener::Chooser));
    let table = player.current().table();
    assert_eq!(
        (table.turn(), table.seat_to_move(), player.current().seat_of(Side::First)),
        (Side::Second, Side::First, Side::Second)
    );
    let sheet = player.app.world().resource::<ScoreSheet>();
    let choices = (0..).zip(sheet.line()).filter(|(_, entry)| entry.side.is_none()).map(|(index, _)| index);
    assert_eq!(choices.collect::<Vec<usize>>(), [3, 6]);
    // Saved and opened again, it is the same.
    player.send(RecordsRequest::Save);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let paper = player.app.world().resource::<SavedGames>().games[0].clone();
    let played = player.current().table().played();
    player.send(BeginRequest::Rematch(false));
    player.until("another", |world| world.resource::<CurrentMatch>().table().ply() == 0);
    player.settle();
    player.send(ReadRequest::Open(vec![paper.path]));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().ply() == 7);
    assert_eq!((player.current().table().played(), duty(&player)), (played, Duty::Play(Opener::Chooser)));
}

#[test]
fn the_computer_opens_and_chooses() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    opened(&mut player, computer(3), SeatSpec::Human, "freestyle+swap2");
    player.settle();
    // The computer has placed three stones; the person takes White and is to move.
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    player.assert_pieces_agree();
    player.send(SelectionRequest::Take(Choice::Second));
    player.settle();
    assert!(player.current().human_to_move());
    // The person takes Black instead: now the computer moves.
    player.send(CursorRequest::Undo);
    player.settle();
    player.send(SelectionRequest::Take(Choice::First));
    player.until("White's move", |world| world.resource::<CurrentMatch>().table().pieces().len() == 4);
    player.settle();
    assert!(player.current().human_to_move() && player.current().table().turn() == Side::First);
    // One undo goes back to the person's last choice.
    player.send(CursorRequest::Undo);
    player.settle();
    assert!(matches!(duty(&player), Duty::Choose(Opener::Chooser, _)));
    player.send(RefereeRequest::Resign(player.current().resigner().unwrap()));
    player.settle();
    // The person places the stones, and the computer chooses.
    player.send(BeginRequest::Rematch(true));
    player.until("another", |world| world.resource::<CurrentMatch>().outcome().is_none());
    player.settle();
    for at in [Point::new(7, 7), Point::new(8, 8), Point::new(3, 3)] {
        player.click(at);
        player.frame();
    }
    player.until("a choice", |world| world.resource::<CurrentMatch>().table().ply() > 3);
    player.settle();
    assert!(!player.current().table().opening().unwrap().choices().is_empty());
    player.assert_pieces_agree();
}

#[test]
fn every_match_has_another_balanced_opening() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let mut seen = std::collections::HashSet::new();
    opened(&mut player, SeatSpec::Human, SeatSpec::Human, "renju+balanced");
    for _ in 0..4 {
        player.settle();
        let table = player.current().table();
        assert!(table.pieces().len() >= 3 && table.setup().position.is_some());
        seen.insert(table.position_text());
        player.assert_pieces_agree();
        let seed = player.current().seed();
        player.send(BeginRequest::Rematch(false));
        player.until("another", |world| world.resource::<CurrentMatch>().seed() != seed);
    }
    assert!(seen.len() >= 3, "{seen:?}");
    player.settle();
    let text = player.current().table().position_text();
    let empty = player.current().table().actions()[0];
    player.play(empty);
    player.settle();
    player.send(CursorRequest::Undo);
    player.settle();
    assert_eq!(player.current().table().position_text(), text);
    drop(player);
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.send(BeginRequest::Resume);
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert_eq!(player.current().table().position_text(), text);
    assert_eq!(player.app.world().resource::<Settings>().last_setup("gomoku").variant.as_deref(), None);
    // Saved and opened again, it begins with the same stones.
    let next = player.current().table().actions()[0];
    player.play(next);
    player.settle();
    let (stones, played) = (player.current().table().position_text(), player.current().table().played());
    player.send(RecordsRequest::Save);
    player.send(BeginRequest::Rematch(false));
    player.settle();
    assert_ne!(player.current().table().position_text(), stones);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    // Matches without a move are not saved.
    assert_eq!(games.len(), 1, "{games:?}");
    player.send(ReadRequest::Open(vec![games[0].path.clone()]));
    player.until("the record", |world| world.resource::<CurrentMatch>().table().position_text() == stones);
    player.settle();
    assert_eq!(player.current().table().played(), played);
    player.assert_pieces_agree();
}

#[test]
fn a_forbidden_point_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    from_moves(&mut player, "renju", "h9 a1 h10 a15 i8 o1 j8 o15", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    let explained = |player: &Player| {
        let restrictions = player.app.world().resource::<Restrictions>();
        restrictions.explained().map(|one| (one.at, one.reason, one.lines.len()))
    };
    let (point, free) = (Point::new(7, 7), Point::new(3, 3));
    let why = Some((point, Forbidden::DoubleThree, 2));
    assert_eq!(player.app.world().resource::<Restrictions>().all().len(), 1);
    assert_eq!(explained(&player), None);
    player.point_at(point);
    player.frame();
    player.frame();
    assert_eq!(explained(&player), why);
    player.point_at(free);
    player.frame();
    player.frame();
    assert_eq!(explained(&player), None);
    // The reason stays until a move is played.
    player.click(point);
    player.point_at(free);
    player.frame();
    player.frame();
    assert_eq!((player.current().table().ply(), explained(&player)), (8, why));
    player.click(free);
    player.settle();
    assert_eq!((player.current().table().ply(), explained(&player)), (9, None));
    assert!(player.app.world().resource::<Restrictions>().all().is_empty(), "white is free");
    // The reason is announced at the keyboard's cursor. With the setting off, nothing is marked.
    player.send(CursorRequest::Undo);
    player.settle();
    player.key(KeyCode::Enter);
    player.frame();
    let said = player.app.world().resource::<Spoken>().text.clone();
    assert!(said.contains("three") || said.contains("三"), "{said}");
    player.send(Change::new(|settings: &mut Settings| settings.show_forbidden = false));
    player.frame();
    assert!(player.app.world().resource::<Restrictions>().all().is_empty());
}
