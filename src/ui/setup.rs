//! The setup page: two seats on both sides of the board, then the button to start.

mod seats;

use super::boards::Boards;
use super::clock::Clocks;
use super::draw::Draw;
use super::entries::Entries;
use super::scenes::Scene;
use super::style::{Palette, SMALL, colour};
use super::widgets::{Icon, dim, filled_button, grown, heading, is_narrow, named, root, segmented, text_field, with_key};
use crate::app::engines::Engines;
use crate::app::library::{Library, LibraryGame};
use crate::app::menus::WantedSetup;
use crate::app::platform::PLATFORM;
use crate::app::play::{CARRIES, CurrentMatch, MyResults};
use crate::app::requests::{BeginRequest, LetterRequest, PageRequest, PasteClipboard, Requests, RulesRequest};
use crate::app::settings::{LettersBy, Settings};
use crate::app::setup::{MatchSetup, NEAR, Purpose};
use crate::app::state::Screen;
use crate::app::step::Step;
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{RichText, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Side};
use qiju_core::study::rating::{even_opponent, nearest_level};
use qiju_core::table::{GameSheet, OpeningRule, Setup};

/// The player of a side, chosen by the buttons above the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Human,
    Computer,
    /// Somebody elsewhere, against the user.
    Friend,
    /// An external engine for this game, by its index in the list.
    ExternalProgram(usize),
}

/// The contents of the form.
#[derive(Resource)]
pub struct Form {
    game: &'static str,
    kind: BySide<Kind>,
    level: BySide<u8>,
    /// The keys of the manners.
    manner: BySide<Option<String>>,
    /// The level is chosen near the player's rating.
    near: BySide<bool>,
    /// That rating, as it is told, and the player's strength by all matches; `None` if the game's levels have no ratings.
    rating: Option<(String, f64)>,
    /// The rating by all matches, if it is known well enough for a handicap.
    strength: Option<f64>,
    /// The names of the external engines for this game.
    guests: Vec<String>,
    variant: String,
    opening: OpeningRule,
    /// The variant of [`offered`](Form::offered).
    asked: String,
    /// The opening rules of the variant.
    offered: Vec<OpeningRule>,
    clocks: Clocks,
    position: String,
    purpose: Purpose,
    /// How letters go to a friend, and the address of the broker.
    letters: (LettersBy, String),
    /// What is on the clipboard is an invitation,
    paste: bool,
    /// or a table nearby is looked for.
    nearby: bool,
    /// The position the match begins with, as it was asked for and as it is shown.
    shown: Option<(Setup, Scene)>,
}

fn open_form(
    wanted: Res<WantedSetup>,
    mut commands: Commands,
    (library, settings, engines): (Res<Library>, Res<Settings>, Res<Engines>),
    (current, screen): (Option<Res<CurrentMatch>>, Res<State<Screen>>),
) {
    let (game, wanted) = (wanted.game, wanted.setup.as_ref());
    let Some(library_game) = library.game(game) else { return };
    let mut last = settings.last_setup(game);
    // Chosen from a match it begins with what is played now; a puzzle or an exercise is no match.
    let in_match = |current: &CurrentMatch| *screen.get() == Screen::Match && current.traits().counts;
    let on_table = current.as_ref().filter(|current| in_match(current) && current.game().entry.key == game);
    if let Some(current) = on_table {
        let now = current.match_setup();
        for side in Side::BOTH {
            if let SeatSpec::Computer { level, .. } = now.seats[side]
                && level != NEAR
            {
                last.levels[side] = level;
            }
        }
        (last.variant, last.seats, last.control) = (now.setup.variant.or(last.variant), now.seats, now.control);
    }
    if let Some(variant) = wanted.and_then(|setup| setup.variant.clone()) {
        last.variant = Some(variant);
    }
    let first_variant = library_game.sheet.variants[0].key.clone();
    let last_variant = last.variant.unwrap_or_default();
    let (plain, opening) = OpeningRule::split(&last_variant);
    let known = library_game.sheet.variants.iter().map(|variant| variant.key.clone()).find(|key| key == plain);
    let guests: Vec<String> = engines.of_game(game).map(|engine| engine.name.clone()).collect();
    let kind = |seat: &SeatSpec| match seat {
        SeatSpec::Human => Kind::Human,
        SeatSpec::Computer { .. } => Kind::Computer,
        SeatSpec::Friend => Kind::Friend,
        SeatSpec::External { name } => {
            guests.iter().position(|program| program == name).map_or(Kind::Computer, Kind::ExternalProgram)
        }
    };
    commands.insert_resource(Form {
        game,
        kind: BySide::from_fn(|side| kind(&last.seats[side])),
        level: last.levels,
        manner: BySide::from_fn(|side| match &last.seats[side] {
            SeatSpec::Computer { manner, .. } => manner.clone().filter(|key| library_game.sheet.manner(key).is_some()),
            _ => None,
        }),
        near: BySide::from_fn(|side| matches!(last.seats[side], SeatSpec::Computer { level: NEAR, .. })),
        rating: None,
        strength: None,
        guests,
        variant: known.unwrap_or(first_variant),
        opening,
        asked: String::new(),
        offered: Vec::new(),
        clocks: Clocks::of(last.control),
        position: wanted.and_then(|setup| setup.position.clone()).unwrap_or_default(),
        purpose: Purpose::Casual,
        letters: (settings.letters, settings.broker.clone()),
        paste: false,
        nearby: false,
        shown: None,
    });
}

