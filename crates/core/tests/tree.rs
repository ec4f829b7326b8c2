//! Tests of trees of moves, and of cursors in real games.

use qiju_core::games;
use qiju_core::rules::{Point, Side};
use qiju_core::table::{Action, Cursor, EditError, Glyph, NodeId, Origin, PlayedGame, Setup, Tree, TreeEdit};

fn drop_at(x: u8, y: u8) -> Action {
    Action::Drop(Point::new(x, y))
}

/// `a b c` with `d e` instead of `b c`, and `f` instead of `e`.
fn sample() -> (Tree, [NodeId; 6]) {
    let mut tree = Tree::new();
    let a = tree.add(Tree::ROOT, drop_at(0, 0), Origin::Main);
    let b = tree.add(a, drop_at(1, 0), Origin::Main);
    let c = tree.add(b, drop_at(2, 0), Origin::Main);
    let d = tree.add(a, drop_at(1, 1), Origin::Variation);
    let e = tree.add(d, drop_at(2, 2), Origin::Variation);
    let f = tree.add(d, drop_at(0, 2), Origin::Variation);
    (tree, [a, b, c, d, e, f])
}

#[test]
fn lines_and_variations() {
    let (mut tree, [a, b, c, d, e, f]) = sample();
    assert_eq!(tree.main_line(), [a, b, c]);
    assert_eq!(tree.path_to(f), [a, d, f]);
    assert_eq!((tree.depth(f), tree.depth(Tree::ROOT), tree.end_of_line(d)), (3, 0, e));
    assert_eq!((tree.common(c, f), tree.common(e, f), tree.common(c, c), tree.common(a, c)), (a, d, c, a));
    assert_eq!((tree.branch_point(f), tree.branch_point(b), tree.is_main(c), tree.is_main(d)), (a, b, true, false));
    assert_eq!(tree.walk().collect::<Vec<_>>(), [Tree::ROOT, a, b, c, d, e, f]);
    assert_eq!((tree.variations(), tree.comments(), tree.is_annotated()), (2, 0, true));
    // A move that is already there is not added again.
    assert_eq!((tree.add(a, drop_at(1, 1), Origin::Engine), tree.len()), (d, 7));
    tree.make_main(f);
    assert_eq!(tree.main_line(), [a, d, f]);
    assert!(tree.promote(b) && !tree.promote(b));
    assert_eq!(tree.main_line(), [a, b, c]);
    assert!(!tree.promote(Tree::ROOT));
}

#[test]
fn a_removed_node_can_be_restored() {
    let (mut tree, [a, b, c, d, ..]) = sample();
    tree.set_comment(c, "kept");
    assert_eq!(tree.remove(b), Some(0));
    assert_eq!((tree.remove(b), tree.remove(Tree::ROOT)), (None, None));
    assert!(!tree.is_attached(c) && tree.is_attached(d) && !tree.is_attached(NodeId(99)));
    assert_eq!(tree.walk().count(), 5);
    assert_eq!(tree.packed().len(), 5);
    assert!(tree.restore(b, 0) && !tree.restore(b, 0));
    assert_eq!((tree.main_line(), tree.notes(c).comment), (vec![a, b, c], "kept"));
    // A move that was added again in the meantime stays.
    tree.remove(d);
    let again = tree.add(a, drop_at(1, 1), Origin::Variation);
    assert!(again != d && !tree.restore(d, 0));
}

#[test]
fn packing_keeps_the_tree() {
    let (mut tree, [a, b, c, d, e, f]) = sample();
    tree.set_glyphs(e, &[Glyph::BLUNDER]);
    tree.remove(b);
    let packed = tree.packed();
    let shape = |tree: &Tree| -> Vec<(usize, Option<Action>, Vec<Glyph>)> {
        tree.walk().map(|id| (tree.depth(id), tree.node(id).action(), tree.notes(id).glyphs.to_vec())).collect()
    };
    assert_eq!(shape(&packed), shape(&tree));
    assert_eq!((packed.len(), packed.main_line().len()), (5, 3));
    assert!([a, b, c, d, f].iter().all(|id| tree.get(*id).is_some()));
}

#[test]
fn a_deep_tree_needs_no_stack() {
    let mut tree = Tree::new();
    let mut at = Tree::ROOT;
    for number in 0..200_000u32 {
        at = tree.add(at, drop_at((number % 15) as u8, (number / 15 % 15) as u8), Origin::Record);
    }
    assert_eq!((tree.depth(at), tree.walk().count(), tree.packed().len()), (200_000, 200_001, 200_001));
    assert!(tree.is_attached(at) && tree.is_main(at));
    drop(tree);
}

