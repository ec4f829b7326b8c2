//! Adds lines of the analysis as variations.

use super::analysis::Analysis;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::TakeLine;
use crate::app::ground::step::Step;
use crate::app::play::{Judging, TreeEditor, in_match};
use bevy::prelude::*;
use qiju_core::table::{Origin, TreeEdit};

fn take(mut requests: MessageReader<TakeLine>, analysis: Res<Analysis>, mut editor: TreeEditor, mut notices: ResMut<Notices>) {
    for &TakeLine(index) in requests.read() {
        // A line belongs to the node that is shown: the analysis restarts when the cursor moves.
        let Some(moves) = analysis.moves_at(&editor.current, index) else { continue };
        let at = editor.current.cursor();
        if let Err(error) = editor.edit(TreeEdit::Add { at, moves, origin: Origin::Engine }) {
            notices.fail(error);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, take.in_set(Step::Referee).before(Judging).run_if(in_match));
}
