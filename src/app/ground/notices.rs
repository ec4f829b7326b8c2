//! Messages to the user.

use super::step::Step;
use super::words::Words;
use bevy::prelude::*;
use qiju_core::message::Message;

/// Messages to the user, shown as toasts for some seconds.
#[derive(Resource, Default)]
pub struct Notices {
    /// Text and time of appearance in seconds since the start, oldest first.
    pub shown: Vec<(String, f32)>,
    fresh: Vec<Notice>,
    unsaid: Vec<Notice>,
}

#[derive(Clone)]
enum Notice {
    Text(String),
    Message(Message),
}

impl Notice {
    fn said(self, words: &Words) -> String {
        match self {
            Notice::Text(text) => text,
            Notice::Message(message) => words.sentence(message),
        }
    }
}

impl Notices {
    /// Shows a text, which is in the language of the window.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.add(Notice::Text(text.into()));
    }

    /// Shows an error in the language of the window.
    pub fn fail(&mut self, error: impl Into<Message>) {
        self.add(Notice::Message(error.into()));
    }

    fn add(&mut self, notice: Notice) {
        self.unsaid.push(notice.clone());
        self.fresh.push(notice);
    }

    /// The messages that were not announced to screen readers yet.
    pub fn take_unsaid(&mut self, words: &Words) -> Vec<String> {
        std::mem::take(&mut self.unsaid).into_iter().map(|notice| notice.said(words)).collect()
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
pub fn show_notices(mut notices: ResMut<Notices>, words: Res<Words>, time: Res<Time<Real>>) {
    if notices.shown.is_empty() && notices.fresh.is_empty() {
        return;
    }
    let now = time.elapsed_secs();
    let fresh = std::mem::take(&mut notices.fresh);
    for notice in fresh {
        let text = notice.said(&words);
        info!("notice: {text}");
        notices.shown.retain(|(old, _)| *old != text);
        notices.shown.push((text, now));
    }
    notices.shown.retain(|(text, since)| now - since < seconds_for(text));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Notices>().add_systems(Update, show_notices.in_set(Step::Ui));
}
