//! Checks a tree by the rules alone: every move of the defender at every position.
//!
//! Nothing here comes from the engine, from the maker or from the board that the game is played on. [`board`] counts stones in windows of five,
//! [`fours`] finds wins by fours, [`threats`] wins by fours and threes, [`walk`] goes over the tree.
//!
//! A move of the defender needs no answer where the winner has a sequence of threats that the move provably does not touch:
//! - After a sequence of fours each reply is forced. One further stone of the defender matters only on a point of the sequence (a move of the
//!   attacker, a point where it threatens five, a reply), or where it makes a four together with other stones: on an empty point of a window
//!   with three stones of the defender (the replies so far included) and none of the attacker.
//! - A sequence with threes is a small tree: at each of its positions there is a sequence of fours, and a branch for each move of the
//!   defender that may touch it. At most one of the moves on a path is left out, since the fours follow at once. So one further stone of the
//!   defender matters only on a point of the tree, of its fours and its branches, or in a window with two stones of the defender and none of
//!   the attacker: there it makes a four together with the move left out.

mod board;
mod fours;
mod threats;
mod walk;

#[cfg(test)]
mod tests;

pub use board::Plain;
pub use fours::Line;
pub use threats::Threats;
pub use walk::{Answers, Fault, Report, Seen, THREATS, Walk};
