//! The small boards of the title page and the setup, each with a position of a game. On the title page the last moves of the
//! position are played, and all moves under the pointer; after that they need no processor time.

use super::widgets::faded;
use crate::app::background::{Place, Running, WakeHandles};
use crate::app::library::{Library, LibraryGame};
use crate::app::settings::Settings;
use crate::app::state::Screen;
use crate::app::view::{Stir, step, ui_texture};
use bevy::prelude::*;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use egui::emath::GuiRounding;
use egui::{Rect, vec2};
use qiju_core::compute::{Miniature, PaintMiniatures};
use qiju_core::paint;
use qiju_core::paint::{Parts, PieceSet};
use qiju_core::rules::Point;
use qiju_core::table::{Change, Piece, Setup};
use std::sync::atomic::{AtomicU32, Ordering};

/// The largest side of a small board, in logical pixels.
pub const LARGEST: f32 = 480.0;
/// The seconds between two moves, and the seconds of the animation of a move.
const BEAT: f32 = 1.5;
const GLIDE: f32 = 0.4;
/// The number of moves that are played when the title page appears.
const LAST_MOVES: usize = 4;

/// The pictures of the small boards.
#[derive(Resource, Default)]
pub struct Miniatures {
    /// The keys of the games that are being drawn.
    task: Option<(Vec<&'static str>, Running<PaintMiniatures>)>,
    shown: Vec<Shown>,
    /// Theme, colours, pieces and size of the pictures that are shown or being drawn.
    request: Option<(String, bool, bool, u32)>,
    /// The side in pixels, as drawn last.
    side: AtomicU32,
    lives: Vec<Life>,
}

/// A picture for egui.
struct Texture {
    handle: Handle<Image>,
    id: egui::TextureId,
}

/// One game's parts as textures.
struct Shown {
    game: &'static str,
    parts: Parts,
    ground: Texture,
    pieces: Vec<Texture>,
    shadow: Option<Texture>,
}

/// A game that is played on a small board.
struct Life {
    game: &'static str,
    /// The pieces after each move, and the changes of the next move.
    steps: Vec<(Vec<(Point, Piece)>, Vec<Change>)>,
    /// The time of the game in seconds, with one move per interval.
    time: f32,
    watched: bool,
}

impl Life {
    /// The showcase moves of the sheet, as far as they are valid.
    fn of(library_game: &LibraryGame) -> Option<Life> {
        let mut table = library_game.entry.table(&Setup::default()).ok()?;
        let mut steps = Vec::new();
        for word in library_game.sheet.showcase.split_whitespace() {
            let Ok(action) = table.read(word) else { break };
            let before = table.pieces();
            let Ok(changes) = table.play(action) else { break };
            steps.push((before, changes));
        }
        steps.push((table.pieces(), Vec::new()));
        let mut life = Life { game: library_game.entry.key, steps, time: 0.0, watched: false };
        life.time = life.length();
        Some(life)
    }

    fn length(&self) -> f32 {
        (self.steps.len() - 1) as f32 * BEAT
    }

    /// The index of the current move, and the progress of its animation.
    fn now(&self) -> (usize, f32) {
        let step = ((self.time / BEAT) as usize).min(self.steps.len() - 1);
        let since = self.time - step as f32 * BEAT;
        // An interval begins with a pause.
        (step, ((since - (BEAT - GLIDE)) / GLIDE).clamp(0.0, 1.0))
    }

    /// Advances the time; requests the next frame if necessary.
    fn run(&mut self, seconds: f32, stir: &mut Stir) {
        if self.time >= self.length() {
            return;
        }
        self.time = (self.time + seconds).min(self.length());
        let (step, part) = self.now();
        if part > 0.0 || self.time >= self.length() {
            stir.keep();
        } else {
            stir.wake_in((step + 1) as f32 * BEAT - GLIDE - self.time);
        }
    }

