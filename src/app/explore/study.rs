//! Which page of study is open beside the board.

use crate::app::ground::activity::Activity;
use crate::app::ground::requests::{AnalysisRequest, Requests, StudyPage, StudyRequest};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, Opened, in_match};
use bevy::prelude::*;

/// Study beside the board.
pub const STUDY: Activity = Activity("study");

/// The page of study that is open.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Study {
    /// Which page; `None` is the match's own panel.
    pub page: Option<StudyPage>,
}

/// The page of analysis begins one. A page that is opened has no menu over it.
fn open(
    (mut opened, mut requests): (MessageReader<StudyRequest>, Requests),
    mut study: ResMut<Study>,
    mut menu: ResMut<NextState<Menu>>,
) {
    for StudyRequest(page) in opened.read() {
        study.set_if_neq(Study { page: *page });
        if page.is_some() {
            menu.set(Menu::None);
        }
        if *page == Some(StudyPage::Analysis) {
            requests.write(AnalysisRequest::Begin);
        }
    }
}

/// An analysis board begins with its page.
fn begin(mut study: ResMut<Study>, current: Option<Res<CurrentMatch>>) {
    let analyses = current.is_some_and(|current| current.is_analysis() && current.can_be_analysed());
    *study = Study { page: analyses.then_some(StudyPage::Analysis) };
}

fn follow(study: Res<Study>, mut opened: ResMut<Opened>) {
    opened.set_if_neq(Opened(study.page.map(|_| STUDY)));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Study>()
        .add_systems(Update, open.in_set(Step::Think).run_if(in_match))
        .add_systems(Update, follow.after(Step::Think).run_if(resource_changed::<Study>))
        .add_systems(OnEnter(Screen::Match), begin)
        .add_systems(OnExit(Screen::Match), |mut study: ResMut<Study>| *study = Study::default());
}
