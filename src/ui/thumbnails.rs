//! The last positions of saved games, found in the background as the games come into view.

use super::boards::{Boards, Posed};
use crate::app::background::{Place, Running, WakeHandles};
use crate::app::library::Library;
use crate::app::play::SavedGame;
use crate::app::state::Menu;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::egui;
use qiju_core::compute::{Diagram, LastPositions, SavedMoves};
use std::collections::HashMap;
use std::path::PathBuf;

/// The positions.
#[derive(Resource, Default)]
pub struct Thumbnails {
    /// Those that are known, with how many moves the game had then; nothing where the game cannot be replayed.
    known: HashMap<PathBuf, (usize, Option<Diagram>)>,
    wanted: Vec<SavedGame>,
    task: Option<(Vec<(PathBuf, usize)>, Running<LastPositions>)>,
}

impl Thumbnails {
    /// Says which games are seen.
    pub fn ask(&mut self, seen: Vec<SavedGame>) {
        let missing = |game: &SavedGame| self.known.get(&game.path).is_none_or(|(moves, _)| *moves != game.record.moves.len());
        self.wanted = seen.into_iter().filter(missing).collect();
    }

    /// Draws a game's last position, once it is known.
    pub fn draw(&self, painter: &egui::Painter, game: &SavedGame, (library, boards): (&Library, &mut Boards), place: egui::Rect) {
        if let Some((_, Some(last))) = self.known.get(&game.path)
            && let Some(library_game) = library.game(&game.record.game)
            && let Some(board) = boards.within(painter, library_game, last.size, place)
        {
            board.draw(painter, &Posed::resting(last.pieces.iter().copied()), &[]);
        }
    }
}

fn work(mut thumbnails: ResMut<Thumbnails>, wake: WakeHandles, mut redraw: MessageWriter<RequestRedraw>) {
    let thumbnails = thumbnails.bypass_change_detection();
    if let Some(found) = thumbnails.task.as_mut().and_then(|(_, task)| task.poll()) {
        let games = thumbnails.task.take().map(|(games, _)| games).unwrap_or_default();
        thumbnails.known.extend(games.into_iter().zip(found).map(|((path, moves), last)| (path, (moves, last))));
        redraw.write(RequestRedraw);
    }
    if thumbnails.task.is_some() || thumbnails.wanted.is_empty() {
        return;
    }
    let wanted = std::mem::take(&mut thumbnails.wanted);
    let (seen, games) = wanted
        .into_iter()
        .map(|SavedGame { path, record, .. }| {
            let seen = (path, record.moves.len());
            (seen, SavedMoves { game: record.game, setup: record.setup, moves: record.moves })
        })
        .unzip();
    thumbnails.task = Some((seen, Running::start(Place::Pool, wake.handle(), LastPositions(games))));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Thumbnails>()
        .add_systems(Update, work.run_if(in_state(Menu::Records)))
        // A closed page keeps nothing.
        .add_systems(OnExit(Menu::Records), |mut thumbnails: ResMut<Thumbnails>| *thumbnails = Thumbnails::default());
}
