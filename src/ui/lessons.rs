//! The page of lessons from lost matches: each lesson as a small board with the losing move and the better one.

use super::boards::Boards;
use super::draw::Draw;
use super::scenes::Scene;
use super::style::{BODY, Palette, SMALL, colour};
use super::widgets::{
    Icon, dim, filled_button, heading, page_frame, page_less, page_of, page_width, segmented, tick, wide_button,
    wide_drawn_button,
};
use crate::app::library::{Library, LibraryGame};
use crate::app::play;
use crate::app::play::{Learning, table_of};
use crate::app::requests::{ForgetLessons, PageRequest, Requests};
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, Pos2, RichText, Stroke, vec2};
use qiju_core::rules::Point;

/// A lesson as shown on the page.
struct Card {
    scene: Scene,
    title: String,
    said: String,
    avoid: Option<Point>,
    instead: Option<Point>,
}

/// The page. Its cards are made when it is opened and when the lessons change.
#[derive(Resource, Default)]
struct Page {
    /// The lessons for which the cards were made.
    made: Option<(usize, usize, crate::app::words::Language)>,
    games: Vec<&'static str>,
    chosen: usize,
    cards: Vec<Card>,
    asks: bool,
}

/// The most lessons shown of a game, the newest first.
const SHOWN: usize = 120;
/// The side of a lesson's board and the height of the text below it, in logical pixels.
const BOARD: f32 = 176.0;
const CAPTION: f32 = 44.0;
const GAP: f32 = 16.0;

impl Page {
    fn make(&mut self, learning: &Learning, library: &Library, settings: &Settings, words: &Words) {
        let list = learning.lessons().list();
        let games = library.games.iter().map(|game| game.entry.key);
        self.games = games.filter(|key| list.iter().any(|lesson| lesson.game == *key)).collect();
        self.chosen = self.chosen.min(self.games.len().saturating_sub(1));
        self.cards.clear();
        let Some(&game) = self.games.get(self.chosen) else { return };
        let Some(library_game) = library.game(game) else { return };
        for lesson in list.iter().rev().filter(|lesson| lesson.game == game).take(SHOWN) {
            let Some(table) = table_of(library, lesson) else { continue };
            let notation = settings.notation(table.as_ref(), words.language);
            let read = |text: &str| table.read(text).ok();
            let written =
                |text: &str| read(text).and_then(|action| table.write(action, notation)).unwrap_or_else(|| text.to_owned());
            let variant = table.setup().variant.as_deref().and_then(|key| library_game.sheet.variant(key));
            let name = variant.map_or(lesson.variant.as_str(), |variant| words.of(&variant.name));
            let title = match lesson.learnt.and_then(day) {
                Some(day) => format!("{name} · {day}"),
                None => name.to_owned(),
            };
            let said = words.fill("lessons.said", &[&written(&lesson.avoid), &written(&lesson.instead)]);
            let target = |text: &str| read(text).and_then(|action| action.target());
            let (avoid, instead) = (target(&lesson.avoid), target(&lesson.instead));
            self.cards.push(Card { scene: Scene::still_of(table.as_ref()), title, said, avoid, instead });
        }
    }
}

/// The local date of a time in seconds since 1970.
fn day(seconds: u64) -> Option<String> {
    play::day_of(i64::try_from(seconds).ok()?)
}

