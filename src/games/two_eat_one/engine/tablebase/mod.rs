//! The game solved: every position is numbered (`indexing`), worked out from the end (`solver`, `truth`, `verification`), halved (`halves`),
//! packed for the program (`outcomes`: win, draw and loss) and kept on disk (`distances`).
//! `oracle` answers from it, `exercises` finds won positions in it, `solution` is what the command line and the window use.

pub mod distances;
pub mod exercises;
pub mod halves;
pub mod indexing;
pub mod oracle;
pub mod outcomes;
pub mod solution;
pub mod solver;
pub mod truth;
pub mod verification;
