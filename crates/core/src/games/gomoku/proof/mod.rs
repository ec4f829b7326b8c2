//! Proofs that the first player wins: trees with one answer to every defence, how they are kept and checked.
//!
//! A tree holds one answer for each position with the winner to move that is not won by plain threats. [`tree`] is its format, [`verifier`] checks it by the
//! rules alone, [`check`] does so on several threads, [`shipped`] asks those that come with the program, and [`players`] play from them. The package of the
//! tools makes trees, with the engine; the verifier uses nothing of either.
//!
//! The moves of a tree, with the winner to move:
//! 1. a five, if there is one;
//! 2. a stone on the point where the opponent threatens a five;
//! 3. the answer in the tree;
//! 4. without an answer in the tree: a win by threats, which is found again.

pub mod board;
pub mod check;
pub mod key;
pub mod players;
pub mod shipped;
pub mod tree;
pub mod verifier;
