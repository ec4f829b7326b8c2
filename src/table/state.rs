//! A game in progress as its capabilities are handed it.

use std::any::Any;

/// A game in progress, whose type only the game itself knows: capabilities get its position by [`position_of`](super::position_of). Every
/// [`Table`](super::Table) is one.
pub trait State: Any + Send + Sync {}
