//! The panel beside the board: the seats, the moves, the buttons.

mod small;

use super::moves::SheetView;
use super::style::{BODY, Palette, SMALL, colour};
use super::widgets::{
    Icon, ask_button, breathing_dots, button, dim, drawn_button, grown, hairline, icon_button, root, row_height, switch, with_key,
};
use crate::app::explore::{Analysis, Attempt, Course, Hint, HoldOut, ProofSearch, Puzzling, Trainer};
use crate::app::hand::Selection;
use crate::app::layout::{BAR, Layout, Shape};
use crate::app::play::{Broken, CurrentMatch, MatchClock, Offers, ScoreSheet, Seat, Thinking, ThoughtLine, Watch};
use crate::app::progress::PlayerProgress;
use crate::app::requests::{
    AnalysisRequest, AnyRequest, CursorRequest, HintRequest, LayoutRequest, PageRequest, Requests, SelectionRequest, StudyPage,
    StudyRequest, TakeLine, TryAgain,
};
use crate::app::settings::{Settings, SheetPieces};
use crate::app::state::Menu;
use crate::app::view::{PieceImages, SMALL_PIECE, Trays};
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Align, RichText, Ui, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Side};
use qiju_core::search::{Known, Value, Verdict};
use qiju_core::table::{Piece, Progress};

/// The resources that the panel reads.
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
    watch: Res<'w, Watch>,
    offers: Res<'w, Offers>,
    time: Res<'w, Time<Real>>,
    analysis: Res<'w, Analysis>,
    attempt: Res<'w, Attempt>,
    proof: Res<'w, ProofSearch>,
    certain: super::truth::TruthSection<'w>,
    trainer: Res<'w, Trainer>,
    hold_out: Res<'w, HoldOut>,
    course: Res<'w, Course>,
    progress: Res<'w, PlayerProgress>,
    puzzles: Res<'w, Puzzling>,
    study: super::study::StudySeen<'w>,
    seats: Query<'w, 's, (&'static Seat, Has<Thinking>, Has<Broken>, Option<&'static ThoughtLine>)>,
}

pub fn draw(
    mut contexts: EguiContexts,
    seen: Seen,
    (mut trays, mut view): (ResMut<Trays>, ResMut<SheetView>),
    mut requests: Requests,
) -> Result {
    let view = view.bypass_change_detection();
    let Some(current) = &seen.current else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    trays.bypass_change_detection().0 = BySide::from_fn(|side| {
        let place: Option<egui::Pos2> = ctx.data(|data| data.get_temp(tray(side)));
        place.map(|place| Vec2::new(place.x, place.y))
    });
    let mut ui = root(ctx, "match");
    match seen.layout.shape {
        Shape::Beside => {
            let panel = egui::Panel::right("panel").exact_size(seen.layout.panel).resizable(false).show_separator_line(false);
            panel.frame(frame(&seen.palette)).show(&mut ui, |ui| contents(ui, &seen, current, view, &mut requests));
        }
        Shape::Folded => folded(ctx, ui, &seen, current, view, &mut requests),
        Shape::Upright => {
            let panel = egui::Panel::bottom("panel").exact_size(seen.layout.sheet).resizable(false).show_separator_line(false);
            panel.frame(small::frame(&seen.palette)).show(&mut ui, |ui| small::show(ui, &seen, current, view, &mut requests));
        }
        Shape::Lying => {
            let panel = egui::Panel::right("panel").exact_size(seen.layout.panel).resizable(false).show_separator_line(false);
            panel.frame(small::frame(&seen.palette)).show(&mut ui, |ui| small::show(ui, &seen, current, view, &mut requests));
        }
    }
    Ok(())
}

/// In a narrow window: the bar, and the panel below it while it is unfolded.
fn folded(ctx: &egui::Context, mut ui: Ui, seen: &Seen, current: &CurrentMatch, view: &mut SheetView, requests: &mut Requests) {
    narrow_bar(&mut ui, seen, current, requests);
    if !seen.layout.panel_open {
        return;
    }
    let area = ui.max_rect();
    let rect = egui::Rect::from_min_max(egui::pos2(area.right() - seen.layout.panel, area.top() + BAR), area.max);
    // Not constrained to the window: that would move it by the size it had before the window changed its own.
    let area = egui::Area::new(egui::Id::new("drawer")).fixed_pos(rect.min).constrain(false);
    area.order(egui::Order::Middle).show(ctx, |ui| {
        frame(&seen.palette).show(ui, |ui| {
            ui.set_width(seen.layout.panel - 32.0);
            ui.set_height(rect.height() - 32.0);
            contents(ui, seen, current, view, requests);
        });
    });
}

