//! A cursor walks a tree of moves of a game that is really played.

use qiju::games;
use qiju::rules::{Point, Side};
use qiju::table::{Action, Cursor, NodeId, Origin, Setup, Tree};

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
