//! Types that every game shares: sides, points, positions, outcomes, errors and the history of a game.
//!
//! This module depends on no game, search or window.

mod history;
pub mod key_table;
mod outcome;
mod perft;
mod play_error;
mod point;
mod position;
mod position_fault;
mod side;
mod skip;
pub mod symmetry;
pub mod zobrist;

pub use history::History;
pub use outcome::{Outcome, Reason};
pub use perft::perft;
pub use play_error::{Forbidden, PlayError, Refusal};
pub use point::Point;
pub use position::Position;
pub use position_fault::{FaultKind, PositionFault};
pub use side::{BySide, Side};
pub use skip::Skip;
