//! Sizes and times used by several files of the view.

/// The scale of a lifted piece.
pub(super) const LIFTED: f32 = 1.06;
/// The time to lift a piece, in seconds.
pub(super) const LIFT: f32 = 0.07;
/// The thickness of the winning line, in cells.
pub(super) const LINE: f32 = 0.17;
