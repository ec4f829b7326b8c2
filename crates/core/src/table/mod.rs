//! A game in progress as the window, the records and the protocols use it, without generics.
//!
//! A game implements the small trait [`Game`]. [`GameTable`] turns it into a [`Table`]: one dynamic call per move of a
//! user, none inside a search. Features that only some games have are methods of [`Game`] with a default, or optional
//! trait objects: [`Capabilities`]. A [`Player`] finds moves.

mod action;
mod assessment;
mod capabilities;
mod certain;
mod clock;
mod curve;
mod edit;
mod engine_player;
mod evaluations;
mod first_steps;
mod formations;
mod game;
mod game_table;
mod glyph;
mod goal;
mod handicap;
mod image;
mod lessons;
mod level;
mod manner;
mod node;
mod notation;
mod notes;
mod openings;
mod placement;
mod played;
mod player;
mod protocol;
mod prover;
mod puzzles;
mod request;
mod search_tree;
mod self_check;
mod setup;
mod sheet;
mod solution;
mod state;
mod still;
mod swap2;
#[expect(clippy::module_inception, reason = "the face of a game in progress")]
mod table;
mod tree;

pub use action::{Action, Change, Piece};
pub use assessment::{Assessment, Chance, Judgement, MistakeKind, MistakeReason, MoveVerdict};
pub use capabilities::Capabilities;
pub use certain::Certain;
pub use clock::{Clock, TimeControl, TimeLeft, controls_in_file};
pub use curve::Curve;
pub use edit::{EditError, NodePath, TreeEdit};
pub use evaluations::{Evaluation, Evaluations, Worths};
pub use first_steps::{FirstSteps, Task};
pub use formations::{Formation, Restriction};
pub use game::Game;
pub use game_table::{GameTable, moves_of, position_of};
pub use glyph::Glyph;
pub use goal::{Goal, Miss, MoveGoal, OtherSide, TaskStatus};
pub use handicap::Handicap;
pub use image::Image;
pub use lessons::{Better, Damage, FILE as LESSONS_FILE, Lesson, Lessons, variant_of};
pub use level::Level;
pub use manner::Manner;
pub use node::TreeNode;
pub use notation::Notation;
pub use notes::Notes;
pub use openings::OpeningRule;
pub use placement::{Draft, Placement};
pub use played::PlayedGame;
pub use player::{Player, PlayerError, PlayerHandle};
pub use protocol::Protocol;
pub use prover::{ProvenWin, Prover, Win};
pub use puzzles::{PuzzleKind, PuzzleSetter, PuzzleSolution, Puzzles};
pub use request::{Algorithm, EngineOptions, Progress, SearchRequest};
pub use search_tree::{SearchEvent, SearchNode, SearchTree, TreeRequest, TreeSize, View};
pub use setup::{Setup, SetupError};
pub use sheet::{
    Board, Coordinates, Example, GameSheet, Grid, Inscription, MannerText, Names, PuzzleTheme, Role, Shape, SheetError, Text,
    Variant, read_ron,
};
pub use solution::{Exercise, ExerciseClass, Preparation, Solution};
pub use state::State;
pub use still::Still;
pub use swap2::{Choice, Duty, Opener, Swap2};
pub use table::Table;
pub use tree::{Cursor, LabelText, Mark, MarkColour, NodeId, Origin, Step, Tree};
