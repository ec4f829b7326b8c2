//! The page of external engines: the list, the form to add one, and the options of each. A program is tested before it is added.

mod options;

use super::style::{BODY, Palette, SMALL};
use super::widgets::{
    Face, Icon, button, dim, drawn_button, filled_button, heading, is_narrow, natural_width, page_less, segmented, text_field,
    wrapping,
};
use crate::app::engines::{Engines, OtherEngine};
use crate::app::library::Library;
use crate::app::notices::Notices;
use crate::app::requests::{PageRequest, Requests, ShowEngineOptions};
use crate::app::state::Menu;
use crate::app::step::Step;
use crate::app::words::Words;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_egui::egui;
use egui::{RichText, Ui};
use qiju_core::message::Message;
use qiju_core::protocol::host::{Host, OptionValues, ProgramOption};
use qiju_core::table::Setup;

/// What a program says of itself: its name and its options.
type Introduction = (String, Vec<ProgramOption>);

/// The form of a new program, the running test, and the program whose options are shown.
#[derive(Resource, Default)]
pub struct ProgramForm {
    game: usize,
    command: String,
    trial: Option<(OtherEngine, Task<Result<Introduction, Message>>)>,
    /// Game and name of the program whose options are shown.
    opened: Option<(String, String)>,
    /// Texts and numbers that are being edited, by the options' names.
    drafts: std::collections::BTreeMap<String, String>,
    /// The page was opened beside the board, and leads back there.
    from_board: bool,
}

impl ProgramForm {
    /// True while a program is being tested.
    fn is_tried(&self) -> bool {
        self.trial.is_some()
    }

    /// Shows the options of a program; it is asked for them if they are not known.
    fn open(&mut self, engine: &OtherEngine) {
        self.opened = Some((engine.game.clone(), engine.name.clone()));
        self.drafts.clear();
        if engine.options.is_none() && !self.is_tried() {
            self.trial = Some(try_out(engine.clone()));
        }
    }

    /// Where the page leads back to.
    fn back(&self) -> Menu {
        if self.from_board { Menu::None } else { Menu::Settings }
    }
}

/// The page.
pub fn page(
    ui: &mut Ui,
    (words, palette, library): (&Words, &Palette, &Library),
    engines: &Engines,
    form: &mut ProgramForm,
    requests: &mut Requests,
) {
    if options::page(ui, (words, palette), engines, form, requests) {
        return;
    }
    heading(ui, words.say("menu.engines"));
    ui.add_space(4.0);
    dim(ui, palette, words.say("engines.about"));
    let wide = |ui: &Ui, icon, key| natural_width(ui, Face { icon, text: words.say(key), filled: false });
    let buttons = wide(ui, None, "engines.options") + wide(ui, Some(Icon::Close), "engines.remove");
    let buttons = buttons + 2.0 * ui.spacing().item_spacing.x;
    let list = |ui: &mut Ui| {
        for engine in &engines.engines {
            wrapping(ui, |ui| {
                let game = library.game(&engine.game).map_or(engine.game.as_str(), |game| words.of(&game.sheet.name));
                let narrow = is_narrow(ui.ctx());
                let width = ui.available_width() - if narrow { 0.0 } else { buttons };
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.spacing_mut().item_spacing.y = 2.0;
                    ui.add(egui::Label::new(RichText::new(format!("{} · {game}", engine.name)).size(BODY)).truncate());
                    let command = RichText::new(&engine.command).size(SMALL).color(palette.dim());
                    ui.add(egui::Label::new(command).truncate());
                });
                if button(ui, words.say("engines.options"), true).clicked() {
                    form.open(engine);
                }
                if drawn_button(ui, Icon::Close, words.say("engines.remove"), true).clicked() {
                    let removed = engine.clone();
                    let is_other = move |engine: &OtherEngine| (&engine.game, &engine.name) != (&removed.game, &removed.name);
                    requests.change(move |engines: &mut Engines| engines.engines.retain(&is_other));
                }
            });
        }
    };
    let height = (ui.ctx().content_rect().height() - page_less(ui, 320.0)).max(96.0);
    egui::ScrollArea::vertical().max_height(height).show(ui, list);
    ui.add_space(8.0);
    let games: Vec<(usize, &str)> =
        library.games.iter().enumerate().map(|(index, game)| (index, words.of(&game.sheet.name))).collect();
    segmented(ui, &mut form.game, &games);
    let width = ui.available_width();
    let edit = text_field(ui, &mut form.command, words.say("engines.command-hint"), width);
    ui.add(edit);
    let ready = !form.command.trim().is_empty() && !form.is_tried();
    let label = if form.is_tried() { "engines.trying" } else { "engines.add" };
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        if button(ui, words.say(label), ready).clicked()
            && let Some(game) = library.games.get(form.game)
        {
            let (game, command) = (game.entry.key.to_owned(), form.command.trim().to_owned());
            form.trial = Some(try_out(OtherEngine { game, command, ..OtherEngine::default() }));
        }
        let rest = ui.available_width();
        if filled_button(ui, palette, words.say("menu.done"), rest, true).clicked() {
            requests.write(PageRequest::Menu(form.back()));
        }
    });
}

