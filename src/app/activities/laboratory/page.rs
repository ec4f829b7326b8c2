//! The page of the search laboratory: the tree as it is searched, the sizes of the five trees side by side, the chosen node, and the guided experiments.

use super::request::{LABORATORY, LabWish};
use super::shared::Page;
use super::state::{DEEPEST, Laboratory, Lane, WIDTHS};
use super::transport;
use super::view::{TreeView, ViewWish};
use crate::app::requests::{PageRequest, Requests};
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::view::FrameRequests;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::boards::Boards;
use crate::ui::draw::Draw;
use crate::ui::style::{BODY, Palette, SMALL, colour};
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{
    Icon, button, dim, grown, heading, icon_button, is_low, is_narrow, menu_item, menu_of, named, target, tick, wrapping,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align2, Color32, FontId, Rect, Sense, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2};
use qiju_core::search::{PlainKind, grouped};
use qiju_core::study::laboratory::MOST_COUNTED;

/// The margin of the page, and the distance between its parts, in logical pixels.
const MARGIN: f32 = 16.0;
const GAP: f32 = 8.0;
/// Below this width the controls take three rows.
const NARROWEST: f32 = 374.0;
/// The height of an algorithm's bar with its name.
const LANE: f32 = 36.0;

/// A key of a text for each algorithm.
fn name_key(kind: PlainKind) -> &'static str {
    match kind {
        PlainKind::Minimax => "lab.minimax",
        PlainKind::Negamax => "lab.negamax",
        PlainKind::AlphaBeta => "lab.alpha-beta",
        PlainKind::Ordered => "lab.ordered",
        PlainKind::Table => "lab.table",
    }
}

fn note_key(kind: PlainKind) -> &'static str {
    match kind {
        PlainKind::Minimax => "lab.minimax.note",
        PlainKind::Negamax => "lab.negamax.note",
        PlainKind::AlphaBeta => "lab.alpha-beta.note",
        PlainKind::Ordered => "lab.ordered.note",
        PlainKind::Table => "lab.table.note",
    }
}

