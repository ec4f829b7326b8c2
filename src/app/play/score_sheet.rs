//! The score sheet: every move of the tree in the user's notation, in reading order with variations.
//!
//! The text of a move is computed once, and again only for another notation or language. If the tree has not changed, nothing is done.

use super::game::{CurrentMatch, in_match};
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::words::{Language, Words};
use bevy::prelude::*;
use qiju_core::games::{OpeningName, opening_name};
use qiju_core::rules::Side;
use qiju_core::table::{Action, Choice, Names, NodeId, Notation, Piece, PlayedGame, Table, Tree};
use std::collections::HashSet;
use std::sync::Arc;

/// A move on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The node it leads to. A move of the start position's text leads to the root.
    pub node: NodeId,
    /// The text of the move.
    pub text: Arc<str>,
    /// The piece that moves, where one does.
    pub piece: Option<Piece>,
    /// 0 for the moves of the match, 1 for its variations, 2 for variations of these.
    pub depth: u16,
    /// The number of the move, from 1; a move of each side has the same number.
    pub number: u32,
    /// The side of the move. A choice in the opening belongs to no side.
    pub side: Option<Side>,
    /// At the first move of a variation: the number of its entries, including its own variations. Otherwise 0.
    pub begins: u32,
}

/// The text of every move of the tree.
#[derive(Resource, Default)]
pub struct ScoreSheet {
    entries: Vec<Entry>,
    written: Vec<Option<Written>>,
    made_of: Option<(u64, u64, Notation, Language)>,
    opening: Option<&'static OpeningName>,
}

/// The text of a move, stored by the number of its node.
#[derive(Clone)]
struct Written {
    text: Arc<str>,
    piece: Option<Piece>,
    choice: bool,
    /// The number of moves before it, without choices.
    before: u32,
}

