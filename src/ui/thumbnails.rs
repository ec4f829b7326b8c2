//! Small pictures of the last positions of saved games, painted in the background as they come into view.

use super::style::Palette;
use crate::app::background::{BackgroundTask, WakeHandles};
use crate::app::library::Library;
use crate::app::play::SavedGame;
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::view::ui_texture;
use crate::paint::{Picture, PieceSet, Theme, miniature};
use crate::table::GameSheet;
use bevy::prelude::*;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Pixels of a picture's side.
const PIXELS: u32 = 120;

/// The pictures.
#[derive(Resource, Default)]
pub struct Thumbnails {
    shown: HashMap<PathBuf, Shown>,
    wanted: Vec<SavedGame>,
    task: Option<BackgroundTask<Vec<(PathBuf, usize, Option<Picture>)>>>,
}

/// A picture, and how many moves the game had then; nothing where the position cannot be drawn.
struct Shown {
    moves: usize,
    texture: Option<(Handle<Image>, egui::TextureId)>,
}

impl Thumbnails {
    /// Says which games are seen.
    pub fn ask(&mut self, seen: Vec<SavedGame>) {
        let missing = |game: &SavedGame| self.shown.get(&game.path).is_none_or(|shown| shown.moves != game.record.moves.len());
        self.wanted = seen.into_iter().filter(missing).collect();
    }

    /// Draws a game's picture, once it is painted.
    pub fn draw(&self, painter: &egui::Painter, game: &SavedGame, place: egui::Rect) {
        if let Some((_, id)) = self.shown.get(&game.path).and_then(|shown| shown.texture.as_ref()) {
            let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            painter.image(*id, place, whole, egui::Color32::WHITE);
        }
    }
}

fn paint(game: &SavedGame, sheet: &GameSheet, theme: &Theme, set: PieceSet) -> Option<Picture> {
    let mut table = crate::games::find(&game.record.game).ok()?.table(&game.record.setup).ok()?;
    table.adjudicate(false);
    for text in &game.record.moves {
        let action = table.read(text).ok()?;
        table.play(action).ok()?;
    }
    let board = sheet.board(table.size())?;
    Some(miniature(sheet, board, &table.pieces(), theme, set, PIXELS, PIXELS))
}

fn work(
    mut thumbnails: ResMut<Thumbnails>,
    (library, settings, palette): (Res<Library>, Res<Settings>, Option<Res<Palette>>),
    (mut images, mut textures, wake): (ResMut<Assets<Image>>, ResMut<EguiUserTextures>, WakeHandles),
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    let thumbnails = thumbnails.bypass_change_detection();
    if let Some(painted) = thumbnails.task.as_mut().and_then(BackgroundTask::poll) {
        thumbnails.task = None;
        for (path, moves, picture) in painted {
            let texture = picture.map(|picture| {
                let handle = images.add(ui_texture(picture));
                (handle.clone(), textures.add_image(EguiTextureHandle::Strong(handle)))
            });
            if let Some(Shown { texture: Some((old, _)), .. }) = thumbnails.shown.insert(path, Shown { moves, texture }) {
                textures.remove_image(&old);
            }
        }
        redraw.write(bevy::window::RequestRedraw);
    }
    let Some(palette) = palette.filter(|_| thumbnails.task.is_none() && !thumbnails.wanted.is_empty()) else { return };
    let wanted = std::mem::take(&mut thumbnails.wanted);
    let games: Vec<(SavedGame, Option<Arc<GameSheet>>)> =
        wanted.into_iter().map(|game| (game.clone(), library.game(&game.record.game).map(|known| known.sheet.clone()))).collect();
    let (theme, set) = (palette.theme.clone(), PieceSet::of(settings.western_pieces));
    thumbnails.task = Some(BackgroundTask::start(wake.handle(), move |stop| {
        let mut painted = Vec::new();
        for (game, sheet) in games {
            if stop.is_stopped() {
                break;
            }
            let picture = sheet.and_then(|sheet| paint(&game, &sheet, &theme, set));
            painted.push((game.path, game.record.moves.len(), picture));
        }
        painted
    }));
}

/// A closed page keeps nothing.
fn close(mut thumbnails: ResMut<Thumbnails>, mut textures: ResMut<EguiUserTextures>) {
    for (_, shown) in thumbnails.shown.drain() {
        if let Some((handle, _)) = shown.texture {
            textures.remove_image(&handle);
        }
    }
    *thumbnails = Thumbnails::default();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Thumbnails>()
        .add_systems(Update, work.run_if(in_state(Menu::Records)))
        .add_systems(OnExit(Menu::Records), close);
}
