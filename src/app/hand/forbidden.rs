//! Explains forbidden points: the point under the pointer or the keyboard cursor, or the point refused
//! last.

use super::pointer::Pointer;
use super::selection::Selection;
use crate::app::ground::layout::Layout;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{BoardChanged, CurrentMatch, MoveRefused, Spoken, in_match};
use bevy::prelude::*;
use qiju_core::rules::{Forbidden, Point, Refusal};
use qiju_core::table::Restriction;

/// The forbidden points of the position shown, and the one that is explained.
#[derive(Resource, Default)]
pub struct Restrictions {
    /// The position they belong to: the match, the moves played, the node.
    node: Option<(u64, usize, u64)>,
    all: Vec<Restriction>,
    /// The point refused last.
    refused: Option<Point>,
    /// The point under the pointer.
    pointed: Option<Point>,
}

impl Restrictions {
    /// All forbidden points, to be marked.
    pub fn all(&self) -> &[Restriction] {
        &self.all
    }

    /// The point to be explained.
    pub fn explained(&self) -> Option<&Restriction> {
        let of = |point: Option<Point>| self.all.iter().find(|one| Some(one.at) == point);
        of(self.pointed).or_else(|| of(self.refused))
    }
}

impl CurrentMatch {
    /// True if the forbidden points should be shown: a person is to move, or an earlier position is shown.
    fn restricts(&self) -> bool {
        self.shown().outcome().is_none() && (self.hand_moves() || self.is_looking_back())
    }
}

impl Words {
    /// Why a point is forbidden, as a sentence.
    pub fn forbidden(&self, reason: Forbidden) -> &str {
        self.say(match reason {
            Forbidden::Overline => "forbidden.overline",
            Forbidden::DoubleFour => "forbidden.double-four",
            Forbidden::DoubleThree => "forbidden.double-three",
        })
    }
}

fn look(mut restrictions: ResMut<Restrictions>, current: Res<CurrentMatch>, settings: Res<Settings>) {
    let shown = current.shown();
    let node = (settings.show_forbidden && current.restricts()).then(|| (current.seed(), shown.ply(), shown.key()));
    if restrictions.node != node {
        restrictions.all = node.map(|_| shown.restrictions()).unwrap_or_default();
        restrictions.node = node;
    }
}

fn point_at(
    mut restrictions: ResMut<Restrictions>,
    (pointer, selection, layout): (Res<Pointer>, Res<Selection>, Res<Layout>),
    (mut changed, mut refused): (MessageReader<BoardChanged>, MessageReader<MoveRefused>),
    (words, mut spoken): (Res<Words>, ResMut<Spoken>),
) {
    let quiet = restrictions.bypass_change_detection();
    let before = quiet.explained().map(|one| one.at);
    if changed.read().count() > 0 {
        quiet.refused = None;
    }
    for refusal in refused.read() {
        let forbidden = matches!(refusal.reason, Refusal::Forbidden(_));
        quiet.refused = refusal.action.target().filter(|_| forbidden);
    }
    let under = pointer.position.filter(|_| !pointer.over_ui).and_then(|at| layout.point_under(at));
    quiet.pointed = selection.cursor.or(under);
    let now = quiet.explained().map(|one| (one.at, one.reason));
    if now.map(|(at, _)| at) != before {
        restrictions.set_changed();
        // The keyboard cursor is announced to screen readers.
        if let Some((_, reason)) = now.filter(|_| selection.cursor.is_some()) {
            spoken.say(words.forbidden(reason).to_owned());
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Restrictions>()
        .add_systems(Update, (look, point_at).chain().after(Step::Animate).before(Step::Ui).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut restrictions: ResMut<Restrictions>| *restrictions = Restrictions::default());
}
