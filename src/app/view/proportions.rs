//! Sizes and times that several parts of the picture agree on.

/// How far a lifted piece grows.
pub(super) const LIFTED: f32 = 1.06;
/// Seconds a piece takes to be lifted.
pub(super) const LIFT: f32 = 0.07;
/// Thickness of the line through what won, in cells.
pub(super) const LINE: f32 = 0.17;
