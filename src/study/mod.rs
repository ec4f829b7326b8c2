//! The review of a game by an engine, without the window.

mod annotate;
mod reasons;
mod review;
mod searcher;
mod summary;

pub use annotate::{Wording, edits};
pub use review::{News, Review, Reviewed, review};
pub use searcher::StudyError;
pub use summary::{Summary, Tally, accuracy_of_move};
