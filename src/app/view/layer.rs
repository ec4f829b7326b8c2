//! The drawing layers, from the desk upwards.

pub(super) const DESK: f32 = 0.0;
pub(super) const BOARD: f32 = 1.0;
pub(super) const GROUND_MARKS: f32 = 2.0;
pub(super) const SHADOWS: f32 = 3.0;
pub(super) const PIECES: f32 = 10.0;
pub(super) const MARKS: f32 = 20.0;
pub(super) const OVERLAY: f32 = 24.0;
pub(super) const FLYING: f32 = 30.0;
