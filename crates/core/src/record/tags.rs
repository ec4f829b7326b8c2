//! The tags of a record: event, place, date, opening and so on.

use serde::{Deserialize, Serialize};

/// The tag with the words under which a player keeps a game, separated by semicolons.
pub const KEYWORDS: &str = "Keywords";

/// The keywords in the value of [`KEYWORDS`].
pub fn keywords_in(value: &str) -> impl Iterator<Item = &str> {
    value.split([';', '\n']).map(str::trim).filter(|keyword| !keyword.is_empty())
}

/// Names and values in the order in which they were written. Each name is unique, ignoring case. The usual names are those of
/// Portable Game Notation: `Event`, `Site`, `Date`, `Round`, `Title`, `Opening`, `TimeControl`, `Annotator`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag, if it is there.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a value; an empty one removes the name.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        let place = self.0.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
        match (place, value.is_empty()) {
            (Some(at), true) => drop(self.0.remove(at)),
            (Some(at), false) => self.0[at].1 = value,
            (None, true) => {}
            (None, false) => self.0.push((name.to_owned(), value)),
        }
    }

    /// The keywords under which the game is kept, which [`KEYWORDS`] holds.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        keywords_in(self.get(KEYWORDS).unwrap_or_default())
    }

    /// Adds a keyword, or takes it away; one that differs only in upper and lower case is the same.
    pub fn set_keyword(&mut self, keyword: &str, holds: bool) {
        let same = |other: &&str| other.to_lowercase() == keyword.trim().to_lowercase();
        if self.keywords().any(|other| same(&other)) == holds {
            return;
        }
        let added = keywords_in(keyword).filter(|_| holds);
        let all: Vec<&str> = self.keywords().filter(|other| !same(other)).chain(added).collect();
        let all = all.join("; ");
        self.set(KEYWORDS, all);
    }

    /// The names and their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut tags = Tags::default();
        pairs.into_iter().for_each(|(name, value)| tags.set(&name.into(), value));
        tags
    }
}
