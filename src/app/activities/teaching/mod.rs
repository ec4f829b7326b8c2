//! The teaching match: each move of the user is judged while the match goes on, with the reason in words. The best move is not shown unasked.
//!
//! The opponent's moves are judged too, while the user thinks: so the position before the next move is known when its verdict is asked for, and the
//! review of the match is complete when it ends. Until a verdict is there, and after a move that is told as an error, the opponent waits, if the
//! user wants that.

mod panel;

use crate::app::explore::inquiry::Inquiry;
use crate::app::explore::{judge, write_review};
use crate::app::ground::activity::TEACHING;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::requests::{CursorRequest, Go, RefereeRequest, Requests, TeachRequest};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, HeldBack, Helped, Judging, TreeEditor, in_match};
use crate::ui::activity::register;
use crate::ui::panel::Place;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use qiju_core::compute::JudgeMove;
use qiju_core::record::SeatSpec;
use qiju_core::search::Limits;
use qiju_core::study::{JudgedMove, Summary, TEACHING_NODES, Tally};
use qiju_core::table::{Action, Assessment, Judgement, MoveVerdict, NodeId, Tree};

/// The moves of a match up to the one that is judged.
type Moves = Vec<Action>;

/// The last move of the user.
#[derive(Clone, Debug, PartialEq)]
struct OwnMove {
    /// The moves up to it.
    moves: Moves,
    /// The node before it.
    before: NodeId,
}

/// What the teacher knows and tells.
#[derive(Resource)]
pub struct Teacher {
    /// The nodes that are searched in each position.
    pub nodes: u64,
    /// The match that this is about, and its revision that was looked at last.
    seen: Option<(u64, u64)>,
    /// The moves that are judged; `None` is a move of an opening, or one whose search failed.
    judged: HashMap<Moves, Option<JudgedMove>>,
    asked: Inquiry<Moves, JudgeMove>,
    own: Option<OwnMove>,
    /// The review of the match was written into its tree: the numbers of the user.
    written: Option<Tally>,
    /// The line that shows why, while it is on the board.
    line: Vec<NodeId>,
}

impl Teacher {
    fn new(nodes: u64) -> Teacher {
        Teacher {
            nodes,
            seen: None,
            judged: HashMap::default(),
            asked: Inquiry::default(),
            own: None,
            written: None,
            line: Vec::new(),
        }
    }

    /// True while the last move of the user is searched.
    pub fn is_looking(&self) -> bool {
        self.own.as_ref().is_some_and(|own| !self.judged.contains_key(&own.moves))
    }

    /// The last move of the user with its verdict, once it is known.
    fn told(&self) -> Option<(&OwnMove, &JudgedMove, &MoveVerdict)> {
        let own = self.own.as_ref()?;
        let judged = self.judged.get(&own.moves)?.as_ref()?;
        Some((own, judged, judged.assessment.verdict.as_ref()?))
    }

    /// The verdict on the last move of the user; `None` while it is searched.
    pub fn verdict(&self) -> Option<&MoveVerdict> {
        self.told().map(|(.., verdict)| verdict)
    }

    /// True if the verdict is told by this setting.
    pub fn tells(&self, least: Judgement) -> bool {
        self.verdict().is_some_and(|verdict| verdict.judgement >= least)
    }

    /// The numbers of the user in a match that is over.
    pub fn tally(&self) -> Option<&Tally> {
        self.written.as_ref()
    }

    /// The line that shows why the move was bad: from the position before it.
    pub fn why(&self) -> Option<Vec<Action>> {
        let (own, judged, verdict) = self.told()?;
        // Of a win by a shipped proof only the next move is known.
        let line = match &verdict.reason {
            Some(reason) if reason.line.len() > 1 => reason.line.clone(),
            _ => own.moves.last().into_iter().chain(&judged.after.line).copied().collect(),
        };
        Some(line).filter(|line| verdict.judgement.is_error() && line.len() > 1)
    }

    /// The number of moves of the line that are on the board, and of all its moves; `None` while it is not shown.
    pub fn shown(&self, current: &CurrentMatch) -> Option<(usize, usize)> {
        let shown = current.sketch_owner() == Some(TEACHING);
        let at = self.line.iter().position(|node| shown && *node == current.cursor())?;
        Some((at + 1, self.line.len()))
    }

    /// True while the opponent waits for the user.
    pub fn holds(&self, current: &CurrentMatch, settings: &Settings) -> bool {
        settings.teacher_waits
            && !current.went_on()
            && (self.is_looking() || self.tells(settings.teacher_tells.max(Judgement::Inaccuracy)))
    }

    /// Asks about the match as it stands now: first about the last move of the user; then, while the opponent does not think, about the last move
    /// and all moves before it, so that the review is ready when the match ends.
    fn look(&mut self, current: &CurrentMatch, wake: &WakeHandles) {
        self.own = own_move(current);
        let moves = match_moves(current);
        let unknown = |(number, _): &(usize, NodeId)| !self.judged.contains_key(&moves[..*number]);
        let own = self.own.as_ref().map(|own| (own.moves.len(), own.before)).filter(unknown);
        let others = || positions(current).into_iter().rfind(unknown);
        let Some((number, before)) = own.or_else(|| if current.engine_to_move() { None } else { others() }) else {
            return self.asked.give_up();
        };
        let question = moves[..number].to_vec();
        let Some((action, earlier)) = question.split_last().filter(|_| !self.asked.is_about(&question)) else { return };
        let known = self.judged.get(earlier).and_then(|judged| Some(judged.as_ref()?.after.clone()));
        let mut judge = judge(current, before, *action, known);
        judge.request.limits = Limits::nodes(self.nodes);
        self.asked.ask(question, wake.handle(), judge);
    }

