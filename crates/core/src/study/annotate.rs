//! Writes a review into a game's tree: glyphs, better moves and the lines of reasons as variations, comments, and the value of each position.

use crate::table::{Assessment, Glyph, MoveVerdict, NodeId, Origin, Table, Tree, TreeEdit};

/// Writes the comment on a bad move. The table is at the position before the move.
pub type Wording<'a> = &'a dyn Fn(&dyn Table, &MoveVerdict) -> String;

/// The most moves of a line that become a variation.
const LONGEST_LINE: usize = 12;

/// The edits that write a review into a tree, in order. Parts of an earlier review are removed; parts written by people
/// stay. `start` is the table at the root, `line` are the reviewed moves, `positions` the results, the start first.
pub fn edits(
    start: &dyn Table,
    tree: &Tree,
    line: &[NodeId],
    positions: &[Option<Assessment>],
    wording: Wording,
) -> Vec<TreeEdit> {
    let mut edits = Vec::new();
    let nodes = || std::iter::once(Tree::ROOT).chain(line.iter().copied());
    for id in nodes() {
        let old = |child: &&NodeId| !line.contains(child) && is_of_review(tree, **child);
        edits.extend(tree.node(id).children().iter().filter(old).map(|child| TreeEdit::Remove { at: *child }));
    }
    let mut table = start.boxed_clone();
    table.adjudicate(false);
    for (ply, at) in nodes().enumerate() {
        let (node, notes) = (tree.node(at), tree.notes(at));
        let mut assessment = positions.get(ply).cloned().flatten();
        let before = notes.assessment.and_then(|old| old.verdict.as_ref());
        let verdict = assessment.as_mut().and_then(|new| new.verdict.as_mut());
        let comment = match &verdict {
            Some(verdict) if verdict.judgement.is_error() => wording(&*table, verdict),
            _ => String::new(),
        };
        let glyph = verdict.as_ref().and_then(|verdict| verdict.judgement.glyph());
        if let Some(parent) = node.parent()
            && let Some(verdict) = &verdict
            && verdict.judgement.is_error()
        {
            let reason = verdict.reason.as_ref().map(|reason| reason.line.as_slice());
            for line in [Some(verdict.best.as_slice()), reason].into_iter().flatten().filter(|line| !line.is_empty()) {
                let moves = legal(&*table, &line[..line.len().min(LONGEST_LINE)]);
                if !moves.is_empty() {
                    edits.push(TreeEdit::Add { at: parent, moves, origin: Origin::Review });
                }
            }
        }
        let glyphs = glyphs(notes.glyphs, before.and_then(|old| old.judgement.glyph()), glyph);
        if glyphs != notes.glyphs {
            edits.push(TreeEdit::Glyphs { at, glyphs });
        }
        let text = replaced(notes.comment, before.map_or("", |old| &old.comment), &comment);
        if text != notes.comment {
            edits.push(TreeEdit::Comment { at, text });
        }
        if let Some(verdict) = verdict {
            verdict.comment = comment;
        }
        if assessment.as_ref() != notes.assessment {
            edits.push(TreeEdit::Assess { at, assessment: assessment.map(Box::new) });
        }
        // The moves of a game are legal; with a damaged tree the review ends here.
        if node.action().is_some_and(|action| table.play(action).is_err()) {
            break;
        }
    }
    edits
}

/// True for a variation added by a review that nobody has continued or annotated.
fn is_of_review(tree: &Tree, id: NodeId) -> bool {
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        let node = tree.node(id);
        if node.origin != Origin::Review || tree.notes(id).is_annotated() {
            return false;
        }
        waiting.extend(node.children());
    }
    true
}

/// The moves of a line that are legal on a table.
fn legal(table: &dyn Table, line: &[crate::table::Action]) -> Vec<crate::table::Action> {
    let mut table = table.boxed_clone();
    line.iter().copied().take_while(|action| table.play(*action).is_ok()).collect()
}

/// The glyphs with the review's glyph replaced. A glyph written by a person is not replaced.
fn glyphs(glyphs: &[Glyph], old: Option<Glyph>, new: Option<Glyph>) -> Vec<Glyph> {
    let mut glyphs: Vec<Glyph> = glyphs.iter().copied().filter(|glyph| Some(*glyph) != old).collect();
    if let Some(new) = new
        && !glyphs.iter().any(|glyph| glyph.sign().is_some())
    {
        glyphs.insert(0, new);
    }
    glyphs
}

/// The comment with the review's part replaced.
fn replaced(comment: &str, old: &str, new: &str) -> String {
    let own = match comment.strip_suffix(old) {
        Some(rest) if !old.is_empty() && (rest.is_empty() || rest.ends_with('\n')) => rest.trim_end_matches('\n'),
        _ => comment,
    };
    match (own.is_empty(), new.is_empty()) {
        (_, true) => own.to_owned(),
        (true, false) => new.to_owned(),
        (false, false) => format!("{own}\n{new}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_stays() {
        // (comment, part of the last review, part of this one, resulting comment)
        let cases = [
            ("", "", "new", "new"),
            ("mine", "", "new", "mine\nnew"),
            ("mine\nold", "old", "new", "mine\nnew"),
            ("old", "old", "", ""),
            ("mine, old", "old", "new", "mine, old\nnew"),
            ("mine", "", "", "mine"),
        ];
        for (comment, old, new, then) in cases {
            assert_eq!(replaced(comment, old, new), then, "{comment:?} {old:?} {new:?}");
        }
        let even = Glyph(10);
        assert_eq!(glyphs(&[even], None, Some(Glyph::BLUNDER)), [Glyph::BLUNDER, even]);
        assert_eq!(glyphs(&[Glyph::BLUNDER, even], Some(Glyph::BLUNDER), Some(Glyph::DUBIOUS)), [Glyph::DUBIOUS, even]);
        assert_eq!(glyphs(&[Glyph::GOOD], None, Some(Glyph::MISTAKE)), [Glyph::GOOD]);
    }
}
