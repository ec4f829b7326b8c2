//! The one store of what boards are drawn with: pictures are painted in the background for a game, a theme and a size, and kept as textures
//! while they are in use.

use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::library::LibraryGame;
use crate::app::ground::step::Step;
use bevy::asset::RenderAssetUsages;
use bevy::ecs::system::SystemParam;
use bevy::image::ImageSampler;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::window::RequestRedraw;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use qiju_core::compute::{PaintBoard, PaintPieces};
use qiju_core::paint::{self, BoardLook, BoardPicture, Mark, Picture, PiecePictures, PieceSet, Theme};
use qiju_core::table::{GameSheet, Piece};
use std::sync::Arc;

/// How many sets of textures that nothing is drawn with are kept, because their page may be opened again.
const KEPT: usize = 4;

/// Who draws with a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The sprites of the match.
    Sprites,
    /// The interface.
    Interface,
}

/// A picture on the graphics card. It is freed when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Texture {
    /// For sprites.
    pub image: Handle<Image>,
    /// For the interface, if it is made for it.
    pub id: egui::TextureId,
    /// Width and height in pixels.
    pub size: Vec2,
}

/// Makes textures of pictures.
#[derive(SystemParam)]
pub(super) struct Textures<'w> {
    images: ResMut<'w, Assets<Image>>,
    interface: Option<ResMut<'w, EguiUserTextures>>,
}

impl Textures<'_> {
    /// A texture with this picture.
    pub fn add(&mut self, mut picture: Picture, used_by: Use) -> Texture {
        let size = Vec2::new(picture.width as f32, picture.height as f32);
        if used_by == Use::Interface {
            premultiply(&mut picture);
        }
        let image = self.images.add(texture(picture));
        let id = match (&mut self.interface, used_by) {
            (Some(interface), Use::Interface) => interface.add_image(EguiTextureHandle::Weak(image.id())),
            _ => egui::TextureId::default(),
        };
        Texture { image, id, size }
    }
}

/// Converts a picture to a texture.
pub(super) fn texture(picture: Picture) -> Image {
    let size = Extent3d { width: picture.width.max(1), height: picture.height.max(1), depth_or_array_layers: 1 };
    let mut image =
        Image::new(size, TextureDimension::D2, picture.rgba, TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD);
    image.sampler = ImageSampler::linear();
    image
}

/// The interface needs colours premultiplied by their alpha, blended in linear light.
fn premultiply(picture: &mut Picture) {
    for pixel in picture.rgba.chunks_exact_mut(4) {
        let alpha = f32::from(pixel[3]) / 255.0;
        if pixel[3] < 255 {
            pixel[..3].iter_mut().for_each(|v| *v = (f32::from(*v) * alpha.powf(1.0 / 2.2)).round() as u8);
        }
    }
}

/// What the textures of a board are painted for.
#[derive(Clone)]
pub struct BoardOrder {
    game: &'static str,
    sheet: Arc<GameSheet>,
    size: (u8, u8),
    theme: Arc<Theme>,
    set: PieceSet,
    cell: u32,
    diameter: u32,
    look: BoardLook,
    used_by: Use,
}

impl BoardOrder {
    /// A board with `cell` pixels per cell; `None` if the game has none of this size.
    pub fn new(
        game: &LibraryGame,
        size: (u8, u8),
        (theme, set): (Arc<Theme>, PieceSet),
        (cell, look): (u32, BoardLook),
        used_by: Use,
    ) -> Option<BoardOrder> {
        let diameter = paint::diameter(cell, game.sheet.board(size)?.piece);
        let (game, sheet) = (game.entry.key, game.sheet.clone());
        Some(BoardOrder { game, sheet, size, theme, set, cell, diameter, look, used_by })
    }

    /// True if the board has the same points and the same use, whatever its size and colours.
    fn is_like(&self, other: &BoardOrder) -> bool {
        Arc::ptr_eq(&self.sheet, &other.sheet) && self.size == other.size && self.used_by == other.used_by
    }

    fn has_same_pieces(&self, other: &BoardOrder) -> bool {
        let key = |order: &BoardOrder| (order.set, order.cell, order.diameter);
        self.is_like(other) && key(self) == key(other) && self.theme == other.theme
    }

    fn is_same(&self, other: &BoardOrder) -> bool {
        self.has_same_pieces(other) && self.look == other.look
    }

    /// Pieces of the match differ in their grain.
    fn grains(&self) -> u64 {
        if self.used_by == Use::Sprites { 4 } else { 1 }
    }
}

/// The textures of a board.
pub struct BoardSet {
    /// The key of the game.
    pub game: &'static str,
    /// Files and ranks.
    pub size: (u8, u8),
    /// The pixels per cell.
    pub cell: f32,
    /// The board.
    pub board: Texture,
    /// The middle of point (0, 0) in pixels from the upper left corner of the board's picture, `y` down.
    pub origin: Vec2,
    /// Whether the board was painted from the second side's view.
    pub flipped: bool,
    /// Its pieces and marks.
    pub pieces: Arc<PieceTextures>,
}

/// The textures of pieces and marks.
pub struct PieceTextures {
    pieces: HashMap<(Piece, u64), Texture>,
    grains: u64,
    /// The shadow of a piece at rest and that of a lifted one; `None` for drawn marks.
    pub shadows: Option<[Texture; 2]>,
    marks: HashMap<Mark, Texture>,
    /// The diameter of a piece in pixels.
    pub diameter: u32,
    /// The pictures on the pieces.
    pub set: PieceSet,
}

