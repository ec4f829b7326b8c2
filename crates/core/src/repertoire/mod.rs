//! A repertoire: the moves of a tree with which a side answers what the other side plays.
//!
//! [`Repertoire`] knows its positions by the keys of a book's [`Pages`], so an order of moves that leads to the same position, or to an image of it, is the same.
//! [`Repertoire::replies`] weighs the moves of the other side by how often they were played ([`counts`]), [`Repertoire::gaps`] lists those that have no answer.
//! [`SavedRepertoire`] is what is kept of it: its moves, and when each of its positions is asked again. [`longest_defence`] plays against it from a proof.

mod gaps;
mod proof;
mod saved;
#[cfg(test)]
mod tests;

pub use gaps::Gap;
pub use proof::{longest_defence, proven_moves};
pub use saved::SavedRepertoire;

use crate::book::Pages;
use crate::library::{Library, PositionQuery, Query};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::rules::{Side, zobrist};
use crate::search::StopToken;
use crate::table::{Action, Cursor, NodeId, OpeningRule, Setup, Table, Tree, variant_of};
use std::collections::{HashMap, HashSet};

/// The repertoire of a side.
#[derive(Clone)]
pub struct Repertoire {
    side: Side,
    record: Record,
    /// The moves of the tree by their positions.
    pages: Pages,
    /// The key of the position of each node of the tree.
    keys: Vec<u64>,
    /// The positions in which the side is to move and has an answer, in the order of the tree.
    asked: Vec<u64>,
    /// The positions after its answers.
    reached: HashSet<u64>,
    /// The moves of the longest line.
    longest: usize,
}

/// A move of the other side, and how often it was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reply {
    /// The move.
    pub action: Action,
    /// The games in which it was played.
    pub games: usize,
    /// Their part of all games that went on from the position. Where none did, each move of the tree has the same.
    pub share: f64,
    /// The repertoire has an answer to it, or the game is over.
    pub is_answered: bool,
    /// The key of the position after it.
    pub key: u64,
}

impl Repertoire {
    /// The moves of this side in the tree of a record. Times and assessments are left out.
    ///
    /// # Errors
    /// The record cannot be replayed, its sides are chosen in the opening, or the side has no move.
    pub fn new(record: &Record, side: Side) -> Result<Repertoire, Message> {
        Repertoire::of_tree(
            Record { setup: record.setup.plain(), ..Record::new(&record.game, Setup::default()) },
            side,
            &record.tree,
        )
    }

    /// This repertoire with the moves of another record from the same start.
    ///
    /// # Errors
    /// The same as for [`new`](Repertoire::new), or the start is another one.
    pub fn joined(&self, record: &Record) -> Result<Repertoire, Message> {
        if (&record.game, &record.setup.plain()) != (&self.record.game, &self.record.setup) {
            return Err(message!("this game begins from another position, or by other rules"));
        }
        Repertoire::of_tree(self.record.clone(), self.side, &record.tree)
    }

    /// The repertoire of a record to which a tree is added.
    fn of_tree(mut record: Record, side: Side, more: &Tree) -> Result<Repertoire, Message> {
        graft(&mut record.tree, more);
        let start = record.table()?;
        if start.opening().is_some() {
            return Err(message!("a repertoire begins where the sides are decided"));
        }
        let mut pages = Pages::new(&*start);
        pages.add(&record, usize::MAX, true)?;
        let tree = &record.tree;
        let (mut keys, mut longest) = (vec![0; tree.len()], 0);
        let (mut asked, mut known, mut reached) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut cursor = Cursor::at_root(start);
        for id in tree.walk() {
            cursor.go(tree, id);
            let table = cursor.table();
            let key = pages.key(table);
            keys[id.0 as usize] = key;
            longest = longest.max(tree.depth(id));
            if table.turn() != side {
                reached.extend((id != Tree::ROOT).then_some(key));
            } else if !pages.moves(table).is_empty() && known.insert(key) {
                asked.push(key);
            }
        }
        if asked.is_empty() {
            return Err(message!("this side has no move in the tree"));
        }
        Ok(Repertoire { side, record, pages, keys, asked, reached, longest })
    }

    /// Whose repertoire it is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Its moves.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The most moves of a line in it.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The keys of the positions in which it has an answer, in the order of the tree.
    pub fn asked(&self) -> &[u64] {
        &self.asked
    }

    /// The key of a table's position, which is the same for its images.
    pub fn key(&self, table: &dyn Table) -> u64 {
        self.pages.key(table)
    }

    /// The answers in the position of a table, that of the tree's first line first. None while the other side is to move.
    pub fn answers(&self, table: &dyn Table) -> Vec<Action> {
        if table.turn() != self.side {
            return Vec::new();
        }
        self.moves(table).collect()
    }

    /// True if a move leads to a position that an answer of the repertoire leads to, in whatever order of moves.
    pub fn accepts(&self, table: &dyn Table, action: Action) -> bool {
        table.turn() == self.side && after(table, action).is_some_and(|table| self.reached.contains(&self.key(&*table)))
    }

