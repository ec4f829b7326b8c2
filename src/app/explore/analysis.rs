//! Analysis of the position shown by our own engine: the best moves as arrows, with their values and lines.

use super::study::Study;
use crate::app::ground::engines::{Engines, OtherEngine};
use crate::app::ground::notices::Notices;
use crate::app::ground::programs::{OptionPressed, ProgramButtons};
use crate::app::ground::requests::{AnalysisRequest, StudyPage};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Helped, Search, Thinking, in_match};
use bevy::prelude::*;
use qiju_core::protocol::host::{OptionValues, ProgramPlayer};
use qiju_core::rules::Side;
use qiju_core::search::{Limits, Value};
use qiju_core::table::{Action, Chance, PlayerHandle, Progress, SearchRequest, Table};
use std::time::Duration;
use web_time::Instant;

/// Lines shown unless the player wants more or fewer.
pub const LINES: usize = 3;
/// The most lines shown.
pub const MOST_LINES: usize = 5;
/// Moves of a line that are written.
const MOVES_WRITTEN: usize = 6;
/// The time of an analysis; after that the window sleeps again.
const LONGEST: Duration = Duration::from_secs(20);
/// The same while the page of analysis is open.
const LONGEST_ON_PAGE: Duration = Duration::from_secs(600);
/// How much longer than its time another program may take.
const PATIENCE: Duration = Duration::from_secs(5);

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

/// How far the engine has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Plies searched.
    pub depth: u16,
    /// The deepest ply searched.
    pub seldepth: u16,
    /// Positions visited.
    pub nodes: u64,
    /// Positions visited a second.
    pub nps: u64,
}

/// Whether the position is analysed, and what came of it.
#[derive(Resource)]
pub struct Analysis {
    on: bool,
    /// The engine rests; the lines of the position it thought about last stay.
    paused: bool,
    /// So many lines are wanted.
    wanted: usize,
    /// The program that thinks; `None` is our own engine.
    program: Option<String>,
    reached: Option<Reached>,
    lines: Vec<Option<Line>>,
    search: Option<Search>,
    /// When it began.
    began: Instant,
    analysed: Option<AnalysedNode>,
    /// The engine, and what it was made for.
    player: Option<(Maker, PlayerHandle)>,
}

/// What an engine is made for: the key of its game, and of another program the command line and the options.
type Maker = (&'static str, Option<(String, OptionValues)>);

impl Default for Analysis {
    fn default() -> Self {
        Analysis {
            on: false,
            paused: false,
            wanted: LINES,
            program: None,
            reached: None,
            lines: Vec::new(),
            search: None,
            began: Instant::now(),
            analysed: None,
            player: None,
        }
    }
}

/// The analysed position: a node of a match.
type AnalysedNode = (u64, usize, u64);

impl Analysis {
    /// True if the analysis is switched on.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// The moves of a line, counted from 0, if it belongs to the node that is shown.
    pub fn moves_at(&self, current: &CurrentMatch, index: usize) -> Option<Vec<Action>> {
        let line = self.lines().nth(index).filter(|_| self.analysed == Some(analysed(current)))?;
        Some(line.actions.clone())
    }

    /// True while the player has it rest.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// How many lines are wanted, 1 to [`MOST_LINES`].
    pub fn lines_wanted(&self) -> usize {
        self.wanted
    }

    /// The program that thinks; `None` is our own engine.
    pub fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// How far the engine has come in the position that is shown.
    pub fn reached(&self) -> Option<Reached> {
        self.reached
    }

    /// True while the engine thinks.
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
        self.analysed = None;
        self.reached = None;
    }
}

impl Line {
    /// Its first move.
    pub fn first(&self) -> Option<Action> {
        self.actions.first().copied()
    }

    /// Its value and the chance to win, from this side's view.
    pub fn seen_by(&self, side: Side) -> (Value, Chance) {
        match side {
            Side::First => (self.value, self.chance),
            Side::Second => (self.value.reversed(), self.chance.reversed()),
        }
    }
}

/// The node that is shown.
fn analysed(current: &CurrentMatch) -> AnalysedNode {
    (current.seed(), current.shown().ply(), current.shown().key())
}

impl CurrentMatch {
    /// True for games without exact results, except in a task of the first steps.
    pub fn can_be_analysed(&self) -> bool {
        self.table().capabilities().solution.is_none() && self.traits().whole_game
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
    let chance = table.curve().chance(value);
    Line { value, chance, moves, depth: progress.depth, actions: progress.pv.clone() }
}

fn ask(
    (mut requests, mut pressed): (MessageReader<AnalysisRequest>, MessageReader<OptionPressed>),
    mut analysis: ResMut<Analysis>,
    current: Res<CurrentMatch>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
) {
    for request in requests.read() {
        let begins = match request {
            AnalysisRequest::Switch => true,
            AnalysisRequest::Begin => !analysis.on,
            AnalysisRequest::Pause(paused) => {
                analysis.paused = *paused;
                // What was found stays to be read; going on begins anew, from the engine's own memory.
                if *paused {
                    analysis.search = None
                } else {
                    analysis.forget()
                }
                false
            }
            AnalysisRequest::Lines(lines) => {
                analysis.wanted = (*lines).clamp(1, MOST_LINES);
                analysis.forget();
                false
            }
            AnalysisRequest::With(program) => {
                analysis.program.clone_from(program);
                analysis.forget();
                false
            }
        };
        if !begins || !current.can_be_analysed() {
            continue;
        }
        if let Some(why) = current.help_refused() {
            notices.warn(words.say(why));
        } else {
            (analysis.on, analysis.paused) = (!analysis.on, false);
            analysis.forget();
        }
    }
    // The button is sent before the next search.
    let thinks = |engine: &OtherEngine| engine.game == current.table().game() && analysis.program.as_ref() == Some(&engine.name);
    if pressed.read().filter(|OptionPressed(engine)| thinks(engine)).count() > 0 {
        analysis.forget();
    }
}

/// The program that analyses, as the settings have it.
fn program<'s>(analysis: &Analysis, shown: &dyn Table, engines: &'s Engines) -> Option<&'s OtherEngine> {
    engines.find(shown.game(), analysis.program.as_deref()?)
}

