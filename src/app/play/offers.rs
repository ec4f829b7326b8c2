//! What one player asks of the other: a draw, or to take moves back. A person is asked at the table; our engine answers by its evaluation.
//!
//! The rule of the engine is the same for every level. It declines in the first part of a game. Later it agrees if each of its last three searches
//! gave it at most an even winning chance, by the game's curve; late in the game a little more is allowed.

use super::game::{CurrentMatch, in_match};
use super::messages::Rewind;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::record::SeatSpec;
use qiju_core::record::accord::{self, Asked};
use qiju_core::rules::{BySide, Side};
use qiju_core::search::Value;
use qiju_core::table::NodeId;

/// So many searches of an engine must agree.
const SEARCHES: usize = 3;
/// The highest winning chance at which an engine agrees to a draw, and what is added to it late in a game.
const EVEN: f64 = 0.50;
const LATE: f64 = 0.05;
/// Where pieces move: plies from which an engine may agree, and from which it is late.
const PLIES: (f64, f64) = (40.0, 120.0);
/// Where stones are put: the same as parts of the board that are filled.
const FILLED: (f64, f64) = (0.25, 0.75);

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A draw.
    Draw,
    /// To take moves back.
    TakeBack(Rewind),
    /// To continue from this node of the match: the moves after it are lost. The player asks this of themselves.
    GoOn(NodeId),
    /// What a friend elsewhere asks for beside a draw.
    Friend(Asked),
}

/// What a person is asked at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub wish: Wish,
    /// The seat of the player who asks.
    pub by: Side,
    /// The number of moves played when it was asked: the next move declines it.
    ply: usize,
}

/// Why a draw cannot be offered now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOffer {
    /// There is nobody who could offer one: the match is over, or nobody plays.
    Nobody,
    /// The other player is a program, which cannot be asked.
    Program,
    /// One was offered since the last move.
    Once,
}

/// What came of the offer of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The other person is asked.
    Asked,
    /// The offer goes to the friend with the next letter.
    Written,
    /// The engine agrees.
    Agreed,
    /// It is too early in the game for the engine.
    TooEarly,
    /// The engine wants to play on.
    Declined,
}

/// The question that is open, the offers made, and what the engines thought of the match.
#[derive(Resource, Default)]
pub struct Offers {
    question: Option<Question>,
    /// The number of moves played when each seat last offered a draw.
    offered: BySide<Option<usize>>,
    /// The values of the searches of each seat, for that seat, with the numbers of moves played before.
    values: BySide<Vec<(usize, Value)>>,
}

impl Offers {
    /// The question that waits for an answer.
    pub fn question(&self, current: &CurrentMatch) -> Option<Question> {
        let ply = current.table().ply();
        let by_friend = current.friend().filter(|friend| current.offered == Some(*friend));
        let by_letter = by_friend.map(|by| Question { wish: Wish::Draw, by, ply });
        let beside = || Some(Question { wish: Wish::Friend(current.asked_by_friend()?), by: current.friend()?, ply });
        self.question.or(by_letter).or_else(beside).filter(|question| question.ply == ply && current.outcome().is_none())
    }

    /// Notes the value that a search gave the player of a seat. What was thought after a move that was taken back is forgotten.
    pub fn note(&mut self, seat: Side, ply: usize, value: Value) {
        let values = &mut self.values[seat];
        values.retain(|(of, _)| *of < ply);
        values.push((ply, value));
    }

    /// Who would offer a draw: the only person who plays, or the one to move; otherwise the reason why nobody can.
    ///
    /// # Errors
    /// No draw can be offered now.
    pub fn offerer(&self, current: &CurrentMatch) -> Result<Side, NoOffer> {
        let (table, seats) = (current.table(), current.seats());
        let by = current.person().filter(|_| current.can_end_by_agreement()).ok_or(NoOffer::Nobody)?;
        match &seats[!by] {
            SeatSpec::External { .. } => Err(NoOffer::Program),
            _ if current.offered == Some(by) => Err(NoOffer::Once),
            SeatSpec::Friend if current.accord.has_declined(!by, table.ply()) => Err(NoOffer::Once),
            _ if self.offered[by].is_some_and(|ply| (ply..ply + 2).contains(&table.ply())) => Err(NoOffer::Once),
            _ => Ok(by),
        }
    }

    /// Offers a draw.
    pub(super) fn offer(&mut self, current: &CurrentMatch) -> Result<Answer, NoOffer> {
        let by = self.offerer(current)?;
        let ply = current.table().ply();
        self.offered[by] = Some(ply);
        if current.seats()[!by] == SeatSpec::Human {
            self.question = Some(Question { wish: Wish::Draw, by, ply });
            return Ok(Answer::Asked);
        }
        if current.seats()[!by] == SeatSpec::Friend {
            return Ok(Answer::Written);
        }
        Ok(self.answer(!by, current))
    }

