//! The tree that a simple searcher goes through, node by node and in the order of the search: for people who want to
//! see how a computer chooses a move. The values come from the searcher itself ([`Observer`]); nothing is computed
//! again here.

use super::{Action, Game, Notation, PlayerError};
use crate::message;
use crate::rules::{History, Position, Side};
use crate::search::{Engine, Job, Limits, NodeEnd, Observer, Plain, PlainKind, Score, StopToken, Value};
use serde::{Deserialize, Serialize};

/// Which tree is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRequest {
    /// The searcher.
    pub algorithm: PlainKind,
    /// Plies to search.
    pub depth: u16,
    /// Only so many of the most promising moves of each position; `None` is all.
    pub width: Option<u16>,
    /// True to search to depth 1 first, then to depth 2, and so on: the tree has a root for each of them.
    pub deepening: bool,
    /// How moves are written.
    pub notation: Notation,
    /// The most nodes a tree may have.
    pub most: usize,
}

impl TreeRequest {
    /// The whole tree to a depth, searched directly, moves in the game's own notation.
    pub fn new(algorithm: PlainKind, depth: u16, most: usize) -> TreeRequest {
        TreeRequest { algorithm, depth, width: None, deepening: false, notation: Notation::Uci, most }
    }
}

/// How large a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSize {
    /// Its nodes.
    pub nodes: u64,
    /// Nodes at which moves were left out.
    pub cutoffs: u64,
    /// The value for the side to move.
    pub value: Value,
}

/// A node of the tree: a position that was searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchNode {
    /// The node before it; `None` at the root.
    pub parent: Option<u32>,
    /// The move that leads here, and its text; `None` at the root.
    pub mv: Option<(Action, String)>,
    /// Moves from the root.
    pub ply: u16,
    /// The side to move here.
    pub mover: Side,
    /// The score the search gave it, in [`SearchTree::view`].
    pub score: Score,
    /// How its search ended.
    pub end: NodeEnd,
    /// The window of alpha-beta when it was opened: what the side to move has for sure, and what the opponent has.
    pub window: Option<(Score, Score)>,
}

impl SearchNode {
    /// The value as it is shown.
    pub fn value(&self) -> Value {
        self.score.value()
    }

    /// Moves that were not searched because one was good enough.
    pub fn left_out(&self) -> Option<usize> {
        match self.end {
            NodeEnd::CutOff(moves) => Some(moves),
            _ => None,
        }
    }

    /// True if there were such moves. After a cut-off at the last move there are none.
    pub fn has_cut(&self) -> bool {
        self.left_out().is_some_and(|moves| moves > 0)
    }
}

/// What the search did next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchEvent {
    /// It opened this node.
    Open(u32),
    /// The best score of this node so far became this one.
    Improve(u32, Score),
    /// It finished this node.
    Close(u32),
}

/// From whose view the scores are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// The side to move at the root.
    Root,
    /// The side to move at each node.
    Mover,
}

/// The tree of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchTree {
    /// The nodes in the order in which they were opened; the root is the first. With iterative deepening there is a
    /// root for each depth.
    pub nodes: Vec<SearchNode>,
    /// What the search did, in order.
    pub events: Vec<SearchEvent>,
    /// Nodes at which moves were left out, as the searcher counts them.
    pub cutoffs: u64,
    /// The best line, as nodes; with iterative deepening below the last root.
    pub best_line: Vec<u32>,
    /// From whose view the scores are.
    pub view: View,
}

impl SearchTree {
    /// The roots, in order: one for each depth with iterative deepening, otherwise one.
    pub fn roots(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.parent.is_none()).map(|(id, _)| id)
    }

    /// The value of the position, by the last depth.
    pub fn value(&self) -> Option<Value> {
        self.nodes.iter().rev().find(|node| node.parent.is_none()).map(SearchNode::value)
    }

    /// The nodes from the root down to this one, both included.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        while let Some(parent) = path.last().and_then(|last| self.nodes.get(*last as usize)?.parent) {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The nodes that were opened from a node, in order.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let first = node + 1;
        let ply = self.nodes[node as usize].ply;
        let below = self.nodes[first as usize..].iter().take_while(move |child| child.ply > ply);
        (first..).zip(below).filter(move |(_, child)| child.parent == Some(node)).map(|(id, _)| id)
    }
}

