//! A searched tree as a drawing: the root on top, every ply a row, a struck-out branch where moves were left out.

use qiju_core::rules::Side;
use qiju_core::search::Value;
use qiju_core::table::SearchTree;
use std::fmt::Write;

/// Distance between two rows, and the margin around the tree, in pixels.
const ROW: f32 = 84.0;
const MARGIN: f32 = 40.0;
const TITLE: f32 = 56.0;
/// Width of a leaf: from `WIDE`, with all texts, down to `NARROW`, where the tree is `PAGE` wide.
const WIDE: f32 = 52.0;
const NARROW: f32 = 7.0;
const PAGE: f32 = 5200.0;
/// Below this width a node is a dot without a text.
const TEXT: f32 = 46.0;

const STYLE: &str = "text{font-family:sans-serif;font-size:12px;text-anchor:middle;fill:#2b2621}\
.title{font-size:16px;text-anchor:start;font-weight:600}.view{font-size:12px;text-anchor:start;fill:#6d6358}\
.edge{stroke:#b9ad9c;stroke-width:1;fill:none}.best{stroke:#b3402a;stroke-width:3}.left{stroke:#8b8175;stroke-dasharray:3 3}\
.strike{stroke:#b3402a;stroke-width:2}.first{fill:#fbf7ee;stroke:#4b4238}.second{fill:#3a332c;stroke:#3a332c}.second+text{fill:#fbf7ee}\
.move{font-size:11px;fill:#6d6358;paint-order:stroke;stroke:#f3ece0;stroke-width:3px}.note{font-size:10px;fill:#b3402a}";

/// A value in as few characters as possible.
fn short(value: Value) -> String {
    match value {
        Value::Cp(units) => format!("{:+.2}", f64::from(units) / 100.0),
        Value::Mate(moves) if moves < 0 => format!("\u{2212}#{}", -moves),
        Value::Mate(moves) => format!("+#{moves}"),
        Value::Exact(verdict) => format!("{:?}", verdict.known).to_lowercase(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Draws the tree; the title stands above it, and below the title from whose view the values are.
pub fn draw(tree: &SearchTree, title: &str, view: &str) -> String {
    let count = tree.nodes.len();
    let mut children = vec![Vec::new(); count];
    for (id, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent as usize].push(id);
        }
    }
    let stub = |id: usize| tree.nodes[id].has_cut();
    let leaves = (0..count).map(|id| usize::from(children[id].is_empty()) + usize::from(stub(id))).sum::<usize>();
    let leaf = ((PAGE - 2.0 * MARGIN) / leaves as f32).clamp(NARROW, WIDE);

    // Nodes are in the order in which they were opened: going back, the children come before their parent.
    let mut widths = vec![0.0f32; count];
    for id in (0..count).rev() {
        let below: f32 = children[id].iter().map(|child| widths[*child]).sum();
        widths[id] = (below + if stub(id) { leaf } else { 0.0 }).max(leaf);
    }
    let mut lefts = vec![MARGIN; count];
    for id in 0..count {
        let mut left = lefts[id];
        for &child in &children[id] {
            lefts[child] = left;
            left += widths[child];
        }
    }
    let middle = |id: usize| lefts[id] + widths[id] / 2.0;
    let height = |id: usize| TITLE + MARGIN + ROW * f32::from(tree.nodes[id].ply);
    let deepest = tree.nodes.iter().map(|node| node.ply).max().unwrap_or(0);
    let wide = (widths[0] + 2.0 * MARGIN).max(title.chars().count() as f32 * 8.5 + 2.0 * MARGIN);
    let high = TITLE + 2.0 * MARGIN + ROW * f32::from(deepest) + 20.0;

    let best: Vec<usize> = tree.best_line.iter().map(|id| *id as usize).collect();
    let texts = leaf >= TEXT;
    let mut out = String::new();
    let mut add = |text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("writing to a string cannot fail");
    add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\">\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#f3ece0\"/>\n<text class=\"title\" x=\"{MARGIN}\" y=\"32\">{}</text>\n<text class=\"view\" x=\"{MARGIN}\" y=\"52\">{}</text>\n",
        escaped(title),
        escaped(view)
    ));
    for id in 0..count {
        let (x, y) = (middle(id), height(id));
        if let Some(parent) = tree.nodes[id].parent {
            let (from_x, from_y) = (middle(parent as usize), height(parent as usize));
            let class = if best.contains(&id) { "edge best" } else { "edge" };
            let bend = (from_y + y) / 2.0;
            add(format_args!(
                "<path class=\"{class}\" d=\"M{from_x:.1} {from_y:.1} C{from_x:.1} {bend:.1} {x:.1} {bend:.1} {x:.1} {y:.1}\"/>\n"
            ));
        }
        if stub(id) {
            let to = lefts[id] + widths[id] - leaf / 2.0;
            let (end, half) = (y + ROW * 0.55, y + ROW * 0.36);
            add(format_args!("<path class=\"edge left\" d=\"M{x:.1} {y:.1} L{to:.1} {end:.1}\"/>\n"));
            let cross = x + (to - x) * 0.65;
            add(format_args!("<path class=\"strike\" d=\"M{:.1} {:.1} l10 8 m0 -8 l-10 8\"/>\n", cross - 5.0, half - 4.0));
            if texts {
                let moves = tree.nodes[id].left_out().unwrap_or(0);
                add(format_args!("<text class=\"note\" x=\"{to:.1}\" y=\"{:.1}\">{moves} cut</text>\n", end + 12.0));
            }
        }
    }
    for (id, node) in tree.nodes.iter().enumerate() {
        let (x, y) = (middle(id), height(id));
        let class = if node.mover == Side::First { "first" } else { "second" };
        if texts || node.ply == 0 {
            let value = short(node.value());
            let wide = (value.chars().count() as f32 * 7.0 + 10.0).min(WIDE - 4.0);
            add(format_args!(
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"22\" rx=\"11\"/><text x=\"{x:.1}\" y=\"{:.1}\">{value}</text>\n",
                x - wide / 2.0,
                y - 11.0,
                y + 4.0
            ));
        } else {
            add(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>\n", (leaf * 0.38).max(2.5)));
        }
        if let Some((_, text)) = node.mv.as_ref().filter(|_| texts) {
            add(format_args!("<text class=\"move\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n", y - 15.0, escaped(text)));
        }
    }
    out.push_str("</svg>\n");
    out
}
