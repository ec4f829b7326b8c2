//! Sends announcements to screen readers, and says them aloud where that is wanted.

use super::typesetting::Prose;
use crate::app::platform::{PLATFORM, announce};
use crate::app::play::{Spoken, say_all};
use crate::app::settings::Settings;
use crate::app::voice::speak;
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::accesskit::{Live, Role};
use egui::output::OutputEvent;
use egui::{Context, Id, Response, RichText, Ui, WidgetType};
use std::mem::take;

/// What a page tells: what came of a move, what is asked next. It is announced when it comes.
pub trait News {
    /// A label that is announced.
    fn news(&mut self, text: impl Into<RichText>) -> Response;

    /// Has something announced that is seen in another form. In a scope with an id of its own the same text is new.
    fn announce(&mut self, text: impl Into<String>);
}

impl News for Ui {
    fn news(&mut self, text: impl Into<RichText>) -> Response {
        let text = text.into();
        self.announce(text.text());
        self.prose(text)
    }

    fn announce(&mut self, text: impl Into<String>) {
        let (id, text) = (self.id(), text.into());
        self.data_mut(|data| data.get_temp_mut_or_default::<Told>(Id::NULL).now.push((id, text)));
    }
}

/// A widget without a name of its own.
pub trait Named {
    /// It is named by a text beside it.
    fn named(self, label: &Response, text: &str) -> Self;

    /// Its name is not seen, or it is seen as a part of another text.
    fn called(self, name: &str) -> Self;
}

impl Named for Response {
    fn named(self, label: &Response, text: &str) -> Self {
        remember(&self, text);
        // The hint that a field has as its name would count for more than the label.
        self.ctx.accesskit_node_builder(self.id, |node| node.clear_label());
        self.labelled_by(label.id)
    }

    fn called(self, name: &str) -> Self {
        remember(&self, name);
        self.ctx.accesskit_node_builder(self.id, |node| node.set_label(name));
        self
    }
}

/// The name of what has the keyboard, where a page tells it.
fn remember(response: &Response, name: &str) {
    if response.has_focus() {
        let name = name.to_owned();
        response.ctx.data_mut(|data| data.get_temp_mut_or_default::<Told>(Id::NULL).name = Some(name));
    }
}

/// What the page tells in this frame, what it told in the last one, and the name of what has the keyboard, if it has none of its own.
#[derive(Clone, Default)]
struct Told {
    now: Vec<(Id, String)>,
    before: Vec<(Id, String)>,
    name: Option<String>,
}

impl Told {
    /// What is told now and was not told before.
    fn take_new(&mut self) -> Vec<String> {
        let before = std::mem::replace(&mut self.before, take(&mut self.now));
        let new = self.before.iter().filter(|told| !told.1.is_empty() && !before.contains(told));
        new.map(|(_, text)| text.clone()).collect()
    }
}

/// What has the keyboard now, if it has just come there: its name, then what it holds. Of a slider that was moved, the same.
fn gone_to(ctx: &Context, name: Option<String>) -> Option<String> {
    let info = ctx.output(|output| {
        output.events.iter().rev().find_map(|event| match event {
            OutputEvent::FocusGained(info) => Some(info.clone()),
            OutputEvent::ValueChanged(info) if info.typ == WidgetType::Slider => Some(info.clone()),
            _ => None,
        })
    })?;
    // A check mark and a dash: they are read out, not drawn.
    let mark = info.selected.map(|selected| if selected { "\u{2713}" } else { "\u{2013}" }.to_owned());
    let number = info.value.filter(|_| info.typ != WidgetType::Button).map(|value| value.to_string());
    let name = info.label.filter(|label| !label.is_empty()).or(name);
    // An empty field says what belongs into it.
    let hint = info.hint_text.filter(|hint| name.as_ref() != Some(hint));
    let text = info.current_text_value.filter(|text| !text.is_empty()).or(hint);
    let parts = [name, text, number, mark];
    Some(parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
        .filter(|said| !said.is_empty())
}

/// An invisible live node: a screen reader reads its text when it changes. A page has its own.
pub fn tell(mut contexts: EguiContexts, mut spoken: ResMut<Spoken>, (words, settings): (Res<Words>, Res<Settings>)) -> Result {
    let ctx = contexts.ctx_mut()?;
    let (mut new, name) = ctx.data_mut(|data| {
        let told = data.get_temp_mut_or_default::<Told>(Id::NULL);
        (told.take_new(), take(&mut told.name))
    });
    if !PLATFORM.nodes {
        new.extend(gone_to(ctx, name));
    }
    if !new.is_empty() {
        // A move and what came of it.
        if spoken.is_changed() && !spoken.text.is_empty() {
            new.insert(0, take(&mut spoken.text));
        }
        say_all(&mut spoken, &new);
    }
    if spoken.is_changed() {
        announce(&spoken.text, words.language.code());
        if settings.speak_aloud && !spoken.text.is_empty() {
            speak(&spoken.text, words.language.code());
        }
    }
    if spoken.text.is_empty() {
        return Ok(());
    }
    // If the same text is announced twice, the node gets another number.
    let id = egui::Id::new("spoken").with(spoken.count);
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(Role::Status);
        node.set_live(Live::Polite);
        // Screen readers of Linux and Windows are told a live node's name, never its value.
        node.set_label(spoken.text.clone());
    });
    Ok(())
}
