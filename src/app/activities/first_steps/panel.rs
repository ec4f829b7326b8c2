//! The first steps: the task in the panel beside the board, its line in a narrow window, and their offer on the title page.

use super::{Course, miss_text};
use crate::app::layout::Layout;
use crate::app::library::Library;
use crate::app::play::{CurrentMatch, Unfinished};
use crate::app::progress::PlayerProgress;
use crate::app::requests::{AnyRequest, BeginRequest, PageRequest, Requests, TaskStep};
use crate::app::settings::Settings;
use crate::app::setup::{MatchSetup, Purpose};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::style::{BODY, Palette, SMALL, TITLE, colour, tone};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{
    Face, Icon, ask_face, dim, face_button, fill, hairline, icon_button, menu_item, menu_of, natural_width, root, row_height,
    scrolling,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Align, RichText, Sense, Stroke, Ui, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::rules::BySide;
use qiju_core::table::{Goal, Judgement, Setup, Task, TaskStatus};

/// The side of a task's dot with the space around it, in logical pixels.
const DOT: f32 = 28.0;
/// The page in the panel. In a row: the name of the task, and the likely next thing where the page does not show it.
pub fn page(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (course, current, progress): (Res<Course>, Res<CurrentMatch>, Res<PlayerProgress>),
    (words, palette, settings, layout): (Res<Words>, Res<Palette>, Res<Settings>, Res<Layout>),
    mut requests: Requests,
) -> bool {
    let Some(task) = course.task() else { return false };
    let (look, requests) = ((&*words, &*palette, &*settings), &mut requests);
    if room == Room::Row {
        ui.prose(RichText::new(words.of(&task.title)).size(BODY).color(palette.text()));
        if !layout.panel_open {
            in_a_row(ui, &course, task, &current, (&words, &palette), requests);
        }
        return true;
    }
    head(ui, &current, &words, &palette, requests);
    hairline(ui);
    let upper = |ui: &mut Ui, height: f32| {
        scrolling(ui, ("task", &task.key), height, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            let (number, of) = ((course.at() + 1).to_string(), course.tasks().len().to_string());
            dim(ui, &palette, words.fill("steps.number", &[&number, &of]));
            ui.prose(RichText::new(words.of(&task.title)).size(TITLE).color(palette.text()));
            // Above the text: in a low window the text scrolls.
            state(ui, &course, task, &current, look);
            ui.prose(RichText::new(words.of(&task.text)).size(BODY).color(palette.text()));
        });
        ui.spacing_mut().item_spacing.y = 12.0;
    };
    fill(
        ui,
        64.0,
        requests,
        |ui, _, height| upper(ui, height),
        |ui, requests| {
            main_button(ui, &course, &current, &words, requests);
            ui.horizontal(|ui| {
                let size = vec2((ui.available_width() - 16.0) / 3.0, 32.0);
                let (first, last) = (course.at() == 0, course.at() + 1 == course.tasks().len());
                let moved = current.table().ply() > 0;
                for (key, step, enabled) in [
                    ("steps.previous", TaskStep::Previous, !first),
                    ("steps.again", TaskStep::Again, moved),
                    ("steps.next", TaskStep::Next, !last),
                ] {
                    let face = Face { text: words.say(key), ..Face::default() };
                    ask_face(ui, &words, face, step, size, enabled, requests);
                }
            });
            dots(ui, (&course, &progress), (&words, &palette), requests);
        },
    );
    true
}

/// What it is, and the ways out of it.
fn head(ui: &mut Ui, current: &CurrentMatch, words: &Words, palette: &Palette, requests: &mut Requests) {
    ui.horizontal(|ui| {
        ui.prose(RichText::new(words.say("steps.title")).size(BODY).color(palette.text()));
        dim(ui, palette, words.of(&current.game().sheet.name));
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Close, words.say("steps.leave"), 32.0, true).clicked() {
                requests.write(PageRequest::Choose(current.game().entry.key));
            }
            if icon_button(ui, Icon::Menu, words.say("play.menu"), 32.0, true).clicked() {
                requests.write(PageRequest::Menu(Menu::Pause));
            }
        });
    });
}