impl Form {
    fn setup(&self) -> Setup {
        let position = self.position.trim();
        Setup { variant: Some(self.variant.clone()), position: (!position.is_empty()).then(|| position.to_owned()) }
    }

    /// The variant with the position that is shown: the one that was asked for, unless it cannot be set up.
    fn known_setup(&self) -> Setup {
        let wanted = self.setup();
        match &self.shown {
            Some((shown, _)) if *shown == wanted => wanted,
            _ => Setup { position: None, ..wanted },
        }
    }

    /// Sets up the position the match will begin with; where it is none, the one before stays.
    fn look(&mut self, library_game: &LibraryGame) {
        let setup = self.setup();
        if self.shown.as_ref().is_some_and(|(of, _)| *of == setup) {
            return;
        }
        if let Ok(table) = library_game.entry.table(&setup) {
            self.shown = Some((setup, Scene::still_of(&*table)));
        }
    }

    /// Updates the opening rules when the variant has changed.
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
            Kind::Computer => {
                let level = if self.is_near(side) { NEAR } else { self.level[side] };
                SeatSpec::Computer { level, manner: self.manner[side].clone().filter(|_| self.purpose != Purpose::Rated) }
            }
            Kind::Friend => SeatSpec::Friend,
            Kind::ExternalProgram(index) => SeatSpec::External { name: self.guests[index].clone() },
        };
        let purpose = if self.has_friend() { Purpose::Friend } else { self.purpose };
        let (mut setup, seats) = (self.setup(), BySide::from_fn(seat));
        let control = self.clocks.control(self.may_differ());
        // Opening rules need the start position.
        if setup.position.is_none() {
            setup.variant = Some(self.opening.join(&self.variant));
        }
        MatchSetup { game: self.game, setup, seats, control, purpose }
    }

    /// True if the sides may have different clocks: ratings are of players who have the same time.
    fn may_differ(&self) -> bool {
        self.purpose != Purpose::Rated
    }

    /// True if one side is a friend's.
    fn has_friend(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.kind[side] == Kind::Friend)
    }

    /// True if the level of a side is chosen near the player's rating.
    fn is_near(&self, side: Side) -> bool {
        self.near[side] && self.rating.is_some()
    }

    /// The level nearest to one that makes the match even: with a handicap it is not the one nearest to the player.
    fn near_level(&self, side: Side, sheet: &GameSheet) -> Option<u8> {
        let (_, rating) = self.rating.as_ref().filter(|_| self.near[side])?;
        nearest_level(even_opponent(*rating, !side, sheet.handicap(self.position.trim())), &sheet.ratings)
    }

    /// The ratings of both sides, if they are known: those of levels, and of one person. A level that is chosen for an even match has none.
    fn ratings(&self, sheet: &GameSheet) -> Option<BySide<f64>> {
        let rating = |side| match self.kind[side] {
            Kind::Computer if !self.is_near(side) => sheet.ratings.get(usize::from(self.level[side]) - 1).copied(),
            Kind::Human => self.strength,
            Kind::Computer | Kind::Friend | Kind::ExternalProgram(_) => None,
        };
        let persons = Side::BOTH.into_iter().filter(|side| self.kind[*side] == Kind::Human).count();
        (persons < 2).then_some(BySide::new(rating(Side::First)?, rating(Side::Second)?))
    }

    /// Swaps the players.
    fn swap(&mut self) {
        self.kind = BySide::new(self.kind.second, self.kind.first);
        self.level = BySide::new(self.level.second, self.level.first);
        std::mem::swap(&mut self.manner.first, &mut self.manner.second);
        self.near = BySide::new(self.near.second, self.near.first);
        self.clocks.swap();
    }
}

