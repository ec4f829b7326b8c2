//! Small pictures of the last positions of saved games, painted in the background as they come into view.

use super::style::Palette;
use crate::app::background::{Place, Running, WakeHandles};
use crate::app::library::Library;
use crate::app::play::SavedGame;
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::view::ui_texture;
use bevy::prelude::*;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use qiju_core::compute::{PaintThumbnails, Thumbnail};
use qiju_core::paint::PieceSet;
use std::collections::HashMap;
use std::path::PathBuf;

/// Pixels of a picture's side.
const PIXELS: u32 = 120;

/// The pictures.
#[derive(Resource, Default)]
pub struct Thumbnails {
    shown: HashMap<PathBuf, Shown>,
    wanted: Vec<SavedGame>,
    task: Option<(Vec<(PathBuf, usize)>, Running<PaintThumbnails>)>,
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

fn work(
    mut thumbnails: ResMut<Thumbnails>,
    (library, settings, palette): (Res<Library>, Res<Settings>, Option<Res<Palette>>),
    (mut images, mut textures, wake): (ResMut<Assets<Image>>, ResMut<EguiUserTextures>, WakeHandles),
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    let thumbnails = thumbnails.bypass_change_detection();
    if let Some(painted) = thumbnails.task.as_mut().and_then(|(_, task)| task.poll()) {
        let games = thumbnails.task.take().map(|(games, _)| games).unwrap_or_default();
        for ((path, moves), picture) in games.into_iter().zip(painted) {
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
    let (mut seen, mut games) = (Vec::new(), Vec::new());
    for SavedGame { path, record, .. } in wanted {
        match library.game(&record.game) {
            Some(known) => {
                seen.push((path, record.moves.len()));
                let (game, setup, moves) = (record.game.clone(), record.setup.clone(), record.moves.clone());
                games.push(Thumbnail { sheet: known.sheet.clone(), game, setup, moves });
            }
            None => {
                thumbnails.shown.insert(path, Shown { moves: record.moves.len(), texture: None });
            }
        }
    }
    let question =
        PaintThumbnails { games, theme: palette.theme.clone(), set: PieceSet::of(settings.western_pieces), pixels: PIXELS };
    thumbnails.task = Some((seen, Running::start(Place::Pool, wake.handle(), question)));
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
