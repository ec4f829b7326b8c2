//! The setup: two seats facing each other across the board, then one filled button.

use super::draw::Draw;
use super::miniatures::Miniatures;
use super::style::{Palette, SMALL, colour};
use super::widgets::{button, dim, filled_button, heading, root, segmented, tick};
use crate::app::intent::Intent;
use crate::app::library::{Library, LibraryGame};
use crate::app::play::CurrentMatch;
use crate::app::settings::Settings;
use crate::app::setup::{MatchSetup, Purpose};
use crate::app::state::Screen;
use crate::app::words::Words;
use crate::record::SeatSpec;
use crate::rules::{BySide, Side};
use crate::table::{OpeningRule, Setup, TimeControl};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{RichText, vec2};

/// Who is to play a side: what the buttons over the level say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Human,
    Computer,
    /// One of the other programs for this game, by its place in their list.
    ExternalProgram(usize),
}

/// What is being set up: the words on the form, not yet a match.
#[derive(Resource, Clone, Debug)]
pub struct Form {
    game: &'static str,
    kind: BySide<Kind>,
    level: BySide<u8>,
    /// Names of the other programs for this game.
    guests: Vec<String>,
    variant: String,
    opening: OpeningRule,
    /// The variant for which [`offered`](Form::offered) was asked.
    asked: String,
    /// How matches of the variant can be opened.
    offered: Vec<OpeningRule>,
    control: TimeControl,
    position: String,
    rated: bool,
}

fn open_form(
    mut intents: MessageReader<Intent>,
    mut commands: Commands,
    (library, settings): (Res<Library>, Res<Settings>),
    (current, screen): (Option<Res<CurrentMatch>>, Res<State<Screen>>),
) {
    for intent in intents.read() {
        let Intent::Choose(game) = intent else { continue };
        let Some(library_game) = library.game(game) else { continue };
        let mut last = settings.last_setup(game);
        // Chosen from a match it begins with what is played now.
        let on_table = current.as_ref().filter(|current| *screen.get() == Screen::Match && current.game().entry.key == *game);
        if let Some(current) = on_table {
            let now = current.match_setup();
            for side in Side::BOTH {
                if let SeatSpec::Computer { level } = now.seats[side] {
                    last.levels[side] = level;
                }
            }
            (last.variant, last.seats, last.control) = (now.setup.variant.or(last.variant), now.seats, now.control);
        }
        let first_variant = library_game.sheet.variants[0].key.clone();
        let last_variant = last.variant.unwrap_or_default();
        let (plain, opening) = OpeningRule::split(&last_variant);
        let known = library_game.sheet.variants.iter().map(|variant| variant.key.clone()).find(|key| key == plain);
        let guests: Vec<String> =
            settings.engines.iter().filter(|engine| engine.game == *game).map(|engine| engine.name.clone()).collect();
        let kind = |seat: &SeatSpec| match seat {
            SeatSpec::Human => Kind::Human,
            SeatSpec::Computer { .. } => Kind::Computer,
            SeatSpec::External { name } => {
                guests.iter().position(|program| program == name).map_or(Kind::Computer, Kind::ExternalProgram)
            }
        };
        commands.insert_resource(Form {
            game,
            kind: BySide::from_fn(|side| kind(&last.seats[side])),
            level: last.levels,
            guests,
            variant: known.unwrap_or(first_variant),
            opening,
            asked: String::new(),
            offered: Vec::new(),
            control: last.control,
            position: String::new(),
            rated: false,
        });
    }
}

impl Form {
    fn setup(&self) -> Setup {
        let position = self.position.trim();
        Setup { variant: Some(self.variant.clone()), position: (!position.is_empty()).then(|| position.to_owned()) }
    }

    /// Asks anew how matches can be opened when the variant is another one.
    fn ask_openings(&mut self, library_game: &LibraryGame) {
        if self.asked != self.variant {
            self.asked.clone_from(&self.variant);
            self.offered = library_game.entry.opening_rules(&self.variant);
        }
        if !self.offered.contains(&self.opening) {
            self.opening = OpeningRule::Free;
        }
    }

    fn match_setup(&self) -> MatchSetup {
        let seat = |side| match self.kind[side] {
            Kind::Human => SeatSpec::Human,
            Kind::Computer => SeatSpec::Computer { level: self.level[side] },
            Kind::ExternalProgram(index) => SeatSpec::External { name: self.guests[index].clone() },
        };
        let purpose = if self.rated { Purpose::Rated } else { Purpose::Casual };
        let (mut setup, seats, control) = (self.setup(), BySide::from_fn(seat), self.control);
        // A position of one's own is no start to be opened.
        if setup.position.is_none() {
            setup.variant = Some(self.opening.join(&self.variant));
        }
        MatchSetup { game: self.game, setup, seats, control, purpose }
    }

    /// The players change places.
    fn swap(&mut self) {
        self.kind = BySide::new(self.kind.second, self.kind.first);
        self.level = BySide::new(self.level.second, self.level.first);
    }
}

