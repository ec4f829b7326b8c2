//! The ending of a match: a card on the board that says who won and what one may want next, and the ribbon in the panel that stays when the card is
//! put away.

use super::board_place;
use super::panel::Room;
use super::speech::Named;
use super::style::{BODY, Palette, SMALL, TITLE, colour};
use super::widgets::{
    Face, Icon, arrive, ask_face, dim, face_button, icon_button, menu_item, menu_of, natural_width, target, with_key,
};
use crate::app::layout::Layout;
use crate::app::picture::InMotion;
use crate::app::play::{CurrentMatch, EndCard, MyResults};
use crate::app::requests::{
    AnyRequest, BeginRequest, CopyRequest, CursorRequest, ExportRequest, PageRequest, Requests, ReviewRequest, ShowEnding,
};
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Rect, RichText, Ui, pos2, vec2};
use qiju_core::rules::{Outcome, Point, Reason};

/// Widest card, its height, and the height of its buttons, in pixels.
const WIDEST: f32 = 440.0;
const HEIGHT: f32 = 148.0;
const BUTTON: f32 = 40.0;
/// Between the card and the board's edge.
const EDGE: f32 = 16.0;
/// Height of the line about the player's rating.
const STANDING: f32 = 22.0;
/// How much darker the desk is while the card is shown.
const DIMMED: f32 = 0.10;

