//! The languages of the window and of printed sheets, and all texts in them.

use qiju_core::message::Message;
use qiju_core::table::{Notation, SheetError, Table, Text, read_ron};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Chinese in simplified characters.
    #[default]
    Zh,
    /// Chinese in traditional characters.
    ZhHant,
    /// English.
    En,
    /// Japanese.
    Ja,
    /// Korean.
    Ko,
    /// Vietnamese.
    Vi,
    /// Russian.
    Ru,
}

impl Language {
    /// All languages, as they are listed.
    pub const ALL: [Language; 7] =
        [Language::Zh, Language::ZhHant, Language::En, Language::Ja, Language::Ko, Language::Vi, Language::Ru];

    /// The language of a locale, such as `zh_TW.UTF-8` or `ja`; English if its language is not here.
    pub fn of_locale(locale: &str) -> Language {
        let locale = locale.to_lowercase().replace('_', "-");
        if locale.starts_with("zh") && ["hant", "-tw", "-hk", "-mo"].iter().any(|part| locale.contains(part)) {
            return Language::ZhHant;
        }
        Language::ALL.into_iter().find(|language| locale.starts_with(language.code())).unwrap_or(Language::En)
    }

    /// Its code (BCP 47), in small letters.
    pub fn code(self) -> &'static str {
        self.files().0
    }

    /// Its name in itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Language::Zh => "简体中文",
            Language::ZhHant => "繁體中文",
            Language::En => "English",
            Language::Ja => "日本語",
            Language::Ko => "한국어",
            Language::Vi => "Tiếng Việt",
            Language::Ru => "Русский",
        }
    }

    /// The language with this code.
    pub fn of_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// True if it is Chinese, in either script.
    pub fn is_chinese(self) -> bool {
        matches!(self, Language::Zh | Language::ZhHant)
    }

    /// True if it has Chinese characters and no blanks between words.
    pub fn is_chinese_or_japanese(self) -> bool {
        matches!(self, Language::Zh | Language::ZhHant | Language::Ja)
    }

    /// The usual notation of xiangqi's moves in this language.
    fn notation(self) -> Notation {
        match self {
            Language::Zh => Notation::Chinese,
            Language::ZhHant | Language::Ja => Notation::Traditional,
            Language::Vi => Notation::Vietnamese,
            Language::En | Language::Ko | Language::Ru => Notation::Wxf,
        }
    }

    /// The text with this key. What the language lacks is in English. If there is none, the key itself is shown; a test finds such keys.
    pub fn say(self, key: &str) -> &str {
        let mut found = [self, Language::En].into_iter().filter_map(|language| language.texts().window.get(key));
        found.next().map_or(key, String::as_str)
    }

    /// The text with this key, with each `{}` replaced by the next of the values. The texts in English have the plural behind a number, for which one
    /// thing gets the singular.
    pub fn fill(self, key: &str, values: &[&str]) -> String {
        let mut parts = self.say(key).split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (part, value) in parts.zip(values.iter().map(Some).chain(std::iter::repeat(None))) {
            text += value.unwrap_or(&"{}");
            text += &*if self == Language::En && value == Some(&"1") { of_one(part) } else { part.into() };
        }
        text
    }

    /// The usual notation of a table's moves in this language.
    pub fn notation_of(self, table: &dyn Table) -> Notation {
        let offered = table.notations();
        [self.notation(), Notation::Points].into_iter().find(|notation| offered.contains(notation)).unwrap_or_default()
    }

    /// An error or a remark of the core in this language.
    pub fn tell(self, message: impl Into<Message>) -> String {
        let message = message.into();
        match self {
            Language::En => message.to_string(),
            _ => message.said(&|sentence| self.translated(sentence)),
        }
    }

    /// The text in this language.
    pub fn of(self, text: &Text) -> &str {
        match self {
            Language::Zh => &text.zh,
            _ => self.translated(&text.en),
        }
    }

    /// What the core says in English, in this language; unchanged if there is no translation.
    fn translated(self, english: &str) -> &str {
        self.texts().core.get(english).map_or(english, String::as_str)
    }

    /// Its code, and the built-in files: the window's texts by their keys, and the core's by what they are in English (see [`Message`] and [`Text`];
    /// those of a [`Text`] are not in the file of Chinese, which they have themselves).
    fn files(self) -> (&'static str, &'static str, &'static str) {
        macro_rules! files {
            ($code:literal) => {
                (
                    $code,
                    include_str!(concat!("../assets/lang/", $code, ".ron")),
                    include_str!(concat!("../assets/lang/core.", $code, ".ron")),
                )
            };
        }
        match self {
            Language::Zh => files!("zh"),
            Language::ZhHant => files!("zh-hant"),
            Language::En => ("en", include_str!("../assets/lang/en.ron"), "{}"),
            Language::Ja => files!("ja"),
            Language::Ko => files!("ko"),
            Language::Vi => files!("vi"),
            Language::Ru => files!("ru"),
        }
    }

    /// Reads the built-in files.
    ///
    /// # Errors
    /// One of them is not a table of texts.
    pub fn read(self) -> Result<Texts, SheetError> {
        let (code, window, core) = self.files();
        Ok(Texts {
            window: read_ron(&format!("lang/{code}.ron"), window)?,
            core: read_ron(&format!("lang/core.{code}.ron"), core)?,
        })
    }

    /// The texts of the built-in files.
    fn texts(self) -> &'static Texts {
        static ALL: [OnceLock<Texts>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        ALL[self as usize].get_or_init(|| self.read().unwrap_or_default())
    }
}