impl Page<'_> {
    /// The way back, the title, the game and the guided experiments.
    fn head(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.horizontal(|ui| {
            if named(ui, Icon::Leave, self.words.say("menu.back")).clicked() {
                requests.write(PageRequest::Menu(Menu::None));
            }
            ui.add_space(4.0);
            heading(ui, self.words.say("lab.title"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let more = named(ui, Icon::Rules, self.words.say("lab.experiments"));
                menu_of(&more).show(|ui| {
                    for (number, experiment) in self.lab.experiments().iter().enumerate() {
                        let text = format!("{}. {}", number + 1, self.words.of(&experiment.title));
                        if menu_item(ui, text, 220.0, true) {
                            requests.write(LabWish::Experiment(Some(number)));
                        }
                    }
                });
                if self.lab.is_searching() && button(ui, self.words.say("lab.stop"), true).clicked() {
                    requests.write(LabWish::Stop);
                }
                let name = self.words.of(&self.game.sheet.name);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    if ui.available_width() > 90.0 {
                        dim(ui, self.palette, name);
                    }
                });
            });
        });
    }

    /// Depth, width, and whether it is searched depth by depth.
    fn controls(&self, ui: &mut Ui, view: &mut TreeView, requests: &mut Requests) {
        let setup = self.lab.setup();
        wrapping(ui, |ui| {
            let mut ask = |wish| {
                requests.write(wish);
            };
            ui.spacing_mut().item_spacing.x = 6.0;
            dim(ui, self.palette, self.words.say("lab.depth"));
            if icon_button(ui, Icon::Less, self.words.say("lab.shallower"), 32.0, setup.depth > 1).clicked() {
                ask(LabWish::Depth(setup.depth - 1));
            }
            self.figure(ui, &setup.depth.to_string(), 20.0);
            if icon_button(ui, Icon::New, self.words.say("lab.deeper"), 32.0, setup.depth < DEEPEST).clicked() {
                ask(LabWish::Depth(setup.depth + 1));
            }
            ui.add_space(8.0);
            dim(ui, self.palette, self.words.say("lab.width")).tip(self.words.say("lab.width.note"));
            let narrower = match setup.width {
                None => WIDTHS.last().copied(),
                Some(width) => WIDTHS.iter().rev().find(|other| **other < width).copied(),
            };
            if icon_button(ui, Icon::Less, self.words.say("lab.narrower"), 32.0, narrower.is_some()).clicked() {
                ask(LabWish::Width(narrower));
            }
            let text = setup.width.map_or_else(|| self.words.say("lab.all-moves").to_owned(), |width| width.to_string());
            self.figure(ui, &text, 30.0);
            if icon_button(ui, Icon::New, self.words.say("lab.wider"), 32.0, setup.width.is_some()).clicked() {
                ask(LabWish::Width(setup.width.and_then(|width| WIDTHS.iter().find(|other| **other > width).copied())));
            }
            ui.add_space(8.0);
            let mut deepening = setup.deepening;
            if tick(ui, &mut deepening, self.words.say("lab.deepening")).tip(self.words.say("lab.deepening.note")).changed() {
                ask(LabWish::Deepening(deepening));
            }
            if is_narrow(ui.ctx()) {
                self.view_buttons(ui, view, requests);
            } else {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| self.view_buttons(ui, view, requests));
            }
        });
    }

    /// A figure in the middle of so much space.
    fn figure(&self, ui: &mut Ui, text: &str, width: f32) {
        let (rect, response) = ui.allocate_exact_size(vec2(width, target(ui)), Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, text));
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(BODY), self.palette.text());
    }

    /// The five algorithms: how many nodes each has opened at this moment, and how many it opens in the end. A click shows its search.
    fn lanes(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.spacing_mut().item_spacing.y = 2.0;
        let lanes = self.lab.lanes();
        let most = lanes.iter().filter_map(|lane| lane.nodes()).max().unwrap_or(1).max(1);
        let moment = self.lab.playback().map_or(0, |playback| playback.opened() as u64);
        for (kind, lane) in PlainKind::ALL.into_iter().zip(lanes) {
            let chosen = self.lab.setup().algorithm == kind;
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LANE + grown(ui, 0.7)), Sense::click());
            let name = self.words.say(name_key(kind));
            let total = match lane {
                Lane::Size(size) => grouped(size.nodes),
                Lane::Counting => "…".to_owned(),
                Lane::TooLarge => format!("> {}", grouped(MOST_COUNTED as u64)),
                Lane::Stopped => "-".to_owned(),
            };
            let label = self.words.fill("lab.lane", &[name, &total]);
            response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, chosen, &label));
            let painter = ui.painter();
            if chosen || response.hovered() {
                let fill = if chosen { self.palette.panel().hover } else { self.palette.panel().raised };
                painter.rect_filled(rect, 6.0, colour(fill));
            }
            if chosen {
                let mark = Rect::from_min_size(rect.min + vec2(0.0, 6.0), vec2(3.0, rect.height() - 12.0));
                painter.rect_filled(mark, 1.5, self.palette.accent());
            }
            if response.has_focus() {
                painter.rect_stroke(rect, 6.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
            }
            let inner = rect.shrink2(vec2(10.0, 0.0));
            let font = FontId::proportional(SMALL);
            let ink = if chosen { self.palette.text() } else { self.palette.dim() };
            painter.text(pos2(inner.left(), rect.top() + 11.0), Align2::LEFT_CENTER, name, font.clone(), self.palette.text());
            painter.text(pos2(inner.right(), rect.top() + 11.0), Align2::RIGHT_CENTER, &total, font, ink);
            let rail = Rect::from_min_max(pos2(inner.left(), rect.bottom() - 11.0), pos2(inner.right(), rect.bottom() - 6.0));
            painter.rect_filled(rail, 2.5, self.hairline().gamma_multiply(0.6));
            let part = |nodes: u64| (nodes as f32 / most as f32).clamp(0.0, 1.0) * rail.width();
            match lane {
                Lane::TooLarge => {
                    painter.rect_filled(rail, 2.5, self.palette.dim().gamma_multiply(0.5));
                }
                Lane::Counting | Lane::Stopped => {}
                Lane::Size(size) => {
                    let whole = part(size.nodes).max(2.0);
                    let bar = |width: f32| Rect::from_min_size(rail.min, vec2(width, rail.height()));
                    painter.rect_filled(bar(whole), 2.5, self.palette.accent().gamma_multiply(0.35));
                    let now = size.nodes.min(moment);
                    if now > 0 {
                        painter.rect_filled(bar(part(now).max(2.0)), 2.5, self.palette.accent());
                    }
                }
            }
            if response.tip(self.words.say(note_key(kind))).clicked() {
                requests.write(LabWish::Algorithm(kind));
            }
        }
        ui.add_space(2.0);
        let same =
            lanes.iter().all(|lane| matches!((lane, lanes[4]), (Lane::Size(one), Lane::Size(other)) if one.value == other.value));
        if let (true, Lane::Size(size)) = (same, lanes[4]) {
            let value = crate::ui::panel::value_text(size.value, self.words);
            dim(ui, self.palette, self.words.with("lab.same-value", value));
        }
    }
}

/// How wide the column on the right is in a page of this width.
fn side_width(width: f32) -> f32 {
    (width * 0.27).clamp(224.0, 380.0).round()
}

