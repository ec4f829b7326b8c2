//! Messages to the user.

use super::step::Step;
use bevy::prelude::*;

/// Messages to the user, shown as toasts for some seconds.
#[derive(Resource, Default)]
pub struct Notices {
    /// Text and time of appearance in seconds since the start, oldest first.
    pub shown: Vec<(String, f32)>,
    fresh: Vec<String>,
    unsaid: Vec<String>,
}

impl Notices {
    /// Shows a message.
    pub fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.unsaid.push(text.clone());
        self.fresh.push(text);
    }

    /// The messages that were not announced to screen readers yet.
    pub fn take_unsaid(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unsaid)
    }

    /// True if a message was not announced yet.
    pub fn has_unsaid(&self) -> bool {
        !self.unsaid.is_empty()
    }
}

/// The time a message is shown, in seconds.
fn seconds_for(text: &str) -> f32 {
    3.0 + 0.08 * text.chars().count() as f32
}

/// Shows new messages and removes old ones.
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
