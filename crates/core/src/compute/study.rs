//! Questions about games and positions: exact results, proofs, reviews, tasks and exercises.

use super::{Computation, SentProver, SentTable};
use crate::games;
use crate::message::Message;
use crate::rules::Side;
use crate::search::{StopToken, Verdict};
use crate::study;
use crate::study::{BestLine, FoundWin, JudgedMove, LineMove, News, PROOF_NODES, Review, SolvedGame, StudyError, Threat};
use crate::table::{Action, Better, Exercise, Goal, Lesson, Lessons, Notation, SearchRequest, Setup, Win};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is told about a question without news.
type Nothing = ();

/// The legal moves of a position with their exact values.
#[derive(Serialize, Deserialize)]
pub struct ExactValues {
    /// The position.
    pub table: SentTable,
}

impl Computation for ExactValues {
    const KEY: &'static str = "exact-values";
    type News = Nothing;
    /// `None` if the game is not solved or over.
    type Answer = Option<Vec<(Action, Verdict)>>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        let solution = self.table.capabilities().solution?;
        if self.table.outcome().is_some() { None } else { solution.verdicts(&*self.table, stop) }
    }
}

/// The exact results of all moves of a game.
#[derive(Serialize, Deserialize)]
pub struct JudgeGame {
    /// The game.
    pub table: SentTable,
}

impl Computation for JudgeGame {
    const KEY: &'static str = "judge-game";
    type News = Nothing;
    /// `None` if the game is not solved.
    type Answer = Option<SolvedGame>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        SolvedGame::of(self.table.into_inner(), stop)
    }
}

/// The refutation of a mistake in a solved game.
#[derive(Serialize, Deserialize)]
pub struct Refute {
    /// The game.
    pub table: SentTable,
    /// The number of moves before the mistake.
    pub ply: usize,
    /// How the moves are written.
    pub notation: Notation,
}

impl Computation for Refute {
    const KEY: &'static str = "refute";
    type News = Nothing;
    /// The mistake and the moves after it. `None` if there is no such move.
    type Answer = Option<Vec<LineMove>>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        study::refutation(self.table.into_inner(), self.ply, self.notation, stop)
    }
}

/// A search for a proven win in a game; see [`study::look_for_win`].
#[derive(Serialize, Deserialize)]
pub struct LookForWin {
    /// The game.
    pub table: SentTable,
    /// So many plies belong to the start position and are not searched.
    pub given: usize,
    /// The winner.
    pub winner: Side,
    /// True to look for the first turn from which on every turn has a proof.
    pub to_the_beginning: bool,
}

impl Computation for LookForWin {
    const KEY: &'static str = "look-for-win";
    type News = Nothing;
    /// `None` if no proof was found.
    type Answer = Option<FoundWin>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        study::look_for_win(self.table.into_inner(), self.given, self.winner, self.to_the_beginning, stop)
    }
}

/// The proof that the side to move wins.
#[derive(Serialize, Deserialize)]
pub struct Prove {
    /// The position.
    pub table: SentTable,
    /// Who proves it.
    pub prover: SentProver,
}

impl Computation for Prove {
    const KEY: &'static str = "prove";
    type News = Nothing;
    /// `None` if no proof was found.
    type Answer = Option<Win>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        self.prover.with(&*self.table, stop, |prover| prover.prove(&*self.table, PROOF_NODES, stop))
    }

    fn keeps(&self) -> Option<u64> {
        Some(self.prover.number())
    }
}

/// While paused a review looks so often whether it may go on.
const PAUSE: Duration = Duration::from_millis(30);

/// The review of a game; see [`study::review`].
#[derive(Serialize, Deserialize)]
pub struct ReviewGame {
    /// The table at its beginning.
    pub table: SentTable,
    /// The moves played.
    pub moves: Vec<Action>,
    /// How each position is searched.
    pub request: SearchRequest,
    /// While this is true the review waits. It does not reach a worker of a page, which takes nothing from other
    /// searches.
    #[serde(skip)]
    pub paused: Arc<AtomicBool>,
}

impl Computation for ReviewGame {
    const KEY: &'static str = "review";
    type News = News;
    type Answer = Result<Review, StudyError>;

