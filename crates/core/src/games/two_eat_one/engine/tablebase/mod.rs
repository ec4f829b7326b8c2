//! The tablebase of the solved game: every position gets a number (`indexing`) and is solved by retrograde analysis
//! (`solver`, `tables`, `verification`).
//! Half of the positions are stored (`halves`): compressed inside the program (`outcomes`: win, draw and loss) and on disk (`distances`).
//! `oracle` looks values up, `exercises` finds won positions, `solution` is the interface for the command line and the window.

pub mod distances;
pub mod exercises;
pub mod halves;
pub mod indexing;
pub mod oracle;
pub mod outcomes;
pub mod solution;
pub mod solver;
pub mod tables;
pub mod verification;