/// Searches the current position and keeps the tree.
pub(super) fn record<G: Game>(
    history: &History<G::Position>,
    request: &TreeRequest,
    stop: &StopToken,
) -> Result<SearchTree, PlayerError> {
    let enough = StopToken::new();
    let root = history.current();
    let mut recorder = Recorder::<G> {
        position: root.clone(),
        path: Vec::new(),
        tree: SearchTree {
            nodes: Vec::new(),
            events: Vec::new(),
            cutoffs: 0,
            best_line: Vec::new(),
            view: if request.algorithm == PlainKind::Minimax { View::Root } else { View::Mover },
        },
        notation: request.notation,
        most: request.most,
        outer: stop,
        enough: enough.clone(),
    };
    let mut line = Vec::new();
    let mut cutoffs = 0;
    let mut info = |info: crate::search::Info<_>| (line, cutoffs) = (info.pv, info.cutoffs);
    let job = Job::new(Limits::depth(request.depth), enough.clone(), &mut info);
    searcher::<G>(request).watched(&mut recorder).think(history, job);
    let mut tree = recorder.tree;
    if enough.is_stopped() || tree.nodes.is_empty() {
        return Err(no_tree(stop.is_stopped(), tree.nodes.is_empty(), request.most));
    }
    tree.cutoffs = cutoffs;
    let mut at = tree.roots().last().unwrap_or(0);
    let mut position = root.clone();
    for mv in line {
        let action = G::action(&position, mv);
        let next = tree.children(at).find(|child| tree.nodes[*child as usize].mv.as_ref().is_some_and(|(of, _)| *of == action));
        let Some(next) = next else { break };
        tree.best_line.push(next);
        position.make(mv);
        at = next;
    }
    Ok(tree)
}

/// The searcher of a request.
fn searcher<G: Game>(request: &TreeRequest) -> Plain<G::Evaluation> {
    Plain::new(request.algorithm, G::evaluation()).with_width(request.width).with_deepening(request.deepening)
}

/// Why there is no tree.
fn no_tree(stopped: bool, empty: bool, most: usize) -> PlayerError {
    PlayerError::Unavailable(match (stopped, empty) {
        (true, _) => message!("the search was stopped"),
        (_, true) => message!("there is no move to search"),
        _ => message!("the tree has more than {} nodes: ask for a smaller depth or width", most),
    })
}

/// Searches the current position and counts the nodes of its tree, without keeping them.
pub(super) fn measure<G: Game>(
    history: &History<G::Position>,
    request: &TreeRequest,
    stop: &StopToken,
) -> Result<TreeSize, PlayerError> {
    let enough = StopToken::new();
    let mut counter = Counter { nodes: 0, most: request.most as u64, outer: stop, enough: enough.clone() };
    let mut size = None;
    let mut info = |info: crate::search::Info<_>| {
        size = Some(TreeSize { nodes: info.nodes, cutoffs: info.cutoffs, value: info.value });
    };
    let job = Job::new(Limits::depth(request.depth), enough.clone(), &mut info);
    searcher::<G>(request).watched(&mut counter).think(history, job);
    let empty = counter.nodes == 0;
    size.filter(|_| !enough.is_stopped()).ok_or_else(|| no_tree(stop.is_stopped(), empty, request.most))
}

/// Counts the nodes that a searcher opens.
struct Counter<'a> {
    nodes: u64,
    most: u64,
    outer: &'a StopToken,
    enough: StopToken,
}

impl<M> Observer<M> for &mut Counter<'_> {
    fn open(&mut self, _mv: Option<M>, _window: Option<(Score, Score)>) {
        if self.nodes >= self.most || self.outer.is_stopped() {
            self.enough.stop();
        }
        self.nodes += 1;
    }
}

/// Writes down what a searcher reports.
struct Recorder<'a, G: Game> {
    position: G::Position,
    path: Vec<OpenNode<G>>,
    tree: SearchTree,
    notation: Notation,
    most: usize,
    outer: &'a StopToken,
    enough: StopToken,
}

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// An open node, and how to leave it.
struct OpenNode<G: Game> {
    node: u32,
    undo: Option<(MoveOf<G>, <G::Position as Position>::Undo)>,
}

impl<G: Game> Observer<MoveOf<G>> for &mut Recorder<'_, G> {
    fn open(&mut self, mv: Option<MoveOf<G>>, window: Option<(Score, Score)>) {
        if self.tree.nodes.len() >= self.most || self.outer.is_stopped() {
            self.enough.stop();
        }
        let id = u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX);
        let text = mv.map(|mv| (G::action(&self.position, mv), G::write(&self.position, mv, self.notation)));
        let undo = mv.map(|mv| (mv, self.position.make(mv)));
        if !self.enough.is_stopped() {
            self.tree.nodes.push(SearchNode {
                parent: self.path.last().map(|step| step.node),
                mv: text,
                ply: self.path.len() as u16,
                mover: self.position.side_to_move(),
                score: Score::DRAW,
                end: NodeEnd::Searched,
                window,
            });
            self.tree.events.push(SearchEvent::Open(id));
        }
        self.path.push(OpenNode { node: id, undo });
    }

    fn improve(&mut self, score: Score) {
        if let Some(step) = self.path.last().filter(|_| !self.enough.is_stopped()) {
            self.tree.events.push(SearchEvent::Improve(step.node, score));
        }
    }

    fn close(&mut self, score: Score, end: NodeEnd) {
        let Some(step) = self.path.pop() else { return };
        if let Some(node) = self.tree.nodes.get_mut(step.node as usize) {
            (node.score, node.end) = (score, end);
            self.tree.events.push(SearchEvent::Close(step.node));
        }
        if let Some((mv, undo)) = step.undo {
            self.position.unmake(mv, undo);
        }
    }
}
