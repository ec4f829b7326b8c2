//! The search laboratory, independent of the window: the recorded search of a position step by step, and where its nodes are drawn.

mod experiment;
mod layout;
mod playback;

pub use experiment::{Bench, Claim, Experiment, Figures, Kind, Measured, Moment, Question, ShownMoment, Step, Which};
pub use layout::TreeLayout;
pub use playback::{Playback, Seen, Stage};

/// The most nodes of a tree that is kept and drawn.
pub const MOST_DRAWN: usize = 50_000;
/// The most nodes of a tree that is counted.
pub const MOST_COUNTED: usize = 3_000_000;
