//! Analysis of the position shown by our own engine: the best moves as arrows, with their values and lines.

use crate::app::ground::intent::Intent;
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Search, Thinking, in_match};
use crate::rules::Side;
use crate::search::{Limits, Value};
use crate::table::{Action, Chance, EngineOptions, PlayerHandle, Progress, SearchRequest, Table};
use bevy::prelude::*;
use std::time::Duration;

/// The number of lines shown.
pub const LINES: usize = 3;
/// The number of moves shown of a line.
const MOVES_WRITTEN: usize = 6;
/// The time of an analysis; after that the window sleeps again.
const LONGEST: Duration = Duration::from_secs(20);

/// One line of the analysis.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its value, from the first side's view.
    pub value: Value,
    /// The first side's chance to win.
    pub chance: Chance,
    /// Its moves, in the user's notation.
    pub moves: Vec<String>,
    /// The depth in plies.
    pub depth: u16,
    /// Its moves as actions.
    actions: Vec<Action>,
}

/// The state and the result of the analysis.
#[derive(Resource, Default)]
pub struct Analysis {
    on: bool,
    lines: Vec<Option<Line>>,
    search: Option<Search>,
    stand: Option<Stand>,
    /// The engine, and the key of its game.
    player: Option<(&'static str, PlayerHandle)>,
}

/// The analysed position: a node of a match.
type Stand = (u64, usize, u64);

impl Analysis {
    /// True if the analysis is switched on.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// The moves of a line, counted from 0, if it belongs to the node that is shown.
    pub fn moves_at(&self, current: &CurrentMatch, index: usize) -> Option<Vec<Action>> {
        let line = self.lines().nth(index).filter(|_| self.stand == Some(stand(current)))?;
        Some(line.actions.clone())
    }

    /// True while the engine searches.
    pub fn is_thinking(&self) -> bool {
        self.search.is_some()
    }

    /// The lines found so far, best first.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().flatten()
    }

    fn forget(&mut self) {
        self.lines.clear();
        self.search = None;
        self.stand = None;
    }
}

impl Line {
    /// Its first move.
    pub fn first(&self) -> Option<Action> {
        self.actions.first().copied()
    }
}

/// The node that is shown.
fn stand(current: &CurrentMatch) -> Stand {
    (current.seed(), current.shown().ply(), current.shown().key())
}

impl CurrentMatch {
    /// True for games without exact results.
    pub fn can_be_analysed(&self) -> bool {
        self.table().capabilities().solution.is_none()
    }
}

fn line_of(table: &dyn Table, progress: &Progress, settings: &Settings, words: &Words) -> Line {
    let notation = settings.notation(table, words.language);
    let mut ahead = table.boxed_clone();
    let mut moves = Vec::new();
    for &action in progress.pv.iter().take(MOVES_WRITTEN) {
        moves.extend(ahead.write(action, notation));
        if ahead.play(action).is_err() {
            break;
        }
    }
    let value = if table.turn() == Side::First { progress.value } else { progress.value.reversed() };
    let chance = table.capabilities().curve.chance(value);
    Line { value, chance, moves, depth: progress.depth, actions: progress.pv.clone() }
}

fn ask(
    mut intents: MessageReader<Intent>,
    mut analysis: ResMut<Analysis>,
    current: Res<CurrentMatch>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
) {
    for intent in intents.read() {
        if *intent != Intent::Analyse || !current.can_be_analysed() {
            continue;
        }
        if current.help_allowed() {
            analysis.on = !analysis.on;
            analysis.forget();
        } else {
            notices.warn(words.say("rated.refused"));
        }
    }
}

fn think(
    mut analysis: ResMut<Analysis>,
    current: Res<CurrentMatch>,
    thinking: Query<(), With<Thinking>>,
    (settings, words): (Res<Settings>, Res<Words>),
) {
    let shown = current.shown();
    let wanted = analysis.on && current.can_be_analysed() && current.help_allowed() && shown.outcome().is_none();
    // The search of the computer's move comes first: two searches would use all cores.
    if !wanted || !thinking.is_empty() {
        if analysis.stand.is_some() {
            analysis.forget();
        }
        return;
    }
    let stand = stand(&current);
    if analysis.stand != Some(stand) {
        analysis.forget();
        let options = EngineOptions { multipv: LINES as u16, ..EngineOptions::default() };
        let request = SearchRequest { options, limits: Limits::time(LONGEST), ..SearchRequest::default() };
        let kept = analysis.player.take().filter(|(game, _)| *game == shown.game());
        let (game, player) = kept.unwrap_or_else(|| (shown.game(), PlayerHandle::new(shown.player())));
        analysis.search = Some(Search::start(shown, &request, &player));
        analysis.player = Some((game, player));
        analysis.stand = Some(stand);
    }
    let Some(search) = &mut analysis.bypass_change_detection().search else { return };
    let (news, ended) = (search.news(), search.poll().answer.is_some());
    if ended {
        analysis.search = None;
    }
    for progress in news {
        let place = usize::from(progress.multipv.max(1)) - 1;
        if place < LINES && !progress.pv.is_empty() {
            if analysis.lines.len() <= place {
                analysis.lines.resize_with(place + 1, || None);
            }
            let line = line_of(shown, &progress, &settings, &words);
            analysis.lines[place] = Some(line);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Analysis>()
        .add_systems(Update, (ask, think).chain().in_set(Step::Think).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut analysis: ResMut<Analysis>| analysis.forget());
}
