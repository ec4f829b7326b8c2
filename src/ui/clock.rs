//! The clock: its choice in the setup, and its display at the seats.

use super::speech::Named;
use super::style::{Palette, SMALL, TITLE, colour};
use super::widgets::{dim, is_narrow, segmented, small_choice};
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip};
use bevy_egui::egui;
use egui::{DragValue, RichText, Ui};
use qiju_core::rules::{BySide, Side};
use qiju_core::table::{GameSheet, TimeControl, TimeLeft};
use std::time::Duration;

/// The kinds of time control, in the order of the menu, with default times.
const KINDS: [(&str, TimeControl); 5] = [
    ("clock.none", TimeControl::Unlimited),
    ("clock.sudden", TimeControl::Sudden { main: 600 }),
    ("clock.increment", TimeControl::Increment { main: 300, add: 5 }),
    ("clock.byo-yomi", TimeControl::ByoYomi { main: 300, period: 30, periods: 3 }),
    ("clock.per-move", TimeControl::PerMove { seconds: 30 }),
];

/// The clocks that are chosen in the setup: one for both sides, or one for each.
pub struct Clocks {
    control: BySide<TimeControl>,
    /// Otherwise both have that of the first side.
    each: bool,
}

impl Clocks {
    /// Those of a match.
    pub fn of(control: BySide<TimeControl>) -> Clocks {
        Clocks { control, each: control.differ() }
    }

    /// The time controls of a match in which they may differ, or may not.
    pub fn control(&self, may_differ: bool) -> BySide<TimeControl> {
        if self.each && may_differ { self.control } else { BySide::equal(self.control.first) }
    }

    /// Each player keeps their own when the players change sides.
    pub fn swap(&mut self) {
        if self.each {
            self.control = BySide::new(self.control.second, self.control.first);
        }
    }

    /// The height of the second row, if there is one.
    pub fn more_height(&self) -> f32 {
        if self.each { 64.0 } else { 0.0 }
    }
}

/// The time controls of a match in a few words.
pub fn told(control: BySide<TimeControl>, game: &GameSheet, words: &Words) -> String {
    if !control.differ() {
        return told_of(control.first, words);
    }
    Side::BOTH.map(|side| format!("{}: {}", words.of(&game.sides[side]), told_of(control[side], words))).join(" · ")
}

/// A time control in a few words.
fn told_of(control: TimeControl, words: &Words) -> String {
    let (minutes, seconds) = (words.say("clock.minutes"), words.say("clock.seconds"));
    // What a friend's letter tells may have seconds.
    let main = |time: u32| match (time / 60, time % 60) {
        (0, rest) => format!("{rest} {seconds}"),
        (whole, 0) => format!("{whole} {minutes}"),
        (whole, rest) => format!("{whole} {minutes} {rest} {seconds}"),
    };
    match control {
        TimeControl::Unlimited => words.say("clock.none").to_owned(),
        TimeControl::Sudden { main: time } => main(time),
        TimeControl::Increment { main: time, add } => format!("{} + {add} {seconds}", main(time)),
        TimeControl::ByoYomi { main: time, period, periods } => format!("{} + {periods} × {period} {seconds}", main(time)),
        TimeControl::PerMove { seconds: time } => format!("{} {}", words.say("clock.per-move"), main(time)),
    }
}

/// The rows of the setup to choose the clocks, which may differ or may not: one row, or one for each side.
pub fn choose(ui: &mut Ui, clocks: &mut Clocks, may_differ: bool, game: &GameSheet, words: &Words, palette: &Palette) {
    let each = clocks.each && may_differ;
    let label = |side: Side| match each {
        true => format!("{} · {}", words.say("setup.clock"), words.of(&game.sides[side])),
        false => words.say("setup.clock").to_owned(),
    };
    ui.horizontal(|ui| {
        dim(ui, palette, label(Side::First));
        ui.add_enabled_ui(may_differ, |ui| {
            if small_choice(ui, each, words.say("setup.clocks")).tip(words.say("setup.clocks.note")).clicked() {
                clocks.each = !clocks.each;
                clocks.control.second = clocks.control.first;
            }
        });
    });
    row(ui, &mut clocks.control.first, words);
    if each {
        dim(ui, palette, label(Side::Second));
        row(ui, &mut clocks.control.second, words);
    }
}

