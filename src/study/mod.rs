//! Studying games and searches without the window: the review of a game by an engine, the search laboratory, and the player's results and rating.

mod annotate;
pub mod laboratory;
pub mod rating;
mod reasons;
pub mod results;
mod review;
mod searcher;
mod summary;

pub use annotate::{Wording, edits};
pub use review::{News, Review, Reviewed, review};
pub use searcher::StudyError;
pub use summary::{Summary, Tally, accuracy_of_move};