fn frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new().fill(colour(palette.panel().surface)).inner_margin(16)
}

/// In a narrow window: the side to move and the button that unfolds the panel.
fn narrow_bar(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, requests: &mut Requests) {
    let margin = egui::Margin::symmetric(16, if seen.layout.fingers { 2 } else { 8 });
    let frame = egui::Frame::new().fill(colour(seen.palette.panel().surface)).inner_margin(margin);
    egui::Panel::top("bar").exact_size(BAR).resizable(false).show_separator_line(false).frame(frame).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            if let Some(puzzle) = puzzle(seen, current) {
                super::puzzles::narrow(ui, &puzzle, requests);
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| fold_button(ui, seen, requests));
                return;
            }
            if !seen.layout.panel_open && super::attempt::narrow(ui, current, &seen.attempt, &seen.words, requests) {
                return;
            }
            state_of_play(ui, seen, current, requests);
            for side in Side::BOTH {
                let Some(left) = seen.clock.get().left(side) else { continue };
                ui.add_space(16.0);
                dim(ui, &seen.palette, seen.words.seat(current, side));
                let runs = current.outcome().is_none() && current.table().seat_to_move() == side;
                super::clock::show(ui, left, runs, &seen.palette);
            }
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                fold_button(ui, seen, requests);
                let undo = drawn_button(ui, Icon::Undo, seen.words.say("play.undo"), current.can_undo());
                if undo.on_hover_text(with_key(&seen.words, seen.words.say("play.undo"), CursorRequest::Undo)).clicked() {
                    requests.write(CursorRequest::Undo);
                }
            });
        });
    });
}

/// In one row: whose turn it is, or what is asked.
fn state_of_play(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, requests: &mut Requests) {
    if current.purpose().is_first_step() {
        let look = (&*seen.words, &*seen.palette);
        super::first_steps::narrow(ui, &seen.course, (current, seen.layout.panel_open), look, requests);
    } else if seen.selection.pending.is_some() {
        for (key, yes) in [("confirm.play", true), ("confirm.drop", false)] {
            if button(ui, seen.words.say(key), true).clicked() {
                requests.write(SelectionRequest::Confirm(yes));
            }
        }
    } else if current.outcome().is_none() && current.is_watched() {
        super::watch::buttons(ui, &seen.watch, &seen.words, 104.0, requests);
    } else if let Some(question) = seen.offers.question(current) {
        ui.label(seen.words.short_question(current, question));
        let width = ((ui.available_width() - 8.0) / 2.0).clamp(64.0, 96.0);
        super::offers::answers(ui, width, &seen.words, requests);
    } else if current.outcome().is_none() && seen.seats.iter().any(|(_, _, broken, _)| broken) && seen.layout.is_small() {
        if button(ui, seen.words.say("engines.again"), true).clicked() {
            requests.write(TryAgain);
        }
    } else if let Some(outcome) = current.outcome() {
        super::ending::narrow(ui, current, outcome, &seen.words, &seen.palette, requests);
    } else if seen.layout.is_small() && super::opening::chooses(current)
        || !super::opening::narrow(ui, current, &seen.words, requests)
    {
        match seen.hold_out.stand() {
            Some(stand) => super::hold_out::narrow(ui, stand, current, &seen.words),
            None => _ = ui.label(status_of(current, &seen.words)),
        }
    }
}

/// In a narrow window: the button that unfolds the panel, or folds it.
fn fold_button(ui: &mut Ui, seen: &Seen, requests: &mut Requests) {
    let key = if seen.layout.panel_open { "panel.fold" } else { "panel.unfold" };
    if drawn_button(ui, Icon::Menu, seen.words.say(key), true).clicked() {
        requests.write(LayoutRequest::Panel);
    }
}