pub fn draw(
    mut contexts: EguiContexts,
    (card, current, results): (Res<EndCard>, Res<CurrentMatch>, Res<MyResults>),
    (words, palette, settings, layout): (Res<Words>, Res<Palette>, Res<Settings>, Res<Layout>),
    (moving, menu): (Query<(), With<InMotion>>, Res<State<Menu>>),
    mut requests: Requests,
) -> Result {
    let Some(outcome) = current.outcome().filter(|_| card.is_open()) else { return Ok(()) };
    // When the last piece has landed.
    if !moving.is_empty() || *menu.get() != Menu::None {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    let Some(body) = board_place::body(&layout, &current) else { return Ok(()) };
    let free = board_place::space(&layout);
    let width = WIDEST.min(free.width() - 2.0 * EDGE);
    let standing = words.standing(&results, &current);
    let higher = if layout.fingers { 16.0 } else { 0.0 };
    let height = higher + if standing.is_some() { HEIGHT + STANDING } else { HEIGHT };
    let rect = place(vec2(width, height), body, free, &shown_points(&current, &layout));
    let name = (current.seed(), current.table().ply(), outcome);
    let id = egui::Id::new("ending");
    let area = egui::Area::new(id).fixed_pos(rect.min).order(egui::Order::Middle).constrain(false);
    let mut part = 1.0;
    let shown = area.show(ctx, |ui| {
        part = arrive(ui, format!("{name:?}"), &settings, |ui| {
            let frame = egui::Frame::new()
                .fill(colour(palette.panel().surface))
                .stroke(egui::Stroke::new(1.0, colour(palette.panel().hairline)))
                .corner_radius(8.0)
                .shadow(egui::Shadow { offset: [0, 6], blur: 18, spread: 0, color: egui::Color32::from_black_alpha(90) })
                .inner_margin(16);
            frame.show(ui, |ui| {
                ui.set_width(width - 32.0);
                contents(ui, &current, (outcome, standing.as_deref()), (&words, &palette), &mut requests);
            });
        });
    });
    dim_desk(ctx, free, body, DIMMED * part);
    // A click anywhere else puts it away.
    let away = ctx.input(|input| {
        // In a slow frame the button may be up again.
        input.pointer.primary_pressed() && input.pointer.latest_pos().is_some_and(|at| !shown.response.rect.contains(at))
    });
    if away && part > 0.0 && !egui::Popup::is_any_open(ctx) {
        requests.write(ShowEnding(false));
    }
    Ok(())
}

/// A square that the card should not cover, and how much it matters.
type Kept = (Rect, f32);

/// What the card may not cover: what decided the game, and the last move.
fn shown_points(current: &CurrentMatch, layout: &Layout) -> Vec<Kept> {
    let table = current.shown();
    let last = table.played().last().copied();
    let decisive = table.winning_line().into_iter().chain(table.check()).map(|point| (point, 4.0));
    let moved = last.into_iter().flat_map(|action| action.origin().into_iter().chain(action.target())).map(|point| (point, 1.0));
    let side = vec2(1.1, 1.1) * layout.interface_cell();
    let square = |point: Point| Rect::from_center_size(board_place::point(layout, point), side);
    decisive.chain(moved).map(|(point, weight)| (square(point), weight)).collect()
}

/// The area that two rectangles have in common.
fn common(a: Rect, b: Rect) -> f32 {
    let both = a.intersect(b);
    if both.is_positive() { both.area() } else { 0.0 }
}

/// Steps in which a place for the card is looked for, in pixels.
const STEP: f32 = 12.0;

/// Where a card of this size lies: on the lower third of the board, or where it covers less of what is to be seen.
fn place(size: egui::Vec2, body: Rect, free: Rect, kept: &[Kept]) -> Rect {
    let left = (body.center().x - size.x / 2.0).max(free.left() + EDGE).round();
    let first = body.bottom().min(free.bottom()) - size.y - EDGE;
    let covered = |top: f32| -> f32 {
        let card = Rect::from_min_size(pos2(left, top), size);
        let part = |square: Rect| common(card, square) / square.area();
        kept.iter().map(|(square, weight)| part(*square) * weight).sum()
    };
    let (low, high) = (free.bottom() - size.y - EDGE / 2.0, free.top() + EDGE / 2.0);
    let steps = ((low - high) / STEP).max(0.0) as u32;
    let places = std::iter::once(first).chain((0..=steps).map(|step| low - step as f32 * STEP));
    let mut best = (first, f32::INFINITY);
    for top in places {
        let cover = covered(top);
        if cover < best.1 - 0.01 {
            best = (top, cover);
        }
    }
    Rect::from_min_size(pos2(left, best.0.round()), size)
}

/// The desk around the board is a little darker while the card is shown.
fn dim_desk(ctx: &egui::Context, free: Rect, body: Rect, strength: f32) {
    let painter = ctx.layer_painter(egui::LayerId::background());
    let dark = egui::Color32::from_black_alpha((255.0 * strength) as u8);
    let parts = [
        Rect::from_min_max(free.min, pos2(body.left(), free.bottom())),
        Rect::from_min_max(pos2(body.right(), free.top()), free.max),
        Rect::from_min_max(pos2(body.left(), free.top()), pos2(body.right(), body.top())),
        Rect::from_min_max(pos2(body.left(), body.bottom()), pos2(body.right(), free.bottom())),
    ];
    for part in parts.into_iter().filter(|part| part.is_positive()) {
        painter.rect_filled(part, 0.0, dark);
    }
}

/// Who won, why, how long it took, and three buttons.
fn contents(
    ui: &mut Ui,
    current: &CurrentMatch,
    (outcome, standing): (Outcome, Option<&str>),
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    ui.horizontal(|ui| {
        let space = ui.available_width() - 2.0 * (target(ui) + ui.spacing().item_spacing.x);
        ui.allocate_ui_with_layout(vec2(space, 32.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(space);
            ui.add(egui::Label::new(RichText::new(words.headline(current, outcome)).size(TITLE)).truncate());
        });
        let share = icon_button(ui, Icon::Share, words.say("result.share"), 32.0, true);
        menu_of(&share).show(|ui| {
            for (key, request) in [
                ("sheet.copy-game", AnyRequest::from(CopyRequest::Game)),
                ("sheet.copy-position", CopyRequest::Position.into()),
                ("sheet.copy-link", CopyRequest::Link.into()),
                ("sheet.picture", PageRequest::Menu(Menu::Picture).into()),
                ("sheet.export", ExportRequest(None).into()),
            ] {
                if menu_item(ui, words.say(key), 180.0, true) {
                    requests.write(request);
                }
            }
        });
        let close = ShowEnding(false);
        let tip = with_key(words, words.say("result.close"), close, requests);
        let face = Face { icon: Some(Icon::Close), ..Face::default() };
        let button = face_button(ui, face, vec2(32.0, 32.0), true).called(words.say("result.close"));
        if button.tip(tip).clicked() {
            requests.write(close);
        }
    });
    let told = format!("{} · {}", words.reason(current, outcome), words.length(current.game(), moves(current)));
    ui.add(egui::Label::new(RichText::new(told).size(SMALL).color(palette.dim())).truncate());
    if let Some(standing) = standing {
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.allocate_ui(vec2(ui.available_width(), STANDING - 8.0), |ui| {
                ui.prose(RichText::new(standing).size(SMALL).color(palette.text()));
            });
        });
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let look = (Icon::Review, "result.look", false, AnyRequest::from(ReviewRequest::Show));
        // Two friends exchange their sides.
        let buttons = match current.friend() {
            _ if current.looks_on() => vec![look],
            Some(_) => vec![(Icon::Again, "letters.again", true, BeginRequest::Rematch(true).into()), look],
            None => vec![
                (Icon::Again, "result.rematch", true, BeginRequest::Rematch(false).into()),
                (Icon::Swap, "result.swap", false, BeginRequest::Rematch(true).into()),
                look,
            ],
        };
        let count = buttons.len() as f32;
        let size = vec2((ui.available_width() - 8.0 * (count - 1.0)) / count, BUTTON);
        for (icon, key, filled, request) in buttons {
            let text = words.say(key);
            ask_face(ui, words, Face { icon: Some(icon), text, filled }, request, size, true, requests);
        }
    });
}