impl ScoreSheet {
    /// The moves: after each move of a line come the variations that replace it, then the line continues.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The opening of the match, if it has a name.
    pub fn opening(&self) -> Option<&'static OpeningName> {
        self.opening
    }

    /// A number that changes with the entries or their annotations.
    pub fn revision(&self) -> u64 {
        self.made_of.map_or(0, |(_, revision, ..)| revision)
    }

    /// How the move that leads to a place is written.
    pub fn text(&self, node: NodeId) -> Option<&str> {
        self.written.get(node.0 as usize)?.as_ref().map(|written| &*written.text)
    }

    /// The moves of the match.
    pub fn line(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.depth == 0)
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.written.clear();
        (self.made_of, self.opening) = (None, None);
    }

    /// Computes the texts of all moves that have none yet.
    fn write(&mut self, played: &PlayedGame, pen: &Pen) {
        let tree = played.tree();
        self.written.resize(tree.len(), None);
        let mut table = played.table_at(Tree::ROOT);
        let given = table.played().into_iter().filter(|action| Choice::of_action(*action).is_none()).count() as u32;
        // The path from the root to the current move, and how much of it has been played on the table.
        let (mut way, mut on_table) = (Vec::<NodeId>::new(), 0);
        for id in tree.walk().skip(1) {
            let node = tree.node(id);
            let (Some(parent), Some(action)) = (node.parent(), node.action()) else { continue };
            while way.last().is_some_and(|last| *last != parent) {
                way.pop();
            }
            while on_table > way.len() {
                table.undo();
                on_table -= 1;
            }
            let index = id.0 as usize;
            if self.written[index].is_none() {
                for id in &way[on_table..] {
                    if let Some(action) = tree.node(*id).action()
                        && table.play(action).is_err()
                    {
                        return;
                    }
                }
                on_table = way.len();
                let before = match way.last().and_then(|last| self.written[last.0 as usize].as_ref()) {
                    Some(last) => last.before + u32::from(!last.choice),
                    None => given,
                };
                let (text, choice) = pen.write(table.as_ref(), action);
                let piece = piece_of(table.as_ref(), action);
                self.written[index] = Some(Written { text, piece, choice, before });
            }
            way.push(id);
        }
    }

    /// Sorts the moves in reading order.
    fn arrange(&mut self, played: &PlayedGame, pen: &Pen) {
        let tree = played.tree();
        self.entries.clear();
        let root = played.table_at(Tree::ROOT);
        let given = pen.given(root.as_ref());
        let moved = given.iter().filter(|(_, choice)| !choice).count();
        let first = if moved.is_multiple_of(2) { root.turn() } else { !root.turn() };
        let count = |before: u32| (before + u32::from(first == Side::Second)) / 2 + 1;
        let side = |before: u32| if before.is_multiple_of(2) { first } else { !first };
        let mut before = 0;
        for (text, choice) in given {
            let side = (!choice).then(|| side(before));
            self.entries.push(Entry { node: Tree::ROOT, text, piece: None, depth: 0, number: count(before), side, begins: 0 });
            before += u32::from(!choice);
        }
        let line: HashSet<NodeId> = played.line().iter().copied().collect();
        let hidden: HashSet<NodeId> = played.sketch_nodes().iter().copied().collect();
        let kept = |id: NodeId| tree.node(id).children().iter().copied().filter(|child| !hidden.contains(child));
        // The move that continues a line; after the end of the match there are only variations.
        let goes_on = |at: NodeId, depth: u16| match depth {
            0 => kept(at).find(|child| line.contains(child)),
            _ => kept(at).next(),
        };
        // The moves still to be read, the next one last: a move, the depth of its line, and whether it begins a variation.
        let mut waiting: Vec<(NodeId, u16, bool)> = Vec::new();
        let follow = |at: NodeId, depth: u16, waiting: &mut Vec<(NodeId, u16, bool)>| {
            let next = goes_on(at, depth);
            if let Some(next) = next {
                waiting.push((next, depth, false));
                return;
            }
            let variations: Vec<NodeId> = kept(at).collect();
            waiting.extend(variations.into_iter().rev().map(|id| (id, depth.saturating_add(1), true)));
        };
        follow(Tree::ROOT, 0, &mut waiting);
        while let Some((id, depth, begins)) = waiting.pop() {
            let Some(Some(written)) = self.written.get(id.0 as usize) else { continue };
            self.entries.push(Entry {
                node: id,
                text: written.text.clone(),
                piece: written.piece,
                depth,
                number: count(written.before),
                side: (!written.choice).then(|| side(written.before)),
                begins: u32::from(begins),
            });
            follow(id, depth, &mut waiting);
            // The variations that replace a move come after it.
            if !begins && let Some(parent) = tree.previous(id) {
                let others: Vec<NodeId> = kept(parent).filter(|other| *other != id).collect();
                waiting.extend(others.into_iter().rev().map(|other| (other, depth.saturating_add(1), true)));
            }
        }
        self.measure();
    }

    /// Sets the number of entries of each variation.
    fn measure(&mut self) {
        // The open variations at an entry, with their depths.
        let mut open: Vec<(usize, u16)> = Vec::new();
        for index in 0..=self.entries.len() {
            let entry = self.entries.get(index).map(|entry| (entry.depth, entry.begins > 0));
            while let Some(&(start, depth)) = open.last()
                && entry.is_none_or(|(here, begins)| here < depth || here == depth && begins)
            {
                self.entries[start].begins = (index - start) as u32;
                open.pop();
            }
            if let Some((depth, true)) = entry {
                open.push((index, depth));
            }
        }
    }
}

/// The piece that a move moves.
fn piece_of(table: &dyn Table, action: Action) -> Option<Piece> {
    let from = action.origin()?;
    table.pieces().into_iter().find(|(at, _)| *at == from).map(|(_, piece)| piece)
}

/// The notation of moves.
struct Pen<'a> {
    notation: Notation,
    words: &'a Words,
    sides: &'a Names,
}

