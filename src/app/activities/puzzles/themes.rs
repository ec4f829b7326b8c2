//! The page of the themes of puzzles: each with its name, an animated example, and the number of its puzzles; a click chooses it.

use super::Puzzling;
use crate::app::ground::activity::PUZZLES;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::requests::{PageRequest, PuzzleStep, PuzzleWish, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::view::FrameRequests;
use crate::ui::boards::Boards;
use crate::ui::draw::Draw;
use crate::ui::gallery::Gallery;
use crate::ui::scenes::Scene;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{button, filled_button, heading, page_frame, page_less, page_of};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::RichText;
use qiju_core::study::puzzles::Puzzle;

/// The least height below an example's board, in logical pixels.
const CAPTION: f32 = 118.0;

/// The themes of a puzzle of a game.
pub fn of(game: &LibraryGame, puzzle: &Puzzle) -> Vec<&'static str> {
    let puzzles = (game.entry.capabilities)(&puzzle.variant).puzzles;
    let table = game.entry.table(&puzzle.setup()).ok();
    table.zip(puzzles).map_or_else(Vec::new, |(table, puzzles)| puzzle.themes(&*table, puzzles))
}

/// The page that is shown.
#[derive(Resource, Default)]
struct Page {
    game: &'static str,
    /// Each theme, and how many puzzles have it.
    themes: Vec<(&'static str, usize)>,
    scenes: Vec<Scene>,
    since: Option<f64>,
}

fn open(
    mut steps: MessageReader<PuzzleStep>,
    mut page: ResMut<Page>,
    (library, puzzling): (Res<Library>, Res<Puzzling>),
    mut menu: ResMut<NextState<Menu>>,
) {
    if !steps.read().any(|step| *step == PuzzleStep::Themes) {
        return;
    }
    let Some(session) = puzzling.session() else { return };
    let Some(game) = library.game(session.game) else { return };
    let puzzles = (game.entry.capabilities)(&session.puzzle.variant).puzzles;
    let mut opened = Page { game: session.game, ..Page::default() };
    for theme in &game.sheet.themes {
        let key = puzzles.and_then(|puzzles| puzzles.themes().iter().find(|key| **key == theme.key));
        if let (Some(key), Some(scene)) = (key, Scene::of_example(game, &theme.example)) {
            opened.themes.push((key, puzzling.of_theme(game, key)));
            opened.scenes.push(scene);
        }
    }
    *page = opened;
    menu.set(Menu::Page(PUZZLES));
}

fn draw(
    mut contexts: EguiContexts,
    mut page: ResMut<Page>,
    (mut boards, mut frames): (Boards, ResMut<FrameRequests>),
    (library, puzzling): (Res<Library>, Res<Puzzling>),
    (words, palette, settings): (Res<Words>, Res<Palette>, Res<Settings>),
    mut requests: Requests,
) -> Result {
    let Some(game) = library.game(page.game) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let now = ctx.input(|input| input.time);
    let seconds = (now - *page.bypass_change_detection().since.get_or_insert(now)) as f32;
    let page = &*page;
    let gallery = Gallery::new(ctx, &settings);
    let (width, screen) = (gallery.width, ctx.content_rect());
    let wish = puzzling.wish(page.game);
    let mut chosen = None;
    let mut next = f32::INFINITY;
    let modal = egui::Modal::new(egui::Id::new("themes")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, width, |ui| {
            heading(ui, words.say("puzzles.themes"));
            let height = (screen.height() - page_less(ui, 200.0)).max(160.0);
            egui::ScrollArea::vertical().id_salt(page.game).max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                let scenes = (game, &page.scenes[..], seconds);
                next = gallery.show(ui, &mut boards, scenes, CAPTION, |ui, number| {
                    let (key, count) = page.themes[number];
                    let Some(theme) = game.sheet.theme(key) else { return };
                    ui.prose(RichText::new(words.of(&theme.name)).size(BODY).strong());
                    ui.prose(RichText::new(words.of(&theme.example.text)).size(SMALL));
                    if count > 0 {
                        let text = words.with("puzzles.theme.count", count);
                        if filled_or_plain(ui, &palette, &text, wish.theme == Some(key)) {
                            chosen = Some(Some(key));
                        }
                    }
                });
            });
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                if button(ui, words.say("puzzles.theme.any"), wish.theme.is_some()).clicked() {
                    chosen = Some(None);
                }
                filled_button(ui, &palette, words.say("menu.done"), ui.available_width().min(200.0), true).clicked()
            })
            .inner
        })
    });
    if let Some(theme) = chosen {
        // A theme belongs to one kind or another, and may be rare: the other wishes give way.
        requests.write(PuzzleStep::Wish(PuzzleWish { theme, ..PuzzleWish::default() }));
    }
    if chosen.is_some() || modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    if next.is_finite() {
        frames.wake_in(next.max(0.016));
    }
    Ok(())
}

fn filled_or_plain(ui: &mut egui::Ui, palette: &Palette, text: &str, filled: bool) -> bool {
    let width = ui.available_width();
    if filled { filled_button(ui, palette, text, width, true).clicked() } else { button(ui, text, true).clicked() }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Page>().add_systems(Update, open.in_set(Step::Input)).add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(PUZZLES)).and_then(resource_exists::<Palette>)),
    );
}
