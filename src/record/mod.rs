//! Played games on paper: our own record of a finished or broken-off game ([`Record`]), and the [`journal`] of a running match.

mod document;
pub mod journal;
mod seat;

pub use document::{Record, RecordError};
pub use seat::SeatSpec;