/// What the engine that analyses is made for.
fn maker(analysis: &Analysis, shown: &dyn Table, engines: &Engines) -> Maker {
    let program = program(analysis, shown, engines);
    (shown.game(), program.map(|program| (program.command.clone(), program.values.clone())))
}

/// The player that analyses, kept as long as it stays the same.
fn player(analysis: &mut Analysis, shown: &dyn Table, engines: &Engines, buttons: &mut ProgramButtons) -> PlayerHandle {
    let wanted = maker(analysis, shown, engines);
    let kept = analysis.player.take().filter(|(of, _)| *of == wanted);
    let fresh = || match program(analysis, shown, engines) {
        Some(program) => {
            let player = ProgramPlayer::new(program.command.clone(), PATIENCE).with_start_up(program.start_up());
            PlayerHandle::new(Box::new(player.with_options(program.values.clone(), buttons.of(program))))
        }
        None => PlayerHandle::new(shown.player()),
    };
    let player = kept.map_or_else(fresh, |(_, player)| player);
    analysis.player = Some((wanted, player.clone()));
    player
}

fn think(
    mut analysis: ResMut<Analysis>,
    current: Res<CurrentMatch>,
    thinking: Query<(), With<Thinking>>,
    (settings, engines, words, study): (Res<Settings>, Res<Engines>, Res<Words>, Res<Study>),
    (mut notices, mut buttons, mut helped): (ResMut<Notices>, ResMut<ProgramButtons>, MessageWriter<Helped>),
) {
    let shown = current.shown();
    // A program that was removed, or whose options were changed, is not the one that thinks.
    if engines.is_changed() {
        if analysis.program.is_some() && program(&analysis, shown, &engines).is_none() {
            analysis.program = None;
        }
        let wanted = maker(&analysis, shown, &engines);
        if analysis.search.is_some() && analysis.player.as_ref().is_some_and(|(of, _)| *of != wanted) {
            analysis.forget();
        }
    }
    let wanted = analysis.on && current.can_be_analysed() && current.help_allowed() && shown.outcome().is_none();
    // The search of the computer's move comes first: two searches would use all cores.
    if !wanted || !thinking.is_empty() {
        if analysis.analysed.is_some() {
            analysis.forget();
        }
        return;
    }
    let analysed = analysed(&current);
    if analysis.analysed != Some(analysed) {
        if analysis.paused {
            // A window at rest changes nothing.
            if analysis.analysed.is_some() {
                analysis.forget();
            }
            return;
        }
        analysis.forget();
        let longest = if study.page == Some(StudyPage::Analysis) { LONGEST_ON_PAGE } else { LONGEST };
        let multipv = analysis.wanted as u16;
        let request = SearchRequest { limits: Limits::time(longest), multipv, ..SearchRequest::default() };
        let player = player(&mut analysis, shown, &engines, &mut buttons);
        (analysis.search, analysis.began) = (Some(Search::start(shown, &request, &player)), Instant::now());
        helped.write(Helped);
        analysis.analysed = Some(analysed);
    }
    // Once its page is closed, an analysis takes no longer than any other: a review waits for it.
    if analysis.search.is_some() && study.page != Some(StudyPage::Analysis) && analysis.began.elapsed() > LONGEST {
        analysis.search = None;
    }
    let Some(search) = &mut analysis.bypass_change_detection().search else { return };
    let (news, answer) = (search.news(), search.poll().answer);
    if let Some(answer) = answer {
        analysis.search = None;
        if let Err(why) = answer {
            notices.fail(why);
        }
    }
    for progress in news {
        let place = usize::from(progress.multipv.max(1)) - 1;
        let Progress { depth, seldepth, nodes, .. } = progress;
        analysis.reached = Some(Reached { depth, seldepth, nodes, nps: progress.nps() });
        if place < analysis.wanted && !progress.pv.is_empty() {
            if analysis.lines.len() <= place {
                analysis.lines.resize_with(place + 1, || None);
            }
            let line = line_of(shown, &progress, &settings, &words);
            analysis.lines[place] = Some(line);
        }
    }
}

/// On an analysis board the engine thinks from the beginning. A program of another game is not asked.
fn begin(mut analysis: ResMut<Analysis>, current: Option<Res<CurrentMatch>>, engines: Res<Engines>) {
    let Some(current) = current else { return };
    if analysis.program.is_some() && program(&analysis, current.table(), &engines).is_none() {
        analysis.program = None;
    }
    if current.is_analysis() && current.can_be_analysed() {
        (analysis.on, analysis.paused) = (true, false);
    }
}

/// What an analysis board switched on ends with it.
fn end(mut analysis: ResMut<Analysis>, current: Option<Res<CurrentMatch>>) {
    analysis.forget();
    if current.is_some_and(|current| current.is_analysis()) {
        analysis.on = false;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Analysis>()
        .add_systems(Update, (ask, think).chain().in_set(Step::Think).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), begin)
        .add_systems(OnExit(Screen::Match), end);
}
