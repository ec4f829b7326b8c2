//! The rows of the score sheet: two moves side by side, variations indented below the move they replace, comments in lines.

use crate::app::play::Entry;
use bevy_egui::egui::Key;
use qiju_core::rules::Side;
use qiju_core::table::{NodeId, Tree};
use std::collections::HashSet;

/// The height of a row of moves with the space below it, in logical pixels.
pub const ROW: f32 = 26.0;
/// The height of a line of a comment.
pub const COMMENT: f32 = 18.0;
/// The indentation of a variation, and the largest number of indentations.
pub const INDENT: f32 = 14.0;
const DEEPEST: u16 = 5;

/// The keys that lead from move to move.
pub const ARROWS: [Key; 6] = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown, Key::Home, Key::End];

/// The left edge of rows of this depth.
pub fn indent(depth: u16) -> f32 {
    INDENT * f32::from(depth.min(DEEPEST))
}

/// A row of the sheet. Moves are indices of entries.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A move of the first side and a move of the second side.
    Moves {
        /// How deep the variation is.
        depth: u16,
        /// The number of the moves.
        number: u32,
        /// The first side's move.
        first: Option<usize>,
        /// The second side's move.
        second: Option<usize>,
        /// The variation that begins here, if any: the number of its folded moves, 0 if it is unfolded.
        begins: Option<u32>,
    },
    /// A choice in the opening.
    Choice(usize),
    /// A line of a comment.
    Comment {
        /// How deep the variation is.
        depth: u16,
        /// The line.
        text: String,
    },
}

impl Row {
    /// True if this move is in the row.
    pub fn has(&self, index: usize) -> bool {
        self.moves().any(|at| at == index)
    }

    /// Its moves, from left to right.
    pub fn moves(&self) -> impl Iterator<Item = usize> + use<> {
        let moves = match self {
            Row::Moves { first, second, .. } => [*first, *second],
            Row::Choice(at) => [Some(*at), None],
            Row::Comment { .. } => [None, None],
        };
        moves.into_iter().flatten()
    }

    /// The depth of its variation.
    pub fn depth(&self) -> u16 {
        match self {
            Row::Moves { depth, .. } | Row::Comment { depth, .. } => *depth,
            Row::Choice(_) => 0,
        }
    }

    fn height(&self, of_moves: f32) -> f32 {
        match self {
            Row::Comment { .. } => COMMENT,
            Row::Moves { .. } | Row::Choice(_) => of_moves,
        }
    }
}

/// The rows and their positions.
#[derive(Default)]
pub struct Rows {
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
    /// The upper edge of each row, and the lower edge of the last.
    pub tops: Vec<f32>,
}

impl Rows {
    /// The rows of these entries. `width` is the width of the sheet, `of_moves` the height of a row of moves, `letter` the width of a
    /// letter in a comment, all in logical pixels.
    pub fn new(
        entries: &[Entry],
        tree: &Tree,
        folded: &HashSet<NodeId>,
        (width, of_moves): (f32, f32),
        mut letter: impl FnMut(char) -> f32,
    ) -> Rows {
        let mut rows: Vec<Row> = Vec::with_capacity(entries.len());
        let mut comment = |text: &str, depth: u16, rows: &mut Vec<Row>| {
            let space = width - indent(depth) - 20.0;
            rows.extend(lines(text, space, &mut letter).into_iter().map(|text| Row::Comment { depth, text }));
        };
        comment(tree.notes(Tree::ROOT).comment, 0, &mut rows);
        // The row that still waits for the second side's move.
        let mut open = None;
        let mut index = 0;
        while let Some(entry) = entries.get(index) {
            let (depth, number) = (entry.depth, entry.number);
            let folded = entry.begins > 1 && folded.contains(&entry.node);
            let begins = (entry.begins > 0).then(|| if folded { entry.begins - 1 } else { 0 });
            match (entry.side, open) {
                (None, _) => {
                    rows.push(Row::Choice(index));
                    open = None;
                }
                (Some(Side::First), _) => {
                    open = Some(rows.len());
                    rows.push(Row::Moves { depth, number, first: Some(index), second: None, begins });
                }
                (Some(Side::Second), at) => {
                    match at.and_then(|at: usize| rows.get_mut(at)) {
                        Some(Row::Moves { second, .. }) => *second = Some(index),
                        _ => rows.push(Row::Moves { depth, number, first: None, second: Some(index), begins }),
                    }
                    open = None;
                }
            }
            if folded {
                (index, open) = (index + entry.begins as usize, None);
                continue;
            }
            if entry.node != Tree::ROOT && !tree.notes(entry.node).comment.is_empty() {
                comment(tree.notes(entry.node).comment, depth, &mut rows);
                open = None;
            }
            index += 1;
            if entries.get(index).is_none_or(|next| next.depth != depth || next.begins > 0) {
                open = None;
            }
        }
        let mut tops = Vec::with_capacity(rows.len() + 1);
        let mut top = 0.0;
        for row in &rows {
            tops.push(top);
            top += row.height(of_moves);
        }
        tops.push(top);
        Rows { rows, tops }
    }