    /// The answer of the engine on a seat.
    fn answer(&self, seat: Side, current: &CurrentMatch) -> Answer {
        let ply = current.table().ply();
        let values: Vec<Value> = self.values[seat].iter().filter(|(of, _)| *of <= ply).map(|(_, value)| *value).collect();
        let Some(late) = current.lateness().filter(|_| values.len() >= SEARCHES) else { return Answer::TooEarly };
        let curve = current.table().curve();
        let most = EVEN + LATE * late;
        let agrees = values[values.len() - SEARCHES..].iter().all(|value| curve.chance(*value).part() <= most);
        if agrees { Answer::Agreed } else { Answer::Declined }
    }

    /// Asks the other person whether moves may be taken back, or the player whether several moves may be lost. False if nobody needs to be asked.
    pub(super) fn ask_back(&mut self, rewind: Rewind, current: &CurrentMatch, settings: &Settings) -> bool {
        let people = Side::BOTH.into_iter().all(|seat| current.seats()[seat] == SeatSpec::Human);
        if let Rewind::To(place) = rewind
            && current.traits().whole_game
            && (settings.free_take_backs || !people)
            && current.moves_after(place) > current.steps_back()
        {
            let (by, ply) = (current.table().seat_to_move(), current.table().ply());
            self.question = Some(Question { wish: Wish::GoOn(place), by, ply });
            return current.outcome().is_none();
        }
        if settings.free_take_backs || !people || current.explores() || !current.can_undo() {
            return false;
        }
        let mut before = current.table().boxed_clone();
        if before.undo().is_none() || before.seat_to_move() == current.table().seat_to_move() {
            return false;
        }
        let question = Question { wish: Wish::TakeBack(rewind), by: before.seat_to_move(), ply: current.table().ply() };
        self.question = Some(question);
        true
    }

    /// The question that is answered now.
    pub(super) fn answered(&mut self, current: &CurrentMatch) -> Option<Question> {
        let question = self.question(current);
        self.question = None;
        question
    }
}

impl CurrentMatch {
    /// True where the players of a match may agree to a draw.
    pub fn can_end_by_agreement(&self) -> bool {
        self.game().sheet.draws_by_agreement && self.traits().counts
    }

    /// The number of moves of the match after one of its nodes.
    fn moves_after(&self, place: NodeId) -> usize {
        self.table().ply().saturating_sub(self.played().ply_on_line(place))
    }

    /// How late it is in the game, from 0 to 1; `None` in its first part. A position that was set up is not in the first part.
    fn lateness(&self) -> Option<f64> {
        let table = self.table();
        let (now, (from, to)) = if self.game().places_pieces {
            let (files, ranks) = table.size();
            (table.pieces().len() as f64 / (f64::from(files) * f64::from(ranks)), FILLED)
        } else {
            (table.ply() as f64, PLIES)
        };
        let late = (now - from) / (to - from);
        (late >= 0.0 || table.setup().is_set_up()).then_some(late.clamp(0.0, 1.0))
    }
}

impl Words {
    /// What a person is asked.
    pub fn question(&self, current: &CurrentMatch, question: Question) -> String {
        let (by, other) = (self.seat(current, question.by), !question.by);
        let wish = match question.wish {
            Wish::Draw => self.with("draw.question", by),
            Wish::TakeBack(Rewind::To(place)) => self.fill("back.question-many", &[by, &current.moves_after(place).to_string()]),
            Wish::GoOn(place) => return self.with("look.go-on.question", current.moves_after(place)),
            Wish::Friend(Asked { at, wish: accord::Wish::Back(to) }) if at - to > 1 => {
                self.fill("back.question-many", &[by, &(at - to).to_string()])
            }
            Wish::Friend(Asked { wish: accord::Wish::Pause, .. }) => self.with("letters.pause.question", by),
            Wish::TakeBack(_) | Wish::Friend(_) => self.with("back.question", by),
        };
        let agrees = match current.viewer() == Some(other) {
            true => self.say("answer.question.yours").to_owned(),
            false => self.with("answer.question", self.seat(current, other)),
        };
        [wish, agrees].join(if self.language.is_chinese_or_japanese() { "" } else { " " })
    }

    /// The same in a word or two.
    pub fn short_question(&self, current: &CurrentMatch, question: Question) -> String {
        match question.wish {
            Wish::Draw => self.with("draw.short", self.seat(current, question.by)),
            Wish::Friend(Asked { wish: accord::Wish::Pause, .. }) => {
                self.with("letters.pause.short", self.seat(current, question.by))
            }
            Wish::TakeBack(_) | Wish::Friend(_) => self.with("back.short", self.seat(current, question.by)),
            Wish::GoOn(place) => self.with("look.go-on.short", current.moves_after(place)),
        }
    }

    /// Why no draw can be offered.
    pub fn no_offer(&self, why: NoOffer) -> &str {
        self.say(match why {
            NoOffer::Nobody => "draw.nobody",
            NoOffer::Program => "draw.program",
            NoOffer::Once => "draw.once",
        })
    }
}

/// A question that a move has declined does not come back when the move is taken back.
fn expire(mut offers: ResMut<Offers>, current: Res<CurrentMatch>) {
    if offers.question.is_some() && offers.question(&current).is_none() {
        offers.question = None;
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Offers>()
        .add_systems(Update, expire.in_set(Step::Settle).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut offers: ResMut<Offers>| *offers = Offers::default());
}