#[test]
fn glyphs_have_signs() {
    assert!((1..=6).all(|number| Glyph::from_sign(Glyph(number).sign().unwrap()) == Some(Glyph(number))));
    assert_eq!((Glyph(10).sign(), Glyph::from_sign("=")), (None, None));
}

#[test]
fn a_cursor_goes_everywhere() {
    let start = games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
    let (mut tree, [a, b, c, d, e, f]) = sample();
    let mut cursor = Cursor::at_root(start);
    for to in [c, f, e, a, Tree::ROOT, b, d, c] {
        let from = cursor.at();
        let steps = cursor.go(&tree, to);
        assert_eq!(cursor.at(), to);
        assert_eq!(cursor.table().played(), tree.actions_to(to));
        let common = tree.common(from, to);
        assert_eq!(steps.len(), tree.depth(from) + tree.depth(to) - 2 * tree.depth(common));
        assert_eq!(steps.last().map_or(to, |step| step.to), to);
    }
    // A legal move becomes a variation, an illegal one changes nothing.
    cursor.go(&tree, a);
    assert!(cursor.play(&mut tree, drop_at(0, 0), Origin::Variation).is_err());
    assert_eq!((cursor.at(), tree.len()), (a, 7));
    let step = cursor.play(&mut tree, drop_at(2, 1), Origin::Variation).unwrap();
    assert_eq!((step.mover, step.forward, tree.node(a).children().len()), (Side::Second, true, 3));
    let step = cursor.play(&mut tree, drop_at(1, 0), Origin::Variation).unwrap();
    assert_eq!(tree.node(step.to).parent(), Some(NodeId(7)));
}

/// A game of tic-tac-toe with `b2 a1 c3` played and `b1` tried instead of `a1`.
fn played() -> PlayedGame {
    let mut game = PlayedGame::new(games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap());
    for (x, y) in [(1, 1), (0, 0), (2, 2)] {
        game.play(drop_at(x, y)).unwrap();
    }
    let first = game.line()[0];
    game.edit(&TreeEdit::Add { at: first, moves: vec![drop_at(1, 0), drop_at(0, 0)], origin: Origin::Variation }).unwrap();
    game
}

#[test]
fn the_match_is_the_first_line_and_edits_do_not_change_it() {
    let mut game = played();
    assert_eq!((game.line().len(), game.tree().variations(), game.shown().ply()), (3, 1, 3));
    let (second, tried) = (game.line()[1], game.tree().node(game.line()[0]).children()[1]);
    let refused = [
        (TreeEdit::Remove { at: second }, EditError::OfTheMatch),
        (TreeEdit::Promote { at: second }, EditError::OfTheMatch),
        (TreeEdit::Promote { at: tried }, EditError::First),
        (TreeEdit::Comment { at: NodeId(99), text: String::new() }, EditError::NoSuchNode),
    ];
    for (edit, error) in refused {
        assert_eq!(game.edit(&edit).unwrap_err(), error, "{edit:?}");
    }
    let illegal = TreeEdit::Add { at: tried, moves: vec![drop_at(2, 0), drop_at(2, 0)], origin: Origin::Variation };
    assert!(matches!(game.edit(&illegal), Err(EditError::Illegal(_))));
    assert!(game.tree().node(tried).children().len() == 1, "nothing of a line that is not legal");
    // The cursor leaves a removed line.
    game.go(game.tree().end_of_line(tried));
    let (_, steps) = game.edit(&TreeEdit::Remove { at: tried }).unwrap();
    assert_eq!((steps.len(), game.cursor(), game.is_on_line()), (2, game.line()[0], true));
}

