//! The panel beside the board: the seats, the moves, what can be done.

use super::moves::SheetView;
use super::style::{BODY, Palette, SMALL, TITLE, colour};
use super::widgets::{arrive, breathing_dots, button, dim, filled_button, hairline, root, switch, tall_button, wide_button};
use crate::app::explore::{ANALYSIS_LINES, Analysis, Attempt, Hint, ProofSearch, Trainer};
use crate::app::hand::Selection;
use crate::app::intent::{Go, Intent};
use crate::app::layout::{Layout, PANEL_WIDTH};
use crate::app::play::{Broken, CurrentMatch, MatchClock, ScoreSheet, Seat, Thinking, ThoughtLine};
use crate::app::settings::Settings;
use crate::app::state::{Menu, Phase};
use crate::app::view::{PieceImages, SMALL_PIECE, Trays};
use crate::app::words::Words;
use crate::record::SeatSpec;
use crate::rules::{BySide, Outcome, Reason, Side};
use crate::search::{Known, Value, Verdict};
use crate::table::{Piece, Progress};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Align, RichText, Ui, vec2};

/// What the panel reads.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Seen<'w, 's> {
    current: Option<Res<'w, CurrentMatch>>,
    clock: Res<'w, MatchClock>,
    sheet: Res<'w, ScoreSheet>,
    selection: Res<'w, Selection>,
    words: Res<'w, Words>,
    palette: Res<'w, Palette>,
    settings: Res<'w, Settings>,
    layout: Res<'w, Layout>,
    images: Res<'w, PieceImages>,
    hint: Res<'w, Hint>,
    phase: Option<Res<'w, State<Phase>>>,
    time: Res<'w, Time<Real>>,
    analysis: Res<'w, Analysis>,
    attempt: Res<'w, Attempt>,
    proof: Res<'w, ProofSearch>,
    certain: super::truth::TruthSection<'w>,
    trainer: Res<'w, Trainer>,
    seats: Query<'w, 's, (&'static Seat, Has<Thinking>, Has<Broken>, Option<&'static ThoughtLine>)>,
}

pub fn draw(
    mut contexts: EguiContexts,
    seen: Seen,
    (mut trays, mut view): (ResMut<Trays>, ResMut<SheetView>),
    mut intents: MessageWriter<Intent>,
) -> Result {
    let view = view.bypass_change_detection();
    let Some(current) = &seen.current else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    trays.bypass_change_detection().0 = BySide::from_fn(|side| {
        let place: Option<egui::Pos2> = ctx.data(|data| data.get_temp(tray(side)));
        place.map(|place| Vec2::new(place.x, place.y))
    });
    let mut ui = root(ctx, "match");
    if seen.layout.panel_over {
        narrow_bar(&mut ui, &seen, current, &mut intents);
        if !seen.layout.panel_open {
            return Ok(());
        }
        let area = ui.max_rect();
        let rect = egui::Rect::from_min_max(egui::pos2(area.right() - PANEL_WIDTH, area.top() + 48.0), area.max);
        egui::Area::new(egui::Id::new("drawer")).fixed_pos(rect.min).order(egui::Order::Middle).show(ctx, |ui| {
            frame(&seen.palette).show(ui, |ui| {
                ui.set_width(PANEL_WIDTH - 32.0);
                ui.set_height(rect.height() - 32.0);
                contents(ui, &seen, current, view, &mut intents);
            });
        });
        return Ok(());
    }
    egui::Panel::right("panel")
        .exact_size(PANEL_WIDTH)
        .resizable(false)
        .show_separator_line(false)
        .frame(frame(&seen.palette))
        .show(&mut ui, |ui| contents(ui, &seen, current, view, &mut intents));
    Ok(())
}

fn frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new().fill(colour(palette.panel().surface)).inner_margin(16)
}

