//! Everything written around the board, in egui: it reads resources and writes [`Intent`](crate::app::intent::Intent)s; it
//! decides nothing.

mod attempt;
mod awake;
mod clipboard;
mod clock;
mod comment;
mod draw;
mod engines;
mod export;
mod fade;
mod files;
mod forbidden;
mod games;
mod lessons;
mod menus;
mod miniatures;
mod moves;
mod opening;
mod panel;
mod records;
mod rules;
mod setup;
mod small_boards;
mod speech;
mod style;
mod thumbnails;
mod title;
mod toasts;
mod trainer;
mod truth;
mod widgets;

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
        .add_plugins((awake::plugin, style::plugin, title::plugin, setup::plugin, miniatures::plugin))
        .add_plugins((forbidden::plugin, lessons::plugin, rules::plugin, small_boards::plugin, trainer::plugin, truth::plugin))
        .add_plugins((clipboard::plugin, files::plugin, games::plugin, records::plugin, thumbnails::plugin))
        .init_resource::<moves::SheetView>()
        .add_systems(EguiPrimaryContextPass, panel::draw.in_set(Draw::Screen).run_if(in_state(Screen::Match)))
        .add_systems(EguiPrimaryContextPass, menus::draw.in_set(Draw::Menu))
        .add_systems(EguiPrimaryContextPass, toasts::draw.in_set(Draw::Toasts))
        .add_systems(EguiPrimaryContextPass, fade::rise.in_set(Draw::Style))
        .add_systems(EguiPrimaryContextPass, fade::draw.in_set(Draw::Fade))
        .add_systems(EguiPrimaryContextPass, (widgets::tell_cover, speech::tell).in_set(Draw::Cover))
        .add_plugins(engines::plugin);
    }
}