#[test]
fn annotated_moves_stay_after_undo() {
    let mut game = played();
    // Redo gives the same node.
    assert_eq!(game.undo().unwrap().len(), 1);
    assert!(game.can_redo() && game.cursor() == game.present());
    assert!(game.redo().unwrap().is_some());
    assert_eq!((game.line().len(), game.table().ply(), game.shown().ply()), (3, 3, 3));
    // Another move replaces it, and it is removed completely.
    game.undo();
    game.play(drop_at(2, 1)).unwrap();
    assert_eq!((game.tree().variations(), game.can_redo()), (1, false));
    // With a comment it becomes a variation.
    let last = game.present();
    game.edit(&TreeEdit::Comment { at: last, text: "why not".to_owned() }).unwrap();
    game.undo();
    game.play(drop_at(0, 2)).unwrap();
    assert_eq!((game.tree().variations(), game.tree().comments()), (2, 1));
    assert!(!game.is_of_line(last) && game.tree().is_attached(last) && game.tree().is_main(game.present()));
    // The same move again keeps its annotations.
    game.undo();
    let again = game.tree().node(last).action().unwrap();
    game.play(again).unwrap();
    assert_eq!(game.tree().notes(game.present()).comment, "why not");
}

#[test]
fn a_sketch_is_removed_completely() {
    let mut game = played();
    let kept = game.tree().walk().count();
    let at = game.line()[0];
    game.begin_sketch(at, Some(Side::Second));
    // One of its moves is already there, the others are new.
    for (x, y) in [(1, 0), (2, 2), (0, 1)] {
        game.play_sketch(drop_at(x, y)).unwrap();
    }
    assert_eq!((game.shown().ply(), game.tree().walk().count(), game.kept_tree().walk().count()), (4, kept + 2, kept));
    game.end_sketch();
    assert_eq!((game.cursor(), game.tree().walk().count(), game.sketch()), (game.present(), kept, None));
    // A line added at once is left for the match; the parts that the user saved stay.
    game.begin_sketch(at, None);
    let line = game.draw_sketch(at, [drop_at(2, 0), drop_at(0, 2), drop_at(0, 2)]);
    assert_eq!((line.len(), game.cursor()), (2, at));
    game.edit(&TreeEdit::Add { at, moves: vec![drop_at(2, 0)], origin: Origin::Variation }).unwrap();
    game.go_to_present();
    assert_eq!((game.cursor(), game.tree().walk().count()), (game.present(), kept + 1));
}

#[test]
fn a_move_of_the_match_leaves_what_is_shown() {
    let mut game = played();
    let (here, last) = (game.line()[0], game.present());
    game.go(here);
    let next = game.table().actions()[0];
    assert!(game.play(next).unwrap().is_none());
    assert_eq!((game.cursor(), game.line().len()), (here, game.table().ply()));
    // The same in a sketch that begins at the end of the match; the move stays when the sketch that also has it ends.
    game.undo();
    game.begin_sketch(last, None);
    game.draw_sketch(last, [next]);
    assert!(game.play(next).unwrap().is_none());
    assert_eq!(game.cursor(), last);
    game.end_sketch();
    assert_eq!((game.cursor(), game.shown().ply()), (game.present(), game.table().ply()));
}

#[test]
fn places_and_edits_work_in_another_tree() {
    let mut game = played();
    game.edit(&TreeEdit::Comment { at: game.present(), text: "the end".to_owned() }).unwrap();
    let tried = game.tree().node(game.line()[0]).children()[1];
    game.edit(&TreeEdit::Glyphs { at: tried, glyphs: vec![Glyph::DUBIOUS] }).unwrap();
    for id in game.tree().walk() {
        assert_eq!(game.node_of(&game.place_of(id)), Some(id));
    }
    // The moves of the match and the edits give the same tree with other numbers.
    let start = || games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
    let again = |game: &PlayedGame| {
        let mut other = PlayedGame::new(start());
        for action in game.table().played() {
            other.play(action).unwrap();
        }
        for edit in game.edits() {
            let at = other.node_of(edit.at()).unwrap();
            other.edit(&edit.clone().moved_to(at)).unwrap();
        }
        other.tree().packed()
    };
    assert_eq!(again(&game), game.tree().packed());
    // So they do where the match goes on from a record, whose moves are known from those played since.
    let moves = game.table().played();
    let mut going_on = PlayedGame::with_tree(start(), Tree::of_line(moves[..2].to_vec(), Origin::Record))
        .map_err(|(number, error)| format!("{number}: {error}"))
        .unwrap();
    going_on.play(moves[2]).unwrap();
    assert_eq!(again(&going_on), going_on.tree().packed());
    // In a tree from a record the match is the main line, as far as it was played.
    let read = PlayedGame::with_tree(start(), game.tree().packed());
    let read = read.map_err(|(number, error)| format!("{number}: {error}")).unwrap();
    assert_eq!((read.line().len(), read.table().ply(), read.cursor()), (3, 3, read.present()));
}
