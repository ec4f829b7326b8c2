//! Every word the window says, in both languages.

use crate::table::{Text, read_ron};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A language of the table.
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
    /// The system's language, as far as the environment tells.
    pub fn of_system() -> Language {
        let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = of("LC_ALL").or_else(|| of("LC_MESSAGES")).or_else(|| of("LANG")).unwrap_or_default();
        if locale.starts_with("zh") { Language::Zh } else { Language::En }
    }

    /// The text in this language.
    pub fn of(self, text: &Text) -> &str {
        match self {
            Language::Zh => &text.zh,
            Language::En => &text.en,
        }
    }
}

/// The table of words: a text for each key in each language.
#[derive(Resource)]
pub struct Words {
    tables: [BTreeMap<String, String>; 2],
    /// The language spoken now.
    pub language: Language,
}

/// The files shipped with the program.
pub const FILES: [(Language, &str, &str); 2] = [
    (Language::Zh, "lang/zh.ron", include_str!("../../../assets/lang/zh.ron")),
    (Language::En, "lang/en.ron", include_str!("../../../assets/lang/en.ron")),
];

impl Words {
    /// The words shipped with the program.
    pub fn shipped(language: Language) -> Words {
        let table = |index: usize| {
            let (_, file, text) = FILES[index];
            read_ron(file, text).unwrap_or_default()
        };
        Words { tables: [table(0), table(1)], language }
    }

    /// The word with this key. A key without a word is shown as itself: visible, and found by the tests.
    pub fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.tables[self.language as usize].get(key).map_or(key, String::as_str)
    }

    /// The word with this key, `{}` filled by `value`.
    pub fn with(&self, key: &str, value: impl std::fmt::Display) -> String {
        self.say(key).replace("{}", &value.to_string())
    }

    /// The word with this key, each `{}` filled by the next of the values.
    pub fn fill(&self, key: &str, values: &[&str]) -> String {
        values.iter().fold(self.say(key).to_owned(), |text, value| text.replacen("{}", value, 1))
    }

    /// The text in the language spoken now.
    pub fn of<'a>(&self, text: &'a Text) -> &'a str {
        self.language.of(text)
    }

    /// The keys of a language's table.
    pub fn keys(&self, language: Language) -> impl Iterator<Item = &str> {
        self.tables[language as usize].keys().map(String::as_str)
    }
}
