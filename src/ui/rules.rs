//! The page with the rules of a game: the text, the variant's differences, and animated examples.

use super::boards::Boards;
use super::draw::Draw;
use super::gallery::Gallery;
use super::scenes::Scene;
use super::style::{Palette, SMALL};
use super::widgets::{dim, filled_button, heading, page_frame, page_less, page_of};
use crate::app::library::Library;
use crate::app::requests::{PageRequest, Requests, RulesRequest};
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::step::Step;
use crate::app::view::FrameRequests;
use crate::app::words::Words;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::RichText;
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

/// The least height of the text below an example, in logical pixels.
const CAPTION: f32 = 58.0;

fn draw(
    mut contexts: EguiContexts,
    mut reading: ResMut<Reading>,
    (mut boards, mut frames): (Boards, ResMut<FrameRequests>),
    (library, words, palette, settings): (Res<Library>, Res<Words>, Res<Palette>, Res<Settings>),
    mut requests: Requests,
) -> Result {
    let Some(library_game) = library.game(reading.game) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let gallery = Gallery::new(ctx, &settings);
    let (width, screen) = (gallery.width, ctx.content_rect());
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
                    let scenes = (library_game, &reading.scenes[..], seconds);
                    next = gallery.show(ui, &mut boards, scenes, CAPTION, |ui, number| {
                        ui.prose(RichText::new(words.of(&reading.texts[number])).size(SMALL));
                    });
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
        frames.wake_in(next.max(0.016));
    }
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Reading>()
        .add_systems(Update, open.in_set(Step::Input))
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(in_state(Menu::Rules)));
}
