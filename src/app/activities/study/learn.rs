//! Learn from one's mistakes: what is asked, and what came of it.

use super::Page;
use crate::app::requests::{LearnStep, Requests};
use crate::ui::better;
use crate::ui::widgets::dim;
use bevy_egui::egui::Ui;

impl Page<'_> {
    /// The card of the position that is asked about.
    pub(super) fn learn(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, learn) = (self.words, &self.seen.learn);
        let (Some(task), Some(side), Some(mistake)) = (learn.task(self.current), learn.side(), learn.mistake()) else { return };
        let sheet = &self.current.game().sheet;
        let (number, of, solved) = learn.progress();
        dim(ui, self.palette, words.fill("learn.number", &[&number.to_string(), &of.to_string(), &solved.to_string()]));
        let line = self.current.played().line();
        let played = line.iter().position(|id| *id == mistake).and_then(|index| self.move_text(index)).unwrap_or_default();
        let better = || {
            let parent = self.current.tree().previous(mistake)?;
            let best = *self.current.verdict_at(mistake)?.best.first()?;
            self.sheet.text(self.current.tree().child_with(parent, best)?)
        };
        let ask = words.fill("learn.ask", &[&played, words.of(&sheet.sides[side])]);
        let answer = words.fill("learn.answer", &[&played, better().unwrap_or("…")]);
        better::card(ui, (words, self.palette, sheet), task, (&ask, &answer));
        ui.add_space(4.0);
        let next = if number < of { "learn.next" } else { "learn.finish" };
        let ways = [LearnStep::Show, LearnStep::Next, LearnStep::End].map(Into::into);
        better::buttons(ui, (words, self.palette), (task.stage(), next), ways, requests);
    }
}