/// In a narrow window: the turn and the button that unfolds the panel.
fn narrow_bar(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, intents: &mut MessageWriter<Intent>) {
    let frame = egui::Frame::new().fill(colour(seen.palette.panel().surface)).inner_margin(egui::Margin::symmetric(16, 8));
    egui::Panel::top("bar").exact_size(48.0).resizable(false).show_separator_line(false).frame(frame).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            if !seen.layout.panel_open && super::attempt::narrow(ui, current, &seen.attempt, &seen.words, intents) {
                return;
            }
            if seen.selection.pending.is_some() {
                for (key, yes) in [("confirm.play", true), ("confirm.drop", false)] {
                    if button(ui, seen.words.say(key), true).clicked() {
                        intents.write(Intent::Confirm(yes));
                    }
                }
            } else if !super::opening::narrow(ui, current, &seen.words, intents) {
                ui.label(status(current, &seen.words));
            }
            for side in Side::BOTH {
                let Some(left) = seen.clock.get().left(side) else { continue };
                ui.add_space(16.0);
                dim(ui, &seen.palette, seen.words.seat(current, side));
                let runs = current.outcome().is_none() && current.table().seat_to_move() == side;
                super::clock::show(ui, left, runs, &seen.palette);
            }
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                let key = if seen.layout.panel_open { "panel.fold" } else { "panel.unfold" };
                if button(ui, seen.words.say(key), true).clicked() {
                    intents.write(Intent::Panel);
                }
                if button(ui, seen.words.say("play.undo"), current.can_undo()).clicked() {
                    intents.write(Intent::Undo);
                }
            });
        });
    });
}

fn contents(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, view: &mut SheetView, intents: &mut MessageWriter<Intent>) {
    let (top, bottom) = if seen.layout.flipped { (Side::First, Side::Second) } else { (Side::Second, Side::First) };
    seat(ui, seen, current, top, intents);
    ui.add_space(4.0);
    hairline(ui);
    let over = current.outcome();
    let exercise = seen.trainer.exercise();
    // What stands below the moves, so that they take the rest.
    let opening = super::opening::height(current);
    let ending = over.map_or(28.0 + opening, |outcome| if tells_cycle(outcome) { 188.0 } else { 148.0 });
    let ending = exercise.map_or(ending, |_| super::trainer::card_height(current) + 8.0);
    let thought_height = if seen.settings.show_thinking { 44.0 } else { 0.0 };
    let below = 64.0
        + 88.0
        + 24.0
        + ending
        + thought_height
        + super::moves::LEAFING
        + 16.0
        + seen.certain.height(current)
        + super::attempt::height(current, &seen.attempt, &seen.proof)
        + analysis_height(seen, current);
    let height = (ui.available_height() - below).max(48.0);
    ui.scope(|ui| super::moves::list(ui, view, (&seen.sheet, current), (&seen.words, &seen.palette), height, intents));
    super::moves::leaf(ui, view, (&seen.sheet, current), (&seen.words, &seen.palette), intents);
    hairline(ui);
    if seen.settings.show_thinking {
        thought(ui, seen, current);
    }
    opinion(ui, seen, current, intents);
    super::attempt::section(ui, current, (&seen.attempt, &seen.proof), (&seen.words, &seen.palette, &seen.layout), intents);
    seen.certain.section(ui, current, &seen.words, &seen.palette, intents);
    match over {
        _ if exercise.is_some() => {
            let Some(exercise) = exercise else { return };
            super::trainer::card(ui, exercise, seen.certain.review(), current, &seen.words, &seen.palette, intents);
        }
        Some(outcome) => {
            // When the last piece has landed.
            let landed = seen.phase.as_ref().is_some_and(|phase| *phase.get() == Phase::Over);
            let name = (current.seed(), current.table().ply());
            let height = ending - 12.0;
            ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_min_height(height);
                if landed {
                    arrive(ui, name, &seen.settings, |ui| result(ui, seen, current, outcome, intents));
                }
            });
        }
        None if seen.selection.pending.is_some() => confirmation(ui, seen, intents),
        None if opening > 0.0 => {
            let height = 28.0 + opening - 4.0;
            ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_min_height(height);
                super::opening::card(ui, current, seen.hint.shown, (&seen.words, &seen.palette), intents);
            });
        }
        None => {
            ui.allocate_ui_with_layout(vec2(ui.available_width(), 24.0), egui::Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_height(24.0);
                ui.label(RichText::new(status(current, &seen.words)).size(BODY));
            });
        }
    }
    hairline(ui);
    seat(ui, seen, current, bottom, intents);
    ui.add_space(4.0);
    actions(ui, seen, current, intents);
}

