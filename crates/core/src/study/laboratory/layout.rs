//! Where the nodes of a searched tree are drawn: a tidy tree (Reingold and Tilford, "Tidier drawings of trees", 1981). Every ply is a row, a parent stands
//! in the middle above its children, and equal subtrees look equal.
//!
//! The tree is laid out once. Within a row the nodes stand in the order in which they were opened, so the part of a row that is visible is found by halving.

use crate::table::SearchTree;
use serde::{Deserialize, Serialize};

/// The least distance between two children of one node, and between nodes of different parents, in columns.
const APART: f32 = 1.0;
const COUSINS: f32 = 1.3;
/// The distance between the trees of iterative deepening.
const ROOTS: f32 = 2.5;

/// The places of the nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeLayout {
    /// The column of each node; the leftmost place is 0.
    pub x: Vec<f32>,
    /// The nodes of each ply, from left to right.
    pub rows: Vec<Vec<u32>>,
    /// The nodes of each ply whose last branches were not searched, from left to right, each with the column of the end of that branch.
    pub cuts: Vec<Vec<(u32, f32)>>,
    /// The children of each node, as a range of the next row.
    pub below: Vec<(u32, u32)>,
    /// The columns from the leftmost to the rightmost place.
    pub width: f32,
}

/// The outline of a subtree: for each row below its root the leftmost and the rightmost place, relative to the root.
struct Outline {
    left: Vec<f32>,
    right: Vec<f32>,
}

impl Outline {
    fn leaf() -> Outline {
        Outline { left: vec![0.0], right: vec![0.0] }
    }

    /// How far right of this outline's root another one's must stand.
    fn clearance(&self, next: &Outline, siblings: f32) -> f32 {
        let rows = self.right.iter().zip(&next.left).enumerate();
        rows.map(|(row, (right, left))| right - left + if row == 0 { siblings } else { COUSINS }).fold(siblings, f32::max)
    }

    /// Takes in another outline whose root is so far right of this one's.
    fn take(&mut self, next: &Outline, shift: f32) {
        for (row, (left, right)) in next.left.iter().zip(&next.right).enumerate() {
            if row < self.right.len() {
                self.right[row] = right + shift;
            } else {
                self.left.push(left + shift);
                self.right.push(right + shift);
            }
        }
    }
}

impl TreeLayout {
    /// Lays a tree out.
    pub fn of(tree: &SearchTree) -> TreeLayout {
        let count = tree.nodes.len();
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (id, node) in (0..).zip(&tree.nodes) {
            if let Some(parent) = node.parent {
                children[parent as usize].push(id);
            }
        }
        // Nodes are in the order in which they were opened: going back, the children come before their parent.
        let mut outlines: Vec<Option<Outline>> = (0..count).map(|_| None).collect();
        let mut offsets = vec![0.0_f32; count];
        let mut stubs = vec![0.0_f32; count];
        for id in (0..count).rev() {
            let mut below: Vec<(Option<u32>, Outline)> = Vec::with_capacity(children[id].len() + 1);
            for &child in &children[id] {
                let outline = outlines[child as usize].take().unwrap_or_else(Outline::leaf);
                below.push((Some(child), outline));
            }
            if tree.nodes[id].has_cut() {
                below.push((None, Outline::leaf()));
            }
            let (joined, places) = join(&below, APART);
            let middle = places.last().map_or(0.0, |last| last / 2.0);
            for ((child, _), place) in below.iter().zip(&places) {
                match child {
                    Some(child) => offsets[*child as usize] = place - middle,
                    None => stubs[id] = place - middle,
                }
            }
            let mut outline = Outline::leaf();
            if let Some(joined) = joined {
                outline.left.extend(joined.left.iter().map(|left| left - middle));
                outline.right.extend(joined.right.iter().map(|right| right - middle));
            }
            outlines[id] = Some(outline);
        }
        let roots: Vec<u32> = tree.roots().collect();
        let tops: Vec<(Option<u32>, Outline)> =
            roots.iter().map(|root| (Some(*root), outlines[*root as usize].take().unwrap_or_else(Outline::leaf))).collect();
        let (whole, places) = join(&tops, ROOTS);
        let least = whole.as_ref().map_or(0.0, |whole| whole.left.iter().copied().fold(f32::INFINITY, f32::min));
        let most = whole.as_ref().map_or(0.0, |whole| whole.right.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        for (root, place) in roots.iter().zip(places) {
            offsets[*root as usize] = place - least;
        }
        let mut x = offsets;
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let mut cuts: Vec<Vec<(u32, f32)>> = Vec::new();
        let mut below = vec![(0, 0); count];
        for (id, node) in (0_u32..).zip(&tree.nodes) {
            if let Some(parent) = node.parent {
                x[id as usize] += x[parent as usize];
            }
            let row = usize::from(node.ply);
            if rows.len() <= row {
                rows.resize_with(row + 1, Vec::new);
                cuts.resize_with(row + 1, Vec::new);
            }
            let place = rows[row].len() as u32;
            rows[row].push(id);
            if let Some(parent) = node.parent {
                let range: &mut (u32, u32) = &mut below[parent as usize];
                *range = (if range.1 == 0 { place } else { range.0 }, place + 1);
            }
            if node.has_cut() {
                cuts[row].push((id, x[id as usize] + stubs[id as usize]));
            }
        }
        TreeLayout { x, rows, cuts, below, width: (most - least).max(0.0) }
    }

    /// The children of a node, in order; those that are not open yet are among them.
    pub fn children(&self, node: u32, ply: u16) -> &[u32] {
        let (from, to) = self.below[node as usize];
        self.rows.get(usize::from(ply) + 1).map_or(&[], |row| &row[from as usize..to as usize])
    }

    /// The node of a row that is nearest to a column.
    pub fn nearest(&self, row: usize, column: f32) -> Option<u32> {
        let nodes = self.rows.get(row)?;
        let right = nodes.partition_point(|node| self.x[*node as usize] < column);
        let near = [right.checked_sub(1), Some(right)].into_iter().flatten().filter_map(|index| nodes.get(index).copied());
        near.min_by(|a, b| (self.x[*a as usize] - column).abs().total_cmp(&(self.x[*b as usize] - column).abs()))
    }
}

/// Puts outlines side by side: the outline of all of them and the place of each, relative to the first.
fn join(parts: &[(Option<u32>, Outline)], siblings: f32) -> (Option<Outline>, Vec<f32>) {
    let mut places = Vec::with_capacity(parts.len());
    let mut whole: Option<Outline> = None;
    for (_, part) in parts {
        match &mut whole {
            None => {
                places.push(0.0);
                whole = Some(Outline { left: part.left.clone(), right: part.right.clone() });
            }
            Some(whole) => {
                let shift = whole.clearance(part, siblings).max(places.last().copied().unwrap_or(0.0) + siblings);
                whole.take(part, shift);
                places.push(shift);
            }
        }
    }
    (whole, places)
}