/// The largest error of a rating that serves to choose a handicap.
const KNOWN: f64 = 250.0;
/// The height of the form, in logical pixels.
const FORM_HEIGHT: f32 = 740.0;

fn draw(
    mut contexts: EguiContexts,
    form: Option<ResMut<Form>>,
    (library, words, palette, settings): (Res<Library>, Res<Words>, Res<Palette>, Res<Settings>),
    (mut boards, results, entries): (Boards, Res<MyResults>, Res<Entries>),
    mut requests: Requests,
) -> Result {
    let Some(mut form) = form else { return Ok(()) };
    let letters = form.letters.clone();
    let Some(library_game) = library.game(form.game).cloned() else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    // What Enter does in a field it does not do on the page.
    let in_field = ctx.memory(|memory| memory.focused().is_some());
    form.look(&library_game);
    let way = results.way(form.game);
    form.rating = way.and_then(|way| Some((words.rating(way.rating?), way.strength?.value)));
    form.strength = way.and_then(|way| way.strength).filter(|strength| strength.error <= KNOWN).map(|strength| strength.value);
    let mut ui = root(ctx, "setup");
    let area = ui.max_rect();
    let edge = if is_narrow(ctx) { 16.0 } else { 24.0 };
    let width = (area.width() - 2.0 * edge).min(960.0);
    let left = area.center().x - width / 2.0;
    // The form is slightly above the centre of a tall window.
    let whole = FORM_HEIGHT + form.clocks.more_height() + grown(&ui, 12.0);
    let top = area.top() + 16.0 + if is_narrow(ctx) { 0.0 } else { ((area.height() - 32.0 - whole) * 0.4).max(0.0) };
    let column = egui::Rect::from_min_max(egui::pos2(left, top), egui::pos2(left + width, area.bottom() - 16.0));
    // A sheet on the desk, as wide as a narrow window.
    let sheet = egui::Rect::from_x_y_ranges(left - edge..=left + width + edge, area.y_range());
    ui.painter().rect_filled(sheet, 0.0, colour(palette.panel().surface));
    ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
        ui.horizontal(|ui| {
            if named(ui, Icon::Leave, words.say("menu.back"))
                .tip(with_key(&words, words.say("menu.back"), PageRequest::Title, &requests))
                .clicked()
            {
                requests.write(PageRequest::Title);
            }
            ui.add_space(8.0);
            heading(ui, words.of(&library_game.sheet.name));
            ui.add_space(8.0);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                elsewhere(ui, &mut form, &words, &mut requests);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let about = RichText::new(words.of(&library_game.sheet.about)).size(SMALL).color(palette.dim());
                    // Left out without space; the title page has already shown it.
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
        let low = column.height() < whole || is_narrow(ui.ctx());
        let gap = if low { 8.0 } else { 16.0 };
        ui.add_space(8.0);
        super::entries::row(ui, &entries, &library_game, (&form.variant, &form.known_setup()), &words, &mut requests);
        let space = ui.available_height() - gap;
        let body = |ui: &mut egui::Ui| {
            ui.add_space(gap);
            let mut seats = seats::Seats { form: &mut form, library_game: &library_game, words: &words, palette: &palette };
            seats.show(ui, space, &mut boards);
            ui.add_space(gap);
            variants(ui, &mut form, &library_game, &words, &palette);
            form.ask_openings(&library_game);
            ui.add_space(8.0);
            opening_and_clock(ui, &mut form, &library_game.sheet, &words, &palette);
            ui.add_space(8.0);
            position(ui, &mut form, &library_game, (&words, &palette, &settings), &mut requests)
        };
        // What does not fit can be scrolled, and the button stays below it.
        let height = ui.available_height() - gap - PLAY - grown(ui, 0.4);
        let sound = egui::ScrollArea::vertical().max_height(height).auto_shrink([false, !low]).show(ui, body).inner;
        ui.add_space(gap);
        ui.vertical_centered(|ui| {
            let pressed = filled_button(ui, &palette, words.say("setup.play"), 200.0, sound).clicked();
            let enter = sound && !in_field && ui.input(|i| i.key_pressed(egui::Key::Enter));
            if pressed || enter {
                requests.write(BeginRequest::Start(form.match_setup()));
            }
        });
    });
    if std::mem::take(&mut form.paste) {
        requests.write(PasteClipboard);
    }
    if std::mem::take(&mut form.nearby) {
        requests.write(LetterRequest::List);
    }
    if form.letters != letters {
        let (by, broker) = form.letters.clone();
        requests.change(move |settings: &mut Settings| (settings.letters, settings.broker) = (by, broker.clone()));
    }
    Ok(())
}

