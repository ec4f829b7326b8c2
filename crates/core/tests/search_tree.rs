//! The recorded trees of the simple searchers: they are what the searchers count, and all algorithms agree on the value.

use qiju_core::games;
use qiju_core::search::{Limits, NodeEnd, PlainKind, StopToken, Value};
use qiju_core::table::{
    Algorithm, EngineOptions, Notation, SearchEvent, SearchRequest, SearchTree, Setup, Table, TreeRequest, View,
};

/// Game, moves played first, depth.
const TREES: &[(&str, &str, u16)] = &[
    ("tic-tac-toe", "b2 a1", 4),
    ("tic-tac-toe", "b2 a1 c3", 9),
    ("xiangqi", "h2e2 h9g7", 2),
    ("two-eat-one", "", 4),
    ("gomoku", "h8 i9 h7 h9", 1),
];

fn table(game: &str, moves: &str) -> Box<dyn Table> {
    let mut table = games::find(game).unwrap().table(&Setup::default()).unwrap();
    for text in moves.split_whitespace() {
        let action = table.read(text).unwrap();
        table.play(action).unwrap();
    }
    table
}

fn request(algorithm: PlainKind, depth: u16) -> TreeRequest {
    TreeRequest::new(algorithm, depth, 2_000_000)
}

fn tree(table: &dyn Table, request: &TreeRequest) -> SearchTree {
    table.search_tree(request, &StopToken::new()).unwrap()
}

#[test]
fn a_tree_is_what_the_searcher_counts() {
    for &(game, moves, depth) in TREES {
        let table = table(game, moves);
        for kind in PlainKind::ALL {
            let tree = tree(&*table, &request(kind, depth));
            let options = EngineOptions { algorithm: Algorithm::Plain(kind), ..EngineOptions::default() };
            let limits = Limits::depth(depth);
            let mut last = None;
            let best = table
                .player()
                .think(
                    &*table,
                    &SearchRequest { options, limits, ..SearchRequest::default() },
                    &StopToken::new(),
                    &mut |progress| {
                        last = Some(progress);
                    },
                )
                .unwrap();
            let last = last.unwrap();
            let counted = (tree.nodes.len() as u64, tree.cutoffs, tree.nodes[0].value());
            assert_eq!(counted, (last.nodes, last.cutoffs, last.value), "{game} {kind:?}");
            let first = tree.nodes[tree.best_line[0] as usize].mv.as_ref().map(|(action, _)| *action);
            assert_eq!(first, best, "{game} {kind:?}");
            let cut = tree.nodes.iter().filter(|node| node.left_out().is_some()).count();
            assert_eq!(cut as u64, tree.cutoffs, "{game} {kind:?}");
        }
    }
}

#[test]
fn every_algorithm_finds_the_same_value_with_fewer_nodes() {
    for &(game, moves, depth) in TREES {
        let table = table(game, moves);
        let trees = PlainKind::ALL.map(|kind| tree(&*table, &request(kind, depth)));
        let values: Vec<Value> = trees.iter().map(|tree| tree.nodes[0].value()).collect();
        assert!(values.iter().all(|value| *value == values[0]), "{game}: {values:?}");
        let counts = trees.each_ref().map(|tree| tree.nodes.len());
        assert_eq!(counts[0], counts[1], "{game}");
        assert!(counts[2] <= counts[1] && counts[4] <= counts[3], "{game}: {counts:?}");
        assert_eq!(trees.each_ref().map(|tree| tree.view), [View::Root, View::Mover, View::Mover, View::Mover, View::Mover]);
    }
    // Each idea saves more.
    let table = table("tic-tac-toe", "b2");
    let counts = PlainKind::ALL.map(|kind| tree(&*table, &request(kind, 8)).nodes.len());
    assert!(counts[4] < counts[3] && counts[3] * 3 < counts[2] && counts[2] * 5 < counts[1], "{counts:?}");
}

#[test]
fn scores_rise_to_the_value_of_their_node() {
    for kind in PlainKind::ALL {
        let table = table("tic-tac-toe", "b2 a1");
        let tree = tree(&*table, &request(kind, 3));
        let mut open: Vec<u32> = Vec::new();
        let mut best = vec![None; tree.nodes.len()];
        for event in &tree.events {
            match *event {
                SearchEvent::Open(node) => {
                    assert_eq!(tree.nodes[node as usize].parent, open.last().copied());
                    open.push(node);
                }
                SearchEvent::Improve(node, score) => {
                    assert_eq!(open.last(), Some(&node));
                    best[node as usize] = Some(score);
                }
                SearchEvent::Close(node) => {
                    assert_eq!(open.pop(), Some(node));
                    let inner = matches!(tree.nodes[node as usize].end, NodeEnd::Searched | NodeEnd::CutOff(_));
                    assert_eq!(best[node as usize], inner.then_some(tree.nodes[node as usize].score), "{kind:?}");
                }
            }
        }
        assert!(open.is_empty());
        let children: Vec<u32> = tree.children(0).collect();
        assert_eq!(children.len(), table.actions().len(), "{kind:?}: the root has no cut-off");
        let texts = children.iter().map(|child| tree.nodes[*child as usize].mv.clone().unwrap());
        for (action, text) in texts {
            assert_eq!(table.write(action, Notation::Uci), Some(text));
        }
    }
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    let table = table("xiangqi", "");
    let large = TreeRequest { most: 1000, ..request(PlainKind::Minimax, 3) };
    let error = table.search_tree(&large, &StopToken::new()).unwrap_err();
    assert!(error.to_string().contains("more than 1000 nodes"), "{error}");
    let narrow = TreeRequest { width: Some(3), ..large };
    assert_eq!(table.search_tree(&narrow, &StopToken::new()).unwrap().nodes.len(), 1 + 3 + 9 + 27);
    let stop = StopToken::new();
    stop.stop();
    assert!(table.search_tree(&narrow, &stop).unwrap_err().to_string().contains("stopped"));
}