    /// The height of all rows.
    pub fn height(&self) -> f32 {
        self.tops.last().copied().unwrap_or_default()
    }

    /// The rows that are at least partly between these two heights.
    pub fn between(&self, top: f32, bottom: f32) -> std::ops::Range<usize> {
        let first = self.tops.partition_point(|edge| *edge <= top).saturating_sub(1);
        let last = self.tops.partition_point(|edge| *edge < bottom).min(self.rows.len());
        first.min(last)..last
    }

    /// The row of this move.
    pub fn row_of(&self, index: usize) -> Option<usize> {
        self.rows.iter().position(|row| row.has(index))
    }

    /// The move that one of [`ARROWS`] leads to: the one before or after, above or below, the last; `None` at the start of the game.
    pub fn step(&self, from: Option<usize>, key: Key) -> Option<usize> {
        let mut moves = self.rows.iter().flat_map(Row::moves);
        let Some(from) = from else {
            return if key == Key::End {
                moves.last()
            } else {
                moves.next().filter(|_| matches!(key, Key::ArrowRight | Key::ArrowDown))
            };
        };
        let here = self.row_of(from)?;
        let second = matches!(self.rows[here], Row::Moves { second: Some(at), .. } if at == from);
        let beside = |row: &Row| if second { row.moves().last() } else { row.moves().next() };
        match key {
            Key::ArrowLeft => moves.take_while(|at| *at != from).last(),
            Key::ArrowRight => moves.skip_while(|at| *at != from).nth(1).or(Some(from)),
            Key::ArrowUp => self.rows[..here].iter().rev().find_map(beside),
            Key::ArrowDown => self.rows[here + 1..].iter().find_map(beside).or(Some(from)),
            Key::End => moves.last(),
            _ => None,
        }
    }
}

