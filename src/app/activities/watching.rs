//! A match that people only watch: it goes on, is stopped, or played step by step, at a pace chosen with a slider.

use crate::app::activity::WATCHING;
use crate::app::commands::Command;
use crate::app::keys::KeyFocus;
use crate::app::play::{CurrentMatch, Watch, at_board};
use crate::app::requests::{Requests, WatchRequest};
use crate::app::settings::Settings;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::pace::pace;
use crate::ui::panel::{Place, Room};
use crate::ui::style::Palette;
use crate::ui::widgets::{Icon, ask_button};
use bevy::prelude::*;
use bevy_egui::egui::{Ui, vec2};

/// The section of the panel: stop or go on, one move, the pause. In a row the pause has no room.
fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, watch, settings): (Res<CurrentMatch>, Res<Watch>, Res<Settings>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    if current.outcome().is_some() {
        return false;
    }
    let paused = watch.is_paused();
    let (icon, key) = if paused { (Icon::Play, "watch.go-on") } else { (Icon::Pause, "watch.stop") };
    let width = if room == Room::Row { 104.0 } else { (ui.available_width() - 8.0) / 2.0 };
    ui.horizontal(|ui| {
        ask_button(ui, &words, (icon, key), WatchRequest::Pause(!paused), vec2(width, 32.0), true, &mut requests);
        ask_button(ui, &words, (Icon::Step, "watch.step"), WatchRequest::Step, vec2(width, 32.0), true, &mut requests);
    });
    let mut pace_ms = settings.watch_pace_ms;
    if room == Room::Panel && pace(ui, &mut pace_ms, &words, &palette) {
        requests.change(move |settings: &mut Settings| settings.watch_pace_ms = pace_ms);
    }
    true
}

static COMMANDS: &[Command] = &[
    Command::new("keys.space", "watch.step", |world| runs(world) && KeyFocus::is_board(world), || WatchRequest::Step.into()),
    Command::new("K", "keys.pause", |world| runs(world) && !is_paused(world), || WatchRequest::Pause(true).into()),
    Command::new("K", "keys.pause", |world| runs(world) && is_paused(world), || WatchRequest::Pause(false).into()),
];

fn runs(world: &World) -> bool {
    at_board(world).is_some_and(|current| current.is_watched() && current.outcome().is_none())
}

fn is_paused(world: &World) -> bool {
    world.resource::<Watch>().is_paused()
}

pub(super) fn plugin(app: &mut App) {
    register(app, WATCHING).section(Place::Status, section).commands("watch.title", COMMANDS);
}