    /// The current pieces: their places in files and ranks, and their opacity.
    fn pieces(&self) -> Vec<(Piece, (f32, f32), f32)> {
        let (step, part) = self.now();
        let (pieces, changes) = &self.steps[step];
        let eased = part * part * (3.0 - 2.0 * part);
        let place = |point: Point| (f32::from(point.x), f32::from(point.y));
        let mut shown: Vec<_> = pieces.iter().map(|(point, piece)| (*piece, place(*point), 1.0)).collect();
        let mut moving = Vec::new();
        for change in changes {
            match *change {
                Change::Place { piece, at } => moving.push((piece, place(at), eased)),
                Change::Slide { from, to } => {
                    let Some(index) = shown.iter().position(|(_, at, _)| *at == place(from)) else { continue };
                    let (piece, (x, y), _) = shown.remove(index);
                    let (to_x, to_y) = place(to);
                    moving.push((piece, (x + (to_x - x) * eased, y + (to_y - y) * eased), 1.0));
                }
                Change::Remove { at, .. } => {
                    let late = 1.0 - ((part - 0.6) / 0.4).clamp(0.0, 1.0);
                    shown.iter_mut().filter(|(_, there, _)| *there == place(at)).for_each(|one| one.2 = late);
                }
            }
        }
        shown.extend(moving);
        shown
    }
}

impl Miniatures {
    /// Draws a game's board into a square. `watched` plays its game from the beginning.
    pub fn draw(&self, painter: &egui::Painter, game: &str, square: Rect) {
        let scale = painter.pixels_per_point();
        self.side.store((square.width() * scale).round() as u32, Ordering::Relaxed);
        let Some(shown) = self.shown.iter().find(|shown| shown.game == game) else { return };
        let Some(life) = self.lives.iter().find(|life| life.game == game) else { return };
        // The pictures are on whole pixels; until they are drawn for this size, they are stretched.
        let corner = square.min.round_to_pixels(scale);
        let stretch = square.width() / shown.parts.ground.width.max(1) as f32;
        let exact = ((stretch * scale) - 1.0).abs() < 0.01;
        let unit = if exact { 1.0 / scale } else { stretch };
        let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let lay = |texture: &Texture, picture: &paint::Picture, (x, y): (f32, f32), alpha: f32| {
            let size = vec2(picture.width as f32, picture.height as f32) * unit;
            let rect = Rect::from_min_size(corner + vec2(x, y) * unit, size);
            painter.image(texture.id, rect, whole, faded(alpha));
        };
        lay(&shown.ground, &shown.parts.ground, (0.0, 0.0), 1.0);
        let pieces = life.pieces();
        if let (Some(texture), Some(picture)) = (&shown.shadow, &shown.parts.shadow) {
            for (_, at, alpha) in &pieces {
                lay(texture, picture, shown.parts.corner(picture, *at), *alpha);
            }
        }
        for (piece, at, alpha) in &pieces {
            let Some(index) = shown.parts.pieces.iter().position(|(kind, _)| kind == piece) else { continue };
            let picture = &shown.parts.pieces[index].1;
            lay(&shown.pieces[index], picture, shown.parts.corner(picture, *at), *alpha);
        }
    }

