//! The page with the rules of a game: the text, the variant's differences, and animated examples.

use super::boards::Boards;
use super::draw::Draw;
use super::scenes::Scene;
use super::style::{Palette, SMALL};
use super::widgets::{dim, filled_button, heading, is_narrow, page_frame, page_less, page_of, page_width};
use crate::app::library::Library;
use crate::app::requests::{PageRequest, Requests, RulesRequest};
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::step::Step;
use crate::app::view::Stir;
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, set};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{RichText, vec2};
use qiju_core::table::{OpeningRule, Text};

/// The rules that are shown.
#[derive(Resource, Default)]
struct Reading {
    game: &'static str,
    variant: String,
    scenes: Vec<Scene>,
    texts: Vec<Text>,
    since: Option<f64>,
}

fn open(
    mut requests: MessageReader<RulesRequest>,
    mut reading: ResMut<Reading>,
    library: Res<Library>,
    mut menu: ResMut<NextState<Menu>>,
) {
    for RulesRequest(game, variant) in requests.read() {
        let Some(library_game) = library.game(game) else { continue };
        let (variant, _) = OpeningRule::split(variant);
        let mut page = Reading { game, variant: variant.to_owned(), ..Reading::default() };
        // The variant's differences first.
        let of_variant = library_game.sheet.examples.iter().filter(|example| example.variant.as_deref() == Some(variant));
        let common = library_game.sheet.examples.iter().filter(|example| example.variant.is_none());
        for example in of_variant.chain(common) {
            if let Some(scene) = Scene::of_example(library_game, example) {
                page.scenes.push(scene);
                page.texts.push(example.text.clone());
            }
        }
        *reading = page;
        menu.set(Menu::Rules);
    }
}

/// The side of an example's board and the height of the text below it, in logical pixels.
const BOARD: f32 = 176.0;
const CAPTION: f32 = 58.0;
const GAP: f32 = 16.0;
/// The seconds after the last move of an example before it begins again.
const AFTER: f32 = 1.6;

fn draw(
    mut contexts: EguiContexts,
    mut reading: ResMut<Reading>,
    (mut boards, mut stir): (Boards, ResMut<Stir>),
    (library, words, palette, settings): (Res<Library>, Res<Words>, Res<Palette>, Res<Settings>),
    mut requests: Requests,
) -> Result {
    let Some(library_game) = library.game(reading.game) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let still = settings.reduced_motion || settings.speed <= 0.0;
    // Beside each other the two boards of an example are as wide as a narrow window.
    let room = page_width(ctx, f32::INFINITY) - 20.0;
    let side = if still && is_narrow(ctx) { (room / 2.0).floor().min(BOARD) } else { BOARD };
    let screen = ctx.content_rect();
    let example = if still { 2.0 * side + 8.0 } else { side };
    let columns = (((screen.width() - 96.0 + GAP) / (example + GAP)) as usize).clamp(1, if still { 2 } else { 4 });
    let width = (columns as f32 * (example + GAP) - GAP).max(360.0).min(page_width(ctx, screen.width() - 80.0));
    let frame = page_frame(ctx, &palette);
    let now = ctx.input(|input| input.time);
    let seconds = (now - *reading.bypass_change_detection().since.get_or_insert(now)) as f32;
    let reading = &*reading;
    let mut next = f32::INFINITY;
    let modal = egui::Modal::new(egui::Id::new("rules")).frame(frame).show(ctx, |ui| {
        page_of(ui, width, |ui| {
            heading(ui, words.of(&library_game.sheet.name));
            let space = (screen.height() - page_less(ui, 200.0)).max(160.0);
            egui::ScrollArea::vertical()
                .id_salt((reading.game, &reading.variant))
                .max_height(space)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    if let Some(variant) = library_game.sheet.variant(&reading.variant) {
                        dim(ui, &palette, words.of(&variant.name));
                        ui.prose(RichText::new(words.of(&variant.note)).size(SMALL));
                        ui.add_space(4.0);
                    }
                    for paragraph in words.of(&library_game.sheet.rules).split('\n') {
                        ui.prose(RichText::new(paragraph).size(SMALL));
                    }
                    if reading.scenes.is_empty() {
                        return;
                    }
                    ui.add_space(4.0);
                    dim(ui, &palette, words.say("rules.examples"));
                    let both: Vec<(&Scene, &Text)> = reading.scenes.iter().zip(&reading.texts).collect();
                    for row in both.chunks(columns) {
                        ui.horizontal_top(|ui| {
                            ui.spacing_mut().item_spacing.x = GAP;
                            for (scene, text) in row {
                                let (rect, response) =
                                    ui.allocate_exact_size(vec2(example, side + CAPTION), egui::Sense::hover());
                                let said = words.of(text);
                                response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, said));
                                if !ui.is_rect_visible(rect) {
                                    continue;
                                }
                                let place = egui::Rect::from_min_size(rect.min, vec2(side, side));
                                let beside = place.translate(vec2(side + 8.0, 0.0));
                                let painter = ui.painter();
                                let mut board = |place| boards.within(painter, library_game, scene.size, place);
                                if !still && let Some(board) = board(place) {
                                    let length = scene.seconds() + AFTER;
                                    let (pieces, change) = scene.at(seconds % length);
                                    let over = seconds % length >= scene.seconds();
                                    let marks: Vec<_> = scene.forbidden().filter(|_| over).collect();
                                    board.draw(painter, &pieces, &marks);
                                    next = next.min(change).min(length - seconds % length);
                                } else if still && let (Some(before), Some(after)) = (board(place), board(beside)) {
                                    let (pieces, marks) = scene.before();
                                    before.draw(painter, &pieces, &marks);
                                    after.draw(painter, &scene.after(), &scene.last_move(library_game.sheet.shape));
                                }
                                caption(ui, rect, side, said, &palette);
                            }
                        });
                    }
                });
            ui.add_space(8.0);
            ui.vertical_centered(|ui| filled_button(ui, &palette, words.say("menu.done"), width.min(240.0), true).clicked()).inner
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    if next.is_finite() {
        // A frame for each step of an animation, and one when the next begins.
        stir.wake_in(next.max(0.016));
    }
    Ok(())
}

fn caption(ui: &egui::Ui, rect: egui::Rect, below: f32, said: &str, palette: &Palette) {
    let format = egui::FontId::proportional(SMALL);
    let mut job = egui::text::LayoutJob::simple(said.to_owned(), format, palette.text(), rect.width());
    job.wrap.max_rows = 3;
    let galley = set(ui.painter(), job);
    ui.painter().galley(rect.min + vec2(0.0, below + 2.0), galley, palette.text());
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Reading>()
        .add_systems(Update, open.in_set(Step::Input))
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(in_state(Menu::Rules)));
}
