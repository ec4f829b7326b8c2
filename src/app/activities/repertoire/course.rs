//! The moves of a repertoire on the board: lines from its start, in which the moves that are not asked are played by themselves. Its moves are those of a sketch,
//! beside a match in which nothing is played.

use crate::app::ground::activity::REPERTOIRE;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::requests::RepertoireDrill;
use crate::app::ground::settings::Settings;
use crate::app::play::{BoardChanged, CurrentMatch, GameLibrary};
use bevy::prelude::*;
use qiju_core::library::{Library, engine_games};
use qiju_core::repertoire::{Repertoire, Reply, choose, counts, longest_defence, proven_moves};
use qiju_core::rules::PlayError;
use qiju_core::search::StopToken;
use qiju_core::study::schedule::Rating;
use qiju_core::table::{Action, NodeId, Table, Tree};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// How long a position is looked at before the move that is not asked, at normal speed.
const SEEN: Duration = Duration::from_millis(500);

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseStage {
    /// A move that is not asked is played.
    Going,
    /// The player is asked.
    Asked,
    /// A wrong answer is on the board, and is taken back.
    Taking,
    /// It was wrong; the player may try again.
    Wrong,
    /// The line is over.
    LineOver,
    /// Nothing more is asked.
    Over,
}

/// What is asked of a repertoire.
pub struct Course {
    name: String,
    repertoire: Arc<Repertoire>,
    drill: RepertoireDrill,
    /// The positions that are still to be asked, and those that lead to them, each with the fewest moves.
    left: HashSet<u64>,
    ahead: Arc<HashMap<u64, usize>>,
    stage: CourseStage,
    /// The position whose move is next.
    at: NodeId,
    /// The answer was wrong, or was shown.
    is_missed: bool,
    /// What came of the position, until it is taken down.
    rating: Option<(u64, Rating)>,
    /// How many were asked, how many of them were right at once, and how many there are.
    asked: usize,
    right: usize,
    all: usize,
    /// How long the proven win still takes, after the last answer.
    moves_left: Option<u32>,
    reply: Option<BackgroundTask<Option<Action>>>,
    /// When the next move is played, on the program's clock.
    next: Option<Duration>,
    sketch: Option<u32>,
    /// Lines begun so far, so that the other side does not always play the same.
    lines: u64,
}

/// What the other side plays: of the moves that lead to what is asked those that were played, as often as they were; where the line has become long, because it
/// has come back to a position, the shortest way.
fn usual(
    (repertoire, ahead): (&Repertoire, &HashMap<u64, usize>),
    table: &dyn Table,
    (own, seed, is_long): (Option<&Library>, u64, bool),
    stop: &StopToken,
) -> Option<Action> {
    let libraries: Vec<&Library> = own.into_iter().chain([engine_games()]).collect();
    let replies = repertoire.replies(table, &counts(&libraries, table, stop));
    let leads: Vec<Reply> = replies.into_iter().filter(|reply| reply.is_answered && ahead.contains_key(&reply.key)).collect();
    let reply = match is_long {
        true => leads.iter().min_by_key(|reply| ahead.get(&reply.key)).copied(),
        false => choose(&leads, seed),
    };
    reply.map(|reply| reply.action)
}

impl Course {
    /// The course of what is due, or of what the drill asks, before it is on the board.
    pub(super) fn new(name: String, repertoire: Repertoire, (drill, due): (RepertoireDrill, Vec<u64>)) -> Course {
        let left: HashSet<u64> = match drill {
            RepertoireDrill::Due => due.into_iter().collect(),
            RepertoireDrill::Whole | RepertoireDrill::Proof => repertoire.asked().iter().copied().collect(),
        };
        let (all, ahead) = (left.len(), Arc::new(repertoire.leading_to(&left)));
        Course {
            name,
            repertoire: Arc::new(repertoire),
            drill,
            left,
            ahead,
            stage: CourseStage::Going,
            at: Tree::ROOT,
            is_missed: false,
            rating: None,
            asked: 0,
            right: 0,
            all,
            moves_left: None,
            reply: None,
            next: None,
            sketch: None,
            lines: 0,
        }
    }

