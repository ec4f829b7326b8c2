//! The moves of the other side to which a repertoire has no answer, and answers of the engine to them.

use super::additions::Additions;
use crate::app::ground::activity::REPERTOIRE;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::notices::Notices;
use crate::app::ground::repertoires::{OwnMoves, Repertoires};
use crate::app::ground::requests::RepertoireStep;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{GameLibrary, Helped, Search};
use crate::app::view::FrameRequests;
use bevy::prelude::*;
use qiju_core::library::{Library, engine_games};
use qiju_core::record::Record;
use qiju_core::repertoire::{Gap, Repertoire, counts};
use qiju_core::search::{Limits, StopToken};
use qiju_core::table::{Notation, Origin, PlayerHandle, SearchRequest, Setup, Table, Tree};
use std::time::Duration;

/// What is met in a smaller part of all games is no gap.
const LEAST: f64 = 0.01;
/// The most gaps that are listed.
const LISTED: usize = 30;
/// The most moves that are written before a gap.
const WRITTEN: usize = 7;
/// How long the engine looks for an answer.
const THOUGHT: Duration = Duration::from_secs(3);

/// A gap as it is written.
pub struct WrittenGap {
    /// The gap.
    pub gap: Gap,
    /// The last moves before it; empty at the beginning.
    pub line: String,
    /// Its move.
    pub reply: String,
    /// The table after it.
    table: Box<dyn Table>,
}

/// The gaps of a repertoire.
#[derive(Resource, Default)]
pub struct OpenGaps {
    /// The repertoire that is to be looked through,
    wanted: Option<String>,
    /// and the one that was.
    name: Option<String>,
    search: Option<BackgroundTask<Vec<WrittenGap>>>,
    found: Vec<WrittenGap>,
    /// The gap to which the engine looks for an answer.
    filling: Option<(WrittenGap, Search)>,
}

impl OpenGaps {
    /// The gaps of a repertoire, those that are met most often first; `None` if they were not asked for, or are being looked for.
    pub fn of(&self, name: &str) -> Option<&[WrittenGap]> {
        (self.name.as_deref() == Some(name) && self.search.is_none()).then_some(&self.found)
    }

    /// True while they are looked for.
    pub fn is_sought(&self, name: &str) -> bool {
        self.wanted.as_deref() == Some(name) || self.name.as_deref() == Some(name) && self.search.is_some()
    }

    /// True while the engine looks for an answer to this one.
    pub fn is_filling(&self, gap: &WrittenGap) -> bool {
        self.filling.as_ref().is_some_and(|(filled, _)| filled.gap.moves == gap.gap.moves)
    }
}

impl Clone for WrittenGap {
    fn clone(&self) -> WrittenGap {
        WrittenGap { gap: self.gap.clone(), line: self.line.clone(), reply: self.reply.clone(), table: self.table.boxed_clone() }
    }
}

fn written(repertoire: &Repertoire, gap: Gap, notation: Notation) -> Option<WrittenGap> {
    let mut table = repertoire.record().table().ok()?;
    let mut texts = Vec::new();
    for action in &gap.moves {
        texts.push(table.write(*action, notation)?);
        table.play(*action).ok()?;
    }
    let reply = texts.pop()?;
    let cut = texts.len().saturating_sub(WRITTEN);
    let line = if cut > 0 { format!("… {}", texts[cut..].join(" ")) } else { texts.join(" ") };
    Some(WrittenGap { gap, line, reply, table })
}

fn look(repertoire: &Repertoire, own: Option<&Library>, notation: Notation, stop: &StopToken) -> Vec<WrittenGap> {
    let libraries: Vec<&Library> = own.into_iter().chain([engine_games()]).collect();
    let gaps = repertoire.gaps(LEAST, &mut |table| counts(&libraries, table, stop));
    gaps.into_iter().take(LISTED).filter_map(|gap| written(repertoire, gap, notation)).collect()
}

