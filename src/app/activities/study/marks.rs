//! What the review shows on the board: the sign of the move that was bad, and the better move.

use super::state::Learn;
use crate::app::explore::{BetterStage, Study};
use crate::app::layout::Layout;
use crate::app::play::{CurrentMatch, in_match};
use crate::app::requests::StudyPage;
use crate::app::state::Menu;
use crate::app::step::Step;
use crate::app::view::{Drawn, Moving, Overlay};
use crate::ui::board_place;
use crate::ui::draw::Draw;
use crate::ui::judgement::ink;
use crate::ui::style::tone;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align2, Color32, FontId, Painter, Pos2, Stroke};
use qiju_core::table::{Action, Judgement, MoveVerdict};

/// The position that is shown, if the review shows something on its board.
#[derive(SystemParam)]
struct Reviewed<'w, 's> {
    study: Res<'w, Study>,
    learn: Res<'w, Learn>,
    current: Res<'w, CurrentMatch>,
    menu: Res<'w, State<Menu>>,
    moving: Query<'w, 's, (), With<Moving>>,
}

impl Reviewed<'_, '_> {
    fn is_on(&self) -> bool {
        self.study.page == Some(StudyPage::Review) && self.moving.is_empty() && *self.menu.get() == Menu::None
    }

    /// The verdict on the move that led here, if it was bad.
    fn verdict(&self) -> Option<&MoveVerdict> {
        let current = &self.current;
        let told = self.is_on() && self.learn.stage(current).is_none() && current.played().sketch().is_none();
        current.verdict_at(current.cursor()).filter(|verdict| told && verdict.judgement.is_error())
    }

    /// The better move; while it is to be found, the bad one.
    fn arrow(&self) -> Option<Drawn> {
        let (action, judgement) = match self.learn.stage(&self.current).filter(|_| self.is_on()) {
            Some(BetterStage::Find) => (self.current.tree().node(self.learn.mistake()?).action()?, Judgement::Blunder),
            Some(_) => return None,
            None => (*self.verdict()?.best.first()?, Judgement::Best),
        };
        Drawn::of(action, ink(judgement))
    }
}

fn show_arrow(reviewed: Reviewed, mut overlay: ResMut<Overlay>) {
    overlay.show("review", reviewed.arrow().into_iter().collect());
}

/// The sign of a judgement at the corner of a point.
fn badge(painter: &Painter, at: Pos2, cell: f32, judgement: Judgement) {
    let Some(sign) = judgement.glyph().and_then(|glyph| glyph.sign()) else { return };
    let middle = at + egui::vec2(0.33, -0.33) * cell;
    let radius = (cell * 0.21).max(9.0);
    painter.circle_filled(middle + egui::vec2(0.0, 1.5), radius, Color32::from_black_alpha(90));
    painter.circle(middle, radius, tone(judgement), Stroke::new(1.5, Color32::WHITE));
    painter.text(middle, Align2::CENTER_CENTER, sign, FontId::proportional(radius * 1.2), Color32::WHITE);
}

fn draw(mut contexts: EguiContexts, reviewed: Reviewed, layout: Res<Layout>) -> Result {
    let Some(verdict) = reviewed.verdict() else { return Ok(()) };
    let current = &reviewed.current;
    if let Some(at) = current.tree().node(current.cursor()).action().and_then(Action::target) {
        let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
        badge(&painter, board_place::point(&layout, at), layout.interface_cell(), verdict.judgement);
    }
    Ok(())
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, show_arrow.in_set(Step::Settle).run_if(in_match))
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Screen).run_if(in_match));
}