    fn run(self, stop: &StopToken, tell: &mut dyn FnMut(News)) -> Self::Answer {
        let mut player = self.table.player();
        study::review(&*self.table, &self.moves, &mut *player, &self.request, stop, &mut |news| {
            tell(news);
            while self.paused.load(Ordering::Relaxed) && !stop.is_stopped() {
                std::thread::sleep(PAUSE);
            }
        })
    }
}

/// The verdict on one move; see [`study::judge_move`].
#[derive(Serialize, Deserialize)]
pub struct JudgeMove {
    /// The position before it.
    pub table: SentTable,
    /// The move.
    pub action: Action,
    /// What is known of the position before it.
    pub known: Option<BestLine>,
    /// How each position is searched.
    pub request: SearchRequest,
}

impl Computation for JudgeMove {
    const KEY: &'static str = "judge-move";
    type News = Nothing;
    type Answer = Result<Option<JudgedMove>, StudyError>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        study::judge_move(&*self.table, self.action, self.known, &mut *self.table.player(), &self.request, stop)
    }
}

/// What the other side threatens; see [`study::threat`].
#[derive(Serialize, Deserialize)]
pub struct FindThreat {
    /// The position.
    pub table: SentTable,
    /// How it is searched.
    pub request: SearchRequest,
}

impl Computation for FindThreat {
    const KEY: &'static str = "threat";
    type News = Nothing;
    type Answer = Result<Option<Threat>, StudyError>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        study::threat(&*self.table, &mut *self.table.player(), &self.request, stop)
    }
}

/// A move that leads to the goal of a task; see [`study::next_move`].
#[derive(Serialize, Deserialize)]
pub struct NextMove {
    /// The position.
    pub table: SentTable,
    /// The goal.
    pub goal: Goal,
}

impl Computation for NextMove {
    const KEY: &'static str = "next-move";
    type News = Nothing;
    /// `None` if none was found.
    type Answer = Option<Action>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        study::next_move(&self.goal, &*self.table, stop)
    }
}

/// A position of a solved game for an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindExercise {
    /// The game's key.
    pub game: String,
    /// What is wanted.
    pub exercise: Exercise,
}

impl FindExercise {
    fn find(&self, stop: &StopToken) -> Option<(Setup, u32)> {
        let entry = games::find(&self.game).ok()?;
        let solution = (entry.capabilities)(&self.exercise.variant).solution?;
        let setup = solution.exercise(&self.exercise)?;
        let verdicts = solution.verdicts(&*entry.table(&setup).ok()?, stop)?;
        let (_, verdict) = study::best(&verdicts)?;
        Some((setup, verdict.plies?))
    }
}

impl Computation for FindExercise {
    const KEY: &'static str = "find-exercise";
    type News = Nothing;
    /// The position and its exact distance; `None` if there is none.
    type Answer = Option<(Setup, u32)>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        self.find(stop)
    }
}

/// The search for a better move in a lost game; see [`Lessons::look_for_better`].
#[derive(Serialize, Deserialize)]
pub struct LearnFromLoss {
    /// What is known already.
    #[serde(serialize_with = "write_lessons", deserialize_with = "read_lessons")]
    pub lessons: Lessons,
    /// The game.
    pub table: SentTable,
    /// Who lost it.
    pub loser: Side,
    /// How each position is searched.
    pub request: SearchRequest,
}

impl Computation for LearnFromLoss {
    const KEY: &'static str = "learn";
    type News = Nothing;
    /// `None` if there is no better move, as far as the search could see.
    type Answer = Result<Option<Better>, Message>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(Nothing)) -> Self::Answer {
        self.lessons.look_for_better(&*self.table, self.loser, &self.request, stop)
    }
}

fn write_lessons<S: Serializer>(lessons: &Lessons, to: S) -> Result<S::Ok, S::Error> {
    lessons.list().serialize(to)
}

fn read_lessons<'de, D: Deserializer<'de>>(from: D) -> Result<Lessons, D::Error> {
    let list = Vec::<Lesson>::deserialize(from).map_err(D::Error::custom)?;
    Ok(list.into_iter().collect())
}