/// How the match is opened, where there is a choice, and the clock: side by side if there is space. What a choice means has its place whether one
/// is needed or not, so that nothing moves when it is made.
fn opening_and_clock(ui: &mut egui::Ui, form: &mut Form, game: &GameSheet, words: &Words, palette: &Palette) {
    // With a position there is no opening rule.
    let opens = form.position.trim().is_empty();
    // Who sends links has days.
    let clocked = !form.has_friend() || CARRIES && form.letters.0 != LettersBy::Hand;
    let may_differ = form.may_differ();
    let mut opening = |ui: &mut egui::Ui| {
        ui.add_enabled_ui(opens, |ui| super::opening::choose(ui, &mut form.opening, &form.offered, words, palette));
    };
    let mut clock = |ui: &mut egui::Ui| {
        ui.add_enabled_ui(clocked, |ui| super::clock::choose(ui, &mut form.clocks, may_differ, game, words, palette));
    };
    if form.offered.len() <= 1 {
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
    lines(ui, 2, |ui| {
        if opens {
            super::opening::note(ui, form.opening, words, palette);
        }
    });
}

/// Space for so many lines of small text, whatever is written there.
fn lines(ui: &mut egui::Ui, count: u8, add: impl FnOnce(&mut egui::Ui)) {
    let height = 18.0 * f32::from(count);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_height(height);
        add(ui);
    });
}

/// The height of the button that begins the match, with the space around it.
const PLAY: f32 = 48.0;
/// The widths of the two choices, in logical pixels.
const OPENING: f32 = 288.0;
const CLOCK: f32 = 540.0;

/// At the upper edge, from the right: swap the players, and the rules.
fn elsewhere(ui: &mut egui::Ui, form: &mut Form, words: &Words, requests: &mut Requests) {
    if named(ui, Icon::Swap, words.say("result.swap")).clicked() {
        form.swap();
    }
    if named(ui, Icon::Rules, words.say("menu.rules")).clicked() {
        requests.write(RulesRequest(form.game, form.variant.clone()));
    }
}

/// The rules, and where the same rules are played on boards of several sizes, the size.
fn variants(ui: &mut egui::Ui, form: &mut Form, library_game: &LibraryGame, words: &Words, palette: &Palette) {
    let all = &library_game.sheet.variants;
    let (rule, size) = split_size(&form.variant);
    let rules: Vec<(usize, &str)> =
        (0..).zip(all).filter(|(_, one)| split_size(&one.key).1.is_empty()).map(|(i, one)| (i, words.of(&one.name))).collect();
    let sizes: Vec<&str> = all.iter().filter(|one| split_size(&one.key).0 == rule).map(|one| split_size(&one.key).1).collect();
    let mut wanted = (rule.to_owned(), size.to_owned());
    let rule_row = |ui: &mut egui::Ui, wanted: &mut (String, String)| {
        dim(ui, palette, words.say("setup.variant"));
        let mut chosen = all.iter().position(|one| one.key == wanted.0).unwrap_or(0);
        if segmented(ui, &mut chosen, &rules) {
            wanted.0.clone_from(&all[chosen].key);
        }
    };
    let size_row = |ui: &mut egui::Ui, wanted: &mut (String, String)| {
        dim(ui, palette, words.say("setup.size"));
        let names: Vec<String> = sizes.iter().map(|size| lines_of(library_game, &joined(rule, size))).collect();
        let options: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
        let mut chosen = sizes.iter().position(|size| *size == wanted.1).unwrap_or(0);
        if segmented(ui, &mut chosen, &options) {
            sizes[chosen].clone_into(&mut wanted.1);
        }
    };
    let told = all.iter().find(|variant| variant.key == form.variant).map_or("", |variant| words.of(&variant.note));
    let note = |ui: &mut egui::Ui| {
        lines(ui, 2, |ui| drop(ui.prose(RichText::new(told).size(SMALL).color(palette.dim()))));
    };
    if sizes.len() > 1 && ui.available_width() >= OPENING + CLOCK {
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(OPENING - 16.0);
                size_row(ui, &mut wanted);
            });
            ui.vertical(|ui| {
                rule_row(ui, &mut wanted);
                note(ui);
            });
        });
    } else {
        if rules.len() > 1 {
            rule_row(ui, &mut wanted);
        }
        note(ui);
        if sizes.len() > 1 {
            ui.add_space(8.0);
            size_row(ui, &mut wanted);
        }
    }
    let wanted = joined(&wanted.0, &wanted.1);
    if wanted != form.variant && all.iter().any(|one| one.key == wanted) {
        form.variant = wanted;
    }
}

