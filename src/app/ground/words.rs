//! All texts of the window, in every language.

pub use crate::language::Language;
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::table::Text;

/// The texts in the language in use.
#[derive(Resource)]
pub struct Words {
    /// The current language.
    pub language: Language,
}

impl Words {
    /// The built-in texts.
    pub fn shipped(language: Language) -> Words {
        Words { language }
    }

    /// The text with this key; see [`Language::say`].
    pub fn say<'a>(&self, key: &'a str) -> &'a str {
        self.language.say(key)
    }

    /// The text with this key, with `{}` replaced by `value`.
    pub fn with(&self, key: &str, value: impl std::fmt::Display) -> String {
        self.fill(key, &[&value.to_string()])
    }

    /// The text with this key, with each `{}` replaced by the next of the values.
    pub fn fill(&self, key: &str, values: &[&str]) -> String {
        self.language.fill(key, values)
    }

    /// An error or a remark of the core in the current language, as a part of a sentence.
    pub fn tell(&self, message: impl Into<Message>) -> String {
        self.language.tell(message)
    }

    /// An error or a remark of the core in the current language, as a sentence: it begins with a capital.
    pub fn sentence(&self, message: impl Into<Message>) -> String {
        let message = message.into();
        let begins = message.begins_with_words();
        let mut text = self.tell(message);
        match text.chars().next() {
            Some(first) if begins => text.replace_range(..first.len_utf8(), &first.to_uppercase().to_string()),
            _ => {}
        }
        text
    }

    /// The text in the current language.
    pub fn of<'a>(&self, text: &'a Text) -> &'a str {
        self.language.of(text)
    }
}
