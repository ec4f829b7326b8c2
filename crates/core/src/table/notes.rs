//! What is written about the moves of a tree. A large record has a note at every move. So the notes of all nodes are
//! kept together: texts, glyphs and marks each in one list, and a page of 32 bytes for each node that has notes.

use super::{Assessment, Glyph, Mark, NodeId};
use std::collections::BTreeMap;
use std::ops::Range;

/// What is written about a move and the position after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes<'a> {
    /// The comment on the move or the position; the root has the comment on the game.
    pub comment: &'a str,
    /// Glyphs, in the order in which they were written.
    pub glyphs: &'a [Glyph],
    /// The time used for the move, in milliseconds, if known.
    pub time_ms: Option<u64>,
    /// Marks drawn on the board.
    pub marks: &'a [Mark],
    /// The assessment of the move and the position by a review.
    pub assessment: Option<&'a Assessment>,
}

impl Notes<'_> {
    /// True if there is a comment, a glyph or a mark.
    pub fn is_annotated(&self) -> bool {
        !self.comment.is_empty() || !self.glyphs.is_empty() || !self.marks.is_empty()
    }
}

/// The notes of all nodes of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Notebook {
    pages: NoteTable,
    /// Texts in UTF-8.
    comments: Vec<u8>,
    glyphs: Vec<Glyph>,
    marks: Vec<Mark>,
    /// Only reviews write them, about the moves of one line.
    assessments: BTreeMap<NodeId, Box<Assessment>>,
}

#[derive(Clone, Debug, Default)]
struct NoteTable {
    /// For each node up to the last one with notes, the number of its page, or `NO_NOTES`.
    number_of: Vec<u32>,
    list: Vec<NodeNotes>,
}

const NO_NOTES: u32 = u32::MAX;

/// The notes of one node. The ranges are parts of the notebook's lists.
#[derive(Clone, Copy, Debug)]
struct NodeNotes {
    comment: Part,
    glyphs: Part,
    marks: Part,
    /// `NO_TIME` if it is not known.
    time_ms: u64,
}

const NO_TIME: u64 = u64::MAX;

impl NoteTable {
    fn get(&self, id: NodeId) -> Option<&NodeNotes> {
        self.list.get(*self.number_of.get(id.0 as usize)? as usize)
    }

    /// The page of a node. If it has none, an empty one is added.
    fn of(&mut self, id: NodeId) -> &mut NodeNotes {
        let index = id.0 as usize;
        if self.number_of.len() <= index {
            self.number_of.resize(index + 1, NO_NOTES);
        }
        if self.number_of[index] == NO_NOTES {
            self.number_of[index] = self.list.len() as u32;
            self.list.push(NodeNotes {
                comment: Part::default(),
                glyphs: Part::default(),
                marks: Part::default(),
                time_ms: NO_TIME,
            });
        }
        &mut self.list[self.number_of[index] as usize]
    }
}

impl Notebook {
    pub fn get(&self, id: NodeId) -> Notes<'_> {
        let assessment = self.assessments.get(&id).map(|assessment| &**assessment);
        let Some(page) = self.pages.get(id) else { return Notes { assessment, ..Notes::default() } };
        Notes {
            comment: str::from_utf8(&self.comments[page.comment.range()]).expect("only whole texts are added"),
            glyphs: &self.glyphs[page.glyphs.range()],
            time_ms: Some(page.time_ms).filter(|ms| *ms != NO_TIME),
            marks: &self.marks[page.marks.range()],
            assessment,
        }
    }

    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        if self.get(id).comment != text {
            self.pages.of(id).comment.clear(&mut self.comments);
            self.add_to_comment(id, text);
        }
    }

    pub fn add_to_comment(&mut self, id: NodeId, text: &str) {
        self.pages.of(id).comment.extend(&mut self.comments, text.as_bytes());
    }

    pub fn set_glyphs(&mut self, id: NodeId, glyphs: &[Glyph]) {
        if self.get(id).glyphs != glyphs {
            self.pages.of(id).glyphs.clear(&mut self.glyphs);
            self.add_glyphs(id, glyphs);
        }
    }

    pub fn add_glyphs(&mut self, id: NodeId, glyphs: &[Glyph]) {
        self.pages.of(id).glyphs.extend(&mut self.glyphs, glyphs);
    }

    pub fn set_marks(&mut self, id: NodeId, marks: &[Mark]) {
        if self.get(id).marks != marks {
            self.pages.of(id).marks.clear(&mut self.marks);
            self.add_marks(id, marks);
        }
    }

    pub fn add_marks(&mut self, id: NodeId, marks: &[Mark]) {
        self.pages.of(id).marks.extend(&mut self.marks, marks);
    }

    pub fn set_time(&mut self, id: NodeId, ms: Option<u64>) {
        if self.get(id).time_ms != ms {
            self.pages.of(id).time_ms = ms.unwrap_or(NO_TIME);
        }
    }

    pub fn set_assessment(&mut self, id: NodeId, assessment: Option<Box<Assessment>>) {
        match assessment {
            Some(assessment) => drop(self.assessments.insert(id, assessment)),
            None => drop(self.assessments.remove(&id)),
        }
    }

    /// Replaces all notes of a node.
    pub fn set(&mut self, id: NodeId, notes: Notes) {
        self.set_comment(id, notes.comment);
        self.set_glyphs(id, notes.glyphs);
        self.set_marks(id, notes.marks);
        self.set_time(id, notes.time_ms);
        self.set_assessment(id, notes.assessment.cloned().map(Box::new));
    }
}

