//! Matches between engines: their players, their openings, and how a game is played and judged.

mod adjudication;
mod game;
mod openings;
mod player;

pub use adjudication::Margins;
pub use game::{Game, Rules, play};
pub use openings::{Opening, balanced, random};
pub use player::{Competitor, Fault, Spec};