/// The buttons under a move that waits to be confirmed.
fn confirmation(ui: &mut Ui, seen: &Seen, intents: &mut MessageWriter<Intent>) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        for (key, yes) in [("confirm.play", true), ("confirm.drop", false)] {
            if wide_button(ui, seen.words.say(key), width, true).clicked() {
                intents.write(Intent::Confirm(yes));
            }
        }
    });
}

/// True where the end came from moves that went in a circle.
fn tells_cycle(outcome: Outcome) -> bool {
    matches!(outcome.reason, Reason::Repetition | Reason::PerpetualCheck | Reason::PerpetualChase)
}

/// Whose turn it is, or who won.
fn status(current: &CurrentMatch, words: &Words) -> String {
    if let Some(outcome) = current.outcome() {
        return words.headline(current, outcome);
    }
    let table = current.table();
    let turn = words.with("play.turn", words.seat(current, table.seat_to_move()));
    if table.check().is_some() { format!("{turn} · {}", words.say("play.check")) } else { turn }
}

/// Who plays there.
fn seat_name(spec: &SeatSpec, words: &Words) -> String {
    match spec {
        SeatSpec::Human => words.say("setup.human").to_owned(),
        SeatSpec::Computer { level } => {
            format!("{} · {}", words.with("level", level), words.say(&format!("level.{level}")))
        }
        SeatSpec::External { name } => name.clone(),
    }
}

/// One seat: `side` is what it is called by. In an opening the side it comes to have may be the other.
fn seat(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, side: Side, intents: &mut MessageWriter<Intent>) {
    let words = &seen.words;
    let to_move = current.outcome().is_none() && current.table().seat_to_move() == side;
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 56.0), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(56.0);
        ui.set_max_height(56.0);
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 20.0), egui::Sense::hover());
            if to_move {
                ui.painter().circle_filled(rect.center(), 4.0, seen.palette.accent());
            }
            let clock = seen.clock.get().left(side);
            // The clock stands at the right; the name takes what is left.
            let space = ui.available_width() - if clock.is_some() { 104.0 } else { 0.0 };
            ui.allocate_ui_with_layout(vec2(space, 28.0), egui::Layout::left_to_right(Align::Center), |ui| {
                ui.set_width(space);
                ui.label(RichText::new(words.seat(current, side)).size(BODY));
                let mut seats = seen.seats.iter();
                if let Some((_, thinking, broken, _)) = seats.find(|(seat, ..)| seat.0 == side) {
                    if thinking {
                        breathing_dots(ui, seen.palette.accent(), seen.time.elapsed_secs_f64());
                    } else if broken && button(ui, words.say("engines.again"), true).clicked() {
                        intents.write(Intent::TryAgain);
                    }
                }
                let name = match &current.heading().names[side] {
                    Some(name) if current.seats()[side] == SeatSpec::Human => name.clone(),
                    _ => seat_name(&current.seats()[side], words),
                };
                let name = RichText::new(name).size(SMALL).color(seen.palette.dim());
                ui.add(egui::Label::new(name).truncate());
            });
            if let Some(left) = clock {
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                    super::clock::show(ui, left, to_move, &seen.palette);
                });
            }
        });
        captured(ui, seen, current, current.table().seat_of(side).unwrap_or(side));
    });
}

