//! The players of a game.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The player of a side, in records and journals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SeatSpec {
    /// A person at this computer.
    #[default]
    Human,
    /// Our own engine.
    Computer {
        /// Its level, from 1 to 10.
        level: u8,
    },
    /// Another program, or a player known only by name.
    External {
        /// Its name.
        name: String,
    },
    /// In a running match, a person elsewhere; in its record they are a person or a name.
    Friend,
}

impl SeatSpec {
    /// The player with a name as [`Display`](fmt::Display) writes it: `human`, `level 3`, or any other name.
    pub fn of_name(name: &str) -> SeatSpec {
        let level = name.strip_prefix("level ").and_then(|level| level.parse().ok()).filter(|level| (1..=10).contains(level));
        match (name, level) {
            ("human", _) => SeatSpec::Human,
            (_, Some(level)) => SeatSpec::Computer { level },
            _ => SeatSpec::External { name: name.to_owned() },
        }
    }

    /// The name, if there is one.
    pub fn name(&self) -> Option<&str> {
        if let SeatSpec::External { name } = self { Some(name) } else { None }
    }
}

impl fmt::Display for SeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatSpec::Human => f.write_str("human"),
            SeatSpec::Computer { level } => write!(f, "level {level}"),
            SeatSpec::External { name } => f.write_str(name),
            SeatSpec::Friend => f.write_str("friend"),
        }
    }
}
