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
        /// The key of the manner in which it plays (see [`Game::manners`](crate::table::Game::manners)).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        manner: Option<String>,
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
    /// Our own engine at a level, without a manner.
    pub const fn computer(level: u8) -> SeatSpec {
        SeatSpec::Computer { level, manner: None }
    }

    /// The player with a name as [`Display`](fmt::Display) writes it: `human`, `level 3`, `level 3 home`, or any other name.
    pub fn of_name(name: &str) -> SeatSpec {
        let is_key = |manner: &str| !manner.is_empty() && manner.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        let computer = |rest: &str| {
            let (level, manner) = rest.split_once(' ').map_or((rest, None), |(level, manner)| (level, Some(manner)));
            let level = level.parse().ok().filter(|level| (1..=10).contains(level))?;
            manner.is_none_or(is_key).then(|| SeatSpec::Computer { level, manner: manner.map(str::to_owned) })
        };
        match name.strip_prefix("level ").and_then(computer) {
            Some(computer) => computer,
            None if name == "human" => SeatSpec::Human,
            None => SeatSpec::External { name: name.to_owned() },
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
            SeatSpec::Computer { level, manner: None } => write!(f, "level {level}"),
            SeatSpec::Computer { level, manner: Some(manner) } => write!(f, "level {level} {manner}"),
            SeatSpec::External { name } => f.write_str(name),
            SeatSpec::Friend => f.write_str("friend"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computers_are_read_from_their_names_and_from_older_files() {
        let guard = SeatSpec::Computer { level: 10, manner: Some("home".to_owned()) };
        for (seat, name, ron) in [
            (SeatSpec::computer(3), "level 3", "Computer(level:3)"),
            (guard, "level 10 home", "Computer(level:10,manner:Some(\"home\"))"),
        ] {
            assert_eq!((seat.to_string().as_str(), &SeatSpec::of_name(name)), (name, &seat));
            assert_eq!((ron::to_string(&seat).unwrap().as_str(), ron::from_str(ron)), (ron, Ok(seat)));
        }
        for name in ["level 0", "level 11 home", "level 3 ", "level 3 Two Words", "level 3 (b)"] {
            assert_eq!(SeatSpec::of_name(name), SeatSpec::External { name: name.to_owned() });
        }
    }
}
