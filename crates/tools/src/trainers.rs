//! The games whose engines can be trained.

use crate::training::Training;
use crate::{gomoku, xiangqi};
use qiju_core::games::{self, Entry};
use qiju_core::terminal::Failure;

const TRAINERS: [(&str, &dyn Training); 2] = [("xiangqi", &xiangqi::Xiangqi), ("gomoku", &gomoku::Gomoku)];

/// A game and the training of its engine.
///
/// # Errors
/// There is no such game, or its engine has nothing to train.
pub fn find(game: &str) -> Result<(&'static Entry, &'static dyn Training), Failure> {
    let entry = games::find(game)?;
    let found = TRAINERS.iter().find(|(key, _)| *key == entry.key);
    let known = TRAINERS.map(|(key, _)| key).join(" and ");
    let (_, training) = found.ok_or_else(|| Failure::usage(format!("{game} has nothing to train; {known} have")))?;
    Ok((entry, *training))
}