    /// The review of the whole match, once each of its moves is judged: the value of each position, the start first.
    fn review(&self, current: &CurrentMatch) -> Option<Vec<Option<Assessment>>> {
        let moves = match_moves(current);
        let judged: Option<Vec<_>> =
            positions(current).into_iter().map(|(number, _)| self.judged.get(&moves[..number])).collect();
        let judged = judged.filter(|judged| !judged.is_empty())?;
        let start = judged[0].as_ref().map(|first| first.before.clone());
        let others = judged.into_iter().map(|judged| judged.as_ref().map(|judged| judged.assessment.clone()));
        Some(std::iter::once(start).chain(others).collect())
    }
}

/// All moves that led to the position of the match.
fn match_moves(current: &CurrentMatch) -> Moves {
    current.table().played()
}

/// For each move of the match: the number of moves up to it, and the node before it.
fn positions(current: &CurrentMatch) -> Vec<(usize, NodeId)> {
    let line = current.played().line();
    let given = match_moves(current).len() - line.len();
    let before = std::iter::once(Tree::ROOT).chain(line.iter().copied());
    (given + 1..).zip(before).take(line.len()).collect()
}

/// The last move that a person made, if at most one move was made after it.
fn own_move(current: &CurrentMatch) -> Option<OwnMove> {
    let is_own = |before| current.seats()[current.played().table_at(before).seat_to_move()] == SeatSpec::Human;
    let (number, before) = positions(current).into_iter().rev().take(2).find(|(_, before)| is_own(*before))?;
    Some(OwnMove { moves: match_moves(current)[..number].to_vec(), before })
}

fn follow(
    mut teacher: ResMut<Teacher>,
    mut editor: TreeEditor,
    (settings, words, wake): (Res<Settings>, Res<Words>, WakeHandles),
    (mut held, mut helped): (ResMut<HeldBack>, MessageWriter<Helped>),
) {
    let current = &*editor.current;
    if current.activity() != TEACHING {
        return;
    }
    let quiet = teacher.bypass_change_detection();
    let arrived = quiet.asked.poll();
    if arrived && let Some((moves, answer)) = quiet.asked.take() {
        let about_own = quiet.own.as_ref().is_some_and(|own| own.moves == moves);
        quiet.judged.insert(moves, answer.ok().flatten());
        if about_own {
            helped.write(Helped);
        }
    }
    let now = (current.seed(), current.played().revision());
    let moved = quiet.seen != Some(now);
    if quiet.seen.is_some_and(|(seed, _)| seed != now.0) {
        *quiet = Teacher::new(quiet.nodes);
    }
    quiet.seen = Some(now);
    if arrived || moved {
        quiet.look(current, &wake);
    }
    HeldBack::put(&mut held, TEACHING, quiet.holds(current, &settings) && current.outcome().is_none());
    // A match that was taken up again ends again.
    quiet.written = quiet.written.filter(|_| current.outcome().is_some());
    if current.outcome().is_some()
        && quiet.written.is_none()
        && (arrived || moved)
        && let Some(positions) = quiet.review(current)
    {
        let summary = Summary::of(&positions.iter().map(Option::as_ref).collect::<Vec<_>>(), None);
        quiet.written = Some(quiet.verdict().map(|verdict| summary.sides[verdict.mover]).unwrap_or_default());
        let line = current.played().line().to_vec();
        write_review(&mut editor, (&words, &settings), &line, &positions);
    }
    if arrived || moved {
        teacher.set_changed();
    }
}

fn answer(
    mut requests: MessageReader<TeachRequest>,
    mut teacher: ResMut<Teacher>,
    mut current: ResMut<CurrentMatch>,
    (mut changed, mut card, mut others): (MessageWriter<BoardChanged>, ResMut<EndCard>, Requests),
) {
    for request in requests.read() {
        match request {
            TeachRequest::Why => {
                let Some((before, line)) = teacher.own.as_ref().map(|own| own.before).zip(teacher.why()) else { continue };
                card.put_away();
                let (nodes, steps) = current.begin_sketch_of(TEACHING, before, line);
                teacher.line = nodes;
                changed.write_batch(steps);
            }
            TeachRequest::Again if teacher.own.is_some() => {
                others.write(RefereeRequest::TriedAgain);
                others.write(CursorRequest::Undo);
            }
            TeachRequest::Again => {}
            TeachRequest::GoOn => others.write(RefereeRequest::WentOn),
        }
    }
}

/// A step within the line that shows why; a leap leaves it.
fn walk(In(go): In<Go>, teacher: Res<Teacher>, mut current: ResMut<CurrentMatch>) -> Option<Vec<BoardChanged>> {
    let (at, _) = teacher.shown(&current)?;
    let to = match go {
        Go::Back => at.saturating_sub(2),
        Go::Forward => at,
        _ => return None,
    };
    Some(teacher.line.get(to).map(|node| current.go_in_sketch(*node)).unwrap_or_default())
}

fn begin(mut teacher: ResMut<Teacher>, mut held: ResMut<HeldBack>) {
    *teacher = Teacher::new(teacher.nodes);
    HeldBack::put(&mut held, TEACHING, false);
}

pub(super) fn plugin(app: &mut App) {
    register(app, TEACHING).section(Place::Below(0), panel::section).section(Place::Status, panel::row).go(walk);
    app.insert_resource(Teacher::new(TEACHING_NODES))
        .add_systems(OnEnter(Screen::Match), begin)
        .add_systems(OnExit(Screen::Match), begin)
        .add_systems(Update, answer.in_set(Step::Referee).before(Judging).run_if(in_match))
        // As soon as the move is made, before the engines have their turn: they are held back.
        .add_systems(Update, follow.in_set(Step::Referee).after(Judging).run_if(in_match));
}
