//! Tests of the searchers on small trees whose values were computed by hand.

use super::super::{AlphaBeta, Engine, Evaluate, Info, Job, Limits, Plain, PlainKind, StopToken, Value};
use crate::rules::{History, Outcome, Position, Reason, Side, zobrist};

/// A node of a small test tree: a leaf with its value for the first side, an end of the game, or a node with children.
enum Node {
    Leaf(i32),
    Won(Side),
    Choice(Vec<Node>),
}

/// A position of a test game: a path in a tree.
#[derive(Clone)]
struct Toy {
    tree: std::sync::Arc<Node>,
    path: Vec<u16>,
}

impl Toy {
    fn node(&self) -> &Node {
        self.path.iter().fold(&self.tree, |node, &index| match node {
            Node::Choice(children) => &children[usize::from(index)],
            _ => node,
        })
    }
}

impl Position for Toy {
    type Move = u16;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        if self.path.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn legal_moves(&self, out: &mut Vec<u16>) {
        match self.node() {
            Node::Choice(children) => out.extend(0..children.len() as u16),
            Node::Leaf(_) => out.push(0),
            Node::Won(_) => {}
        }
    }
    fn make(&mut self, mv: u16) {
        self.path.push(mv);
    }
    fn unmake(&mut self, _: u16, (): ()) {
        self.path.pop();
    }
    fn key(&self) -> u64 {
        self.key_from_scratch()
    }
    fn key_from_scratch(&self) -> u64 {
        self.path.iter().fold(1, |key, &mv| zobrist::mix(key ^ u64::from(mv)))
    }
    fn outcome(&self) -> Option<Outcome> {
        match self.node() {
            Node::Won(side) => Some(Outcome::win(*side, Reason::Three)),
            _ => None,
        }
    }
    fn move_code(mv: u16) -> u16 {
        mv + 1
    }
}

struct LeafValue;

impl Evaluate<Toy> for LeafValue {
    fn evaluate(&mut self, position: &Toy) -> i32 {
        let Node::Leaf(value) = position.node() else { return 0 };
        if position.side_to_move() == Side::First { *value } else { -value }
    }
}

fn leaves(values: &[i32]) -> Node {
    Node::Choice(values.iter().map(|&v| Node::Leaf(v)).collect())
}

/// The textbook tree: three moves with three leaves each. Minimax gives 3 with the first move, and alpha-beta
/// does not visit the last two leaves of the second branch.
fn textbook() -> Node {
    Node::Choice(vec![leaves(&[3, 12, 8]), leaves(&[2, 4, 6]), leaves(&[14, 5, 2])])
}

fn run(engine: &mut dyn Engine<Toy>, tree: Node, depth: u16) -> (Option<u16>, Info<u16>) {
    let root = History::new(Toy { tree: tree.into(), path: Vec::new() });
    let mut last = None;
    let mut info = |info: Info<u16>| last = Some(info);
    let mv = engine.think(&root, Job::new(Limits::depth(depth), StopToken::new(), &mut info));
    (mv, last.expect("a search reports"))
}

#[test]
fn the_textbook_tree() {
    let mut nodes = Vec::new();
    for kind in [PlainKind::Minimax, PlainKind::Negamax, PlainKind::AlphaBeta] {
        let (mv, info) = run(&mut Plain::new(kind, LeafValue), textbook(), 2);
        assert_eq!((mv, info.value), (Some(0), Value::Cp(3)), "{kind:?}");
        assert_eq!(info.pv, [0, 0], "{kind:?}");
        nodes.push((info.nodes, info.cutoffs));
    }
    // Root, three moves, nine leaves. The first 2 refutes the second branch and saves two leaves; the 2 that refutes
    // the third branch is its last leaf and saves none.
    assert_eq!(nodes, [(13, 0), (13, 0), (11, 2)]);
    let (mv, info) = run(&mut AlphaBeta::new(LeafValue, 1), textbook(), 2);
    assert_eq!((mv, info.value), (Some(0), Value::Cp(3)));
}

#[test]
fn a_nearer_win_is_better_and_a_later_loss() {
    use Node::{Choice, Won};
    let (first, second) = (Side::First, Side::Second);
    // Move 0 wins in two of the mover's own moves, move 1 at once.
    let win = || Choice(vec![Choice(vec![Choice(vec![Won(first)])]), Won(first)]);
    // Move 0 loses at once, move 1 one full move later.
    let loss = || Choice(vec![Choice(vec![Won(second)]), Choice(vec![Choice(vec![Choice(vec![Won(second)])])])]);
    let engines = || -> Vec<Box<dyn Engine<Toy>>> {
        vec![
            Box::new(Plain::new(PlainKind::Minimax, LeafValue)),
            Box::new(Plain::new(PlainKind::Negamax, LeafValue)),
            Box::new(Plain::new(PlainKind::AlphaBeta, LeafValue)),
            Box::new(AlphaBeta::new(LeafValue, 1)),
        ]
    };
    for mut engine in engines() {
        let (mv, info) = run(engine.as_mut(), win(), 4);
        assert_eq!((mv, info.value), (Some(1), Value::Mate(1)));
        let (mv, info) = run(engine.as_mut(), loss(), 4);
        assert_eq!((mv, info.value), (Some(1), Value::Mate(-2)));
    }
}

/// A pseudo-random tree of the given depth and breadth.
fn random_tree(seed: u64, depth: u32, breadth: u64) -> Node {
    if depth == 0 {
        return Node::Leaf((zobrist::mix(seed) % 41) as i32 - 20);
    }
    Node::Choice((0..breadth).map(|i| random_tree(zobrist::mix(seed ^ i << 32), depth - 1, breadth)).collect())
}

#[test]
fn pruning_changes_only_the_node_count() {
    for seed in 0..40 {
        let tree = || random_tree(seed, 5, 4);
        let (mv, full) = run(&mut Plain::new(PlainKind::Minimax, LeafValue), tree(), 5);
        for kind in [PlainKind::Negamax, PlainKind::AlphaBeta] {
            let (other, info) = run(&mut Plain::new(kind, LeafValue), tree(), 5);
            assert_eq!((other, info.value, &info.pv), (mv, full.value, &full.pv), "{kind:?} on tree {seed}");
        }
        let (_, pruned) = run(&mut Plain::new(PlainKind::AlphaBeta, LeafValue), tree(), 5);
        assert!(pruned.nodes * 2 < full.nodes, "{} of {}", pruned.nodes, full.nodes);
        let (_, shared) = run(&mut AlphaBeta::new(LeafValue, 1), tree(), 5);
        assert_eq!(shared.value, full.value, "tree {seed}");
    }
}

#[test]
fn a_stopped_search_answers() {
    let root = History::new(Toy { tree: random_tree(1, 9, 5).into(), path: Vec::new() });
    let engines: [Box<dyn Engine<Toy>>; 2] =
        [Box::new(Plain::new(PlainKind::Negamax, LeafValue)), Box::new(AlphaBeta::new(LeafValue, 1))];
    for mut engine in engines {
        let stop = StopToken::new();
        stop.stop();
        let mv = engine.think(&root, Job::new(Limits::depth(9), stop, &mut |_| {}));
        assert!(mv.is_some());
    }
}
