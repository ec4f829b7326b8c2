//! What the window has computed for it, as values that can be sent: to a thread of this process, or as bytes to a worker of the page in a
//! browser, which has no threads. There is one type for each question, and [`Computation`] says how it is answered.
//!
//! ```
//! use qiju_core::compute::{self, ExactValues, SentTable};
//! use qiju_core::{games, search::StopToken, table::Setup};
//!
//! let table = games::find("tic-tac-toe")?.table(&Setup::default())?;
//! let question = compute::write(&ExactValues { table: SentTable::of(&*table) })?;
//! let answer = compute::answer("exact-values", &question, &StopToken::new(), &mut |_| ())?;
//! let values = compute::read_answer::<ExactValues>(&answer)?;
//! assert_eq!(values.expect("tic-tac-toe is solved").len(), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod kept;
mod laboratory;
mod pictures;
mod search;
mod sent;
mod study;
#[cfg(test)]
mod tests;
mod vision;

pub use kept::SentProver;
pub use laboratory::{CountTree, DrawTree, MeasureExperiment, table_of_bench};
pub use pictures::{Diagram, LastPositions, PaintBoard, PaintDesk, PaintGame, PaintPieces, PictureContent, SavedMoves};
pub use search::{Think, Thought};
pub use sent::{SentPlayer, SentTable};
pub use study::{
    ExactValues, FindExercise, FindThreat, JudgeGame, JudgeMove, LearnFromLoss, LookForWin, NextMove, Prove, Refute, ReviewGame,
};
pub use vision::{ReadPicture, Shot, Sighting};

use crate::search::StopToken;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A question with everything that is needed to answer it.
pub trait Computation: Serialize + DeserializeOwned + Send + 'static {
    /// The name of the kind of question in messages.
    const KEY: &'static str;
    /// What is told before the answer.
    type News: Serialize + DeserializeOwned + Send + 'static;
    /// The answer.
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Answers it. When the token is raised it returns soon; the answer is then no longer wanted.
    fn run(self, stop: &StopToken, tell: &mut dyn FnMut(Self::News)) -> Self::Answer;

    /// The number of what it keeps for the next question, such as an engine with its transposition table; `None` if it keeps nothing.
    fn keeps(&self) -> Option<u64> {
        None
    }
}

/// A message that cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadMessage {
    /// There is no such kind of question.
    #[error("no computation '{0}'")]
    Unknown(String),
    /// The message is not valid.
    #[error("'{of}': {why}")]
    Invalid {
        /// The kind of question.
        of: &'static str,
        /// What is wrong.
        why: String,
    },
}

fn invalid<C: Computation>(why: impl ToString) -> BadMessage {
    BadMessage::Invalid { of: C::KEY, why: why.to_string() }
}

fn bytes_of<C: Computation>(value: &impl Serialize) -> Result<Vec<u8>, BadMessage> {
    rmp_serde::to_vec_named(value).map_err(invalid::<C>)
}

/// A question as bytes.
///
/// # Errors
/// It cannot be written: a value in it has no form as bytes.
pub fn write<C: Computation>(question: &C) -> Result<Vec<u8>, BadMessage> {
    bytes_of::<C>(question)
}

/// Reads an answer.
///
/// # Errors
/// The bytes are not an answer to such a question.
pub fn read_answer<C: Computation>(bytes: &[u8]) -> Result<C::Answer, BadMessage> {
    rmp_serde::from_slice(bytes).map_err(invalid::<C>)
}

/// Reads news.
///
/// # Errors
/// The bytes are not news about such a question.
pub fn read_news<C: Computation>(bytes: &[u8]) -> Result<C::News, BadMessage> {
    rmp_serde::from_slice(bytes).map_err(invalid::<C>)
}

fn answer_one<C: Computation>(bytes: &[u8], stop: &StopToken, tell: &mut dyn FnMut(Vec<u8>)) -> Result<Vec<u8>, BadMessage> {
    let question: C = rmp_serde::from_slice(bytes).map_err(invalid::<C>)?;
    let answer = question.run(stop, &mut |news| {
        if let Ok(bytes) = bytes_of::<C>(&news) {
            tell(bytes);
        }
    });
    bytes_of::<C>(&answer)
}

macro_rules! kinds {
    ($($(#[$when:meta])* $kind:ty),* $(,)?) => {
        /// Answers a question that came as bytes, with bytes. `tell` gets the news.
        ///
        /// # Errors
        /// There is no such kind of question, or the bytes are not such a question.
        pub fn answer(
            key: &str,
            question: &[u8],
            stop: &StopToken,
            tell: &mut dyn FnMut(Vec<u8>),
        ) -> Result<Vec<u8>, BadMessage> {
            match key {
                $($(#[$when])* <$kind>::KEY => answer_one::<$kind>(question, stop, tell),)*
                _ => Err(BadMessage::Unknown(key.to_owned())),
            }
        }

        /// The names of all kinds of questions.
        pub const KEYS: &[&str] = &[$($(#[$when])* <$kind>::KEY),*];
    };
}

kinds!(
    Think,
    ExactValues,
    JudgeGame,
    Refute,
    LookForWin,
    Prove,
    ReviewGame,
    JudgeMove,
    FindThreat,
    NextMove,
    FindExercise,
    LearnFromLoss,
    CountTree,
    DrawTree,
    MeasureExperiment,
    PaintDesk,
    PaintBoard,
    PaintPieces,
    LastPositions,
    PaintGame,
    ReadPicture,
);
