//! Exploring a match: earlier positions, variations, analysis, the review of the game, hints, exact results of solved games, the trainer.

mod analysis;
mod attempt;
mod cursor;
mod first_steps;
mod hint;
mod hold_out;
mod inquiry;
mod laboratory;
mod learn;
mod lines;
mod positions;
mod preparation;
mod proof;
mod puzzles;
mod refutation;
mod reply;
mod review;
mod study;
mod trainer;
mod truth;
mod wording;

pub use analysis::{Analysis, Line, MOST_LINES, Reached};
pub use attempt::{Attempt, AttemptStage, ShownAttempt};
pub use cursor::Film;
pub use first_steps::{Course, TaskDone, miss_text};
pub use hint::Hint;
pub use hold_out::{HoldOut, Stand};
pub use laboratory::{DEEPEST, LabSetup, Laboratory, Lane, Lesson, NoTree, SPEEDS, WIDTHS};
pub use learn::{Learn, LearnStage};
pub use positions::{Editing, PositionEditor};
pub use preparation::Preparations;
pub use proof::ProofSearch;
pub use puzzles::{HINTS, Miss, MissReason, PuzzleStage, Puzzling, Session};
pub use refutation::{Refutation, ShownRefutation};
pub use review::GameReview;
pub use study::Study;
pub use trainer::{Conversion, Exercise, Trainer};
pub use truth::Truth;
pub use wording::{piece_name, reason_text};

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((analysis::plugin, attempt::plugin, cursor::plugin, first_steps::plugin))
        .add_plugins((hint::plugin, hold_out::plugin, preparation::plugin, proof::plugin))
        .add_plugins((
            laboratory::plugin,
            learn::plugin,
            lines::plugin,
            positions::plugin,
            puzzles::plugin,
            review::plugin,
            study::plugin,
            refutation::plugin,
            trainer::plugin,
            truth::plugin,
        ));
}
