//! The pictures of the match, painted in the background at exactly the pixels they are shown at.

use super::{Layout, layer};
use crate::app::library::Library;
use crate::app::play::CurrentMatch;
use crate::app::settings::Settings;
use crate::app::state::Screen;
use crate::app::words::{Language, Words};
use crate::paint::{self, BoardLook, BoardPicture, Height, Labels, Mark, MenSet, Picture, Theme};
use crate::rules::Side;
use crate::table::{Coordinates, GameSheet, Man, Shape};
use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use std::sync::Arc;

/// True once the pictures of this match are there.
#[derive(Resource, Default)]
pub struct Ready(pub bool);

/// Diameter of a small man in the panel, in logical pixels.
pub const SMALL: f32 = 22.0;

/// How many grains a kind of man has.
const GRAINS: u64 = 4;

/// What decides how things look; painted anew when it changes.
#[derive(Clone, PartialEq)]
struct Brief {
    game: &'static str,
    theme: String,
    western: bool,
    cell: u32,
    size: (u8, u8),
    flipped: bool,
    chinese: bool,
    window: (u32, u32),
    small: u32,
}

/// The pictures of the men, the marks and the shadows in use.
#[derive(Resource, Default)]
pub struct MenImages {
    men: HashMap<(Man, u64), Handle<Image>>,
    marks: HashMap<Mark, Handle<Image>>,
    shadows: [Handle<Image>; 2],
    small: HashMap<Man, (Handle<Image>, egui::TextureId)>,
    /// Pixels across a man's picture and its shadow's.
    pub across: (f32, f32),
    /// The cell the pictures were painted for, in pixels.
    pub cell: f32,
}

impl MenImages {
    /// The picture of a man.
    pub fn man(&self, man: Man, identity: u64) -> Option<&Handle<Image>> {
        self.men.get(&(man, identity % GRAINS))
    }

    /// A small picture of a man for the panel.
    pub fn small(&self, man: Man) -> Option<egui::TextureId> {
        self.small.get(&man).map(|(_, id)| *id)
    }

    /// The picture of a mark.
    pub fn mark(&self, mark: Mark) -> Option<&Handle<Image>> {
        self.marks.get(&mark)
    }

    /// The shadow of a man that rests, or of one that is lifted.
    pub fn shadow(&self, height: Height) -> Handle<Image> {
        self.shadows[usize::from(matches!(height, Height::Lifted))].clone()
    }
}

/// What the painter hands over.
struct Painted {
    brief: Brief,
    board: BoardPicture,
    desk: Picture,
    men: Vec<((Man, u64), Picture)>,
    small: Vec<(Man, Picture)>,
    marks: Vec<(Mark, Picture)>,
    shadows: [Picture; 2],
}

/// The painter at work.
#[derive(Resource, Default)]
pub(super) struct Easel {
    task: Option<Task<Option<Painted>>>,
    hanging: Option<Brief>,
}

impl Easel {
    pub(super) fn is_busy(&self) -> bool {
        self.task.is_some()
    }
}

fn paint_all(brief: Brief, sheet: Arc<GameSheet>, theme: Arc<Theme>) -> Option<Painted> {
    let geometry = sheet.board(brief.size)?;
    let labels = match geometry.coordinates {
        Coordinates::Xiangqi if brief.chinese => Labels::Numerals,
        _ => Labels::Letters,
    };
    let board = paint::board(geometry, &theme, brief.cell, &BoardLook { flipped: brief.flipped, labels });
    let set = if brief.western { MenSet::Western } else { MenSet::Characters };
    let diameter = board.diameter(geometry.man);
    let mut men = Vec::new();
    let mut small = Vec::new();
    let grains = if matches!(sheet.shape, Shape::Mark) { 1 } else { GRAINS };
    for side in Side::BOTH {
        for role in 0..sheet.roles.len() as u8 {
            let man = Man { side, role };
            small.push((man, paint::man(&sheet, man, &theme, set, brief.small, 0)));
            for grain in 0..GRAINS {
                let picture = paint::man(&sheet, man, &theme, set, diameter, grain % grains);
                men.push(((man, grain), picture));
            }
        }
    }
    let marks = Mark::ALL.into_iter().map(|mark| (mark, paint::mark(mark, &theme, brief.cell))).collect();
    let shadows = [Height::Resting, Height::Lifted].map(|height| paint::shadow(&theme, diameter, height));
    let desk = paint::desk(&theme, brief.window.0.div_ceil(2), brief.window.1.div_ceil(2));
    Some(Painted { brief, board, desk, men, small, marks, shadows })
}

/// A picture as a texture.
pub fn texture(picture: Picture) -> Image {
    let size = Extent3d { width: picture.width.max(1), height: picture.height.max(1), depth_or_array_layers: 1 };
    let mut image =
        Image::new(size, TextureDimension::D2, picture.rgba, TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD);
    image.sampler = ImageSampler::linear();
    image
}

/// A picture as a texture of the interface, which mixes colours that are already weakened by their opacity.
pub fn interface_texture(mut picture: Picture) -> Image {
    for pixel in picture.rgba.chunks_exact_mut(4) {
        let alpha = u16::from(pixel[3]);
        for part in &mut pixel[..3] {
            *part = (u16::from(*part) * alpha / 255) as u8;
        }
    }
    texture(picture)
}

