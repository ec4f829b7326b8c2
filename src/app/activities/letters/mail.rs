//! The letters that come in, until they are answered or with the referee.

use crate::app::ground::activity::Activity;
use crate::app::ground::requests::RefereeRequest;
use crate::app::ground::words::Words;
use crate::app::play::CurrentMatch;
use bevy::prelude::*;
use qiju_core::record::accord::Agreement;
use qiju_core::record::letter::{Letter, Phrase};
use qiju_core::rules::Side;
use qiju_core::table::Action;
use std::collections::VecDeque;
use std::time::Duration;

/// The page with the letter to be sent.
pub const LETTER: Activity = Activity("letter");
/// The page with the link with which others can watch the match.
pub const WATCH: Activity = Activity("letter-watch");
/// The page with a letter that was read and does not simply go on with its match.
pub const READ: Activity = Activity("letter-read");

/// What the user is asked about a letter that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// It belongs to no match that is known here: whether to begin it.
    Begin,
    /// It differs from its match, from the start.
    OtherStart,
    /// It differs from its match after so many moves: the move here and that in the letter, where there are any.
    OtherMove(usize, Option<String>, Option<String>),
}

/// The letters that come in.
#[derive(Resource, Default)]
pub struct Mail {
    /// A letter that was read, and what is asked about it.
    pub(super) asked: Option<(Box<Letter>, Question)>,
    pub(super) arriving: Option<Arriving>,
}

impl Mail {
    /// The letter that was read, and what is asked about it.
    pub fn asked(&self) -> Option<(&Letter, &Question)> {
        self.asked.as_ref().map(|(letter, question)| (&**letter, question))
    }
}

/// What a letter adds to its match, on its way to the referee.
pub(super) struct Arriving {
    /// The letter.
    pub letter: Box<Letter>,
    /// What the friend has agreed to, which comes first.
    pub agreed: Vec<Agreement>,
    /// The moves that are still to be played, each with the time it took,
    pub moves: VecDeque<(Action, Option<Duration>)>,
    /// and how many there are on the table when the next one is due.
    pub ply: usize,
    /// What is said after them.
    pub words: Vec<RefereeRequest>,
    /// How long it has waited for the user.
    pub waited: Duration,
    /// The user has opened it and wants to see it; else it has come by itself.
    pub shown: bool,
}

/// The text of a phrase.
pub(super) fn phrase_key(phrase: Phrase) -> &'static str {
    match phrase {
        Phrase::Hello => "phrase.hello",
        Phrase::GoodMove => "phrase.good-move",
        Phrase::Moment => "phrase.moment",
        Phrase::Back => "phrase.back",
        Phrase::NoHurry => "phrase.no-hurry",
        Phrase::Thanks => "phrase.thanks",
    }
}

/// What the friend is called.
pub(super) fn friend_of<'a>(current: &'a CurrentMatch, words: &'a Words) -> &'a str {
    let seat = current.friend().unwrap_or(Side::First);
    current.heading().names[seat].as_deref().unwrap_or(words.say("letters.friend"))
}
