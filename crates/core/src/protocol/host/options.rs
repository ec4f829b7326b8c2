//! The options that a program declares in UCI and UCCI, as it declares them.

use super::speaker::LONGEST_NAME;
use crate::protocol::text::clean;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The longest text of an option, in characters, and the most choices of one option.
const LONGEST_TEXT: usize = 1024;
const MOST_CHOICES: usize = 256;
/// The limits of a number where the program gives none.
const NUMBERS: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
/// The options that we set ourselves: they are not offered to the user.
const OURS: [&str; 5] = ["UCI_Variant", "Variant", "usemillisec", "MultiPV", "Ponder"];

/// An option of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramOption {
    /// Its name.
    pub name: String,
    /// What can be set.
    pub kind: OptionKind,
}

/// The kinds of options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptionKind {
    /// On or off.
    Check(bool),
    /// A number within limits.
    Spin {
        /// The program's own value.
        default: i64,
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// One of several words.
    Combo {
        /// The program's own choice.
        default: String,
        /// All choices.
        choices: Vec<String>,
    },
    /// A text.
    Text(String),
    /// A command without a value.
    Button,
}

/// The values that the user has set, by the options' names.
pub type OptionValues = BTreeMap<String, String>;

/// Names of buttons that wait to be sent to a program. Clones share the list.
#[derive(Clone, Debug, Default)]
pub struct Buttons(Arc<Mutex<Vec<String>>>);

impl Buttons {
    /// Adds a button.
    pub fn press(&self, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
    }

    /// Removes and returns those that wait.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The parts of a declaration: each keyword with the text after it.
fn parts(line: &str) -> Vec<(&str, String)> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for word in line.split_whitespace() {
        // A name may contain any word but `type`, a text any word at all.
        let starts = match parts.last() {
            None => true,
            Some(("name", _)) => word == "type",
            Some(("default", _)) if parts.iter().any(|(key, value)| *key == "type" && value == "string") => false,
            Some(_) => ["type", "default", "min", "max", "var"].contains(&word),
        };
        match parts.last_mut() {
            _ if starts => parts.push((word, String::new())),
            Some((_, text)) => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
            None => {}
        }
    }
    parts
}

impl ProgramOption {
    /// Reads a declaration: `option name Hash type spin default 16 min 1 max 1024`, or in UCCI `option hashsize type spin ..`.
    /// `None` if it is incomplete.
    pub fn read(line: &str) -> Option<ProgramOption> {
        let rest = line.strip_prefix("option ")?.trim_start();
        let rest = if rest.starts_with("name ") { rest.to_owned() } else { format!("name {rest}") };
        let parts = parts(&rest);
        let part = |key: &str| parts.iter().find(|(known, _)| *known == key).map(|(_, text)| text.as_str());
        let name = part("name").filter(|name| !name.is_empty() && name.chars().count() <= LONGEST_NAME)?;
        let text = |text: &str| match clean(text, LONGEST_TEXT) {
            // UCI writes an empty text like this.
            text if text == "<empty>" => String::new(),
            text => text,
        };
        let default = part("default").map(text).unwrap_or_default();
        let number = |key: &str| part(key).and_then(|text| text.parse::<i64>().ok());
        let kind = match part("type")? {
            "check" => OptionKind::Check(default.eq_ignore_ascii_case("true")),
            "spin" => {
                let (least, most) = (number("min").unwrap_or(NUMBERS.0), number("max").unwrap_or(NUMBERS.1));
                if least > most {
                    return None;
                }
                OptionKind::Spin { default: number("default").unwrap_or(0).clamp(least, most), least, most }
            }
            "combo" => {
                let vars = parts.iter().filter(|(key, _)| *key == "var").map(|(_, word)| text(word));
                let choices: Vec<String> = vars.take(MOST_CHOICES).collect();
                OptionKind::Combo { default: if default.is_empty() { choices.first()?.clone() } else { default }, choices }
            }
            "string" => OptionKind::Text(default),
            "button" => OptionKind::Button,
            _ => return None,
        };
        Some(ProgramOption { name: clean(name, LONGEST_NAME), kind })
    }

    /// True if we set it ourselves: the variant, the number of lines.
    pub fn is_ours(&self) -> bool {
        OURS.iter().any(|ours| self.name.eq_ignore_ascii_case(ours))
    }

    /// The value the program has by itself; `None` for a button.
    pub fn default(&self) -> Option<String> {
        match &self.kind {
            OptionKind::Check(on) => Some(on.to_string()),
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::Text(default) => Some(default.clone()),
            OptionKind::Button => None,
        }
    }

    /// True if the program takes this value.
    pub fn takes(&self, value: &str) -> bool {
        match &self.kind {
            OptionKind::Check(_) => value == "true" || value == "false",
            OptionKind::Spin { least, most, .. } => value.parse::<i64>().is_ok_and(|value| (*least..=*most).contains(&value)),
            OptionKind::Combo { choices, .. } => choices.iter().any(|choice| choice == value),
            OptionKind::Text(_) => value.chars().count() <= LONGEST_TEXT && !value.contains(char::is_control),
            OptionKind::Button => false,
        }
    }
}

/// A value as it is sent.
pub(super) fn sent(value: &str) -> &str {
    if value.is_empty() { "<empty>" } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<OptionKind> {
        ProgramOption::read(line).map(|option| option.kind)
    }

    #[test]
    fn declarations_are_read() {
        let spin = |default, least, most| Some(OptionKind::Spin { default, least, most });
        assert_eq!(read("option name Hash type spin default 16 min 1 max 1024"), spin(16, 1, 1024));
        assert_eq!(read("option hashsize type spin min 1 max 64 default 99"), spin(64, 1, 64));
        assert_eq!(read("option name Ponder type check default true"), Some(OptionKind::Check(true)));
        assert_eq!(read("option name Clear Hash type button"), Some(OptionKind::Button));
        assert_eq!(read("option name File type string default <empty>"), Some(OptionKind::Text(String::new())));
        let path = OptionKind::Text("C:/my var type/x min".to_owned());
        assert_eq!(read("option name File type string default C:/my var type/x min"), Some(path));
        let style = ["Solid", "Very Risky"].map(str::to_owned).to_vec();
        let combo = OptionKind::Combo { default: "Very Risky".to_owned(), choices: style };
        assert_eq!(read("option name Style type combo default Very Risky var Solid var Very Risky"), Some(combo));
        assert_eq!(ProgramOption::read("option name Clear Hash type button").unwrap().name, "Clear Hash");
        for bad in ["option", "option name X", "option name type check", "option name X type spin min 5 max 1", "id name X"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn values_are_checked() {
        let option = |line: &str| ProgramOption::read(line).unwrap();
        let hash = option("option name Hash type spin default 16 min 1 max 64");
        assert!(hash.takes("64") && !hash.takes("65") && !hash.takes("many"));
        let style = option("option name Style type combo default A var A var B");
        assert!(style.takes("B") && !style.takes("C"));
        let file = option("option name File type string default x");
        assert!(file.takes("") && !file.takes("a\nquit"));
        assert_eq!((sent(""), sent("a b")), ("<empty>", "a b"));
        assert!(option("option name multipv type spin default 1 min 1 max 9").is_ours());
    }
}
