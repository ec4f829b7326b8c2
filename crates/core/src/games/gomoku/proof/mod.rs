//! Proofs that the first player wins: trees with one answer to every defence, how they are made, kept and checked.
//!
//! A tree holds one answer for each position with the winner to move that is not won by plain threats. [`tree`] is its format, [`maker`] finds it
//! with the engine, [`verifier`] checks it by the rules alone, [`solver`] makes a whole tree with the threads of [`tasks`], [`shipped`] asks those that come with the program, and [`players`] play from them. The verifier uses nothing of the engine and of the maker.
//!
//! The moves of a tree, with the winner to move:
//! 1. a five, if there is one;
//! 2. a stone on the point where the opponent threatens a five;
//! 3. the answer in the tree;
//! 4. without an answer in the tree: a win by threats, which is found again.

pub mod hints;
pub mod key;
pub mod maker;
pub mod players;
pub mod shipped;
pub mod solver;
pub mod tasks;
pub mod tree;
pub mod verifier;
pub mod work;