/// The puzzle on the board.
fn puzzle<'a>(seen: &'a Seen, current: &'a CurrentMatch) -> Option<super::puzzles::PuzzlePanel<'a>> {
    Some(super::puzzles::PuzzlePanel {
        session: seen.puzzles.shown(current)?,
        puzzling: &seen.puzzles,
        progress: &seen.progress,
        current,
        notation: seen.settings.notation(current.table(), seen.words.language),
        words: &seen.words,
        palette: &seen.palette,
    })
}

fn contents(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, view: &mut SheetView, requests: &mut Requests) {
    if current.purpose().is_first_step() {
        // Captured pieces fly to the edge: here they are not collected.
        Side::BOTH.into_iter().for_each(|side| ui.data_mut(|data| data.remove::<egui::Pos2>(tray(side))));
        let look = (&*seen.words, &*seen.palette, &*seen.settings);
        super::first_steps::page(ui, (&seen.course, &seen.progress), current, look, requests);
        return;
    }
    if let Some(puzzle) = puzzle(seen, current) {
        super::puzzles::contents(ui, &puzzle, requests);
        return;
    }
    if seen.study.is_open() {
        super::study::page(ui, &seen.study, (view, &seen.sheet, current), (&seen.words, &seen.palette, &seen.settings), requests);
        return;
    }
    let (top, bottom) = if seen.layout.flipped { (Side::First, Side::Second) } else { (Side::Second, Side::First) };
    seat(ui, seen, current, top, requests);
    ui.add_space(4.0);
    hairline(ui);
    let over = current.outcome();
    let (exercise, stand) = (seen.trainer.exercise(), seen.hold_out.stand());
    // The parts below the moves first, so that the moves get the remaining height.
    let opening = super::opening::height(current);
    // In a narrow window it is asked in the bar.
    let question = seen.offers.question(current).filter(|_| seen.layout.shape == Shape::Beside);
    let status = match question {
        _ if current.is_watched() => super::watch::HEIGHT,
        Some(_) => super::offers::CARD,
        None if opening > 0.0 => 28.0 + opening,
        None => super::offers::line_height(&seen.layout),
    };
    let ending = over.map_or(status, super::ending::ribbon_height);
    let ending = exercise.map_or(ending, |_| super::trainer::card_height(current) + 8.0);
    let ending = stand.map_or(ending, |_| super::hold_out::card_height(current) + 8.0);
    // What an engine thinks of a rated match is not told.
    let thinking = seen.settings.show_thinking && current.help_allowed();
    let thought_height = if thinking { 44.0 } else { 0.0 };
    let below = 64.0
        + 88.0
        + 24.0
        + ending
        + thought_height
        + super::moves::LEAFING
        + 16.0
        + seen.certain.height(current)
        + super::attempt::height(current, &seen.attempt, &seen.proof)
        + analysis_height(ui, seen, current)
        + grown(ui, 5.0);
    let height = (ui.available_height() - below).max(48.0);
    let images = (seen.settings.sheet_pieces == SheetPieces::Pictures).then_some(&*seen.images);
    ui.scope(|ui| super::moves::list(ui, view, (&seen.sheet, current), (&seen.words, &seen.palette, images), height, requests));
    super::moves::leaf(ui, view, (&seen.sheet, current), (&seen.words, &seen.palette), requests, true);
    hairline(ui);
    if thinking {
        thought(ui, seen, current);
    }
    opinion(ui, seen, current, requests);
    super::attempt::section(ui, current, (&seen.attempt, &seen.proof), (&seen.words, &seen.palette, &seen.layout), requests);
    seen.certain.section(ui, current, &seen.words, &seen.palette, requests);
    match over {
        None if seen.selection.pending.is_some() => confirmation(ui, seen, requests),
        _ if exercise.is_some() => {
            let Some(exercise) = exercise else { return };
            super::trainer::card(ui, exercise, seen.certain.review(), current, &seen.words, &seen.palette, requests);
        }
        _ if let Some(stand) = stand => {
            super::hold_out::card(ui, stand, current, (&seen.words, &seen.palette), requests);
        }
        Some(outcome) => {
            super::ending::ribbon(ui, current, outcome, &seen.words, &seen.palette, requests);
        }
        None if current.is_watched() => {
            super::watch::section(ui, &seen.watch, &seen.settings, (&seen.words, &seen.palette), requests);
        }
        None if let Some(question) = question => {
            super::offers::card(ui, question, current, (&seen.words, &seen.palette), requests);
        }
        None if opening > 0.0 => {
            let height = 28.0 + opening - 4.0;
            ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_min_height(height);
                super::opening::card(ui, current, seen.hint.shown, (&seen.words, &seen.palette), requests);
            });
        }
        None => {
            super::offers::line(
                ui,
                &status_of(current, &seen.words),
                (current, &seen.offers, &seen.layout),
                &seen.words,
                requests,
            );
        }
    }
    hairline(ui);
    seat(ui, seen, current, bottom, requests);
    ui.add_space(4.0);
    actions(ui, seen, current, requests);
}