fn draw(
    mut contexts: EguiContexts,
    (mut page, mut boards): (ResMut<Page>, Boards),
    (learning, library, words): (Res<Learning>, Res<Library>, Res<Words>),
    (palette, settings): (Res<Palette>, Res<Settings>),
    mut requests: Requests,
) -> Result {
    let page = page.bypass_change_detection();
    let made = Some((learning.lessons().len(), page.chosen, words.language));
    if page.made != made || learning.is_changed() {
        page.make(&learning, &library, &settings, &words);
        page.made = Some((learning.lessons().len(), page.chosen, words.language));
    }
    let ctx = contexts.ctx_mut()?;
    let screen = ctx.content_rect();
    let columns = (((screen.width() - 112.0 + GAP) / (BOARD + GAP)) as usize).clamp(1, 4);
    let width = (columns as f32 * (BOARD + GAP)).max(360.0).min(page_width(ctx, screen.width() - 80.0));
    let frame = page_frame(ctx, &palette);
    let modal = egui::Modal::new(egui::Id::new("lessons")).frame(frame).show(ctx, |ui| {
        page_of(ui, width, |ui| {
            heading(ui, words.say("lessons.title"));
            ui.prose(RichText::new(words.say("lessons.about")).size(SMALL).color(palette.dim()));
            let mut learns = settings.learns;
            if tick(ui, &mut learns, words.say("lessons.learns")).changed() {
                requests.change(move |settings: &mut Settings| settings.learns = learns);
            }
            if learning.is_at_work() {
                dim(ui, &palette, words.say("lessons.at-work"));
            }
            let names: Vec<(usize, &str)> = page
                .games
                .iter()
                .enumerate()
                .filter_map(|(index, game)| Some((index, words.of(&library.game(game)?.sheet.name))))
                .collect();
            if names.len() > 1 {
                segmented(ui, &mut page.chosen, &names);
            }
            let space = (screen.height() - page_less(ui, 340.0)).clamp(96.0, 460.0);
            egui::ScrollArea::vertical().max_height(space).auto_shrink([false, true]).show(ui, |ui| {
                if page.cards.is_empty() {
                    dim(ui, &palette, words.say("lessons.none"));
                }
                let Some(library_game) = page.games.get(page.chosen).and_then(|game| library.game(game)) else { return };
                for row in page.cards.chunks(columns) {
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = GAP;
                        for card in row {
                            show(ui, card, library_game, &mut boards, &palette);
                        }
                    });
                }
            });
            ui.add_space(8.0);
            let width = ui.available_width();
            if page.asks {
                ui.prose(RichText::new(words.with("lessons.question", learning.lessons().len())).size(BODY));
                ui.horizontal(|ui| {
                    let half = (ui.available_width() - 8.0) / 2.0;
                    if wide_button(ui, words.say("lessons.forget"), half, true).clicked() {
                        requests.write(ForgetLessons(None));
                        page.asks = false;
                    }
                    if wide_button(ui, words.say("lessons.keep"), half, true).clicked() {
                        page.asks = false;
                    }
                });
            } else if wide_drawn_button(ui, Icon::Close, words.say("lessons.clear"), width, !learning.lessons().is_empty())
                .clicked()
            {
                page.asks = true;
            }
            filled_button(ui, &palette, words.say("menu.done"), width, true).clicked()
        })
    });
    if modal.inner {
        requests.write(PageRequest::Menu(Menu::Settings));
    } else if modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

fn show(ui: &mut egui::Ui, card: &Card, library_game: &LibraryGame, boards: &mut Boards, palette: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(BOARD, BOARD + CAPTION), egui::Sense::hover());
    let label = format!("{} · {}", card.title, card.said);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &label));
    if !ui.is_rect_visible(rect) {
        return;
    }
    let place = egui::Rect::from_min_size(rect.min, vec2(BOARD, BOARD));
    if let Some(board) = boards.within(ui.painter(), library_game, card.scene.size, place) {
        board.draw(ui.painter(), &card.scene.after(), &[]);
        for (point, bad) in [(card.avoid, true), (card.instead, false)] {
            let Some(point) = point else { continue };
            sign(ui.painter(), board.point(point), board.cell(), bad, palette);
        }
    }
    for (text, y, ink) in [(&card.title, 4.0, palette.dim()), (&card.said, 22.0, palette.text())] {
        let galley = egui::WidgetText::from(RichText::new(text).size(SMALL).color(ink)).into_galley(
            ui,
            Some(egui::TextWrapMode::Truncate),
            BOARD,
            egui::TextStyle::Small,
        );
        ui.painter().galley(rect.min + vec2(0.0, BOARD + y), galley, ink);
    }
}

/// A cross for the losing move and a ring for the other, so that they differ in shape.
fn sign(painter: &egui::Painter, at: Pos2, cell: f32, bad: bool, palette: &Palette) {
    let reach = (0.42 * cell).max(4.0);
    for (width, ink) in
        [(4.0, Color32::from_black_alpha(170)), (2.0, if bad { colour(palette.theme.alarm) } else { Color32::WHITE })]
    {
        let stroke = Stroke::new(width, ink);
        if bad {
            for way in [vec2(reach, reach), vec2(reach, -reach)] {
                painter.line_segment([at - way, at + way], stroke);
            }
        } else {
            painter.circle_stroke(at, reach, stroke);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Page>()
        .add_systems(OnEnter(Menu::Lessons), |mut page: ResMut<Page>| *page = Page::default())
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(in_state(Menu::Lessons)));
}
