//! The panel of a puzzle: what is asked, hints, the solution, which puzzle comes next, and the user's results.

use super::{HINTS, Miss, MissReason, PuzzleStage, Puzzling, Session};
use crate::app::explore::{part_of_move, piece_name};
use crate::app::play::CurrentMatch;
use crate::app::progress::PlayerProgress;
use crate::app::requests::{CursorRequest, Go, LayoutRequest, PageRequest, PuzzleGrade, PuzzleStep, Requests};
use crate::app::settings::Settings;
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::{BODY, Palette, SMALL, TITLE, tone};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{
    Face, Icon, ask_icon, button, dim, face_button, fill, filled_button, hairline, is_narrow, least_side, scrolling, segmented,
    with_key,
};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Sense, Stroke, Ui, vec2};
use qiju_core::table::{Action, Judgement, Notation, PuzzleKind};
use std::time::Duration;

/// What the panel is drawn with.
struct PuzzlePanel<'a> {
    session: &'a Session,
    puzzling: &'a Puzzling,
    progress: &'a PlayerProgress,
    current: &'a CurrentMatch,
    /// How moves are written.
    notation: Notation,
    words: &'a Words,
    palette: &'a Palette,
    /// The time on the program's clock.
    now: Duration,
}

/// The least height of the upper part.
const UPPER: f32 = 250.0;

/// The height for what is said about a wrong move and for a hint.
const TOLD: f32 = 60.0;

/// The name of a kind of puzzles.
fn kind_name(kind: Option<PuzzleKind>, words: &Words) -> &str {
    words.say(match kind {
        None => "puzzles.kind.all",
        Some(PuzzleKind::Mate) => "puzzles.kind.mate",
        Some(PuzzleKind::Tactic) => "puzzles.kind.tactic",
        Some(PuzzleKind::Fours) => "puzzles.kind.fours",
        Some(PuzzleKind::Threats) => "puzzles.kind.threats",
        Some(PuzzleKind::Forbidden) => "puzzles.kind.forbidden",
        Some(PuzzleKind::Defence) => "puzzles.kind.defence",
        Some(PuzzleKind::Win) => "puzzles.kind.win",
        Some(PuzzleKind::Draw) => "puzzles.kind.draw",
    })
}

/// What is asked in a puzzle.
fn task(session: &Session, side: &str, words: &Words) -> String {
    let asked = session.puzzle.asked.to_string();
    match session.puzzle.kind {
        PuzzleKind::Mate => words.fill("puzzles.mate", &[side, &asked]),
        PuzzleKind::Tactic => words.with("puzzles.tactic", side),
        PuzzleKind::Fours => words.with("puzzles.fours", side),
        PuzzleKind::Threats => words.with("puzzles.threats", side),
        PuzzleKind::Forbidden => words.with("puzzles.forbidden", side),
        PuzzleKind::Defence => words.with("puzzles.defence", side),
        PuzzleKind::Win if session.puzzle.asked == 1 => words.with("puzzles.win", side),
        PuzzleKind::Win => words.fill("puzzles.wins", &[side, &asked]),
        PuzzleKind::Draw if session.puzzle.asked == 1 => words.with("puzzles.draw", side),
        PuzzleKind::Draw => words.fill("puzzles.draws", &[side, &asked]),
    }
}

/// The panel. In a row: how it stands, and what is asked where there is room for it.
pub fn page(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (puzzling, current, progress): (Res<Puzzling>, Res<CurrentMatch>, Res<PlayerProgress>),
    (words, palette, settings, time): (Res<Words>, Res<Palette>, Res<Settings>, Res<Time<Real>>),
    mut requests: Requests,
) -> bool {
    let Some(session) = puzzling.shown(&current) else { return false };
    let notation = settings.notation(current.table(), words.language);
    let panel = PuzzlePanel {
        session,
        puzzling: &puzzling,
        progress: &progress,
        current: &current,
        notation,
        words: &words,
        palette: &palette,
        now: time.elapsed(),
    };
    if room == Room::Row {
        panel.in_a_row(ui, &mut requests);
        return true;
    }
    panel.head(ui, &mut requests);
    hairline(ui);
    scrolling(ui, "puzzle", ui.available_height(), |ui| {
        let upper = |ui: &mut Ui, requests: &mut Requests, height: f32| {
            ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_min_height(height);
                panel.puzzle(ui, requests);
            });
        };
        fill(ui, UPPER, &mut requests, upper, |ui, requests| {
            hairline(ui);
            let single = puzzling.run().is_none();
            if single {
                panel.choices(ui, requests);
            }
            panel.run(ui, requests);
            if single {
                panel.results(ui, requests);
            }
        });
    });
    true
}

