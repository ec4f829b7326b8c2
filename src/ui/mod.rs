//! The interface around the board, in egui: it reads resources and sends [requests](crate::app::requests), but makes
//! no decisions.

pub(crate) mod activity;
mod arrived;
mod awake;
pub(crate) mod better;
pub(crate) mod board_place;
pub(crate) mod boards;
mod clipboard;
pub(crate) mod clock;
mod comment;
mod cover;
pub(crate) mod draw;
mod drawn_marks;
mod ending;
mod engines;
mod entries;
mod export;
mod fade;
mod files;
mod forbidden;
pub mod gallery;
mod games;
mod handicaps;
mod icons;
pub(crate) mod judgement;
mod lessons;
mod manner;
mod menus;
mod miniatures;
pub(crate) mod moves;
pub mod offers;
pub(crate) mod opening;
mod opening_book;
pub(crate) mod pace;
pub(crate) mod panel;
mod positions;
mod records;
mod rules;
pub(crate) mod scenes;
mod settings;
mod setup;
pub mod speech;
pub(crate) mod style;
mod thumbnails;
pub(crate) mod title;
mod toasts;
pub(crate) mod truth;
pub(crate) mod typesetting;
pub(crate) mod value_bar;
pub(crate) mod walk;
pub(crate) mod widgets;

use crate::app::play::in_match;
use crate::app::state::Screen;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;
use draw::Draw;

/// The interface.
pub struct UiPlugin;

impl Plugin for UiPlugin {
    fn build(&self, app: &mut App) {
        app.configure_sets(
            EguiPrimaryContextPass,
            (Draw::Style, Draw::Screen, Draw::Menu, Draw::Toasts, Draw::Fade, Draw::Cover).chain(),
        )
        .add_plugins((awake::plugin, cover::plugin, style::plugin, title::plugin, setup::plugin, miniatures::plugin))
        .add_plugins((
            drawn_marks::plugin,
            forbidden::plugin,
            lessons::plugin,
            positions::plugin,
            rules::plugin,
            truth::plugin,
            value_bar::plugin,
        ))
        .add_plugins((clipboard::plugin, files::plugin, games::plugin, records::plugin, thumbnails::plugin))
        .init_resource::<moves::SheetView>()
        .add_systems(EguiPrimaryContextPass, panel::draw.in_set(Draw::Screen).run_if(in_state(Screen::Match)))
        .add_systems(EguiPrimaryContextPass, ending::draw.in_set(Draw::Screen).after(panel::draw).run_if(in_match))
        .add_systems(EguiPrimaryContextPass, arrived::draw.in_set(Draw::Screen).after(panel::draw).run_if(in_match))
        .add_systems(EguiPrimaryContextPass, menus::draw.in_set(Draw::Menu))
        .add_systems(EguiPrimaryContextPass, toasts::draw.in_set(Draw::Toasts))
        .add_systems(EguiPrimaryContextPass, fade::rise.in_set(Draw::Style))
        .add_systems(EguiPrimaryContextPass, fade::draw.in_set(Draw::Fade))
        .add_systems(EguiPrimaryContextPass, speech::tell.in_set(Draw::Cover))
        .add_plugins(engines::plugin);
    }
}
