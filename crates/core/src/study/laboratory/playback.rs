//! A recorded search, step by step, forward and back.
//!
//! A step is what a person follows as one thing: a leaf is opened and gets its value, an inner node is opened, its best value rises, it is finished.

use crate::search::{NodeEnd, Score};
use crate::table::{SearchEvent, SearchTree};
use std::sync::Arc;

/// How far a node is at a moment of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Not yet reached.
    #[default]
    Hidden,
    /// Its moves are being searched.
    Open,
    /// It has its value.
    Closed,
}

/// What is known of a node at a moment of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How far it is.
    pub stage: Stage,
    /// The best value of its moves so far; at the end its value.
    pub best: Option<Score>,
}

/// A recorded search at one of its moments.
#[derive(Clone, Debug)]
pub struct Playback {
    tree: Arc<SearchTree>,
    /// The events done at each moment; 0 at the first.
    moments: Vec<u32>,
    /// What was known of the node of each event before the event.
    before: Vec<Seen>,
    at: usize,
    seen: Vec<Seen>,
    opened: usize,
    cutoffs: usize,
}

/// The node of an event.
fn node_of(event: SearchEvent) -> usize {
    match event {
        SearchEvent::Open(node) | SearchEvent::Improve(node, _) | SearchEvent::Close(node) => node as usize,
    }
}

impl Playback {
    /// A search before its first step.
    pub fn new(tree: Arc<SearchTree>) -> Playback {
        let count = tree.events.len();
        let mut moments = vec![0];
        for (index, event) in tree.events.iter().enumerate() {
            // A leaf is opened and closed in one step.
            let leaf = matches!(event, SearchEvent::Open(node) if tree.events.get(index + 1) == Some(&SearchEvent::Close(*node)));
            if !leaf {
                moments.push(index as u32 + 1);
            }
        }
        let nodes = tree.nodes.len();
        let before = Vec::with_capacity(count);
        let mut playback = Playback { tree, moments, before, at: 0, seen: vec![Seen::default(); nodes], opened: 0, cutoffs: 0 };
        for index in 0..count {
            let event = playback.tree.events[index];
            playback.before.push(playback.seen[node_of(event)]);
            playback.apply(event);
        }
        playback.seen.fill(Seen::default());
        (playback.opened, playback.cutoffs) = (0, 0);
        playback
    }

    /// The search.
    pub fn tree(&self) -> &Arc<SearchTree> {
        &self.tree
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.moments.len() - 1
    }

    /// How many steps are done.
    pub fn at(&self) -> usize {
        self.at
    }

    /// True when the search is finished.
    pub fn is_over(&self) -> bool {
        self.at == self.steps()
    }

    /// Nodes opened so far: those with the numbers from 0 on.
    pub fn opened(&self) -> usize {
        self.opened
    }

    /// Nodes so far at which moves were left out, as the searcher counts them.
    pub fn cutoffs(&self) -> usize {
        self.cutoffs
    }

    /// What is known of a node now.
    pub fn seen(&self, node: u32) -> Seen {
        self.seen.get(node as usize).copied().unwrap_or_default()
    }

    /// What the last step did; `None` before the first.
    pub fn last(&self) -> Option<SearchEvent> {
        let done = self.moments[self.at] as usize;
        done.checked_sub(1).map(|index| self.tree.events[index])
    }

    /// The node of the last step: the one that is being searched.
    pub fn current(&self) -> Option<u32> {
        self.last().map(|event| node_of(event) as u32)
    }

    /// Goes to the moment after so many steps, at most to the end.
    pub fn go(&mut self, step: usize) {
        let step = step.min(self.steps());
        let (from, to) = (self.moments[self.at] as usize, self.moments[step] as usize);
        for index in from..to {
            self.apply(self.tree.events[index]);
        }
        for index in (to..from).rev() {
            self.revert(index);
        }
        self.at = step;
    }

    /// Goes to the first moment at which so many nodes are open, at most to the end.
    pub fn go_to_nodes(&mut self, nodes: usize) {
        let events = self.tree.events.iter().enumerate();
        let mut opens = events.filter(|(_, event)| matches!(event, SearchEvent::Open(_))).map(|(index, _)| index as u32);
        let done = match nodes {
            0 => 0,
            _ => opens.nth(nodes - 1).map_or(u32::MAX, |index| index + 1),
        };
        self.go(self.moments.partition_point(|moment| *moment < done));
    }

    /// The number of steps after which the first branch was cut off; `None` if none was.
    pub fn first_cut(&self) -> Option<usize> {
        let cut = |event: &SearchEvent| matches!(event, SearchEvent::Close(node) if self.tree.nodes[*node as usize].has_cut());
        let index = self.tree.events.iter().position(cut)? as u32;
        Some(self.moments.partition_point(|moment| *moment <= index))
    }

    fn is_cut(&self, node: usize) -> bool {
        matches!(self.tree.nodes[node].end, NodeEnd::CutOff(_))
    }

    fn apply(&mut self, event: SearchEvent) {
        let node = node_of(event);
        match event {
            SearchEvent::Open(_) => {
                self.opened += 1;
                self.seen[node].stage = Stage::Open;
            }
            SearchEvent::Improve(_, score) => self.seen[node].best = Some(score),
            SearchEvent::Close(_) => {
                self.seen[node] = Seen { stage: Stage::Closed, best: Some(self.tree.nodes[node].score) };
                self.cutoffs += usize::from(self.is_cut(node));
            }
        }
    }

    fn revert(&mut self, index: usize) {
        let event = self.tree.events[index];
        let node = node_of(event);
        match event {
            SearchEvent::Open(_) => self.opened -= 1,
            SearchEvent::Improve(..) => {}
            SearchEvent::Close(_) => self.cutoffs -= usize::from(self.is_cut(node)),
        }
        self.seen[node] = self.before[index];
    }
}