    /// To be called when the pointer enters or leaves this game: it is played from the beginning.
    pub fn watch(&mut self, game: &str, watched: bool) {
        for life in self.lives.iter_mut().filter(|life| life.game == game) {
            if watched && !life.watched && life.time >= life.length() {
                life.time = 0.0;
            }
            life.watched = watched;
        }
    }
}

/// When the title page appears, the last moves are played, one board after the other.
fn come_alive(mut miniatures: ResMut<Miniatures>, library: Res<Library>, settings: Res<Settings>) {
    if miniatures.lives.is_empty() {
        miniatures.lives = library.games.iter().filter_map(Life::of).collect();
    }
    let still = settings.speed <= 0.0 || settings.reduced_motion;
    for (index, life) in miniatures.lives.iter_mut().enumerate() {
        let late = 0.37 * index as f32;
        let start = life.length() - LAST_MOVES as f32 * BEAT - late;
        life.time = if still { life.length() } else { start.max(-late) };
    }
}

fn live(mut miniatures: ResMut<Miniatures>, settings: Res<Settings>, time: Res<Time<Real>>, mut stir: ResMut<Stir>) {
    let still = settings.speed <= 0.0 || settings.reduced_motion;
    for life in &mut miniatures.bypass_change_detection().lives {
        if still {
            life.time = life.length();
        }
        // The window may have slept until the next move.
        life.run(time.delta_secs().min(BEAT - GLIDE).max(step(&time)), &mut stir);
    }
}

fn paint_miniatures(
    mut miniatures: ResMut<Miniatures>,
    library: Res<Library>,
    settings: Res<Settings>,
    mut images: ResMut<Assets<Image>>,
    mut textures: ResMut<EguiUserTextures>,
    (mut stir, wakes): (ResMut<Stir>, WakeHandles),
) {
    let miniatures = miniatures.bypass_change_detection();
    let pixels = miniatures.side.load(Ordering::Relaxed);
    let request = (settings.theme.clone(), settings.red_blind_safe, settings.western_pieces, pixels);
    if pixels > 0 && miniatures.task.is_none() && miniatures.request.as_ref() != Some(&request) {
        miniatures.request = Some(request);
        let games = &library.games;
        let theme = library.theme_of(&settings);
        let set = PieceSet::of(settings.western_pieces);
        let sized = |library_game: &LibraryGame| {
            let size = library_game.entry.table(&Setup::default()).ok()?.size();
            Some((library_game.entry.key, Miniature { size, sheet: library_game.sheet.clone() }))
        };
        let (keys, games) = games.iter().filter_map(sized).unzip();
        let question = PaintMiniatures { games, theme, set, pixels };
        miniatures.task = Some((keys, Running::start(Place::Pictures, wakes.handle(), question)));
    }
    let Some((_, task)) = &mut miniatures.task else { return };
    stir.keep();
    let Some(painted) = task.poll() else { return };
    let Some((keys, _)) = miniatures.task.take() else { return };
    for old in std::mem::take(&mut miniatures.shown) {
        for texture in [old.ground].into_iter().chain(old.pieces).chain(old.shadow) {
            textures.remove_image(&texture.handle);
        }
    }
    let mut add = |picture: &paint::Picture| {
        let handle = images.add(ui_texture(picture.clone()));
        let id = textures.add_image(EguiTextureHandle::Strong(handle.clone()));
        Texture { handle, id }
    };
    for (game, parts) in keys.into_iter().zip(painted) {
        let Some(parts) = parts else { continue };
        let ground = add(&parts.ground);
        let pieces = parts.pieces.iter().map(|(_, picture)| add(picture)).collect();
        let shadow = parts.shadow.as_ref().map(&mut add);
        miniatures.shown.push(Shown { game, parts, ground, pieces, shadow });
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Miniatures>()
        .add_systems(OnEnter(Screen::Title), come_alive)
        .add_systems(Update, live.run_if(in_state(Screen::Title)))
        .add_systems(Update, paint_miniatures.run_if(in_state(Screen::Title).or_else(in_state(Screen::Setup))));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_lives_and_comes_to_rest() {
        let (library, faults) = Library::read();
        assert!(faults.is_empty());
        for library_game in &library.games {
            let mut life = Life::of(library_game).unwrap();
            assert_eq!(life.steps.len(), library_game.sheet.showcase.split_whitespace().count() + 1, "{}", life.game);
            life.time = 0.0;
            let mut frames = 0;
            while life.time < life.length() {
                let pieces = life.pieces();
                assert!(pieces.iter().all(|(_, (x, y), alpha)| *x >= 0.0 && *y >= 0.0 && (0.0..=1.0).contains(alpha)));
                life.run(0.016, &mut Stir::default());
                frames += 1;
                assert!(frames < 10_000);
            }
            let pieces: Vec<Point> = life.pieces().iter().map(|(_, (x, y), _)| Point::new(*x as u8, *y as u8)).collect();
            assert_eq!(pieces.len(), life.steps.last().unwrap().0.len());
        }
    }
}