fn order_pictures(
    current: Res<CurrentMatch>,
    layout: Res<Layout>,
    settings: Res<Settings>,
    words: Res<Words>,
    library: Res<Library>,
    mut easel: ResMut<Easel>,
) {
    let brief = Brief {
        game: current.shelved().entry.key,
        theme: settings.theme.clone(),
        western: settings.western_men,
        cell: layout.cell as u32,
        size: layout.size,
        flipped: layout.flipped,
        chinese: words.language == Language::Zh,
        window: (layout.window.x as u32, layout.window.y as u32),
        small: (SMALL * layout.scale).round() as u32,
    };
    if easel.task.is_some() || easel.hanging.as_ref() == Some(&brief) {
        return;
    }
    let sheet = current.shelved().sheet.clone();
    let theme = library.theme(&settings.theme);
    easel.hanging = Some(brief.clone());
    easel.task = Some(AsyncComputeTaskPool::get().spawn(async move { paint_all(brief, sheet, theme) }));
}

/// The board's picture.
#[derive(Component)]
struct BoardSprite {
    /// Middle of the picture from the lower left point on the screen, in cells, y up.
    offset: Vec2,
    /// Size in cells.
    size: Vec2,
}

/// The desk's picture.
#[derive(Component)]
struct DeskSprite;

fn hang_pictures(
    mut commands: Commands,
    mut easel: ResMut<Easel>,
    mut images: ResMut<Assets<Image>>,
    mut men: ResMut<MenImages>,
    mut ready: ResMut<Ready>,
    old: Query<Entity, Or<(With<BoardSprite>, With<DeskSprite>)>>,
    textures: Option<ResMut<EguiUserTextures>>,
) {
    let Some(task) = &mut easel.bypass_change_detection().task else { return };
    let Some(painted) = check_ready(task) else { return };
    easel.task = None;
    let Some(painted) = painted else {
        error!("the game's sheet has no board of this size");
        return;
    };
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let cell = painted.brief.cell as f32;
    let board = painted.board;
    let pixels = Vec2::new(board.picture.width as f32, board.picture.height as f32);
    // `origin` is where point (0, 0) lies from the upper left; flipped, that is the upper right point of the screen.
    let span = Vec2::new(f32::from(painted.brief.size.0) - 1.0, f32::from(painted.brief.size.1) - 1.0) * cell;
    let origin = Vec2::new(board.origin.0, board.origin.1);
    let lower_left = if painted.brief.flipped { origin + Vec2::new(-span.x, span.y) } else { origin };
    let offset = Vec2::new(pixels.x / 2.0 - lower_left.x, lower_left.y - pixels.y / 2.0) / cell;
    commands.spawn((
        BoardSprite { offset, size: pixels / cell },
        Sprite::from_image(images.add(texture(board.picture))),
        Transform::from_xyz(0.0, 0.0, layer::BOARD),
        DespawnOnExit(Screen::Match),
    ));
    commands.spawn((
        DeskSprite,
        Sprite::from_image(images.add(texture(painted.desk))),
        Transform::from_xyz(0.0, 0.0, layer::DESK),
        DespawnOnExit(Screen::Match),
    ));
    men.cell = cell;
    let across = |picture: Option<&Picture>| picture.map_or(0.0, |picture| picture.width as f32);
    men.across = (across(painted.men.first().map(|(_, picture)| picture)), across(painted.shadows.first()));
    if let Some(mut textures) = textures {
        for (man, picture) in painted.small {
            let handle = images.add(interface_texture(picture));
            let id = textures.add_image(EguiTextureHandle::Strong(handle.clone()));
            if let Some((old, _)) = men.small.insert(man, (handle, id)) {
                textures.remove_image(&old);
            }
        }
    }
    men.men = painted.men.into_iter().map(|(key, picture)| (key, images.add(texture(picture)))).collect();
    men.marks = painted.marks.into_iter().map(|(key, picture)| (key, images.add(texture(picture)))).collect();
    men.shadows = painted.shadows.map(|picture| images.add(texture(picture)));
    ready.0 = true;
}

/// Puts board and desk where the layout says; until new pictures hang, the old ones are stretched.
fn place_pictures(
    layout: Res<Layout>,
    mut boards: Query<(&BoardSprite, &mut Sprite, &mut Transform), Without<DeskSprite>>,
    mut desks: Query<&mut Sprite, With<DeskSprite>>,
) {
    for (board, mut sprite, mut transform) in &mut boards {
        let size = (board.size * layout.cell).round();
        let middle = layout.corner + board.offset * layout.cell;
        if sprite.custom_size != Some(size) {
            sprite.custom_size = Some(size);
        }
        let translation = middle.extend(layer::BOARD);
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
    for mut sprite in &mut desks {
        if sprite.custom_size != Some(layout.window) {
            sprite.custom_size = Some(layout.window);
        }
    }
}

fn take_down(mut easel: ResMut<Easel>, mut ready: ResMut<Ready>) {
    *easel = Easel::default();
    ready.0 = false;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Easel>()
        .init_resource::<MenImages>()
        .init_resource::<Ready>()
        .add_systems(OnEnter(Screen::Match), take_down)
        .add_systems(
            Update,
            (hang_pictures, order_pictures, place_pictures)
                .chain()
                .in_set(crate::app::Step::Animate)
                .run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
        );
}
