//! The trainer's page to choose an exercise, and its card in the panel with the progress and the result.

use super::{Conversion, Exercise, Trainer};
use crate::app::exercise::{Drill, grades};
use crate::app::explore::{Preparations, Truth};
use crate::app::library::{Library, LibraryGame};
use crate::app::play::CurrentMatch;
use crate::app::progress::PlayerProgress;
use crate::app::requests::{AnyRequest, BeginRequest, PageRequest, Requests, TrainerRequest};
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, SMALL, TITLE, colour};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{
    self, Face, Icon, dim, drawn_button, face_button, heading, is_narrow, root, segmented, wide_drawn_button,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Color32, RichText, Sense, Stroke, Ui, vec2};
use qiju_core::rules::Side;
use qiju_core::search::Known;
use qiju_core::study::SolvedGame;
use qiju_core::table::{ExerciseClass, Shape};

/// The widths of the column of classes and of a grade, in logical pixels.
const CLASS: f32 = 200.0;
const GRADE: f32 = 96.0;

pub fn page(
    mut contexts: EguiContexts,
    (trainer, preparations): (Res<Trainer>, Res<Preparations>),
    (library, words, palette, progress): (Res<Library>, Res<Words>, Res<Palette>, Res<PlayerProgress>),
    mut requests: Requests,
) -> Result {
    let Some((game, variant)) = trainer.open() else { return Ok(()) };
    let Some(library_game) = library.game(game) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let mut ui = root(ctx, "trainer");
    ui.painter().rect_filled(ui.max_rect(), 0.0, colour(palette.panel().surface));
    let area = ui.max_rect();
    let edge = if is_narrow(ctx) { 32.0 } else { 48.0 };
    let width = (area.width() - edge).min(CLASS + 5.0 * (GRADE + 8.0));
    let corner = egui::pos2(area.center().x - width / 2.0, area.top() + 16.0);
    let column = egui::Rect::from_min_max(corner, egui::pos2(corner.x + width, area.bottom() - 16.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
        ui.horizontal(|ui| {
            if drawn_button(ui, Icon::Leave, words.say("menu.back"), true).clicked() {
                requests.write(PageRequest::Choose(game));
            }
            ui.add_space(8.0);
            heading(ui, words.say("trainer.title"));
            ui.add_space(8.0);
            dim(ui, &palette, words.of(&library_game.sheet.name));
        });
        ui.add_space(8.0);
        ui.prose(RichText::new(words.say("trainer.about")).size(SMALL));
        choose_variant(ui, library_game, variant, &words, &mut requests);
        ui.add_space(4.0);
        let busy = trainer.is_busy() || trainer.is_waking();
        let narrow = if is_narrow(ui.ctx()) { 24.0 } else { 0.0 };
        let below = narrow + if trainer.is_incomplete() { 88.0 + widgets::grown(ui, 1.5) } else { 40.0 };
        egui::ScrollArea::vertical().max_height((ui.available_height() - below).max(120.0)).auto_shrink([false, true]).show(
            ui,
            |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                for &class in trainer.classes() {
                    let drill = Drill { game, variant: variant.to_owned(), class, grade: 0 };
                    if let Some(drill) = row(ui, library_game, &drill, !busy, &progress, &palette, &words) {
                        requests.write(TrainerRequest::Begin(drill));
                    }
                }
            },
        );
        ui.add_space(4.0);
        let said = if trainer.is_waking() {
            words.say("trainer.waking")
        } else if trainer.is_busy() {
            words.say("trainer.busy")
        } else {
            words.say("trainer.done-mark")
        };
        dim(ui, &palette, said);
        if trainer.is_incomplete() && !trainer.is_waking() {
            dim(ui, &palette, words.say("trainer.incomplete"));
            crate::ui::truth::work(ui, &preparations, (game, variant.to_owned()), &words, &palette, &mut requests);
        }
    });
    Ok(())
}

fn choose_variant(ui: &mut Ui, library_game: &LibraryGame, variant: &str, words: &Words, requests: &mut Requests) {
    let variants = &library_game.sheet.variants;
    let offered: Vec<(usize, &str)> = (0..variants.len())
        .filter(|index| !library_game.entry.exercise_classes(&variants[*index].key).is_empty())
        .map(|index| (index, words.of(&variants[index].name)))
        .collect();
    if offered.len() < 2 {
        return;
    }
    let mut chosen = variants.iter().position(|one| one.key == variant).unwrap_or(0);
    if segmented(ui, &mut chosen, &offered) {
        requests.write(TrainerRequest::Variant(variants[chosen].key.clone()));
    }
}

/// A class with its grades; returns the one that was clicked.
fn row(
    ui: &mut Ui,
    library_game: &LibraryGame,
    drill: &Drill,
    enabled: bool,
    progress: &PlayerProgress,
    palette: &Palette,
    words: &Words,
) -> Option<Drill> {
    let mut clicked = None;
    widgets::wrapping(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        pieces(ui, library_game, drill.class, palette);
        // In a narrow window the grades stand below.
        let narrow = is_narrow(ui.ctx());
        if narrow {
            ui.end_row();
        }
        let width = if narrow { (ui.max_rect().width() + 8.0) / 5.0 - 8.0 } else { GRADE };
        for (grade, plies) in grades(&drill.class).into_iter().enumerate() {
            let drill = Drill { grade, ..drill.clone() };
            let done = progress.trained.contains(&drill.key());
            let text = format!("{}-{}", plies.start(), plies.end());
            let button = egui::Button::new(RichText::new(&text).size(SMALL)).min_size(vec2(width, 32.0));
            let response = ui.add_enabled(enabled, button);
            if done {
                let at = response.rect.right_center() - vec2(12.0, 0.0);
                tick(ui.painter(), at, palette.accent());
            }
            let ExerciseClass { own, other, .. } = drill.class;
            let said = words.fill("trainer.drill", &[&own.to_string(), &other.to_string(), &text]);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, &said));
            if response.tip(said).clicked() {
                clicked = Some(drill);
            }
        }
    });
    clicked
}

