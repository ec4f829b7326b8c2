//! The trays for captured pieces.

use crate::app::ground::layout::{Layout, Shape};
use bevy::prelude::*;
use qiju_core::rules::{BySide, Side};

/// The next free place among the pieces each side has taken, in pixels of the interface from the upper left; told by what
/// draws the trays.
#[derive(Resource, Default)]
pub struct Trays(pub BySide<Option<Vec2>>);

impl Trays {
    /// The world position of a side's tray.
    pub fn of(&self, taker: Side, layout: &Layout) -> Vec2 {
        if let Some(place) = self.0[taker].filter(|_| layout.shape == Shape::Beside) {
            return layout.world(place * layout.zoom);
        }
        // The default: beside the board, lower for the side at the lower edge.
        let below = (taker == Side::First) != layout.flipped;
        let half = layout.window / 2.0;
        let x = half.x
            - (layout.panel_place().width().min(layout.panel_place().min.x) * layout.zoom * layout.scale * 0.7)
                .max(layout.cell * 0.4);
        Vec2::new(x, if below { -half.y * 0.55 } else { half.y * 0.75 })
    }
}
