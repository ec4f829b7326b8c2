//! All texts of the window, in both languages.

use super::platform::locale;
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::table::{Text, read_ron};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Chinese.
    #[default]
    Zh,
    /// English.
    En,
}

impl Language {
    /// The system's language.
    pub fn of_system() -> Language {
        let locale = locale();
        if locale.starts_with("zh") { Language::Zh } else { Language::En }
    }

    /// Its code in the names of locales.
    pub fn code(self) -> &'static str {
        match self {
            Language::Zh => "zh",
            Language::En => "en",
        }
    }

    /// An error or a remark of the core in this language.
    pub fn tell(self, message: impl Into<Message>) -> String {
        let message = message.into();
        match self {
            Language::En => message.to_string(),
            Language::Zh => message.said(&|sentence| MESSAGES.get(sentence).map_or(sentence, String::as_str)),
        }
    }

    /// The text in this language.
    pub fn of(self, text: &Text) -> &str {
        match self {
            Language::Zh => &text.zh,
            Language::En => &text.en,
        }
    }
}

/// The Chinese text of each sentence that the core says in English (see [`Message`]).
pub const MESSAGES_FILE: (&str, &str) = ("lang/messages.zh.ron", include_str!("../../../assets/lang/messages.zh.ron"));

static MESSAGES: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| read_ron(MESSAGES_FILE.0, MESSAGES_FILE.1).unwrap_or_default());

/// A text for each key in each language.
#[derive(Resource)]
pub struct Words {
    tables: [BTreeMap<String, String>; 2],
    /// The current language.
    pub language: Language,
}

/// The built-in files.
pub const FILES: [(Language, &str, &str); 2] = [
    (Language::Zh, "lang/zh.ron", include_str!("../../../assets/lang/zh.ron")),
    (Language::En, "lang/en.ron", include_str!("../../../assets/lang/en.ron")),
];

impl Words {
    /// The built-in texts.
    pub fn shipped(language: Language) -> Words {
        let table = |index: usize| {
            let (_, file, text) = FILES[index];
            read_ron(file, text).unwrap_or_default()
        };
        Words { tables: [table(0), table(1)], language }
    }

    /// The text with this key. If there is none, the key itself is shown; a test finds such keys.
    pub fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.tables[self.language as usize].get(key).map_or(key, String::as_str)
    }

    /// The text with this key, with `{}` replaced by `value`.
    pub fn with(&self, key: &str, value: impl std::fmt::Display) -> String {
        self.say(key).replace("{}", &value.to_string())
    }

    /// The text with this key, with each `{}` replaced by the next of the values.
    pub fn fill(&self, key: &str, values: &[&str]) -> String {
        values.iter().fold(self.say(key).to_owned(), |text, value| text.replacen("{}", value, 1))
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
        if begins && let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text
    }

    /// The text in the current language.
    pub fn of<'a>(&self, text: &'a Text) -> &'a str {
        self.language.of(text)
    }

    /// All keys of a language.
    pub fn keys(&self, language: Language) -> impl Iterator<Item = &str> {
        self.tables[language as usize].keys().map(String::as_str)
    }
}
