//! When a move on the board must be confirmed before it is played.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// When a move on the board must be confirmed before it is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "&'static str")]
pub enum Confirmation {
    /// A move is played at once.
    Never,
    /// A move made by a finger is confirmed, one made by mouse or key is played at once.
    #[default]
    Touch,
    /// Every move is confirmed.
    Always,
}

impl Confirmation {
    /// All of them, with their names in the file of settings.
    const NAMES: [(Confirmation, &'static str); 3] =
        [(Confirmation::Never, "never"), (Confirmation::Touch, "touch"), (Confirmation::Always, "always")];

    /// True if a move made like this, by a finger or not, must be confirmed.
    pub fn asks(self, by_finger: bool) -> bool {
        match self {
            Confirmation::Never => false,
            Confirmation::Touch => by_finger,
            Confirmation::Always => true,
        }
    }
}

impl From<Confirmation> for &'static str {
    fn from(value: Confirmation) -> Self {
        Confirmation::NAMES.iter().find(|(one, _)| *one == value).map_or("touch", |(_, name)| name)
    }
}

/// Reads a name, or the truth value that older files have.
struct Reader;

impl Visitor<'_> for Reader {
    type Value = Confirmation;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("\"never\", \"touch\" or \"always\"")
    }

    fn visit_bool<E: Error>(self, always: bool) -> Result<Confirmation, E> {
        Ok(if always { Confirmation::Always } else { Confirmation::default() })
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Confirmation, E> {
        let found = Confirmation::NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(one, _)| *one).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(name), &self))
    }
}

impl<'de> Deserialize<'de> for Confirmation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_kept_by_its_name_and_older_files_are_read() {
        for (one, name) in Confirmation::NAMES {
            let text = ron::to_string(&one).unwrap();
            assert_eq!(text, format!("\"{name}\""));
            assert_eq!(ron::from_str::<Confirmation>(&text), Ok(one));
        }
        assert_eq!(ron::from_str::<Confirmation>("true"), Ok(Confirmation::Always));
        assert_eq!(ron::from_str::<Confirmation>("false"), Ok(Confirmation::Touch));
        assert!(ron::from_str::<Confirmation>("\"sometimes\"").is_err());
        assert!(ron::from_str::<Confirmation>("3").is_err());
    }
}
