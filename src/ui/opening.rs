//! The swap2 opening of a match: whose turn it is, what to do, and the choices as buttons. Also the row of the setup to choose an opening
//! rule.

use super::panel::Room;
use super::style::{BODY, Palette, SMALL};
use super::widgets::{dim, filled_button, segmented, wide_button};
use crate::app::play::CurrentMatch;
use crate::app::requests::{Requests, SelectionRequest};
use crate::app::words::Words;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::table::{Action, Choice, Duty, OpeningRule};

/// The row of the setup to choose the opening rule.
pub fn choose(ui: &mut Ui, rule: &mut OpeningRule, offered: &[OpeningRule], words: &Words, palette: &Palette) {
    // As high as the line above the clock beside it.
    ui.horizontal(|ui| dim(ui, palette, words.say("setup.opening")));
    let options: Vec<(OpeningRule, &str)> = offered.iter().map(|rule| (*rule, words.say(name(*rule)))).collect();
    segmented(ui, rule, &options);
}

/// The name of a rule, as the key of a text.
pub fn name(rule: OpeningRule) -> &'static str {
    match rule {
        OpeningRule::Free => "opening.free",
        OpeningRule::Swap2 => "opening.swap2",
        OpeningRule::Balanced => "opening.balanced",
    }
}

/// The explanation of the chosen rule, if there is one.
pub fn note(ui: &mut Ui, rule: OpeningRule, words: &Words, palette: &Palette) {
    let note = match rule {
        OpeningRule::Free => return,
        OpeningRule::Swap2 => "opening.swap2.note",
        OpeningRule::Balanced => "opening.balanced.note",
    };
    ui.prose(RichText::new(words.say(note)).size(SMALL).color(palette.dim()));
}

/// The next step of the opening; `None` after its end.
fn duty(current: &CurrentMatch) -> Option<Duty> {
    let table = current.table();
    let duty = table.opening()?.duty(table.pieces().len());
    (current.outcome().is_none() && !matches!(duty, Duty::Play(_))).then_some(duty)
}

/// True while a person chooses in the opening.
pub fn chooses(current: &CurrentMatch) -> bool {
    matches!(duty(current), Some(Duty::Choose(..))) && current.human_to_move()
}

/// Whose turn it is and what to do, as a sentence.
pub fn sentence(current: &CurrentMatch, words: &Words) -> Option<String> {
    let duty = duty(current)?;
    let sides = &current.game().sheet.sides;
    let (first, second) = (words.of(&sides.first), words.of(&sides.second));
    let (who, what) = match duty {
        Duty::Put(who) if current.table().opening()?.choices().is_empty() => {
            (who, words.fill("opening.put-three", &[first, second]))
        }
        Duty::Put(who) => (who, words.fill("opening.put-two", &[second, first])),
        Duty::Choose(who, choices) if choices.contains(&Choice::TwoMore) => (who, words.fill("opening.choose", &[first, second])),
        Duty::Choose(who, _) => (who, words.fill("opening.choose-side", &[first, second])),
        Duty::Play(_) => return None,
    };
    let person = current.seats()[who.seat()] == SeatSpec::Human;
    let name = if person { words.opener(who).to_owned() } else { words.with("opening.theirs", words.opener(who)) };
    Some(words.fill("opening.duty", &[&name, &what]))
}

/// The card in the panel. `hint` is the choice that the hint suggests.
pub fn card(
    ui: &mut Ui,
    current: &CurrentMatch,
    hint: Option<Action>,
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    let (Some(duty), Some(text)) = (duty(current), sentence(current, words)) else { return };
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.prose(RichText::new(text).size(SMALL));
    let sides = &current.game().sheet.sides;
    match duty {
        Duty::Choose(_, choices) if current.human_to_move() => {
            let width = ui.available_width();
            for (choice, key) in Choice::ALL.into_iter().zip(1..) {
                if !choices.contains(&choice) {
                    continue;
                }
                let text = format!("{key}  {}", words.choice(choice, sides));
                let hinted = hint == Some(choice.action());
                let button =
                    if hinted { filled_button(ui, palette, &text, width, true) } else { wide_button(ui, &text, width, true) };
                if button.clicked() {
                    requests.write(SelectionRequest::Take(choice));
                }
            }
        }
        Duty::Put(_) => {
            let next = words.of(&sides[current.table().turn()]);
            ui.prose(RichText::new(words.with("opening.next", next)).size(BODY));
        }
        _ => {}
    }
}

/// The section of the panel; false after the opening.
pub fn section(
    ui: &mut Ui,
    room: Room,
    current: &CurrentMatch,
    hint: Option<Action>,
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) -> bool {
    let sides = &current.game().sheet.sides;
    let height = match (duty(current), room) {
        (None | Some(Duty::Play(_)), _) => return false,
        (Some(Duty::Choose(_, choices)), Room::Row) if current.human_to_move() => {
            for choice in choices {
                if super::widgets::button(ui, &words.choice(*choice, sides), true).clicked() {
                    requests.write(SelectionRequest::Take(*choice));
                }
            }
            return true;
        }
        (Some(Duty::Put(who)), Room::Row) => {
            let next = words.with("opening.next", words.of(&sides[current.table().turn()]));
            ui.prose(words.fill("opening.duty", &[words.opener(who), &next]));
            return true;
        }
        (Some(_), Room::Row) => return false,
        (Some(Duty::Choose(_, choices)), Room::Panel) if current.human_to_move() => 58.0 + 36.0 * choices.len() as f32,
        (Some(_), Room::Panel) => 80.0,
    };
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_height(height);
        card(ui, current, hint, (words, palette), requests);
    });
    true
}
