//! Exploring a match: earlier positions, variations, analysis, the review of the game, hints, exact results of solved games, the trainer.

mod analysis;
mod better;
mod book;
mod cursor;
mod explorer;
mod hint;
pub(crate) mod inquiry;
mod lines;
mod pictures;
mod positions;
mod preparation;
mod proof;
mod refutation;
pub(crate) mod reply;
mod study;
mod truth;
mod wording;

pub use analysis::{Analysis, Line, MOST_LINES, Reached};
pub use better::{BetterMove, BetterStage, judge, weigh, worth};
pub use book::{InBook, OpeningBook};
pub use cursor::Film;
pub use explorer::{Explorer, Found};
pub use hint::Hint;
pub use positions::{Editing, PositionEditor};
pub use preparation::Preparations;
pub use proof::ProofSearch;
pub use refutation::{REFUTATION, Refutation, ShownRefutation};
pub use study::{STUDY, Study};
pub use truth::Truth;
pub use wording::{part_of_move, piece_name, reason_text, write_review};

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        analysis::plugin,
        book::plugin,
        cursor::plugin,
        explorer::plugin,
        hint::plugin,
        lines::plugin,
        pictures::plugin,
        positions::plugin,
        preparation::plugin,
        proof::plugin,
        refutation::plugin,
        study::plugin,
        truth::plugin,
    ));
}
