//! Study without the window: the review of a game by an engine, and puzzles.

mod annotate;
pub mod puzzles;
mod reasons;
mod review;
mod searcher;
mod summary;

pub use annotate::{Wording, edits};
pub use review::{News, Review, Reviewed, review};
pub use searcher::StudyError;
pub use summary::{Summary, Tally, accuracy_of_move};