/// Draws a tick.
fn tick(painter: &egui::Painter, at: egui::Pos2, tone: Color32) {
    let points = vec![at + vec2(-4.0, 0.0), at + vec2(-1.0, 3.5), at + vec2(4.5, -4.0)];
    painter.add(egui::Shape::line(points, Stroke::new(2.0, tone)));
}

/// The pieces of a class, as dots: the winner's, then the other side's.
fn pieces(ui: &mut Ui, library_game: &LibraryGame, class: ExerciseClass, palette: &Palette) {
    const DOT: f32 = 7.0;
    let (rect, _) = ui.allocate_exact_size(vec2(CLASS - 8.0, 32.0), Sense::hover());
    let theme = &palette.theme;
    let tone = |side: Side| match library_game.sheet.shape {
        Shape::Stone { first_is_dark } if (side == Side::First) == first_is_dark => colour(theme.slate),
        Shape::Stone { .. } => colour(theme.shell),
        Shape::Disc => colour(theme.inks[side]),
        Shape::Mark => colour(theme.pens[side]),
    };
    let mut x = rect.left() + DOT;
    for (side, count) in [(Side::First, class.own), (Side::Second, class.other)] {
        for _ in 0..count {
            let at = egui::pos2(x, rect.center().y);
            ui.painter().circle(at, DOT - 1.0, tone(side), Stroke::new(1.0, palette.dim()));
            x += 2.0 * DOT;
        }
        x += 10.0;
    }
}

/// The progress and the result of the current exercise.
pub fn card(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (trainer, truth, current): (Res<Trainer>, Res<Truth>, Res<CurrentMatch>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    let Some(exercise) = trainer.exercise().filter(|_| room == Room::Panel) else { return false };
    let size = vec2(ui.available_width(), if current.outcome().is_some() { 148.0 } else { 60.0 });
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_height(size.y);
        ui.spacing_mut().item_spacing.y = 4.0;
        let used = current.table().ply();
        let Some(conversion) = exercise.conversion(&current) else {
            ui.news(RichText::new(words.with("trainer.task", exercise.plies)).size(BODY));
            match win_state(&current, truth.review()) {
                WinState::Won(left) => dim(ui, &palette, words.fill("trainer.going", &[&used.to_string(), &left.to_string()])),
                WinState::Unknown => dim(ui, &palette, words.with("trainer.used", used)),
                WinState::Gone => {
                    let text = RichText::new(words.say("trainer.gone")).size(SMALL);
                    ui.news(text.color(colour(palette.panel().danger)))
                }
            };
            return;
        };
        let key = match conversion {
            Conversion::Exact => "trainer.exact",
            Conversion::InTime => "trainer.in-time",
            Conversion::Slow => "trainer.slow",
            Conversion::Missed => "trainer.missed",
        };
        ui.news(RichText::new(words.say(key)).size(TITLE));
        let numbers = [used.to_string(), exercise.plies.to_string(), exercise.limit().to_string()];
        let mut said = words.fill("trainer.tally", &numbers.each_ref().map(String::as_str));
        if exercise.helped {
            said = format!("{said} · {}", words.say("trainer.helped"));
        }
        ui.prose(RichText::new(said).size(SMALL).color(palette.dim()));
        after(ui, exercise, conversion, &words, &mut requests);
    });
    true
}

enum WinState {
    Won(u32),
    Gone,
    Unknown,
}

/// Whether the position is still won for the user.
fn win_state(current: &CurrentMatch, review: Option<&SolvedGame>) -> WinState {
    use qiju_core::record::SeatSpec;
    let Some(value) = review.and_then(SolvedGame::value) else { return WinState::Unknown };
    let own = current.seats()[current.table().turn()] == SeatSpec::Human;
    match (value.known, own, value.plies) {
        (Known::Win, true, Some(plies)) | (Known::Loss, false, Some(plies)) => WinState::Won(plies),
        (Known::Win, true, None) | (Known::Loss, false, None) => WinState::Unknown,
        _ => WinState::Gone,
    }
}

/// The next exercise: the same position again, another of its kind, or a harder one.
fn after(ui: &mut Ui, exercise: &Exercise, conversion: Conversion, words: &Words, requests: &mut Requests) {
    let well = matches!(conversion, Conversion::Exact | Conversion::InTime);
    let mut choices = vec![
        ("trainer.again", AnyRequest::from(BeginRequest::Rematch(false)), !well),
        ("trainer.next", TrainerRequest::Begin(exercise.drill.clone()).into(), well),
    ];
    choices.extend(exercise.drill.harder().map(|drill| ("trainer.harder", TrainerRequest::Begin(drill).into(), false)));
    let width = (ui.available_width() + 8.0) / choices.len() as f32 - 8.0;
    ui.horizontal(|ui| {
        for (key, request, first) in choices {
            let face = Face { icon: None, text: words.say(key), filled: first };
            let response = face_button(ui, face, vec2(width, 40.0), true);
            if response.clicked() {
                requests.write(request);
            }
        }
    });
    if wide_drawn_button(ui, Icon::Target, words.say("trainer.choose"), ui.available_width(), true).clicked() {
        requests.write(TrainerRequest::Open(exercise.drill.game));
    }
}
