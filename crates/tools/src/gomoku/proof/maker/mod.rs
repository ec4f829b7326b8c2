//! Finds the tree: proof-number search for an answer to every reply.

mod advice;
mod moves;
mod node;
mod rows;
mod search;
mod similar;
mod table;
mod threats;

pub use search::{Maker, NODES, Stopped};
pub use table::Table;
