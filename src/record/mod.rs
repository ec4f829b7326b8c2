//! Played games on paper: our own record of a finished or broken-off game ([`Record`]), the community's [`Format`]s, and the [`journal`]
//! of a running match.

mod document;
mod formats;
mod home;
pub mod journal;
mod seat;

pub use document::{Record, RecordError};
pub use formats::{Format, GomokuLine, position_and_moves};
pub use home::home;
pub use seat::SeatSpec;