fn page(
    mut contexts: EguiContexts,
    (lab, menu): (Res<Laboratory>, Res<State<Menu>>),
    (words, palette, settings): (Res<Words>, Res<Palette>, Res<Settings>),
    (mut view, mut boards, mut frames): (ResMut<TreeView>, Boards, ResMut<FrameRequests>),
    (mut wishes, mut requests): (MessageReader<ViewWish>, Requests),
) -> Result {
    view.wish = wishes.read().last().copied().or(view.wish);
    let Some(game) = lab.game().filter(|_| *menu.get() == Menu::Page(LABORATORY)) else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let page = Page { lab: &lab, game, words: &words, palette: &palette, settings: &settings };
    let window = ctx.content_rect();
    let id = egui::Id::new("laboratory");
    let area = egui::Modal::default_area(id).anchor(Align2::LEFT_TOP, egui::Vec2::ZERO);
    let modal = egui::Modal::new(id).area(area).frame(egui::Frame::NONE).backdrop_color(Color32::TRANSPARENT);
    let shown = modal.show(ctx, |ui| {
        ui.set_min_size(window.size());
        ui.painter().rect_filled(window, 0.0, page.surface());
        let narrow = is_narrow(ui.ctx());
        let (row, gap) = (target(ui), GAP);
        let inner = window.shrink(if narrow || is_low(ui.ctx()) { MARGIN / 2.0 } else { MARGIN });
        let part = |ui: &mut Ui, rect: Rect, add: &mut dyn FnMut(&mut Ui)| {
            ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| add(ui));
        };
        let head = Rect::from_min_size(inner.min, vec2(inner.width(), row));
        part(ui, head, &mut |ui| page.head(ui, &mut requests));
        // In a narrow window the controls take two rows, or three.
        let controls = Rect::from_min_size(head.left_bottom() + vec2(0.0, gap), vec2(inner.width(), row));
        let more = if !narrow {
            0.0
        } else if inner.width() < NARROWEST {
            2.0
        } else {
            1.0
        };
        let controls = controls.with_max_y(controls.bottom() + more * (row + gap));
        part(ui, controls, &mut |ui| page.controls(ui, &mut view, &mut requests));
        let top = controls.bottom() + gap;
        let high = transport::HEIGHT + grown(ui, 1.0);
        // The tree, and beside it the column with the rest; in a narrow window above it.
        let (left, column) = if narrow {
            let middle = top + ((inner.bottom() - top) * 0.6).round();
            (
                Rect::from_min_max(pos2(inner.left(), top), pos2(inner.right(), middle)),
                Rect::from_min_max(pos2(inner.left(), middle + gap), inner.max),
            )
        } else {
            let side = side_width(inner.width());
            let left = Rect::from_min_max(pos2(inner.left(), top), pos2(inner.right() - side - 2.0 * gap, inner.bottom()));
            (left, Rect::from_min_max(pos2(left.right() + 2.0 * gap, top), inner.max))
        };
        let transport = Rect::from_min_max(pos2(left.left(), left.bottom() - high), left.max);
        let tree = Rect::from_min_max(left.min, pos2(left.right(), transport.top() - gap));
        part(ui, tree, &mut |ui| page.canvas(ui, tree, &mut view, &mut frames, &mut requests));
        part(ui, transport, &mut |ui| page.transport(ui, &mut requests));
        part(ui, column, &mut |ui| {
            egui::ScrollArea::vertical().id_salt("side").auto_shrink([false, false]).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 6.0;
                page.lesson(ui, &mut requests);
                ui.scope(|ui| page.lanes(ui, &mut requests));
                page.node(ui, &mut view, &mut boards, &mut requests);
            });
        });
    });
    if shown.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    if let Some(due) = lab.due() {
        frames.wake_in(due.max(0.012));
    }
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    register(app, LABORATORY)
        .entry(7, Icon::Tree, "lab.title", |game, variant, _| Some(LabWish::Game(game.entry.key, variant.to_owned()).into()))
        .pause_entry(7, Icon::Tree, "lab.title", |_| Some(LabWish::Shown.into()))
        .commands("lab.title", transport::COMMANDS);
    app.init_resource::<TreeView>()
        .add_message::<LabWish>()
        .add_message::<ViewWish>()
        .add_systems(
            EguiPrimaryContextPass,
            page.in_set(Draw::Menu).run_if(in_state(Menu::Page(LABORATORY)).and_then(resource_exists::<Palette>)),
        )
        .add_systems(
            OnExit(Menu::Page(LABORATORY)),
            (|mut view: ResMut<TreeView>| *view = TreeView::default()).run_if(not(in_state(Menu::Help))),
        );
}
