//! Finds the tree: the engine names an answer, then every reply to it is tried.

mod search;
mod zone;

pub use search::{Maker, Stopped, key_of, place, spot};
