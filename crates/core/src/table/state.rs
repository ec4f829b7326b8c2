//! The game in progress that is passed to capabilities.

use std::any::Any;

/// A game in progress without its type. A capability gets the position with [`position_of`](super::position_of). Every
/// [`Table`](super::Table) is a `State`.
pub trait State: Any + Send + Sync {}
