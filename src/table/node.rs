//! A node of the tree of moves. A large tree has millions of them, so a node holds only what every node has, and what few nodes have, several children or
//! notes, is kept apart.

use super::{Action, Assessment, Glyph, Mark, NodeId, Origin};

/// What is written about a move and the position after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The comment on the move or the position; the root has the comment on the game.
    pub comment: String,
    /// Glyphs, in the order in which they were written.
    pub glyphs: Vec<Glyph>,
    /// The time used for the move, in milliseconds, if known.
    pub time_ms: Option<u64>,
    /// Marks drawn on the board.
    pub marks: Vec<Mark>,
    /// The assessment of the move and the position by a review.
    pub assessment: Option<Box<Assessment>>,
}

/// The notes of a node that has none.
static NO_NOTES: Notes = Notes { comment: String::new(), glyphs: Vec::new(), time_ms: None, marks: Vec::new(), assessment: None };

/// Stands for no node.
const NONE: NodeId = NodeId(u32::MAX);

/// A node of the tree: a position, with the move that leads to it. It takes 24 bytes, and 24 more if it has notes or several children.
#[derive(Clone, Debug)]
pub struct Node {
    /// `NONE` only at the root.
    parent: NodeId,
    /// The child of a node that has exactly one; else `NONE`.
    only: NodeId,
    rest: Option<Box<Rest>>,
    action: Option<Action>,
    /// The origin of the move.
    pub origin: Origin,
}

/// What few nodes have.
#[derive(Clone, Debug, Default)]
struct Rest {
    children: Several,
    notes: Option<Box<Notes>>,
}

/// The children of a node that has more than one.
#[derive(Clone, Debug)]
enum Several {
    /// Two or three, then `NONE`. All three are `NONE` if the node has at most one child.
    Few([NodeId; 3]),
    #[expect(clippy::box_collection, reason = "a pointer is a third of a list's size, and few nodes have many children")]
    Many(Box<Vec<NodeId>>),
}

impl Default for Several {
    fn default() -> Self {
        Several::Few([NONE; 3])
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        let links = |node: &Node| (node.parent, node.action, node.origin);
        links(self) == links(other) && self.children() == other.children() && self.notes() == other.notes()
    }
}

impl Eq for Node {}

impl Node {
    /// The start position.
    pub(super) fn root() -> Node {
        Node { parent: NONE, only: NONE, rest: None, action: None, origin: Origin::default() }
    }

    /// A move after `parent`.
    pub(super) fn new(parent: NodeId, action: Action, origin: Origin) -> Node {
        Node { parent, action: Some(action), origin, ..Node::root() }
    }

    /// The same node with other numbers for its parent and its children.
    pub(super) fn renumbered(&self, of: impl Fn(NodeId) -> NodeId) -> Node {
        let rest = self.rest.as_ref().and_then(|rest| rest.notes.clone());
        let rest = rest.map(|notes| Box::new(Rest { notes: Some(notes), ..Rest::default() }));
        let mut node = Node { parent: self.parent().map_or(NONE, &of), only: NONE, rest, ..*self };
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
        match self.rest.as_deref().map(|rest| &rest.children) {
            Some(Several::Many(list)) => list,
            Some(Several::Few(list)) => &list[..list.iter().position(|id| *id == NONE).unwrap_or(list.len())],
            None => &[],
        }
    }

    /// Adds a child at this place, or at the end.
    pub(super) fn insert_child(&mut self, place: usize, id: NodeId) {
        if let Some(Several::Many(list)) = self.rest.as_deref_mut().map(|rest| &mut rest.children) {
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
            [] | [_] => Several::default(),
            [a, b] => Several::Few([a, b, NONE]),
            [a, b, c] => Several::Few([a, b, c]),
            _ => Several::Many(Box::new(list)),
        };
        match (&mut self.rest, several) {
            (None, Several::Few([NONE, ..])) => {}
            (rest, several) => rest.get_or_insert_default().children = several,
        }
    }

    /// What is written about the move.
    pub fn notes(&self) -> &Notes {
        self.rest.as_deref().and_then(|rest| rest.notes.as_deref()).unwrap_or(&NO_NOTES)
    }

    /// The same, to be changed.
    pub fn notes_mut(&mut self) -> &mut Notes {
        self.rest.get_or_insert_default().notes.get_or_insert_default()
    }

    /// True if the node has a comment, glyphs or marks.
    pub fn is_annotated(&self) -> bool {
        let notes = self.notes();
        !notes.comment.is_empty() || !notes.glyphs.is_empty() || !notes.marks.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<Node>() <= 24 && size_of::<Rest>() <= 24, "{} {}", size_of::<Node>(), size_of::<Rest>());
    }

    #[test]
    fn children_are_a_list_however_they_are_kept() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut node, mut list) = (Node::root(), Vec::new());
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
            if round == 1000 {
                node.notes_mut().comment = "kept".to_owned();
            }
            let other = node.renumbered(|NodeId(id)| NodeId(id + 1));
            assert!(other.children().iter().zip(&list).all(|(new, old)| new.0 == old.0 + 1) && other.notes() == node.notes());
        }
        assert_eq!(node.notes().comment, "kept");
    }
}
