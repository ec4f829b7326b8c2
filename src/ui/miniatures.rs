//! The games of the title page on small boards. The last moves of each are played when the page appears, and all moves under the pointer; after
//! that they need no processor time.

use super::boards::Boards;
use super::scenes::{BEAT, Scene};
use crate::app::library::{Library, LibraryGame};
use crate::app::settings::Settings;
use crate::app::state::Screen;
use crate::app::view::{FrameRequests, step};
use bevy::prelude::*;
use bevy_egui::egui;
use qiju_core::table::Setup;

/// The largest side of a small board, in logical pixels.
pub const LARGEST: f32 = 480.0;
/// The number of moves that are played when the title page appears.
const LAST_MOVES: f32 = 4.0;

/// The games that are played on small boards.
#[derive(Resource, Default)]
pub struct Miniatures(Vec<Life>);

/// A game that is played on a small board.
struct Life {
    game: &'static str,
    scene: Scene,
    /// The time of the game in seconds.
    time: f32,
    watched: bool,
}

impl Miniatures {
    /// Draws a game's board into a square.
    pub fn draw(&self, painter: &egui::Painter, game: &LibraryGame, boards: &mut Boards, square: egui::Rect) {
        let Some(life) = self.0.iter().find(|life| life.game == game.entry.key) else { return };
        if let Some(board) = boards.within(painter, game, life.scene.size, square) {
            board.draw(painter, &life.scene.at(life.time).0, &[]);
        }
    }

    /// To be called when the pointer enters or leaves this game: it is played from the beginning.
    pub fn watch(&mut self, game: &str, watched: bool) {
        for life in self.0.iter_mut().filter(|life| life.game == game) {
            if watched && !life.watched && life.time >= life.scene.seconds() {
                life.time = 0.0;
            }
            life.watched = watched;
        }
    }
}

/// When the title page appears, the last moves are played, one board after the other.
fn come_alive(mut miniatures: ResMut<Miniatures>, library: Res<Library>) {
    if miniatures.0.is_empty() {
        let of = |game: &LibraryGame| {
            let scene = Scene::of(game.entry.table(&Setup::default()).ok()?, &game.sheet.showcase);
            Some(Life { game: game.entry.key, scene, time: 0.0, watched: false })
        };
        miniatures.0 = library.games.iter().filter_map(of).collect();
    }
    for (life, late) in miniatures.0.iter_mut().zip((0..).map(|index| 0.37 * index as f32)) {
        life.time = (life.scene.seconds() - LAST_MOVES * BEAT - late).max(-late);
    }
}

/// Advances the games, and asks for the next frame if one of them moves.
fn live(mut miniatures: ResMut<Miniatures>, settings: Res<Settings>, time: Res<Time<Real>>, mut frames: ResMut<FrameRequests>) {
    let still = settings.speed <= 0.0 || settings.reduced_motion;
    for life in &mut miniatures.bypass_change_detection().0 {
        let end = life.scene.seconds();
        if still || life.time >= end {
            life.time = end;
            continue;
        }
        // The window may have slept until the next move, but no move is skipped.
        let (_, rest) = life.scene.at(life.time);
        life.time = (life.time + time.delta_secs().min(rest.min(BEAT)).max(step(&time))).min(end);
        match life.scene.at(life.time).1 {
            0.0 => frames.keep(),
            rest => frames.wake_in(rest.min(end - life.time)),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Miniatures>()
        .add_systems(OnEnter(Screen::Title), come_alive)
        .add_systems(Update, live.run_if(in_state(Screen::Title)));
}