/// Starts the program and asks for its name and its options. An engine without a name is a new one.
fn try_out(engine: OtherEngine) -> (OtherEngine, Task<Result<Introduction, Message>>) {
    let (game, command, start_up) = (engine.game.clone(), engine.command.clone(), engine.start_up());
    let task = AsyncComputeTaskPool::get().spawn(async move {
        let entry = qiju_core::games::find(&game)?;
        let table = entry.table(&Setup::default())?;
        let host = Host::start_with(&command, table.as_ref(), &OptionValues::new(), start_up)?;
        Ok((host.name().to_owned(), host.options().to_vec()))
    });
    (engine, task)
}

/// Adds a program that answered, or keeps the options of a known one; shows the error otherwise.
fn finish_trial(
    mut form: ResMut<ProgramForm>,
    engines: Res<Engines>,
    words: Res<Words>,
    mut requests: Requests,
    mut notices: ResMut<Notices>,
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    let Some((engine, task)) = &mut form.bypass_change_detection().trial else { return };
    redraw.write(bevy::window::RequestRedraw);
    let Some(answer) = check_ready(task) else { return };
    let mut engine = engine.clone();
    form.trial = None;
    match answer {
        Ok((_, options)) if !engine.name.is_empty() => {
            change(&engine, &mut requests, move |engine| engine.options = Some(options.clone()));
        }
        Ok((name, options)) => {
            engine.options = Some(options);
            // Names are short and unique.
            let name: String = name.chars().take(24).collect();
            let taken = |name: &str| engines.find(&engine.game, name).is_some();
            let numbered = (2..).map(|number| format!("{name} {number}"));
            engine.name = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or_default();
            notices.warn(words.with("engines.added", &engine.name));
            form.command.clear();
            requests.change(move |engines: &mut Engines| engines.engines.push(engine.clone()));
        }
        Err(why) => notices.fail(why),
    }
}

/// Changes an engine, if it is still there.
fn change(engine: &OtherEngine, requests: &mut Requests, edit: impl Fn(&mut OtherEngine) + Send + Sync + 'static) {
    let engine = engine.clone();
    requests.change(move |engines: &mut Engines| engines.find_mut(&engine).into_iter().for_each(&edit));
}

/// Opens the page at the options of a program, or at the list.
fn show_options(
    (mut asked, mut requests): (MessageReader<ShowEngineOptions>, Requests),
    mut form: ResMut<ProgramForm>,
    engines: Res<Engines>,
) {
    let mut opened = false;
    for ShowEngineOptions { game, name } in asked.read() {
        (form.opened, form.from_board, opened) = (None, true, true);
        if let Some(engine) = name.as_ref().and_then(|name| engines.find(game, name)) {
            form.open(engine);
        }
    }
    if opened {
        requests.write(PageRequest::Menu(Menu::Engines));
    }
}

/// A page that is closed begins with the list the next time.
fn close(mut form: ResMut<ProgramForm>) {
    (form.opened, form.from_board) = (None, false);
    form.drafts.clear();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ProgramForm>()
        .add_systems(Update, (show_options, finish_trial).chain().in_set(Step::Input))
        .add_systems(OnExit(Menu::Engines), close);
}