/// The rules and the size in a variant's key: `renju:19` is renju on 19 lines.
fn split_size(key: &str) -> (&str, &str) {
    key.split_once(':').unwrap_or((key, ""))
}

fn joined(rule: &str, size: &str) -> String {
    if size.is_empty() { rule.to_owned() } else { format!("{rule}:{size}") }
}

/// How many lines the board of a variant has.
fn lines_of(library_game: &LibraryGame, variant: &str) -> String {
    let setup = Setup { variant: Some(variant.to_owned()), position: None };
    let size = library_game.entry.table(&setup).map(|table| table.size());
    size.map_or_else(|_| variant.to_owned(), |(files, ranks)| format!("{files} × {ranks}"))
}

/// The field for a position, and the usual handicaps, which fill it; true if the position can be played.
fn position(
    ui: &mut egui::Ui,
    form: &mut Form,
    library_game: &LibraryGame,
    (words, palette, settings): (&Words, &Palette, &Settings),
    requests: &mut Requests,
) -> bool {
    let kinds = [
        (Purpose::Casual, "setup.casual", "setup.casual-note"),
        (Purpose::Rated, "setup.rated", "setup.rated-note"),
        (Purpose::Teaching, "setup.teaching", "setup.teaching-note"),
    ];
    let by_letter = form.has_friend();
    // In a narrow window one is below the other, and the field has a row of its own.
    let narrow = is_narrow(ui.ctx());
    let purpose = |ui: &mut egui::Ui, form: &mut Form| {
        ui.add_enabled_ui(!by_letter, |ui| {
            segmented(ui, &mut form.purpose, &kinds.map(|(purpose, key, _)| (purpose, words.say(key))));
        });
        let note = kinds.into_iter().find(|(purpose, ..)| *purpose == form.purpose).map_or("", |(.., note)| words.say(note));
        dim(ui, palette, if by_letter { words.say("letters.refused") } else { note });
    };
    if narrow {
        purpose(ui, form);
    } else {
        ui.horizontal_wrapped(|ui| purpose(ui, form));
    }
    ui.horizontal(|ui| {
        // They are all of one board; on another one they are no positions.
        let fits = library_game.sheet.handicaps.first().is_some_and(|first| {
            let setup = Setup { position: Some(first.position.clone()), ..form.setup() };
            library_game.entry.table(&setup).is_ok()
        });
        if fits {
            let ratings = form.ratings(&library_game.sheet);
            super::handicaps::choose(ui, &mut form.position, library_game, ratings.as_ref(), words);
        }
        let has_computer = Side::BOTH.into_iter().any(|side| form.kind[side] == Kind::Computer);
        if PLATFORM.folders && has_computer && form.purpose != Purpose::Rated {
            let built_in = (library_game.entry.capabilities)(&form.variant).book;
            super::opening_book::choose(ui, (form.game, built_in), settings.books.get(form.game), words, requests);
        }
        if !narrow {
            ui.add(text_field(ui, &mut form.position, words.say("setup.position-hint"), ui.available_width()));
        }
    });
    if narrow {
        ui.add(text_field(ui, &mut form.position, words.say("setup.position-hint"), ui.available_width()));
    }
    match library_game.entry.table(&form.setup()) {
        Ok(table) => {
            if table.outcome().is_some() {
                ui.prose(RichText::new(words.say("setup.over")).size(SMALL).color(colour(palette.panel().danger)));
                return false;
            }
            true
        }
        Err(error) => {
            ui.prose(RichText::new(words.sentence(&error)).size(SMALL).color(colour(palette.panel().danger)));
            false
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, open_form.in_set(Step::Think).run_if(resource_changed::<WantedSetup>))
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_state(Screen::Setup)));
}
