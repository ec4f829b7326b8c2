//! Hints: a good move on request.

use crate::app::ground::notices::Notices;
use crate::app::ground::requests::{HintRequest, RefereeRequest, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{BoardChanged, CurrentMatch, Helped, Search, Spoken, in_match};
use bevy::prelude::*;
use qiju_core::rules::Point;
use qiju_core::search::Limits;
use qiju_core::table::{Action, PlayerHandle, SearchRequest};
use std::time::Duration;

/// The hint shown on the board and the search for it.
#[derive(Resource, Default)]
pub struct Hint {
    search: Option<Search>,
    /// A move of which only a part is told so far: its piece or its file.
    pub part: Option<Action>,
    /// The move to show.
    pub shown: Option<Action>,
    /// A point to look at.
    pub at: Option<Point>,
}

impl Hint {
    /// True while a hint is being searched.
    pub fn is_sought(&self) -> bool {
        self.search.is_some()
    }

    /// Shows the whole move, or what moves.
    fn tell(&mut self, action: Action, whole: bool) {
        match whole {
            true => self.shown = Some(action),
            false => (self.part, self.at) = (Some(action), action.origin()),
        }
    }
}

/// The time of the search for a hint.
const HINT_TIME: Duration = Duration::from_millis(1200);

fn seek(
    mut asked: MessageReader<HintRequest>,
    mut hint: ResMut<Hint>,
    current: Res<CurrentMatch>,
    (mut notices, mut helped, mut requests): (ResMut<Notices>, MessageWriter<Helped>, Requests),
    words: Res<Words>,
) {
    for _ in asked.read() {
        if hint.search.is_some() || !current.human_to_move() || current.played().sketch().is_some() {
            continue;
        }
        if let Some(why) = current.help_refused() {
            notices.warn(words.say(why));
            continue;
        }
        if let Some(whole) = hint.part.take() {
            hint.tell(whole, true);
            requests.write(RefereeRequest::Hinted(whole, true));
            continue;
        }
        helped.write(Helped);
        let mut request = SearchRequest { limits: Limits::time(HINT_TIME), ..SearchRequest::default() };
        request.limits.depth = Some(30);
        let player = PlayerHandle::new(current.table().player());
        hint.search = Some(Search::start(current.table(), &request, &player));
    }
}

fn follow(mut hint: ResMut<Hint>, current: Res<CurrentMatch>, mut requests: Requests) {
    let Some(search) = &mut hint.bypass_change_detection().search else { return };
    if let Some(answer) = search.poll().answer {
        hint.search = None;
        let Some(found) = answer.unwrap_or_default() else { return };
        let whole = !current.purpose().traits().hints_in_steps;
        hint.tell(found, whole);
        requests.write(RefereeRequest::Hinted(found, whole));
    }
}

/// A match that is taken up again shows the hint that was told in it.
fn take_up(mut hint: ResMut<Hint>, current: Res<CurrentMatch>) {
    if let Some((action, whole)) = current.hinted() {
        hint.tell(action, whole);
    }
}

/// Says a move that is shown.
fn tell(
    (hint, current): (Res<Hint>, Res<CurrentMatch>),
    (words, settings): (Res<Words>, Res<Settings>),
    (mut spoken, mut told): (ResMut<Spoken>, Local<Option<Action>>),
) {
    if *told == hint.shown {
        return;
    }
    *told = hint.shown;
    let notation = settings.notation(current.table(), words.language);
    if let Some(text) = hint.shown.and_then(|action| current.table().write(action, notation)) {
        spoken.say(format!("{} {text}", words.say("play.hint")));
    }
}

fn forget(mut hint: ResMut<Hint>, changed: MessageReader<BoardChanged>) {
    if !changed.is_empty() {
        *hint = Hint::default();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Hint>()
        .add_systems(Update, (seek, follow).chain().in_set(Step::Think).run_if(in_match))
        .add_systems(Update, forget.in_set(Step::Animate))
        .add_systems(Update, tell.in_set(Step::Animate).after(forget).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), take_up)
        .add_systems(OnExit(Screen::Match), |mut hint: ResMut<Hint>| *hint = Hint::default());
}