/// The buttons to confirm a move.
fn confirmation(ui: &mut Ui, seen: &Seen, requests: &mut Requests) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        for (icon, key, yes) in [(Icon::Check, "confirm.play", true), (Icon::Close, "confirm.drop", false)] {
            ask_button(ui, &seen.words, (icon, key), SelectionRequest::Confirm(yes), vec2(width, 32.0), true, requests);
        }
    });
}

/// Whose turn it is.
fn status_of(current: &CurrentMatch, words: &Words) -> String {
    let table = current.table();
    let turn = words.with("play.turn", words.seat(current, table.seat_to_move()));
    if table.check().is_some() { format!("{turn} · {}", words.say("play.check")) } else { turn }
}

/// The player of a seat.
fn seat_name(spec: &SeatSpec, words: &Words) -> String {
    match spec {
        SeatSpec::Human => words.say("setup.human").to_owned(),
        SeatSpec::Computer { level } => words.level(*level),
        SeatSpec::External { name } => name.clone(),
    }
}

/// A seat, named by `side`. In a swap2 opening its final side may be the other one.
fn seat(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, side: Side, requests: &mut Requests) {
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
            // The clock is at the right; the name takes the remaining width.
            let space = ui.available_width() - clock.map_or(0.0, |left| super::clock::width(ui, left) + 8.0);
            ui.allocate_ui_with_layout(vec2(space, 28.0), egui::Layout::left_to_right(Align::Center), |ui| {
                ui.set_width(space);
                ui.label(RichText::new(words.seat(current, side)).size(BODY));
                let mut seats = seen.seats.iter();
                if let Some((_, thinking, broken, _)) = seats.find(|(seat, ..)| seat.0 == side) {
                    if thinking {
                        breathing_dots(ui, seen.palette.accent(), seen.time.elapsed_secs_f64());
                    } else if broken && button(ui, words.say("engines.again"), true).clicked() {
                        requests.write(TryAgain);
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

/// The memory key for the place of the next captured piece of a side.
fn tray(side: Side) -> egui::Id {
    egui::Id::new(("tray", side))
}

/// The pieces captured by a side.
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
        // Dark pieces stand out on a dark panel, light ones on a light one.
        ui.painter().circle_filled(place.center(), SMALL_PIECE / 2.0 + 0.5, seen.palette.dim().gamma_multiply(0.55));
        ui.painter().image(id, place, whole, egui::Color32::WHITE);
    }
}

/// The pieces a side has lost from the beginning of the match to the moment that is shown.
fn taken_from(current: &CurrentMatch, side: Side) -> Vec<Piece> {
    let mut lost: Vec<Piece> = current.start_pieces().iter().copied().filter(|piece| piece.side == side).collect();
    lost.sort_by_key(|piece| piece.role);
    for (_, piece) in current.shown().pieces() {
        if let Some(index) = lost.iter().position(|other| *other == piece) {
            lost.remove(index);
        }
    }
    lost
}

/// A value with its sign, in as few characters as possible.
pub(super) fn signed(value: Value) -> String {
    match value.moves_to_end() {
        Some(moves) => format!("{}#{}", if moves < 0 { "-" } else { "+" }, moves.abs()),
        None => format!("{:+.2}", f64::from(value.units()) / 100.0),
    }
}

/// A value from the view of the side to move, as text.
pub(super) fn value_text(value: Value, words: &Words) -> String {
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

/// The last progress of the engine that is searching or has searched.
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

/// The height of a line of the analysis.
const LINE: f32 = 20.0;

fn analysis_height(ui: &Ui, seen: &Seen, current: &CurrentMatch) -> f32 {
    match (current.can_be_analysed(), seen.analysis.is_on()) {
        (false, _) => 0.0,
        (true, false) => 40.0 + grown(ui, 1.0),
        (true, true) if !current.help_allowed() => 40.0 + grown(ui, 1.0),
        (true, true) => 40.0 + grown(ui, 1.0) + row_height(ui, LINE) * seen.analysis.lines_wanted() as f32,
    }
}

/// The analysis of the position shown.
fn opinion(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, requests: &mut Requests) {
    let height = analysis_height(ui, seen, current) - 8.0;
    if height <= 0.0 {
        return;
    }
    let (words, analysis) = (&seen.words, &seen.analysis);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(height);
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.horizontal(|ui| {
            if let Some(why) = current.help_refused() {
                drawn_button(ui, Icon::Analysis, words.say("analysis.title"), false).on_hover_text(words.say(why));
                dim(ui, &seen.palette, words.say("rated.off"));
                return;
            }
            let switch = switch(ui, &seen.palette, Icon::Analysis, words.say("analysis.title"), analysis.is_on());
            if switch.on_hover_text(with_key(words, words.say("analysis.note"), AnalysisRequest::Switch)).clicked() {
                requests.write(AnalysisRequest::Switch);
            }
            if let Some(best) = analysis.lines().next() {
                dim(ui, &seen.palette, words.with("thought.depth", best.depth));
            }
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                if icon_button(ui, Icon::Forward, words.say("analysis.page"), 32.0, true).clicked() {
                    requests.write(StudyRequest(Some(StudyPage::Analysis)));
                }
            });
        });
        let high = row_height(ui, LINE);
        for (index, line) in analysis.lines().enumerate() {
            let row =
                ui.allocate_ui_with_layout(vec2(ui.available_width(), high), egui::Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_height(high);
                    let (value, _) = line.seen_by(current.shown().turn());
                    let value = RichText::new(value_text(value, words)).size(SMALL).color(seen.palette.text());
                    ui.allocate_ui_with_layout(vec2(72.0, high), egui::Layout::left_to_right(Align::Center), |ui| {
                        ui.set_min_width(72.0);
                        ui.label(value);
                    });
                    let moves = RichText::new(line.moves.join(" ")).size(SMALL).color(seen.palette.dim());
                    ui.add(egui::Label::new(moves).truncate().show_tooltip_when_elided(false));
                });
            if row
                .response
                .interact(egui::Sense::click())
                .on_hover_text(format!("{}\n{}", line.moves.join(" "), words.say("analysis.take")))
                .clicked()
            {
                requests.write(TakeLine(index));
            }
        }
    });
}