/// Looks for the gaps that are asked for, and for an answer to one of them.
fn seek(
    mut steps: MessageReader<RepertoireStep>,
    (mut gaps, mut library): (ResMut<OpenGaps>, ResMut<GameLibrary>),
    (repertoires, settings, words): (Res<Repertoires>, Res<Settings>, Res<Words>),
    (screen, mut helped): (Res<State<Screen>>, MessageWriter<Helped>),
    (mut notices, wake): (ResMut<Notices>, WakeHandles),
) {
    for step in steps.read() {
        match step {
            RepertoireStep::Gaps(name) => *gaps = OpenGaps { wanted: Some(name.clone()), ..OpenGaps::default() },
            RepertoireStep::Fill(number) => {
                let Some(gap) = gaps.found.get(*number).filter(|_| gaps.filling.is_none()).cloned() else { continue };
                let limits = Limits::time(THOUGHT);
                let request = SearchRequest { limits, book: true, from_proof: true, ..SearchRequest::default() };
                let search = Search::start(&*gap.table, &request, &PlayerHandle::new(gap.table.player()));
                gaps.filling = Some((gap, search));
            }
            _ => continue,
        }
        if *screen.get() == Screen::Match {
            helped.write(Helped);
        }
    }
    let Some(name) = gaps.wanted.clone() else { return };
    let Some(saved) = repertoires.all.get(&name) else {
        gaps.wanted = None;
        return;
    };
    // The library may still be read.
    let own = library.bypass_change_detection().games().map(|(games, _)| games.clone());
    if own.is_none() && library.fault().is_none() {
        return;
    }
    gaps.wanted = None;
    match saved.read() {
        Ok(repertoire) => {
            let notation =
                repertoire.record().table().map(|table| settings.notation(&*table, words.language)).unwrap_or_default();
            let task = move |stop: &StopToken| look(&repertoire, own.as_deref(), notation, stop);
            gaps.name = Some(name);
            gaps.search = Some(BackgroundTask::on_thread(wake.handle(), task));
        }
        Err(why) => notices.fail(why),
    }
}

/// Takes what was found. An answer of the engine becomes a move of the repertoire.
fn follow(
    (mut gaps, mut additions): (ResMut<OpenGaps>, ResMut<Additions>),
    repertoires: Res<Repertoires>,
    mut notices: ResMut<Notices>,
) {
    let quiet = gaps.bypass_change_detection();
    if let Some(found) = quiet.search.as_mut().and_then(BackgroundTask::poll) {
        (quiet.search, quiet.found) = (None, found);
        gaps.set_changed();
    }
    let quiet = gaps.bypass_change_detection();
    let Some(answer) = quiet.filling.as_mut().and_then(|(_, search)| search.poll().answer) else { return };
    let Some((gap, _)) = quiet.filling.take() else { return };
    gaps.set_changed();
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => {
            notices.fail(why);
            return;
        }
    };
    let name = gaps.name.clone().unwrap_or_default();
    if let (Some(answer), Some(saved)) = (answer, repertoires.all.get(&name)) {
        let line = Tree::of_line(gap.gap.moves.iter().copied().chain([answer]), Origin::Engine);
        let record = Record { setup: saved.setup.clone(), tree: line, ..Record::new(&saved.game, Setup::default()) };
        additions.ask(OwnMoves { name, record, side: saved.side, instead: false }, false);
        gaps.found.retain(|other| other.gap.moves != gap.gap.moves);
    }
}

/// The window wakes for an answer of the engine, and for the library.
fn stay_awake(gaps: Res<OpenGaps>, mut frames: ResMut<FrameRequests>) {
    if gaps.filling.is_some() || gaps.wanted.is_some() {
        frames.look();
    }
}

pub(super) fn plugin(app: &mut App) {
    let page = Menu::Page(REPERTOIRE);
    app.init_resource::<OpenGaps>()
        .add_systems(Update, (seek, follow).chain().in_set(Step::Think).run_if(in_state(page)))
        .add_systems(Update, stay_awake.after(Step::Ui).run_if(in_state(page)))
        .add_systems(OnExit(page), |mut gaps: ResMut<OpenGaps>| *gaps = OpenGaps::default());
}