/// Splits a text into lines no wider than `space`. A line breaks between words, or after any letter of a script without spaces.
fn lines(text: &str, space: f32, letter: &mut impl FnMut(char) -> f32) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (mut line, mut width) = (String::new(), 0.0);
        // The last possible break: its byte, and the width up to it.
        let mut break_at: Option<(usize, f32)> = None;
        for c in paragraph.chars() {
            let wide = letter(c);
            if width + wide > space && !line.is_empty() {
                let (at, before) = break_at.take().unwrap_or((line.len(), width));
                let rest = line.split_off(at);
                lines.push(line.trim_end().to_owned());
                width -= before;
                line = rest.trim_start().to_owned();
                if line.len() != rest.len() {
                    width = line.chars().map(&mut *letter).sum();
                }
            }
            if c == ' ' && line.is_empty() {
                continue;
            }
            line.push(c);
            width += wide;
            if c == ' ' || c >= '\u{2E80}' {
                break_at = Some((line.len(), width));
            }
        }
        if !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::rules::Point;
    use qiju_core::table::{Action, Origin};

    fn entry(node: u32, depth: u16, number: u32, side: Option<Side>, begins: u32) -> Entry {
        Entry { node: NodeId(node), text: format!("m{node}").into(), piece: None, depth, number, side, begins }
    }

    fn moves(depth: u16, number: u32, first: Option<usize>, second: Option<usize>, begins: Option<u32>) -> Row {
        Row::Moves { depth, number, first, second, begins }
    }

    /// A tree with this number of nodes in one line; the rows use only its comments.
    fn tree(nodes: u8) -> Tree {
        Tree::of_line((0..nodes).map(|x| Action::Drop(Point::new(x, 0))), Origin::Main)
    }

    #[test]
    fn moves_stand_in_pairs_and_choices_alone() {
        let (a, b) = (Some(Side::First), Some(Side::Second));
        let of = |entries: &[Entry]| Rows::new(entries, &tree(9), &HashSet::new(), (300.0, ROW), |_| 10.0).rows;
        let three = [entry(1, 0, 1, a, 0), entry(2, 0, 1, b, 0), entry(3, 0, 2, a, 0)];
        assert_eq!(of(&three), [moves(0, 1, Some(0), Some(1), None), moves(0, 2, Some(2), None, None)]);
        let second_begins = [entry(1, 0, 1, b, 0), entry(2, 0, 2, a, 0)];
        assert_eq!(of(&second_begins), [moves(0, 1, None, Some(0), None), moves(0, 2, Some(1), None, None)]);
        let opened = [entry(1, 0, 1, a, 0), entry(2, 0, 1, None, 0), entry(3, 0, 1, b, 0)];
        assert_eq!(of(&opened), [moves(0, 1, Some(0), None, None), Row::Choice(1), moves(0, 1, None, Some(2), None)]);
    }

    #[test]
    fn a_variation_splits_a_pair_and_can_be_folded() {
        let (a, b) = (Some(Side::First), Some(Side::Second));
        let entries =
            [entry(1, 0, 1, a, 0), entry(2, 1, 1, a, 3), entry(3, 1, 1, b, 0), entry(4, 1, 2, a, 0), entry(5, 0, 1, b, 0)];
        let of = |folded: &[u32]| {
            let folded = folded.iter().map(|id| NodeId(*id)).collect();
            Rows::new(&entries, &tree(9), &folded, (300.0, ROW), |_| 10.0).rows
        };
        let unfolded = [
            moves(0, 1, Some(0), None, None),
            moves(1, 1, Some(1), Some(2), Some(0)),
            moves(1, 2, Some(3), None, None),
            moves(0, 1, None, Some(4), None),
        ];
        assert_eq!(of(&[]), unfolded);
        let folded = [moves(0, 1, Some(0), None, None), moves(1, 1, Some(1), None, Some(2)), moves(0, 1, None, Some(4), None)];
        assert_eq!(of(&[2]), folded);
        // The arrow keys lead over what is seen.
        let rows = Rows::new(&entries, &tree(9), &HashSet::new(), (300.0, ROW), |_| 10.0);
        let [left, right, up, down, home, end] = ARROWS;
        let ways = [(right, 0, Some(1)), (right, 4, Some(4)), (left, 1, Some(0)), (left, 0, None), (down, 2, Some(3))];
        let more = [(down, 1, Some(3)), (up, 3, Some(1)), (up, 4, Some(3)), (up, 0, None), (home, 4, None), (end, 0, Some(4))];
        for (key, from, to) in ways.into_iter().chain(more) {
            assert_eq!(rows.step(Some(from), key), to, "{key:?} from {from}");
        }
        assert_eq!([right, down, end, left].map(|key| rows.step(None, key)), [Some(0), Some(0), Some(4), None]);
    }

    #[test]
    fn comments_break_between_words_and_between_characters() {
        let mut tree = tree(2);
        tree.set_comment(NodeId(1), "one two three\n好棋好棋好");
        let entries = [entry(1, 0, 1, Some(Side::First), 0), entry(2, 0, 1, Some(Side::Second), 0)];
        let rows = Rows::new(&entries, &tree, &HashSet::new(), (100.0, ROW), |c| if c < '\u{2E80}' { 10.0 } else { 20.0 });
        let comment = |text: &str| Row::Comment { depth: 0, text: text.to_owned() };
        let wanted = [
            moves(0, 1, Some(0), None, None),
            comment("one two"),
            comment("three"),
            comment("好棋好棋"),
            comment("好"),
            moves(0, 1, None, Some(1), None),
        ];
        assert_eq!(rows.rows, wanted);
        assert_eq!((rows.between(0.0, 1.0), rows.between(27.0, 60.0)), (0..1, 1..3));
        assert_eq!((rows.height(), rows.row_of(1)), (2.0 * ROW + 4.0 * COMMENT, Some(5)));
    }
}