/// The kinds, and the times of the one that is chosen: below where there is no room beside them.
fn row(ui: &mut Ui, control: &mut TimeControl, words: &Words) {
    if is_narrow(ui.ctx()) {
        kinds(ui, control, words);
        ui.horizontal(|ui| times(ui, control, words));
    } else {
        ui.horizontal_wrapped(|ui| {
            kinds(ui, control, words);
            ui.add_space(8.0);
            times(ui, control, words);
        });
    }
}

fn kinds(ui: &mut Ui, control: &mut TimeControl, words: &Words) {
    let same = |kind: &TimeControl| std::mem::discriminant(kind) == std::mem::discriminant(control);
    let mut chosen = KINDS.iter().position(|(_, kind)| same(kind)).unwrap_or(0);
    let options: Vec<(usize, &str)> = KINDS.iter().enumerate().map(|(index, (key, _))| (index, words.say(key))).collect();
    if segmented(ui, &mut chosen, &options) {
        *control = KINDS[chosen].1;
    }
}

fn times(ui: &mut Ui, control: &mut TimeControl, words: &Words) {
    match control {
        TimeControl::Unlimited => {}
        TimeControl::Sudden { main } => minutes(ui, main, 1, words),
        TimeControl::Increment { main, add } => {
            minutes(ui, main, 1, words);
            seconds(ui, add, (0, "+"), "clock.increment", words);
        }
        TimeControl::ByoYomi { main, period, periods } => {
            minutes(ui, main, 0, words);
            let field = DragValue::new(periods).range(1..=20).speed(0.05).prefix("+ ").suffix(" ×");
            ui.add(field).called(words.say("clock.periods"));
            seconds(ui, period, (1, ""), "clock.byo-yomi", words);
        }
        TimeControl::PerMove { seconds: time } => seconds(ui, time, (1, ""), "clock.per-move", words),
    }
}

fn minutes(ui: &mut Ui, time: &mut u32, least: u32, words: &Words) {
    let mut minutes = *time / 60;
    let field = DragValue::new(&mut minutes).range(least..=180).speed(0.1).suffix(format!(" {}", words.say("clock.minutes")));
    if ui.add(field).called(words.say("clock.main")).changed() {
        *time = minutes * 60;
    }
}

fn seconds(ui: &mut Ui, time: &mut u32, (least, sign): (u32, &str), name: &str, words: &Words) {
    let field = DragValue::new(time).range(least..=3600).speed(0.2).prefix(format!("{sign} "));
    ui.add(field.suffix(format!(" {}", words.say("clock.seconds")))).called(words.say(name));
}

/// A time as minutes and seconds, with tenths near the end.
pub fn text_of(left: Duration) -> String {
    let tenths = left.as_millis().div_ceil(100);
    if left <= crate::app::play::SHORT_TIME {
        return format!("{}.{}", tenths / 10, tenths % 10);
    }
    let seconds = left.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The width that [`show`] takes, in pixels.
pub fn width(ui: &Ui, left: TimeLeft) -> f32 {
    let width = |text: String, size: f32| {
        ui.painter().layout_no_wrap(text, egui::FontId::proportional(size), egui::Color32::WHITE).size().x
    };
    let periods = if left.periods > 0 { width(format!("{} ×", left.periods), SMALL) + 8.0 } else { 0.0 };
    width(text_of(left.left), TITLE) + periods
}

/// The remaining time of a side, at its seat.
pub fn show(ui: &mut Ui, left: TimeLeft, runs: bool, palette: &Palette) {
    let short = left.left <= crate::app::play::SHORT_TIME;
    let ink = match (runs, short) {
        (_, true) => colour(palette.panel().danger),
        (true, false) => palette.text(),
        (false, false) => palette.dim(),
    };
    ui.prose(RichText::new(text_of(left.left)).size(TITLE).color(ink));
    if left.periods > 0 {
        dim(ui, palette, format!("{} ×", left.periods));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_on_a_clock() {
        let ms = Duration::from_millis;
        let cases = [
            (ms(3_600_000), "1:00:00"),
            (ms(599_001), "10:00"),
            (ms(61_000), "1:01"),
            (ms(10_001), "0:11"),
            (ms(10_000), "10.0"),
            (ms(4_321), "4.4"),
            (ms(0), "0.0"),
        ];
        for (left, text) in cases {
            assert_eq!(text_of(left), text, "{left:?}");
        }
    }
}
