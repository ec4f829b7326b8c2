//! Pictures of the match as files: the position that is shown as PNG or SVG, the moves as an animated GIF or a PDF with diagrams. They are
//! painted in the background.

use super::clock::MatchClock;
use super::export::with_ending;
use super::game::CurrentMatch;
use super::records::record_of;
use crate::app::ground::background::{BackgroundTask, Place, Running, WakeHandles};
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::{FileAim, FileChosen, Output, PictureKind, PictureOrder, StopPainting};
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::user_files;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::compute::{PaintGame, PictureContent, SentTable};
use qiju_core::message;
use qiju_core::paint::{BoardLook, Labels, Pace, PieceSet};
use qiju_core::table::{Action, Coordinates, Tree};
use std::io;
use std::path::PathBuf;

/// The picture that is being painted.
#[derive(Resource, Default)]
pub struct Painting {
    work: Option<Work>,
}

struct Work {
    path: PathBuf,
    stage: Stage,
    done: usize,
    all: usize,
}

enum Stage {
    Paint(Running<PaintGame>),
    Write(BackgroundTask<io::Result<()>>),
}

impl Painting {
    /// How many positions of how many are painted; `None` while nothing is.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.work.as_ref().map(|work| (work.done.min(work.all), work.all))
    }
}

/// How much longer than the other positions the first and the last of a film are shown, as parts of a move's time.
const FIRST: f32 = 1.6;
const LAST: f32 = 4.0;

/// What the picture of the match is painted from: the moves of the match for a film, else the way to the place that is shown.
fn question(
    (current, clock): (&CurrentMatch, &MatchClock),
    order: &PictureOrder,
    settings: &Settings,
    library: &Library,
    layout: &Layout,
    words: &Words,
) -> PaintGame {
    let zh = words.language.is_chinese();
    let (played, tree) = (current.played(), current.tree());
    let line = if order.kind.of_match() { played.line().to_vec() } else { tree.path_to(current.cursor()) };
    let actions: Vec<Action> = line.iter().filter_map(|id| tree.node(*id).action()).collect();
    let table = played.table_at(Tree::ROOT);
    let sheet = current.game().sheet.clone();
    let labels = match sheet.board(table.size()).map(|board| board.coordinates) {
        Some(Coordinates::Xiangqi) if zh => Labels::Numerals,
        // The moves on a sheet count the files from each side.
        Some(Coordinates::Xiangqi) if order.kind == PictureKind::Pdf => Labels::Digits,
        _ => Labels::Letters,
    };
    let part = |share: f32| (order.pace_ms as f32 * share) as u32;
    let pace = Pace { first_ms: part(FIRST), move_ms: order.pace_ms, last_ms: part(LAST) };
    let shown = match order.kind {
        PictureKind::Png => PictureContent::Position(actions.len()),
        PictureKind::Svg => PictureContent::Drawing(actions.len()),
        PictureKind::Gif => PictureContent::Film { from: order.from, to: order.to, pace },
        PictureKind::Pdf => {
            let moves = (1..actions.len()).filter(|count| order.every > 0 && count % order.every == 0).chain([actions.len()]);
            let notation = settings.notation(&*table, words.language);
            PictureContent::Sheet(moves.collect(), words.language.about_game(&record_of(current, clock.get()), &sheet, notation))
        }
    };
    PaintGame {
        sheet,
        theme: library.theme_of(settings),
        set: PieceSet::of(settings.western_pieces),
        look: BoardLook { flipped: layout.flipped, labels },
        table: SentTable::of(&*table),
        pixels: order.pixels,
        shown,
        actions,
    }
}

fn begin(
    (mut stops, mut chosen): (MessageReader<StopPainting>, MessageReader<FileChosen>),
    mut painting: ResMut<Painting>,
    (current, clock): (Option<Res<CurrentMatch>>, Res<MatchClock>),
    (settings, library, layout, words): (Res<Settings>, Res<Library>, Res<Layout>, Res<Words>),
    wake: WakeHandles,
) {
    if stops.read().count() > 0 {
        painting.work = None;
    }
    for FileChosen(aim, paths) in chosen.read() {
        let FileAim::Save { output: Output::Picture(order), .. } = aim else { continue };
        let (Some(path), Some(current)) = (paths.first(), &current) else { continue };
        let path = with_ending(path, order.kind.ending());
        let question = question((current, &clock), order, &settings, &library, &layout, &words);
        let all = if order.kind == PictureKind::Gif { order.to.saturating_sub(order.from) + 1 } else { 1 };
        let stage = Stage::Paint(Running::start(Place::Pool, wake.handle(), question));
        painting.work = Some(Work { path, stage, done: 0, all });
    }
}

fn go_on(mut painting: ResMut<Painting>, words: Res<Words>, mut notices: ResMut<Notices>, wake: WakeHandles) {
    let Some(work) = &mut painting.bypass_change_detection().work else { return };
    let shown = work.path.display();
    let end = match &mut work.stage {
        Stage::Paint(task) => {
            let news = task.news();
            work.done = news.last().copied().unwrap_or(work.done);
            match task.poll() {
                None if news.is_empty() => return,
                None => None,
                Some(Ok(Some(bytes))) => {
                    let path = work.path.clone();
                    work.stage = Stage::Write(BackgroundTask::start(wake.handle(), move |_| user_files::write(&path, bytes)));
                    return;
                }
                Some(Ok(None)) => Some(None),
                Some(Err(why)) => Some(Some(Err(why))),
            }
        }
        Stage::Write(task) => match task.poll() {
            None => return,
            Some(Ok(())) => Some(Some(Ok(()))),
            Some(Err(why)) => Some(Some(Err(why.into()))),
        },
    };
    let Some(told) = end else { return painting.set_changed() };
    match told {
        None => {}
        Some(Ok(())) => notices.warn(words.with("records.saved", shown)),
        Some(Err(why)) => notices.fail(message!("{}: {}", shown, why)),
    }
    painting.work = None;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Painting>().add_systems(
        Update,
        (begin, go_on.run_if(|painting: Res<Painting>| painting.progress().is_some())).chain().in_set(Step::Animate),
    );
}