/// What is left of the goal, as a line.
fn goal_line(task: &Task, standing: &TaskStatus, words: &Words) -> String {
    let (left, moves) = (standing.left.len().to_string(), standing.moves_left.to_string());
    match task.goal {
        Goal::Catch { .. } => words.fill("steps.catch", &[&left, &moves]),
        Goal::Reach { .. } => words.fill("steps.reach", &[&left, &moves]),
        Goal::Follow { .. } if standing.left.is_empty() => words.with("steps.moves", moves),
        Goal::Follow { .. } => words.with("steps.follow", moves),
        Goal::Win { .. } | Goal::Play(_) => words.with("steps.moves", moves),
    }
}

/// How it stands: what is left, why a move was refused, that it is done, or why it is not.
fn state(
    ui: &mut Ui,
    course: &Course,
    task: &Task,
    current: &CurrentMatch,
    (words, palette, settings): (&Words, &Palette, &Settings),
) {
    let Some(standing) = course.standing() else { return };
    let danger = colour(palette.panel().danger);
    match standing.result {
        Some(Ok(())) => {
            ui.horizontal_top(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(20.0, 22.0), Sense::hover());
                // The words say the same.
                let ink = tone(Judgement::Best);
                Icon::Check.draw(ui.painter(), rect.center(), 16.0, ink);
                ui.vertical(|ui| ui.prose(RichText::new(words.of(&task.done)).size(BODY).color(ink)));
            });
        }
        Some(Err(miss)) => {
            let table = current.table();
            let text = miss_text(task, miss, table, words, settings.notation(table, words.language));
            ui.prose(RichText::new(text).size(BODY).color(danger));
        }
        None => {
            dim(ui, palette, goal_line(task, standing, words));
            if let Some(refusal) = course.refused() {
                ui.prose(RichText::new(words.refusal(refusal)).size(BODY).color(danger));
            }
        }
    }
}

/// The first match after the first steps.
fn first_match(current: &CurrentMatch) -> AnyRequest {
    let seats = BySide::new(SeatSpec::Human, SeatSpec::computer(1));
    BeginRequest::Start(MatchSetup::untimed(current.game().entry.key, Setup::default(), seats, Purpose::Casual)).into()
}

/// The likely next thing: icon, words, what is asked for, whether it is more likely than a move on the board, and whether it can be asked for.
fn next_thing(course: &Course, current: &CurrentMatch) -> (Icon, &'static str, AnyRequest, bool, bool) {
    let last = course.at() + 1 == course.tasks().len();
    match course.standing().and_then(|standing| standing.result) {
        Some(Ok(())) if last => (Icon::Play, "steps.match", first_match(current), true, true),
        Some(Ok(())) => (Icon::Forward, "steps.go-on", TaskStep::Next.into(), true, true),
        Some(Err(_)) => (Icon::Again, "steps.try-again", TaskStep::Again.into(), true, true),
        None => (Icon::Hint, "steps.show", TaskStep::Show.into(), false, current.human_to_move() && !course.is_sought()),
    }
}

fn main_button(ui: &mut Ui, course: &Course, current: &CurrentMatch, words: &Words, requests: &mut Requests) {
    let (icon, key, request, filled, enabled) = next_thing(course, current);
    let face = Face { icon: Some(icon), text: words.say(key), filled };
    let size = vec2(ui.available_width(), 40.0);
    ask_face(ui, words, face, request, size, enabled, requests);
}

