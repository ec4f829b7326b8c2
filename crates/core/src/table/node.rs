//! A node of the tree of moves. A large tree has millions of them, so a node holds only what every node has. A list of
//! several children is kept apart, and what is written about the moves is in the tree's notebook.

use super::{Action, NodeId, Origin};

/// Stands for no node.
const NONE: NodeId = NodeId(u32::MAX);

/// A node of the tree: a position, with the move that leads to it. It takes 24 bytes, and 16 more if it has several
/// children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// `NONE` only at the root.
    parent: NodeId,
    /// The child of a node that has exactly one; else `NONE`.
    only: NodeId,
    /// The children of a node that has more than one.
    several: Option<Box<Several>>,
    action: Option<Action>,
    /// The origin of the move.
    pub origin: Origin,
}

/// The children of a node that has more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Several {
    /// Two or three, then `NONE`.
    Few([NodeId; 3]),
    #[expect(clippy::box_collection, reason = "a pointer is a third of a list's size, and few nodes have many children")]
    Many(Box<Vec<NodeId>>),
}

impl TreeNode {
    /// The start position.
    pub(super) fn root() -> TreeNode {
        TreeNode { parent: NONE, only: NONE, several: None, action: None, origin: Origin::default() }
    }

    /// A move after `parent`.
    pub(super) fn new(parent: NodeId, action: Action, origin: Origin) -> TreeNode {
        TreeNode { parent, action: Some(action), origin, ..TreeNode::root() }
    }

    /// The same node with other numbers for its parent and its children.
    pub(super) fn renumbered(&self, of: impl Fn(NodeId) -> NodeId) -> TreeNode {
        let mut node = TreeNode { parent: self.parent().map_or(NONE, &of), only: NONE, several: None, ..*self };
        node.set_children(self.children().iter().map(|id| of(*id)).collect());
        node
    }

    /// The previous node; `None` only at the root.
    pub fn parent(&self) -> Option<NodeId> {
        (self.parent != NONE).then_some(self.parent)
    }

    /// The move that leads here; `None` only at the root.
    pub fn action(&self) -> Option<Action> {
        self.action
    }

    /// The nodes of the moves from here. The first one continues the line.
    pub fn children(&self) -> &[NodeId] {
        if self.only != NONE {
            return std::slice::from_ref(&self.only);
        }
        match self.several.as_deref() {
            Some(Several::Many(list)) => list,
            Some(Several::Few(list)) => &list[..list.iter().position(|id| *id == NONE).unwrap_or(list.len())],
            None => &[],
        }
    }

    /// Adds a child at this place, or at the end.
    pub(super) fn insert_child(&mut self, place: usize, id: NodeId) {
        if let Some(Several::Many(list)) = self.several.as_deref_mut() {
            return list.insert(place.min(list.len()), id);
        }
        if self.children().is_empty() {
            self.only = id;
            return;
        }
        let mut list = self.children().to_vec();
        list.insert(place.min(list.len()), id);
        self.set_children(list);
    }

    /// Removes the child at this place.
    pub(super) fn remove_child(&mut self, place: usize) {
        let mut list = self.children().to_vec();
        list.remove(place);
        self.set_children(list);
    }

    fn set_children(&mut self, list: Vec<NodeId>) {
        self.only = if let [only] = list[..] { only } else { NONE };
        let several = match list[..] {
            [] | [_] => None,
            [a, b] => Some(Several::Few([a, b, NONE])),
            [a, b, c] => Some(Several::Few([a, b, c])),
            _ => Some(Several::Many(Box::new(list))),
        };
        self.several = several.map(Box::new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<TreeNode>() <= 24 && size_of::<Several>() <= 16, "{} {}", size_of::<TreeNode>(), size_of::<Several>());
    }

    #[test]
    fn children_are_a_list_however_they_are_kept() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut node, mut list) = (TreeNode::root(), Vec::new());
        for round in 0..2000 {
            // Up to six children, so that the node often has none, one, a few and many.
            if list.len() < 6 && random.bool() {
                let place = if random.bool() { usize::MAX } else { random.usize(..=list.len()) };
                list.insert(place.min(list.len()), NodeId(round));
                node.insert_child(place, NodeId(round));
            } else if !list.is_empty() {
                let place = random.usize(..list.len());
                list.remove(place);
                node.remove_child(place);
            }
            assert_eq!(node.children(), list);
            let other = node.renumbered(|NodeId(id)| NodeId(id + 1));
            assert!(other.children().iter().zip(&list).all(|(new, old)| new.0 == old.0 + 1));
        }
    }
}
