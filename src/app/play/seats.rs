//! The players of a match as entities.

use crate::rules::Side;
use crate::table::Memory;
use bevy::prelude::*;

/// A seat at the table: an entity with this and [`Human`] or [`Computer`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat(pub Side);

/// A person plays.
#[derive(Component, Clone, Copy, Debug)]
pub struct Human;

/// Our own engine plays.
#[derive(Component, Clone, Debug)]
pub struct Computer {
    /// Its level, 1 to 10.
    pub level: u8,
    /// Its engine between moves.
    pub memory: Memory,
}

/// Another program plays.
#[derive(Component, Clone, Debug)]
pub struct ExternalProgram {
    /// Its name in the settings.
    pub name: String,
    /// The running program between moves.
    pub memory: Memory,
}
