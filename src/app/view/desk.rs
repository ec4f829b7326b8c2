//! The desk below every screen, drawn at the window's exact size.

use super::layer;
use super::textures::{Texture, Textures, Use};
use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::library::Library;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::egui;
use qiju_core::compute::PaintDesk;

/// The desk's picture, and the task that draws the next one.
#[derive(Resource, Default)]
pub struct Desk {
    task: Option<Running<PaintDesk>>,
    /// Theme and size of the picture that is shown or being drawn.
    request: Option<(String, UVec2)>,
    shown: Option<Texture>,
}

impl Desk {
    /// The picture, for the interface to draw with.
    pub fn picture(&self) -> Option<egui::TextureId> {
        self.shown.as_ref().map(|texture| texture.id)
    }
}

#[derive(Component)]
struct DeskSprite;

fn paint_desk(
    mut commands: Commands,
    mut desk: ResMut<Desk>,
    (settings, library): (Res<Settings>, Res<Library>),
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut textures: Textures,
    mut sprites: Query<&mut Sprite, With<DeskSprite>>,
    (mut frames, wakes): (ResMut<super::FrameRequests>, WakeHandles),
) {
    let Some(window) = window else { return };
    let size = window.physical_size().max(UVec2::splat(64));
    let desk = desk.bypass_change_detection();
    if let Some(picture) = desk.task.as_mut().and_then(Running::poll) {
        desk.task = None;
        // It is opaque: the same for sprites and for the interface.
        let texture = textures.add(picture, Use::Interface);
        match sprites.single_mut() {
            Ok(mut sprite) => sprite.image = texture.image.clone(),
            Err(_) => {
                let sprite = Sprite { custom_size: Some(size.as_vec2()), ..Sprite::from_image(texture.image.clone()) };
                commands.spawn((DeskSprite, sprite, Transform::from_xyz(0.0, 0.0, layer::DESK)));
            }
        }
        desk.shown = Some(texture);
        frames.keep();
    }
    let request = (settings.theme.clone(), size);
    if desk.request.as_ref() != Some(&request) && desk.task.is_none() {
        desk.request = Some(request);
        let theme = library.theme(&settings.theme);
        let order = PaintDesk { theme, size: (size.x, size.y) };
        desk.task = Some(Running::start(Place::Pictures, wakes.handle(), order));
    }
    if desk.task.is_some() {
        frames.keep();
    }
    // Until the new picture is ready, the old one is stretched.
    for mut sprite in &mut sprites {
        if sprite.custom_size != Some(size.as_vec2()) {
            sprite.custom_size = Some(size.as_vec2());
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Desk>().add_systems(Update, paint_desk.in_set(Step::Animate));
}