impl PuzzlePanel<'_> {
    fn in_a_row(&self, ui: &mut Ui, requests: &mut Requests) {
        if self.session.is_over() && button(ui, self.words.say("puzzles.next"), true).clicked() {
            requests.write(PuzzleStep::Next);
        }
        let (text, ink) = self.stage();
        ui.news(RichText::new(text).size(BODY).color(ink));
        if !self.session.is_over() && ui.available_width() > 80.0 && !is_narrow(ui.ctx()) {
            let told = self.session.miss.as_ref().and_then(|miss| self.miss(miss));
            let told = RichText::new(told.unwrap_or_else(|| self.task())).size(SMALL).color(self.palette.dim());
            ui.add(egui::Label::new(told).truncate());
        }
    }

    fn task(&self) -> String {
        let side = self.words.of(&self.current.game().sheet.sides[self.session.solver]);
        task(self.session, side, self.words)
    }

    /// How it stands, and the colour in which that is said.
    fn stage(&self) -> (String, egui::Color32) {
        let (words, text) = (self.words, self.palette.text());
        let (key, ink) = match self.session.stage {
            PuzzleStage::Find if self.session.found() == 0 => ("puzzles.find", text),
            PuzzleStage::Find => ("puzzles.go-on", tone(Judgement::Best)),
            PuzzleStage::Answer => ("puzzles.right", tone(Judgement::Best)),
            PuzzleStage::Refuted => ("puzzles.not-this", tone(Judgement::Blunder)),
            PuzzleStage::Check => ("puzzles.checking", tone(Judgement::Blunder)),
            PuzzleStage::Wrong => ("puzzles.wrong", tone(Judgement::Blunder)),
            PuzzleStage::Solved if self.session.counted == Some(false) => ("puzzles.solved-helped", tone(Judgement::Best)),
            PuzzleStage::Solved => ("puzzles.solved", tone(Judgement::Best)),
            PuzzleStage::Shown => ("puzzles.shown", text),
        };
        (words.say(key).to_owned(), ink)
    }

    fn head(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.horizontal(|ui| {
            ui.prose(RichText::new(self.words.say("puzzles.title")).size(BODY));
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                if button(ui, self.words.say("menu.back"), true).clicked() {
                    requests.write(PageRequest::Choose(self.session.game));
                }
                ui.add_space(4.0);
                ask_icon(ui, self.words, (Icon::Flip, "play.flip"), LayoutRequest::Flip, 36.0, true, requests);
            });
        });
    }

    /// The puzzle: its task, how it stands, hints and the solution.
    fn puzzle(&self, ui: &mut Ui, requests: &mut Requests) {
        let (session, words, palette) = (self.session, self.words, self.palette);
        ui.spacing_mut().item_spacing.y = 6.0;
        let sheet = &self.current.game().sheet;
        let variant = sheet.variant(&session.puzzle.variant);
        let number = (session.index + 1).to_string();
        let of = words.fill("puzzles.number", &[&number, &self.puzzling.count(session.game).to_string()]);
        let of = match variant.filter(|_| sheet.variants.len() > 1) {
            Some(variant) => format!("{of} · {}", words.of(&variant.name)),
            None => of,
        };
        dim(ui, palette, of);
        ui.news(RichText::new(self.task()).size(TITLE));
        self.dots(ui);
        let (stage, ink) = self.stage();
        ui.news(RichText::new(stage).size(BODY).color(ink));
        if session.is_over() {
            if let Some(themes) = self.themes() {
                ui.news(RichText::new(themes).size(SMALL));
            }
            self.rated(ui);
            ui.add_space(4.0);
            if filled_button(ui, palette, words.say("puzzles.next"), ui.available_width(), true).clicked() {
                requests.write(PuzzleStep::Next);
            }
            self.solution(ui, requests);
            return;
        }
        // The buttons below stay where they are.
        ui.scope(|ui| {
            ui.set_min_height(TOLD);
            if let Some(miss) = session.miss.as_ref().and_then(|miss| self.miss(miss)) {
                ui.news(RichText::new(miss).size(SMALL));
            }
            if let Some(hint) = self.hint() {
                // What is marked on the board is told.
                let action = session.wanted().filter(|_| session.hints > 1);
                let told = action.and_then(|action| self.current.shown().write(action, self.notation));
                ui.announce(told.unwrap_or_else(|| hint.clone()));
                dim(ui, palette, hint);
            }
        });
        // In a timed run there is no help.
        let asks = session.wanted().is_some() && self.puzzling.run().is_none_or(|run| run.over);
        let width = (ui.available_width() - 8.0) / 2.0;
        ui.horizontal(|ui| {
            let more = if session.hints < HINTS { "puzzles.hint" } else { "puzzles.show" };
            let face = Face { icon: Some(Icon::Hint), text: words.say(more), filled: false };
            let response = face_button(ui, face, vec2(width, 32.0), asks);
            if response.tip(with_key(words, words.say("puzzles.hint-note"), PuzzleStep::Hint, requests)).clicked() {
                requests.write(PuzzleStep::Hint);
            }
            let face = Face { text: words.say("puzzles.solution"), ..Face::default() };
            if face_button(ui, face, vec2(width, 32.0), asks).clicked() {
                requests.write(PuzzleStep::Show);
            }
        });
        let face = Face { text: words.say("puzzles.skip"), ..Face::default() };
        if face_button(ui, face, vec2(ui.available_width(), 32.0), true).clicked() {
            requests.write(PuzzleStep::Next);
        }
    }

    /// The moves that are asked, as dots: those found are filled.
    fn dots(&self, ui: &mut Ui) {
        let (found, asked) = (self.session.found(), self.session.puzzle.asked);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
        let said = self.words.fill("puzzles.found", &[&found.to_string(), &asked.to_string()]);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &said));
        for index in 0..asked {
            let at = rect.left_center() + vec2(6.0 + 16.0 * index as f32, 0.0);
            if index < found {
                ui.painter().circle_filled(at, 5.0, self.palette.accent());
            } else {
                ui.painter().circle_stroke(at, 4.5, Stroke::new(1.5, self.palette.dim()));
            }
        }
    }

    /// Why the last move was wrong, with the reply that shows it.
    fn miss(&self, miss: &Miss) -> Option<String> {
        let words = self.words;
        let sheet = &self.current.game().sheet;
        let reason = match miss.reason()? {
            MissReason::Loses => words.with("puzzles.miss.loses", words.of(&sheet.sides[!self.session.solver])),
            MissReason::Draws => words.say("puzzles.miss.draws").to_owned(),
            MissReason::WinsOtherwise => words.say("puzzles.miss.otherwise").to_owned(),
            MissReason::LosesPiece(piece) => words.with("puzzles.miss.piece", piece_name(Some(piece), sheet, words)),
            MissReason::Escapes(PuzzleKind::Mate) => words.with("puzzles.miss.no-mate", self.session.left()),
            MissReason::Escapes(PuzzleKind::Fours) => words.say("puzzles.miss.no-fours").to_owned(),
            MissReason::Escapes(_) => words.say("puzzles.miss.no-win").to_owned(),
            MissReason::Chance(chance) => words.with("puzzles.miss.chance", words.chance(chance)),
        };
        Some(words.fill("puzzles.miss", &[&miss.texts(self.notation).join(words.say("puzzles.miss.join")), &reason]))
    }

    /// What the hints so far say. The piece and the point are also marked on the board.
    fn hint(&self) -> Option<String> {
        let (session, words) = (self.session, self.words);
        let action = session.wanted()?;
        match session.hints {
            0 => None,
            1 => part_of_move(action, self.current.shown(), &self.current.game().sheet, words),
            _ => Some(words.say("puzzles.hint-move").to_owned()),
        }
    }

    /// The rating of the puzzle, and what its result did to the user's.
    fn rated(&self, ui: &mut Ui) {
        let (session, words) = (self.session, self.words);
        let rating = format!("{:.0}", session.puzzle.rating());
        let text = match session.ratings {
            Some((before, after)) => {
                let change = format!("{:+.0}", after - before);
                words.fill("puzzles.rated", &[&rating, &format!("{after:.0}"), &change])
            }
            None => words.with("puzzles.unrated", rating),
        };
        dim(ui, self.palette, text);
    }

    /// The moves of the solution; a click shows one.
    fn solution(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, nodes) = (self.words, self.session.solution());
        let texts = self.texts();
        let here = nodes.iter().position(|node| *node == self.current.cursor());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            for (icon, key, enabled, go) in [
                (Icon::First, "look.first", here.is_some(), Go::Start),
                (Icon::Back, "look.back", here.is_some(), Go::Back),
                (Icon::Forward, "look.forward", here.is_none_or(|at| at + 1 < nodes.len()), Go::Forward),
                (Icon::Last, "look.last", here.is_none_or(|at| at + 1 < nodes.len()), Go::End),
            ] {
                ask_icon(ui, words, (icon, key), CursorRequest::Go(go), 36.0, enabled, requests);
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            for (index, (node, text)) in nodes.iter().zip(&texts).enumerate() {
                let shown = here == Some(index);
                let asked = index % 2 == 0 && index < 2 * self.session.puzzle.asked;
                let ink = match (shown, asked) {
                    (true, _) => ui.visuals().selection.stroke.color,
                    (false, true) => self.palette.text(),
                    (false, false) => self.palette.dim(),
                };
                let label = egui::Button::selectable(shown, RichText::new(text).size(SMALL).color(ink)).min_size(least_side(ui));
                if ui.add(label).clicked() {
                    requests.write(CursorRequest::Go(Go::To(*node)));
                }
            }
        });
    }

    /// The moves of the solution as text.
    fn texts(&self) -> Vec<String> {
        let mut table = self.current.table().boxed_clone();
        let actions = self.session.solution().iter().map_while(|node| self.current.tree().node(*node).action());
        let mut write = |action: Action| {
            let text = table.write(action, self.notation)?;
            table.play(action).ok().map(|_| text)
        };
        actions.map_while(&mut write).collect()
    }

    /// The themes of the puzzle, by name.
    fn themes(&self) -> Option<String> {
        let (session, words) = (self.session, self.words);
        let sheet = &self.current.game().sheet;
        let names: Vec<&str> = session.themes.iter().filter_map(|key| Some(words.of(&sheet.theme(key)?.name))).collect();
        (!names.is_empty()).then(|| words.with("puzzles.theme", names.join(words.say("puzzles.theme.join"))))
    }

    /// Which puzzles come next.
    fn choices(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, game) = (self.words, self.session.game);
        let before = self.puzzling.wish(game);
        let mut wish = before;
        let offered =
            (self.current.game().entry.capabilities)(&self.session.puzzle.variant).puzzles.map(|puzzles| puzzles.kinds());
        let kinds = std::iter::once(None).chain(offered.unwrap_or_default().iter().copied().map(Some));
        let kinds: Vec<_> = kinds.map(|kind| (kind, kind_name(kind, words))).collect();
        ui.add_space(4.0);
        segmented(ui, &mut wish.kind, &kinds);
        let sheet = &self.current.game().sheet;
        if !sheet.themes.is_empty() {
            let chosen = before.theme.and_then(|theme| sheet.theme(theme));
            let name = chosen.map_or(words.say("puzzles.theme.all"), |theme| words.of(&theme.name));
            let text = words.with("puzzles.theme", name);
            let face = Face { icon: Some(Icon::Rules), text: &text, filled: false };
            let response = face_button(ui, face, vec2(ui.available_width(), 32.0), true);
            if response.tip(words.say("puzzles.theme.note")).clicked() {
                requests.write(PuzzleStep::Themes);
            }
        }
        let grades = [
            (PuzzleGrade::Suited, words.say("puzzles.suited")),
            (PuzzleGrade::Easy, words.say("puzzles.easy")),
            (PuzzleGrade::Medium, words.say("puzzles.medium")),
            (PuzzleGrade::Hard, words.say("puzzles.hard")),
        ];
        segmented(ui, &mut wish.grade, &grades);
        if wish != before {
            requests.write(PuzzleStep::Wish(wish));
        }
    }

    /// The timed run: how it is begun, how it stands, and its result.
    fn run(&self, ui: &mut Ui, requests: &mut Requests) {
        let words = self.words;
        ui.add_space(4.0);
        let Some(run) = self.puzzling.run() else {
            let face = Face { icon: Some(Icon::Clock), text: words.say("puzzles.run"), filled: false };
            let response = face_button(ui, face, vec2(ui.available_width(), 32.0), true);
            if response.tip(words.say("puzzles.run.note")).clicked() {
                requests.write(PuzzleStep::Run(true));
            }
            return;
        };
        let tally = [run.solved, run.missed].map(|count| count.to_string());
        let time = if run.over {
            words.say("puzzles.run.over").to_owned()
        } else {
            let seconds = run.left(self.now).as_secs_f32().ceil() as u32;
            words.with("puzzles.run.left", format!("{}:{:02}", seconds / 60, seconds % 60))
        };
        ui.prose(RichText::new(time).size(TITLE));
        ui.prose(RichText::new(words.fill("puzzles.run.tally", &[&tally[0], &tally[1]])).size(BODY));
        if run.over && run.solved > run.best {
            ui.prose(RichText::new(words.say("puzzles.run.best-now")).size(BODY).color(tone(Judgement::Best)));
        } else {
            dim(ui, self.palette, words.with("puzzles.run.best", run.best));
        }
        let steps: &[(&str, PuzzleStep)] = if run.over {
            &[("puzzles.run.again", PuzzleStep::Run(true)), ("puzzles.run.leave", PuzzleStep::Next)]
        } else {
            &[("puzzles.run.end", PuzzleStep::Run(false))]
        };
        for (key, step) in steps {
            let face = Face { text: words.say(key), ..Face::default() };
            if face_button(ui, face, vec2(ui.available_width(), 32.0), true).clicked() {
                requests.write(*step);
            }
        }
    }

    /// The user's results, and how to erase them.
    fn results(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, palette) = (self.words, self.palette);
        let progress = self.progress.of_puzzles(self.session.game);
        ui.add_space(4.0);
        let rating = [format!("{:.0}", progress.rating.value), format!("{:.0}", progress.rating.error)];
        ui.prose(RichText::new(words.fill("puzzles.rating", &[&rating[0], &rating[1]])).size(BODY))
            .tip(words.say("puzzles.rating-note"));
        let streak = [progress.streak, progress.best_streak].map(|count| count.to_string());
        dim(ui, palette, words.fill("puzzles.streak", &[&streak[0], &streak[1]]));
        let tally = [progress.solved as usize, progress.tried as usize, progress.returning()].map(|count| count.to_string());
        dim(ui, palette, words.fill("puzzles.tally", &[&tally[0], &tally[1], &tally[2]]));
        ui.horizontal(|ui| {
            if self.puzzling.asks_erase {
                for (key, yes) in [("puzzles.erase-yes", true), ("puzzles.erase-no", false)] {
                    if button(ui, words.say(key), true).clicked() {
                        requests.write(PuzzleStep::Erase(Some(yes)));
                    }
                }
            } else if button(ui, words.say("puzzles.erase"), progress.tried > 0).clicked() {
                requests.write(PuzzleStep::Erase(None));
            }
        });
    }
}