/// Height of the form, in logical pixels.
const FORM_HEIGHT: f32 = 640.0;

fn draw(
    mut contexts: EguiContexts,
    form: Option<ResMut<Form>>,
    (library, words, palette): (Res<Library>, Res<Words>, Res<Palette>),
    miniatures: Res<Miniatures>,
    mut intents: MessageWriter<Intent>,
) -> Result {
    let Some(mut form) = form else { return Ok(()) };
    let Some(library_game) = library.game(form.game).cloned() else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let mut ui = root(ctx, "setup");
    let area = ui.max_rect();
    let width = (area.width() - 48.0).min(960.0);
    let left = area.center().x - width / 2.0;
    // The form stands a little above the middle of a tall window.
    let top = area.top() + 16.0 + ((area.height() - FORM_HEIGHT) * 0.4).max(0.0);
    let column = egui::Rect::from_min_max(egui::pos2(left, top), egui::pos2(left + width, area.bottom() - 16.0));
    // A sheet on the desk, as wide as a narrow window.
    let sheet = egui::Rect::from_min_max(egui::pos2(left - 24.0, area.top()), egui::pos2(left + width + 24.0, area.bottom()));
    ui.painter().rect_filled(sheet, 0.0, colour(palette.panel().surface));
    ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
        ui.horizontal(|ui| {
            if button(ui, words.say("menu.back"), true).clicked() {
                intents.write(Intent::Title);
            }
            ui.add_space(8.0);
            heading(ui, words.of(&library_game.sheet.name));
            ui.add_space(8.0);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                elsewhere(ui, &mut form, &library_game, &words, &mut intents);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let about = RichText::new(words.of(&library_game.sheet.about)).size(SMALL).color(palette.dim());
                    // Where there is no space it is left out: the title has said it.
                    let space = ui.available_width();
                    let galley = egui::WidgetText::from(about).into_galley(
                        ui,
                        Some(egui::TextWrapMode::Extend),
                        space,
                        egui::TextStyle::Small,
                    );
                    if galley.size().x <= space {
                        ui.label(galley);
                    }
                });
            });
        });
        let low = column.height() < FORM_HEIGHT + 50.0;
        let gap = if low { 8.0 } else { 16.0 };
        let space = ui.available_height() - gap;
        let mut body = |ui: &mut egui::Ui| {
            ui.add_space(gap);
            seats(ui, space, &mut form, &library_game, &words, &palette, &miniatures);
            ui.add_space(gap);
            variants(ui, &mut form, &library_game, &words, &palette);
            form.ask_openings(&library_game);
            ui.add_space(8.0);
            opening_and_clock(ui, &mut form, &words, &palette);
            ui.add_space(8.0);
            let sound = position(ui, &mut form, &library_game, &words, &palette);
            ui.add_space(gap);
            ui.vertical_centered(|ui| {
                let pressed = filled_button(ui, &palette, words.say("setup.play"), 200.0, sound).clicked();
                let enter =
                    sound && ui.memory(|memory| memory.focused().is_none()) && ui.input(|i| i.key_pressed(egui::Key::Enter));
                if pressed || enter {
                    intents.write(Intent::Start(form.match_setup()));
                }
            });
        };
        // What a low window does not hold is scrolled.
        if low {
            egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, body);
        } else {
            body(ui);
        }
    });
    Ok(())
}

/// How the match is opened, where there is a choice, and the clock: side by side if there is space.
fn opening_and_clock(ui: &mut egui::Ui, form: &mut Form, words: &Words, palette: &Palette) {
    // From a position of one's own there is nothing to open.
    let opens = form.position.trim().is_empty() && form.offered.len() > 1;
    let mut opening = |ui: &mut egui::Ui| super::opening::choose(ui, &mut form.opening, &form.offered, words, palette);
    let mut clock = |ui: &mut egui::Ui| super::clock::choose(ui, &mut form.control, words, palette);
    if !opens {
        clock(ui);
        return;
    }
    if ui.available_width() >= OPENING + CLOCK {
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(OPENING - 16.0);
                opening(ui);
            });
            ui.vertical(clock);
        });
    } else {
        opening(ui);
        ui.add_space(8.0);
        clock(ui);
    }
    super::opening::note(ui, form.opening, words, palette);
}

/// Widths of the two choices, in logical pixels.
const OPENING: f32 = 288.0;
const CLOCK: f32 = 560.0;

/// At the upper edge, from the right: the players change places, the rules, and where the game has exercises, these.
fn elsewhere(ui: &mut egui::Ui, form: &mut Form, library_game: &LibraryGame, words: &Words, intents: &mut MessageWriter<Intent>) {
    if button(ui, words.say("result.swap"), true).clicked() {
        form.swap();
    }
    if button(ui, words.say("menu.rules"), true).clicked() {
        intents.write(Intent::Rules(form.game, form.variant.clone()));
    }
    let exercises = !library_game.entry.exercise_classes(&form.variant).is_empty();
    if exercises && button(ui, words.say("trainer.title"), true).clicked() {
        intents.write(Intent::Trainer(form.game));
    }
}

