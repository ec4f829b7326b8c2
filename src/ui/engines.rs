//! The page of external engines: the list, and the form to add one. A program is tested before it is added.

use super::style::{BODY, Palette, SMALL};
use super::widgets::{Icon, button, dim, drawn_button, filled_button, heading, segmented, text_field};
use crate::app::intent::Intent;
use crate::app::library::Library;
use crate::app::notices::Notices;
use crate::app::settings::{OtherEngine, Settings};
use crate::app::state::Menu;
use crate::app::step::Step;
use crate::app::words::Words;
use crate::protocol::host::Host;
use crate::table::Setup;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_egui::egui;
use egui::{RichText, Ui};

/// The form of a new program, and the running test.
#[derive(Resource, Default)]
pub struct Newcomer {
    game: usize,
    command: String,
    trial: Option<(OtherEngine, Task<Result<String, String>>)>,
}

impl Newcomer {
    /// True while a program is being tested.
    fn is_tried(&self) -> bool {
        self.trial.is_some()
    }
}

/// The page.
pub fn page(
    ui: &mut Ui,
    (words, palette, library): (&Words, &Palette, &Library),
    settings: &Settings,
    newcomer: &mut Newcomer,
    intents: &mut MessageWriter<Intent>,
) {
    heading(ui, words.say("menu.engines"));
    ui.add_space(4.0);
    dim(ui, palette, words.say("engines.about"));
    for (index, engine) in settings.engines.iter().enumerate() {
        ui.horizontal(|ui| {
            let game = library.game(&engine.game).map_or(engine.game.as_str(), |game| words.of(&game.sheet.name));
            let width = ui.available_width() - 88.0;
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.add(egui::Label::new(RichText::new(format!("{} · {game}", engine.name)).size(BODY)).truncate());
                let command = RichText::new(&engine.command).size(SMALL).color(palette.dim());
                ui.add(egui::Label::new(command).truncate());
            });
            if drawn_button(ui, Icon::Close, words.say("engines.remove"), true).clicked() {
                let mut new = settings.clone();
                new.engines.remove(index);
                intents.write(Intent::Settings(new));
            }
        });
    }
    ui.add_space(8.0);
    let games: Vec<(usize, &str)> =
        library.games.iter().enumerate().map(|(index, game)| (index, words.of(&game.sheet.name))).collect();
    segmented(ui, &mut newcomer.game, &games);
    let width = ui.available_width();
    let edit = text_field(&mut newcomer.command, words.say("engines.command-hint"), width);
    ui.add(edit);
    let ready = !newcomer.command.trim().is_empty() && !newcomer.is_tried();
    let label = if newcomer.is_tried() { "engines.trying" } else { "engines.add" };
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        if button(ui, words.say(label), ready).clicked()
            && let Some(game) = library.games.get(newcomer.game)
        {
            newcomer.trial = Some(try_out(game.entry.key, newcomer.command.trim().to_owned()));
        }
        let rest = ui.available_width();
        if filled_button(ui, palette, words.say("menu.done"), rest, true).clicked() {
            intents.write(Intent::Menu(Menu::Settings));
        }
    });
}

/// Starts the program and asks for its name.
fn try_out(game: &'static str, command: String) -> (OtherEngine, Task<Result<String, String>>) {
    let engine = OtherEngine { name: String::new(), game: game.to_owned(), command: command.clone() };
    let task = AsyncComputeTaskPool::get().spawn(async move {
        let entry = crate::games::find(game).map_err(|error| error.to_string())?;
        let table = entry.table(&Setup::default()).map_err(|error| error.to_string())?;
        let host = Host::start(&command, table.as_ref()).map_err(|error| error.to_string())?;
        Ok(host.name().to_owned())
    });
    (engine, task)
}

/// Adds a program that answered; shows the error otherwise.
fn finish_trial(
    mut newcomer: ResMut<Newcomer>,
    settings: Res<Settings>,
    words: Res<Words>,
    mut intents: MessageWriter<Intent>,
    mut notices: ResMut<Notices>,
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    let Some((engine, task)) = &mut newcomer.bypass_change_detection().trial else { return };
    redraw.write(bevy::window::RequestRedraw);
    let Some(answer) = check_ready(task) else { return };
    let mut engine = engine.clone();
    newcomer.trial = None;
    match answer {
        Ok(name) => {
            // Names are short and unique.
            let name: String = name.chars().take(24).collect();
            let taken = |name: &str| settings.engine(&engine.game, name).is_some();
            let numbered = (2..).map(|number| format!("{name} {number}"));
            engine.name = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or_default();
            notices.warn(words.with("engines.added", &engine.name));
            let mut new = settings.clone();
            new.engines.push(engine);
            newcomer.command.clear();
            intents.write(Intent::Settings(new));
        }
        Err(why) => notices.warn(why),
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Newcomer>().add_systems(Update, finish_trial.in_set(Step::Input));
}