impl Pen<'_> {
    /// The text of a move, and whether it is a choice in the opening.
    fn write(&self, table: &dyn Table, action: Action) -> (Arc<str>, bool) {
        match Choice::of_action(action) {
            Some(choice) => (self.words.choice(choice, self.sides).into(), true),
            None => (table.write(action, self.notation).unwrap_or_default().into(), false),
        }
    }

    /// The moves of the start position's text.
    fn given(&self, root: &dyn Table) -> Vec<(Arc<str>, bool)> {
        let texts = root.played_text(self.notation);
        let written = root.played().into_iter().zip(texts).map(|(action, text)| match Choice::of_action(action) {
            Some(choice) => (self.words.choice(choice, self.sides).into(), true),
            None => (text.into(), false),
        });
        written.collect()
    }
}

fn write(mut sheet: ResMut<ScoreSheet>, current: Res<CurrentMatch>, (settings, words): (Res<Settings>, Res<Words>)) {
    if !current.is_changed() && !settings.is_changed() && !words.is_changed() {
        return;
    }
    let played = current.played();
    let notation = settings.notation(current.table(), words.language);
    let made_of = (played.number(), played.revision(), notation, words.language);
    if sheet.made_of == Some(made_of) {
        return;
    }
    let same = |(number, _, notation, language): (u64, u64, Notation, Language)| (number, notation, language);
    if sheet.made_of.map(same) != Some(same(made_of)) {
        sheet.clear();
    }
    let pen = Pen { notation, words: &words, sides: &current.game().sheet.sides };
    sheet.write(played, &pen);
    sheet.arrange(played, &pen);
    sheet.opening = opening_name(current.table()).map(|(opening, _)| opening);
    sheet.made_of = Some(made_of);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ScoreSheet>().add_systems(Update, write.in_set(Step::Ui).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ground::words::Words;
    use qiju_core::games;
    use qiju_core::record;

    /// The sheet of a game of xiangqi as PGN has it.
    fn written(pgn: &str) -> ScoreSheet {
        let reading = record::recognise(pgn.as_bytes()).unwrap();
        let record = &reading.records[0];
        let played = PlayedGame::with_tree(record.table().unwrap(), record.tree.clone()).unwrap();
        let words = Words::shipped(Language::En);
        let sheet = games::find("xiangqi").unwrap().sheet().unwrap();
        let pen = Pen { notation: Notation::Uci, words: &words, sides: &sheet.sides };
        let mut written = ScoreSheet::default();
        written.write(&played, &pen);
        written.arrange(&played, &pen);
        written
    }

    /// The lines of a sheet: depth, number, text and length of the variation that begins there.
    fn sheet_of(moves: &str) -> Vec<String> {
        let text = format!("[Game \"Chinese Chess\"]\n\n{moves} *\n");
        let written = written(&text);
        let line = |entry: &Entry| {
            let dots = if entry.side == Some(Side::Second) { "…" } else { "." };
            format!("{}{}{dots} {} {}", "-".repeat(usize::from(entry.depth)), entry.number, entry.text, entry.begins)
        };
        written.entries().iter().map(line).collect()
    }

    #[test]
    fn variations_stand_behind_the_move_they_replace() {
        let read = sheet_of("1. H2-E2 (1. B2-E2 H9-G7 (1... B9-C7) 2. H0-G2) (1. C3-C4) H9-G7 (1... H7-E7) 2. H0-G2");
        let wanted = [
            "1. h2e2 0",
            "-1. b2e2 4",
            "-1… h9g7 0",
            "--1… b9c7 1",
            "-2. h0g2 0",
            "-1. c3c4 1",
            "1… h9g7 0",
            "-1… h7e7 1",
            "2. h0g2 0",
        ];
        assert_eq!(read, wanted);
    }

    #[test]
    fn a_game_from_another_position_is_numbered_from_its_side() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1";
        let text = format!("[Game \"Chinese Chess\"]\n[FEN \"{fen}\"]\n\n1... H9-G7 2. H0-G2 *\n");
        let written = written(&text);
        let numbers: Vec<(u32, Option<Side>)> = written.line().map(|entry| (entry.number, entry.side)).collect();
        assert_eq!(numbers, [(1, Some(Side::Second)), (2, Some(Side::First))]);
    }
}
