//! Work on games, positions and searches without the window: the review of a game by an engine, puzzles, the search for
//! the next move of a task, the search laboratory, the player's results and rating, and the player's own mistakes, which come
//! back when they are due.

mod annotate;
mod first_steps;
pub mod laboratory;
mod mistakes;
mod proof;
pub mod puzzles;
pub mod rating;
mod reasons;
mod refutation;
pub mod results;
mod review;
pub mod schedule;
mod searcher;
mod solved;
mod summary;
mod threat;

pub use annotate::{Wording, edits};
pub use first_steps::next_move;
pub use mistakes::{Mistake, MistakeMoves, mistakes};
pub use proof::{FoundWin, PROOF_NODES, look_for_win};
pub use reasons::{RepetitionLoss, loss_by_repetition};
pub use refutation::{LineMove, refutation};
pub use review::{JudgedMove, News, Review, Reviewed, TEACHING_NODES, judge_move, review};
pub use searcher::{BestLine, StudyError};
pub use solved::{Judged, SolvedGame, best};
pub use summary::{Summary, Tally, accuracy_of_move};
pub use threat::{Threat, threat};
