//! The search laboratory, independent of the window: the recorded search of a position step by step, and where its nodes are drawn.

mod experiment;
mod layout;
mod playback;

pub use experiment::{Bench, Claim, Experiment, Figures, Kind, Measured, Question, Sight, Stand, Step, Which};
pub use layout::TreeLayout;
pub use playback::{Playback, Seen, Stage};
