//! Makes proofs that the first player wins: [`maker`] searches for answers with the engine, [`solver`] makes a whole tree with the threads of [`tasks`], [`hints`]
//! names moves to try first, and [`work`] keeps what is found.

mod hints;
mod maker;
pub mod solver;
mod tasks;
mod work;
