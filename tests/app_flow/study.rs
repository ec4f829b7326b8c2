//! A game after its end: variations, the score sheet, the review, marks and the analysis page.

use super::{Player, reviewed, sheet_of};
use crate::driver;
use crate::driver::Phase;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::activities::study::GameReview;
use qiju::app::explore::{Analysis, Study};
use qiju::app::play::{CurrentMatch, SavedGame, SavedGames, ScoreSheet, Unfinished};
use qiju::app::requests::{
    AnalysisRequest, BeginRequest, CursorRequest, Effort, Go, PageRequest, ReadRequest, RecordsRequest, ReviewRequest, StudyPage,
    StudyRequest,
};
use qiju::app::state::{Menu, Screen};
use qiju_core::games::REGISTRY;
use qiju_core::record::SeatSpec;
use qiju_core::rules::Point;
use qiju_core::table::{Action, Glyph, Judgement, Mark, MarkColour, Setup, TreeEdit};

/// The moves and comments of the tree with their plies, whatever the numbers of its nodes are.
fn told(current: &CurrentMatch) -> Vec<(usize, Option<Action>, String)> {
    let tree = current.played().kept_tree();
    tree.walk().map(|id| (tree.depth(id), tree.node(id).action(), tree.notes(id).comment.to_owned())).collect()
}

fn point(text: &str) -> Action {
    let table = REGISTRY.iter().find(|entry| entry.key == "tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
    table.read(text).unwrap()
}

/// In a finished game moves at earlier positions become variations, which survive a kill and are saved with the game.
#[test]
fn variations_are_made_in_a_finished_game_and_outlive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for text in ["b2", "a2", "a1", "c3", "c1", "b1", "a3"] {
        let ply = player.current().table().ply();
        player.click(point(text).target().unwrap());
        player.until("the move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
        player.settle();
    }
    assert_eq!(player.phase(), Some(Phase::Over));
    // Two moves back, another move is tried and answered.
    player.key(KeyCode::ArrowLeft);
    player.key(KeyCode::ArrowLeft);
    player.frame();
    assert_eq!(player.current().shown().ply(), 5);
    for text in ["a3", "b1"] {
        player.click(point(text).target().unwrap());
        player.frame();
        player.frame();
        player.assert_pieces_agree();
    }
    let current = player.current();
    assert_eq!((current.table().ply(), current.shown().ply(), current.played().is_on_line()), (7, 7, false));
    assert_eq!(current.tree().variations(), 1);
    let sheet = player.app.world().resource::<ScoreSheet>();
    let variation = sheet.entries()[6].clone();
    assert_eq!((sheet.line().count(), sheet.entries().len(), variation.depth, variation.begins), (7, 9, 1, 2));
    // It gets a comment. Undo steps back in the variation and does not change the match; Escape leaves the variation.
    let at = current.cursor();
    player.send(CursorRequest::Edit(TreeEdit::Comment { at, text: "better".to_owned() }));
    player.send(CursorRequest::Undo);
    assert_eq!((player.current().shown().ply(), player.current().table().ply()), (6, 7));
    player.key(KeyCode::ArrowRight);
    assert_eq!(player.current().cursor(), at);
    player.key(KeyCode::Escape);
    player.frame();
    assert!(player.current().played().is_on_line() && player.current().shown().ply() == 5);
    assert_eq!(*player.app.world().resource::<State<Menu>>().get(), Menu::None);
    // A click in the score sheet leads to it.
    player.send(CursorRequest::Go(Go::To(variation.node)));
    player.frame();
    player.assert_pieces_agree();
    assert_eq!(player.current().shown().ply(), 6);
    // Home, End, and back into the game.
    player.key(KeyCode::Home);
    assert_eq!(player.current().shown().ply(), 0);
    player.key(KeyCode::End);
    player.frame();
    player.assert_pieces_agree();
    let wanted = told(player.current());
    assert_eq!(wanted.len(), 1 + 7 + 2);

    // After a kill the finished game is not offered again, but it is among the saved games with all variations and comments.
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    assert!(player.app.world().resource::<Unfinished>().found().is_none());
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    assert_eq!(games.len(), 1);
    player.send(ReadRequest::Open(vec![games[0].path.clone()]));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    assert_eq!((told(player.current()), player.current().table().ply()), (wanted.clone(), 7));
    // A deleted variation stays deleted.
    let variation = player.current().tree().node(player.current().played().line()[4]).children()[1];
    player.send(CursorRequest::Edit(TreeEdit::Remove { at: variation }));
    assert_eq!(told(player.current()).len(), 1 + 7);
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let games = player.app.world().resource::<SavedGames>().games.clone();
    let variations = |game: &SavedGame| qiju_core::record::open(&game.path).unwrap().records[0].tree.variations();
    assert!(games.iter().any(|game| variations(game) == 0), "{games:?}");
}

/// While a match runs, an earlier position can be shown, but a move there makes no variation.
#[test]
fn a_running_match_has_no_variations() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.settle();
    for text in ["b2", "a1"] {
        player.click(point(text).target().unwrap());
        player.settle();
    }
    player.send(CursorRequest::Go(Go::Ply(1)));
    player.send(CursorRequest::Try(point("c1")));
    assert_eq!(player.current().tree().variations(), 0);
    player.click(Point::new(2, 0));
    player.settle();
    assert_eq!((player.current().table().ply(), player.current().is_looking_back()), (2, false));
}

