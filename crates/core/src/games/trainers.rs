//! The training of each game. Only with the feature `training`.

use super::training::Training;
use super::{gomoku, xiangqi};

/// The training of a game, if its engine can be trained.
pub fn of(game: &str) -> Option<&'static dyn Training> {
    match game {
        "gomoku" => Some(&gomoku::training::Gomoku),
        "xiangqi" => Some(&xiangqi::training::Xiangqi),
        _ => None,
    }
}