impl PieceTextures {
    /// The picture of a piece with this identity.
    pub fn piece(&self, piece: Piece, identity: u64) -> Option<&Texture> {
        self.pieces.get(&(piece, self.grain(identity)))
    }

    /// Which of the pictures of its kind a piece with this identity has.
    pub fn grain(&self, identity: u64) -> u64 {
        identity % self.grains
    }

    /// The picture of a mark.
    pub fn mark(&self, mark: Mark) -> Option<&Texture> {
        self.marks.get(&mark)
    }

    fn of(painted: PiecePictures, order: &BoardOrder, textures: &mut Textures) -> PieceTextures {
        let mut add = |picture| textures.add(picture, order.used_by);
        PieceTextures {
            pieces: painted.pieces.into_iter().map(|(key, picture)| (key, add(picture))).collect(),
            grains: painted.grains,
            shadows: painted.shadows.map(|both| both.map(&mut add)),
            marks: painted.marks.into_iter().map(|(mark, picture)| (mark, add(picture))).collect(),
            diameter: order.diameter,
            set: order.set,
        }
    }
}

/// A set of textures, or the tasks that paint it.
struct Entry {
    order: BoardOrder,
    tasks: Option<(Running<PaintBoard>, Option<Running<PaintPieces>>)>,
    board: Option<BoardPicture>,
    pieces: Option<Arc<PieceTextures>>,
    set: Option<Arc<BoardSet>>,
    /// The frame in which it was asked for last.
    used: u64,
}

impl Entry {
    /// Takes what is painted; true if the set has become complete.
    fn take(&mut self, textures: &mut Textures) -> bool {
        let Some((board, pieces)) = &mut self.tasks else { return false };
        if let Some(painted) = board.poll() {
            self.board = painted;
        }
        if let Some(painted) = pieces.as_mut().and_then(Running::poll) {
            self.pieces = Some(Arc::new(PieceTextures::of(painted, &self.order, textures)));
        }
        let (Some(pieces), Some(_)) = (&self.pieces, &self.board) else { return false };
        let (pieces, Some(board)) = (pieces.clone(), self.board.take()) else { return false };
        self.tasks = None;
        self.set = Some(Arc::new(BoardSet {
            game: self.order.game,
            size: self.order.size,
            cell: board.cell,
            origin: Vec2::from(board.origin),
            flipped: board.flipped,
            board: textures.add(board.picture, self.order.used_by),
            pieces,
        }));
        true
    }
}

/// The textures of all boards that are shown.
#[derive(Resource, Default)]
pub struct BoardTextures {
    entries: Vec<Entry>,
    frame: u64,
}

impl BoardTextures {
    /// The textures of a board. Until they are painted, those of the same board in another size or other colours, if there are any.
    pub fn get(&mut self, order: &BoardOrder, wake: &WakeHandles) -> Option<Arc<BoardSet>> {
        let frame = self.frame;
        if !self.entries.iter().any(|entry| entry.order.is_same(order)) {
            self.paint(order.clone(), wake);
        }
        for entry in self.entries.iter_mut().filter(|entry| entry.order.is_same(order)) {
            entry.used = frame;
            if entry.set.is_some() {
                return entry.set.clone();
            }
        }
        let like = self.entries.iter_mut().filter(|entry| entry.set.is_some() && entry.order.is_like(order));
        let latest = like.max_by_key(|entry| entry.used)?;
        latest.used = frame;
        latest.set.clone()
    }

    fn paint(&mut self, order: BoardOrder, wake: &WakeHandles) {
        let BoardOrder { sheet, size, theme, set, cell, diameter, look, .. } = order.clone();
        let pieces =
            self.entries.iter().filter(|entry| entry.order.has_same_pieces(&order)).find_map(|entry| entry.pieces.clone());
        let question = PaintPieces { sheet: sheet.clone(), theme: theme.clone(), set, cell, diameter, grains: order.grains() };
        let task = pieces.is_none().then(|| Running::start(Place::Pictures, wake.handle(), question));
        let board = Running::start(Place::Pictures, wake.handle(), PaintBoard { sheet, theme, size, cell, look });
        self.entries.push(Entry { order, tasks: Some((board, task)), board: None, pieces, set: None, used: self.frame });
    }

    /// Forgets what is no longer drawn with: at once what is not yet painted, the rest when there is too much of it.
    fn tidy(&mut self) {
        let frame = self.frame;
        let in_use = |entry: &Entry| entry.used + 1 >= frame;
        self.entries.retain(|entry| entry.set.is_some() || in_use(entry));
        self.entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        let shown = self.entries.iter().filter(|entry| in_use(entry)).count();
        self.entries.truncate(shown + KEPT);
    }
}

pub(super) fn take_painted(mut boards: ResMut<BoardTextures>, mut textures: Textures, mut redraw: MessageWriter<RequestRedraw>) {
    let boards = boards.bypass_change_detection();
    boards.tidy();
    boards.frame += 1;
    for entry in &mut boards.entries {
        if entry.take(&mut textures) {
            redraw.write(RequestRedraw);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BoardTextures>().add_systems(Update, take_painted.in_set(Step::Animate));
}
