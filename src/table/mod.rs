//! The face of a game that the window, the records and the protocols see, without generics.
//!
//! A game implements [`Game`]; [`Seated`] turns it into a [`Table`]: one dynamic call a user's move, none inside a search.

mod action;
mod clock;
mod game;
mod image;
mod knowledge;
mod lessons;
mod level;
mod notation;
mod opening;
mod request;
mod seated;
mod self_check;
mod setup;
mod sheet;
mod tree;
mod view;

pub use action::{Action, Change, Piece};
pub use clock::{Clock, TimeControl, TimeLeft};
pub use game::Game;
pub use image::Image;
pub use knowledge::{Exercise, ExerciseClass, Preparation, Restriction, Win};
pub use lessons::{Damage, Lesson, Lessons};
pub use level::Level;
pub use notation::Notation;
pub use opening::{Choice, Duty, Opener, OpeningRule, Swap2};
pub use request::{Algorithm, EngineOptions, Memory, Progress, SearchRequest, Thinker};
pub use seated::Seated;
pub use setup::{Setup, SetupError};
pub use sheet::{
    Board, Coordinates, Example, GameSheet, Grid, Inscription, Names, Role, Shape, SheetError, Text, Variant, read_ron,
};
pub use tree::{Cursor, Glyph, Mark, MarkColour, Node, NodeId, Origin, Step, Tree};
pub use view::Table;