/// The sheet of a record with variations; what the player changes in it survives a kill.
#[test]
fn the_score_sheet_shows_the_tree_and_what_is_changed_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let path = folder.path().join("three.pgn");
    std::fs::write(&path, "[Game \"tic-tac-toe\"]\n\n1. b2 a1 (1... a2 2. a1) (1... c3! 2. c1) 2. c1 *\n").unwrap();
    player.send(ReadRequest::Open(vec![path]));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    let wanted = |list: &[(u16, &str)]| list.iter().map(|(depth, text)| (*depth, (*text).to_owned())).collect::<Vec<_>>();
    let whole = [(0, "b2"), (0, "a1"), (1, "a2"), (1, "a1"), (1, "c3!"), (1, "c1"), (0, "c1")];
    assert_eq!(sheet_of(&player), wanted(&whole));
    // The second variation moves up, never above the match; another one gets a glyph and is shortened.
    let node = |player: &Player, index: usize| player.app.world().resource::<ScoreSheet>().entries()[index].node;
    let (first, second) = (node(&player, 2), node(&player, 4));
    assert_eq!(player.current().variation_of(node(&player, 5)), Some(second));
    assert!(player.current().can_promote(second) && !player.current().can_promote(first));
    player.send(CursorRequest::Edit(TreeEdit::Promote { at: second }));
    player.send(CursorRequest::Edit(TreeEdit::Promote { at: second }));
    player.frame();
    player.send(CursorRequest::Edit(TreeEdit::Glyphs { at: first, glyphs: vec![Glyph::MISTAKE] }));
    let last = node(&player, 5);
    player.send(CursorRequest::Edit(TreeEdit::Remove { at: last }));
    player.frame();
    let changed = [(0, "b2"), (0, "a1"), (1, "c3!"), (1, "c1"), (1, "a2?"), (0, "c1")];
    assert_eq!(sheet_of(&player), wanted(&changed));
    // The moves of the match stay.
    let of_match = node(&player, 1);
    player.send(CursorRequest::Edit(TreeEdit::Remove { at: of_match }));
    player.frame();
    assert_eq!(sheet_of(&player), wanted(&changed));
    // When only the position shown changes, the sheet is not made again.
    let revision = player.app.world().resource::<ScoreSheet>().revision();
    player.send(CursorRequest::Go(Go::To(first)));
    player.frame();
    assert_eq!((player.current().cursor(), player.app.world().resource::<ScoreSheet>().revision()), (first, revision));
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    player.send(BeginRequest::Resume);
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.settle();
    assert_eq!(sheet_of(&player), wanted(&changed));
}