/// Where the panel remembers the place of the next piece a side takes.
fn tray(side: Side) -> egui::Id {
    egui::Id::new(("tray", side))
}

/// The pieces a side has taken.
fn captured(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, taker: Side) {
    let taken = taken_from(current, !taker);
    let next = vec2(18.0 + SMALL_PIECE * (taken.len() as f32 + 0.5), SMALL_PIECE / 2.0);
    ui.data_mut(|data| data.insert_temp(tray(taker), ui.cursor().min + next));
    if taken.is_empty() {
        return;
    }
    let space = ui.available_width() - 18.0;
    let step = (space / taken.len() as f32).min(SMALL_PIECE + 2.0);
    let (rect, _) = ui.allocate_exact_size(vec2(space, SMALL_PIECE + 2.0), egui::Sense::hover());
    for (index, piece) in taken.iter().enumerate() {
        let Some(id) = seen.images.small(*piece) else { continue };
        let corner = rect.min + vec2(18.0 + step * index as f32, 0.0);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let place = egui::Rect::from_min_size(corner, vec2(SMALL_PIECE, SMALL_PIECE));
        ui.painter().image(id, place, whole, egui::Color32::WHITE);
    }
}

/// The pieces a side has lost since the match began.
fn taken_from(current: &CurrentMatch, side: Side) -> Vec<Piece> {
    let mut lost: Vec<Piece> = current.start_pieces().iter().copied().filter(|piece| piece.side == side).collect();
    lost.sort_by_key(|piece| piece.role);
    for (_, piece) in current.table().pieces() {
        if let Some(index) = lost.iter().position(|other| *other == piece) {
            lost.remove(index);
        }
    }
    lost
}

/// A value from the view of the side to move, in words.
fn value_text(value: Value, words: &Words) -> String {
    match value {
        Value::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Value::Mate(moves) if moves >= 0 => words.with("value.wins-in", moves),
        Value::Mate(moves) => words.with("value.loses-in", -moves),
        Value::Exact(Verdict { known, plies }) => match (known, plies) {
            (Known::Draw, _) => words.say("value.draw").to_owned(),
            (Known::Win, Some(plies)) => words.with("value.wins-in-plies", plies),
            (Known::Loss, Some(plies)) => words.with("value.loses-in-plies", plies),
            (Known::Win, None) => words.say("value.wins").to_owned(),
            (Known::Loss, None) => words.say("value.loses").to_owned(),
        },
    }
}

/// What the engine that thinks, or thought last, has told.
fn thought(ui: &mut Ui, seen: &Seen, current: &CurrentMatch) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 44.0), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(44.0);
        ui.spacing_mut().item_spacing.y = 2.0;
        let lines = seen.seats.iter().filter_map(|(seat, thinking, _, line)| Some((seat.0, thinking, line?)));
        let Some((_, _, ThoughtLine(line))) =
            lines.max_by_key(|(side, thinking, _)| (*thinking, *side != current.table().seat_to_move()))
        else {
            return;
        };
        let words = &seen.words;
        let depth = words.with("thought.depth", line.depth);
        let speed = speed_text(line);
        dim(ui, &seen.palette, format!("{depth} · {} · {speed}", value_text(line.value, words)));
        let pv = line.pv_text.join(" ");
        let text = RichText::new(pv).size(SMALL).color(seen.palette.dim());
        ui.add(egui::Label::new(text).truncate());
    });
}

/// Height of a line of the analysis.
const LINE: f32 = 20.0;

fn analysis_height(seen: &Seen, current: &CurrentMatch) -> f32 {
    match (current.can_be_analysed(), seen.analysis.is_on()) {
        (false, _) => 0.0,
        (true, false) => 40.0,
        (true, true) => 40.0 + LINE * ANALYSIS_LINES as f32,
    }
}

