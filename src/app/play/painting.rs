//! Pictures of the match as files: the position that is shown as PNG, the moves as an animated GIF. They are painted in the background.

use super::export::with_ending;
use super::game::CurrentMatch;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::intent::{FileAim, Intent, Output, PictureOrder};
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::ground::user_files;
use crate::app::ground::words::{Language, Words};
use crate::paint::{BoardLook, GamePictures, Labels, Pace, PieceSet, Scene, Theme, png};
use crate::search::StopToken;
use crate::table::{Action, Coordinates, GameSheet, Table, Tree};
use bevy::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The picture that is being painted.
#[derive(Resource, Default)]
pub struct Painting {
    work: Option<Work>,
}

struct Work {
    task: BackgroundTask<Result<Option<PathBuf>, String>>,
    done: Arc<AtomicUsize>,
    all: usize,
}

impl Painting {
    /// How many positions of how many are painted; `None` while nothing is.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.work.as_ref().map(|work| (work.done.load(Ordering::Relaxed).min(work.all), work.all))
    }
}

/// How much longer than the other positions the first and the last of a film are shown, as parts of a move's time.
const FIRST: f32 = 1.6;
const LAST: f32 = 4.0;

/// Everything a picture is painted from.
struct Canvas {
    sheet: Arc<GameSheet>,
    theme: Arc<Theme>,
    set: PieceSet,
    look: BoardLook,
    table: Box<dyn Table>,
    actions: Vec<Action>,
    /// Moves before the position that is shown.
    shown: usize,
}

impl Canvas {
    fn paint(self, order: PictureOrder, path: &Path, stop: &StopToken, done: &AtomicUsize) -> Result<Option<PathBuf>, String> {
        let path = with_ending(path, if order.animated { "gif" } else { "png" });
        let failed = |why: String| format!("{}: {why}", path.display());
        let on = self.sheet.board(self.table.size()).ok_or_else(|| failed("there is no drawing of this board".to_owned()))?;
        let scene = Scene::new(&self.sheet, on, &self.theme, self.set, &self.look, order.pixels);
        let mut pictures = GamePictures::new(scene, self.table, self.actions);
        let bytes = if order.animated {
            let part = |share: f32| (order.pace_ms as f32 * share) as u32;
            let pace = Pace { first_ms: part(FIRST), move_ms: order.pace_ms, last_ms: part(LAST) };
            let film = pictures.film((order.from, order.to), pace, &mut |painted| {
                done.store(painted, Ordering::Relaxed);
                !stop.is_stopped()
            });
            film.map_err(failed)?
        } else {
            let picture = pictures.at(self.shown).map_err(|error| failed(error.to_string()))?;
            Some(png(&picture).map_err(failed)?)
        };
        let Some(bytes) = bytes.filter(|_| !stop.is_stopped()) else { return Ok(None) };
        user_files::write(&path, bytes).map_err(|error| failed(error.to_string()))?;
        Ok(Some(path))
    }
}

/// What the picture of the match is painted from: the moves of the match for a film, else the way to the place that is shown.
fn canvas(
    current: &CurrentMatch,
    order: &PictureOrder,
    settings: &Settings,
    library: &Library,
    layout: &Layout,
    zh: bool,
) -> Canvas {
    let (played, tree) = (current.played(), current.tree());
    let line = if order.animated { played.line().to_vec() } else { tree.path_to(current.cursor()) };
    let actions: Vec<Action> = line.iter().filter_map(|id| tree.node(*id).action()).collect();
    let table = played.table_at(Tree::ROOT);
    let sheet = current.game().sheet.clone();
    let labels = match sheet.board(table.size()).map(|board| board.coordinates) {
        Some(Coordinates::Xiangqi) if zh => Labels::Numerals,
        _ => Labels::Letters,
    };
    Canvas {
        sheet,
        theme: library.theme_of(settings),
        set: PieceSet::of(settings.western_pieces),
        look: BoardLook { flipped: layout.flipped, labels },
        shown: actions.len(),
        table,
        actions,
    }
}

fn begin(
    mut intents: MessageReader<Intent>,
    mut painting: ResMut<Painting>,
    current: Option<Res<CurrentMatch>>,
    (settings, library, layout, words): (Res<Settings>, Res<Library>, Res<Layout>, Res<Words>),
    wake: WakeHandles,
) {
    for intent in intents.read() {
        match intent {
            Intent::StopPainting => painting.work = None,
            Intent::FileChosen(FileAim::Save { output: Output::Picture(order), .. }, paths) => {
                let (Some(path), Some(current)) = (paths.first().cloned(), &current) else { continue };
                let zh = words.language == Language::Zh;
                let (canvas, order) = (canvas(current, order, &settings, &library, &layout, zh), *order);
                let all = if order.animated { order.to.saturating_sub(order.from) + 1 } else { 1 };
                let done = Arc::new(AtomicUsize::new(0));
                let counted = done.clone();
                let task = BackgroundTask::start(wake.handle(), move |stop| canvas.paint(order, &path, stop, &counted));
                painting.work = Some(Work { task, done, all });
            }
            _ => {}
        }
    }
}

fn finish(mut painting: ResMut<Painting>, words: Res<Words>, mut notices: ResMut<Notices>) {
    let Some(end) = painting.work.as_mut().and_then(|work| work.task.poll()) else { return };
    painting.work = None;
    match end {
        Ok(Some(path)) => notices.warn(words.with("records.saved", path.display())),
        Ok(None) => {}
        Err(why) => notices.warn(why),
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Painting>().add_systems(
        Update,
        (begin, finish.run_if(|painting: Res<Painting>| painting.progress().is_some())).chain().in_set(Step::Animate),
    );
}
