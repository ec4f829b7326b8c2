//! The teaching match: each move of the user is judged while the match goes on, with the reason in words. The best move is not shown unasked.
//!
//! The position is searched while the user thinks, so that the verdict follows the move soon. Until it is there, and after a move that is told as an
//! error, the opponent waits, if the user wants that.

mod panel;

use crate::app::explore::inquiry::Inquiry;
use crate::app::ground::activity::TEACHING;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::requests::{CursorRequest, Go, Requests, TeachRequest};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, HeldBack, Helped, Judging, in_match};
use crate::ui::activity::register;
use crate::ui::panel::Place;
use bevy::prelude::*;
use qiju_core::compute::{JudgeMove, SentTable, Weigh};
use qiju_core::record::SeatSpec;
use qiju_core::search::Limits;
use qiju_core::study::{JudgedMove, TEACHING_NODES};
use qiju_core::table::{Action, Judgement, MoveVerdict, NodeId, SearchRequest};

/// A position of a match: its number, and the moves that lead there.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    seed: u64,
    played: Vec<Action>,
}

/// The move of the user that is judged: the last one.
#[derive(Clone, Debug)]
struct OwnMove {
    /// Up to the move.
    question: Question,
    /// The node before it.
    before: NodeId,
}

/// What the teacher knows and tells.
#[derive(Resource)]
pub struct Teacher {
    /// The nodes that are searched in each position.
    pub nodes: u64,
    /// The revision of the match that was looked at last.
    seen: Option<u64>,
    weighed: Inquiry<Question, Weigh>,
    judged: Inquiry<Question, JudgeMove>,
    own: Option<OwnMove>,
    /// The user goes on after an error.
    content: bool,
    /// How often moves were taken back to try again.
    tries: u32,
    /// The line that shows why, while it is on the board.
    line: Vec<NodeId>,
}

impl Teacher {
    fn new(nodes: u64) -> Teacher {
        let (weighed, judged) = (Inquiry::default(), Inquiry::default());
        Teacher { nodes, seen: None, weighed, judged, own: None, content: false, tries: 0, line: Vec::new() }
    }

    /// True while the last move of the user is searched.
    pub fn is_looking(&self) -> bool {
        self.judged.is_pending()
    }

    /// The last move of the user with its verdict, once it is known.
    fn told(&self) -> Option<(&JudgedMove, &MoveVerdict)> {
        let answer = self.judged.answer_to(&self.own.as_ref()?.question)?;
        let judged = answer.as_ref().ok()?.as_ref()?;
        Some((judged, judged.assessment.verdict.as_ref()?))
    }

    /// The verdict on the last move of the user; `None` while it is searched.
    pub fn verdict(&self) -> Option<&MoveVerdict> {
        self.told().map(|(_, verdict)| verdict)
    }

    /// True if the verdict is told by this setting.
    pub fn tells(&self, least: Judgement) -> bool {
        self.verdict().is_some_and(|verdict| verdict.judgement >= least)
    }

    /// How often moves were taken back to try again.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// The line that shows why the move was bad: from the position before it.
    pub fn why(&self) -> Option<&[Action]> {
        let (judged, verdict) = self.told()?;
        let reason = verdict.reason.as_ref().map(|reason| &reason.line[..]);
        Some(reason.unwrap_or(&judged.line)).filter(|line| verdict.judgement.is_error() && line.len() > 1)
    }

    /// The number of moves of the line that are on the board, and of all its moves; `None` while it is not shown.
    pub fn shown(&self, current: &CurrentMatch) -> Option<(usize, usize)> {
        let shown = current.sketch_owner() == Some(TEACHING);
        let at = self.line.iter().position(|node| shown && *node == current.cursor())?;
        Some((at + 1, self.line.len()))
    }

    /// True while the opponent waits for the user.
    pub fn holds(&self, settings: &Settings) -> bool {
        settings.teacher_waits
            && (self.is_looking() || !self.content && self.tells(settings.teacher_tells.max(Judgement::Inaccuracy)))
    }

    /// Asks about the match as it stands now.
    fn look(&mut self, current: &CurrentMatch, wake: &WakeHandles) {
        let request = SearchRequest { limits: Limits::nodes(self.nodes), ..SearchRequest::default() };
        let question = |played: &[Action]| Question { seed: current.seed(), played: played.to_vec() };
        let played = current.table().played();
        let own = own_move(current);
        if self.own.as_ref().map(|own| &own.question) != own.as_ref().map(|own| &own.question) {
            self.content = false;
        }
        self.own = own;
        match &self.own {
            Some(own) if !self.judged.is_about(&own.question) => {
                if let Some((action, before)) = own.question.played.split_last() {
                    let known = self.weighed.answer_to(&question(before)).and_then(|worth| worth.clone().ok().flatten());
                    self.weighed.give_up();
                    let mut table = current.played().table_at(own.before);
                    table.adjudicate(true);
                    let (table, action) = (SentTable::of(&*table), *action);
                    let judge = JudgeMove { table, action, known, request: request.clone() };
                    self.judged.ask(own.question.clone(), wake.handle(), judge);
                }
            }
            Some(_) => {}
            None => self.judged.give_up(),
        }
        let here = question(&played);
        if current.human_to_move() && !self.weighed.is_about(&here) {
            self.weighed.ask(here, wake.handle(), Weigh { table: SentTable::of(current.table()), request });
        }
    }
}

/// The last move that a person made, if at most one move was made after it.
fn own_move(current: &CurrentMatch) -> Option<OwnMove> {
    let played = current.played();
    let all = current.table().played();
    let line = played.line();
    line.iter().enumerate().rev().take(2).find_map(|(index, node)| {
        let before = current.tree().previous(*node)?;
        let seat = played.table_at(before).seat_to_move();
        let moves = all.len() - (line.len() - 1 - index);
        let question = Question { seed: current.seed(), played: all[..moves].to_vec() };
        (current.seats()[seat] == SeatSpec::Human).then_some(OwnMove { question, before })
    })
}

fn follow(
    mut teacher: ResMut<Teacher>,
    (current, settings, wake): (Res<CurrentMatch>, Res<Settings>, WakeHandles),
    (mut held, mut helped): (ResMut<HeldBack>, MessageWriter<Helped>),
) {
    if current.activity() != TEACHING {
        return;
    }
    let quiet = teacher.bypass_change_detection();
    let arrived = quiet.judged.poll();
    let _ = quiet.weighed.poll();
    let revision = current.played().revision();
    let moved = quiet.seen != Some(revision);
    if moved {
        quiet.seen = Some(revision);
        quiet.look(&current, &wake);
    }
    if arrived {
        helped.write(Helped);
    }
    HeldBack::put(&mut held, TEACHING, quiet.holds(&settings) && current.outcome().is_none());
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
                let (nodes, steps) = current.begin_sketch_of(TEACHING, before, line.to_vec());
                teacher.line = nodes;
                changed.write_batch(steps);
            }
            TeachRequest::Again if teacher.own.is_some() => {
                teacher.tries += 1;
                others.write(CursorRequest::Undo);
            }
            TeachRequest::Again => {}
            TeachRequest::GoOn => teacher.content = true,
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
        .add_systems(Update, follow.in_set(Step::Think).run_if(in_match));
}
