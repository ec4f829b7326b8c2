//! The desk below every screen, drawn at the window's exact size.

use super::layer;
use super::texture::texture;
use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::library::Library;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use qiju_core::compute::PaintDesk;

/// The desk's picture, and the task that draws the next one.
#[derive(Resource, Default)]
pub struct Desk {
    task: Option<Running<PaintDesk>>,
    /// Theme and size of the picture that is shown or being drawn.
    request: Option<(String, UVec2)>,
    shown: Option<(Handle<Image>, egui::TextureId)>,
}

impl Desk {
    /// The picture, for the interface to draw with.
    pub fn picture(&self) -> Option<egui::TextureId> {
        self.shown.as_ref().map(|(_, id)| *id)
    }
}

#[derive(Component)]
struct DeskSprite;

fn paint_desk(
    mut commands: Commands,
    mut desk: ResMut<Desk>,
    (settings, library): (Res<Settings>, Res<Library>),
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    mut images: ResMut<Assets<Image>>,
    textures: Option<ResMut<EguiUserTextures>>,
    mut sprites: Query<&mut Sprite, With<DeskSprite>>,
    (mut stir, wakes): (ResMut<super::Stir>, WakeHandles),
) {
    let Some(window) = window else { return };
    let size = window.physical_size().max(UVec2::splat(64));
    let desk = desk.bypass_change_detection();
    if let Some(picture) = desk.task.as_mut().and_then(Running::poll) {
        desk.task = None;
        let handle = images.add(texture(picture));
        match sprites.single_mut() {
            Ok(mut sprite) => sprite.image = handle.clone(),
            Err(_) => {
                let sprite = Sprite { custom_size: Some(size.as_vec2()), ..Sprite::from_image(handle.clone()) };
                commands.spawn((DeskSprite, sprite, Transform::from_xyz(0.0, 0.0, layer::DESK)));
            }
        }
        if let Some(mut textures) = textures {
            let id = textures.add_image(EguiTextureHandle::Strong(handle.clone()));
            if let Some((old, _)) = desk.shown.replace((handle, id)) {
                textures.remove_image(&old);
            }
        }
        stir.keep();
    }
    let request = (settings.theme.clone(), size);
    if desk.request.as_ref() != Some(&request) && desk.task.is_none() {
        desk.request = Some(request);
        let theme = library.theme(&settings.theme);
        let order = PaintDesk { theme, size: (size.x, size.y) };
        desk.task = Some(Running::start(Place::Pictures, wakes.handle(), order));
    }
    if desk.task.is_some() {
        stir.keep();
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
