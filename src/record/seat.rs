//! Who sits at a side of the board.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Who sits at a side of the board, as records and journals remember it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SeatSpec {
    /// A person at the table.
    #[default]
    Human,
    /// Our own engine.
    Computer {
        /// Its level, from 1 to 10.
        level: u8,
    },
    /// Another program, or a player we only know by name.
    External {
        /// What it is called.
        name: String,
    },
}

impl fmt::Display for SeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatSpec::Human => f.write_str("human"),
            SeatSpec::Computer { level } => write!(f, "level {level}"),
            SeatSpec::External { name } => f.write_str(name),
        }
    }
}