/// Moves of the match: choices in the opening are none.
fn moves(current: &CurrentMatch) -> usize {
    use qiju_core::table::Action;
    current.table().played().iter().filter(|action| !matches!(action, Action::Choose(_))).count()
}

/// True where the end came from moves that went in a circle.
fn tells_cycle(outcome: Outcome) -> bool {
    matches!(outcome.reason, Reason::Repetition | Reason::PerpetualCheck | Reason::PerpetualChase)
}

/// The result, which brings the card back when it is clicked: in two lines of the panel, or in a row.
pub fn section(
    ui: &mut Ui,
    room: Room,
    current: &CurrentMatch,
    outcome: Outcome,
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    let (headline, reason) = (words.headline(current, outcome), words.reason(current, outcome));
    if room == Room::Row {
        let face = Face { icon: None, text: &headline, filled: false };
        let width = natural_width(ui, face).clamp(132.0, 200.0);
        if face_button(ui, face, vec2(width, 32.0), true).tip(words.say("result.show")).clicked() {
            requests.write(ShowEnding(true));
        }
        dim(ui, palette, reason);
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("{headline} · {reason}")));
    let visuals = ui.style().interact(&response);
    ui.painter().rect(rect, 8.0, visuals.weak_bg_fill, visuals.bg_stroke, egui::StrokeKind::Inside);
    let stripe = Rect::from_min_size(rect.min + vec2(0.0, 8.0), vec2(3.0, rect.height() - 16.0));
    ui.painter().rect_filled(stripe, 1.5, palette.accent());
    let space = rect.width() - 28.0;
    for (text, y, size, ink) in [(headline, 4.0, BODY, palette.text()), (reason, 24.0, SMALL, palette.dim())] {
        let text = egui::WidgetText::from(RichText::new(text).size(size).color(ink));
        let galley = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), space, egui::TextStyle::Body);
        ui.painter().galley(rect.min + vec2(14.0, y), galley, ink);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect.expand(2.0), 10.0, egui::Stroke::new(2.0, palette.accent()), egui::StrokeKind::Outside);
    }
    if response.tip(words.say("result.show")).clicked() {
        requests.write(ShowEnding(true));
    }
    if tells_cycle(outcome) {
        let size = vec2(ui.available_width(), 32.0);
        let face = Face { icon: Some(Icon::Play), text: words.say("result.cycle"), filled: false };
        if face_button(ui, face, size, true).clicked() {
            requests.write(CursorRequest::ShowCycle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_lies_low_unless_it_would_cover_what_decided_the_game() {
        let body = Rect::from_min_size(pos2(20.0, 10.0), vec2(600.0, 700.0));
        let free = body.expand(10.0);
        let size = vec2(440.0, HEIGHT);
        let square = |x: f32, y: f32| Rect::from_center_size(pos2(x, y), vec2(40.0, 40.0));
        let alone = place(size, body, free, &[]);
        assert_eq!(alone.bottom(), body.bottom() - EDGE);
        assert!((alone.center().x - body.center().x).abs() <= 1.0);
        let general = square(320.0, 650.0);
        let above = place(size, body, free, &[(general, 4.0)]);
        assert!(!above.intersects(general) && free.contains_rect(above), "{above:?}");
        // Where nothing is free, the last move is covered rather than the line that won.
        let line: Vec<Kept> =
            (0..10).map(|step| (square(320.0, 40.0 + 70.0 * step as f32), if step < 5 { 4.0 } else { 1.0 })).collect();
        let low = place(size, body, free, &line);
        assert!(line.iter().all(|(square, weight)| *weight == 1.0 || !low.intersects(*square)), "{low:?}");
    }
}