/// The nouns that stand behind a number in the English texts.
const COUNTED: [(&str, &str); 12] = [
    ("moves", "move"),
    ("plies", "ply"),
    ("stones", "stone"),
    ("turns", "turn"),
    ("nodes", "node"),
    ("steps", "step"),
    ("games", "game"),
    ("results", "result"),
    ("lessons", "lesson"),
    ("files", "file"),
    ("times", "time"),
    ("days", "day"),
];

/// What follows the number one in English: its first noun, which may stand behind one other word, in the singular.
fn of_one(rest: &str) -> Cow<'_, str> {
    let words = rest.split_inclusive(|c: char| !c.is_alphanumeric()).scan(0, |at, word| {
        let begins = *at;
        *at += word.len();
        Some((begins, word.trim_end_matches(|c: char| !c.is_alphanumeric())))
    });
    let noun = words.take(3).find_map(|(at, word)| Some((at, COUNTED.iter().find(|(plural, _)| *plural == word)?)));
    match noun {
        Some((at, (plural, singular))) => format!("{}{singular}{}", &rest[..at], &rest[at + plural.len()..]).into(),
        None => rest.into(),
    }
}

/// All texts of a language.
#[derive(Default)]
pub struct Texts {
    /// Those of the window, by their keys.
    pub window: BTreeMap<String, String>,
    /// Those of the core, by what they are in English.
    pub core: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_has_its_language() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::Zh),
            ("zh", Language::Zh),
            ("zh-TW", Language::ZhHant),
            ("zh_HK.UTF-8", Language::ZhHant),
            ("zh-Hant-MO", Language::ZhHant),
            ("zh-Hans-SG", Language::Zh),
            ("ja_JP.UTF-8", Language::Ja),
            ("ko-KR", Language::Ko),
            ("vi_VN", Language::Vi),
            ("ru", Language::Ru),
            ("en_GB.UTF-8", Language::En),
            ("de_DE", Language::En),
            ("C", Language::En),
            ("", Language::En),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
        for language in Language::ALL {
            assert_eq!(Language::of_code(language.code()), Some(language));
            // As the settings file has it.
            let kept = ron::to_string(&language).unwrap();
            assert_eq!((kept.as_str(), ron::from_str(&kept)), (&*language.code().replace('-', "_"), Ok(language)));
        }
    }
}