    /// The name of its repertoire.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The repertoire.
    pub fn repertoire(&self) -> &Repertoire {
        &self.repertoire
    }

    /// How it stands.
    pub fn stage(&self) -> CourseStage {
        self.stage
    }

    /// How many positions were answered, how many there are, and how many were right at once. Against a proof nobody knows how many there are.
    pub fn progress(&self) -> (usize, Option<usize>, usize) {
        (self.asked, (self.drill != RepertoireDrill::Proof).then_some(self.all), self.right)
    }

    /// How many moves the proven win takes at most, after the last answer.
    pub fn moves_left(&self) -> Option<u32> {
        self.moves_left
    }

    /// True while its line is on the board.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.sketch.is_some() && current.played().sketch() == self.sketch
    }

    /// What came of a position, once.
    pub(super) fn take_rating(&mut self) -> Option<(u64, Rating)> {
        self.rating.take()
    }

    /// Whether it waits for something by itself: for a moment that is so far away, or for something that has to be looked for.
    pub(super) fn waits(&self, now: Duration) -> Option<Option<Duration>> {
        match self.stage {
            CourseStage::Going => Some(self.next.map(|next| next.saturating_sub(now)).filter(|left| !left.is_zero())),
            CourseStage::Taking => Some(None),
            _ => None,
        }
    }

    /// Begins a line at the start of the repertoire.
    pub(super) fn begin_line(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let steps = current.begin_sketch(REPERTOIRE, Tree::ROOT, Some(self.repertoire.side()));
        self.sketch = current.played().sketch();
        self.lines += 1;
        self.moves_left = None;
        self.turn(current);
        steps
    }

    /// What the position on the board asks for.
    fn turn(&mut self, current: &CurrentMatch) {
        let (table, repertoire) = (current.shown(), &self.repertoire);
        (self.at, self.is_missed, self.reply, self.next) = (current.cursor(), false, None, None);
        let (key, is_own) = (repertoire.key(table), table.turn() == repertoire.side());
        let by_proof = self.drill == RepertoireDrill::Proof;
        self.stage = match (is_own, by_proof) {
            _ if table.outcome().is_some() => self.end_of_line(),
            (true, true) if table.proven().is_some() || !repertoire.answers(table).is_empty() => CourseStage::Asked,
            (true, false) if self.left.contains(&key) => CourseStage::Asked,
            (true, false) if self.ahead.contains_key(&key) => CourseStage::Going,
            (false, true) => CourseStage::Going,
            (false, false) if self.ahead.contains_key(&key) => CourseStage::Going,
            _ => self.end_of_line(),
        };
    }

    fn end_of_line(&self) -> CourseStage {
        let is_over = self.left.is_empty() && self.drill != RepertoireDrill::Proof;
        if is_over { CourseStage::Over } else { CourseStage::LineOver }
    }

    /// Plays what is not asked, and takes a wrong answer back.
    pub(super) fn go_on(
        &mut self,
        current: &mut CurrentMatch,
        library: &mut ResMut<GameLibrary>,
        (settings, now, hurry): (&Settings, Duration, bool),
        wake: &WakeHandles,
    ) -> Option<Vec<BoardChanged>> {
        if self.stage == CourseStage::Taking {
            self.stage = CourseStage::Wrong;
            return Some(current.go_in_sketch(self.at));
        }
        if self.stage != CourseStage::Going {
            return None;
        }
        let next = *self.next.get_or_insert_with(|| now + settings.timed(SEEN));
        if now < next && !hurry {
            return None;
        }
        let action = if current.shown().turn() == self.repertoire.side() {
            // Of several answers the one that leads to what is asked first.
            let leads = |action: &Action| {
                let mut after = current.shown().boxed_clone();
                after.play(*action).ok()?;
                self.ahead.get(&self.repertoire.key(&*after)).copied()
            };
            let answers = self.repertoire.answers(current.shown()).into_iter();
            answers.filter_map(|action| Some((leads(&action)?, action))).min_by_key(|(moves, _)| *moves).map(|(_, action)| action)
        } else {
            self.ask_for_reply(current, library, wake)?;
            let reply = self.reply.as_mut()?.poll()?;
            self.reply = None;
            reply
        };
        let played = action.and_then(|action| current.play_sketch(action).ok());
        match &played {
            Some(_) => self.turn(current),
            None => self.stage = self.end_of_line(),
        }
        Some(played.into_iter().collect())
    }

    /// Has the move of the other side looked for. `None` while the library is being read.
    fn ask_for_reply(&mut self, current: &CurrentMatch, library: &mut ResMut<GameLibrary>, wake: &WakeHandles) -> Option<()> {
        if self.reply.is_some() {
            return Some(());
        }
        let own = library.bypass_change_detection().games().map(|(games, _)| games.clone());
        if own.is_none() && library.fault().is_none() {
            return None;
        }
        let (repertoire, ahead, table) = (self.repertoire.clone(), self.ahead.clone(), current.shown().boxed_clone());
        let (seed, by_proof) = (current.seed() ^ self.lines << 16 ^ table.key(), self.drill == RepertoireDrill::Proof);
        let is_long = current.tree().depth(current.cursor()) > self.repertoire.longest();
        self.reply = Some(BackgroundTask::on_thread(wake.handle(), move |stop| match by_proof {
            true => longest_defence(&*table, seed),
            false => usual((&repertoire, &ahead), &*table, (own.as_deref(), seed, is_long), stop),
        }));
        Some(())
    }

    /// The player's move.
    ///
    /// # Errors
    /// The rules refuse it.
    pub(super) fn answer(&mut self, current: &mut CurrentMatch, action: Action) -> Result<Option<BoardChanged>, PlayError> {
        let asks = matches!(self.stage, CourseStage::Asked | CourseStage::Wrong);
        if !asks || current.cursor() != self.at {
            return Ok(None);
        }
        let before = current.shown().boxed_clone();
        let step = current.play_sketch(action)?;
        let proven = (self.drill == RepertoireDrill::Proof).then(|| proven_moves(current.shown())).flatten();
        if self.repertoire.accepts(&*before, action) || proven.is_some() {
            self.moves_left = proven;
            self.settle(&*before, !self.is_missed);
            self.turn(current);
        } else {
            self.miss(&*before);
            self.stage = CourseStage::Taking;
        }
        Ok(Some(step))
    }

    /// Plays the answer for the player.
    pub(super) fn show(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        if !matches!(self.stage, CourseStage::Asked | CourseStage::Wrong) {
            return None;
        }
        let before = current.shown().boxed_clone();
        let by_proof = || {
            let wins = |action: &Action| {
                let mut after = before.boxed_clone();
                after.play(*action).ok().and_then(|_| proven_moves(&*after))
            };
            before.actions().into_iter().filter_map(|action| Some((wins(&action)?, action))).min_by_key(|(moves, _)| *moves)
        };
        let answer = self.repertoire.answers(&*before).first().copied().or_else(|| by_proof().map(|(_, action)| action))?;
        let step = current.play_sketch(answer).ok()?;
        self.miss(&*before);
        self.moves_left = (self.drill == RepertoireDrill::Proof).then(|| proven_moves(current.shown())).flatten();
        self.settle(&*before, false);
        self.turn(current);
        Some(vec![step])
    }

    /// The position was not answered at the first try.
    fn miss(&mut self, table: &dyn Table) {
        if !self.is_missed {
            self.is_missed = true;
            self.rating = Some((self.repertoire.key(table), Rating::Again));
        }
    }

    /// The position is answered, and is not asked again.
    fn settle(&mut self, table: &dyn Table, at_once: bool) {
        let key = self.repertoire.key(table);
        self.asked += 1;
        if at_once {
            self.right += 1;
            self.rating = Some((key, Rating::Good));
        }
        if self.left.remove(&key) {
            self.ahead = Arc::new(self.repertoire.leading_to(&self.left));
        }
    }
}
