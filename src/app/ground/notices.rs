//! Messages to the player that no move is about.

use super::step::Step;
use bevy::prelude::*;

/// Messages to the player, shown as toasts until there was time to read them.
#[derive(Resource, Default)]
pub struct Notices {
    /// Text and time of appearance in seconds since the start, oldest first.
    pub shown: Vec<(String, f32)>,
    fresh: Vec<String>,
}

impl Notices {
    /// Tells the player something.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.fresh.push(text.into());
    }
}

/// Seconds a notice stays: long enough to be read.
fn seconds_for(text: &str) -> f32 {
    3.0 + 0.08 * text.chars().count() as f32
}

/// Shows what is new and takes away what was there long enough.
pub fn show_notices(mut notices: ResMut<Notices>, time: Res<Time<Real>>) {
    if notices.shown.is_empty() && notices.fresh.is_empty() {
        return;
    }
    let now = time.elapsed_secs();
    let fresh = std::mem::take(&mut notices.fresh);
    for text in fresh {
        info!("notice: {text}");
        notices.shown.retain(|(old, _)| *old != text);
        notices.shown.push((text, now));
    }
    notices.shown.retain(|(text, since)| now - since < seconds_for(text));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Notices>().add_systems(Update, show_notices.in_set(Step::Ui));
}
