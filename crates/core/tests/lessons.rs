//! Tests of learning from lost games: the same line is not lost twice, and the file of lessons survives damage.

use qiju_core::games;
use qiju_core::rules::Side;
use qiju_core::search::{Limits, StopToken};
use qiju_core::table::{Action, Lessons, SearchRequest, Setup, Table};
use std::fs;

fn request(nodes: u64) -> SearchRequest {
    SearchRequest { limits: Limits::nodes(nodes), ..SearchRequest::default() }
}

/// The move of a new engine, so that only the lessons make a difference.
fn think(table: &dyn Table, nodes: u64, lessons: &Lessons) -> Action {
    let mut request = request(nodes);
    lessons.advise(&mut request, table);
    table.player().think(table, &request, &StopToken::new(), &mut |_| ()).unwrap().unwrap()
}

/// A game between a learning engine with black and these lessons, and an opponent that always plays the same moves.
fn play(lessons: &Lessons) -> Box<dyn Table> {
    let setup = Setup { variant: None, position: Some("h8i9a1a15o1".into()) };
    let mut table = games::find("gomoku").unwrap().table(&setup).unwrap();
    while table.outcome().is_none() {
        let action = match table.turn() {
            Side::First => think(&*table, 120, lessons),
            Side::Second => think(&*table, 3000, &Lessons::default()),
        };
        table.play(action).unwrap();
    }
    table
}

#[test]
fn the_same_line_is_not_lost_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (lessons, _) = Lessons::open(folder.path()).unwrap();
    let mut lost: Vec<Vec<Action>> = Vec::new();
    for _ in 0..3 {
        let game = play(&lessons);
        if game.outcome().unwrap().winner != Some(Side::Second) {
            break;
        }
        let line = game.played();
        assert!(!lost.contains(&line), "lost again: {}", game.position_text());
        let lesson = lessons.learn(&*game, Side::First, &request(6000), &StopToken::new()).unwrap();
        let lesson = lesson.expect("black had a move that held at some point");
        assert_eq!((lesson.game.as_str(), lesson.variant.as_str()), ("gomoku", "freestyle"));
        assert_ne!(lesson.avoid, lesson.instead);
        // The lesson is for a position of this game with black to move, and for the move played there.
        let mut past = game.boxed_clone();
        let at = loop {
            past.undo().expect("the lesson is of this game");
            if past.position_text() == lesson.position {
                break past;
            }
        };
        assert_eq!(at.turn(), Side::First);
        assert_eq!(at.read(&lesson.avoid).unwrap(), line[at.ply()]);
        assert_eq!(lessons.avoid(&*at).last(), Some(&line[at.ply()]));
        lost.push(line);
    }
    assert!(!lost.is_empty(), "the teacher must win at least once");
    // The lessons are there when the file is opened again.
    let (again, damage) = Lessons::open(folder.path()).unwrap();
    assert_eq!((again.list(), damage), (lessons.list(), None));
}

/// A lesson is valid for rotated and mirrored positions.
#[test]
fn a_lesson_is_valid_on_the_rotated_and_mirrored_board() {
    let folder = tempfile::tempdir().unwrap();
    let (lessons, _) = Lessons::open(folder.path()).unwrap();
    let lost = |moves: &str| {
        let setup = Setup { variant: None, position: Some(moves.into()) };
        games::find("gomoku").unwrap().table(&setup).unwrap()
    };
    // Black blunders: it does not stop a four.
    let game = lost("a1 h8 a3 h9 a5 h10 o1 h11 o3 h12");
    let lesson = lessons.learn(&*game, Side::First, &request(2000), &StopToken::new()).unwrap().unwrap();
    let at = games::find("gomoku").unwrap();
    let at = at.table(&Setup { variant: Some("freestyle".into()), position: Some(lesson.position.clone()) }).unwrap();
    let avoid = at.read(&lesson.avoid).unwrap();
    assert_eq!(lessons.avoid(&*at), [avoid]);
    let images = at.images();
    assert_eq!(images.len(), 8);
    let mut texts = std::collections::HashSet::new();
    for (image, seen) in &images {
        assert_eq!(lessons.avoid(&**seen), [image.of_action(avoid, at.size())], "{image:?}");
        texts.insert(seen.position_text());
    }
    assert_eq!(texts.len(), 8);
    // Another position has no lesson, and the mirrored loss is not a second lesson.
    assert!(lessons.avoid(&*lost("a1 h8")).is_empty());
    let mirrored = lost("o1 h8 o3 h9 o5 h10 a1 h11 a3 h12");
    let again = lessons.learn(&*mirrored, Side::First, &request(2000), &StopToken::new()).unwrap().unwrap();
    assert!(lessons.len() == 1 || again.position != lesson.position, "{again:?}");
    let same = |one: &qiju_core::table::Lesson| (one.position.clone(), one.avoid.clone());
    let all: std::collections::HashSet<_> = lessons.list().iter().map(same).collect();
    assert_eq!(all.len(), lessons.len());
}

/// Xiangqi is symmetric only from left to right.
#[test]
fn xiangqi_is_mirrored_but_not_rotated() {
    let table = games::find("xiangqi").unwrap().table(&Setup::default()).unwrap();
    let texts: Vec<String> = table.images().iter().map(|(_, seen)| seen.position_text()).collect();
    assert_eq!(texts, [table.position_text(), table.position_text()]);
}

#[test]
fn a_damaged_file_is_renamed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (lessons, damage) = Lessons::open(folder.path()).unwrap();
    assert!(lessons.is_empty() && damage.is_none());
    // Black blunders: it does not stop a four.
    let setup = Setup { variant: None, position: Some("a1 h8 a3 h9 a5 h10 o1 h11 o3 h12".into()) };
    let game = games::find("gomoku").unwrap().table(&setup).unwrap();
    lessons.learn(&*game, Side::First, &request(2000), &StopToken::new()).unwrap().unwrap();
    let file = folder.path().join("lessons.txt");
    let whole = fs::read(&file).unwrap();
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x11;
        fs::write(&file, &bytes).unwrap();
        let (read, damage) = Lessons::open(folder.path()).unwrap();
        let damage = damage.unwrap_or_else(|| panic!("byte {at} was changed and accepted"));
        assert_eq!(damage.saved, read.len());
        assert_eq!(fs::read(&damage.kept).unwrap(), bytes, "the damaged file is kept");
        fs::remove_file(damage.kept).unwrap();
    }
    fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    assert!(Lessons::open(folder.path()).unwrap().1.is_some());
    fs::write(&file, &whole).unwrap();
    let (read, damage) = Lessons::open(folder.path()).unwrap();
    assert_eq!((read.len(), damage), (1, None));
    read.clear(Some("xiangqi")).unwrap();
    assert_eq!(Lessons::open(folder.path()).unwrap().0.len(), 1);
    read.clear(None).unwrap();
    assert!(Lessons::open(folder.path()).unwrap().0.is_empty());
}