/// Positions per second, shortened.
fn speed_text(line: &Progress) -> String {
    match line.nps() {
        n if n >= 1_000_000 => format!("{:.1} M/s", n as f64 / 1e6),
        n if n >= 1_000 => format!("{:.0} k/s", n as f64 / 1e3),
        n => format!("{n} /s"),
    }
}

fn actions(ui: &mut Ui, seen: &Seen, current: &CurrentMatch, requests: &mut Requests) {
    let words = &seen.words;
    let size = vec2((ui.available_width() - 16.0) / 3.0, 32.0);
    let refused = current.help_refused();
    ui.horizontal(|ui| {
        for (icon, key, enabled, request) in [
            (Icon::Undo, "play.undo", current.can_undo(), AnyRequest::from(CursorRequest::Undo)),
            (Icon::Redo, "play.redo", current.can_redo(), CursorRequest::Redo.into()),
            (Icon::Hint, "play.hint", current.human_to_move() && refused.is_none() && !seen.hint.is_sought(), HintRequest.into()),
        ] {
            let response = ask_button(ui, words, (icon, key), request, size, enabled, requests);
            if let Some(why) = refused.filter(|_| key != "play.redo") {
                response.on_hover_text(words.say(why));
            }
        }
    });
    ui.horizontal(|ui| {
        for (icon, key, enabled, request) in [
            (Icon::Flip, "play.flip", true, AnyRequest::from(LayoutRequest::Flip)),
            (Icon::Resign, "play.resign", current.resigner().is_some(), PageRequest::Menu(Menu::Resign).into()),
            (Icon::Menu, "play.menu", true, PageRequest::Menu(Menu::Pause).into()),
        ] {
            ask_button(ui, words, (icon, key), request, size, enabled, requests);
        }
    });
}