/// What our engine thinks of the position shown, when asked.
fn opinion(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, intents: &mut MessageWriter<Intent>) {
    let height = analysis_height(seen, current) - 8.0;
    if height <= 0.0 {
        return;
    }
    let (words, analysis) = (&seen.words, &seen.analysis);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(height);
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.horizontal(|ui| {
            let switch = switch(ui, &seen.palette, words.say("analysis.title"), analysis.is_on());
            if switch.on_hover_text(words.say("analysis.note")).clicked() {
                intents.write(Intent::Analyse);
            }
            if let Some(best) = analysis.lines().next() {
                dim(ui, &seen.palette, words.with("thought.depth", best.depth));
            }
        });
        for (index, line) in analysis.lines().enumerate() {
            let row =
                ui.allocate_ui_with_layout(vec2(ui.available_width(), LINE), egui::Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_height(LINE);
                    let value = RichText::new(value_text(line.value, words)).size(SMALL).color(seen.palette.text());
                    ui.allocate_ui_with_layout(vec2(72.0, LINE), egui::Layout::left_to_right(Align::Center), |ui| {
                        ui.set_min_width(72.0);
                        ui.label(value);
                    });
                    let moves = RichText::new(line.moves.join(" ")).size(SMALL).color(seen.palette.dim());
                    ui.add(egui::Label::new(moves).truncate());
                });
            if row.response.interact(egui::Sense::click()).on_hover_text(words.say("analysis.take")).clicked() {
                intents.write(Intent::TakeLine(index));
            }
        }
    });
}

/// Positions a second, short.
fn speed_text(line: &Progress) -> String {
    match line.nps() {
        n if n >= 1_000_000 => format!("{:.1} M/s", n as f64 / 1e6),
        n if n >= 1_000 => format!("{:.0} k/s", n as f64 / 1e3),
        n => format!("{n} /s"),
    }
}

/// How the match ended, and what now.
fn result(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, outcome: Outcome, intents: &mut MessageWriter<Intent>) {
    let words = &seen.words;
    ui.add_space(4.0);
    ui.label(RichText::new(words.headline(current, outcome)).size(TITLE));
    dim(ui, &seen.palette, words.reason(current, outcome));
    if tells_cycle(outcome) {
        let width = ui.available_width();
        if wide_button(ui, words.say("result.cycle"), width, true).clicked() {
            intents.write(Intent::ShowCycle);
        }
    }
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 16.0) / 3.0;
        if filled_button(ui, &seen.palette, words.say("result.rematch"), width, true).clicked() {
            intents.write(Intent::Rematch(false));
        }
        for (key, intent) in [("result.swap", Intent::Rematch(true)), ("result.look", Intent::Go(Go::Start))] {
            if tall_button(ui, words.say(key), width).clicked() {
                intents.write(intent);
            }
        }
    });
}

fn actions(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, intents: &mut MessageWriter<Intent>) {
    let words = &seen.words;
    let width = (ui.available_width() - 16.0) / 3.0;
    let human = seen.phase.as_ref().is_some_and(|phase| *phase.get() == Phase::Human);
    ui.horizontal(|ui| {
        for (key, enabled, intent) in [
            ("play.undo", current.can_undo(), Intent::Undo),
            ("play.redo", current.can_redo(), Intent::Redo),
            ("play.hint", human && current.help_allowed() && !seen.hint.is_sought(), Intent::Hint),
        ] {
            if wide_button(ui, words.say(key), width, enabled).clicked() {
                intents.write(intent);
            }
        }
    });
    ui.horizontal(|ui| {
        if wide_button(ui, words.say("play.flip"), width, true).clicked() {
            intents.write(Intent::Flip);
        }
        if wide_button(ui, words.say("play.resign"), width, current.resigner().is_some()).clicked() {
            intents.write(Intent::Menu(Menu::Resign));
        }
        if wide_button(ui, words.say("play.menu"), width, true).clicked() {
            intents.write(Intent::Menu(Menu::Pause));
        }
    });
}