    /// The moves of the tree in the position of a table.
    fn moves(&self, table: &dyn Table) -> impl Iterator<Item = Action> {
        let known = self.pages.moves(table).into_iter().map(|one| one.action);
        known.filter(|action| table.refusal(*action).is_none())
    }

    /// The moves of the other side: those that were played (see [`counts`]) and those of the tree. Moves that lead to the same position are one.
    pub fn replies(&self, table: &dyn Table, counts: &[(Action, usize)]) -> Vec<Reply> {
        let mut replies: Vec<Reply> = Vec::new();
        for (action, games) in self.moves(table).map(|action| (action, 0)).chain(counts.iter().copied()) {
            let Some(after) = after(table, action) else { continue };
            let key = self.key(&*after);
            if let Some(known) = replies.iter_mut().find(|known| known.key == key) {
                known.games += games;
                continue;
            }
            let is_answered = after.outcome().is_some() || !self.answers(&*after).is_empty();
            replies.push(Reply { action, games, share: 0.0, is_answered, key });
        }
        let (games, moves): (usize, usize) = (replies.iter().map(|reply| reply.games).sum(), replies.len());
        for reply in &mut replies {
            reply.share = if games > 0 { reply.games as f64 / games as f64 } else { 1.0 / moves as f64 };
        }
        replies
    }

    /// The positions from which a line of the tree leads to one of these, and these themselves, each with the fewest moves to it.
    pub fn leading_to(&self, asked: &HashSet<u64>) -> HashMap<u64, usize> {
        let tree = &self.record.tree;
        let (mut moves, mut found) = (vec![None; self.keys.len()], HashMap::new());
        let nodes: Vec<NodeId> = tree.walk().collect();
        // Every node stands behind the one before its move.
        for id in nodes.into_iter().rev() {
            let key = self.keys[id.0 as usize];
            let behind = tree.node(id).children().iter().filter_map(|child: &NodeId| moves[child.0 as usize]).min();
            let here = if asked.contains(&key) { Some(0) } else { behind.map(|behind: usize| behind + 1) };
            moves[id.0 as usize] = here;
            if let Some(here) = here {
                found.entry(key).and_modify(|known: &mut usize| *known = here.min(*known)).or_insert(here);
            }
        }
        found
    }
}

/// One of these moves, in the proportion in which they were played; if none of them was, any. The same seed chooses the same.
pub fn choose(replies: &[Reply], seed: u64) -> Option<Reply> {
    let all: usize = replies.iter().map(|reply| reply.games).sum();
    let weight = |reply: &Reply| if all > 0 { reply.games } else { 1 };
    let whole: usize = replies.iter().map(weight).sum();
    let mut left = (zobrist::mix(seed) % whole.max(1) as u64) as usize;
    let chosen = replies.iter().find(|reply| {
        let found = left < weight(reply);
        left = left.wrapping_sub(weight(reply));
        found
    });
    chosen.copied()
}

/// How often each move was played from the position of a table, in the first of these libraries that has such games.
pub fn counts(libraries: &[&Library], table: &dyn Table, stop: &StopToken) -> Vec<(Action, usize)> {
    let in_one = |library: &&Library| {
        let position = PositionQuery::position(table, false).ok()?;
        let game = Some(table.game().to_owned());
        let explored = library.explore(&Query { game, position: Some(position), stop: stop.clone(), ..Query::default() });
        let moves = explored.moves.into_iter().map(|count| (count.action, count.games)).collect::<Vec<_>>();
        (!moves.is_empty()).then_some(moves)
    };
    libraries.iter().find_map(in_one).unwrap_or_default()
}

/// The table after a move; `None` if the rules refuse it.
fn after(table: &dyn Table, action: Action) -> Option<Box<dyn Table>> {
    let mut after = table.boxed_clone();
    after.play(action).ok()?;
    Some(after)
}

/// Adds the moves of a tree to another one, with the comments, glyphs and marks of those that it has not.
fn graft(onto: &mut Tree, more: &Tree) {
    let mut places = vec![Tree::ROOT; more.len()];
    for id in more.walk() {
        let place = |id: NodeId| places[id.0 as usize];
        let (known, to) = match (more.previous(id), more.node(id).action()) {
            (Some(before), Some(action)) => {
                let known = onto.child_with(place(before), action);
                (known.is_some(), known.unwrap_or_else(|| onto.add(place(before), action, more.node(id).origin)))
            }
            _ => (!onto.is_empty(), Tree::ROOT),
        };
        places[id.0 as usize] = to;
        if !known {
            let notes = more.notes(id);
            onto.set_comment(to, notes.comment);
            onto.set_glyphs(to, notes.glyphs);
            onto.set_marks(to, notes.marks);
        }
    }
}

/// The name of the repertoire of a side in games that begin as a record does: one for each game, rules, start position and side.
///
/// # Errors
/// The record has no valid start.
pub fn name_of(record: &Record, side: Side) -> Result<String, Message> {
    let setup = record.setup.plain();
    let table = Record { setup, ..Record::new(&record.game, Setup::default()) }.table()?;
    let (variant, start) = (variant_of(&*table), table.setup().position.as_deref().unwrap_or("start"));
    Ok(format!("{} {} {start} {}", table.game(), OpeningRule::split(&variant).0, side.key()))
}