/// The tasks as dots: filled where they are done, with a ring around the one on the board.
fn dots(
    ui: &mut Ui,
    (course, progress): (&Course, &PlayerProgress),
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    let count = course.tasks().len();
    let side = row_height(ui, DOT);
    let add_dots = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        ui.add_space(((ui.available_width() - side * count as f32) / 2.0).max(0.0));
        for (index, task) in course.tasks().iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
            let done = course.is_done(task, progress);
            let key = if done { "steps.dot-done" } else { "steps.dot" };
            let said = words.fill(key, &[&(index + 1).to_string(), words.of(&task.title)]);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &said));
            let painter = ui.painter();
            let ink = if done { palette.accent() } else { palette.dim() };
            if done {
                painter.circle_filled(rect.center(), 5.0, ink);
            } else {
                painter.circle_stroke(rect.center(), 4.5, Stroke::new(1.5, ink));
            }
            if index == course.at() {
                painter.circle_stroke(rect.center(), 9.0, Stroke::new(1.5, palette.text()));
            }
            if response.has_focus() {
                painter.circle_stroke(rect.center(), 12.5, Stroke::new(2.0, palette.accent()));
            }
            if response.tip(said).clicked() {
                requests.write(TaskStep::To(index));
            }
        }
    };
    // Where there is no room for all of them in one row, they take more.
    if side * count as f32 > ui.available_width() {
        ui.horizontal_wrapped(add_dots)
    } else {
        ui.horizontal(add_dots)
    };
}

/// In a row: what is left, or the likely next thing.
fn in_a_row(
    ui: &mut Ui,
    course: &Course,
    task: &Task,
    current: &CurrentMatch,
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    match course.standing() {
        Some(TaskStatus { result: Some(_), .. }) => {
            let (icon, key, request, filled, enabled) = next_thing(course, current);
            let face = Face { icon: Some(icon), text: words.say(key), filled };
            let width = natural_width(ui, face);
            if face_button(ui, face, vec2(width, 32.0), enabled).clicked() {
                requests.write(request);
            }
        }
        Some(standing) => {
            // The panel below says it too, so it is left out beside a long title.
            let line = goal_line(task, standing, words);
            let font = egui::FontId::proportional(SMALL);
            let width = ui.painter().layout_no_wrap(line.clone(), font, palette.dim()).size().x;
            if width <= ui.available_width() {
                dim(ui, palette, line);
            }
        }
        None => {}
    }
}

/// The offer on the title page to somebody who has never played here: a line at its lower edge.
pub fn offer(
    mut contexts: EguiContexts,
    (library, words, palette, settings): (Res<Library>, Res<Words>, Res<Palette>, Res<Settings>),
    (unfinished, progress): (Res<Unfinished>, Res<PlayerProgress>),
    mut requests: Requests,
) -> Result {
    if unfinished.found().is_some() || unfinished.discarded().is_some() || !progress.is_newcomer(&settings) {
        return Ok(());
    }
    let ui = &mut root(contexts.ctx_mut()?, "first steps");
    let face = Face { icon: Some(Icon::Stairs), text: words.say("steps.title"), filled: false };
    let said = words.say("steps.offer");
    let gap = ui.spacing().item_spacing.x;
    let width = natural_width(ui, face) + 32.0 + 2.0 * gap;
    crate::ui::title::foot(ui, RichText::new(said).size(BODY).color(palette.dim()), width, |ui| {
        let width = natural_width(ui, face);
        let button = face_button(ui, face, vec2(width, 32.0), true);
        menu_of(&button).show(|ui| {
            for library_game in library.games.iter().filter(|game| !game.first_steps.tasks.is_empty()) {
                let name = RichText::new(words.of(&library_game.sheet.name)).size(SMALL);
                if menu_item(ui, name, 180.0, true) {
                    requests.write(TaskStep::Open(library_game.entry.key));
                }
            }
        });
        if icon_button(ui, Icon::Close, words.say("steps.offer-close"), 32.0, true).clicked() {
            requests.change(|progress: &mut PlayerProgress| progress.first_steps_known = true);
        }
    });
    Ok(())
}
