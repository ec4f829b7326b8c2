//! The gaps of a repertoire: moves of the other side that were played, and to which it has no answer.

use super::{Repertoire, after};
use crate::table::{Action, Table};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A move without an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The moves that lead to it, itself the last.
    pub moves: Vec<Action>,
    /// The games in which it was played.
    pub games: usize,
    /// Their part of the games that went on from the position before it,
    pub share: f64,
    /// and the part of all games in which it is met, if its side plays the repertoire. Where that has several answers, each is played equally often.
    pub met: f64,
}

/// A position of the repertoire, how it was reached, and how often it is.
struct Reached {
    table: Box<dyn Table>,
    moves: Vec<Action>,
    met: f64,
}

impl Repertoire {
    /// The moves of the other side that have no answer, those that are met most often first, and none that is met in a smaller part of all games than `least`.
    /// `count` tells how often each move was played from a position; a move that is in the tree alone counts where nothing was played.
    pub fn gaps(&self, least: f64, count: &mut dyn FnMut(&dyn Table) -> Vec<(Action, usize)>) -> Vec<Gap> {
        let Ok(start) = self.record.table() else { return Vec::new() };
        let (mut gaps, mut ply) = (Vec::new(), BTreeMap::new());
        ply.insert(self.key(&*start), Reached { table: start, moves: Vec::new(), met: 1.0 });
        // Positions are reached one ply after the other, so that all orders of moves have come together before their position is gone on from.
        for _ in 0..=self.longest {
            let mut next: BTreeMap<u64, Reached> = BTreeMap::new();
            let mut reach = |from: &Reached, action: Action, met: f64| {
                let Some(table) = after(&*from.table, action).filter(|table| table.outcome().is_none() && met >= least) else {
                    return;
                };
                let key = self.key(&*table);
                let moves = || from.moves.iter().copied().chain([action]).collect();
                next.entry(key).or_insert_with(|| Reached { table, moves: moves(), met: 0.0 }).met += met;
            };
            for from in ply.into_values() {
                if from.table.turn() == self.side {
                    let answers = self.answers(&*from.table);
                    answers.iter().for_each(|action| reach(&from, *action, from.met / answers.len() as f64));
                    continue;
                }
                for reply in self.replies(&*from.table, &count(&*from.table)) {
                    let met = from.met * reply.share;
                    if reply.is_answered {
                        reach(&from, reply.action, met);
                    } else if met >= least && met > 0.0 {
                        let moves = from.moves.iter().copied().chain([reply.action]).collect();
                        gaps.push(Gap { moves, games: reply.games, share: reply.share, met });
                    }
                }
            }
            ply = next;
        }
        gaps.sort_by(|a, b| b.met.partial_cmp(&a.met).unwrap_or(Ordering::Equal));
        gaps
    }
}