#[test]
fn a_finished_game_is_reviewed_and_the_review_is_kept_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    player.send(ReviewRequest::Show);
    assert!(player.app.world().resource::<GameReview>().progress().is_none(), "a running match is not reviewed");
    for text in ["b2", "b1", "a1", "c1", "c3"] {
        let action = player.current().table().read(text).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(ReviewRequest::Show);
    assert_eq!(player.app.world().resource::<Study>().page, Some(StudyPage::Review));
    // It continues while another page is shown.
    player.send(StudyRequest(None));
    let summary = reviewed(&mut player);
    assert_eq!((summary.turning_point, summary.sides.second.count(Judgement::Blunder)), (Some(2), 1));
    let bad = player.current().played().line()[1];
    let tree = player.current().tree();
    let notes = tree.notes(bad);
    assert!(notes.glyphs.contains(&Glyph::BLUNDER) && !notes.comment.is_empty(), "{notes:?}");
    let siblings = tree.node(tree.previous(bad).unwrap()).children().len();
    assert_eq!(siblings, 2, "the better move is a variation");
    // A key goes from mistake to mistake; there is only one.
    player.send(CursorRequest::Go(Go::Start));
    for key in [KeyCode::KeyN, KeyCode::KeyN] {
        player.key(key);
        assert_eq!(player.current().cursor(), bad);
    }
    // Escape closes the page before it opens the menu.
    player.key(KeyCode::KeyR);
    assert_eq!(player.app.world().resource::<Study>().page, Some(StudyPage::Review));
    player.key(KeyCode::Escape);
    let world = player.app.world();
    assert_eq!((world.resource::<Study>().page, *world.resource::<State<Menu>>().get()), (None, Menu::None));
    // A review that is stopped changes nothing.
    player.send(ReviewRequest::With(Effort::Thorough));
    player.send(ReviewRequest::Stop);
    assert!(player.app.world().resource::<GameReview>().progress().is_none());
    // Saved and opened again, the review is there.
    player.send(RecordsRequest::Save);
    player.send(PageRequest::Menu(Menu::Records));
    player.frame();
    let path = player.app.world().resource::<SavedGames>().games[0].path.clone();
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(ReadRequest::Open(vec![path]));
    player.until("the record", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.frame();
    assert_eq!(GameReview::summary(player.current()), Some(summary));
}

#[test]
fn arrows_and_circles_are_drawn_with_the_right_button_and_kept_with_the_move() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("xiangqi", SeatSpec::Human, SeatSpec::Human);
    let draw = |player: &mut Player, from: Point, to: Point| {
        for (point, state) in [(from, ButtonState::Pressed), (to, ButtonState::Released)] {
            player.point_at(point);
            driver::button(&mut player.app, MouseButton::Right, state);
            player.frame();
        }
        player.frame();
    };
    let marks = |player: &Player| player.current().tree().notes(player.current().cursor()).marks.to_vec();
    let (from, to) = (Point::new(7, 2), Point::new(4, 2));
    draw(&mut player, from, to);
    draw(&mut player, from, from);
    let colour = MarkColour::Green;
    assert_eq!(marks(&player), [Mark::Arrow { from, to, colour }, Mark::Circle { at: from, colour }]);
    draw(&mut player, from, to);
    assert_eq!(marks(&player), [Mark::Circle { at: from, colour }]);
    // They belong to the position: the next position has none.
    player.play(Action::Step { from, to });
    player.settle();
    assert_eq!(marks(&player), []);
    player.key(KeyCode::ArrowLeft);
    assert_eq!(marks(&player).len(), 1);
}

#[test]
fn the_analysis_page_runs_pauses_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("gomoku", SeatSpec::Human, SeatSpec::Human);
    player.click(Point::new(7, 7));
    player.settle();
    player.send(StudyRequest(Some(StudyPage::Analysis)));
    player.send(AnalysisRequest::Lines(5));
    player.until("five lines", |world| world.resource::<Analysis>().lines().count() == 5);
    let reached = player.app.world().resource::<Analysis>().reached().unwrap();
    assert!(reached.depth > 0 && reached.nodes > 0, "{reached:?}");
    player.send(AnalysisRequest::Pause(true));
    player.frame();
    let analysis = player.app.world().resource::<Analysis>();
    assert_eq!((analysis.is_thinking(), analysis.lines().count()), (false, 5), "what was found stays");
    // At another position a paused engine shows nothing; after that it analyses the position that is shown.
    player.send(CursorRequest::Go(Go::Start));
    player.frame();
    assert_eq!(player.app.world().resource::<Analysis>().lines().count(), 0);
    player.send(AnalysisRequest::Pause(false));
    player.until("a line", |world| world.resource::<Analysis>().lines().count() > 0);
    // Choosing an engine starts the analysis again.
    player.send(AnalysisRequest::With(None));
    player.until("a line", |world| world.resource::<Analysis>().lines().count() > 0);
    player.send(AnalysisRequest::Switch);
    player.until("rest", |world| !world.resource::<Analysis>().is_thinking());
}