/// A part of a list that all pages share. Only the last part of a list can grow, so a part may move there. What it
/// leaves behind is not used again; packing the tree removes it.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    start: u32,
    length: u32,
}

impl Part {
    fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.length as usize
    }

    fn clear<T>(&mut self, list: &mut Vec<T>) {
        if self.range().end == list.len() {
            list.truncate(self.start as usize);
        }
        *self = Part::default();
    }

    fn extend<T: Copy>(&mut self, list: &mut Vec<T>, new: &[T]) {
        if new.is_empty() {
            return;
        }
        let mut start = self.start as usize;
        if self.range().end != list.len() {
            start = list.len();
            list.extend_from_within(self.range());
        }
        list.extend_from_slice(new);
        let number = |n: usize| u32::try_from(n).expect("the notes of a tree take less than four gigabytes");
        *self = Part { start: number(start), length: number(list.len() - start) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Point;
    use crate::table::MarkColour;

    #[test]
    fn notes_are_what_was_written_last() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut book = Notebook::default();
        let mut wanted: Vec<(String, Vec<Glyph>, Vec<Mark>, Option<u64>)> = vec![Default::default(); 12];
        for round in 0..5000 {
            let index = random.usize(..wanted.len());
            let (id, (comment, glyphs, marks, time)) = (NodeId(index as u32), &mut wanted[index]);
            let text = random.choice(["", "a", "好棋", "a longer comment"]).unwrap();
            let new_glyphs: Vec<Glyph> = (0..random.u8(..3)).map(Glyph).collect();
            let at = Point::new(random.u8(..9), 0);
            let new_marks = vec![Mark::Circle { at, colour: MarkColour::Red }; random.usize(..3)];
            match random.u8(..7) {
                0 => {
                    book.set_comment(id, text);
                    *comment = text.to_owned();
                }
                1 => {
                    book.add_to_comment(id, text);
                    comment.push_str(text);
                }
                2 => {
                    book.set_glyphs(id, &new_glyphs);
                    *glyphs = new_glyphs;
                }
                3 => {
                    book.add_glyphs(id, &new_glyphs);
                    glyphs.extend(new_glyphs);
                }
                4 => {
                    book.set_marks(id, &new_marks);
                    *marks = new_marks;
                }
                5 => {
                    book.add_marks(id, &new_marks);
                    marks.extend(new_marks);
                }
                _ => {
                    *time = random.bool().then_some(round);
                    book.set_time(id, *time);
                }
            }
            for (index, (comment, glyphs, marks, time_ms)) in wanted.iter().enumerate() {
                let notes = Notes { comment, glyphs, time_ms: *time_ms, marks, assessment: None };
                assert_eq!(book.get(NodeId(index as u32)), notes, "round {round}");
            }
        }
    }

    #[test]
    fn a_note_takes_no_memory_of_its_own() {
        assert!(size_of::<NodeNotes>() <= 32 && size_of::<Mark>() <= 24, "{} {}", size_of::<NodeNotes>(), size_of::<Mark>());
        let mut book = Notebook::default();
        for id in (0..1000).map(NodeId) {
            book.add_to_comment(id, "a");
            book.set_time(id, Some(1));
            book.add_glyphs(id, &[Glyph::GOOD]);
        }
        let Notebook { pages, comments, glyphs, marks, assessments } = &book;
        assert_eq!((pages.number_of.len(), pages.list.len(), comments.len(), glyphs.len()), (1000, 1000, 1000, 1000));
        assert!(marks.capacity() == 0 && assessments.is_empty());
        // A tree without notes has no pages, and one note at its end costs four bytes for each node before it.
        let mut book = Notebook::default();
        book.set_comment(NodeId(5000), "");
        book.set_glyphs(NodeId(5000), &[]);
        book.set_time(NodeId(5000), None);
        assert_eq!(book.pages.number_of.capacity(), 0);
        book.set_comment(NodeId(5000), "a");
        assert_eq!((book.pages.number_of.len(), book.pages.list.len()), (5001, 1));
    }
}
