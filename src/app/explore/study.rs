//! Which page of study is open beside the board.

use crate::app::ground::intent::{Intent, StudyPage};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, in_match};
use bevy::prelude::*;

/// The page of study that is open.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Study {
    /// Which page; `None` is the match's own panel.
    pub page: Option<StudyPage>,
}

fn open(mut intents: MessageReader<Intent>, mut study: ResMut<Study>) {
    for intent in intents.read() {
        if let Intent::Study(page) = intent {
            study.set_if_neq(Study { page: *page });
        }
    }
}

/// An analysis board begins with its page.
fn begin(mut study: ResMut<Study>, current: Option<Res<CurrentMatch>>) {
    let analyses = current.is_some_and(|current| current.is_analysis() && current.can_be_analysed());
    *study = Study { page: analyses.then_some(StudyPage::Analysis) };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Study>()
        .add_systems(Update, open.in_set(Step::Think).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), begin)
        .add_systems(OnExit(Screen::Match), |mut study: ResMut<Study>| *study = Study::default());
}