fn seats(
    ui: &mut egui::Ui,
    height: f32,
    form: &mut Form,
    library_game: &LibraryGame,
    words: &Words,
    palette: &Palette,
    miniatures: &Miniatures,
) {
    let space = ui.available_width();
    // In a low window the board leaves space for what is below.
    let low = height - 392.0;
    let board = (space * 0.28).min(240.0).min(low).max(160.0).floor();
    let seat_width = (space - board - 20.0) / 2.0;
    ui.horizontal_top(|ui| {
        card(ui, seat_width, board, palette, |ui| seat(ui, Side::First, seat_width - 32.0, form, library_game, words, palette));
        let (square, _) = ui.allocate_exact_size(vec2(board, board), egui::Sense::hover());
        miniatures.draw(ui.painter(), form.game, square);
        card(ui, seat_width, board, palette, |ui| seat(ui, Side::Second, seat_width - 32.0, form, library_game, words, palette));
    });
}

/// A surface for a seat, as high as the board between the two.
fn card(ui: &mut egui::Ui, width: f32, height: f32, palette: &Palette, add: impl FnOnce(&mut egui::Ui)) {
    let frame = egui::Frame::new()
        .fill(colour(palette.panel().raised))
        .stroke(egui::Stroke::new(1.0, colour(palette.panel().hairline)))
        .corner_radius(8.0)
        .inner_margin(16);
    frame.show(ui, |ui| {
        ui.set_width(width - 32.0);
        ui.set_height((height - 32.0).max(184.0));
        add(ui);
    });
}

fn seat(
    ui: &mut egui::Ui,
    side: Side,
    width: f32,
    form: &mut Form,
    library_game: &LibraryGame,
    words: &Words,
    palette: &Palette,
) {
    ui.allocate_ui_with_layout(vec2(width, 160.0), egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_width(width);
        ui.label(RichText::new(words.of(&library_game.sheet.sides[side])).size(super::style::BODY));
        dim(ui, palette, words.say(if side == Side::First { "setup.moves-first" } else { "setup.moves-second" }));
        let mut options = vec![(Kind::Human, words.say("setup.human")), (Kind::Computer, words.say("setup.computer"))];
        let guests = form.guests.clone();
        options.extend(guests.iter().enumerate().map(|(index, name)| (Kind::ExternalProgram(index), name.as_str())));
        segmented(ui, &mut form.kind[side], &options);
        if form.kind[side] == Kind::Computer {
            let mut level = form.level[side];
            ui.label(format!("{} · {}", words.with("level", level), words.say(&format!("level.{level}"))));
            ui.spacing_mut().slider_width = (width - 16.0).min(260.0);
            let response = ui.add(egui::Slider::new(&mut level, 1..=10).show_value(false));
            if response.changed() {
                form.level[side] = level;
            }
            let note = format!("level.{level}.note");
            ui.label(RichText::new(words.say(&note)).size(SMALL).color(palette.dim()));
        }
    });
}

fn variants(ui: &mut egui::Ui, form: &mut Form, library_game: &LibraryGame, words: &Words, palette: &Palette) {
    if library_game.sheet.variants.len() > 1 {
        dim(ui, palette, words.say("setup.variant"));
        let index = library_game.sheet.variants.iter().position(|variant| variant.key == form.variant).unwrap_or(0);
        let mut chosen = index;
        let options: Vec<(usize, &str)> =
            library_game.sheet.variants.iter().enumerate().map(|(i, variant)| (i, words.of(&variant.name))).collect();
        if segmented(ui, &mut chosen, &options) {
            form.variant = library_game.sheet.variants[chosen].key.clone();
        }
    }
    if let Some(variant) = library_game.sheet.variants.iter().find(|variant| variant.key == form.variant) {
        ui.label(RichText::new(words.of(&variant.note)).size(SMALL).color(palette.dim()));
    }
}

/// The field for a position; true if what stands in it can be played.
fn position(ui: &mut egui::Ui, form: &mut Form, library_game: &LibraryGame, words: &Words, palette: &Palette) -> bool {
    ui.horizontal(|ui| {
        dim(ui, palette, words.say("setup.position"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            tick(ui, &mut form.rated, words.say("setup.rated"));
        });
    });
    let edit = egui::TextEdit::singleline(&mut form.position)
        .hint_text(words.say("setup.position-hint"))
        .margin(egui::Margin::symmetric(10, 7))
        .desired_width(ui.available_width());
    ui.add(edit);
    match library_game.entry.table(&form.setup()) {
        Ok(table) => {
            if table.outcome().is_some() {
                ui.label(RichText::new(words.say("setup.over")).size(SMALL).color(colour(palette.panel().danger)));
                return false;
            }
            true
        }
        Err(error) => {
            ui.label(RichText::new(error.to_string()).size(SMALL).color(colour(palette.panel().danger)));
            false
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, open_form)
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_state(Screen::Setup)));
}
