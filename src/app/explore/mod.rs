//! Exploring a match: earlier positions, variations, analysis, hints, exact results of solved games, the trainer.

mod analysis;
mod attempt;
mod cursor;
mod hint;
mod inquiry;
mod lines;
mod preparation;
mod proof;
mod refutation;
mod review;
mod trainer;
mod truth;

pub use analysis::{Analysis, LINES as ANALYSIS_LINES};
pub use attempt::{Attempt, AttemptStage, ShownAttempt};
pub use cursor::Film;
pub use hint::Hint;
pub use preparation::Preparations;
pub use proof::{Found, ProofSearch};
pub use refutation::{LineMove, Refutation, ShownRefutation};
pub use review::{Judged, Review};
pub use trainer::{Conversion, Exercise, Trainer};
pub use truth::Truth;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((analysis::plugin, attempt::plugin, cursor::plugin, hint::plugin, preparation::plugin, proof::plugin))
        .add_plugins((lines::plugin, refutation::plugin, review::plugin, trainer::plugin, truth::plugin));
}
