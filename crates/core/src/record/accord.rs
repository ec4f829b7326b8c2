//! What two players elsewhere agree on beside their moves: moves are taken back, and both clocks stand. One asks, the other accepts or declines.
//!
//! Each letter tells the whole state of its writer ([`Told`]), so it may be lost, doubled or late. Two numbers order them: how often moves were taken
//! back, and how often the clocks were stopped or started. What has a lower number is old. A higher one comes only from a wish of the reader's that
//! stands, so a writer cannot change what the reader has not asked for; but either player may let the clocks go on.
//!
//! A wish is asked at a number of moves. It stands until the other player answers it or moves; whoever asks cannot call it back. If both ask at the same
//! time, the second seat answers: so they never agree to two things at once. Whoever declines at a number of moves declines all that is asked there, the
//! offer of a draw too, which a letter carries beside the accord.

use crate::rules::{BySide, Side};
use serde::{Deserialize, Serialize};

/// What a player asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wish {
    /// That the match goes back to so many moves.
    Back(usize),
    /// That both clocks stand.
    Pause,
}

/// A wish, and the number of moves at which it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The number of moves.
    pub at: usize,
    /// The wish.
    pub wish: Wish,
}

/// A step of an agreement, as the journal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Agreement {
    /// A player asks for something.
    Asked {
        /// Who asks.
        by: Side,
        /// What for, and after how many moves.
        asked: Asked,
    },
    /// A player declined what the other one asked for.
    Declined {
        /// Who declined.
        by: Side,
        /// After how many moves.
        at: usize,
    },
    /// Both agreed that the match goes back to so many moves.
    TakenBack {
        /// How often that has happened.
        times: u32,
        /// The number of moves that are left.
        to: usize,
    },
    /// Both agreed that their clocks stand, or one of them lets the clocks go on: after an odd number they stand.
    Paused(u32),
}

/// What a letter tells of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// How often moves were taken back.
    pub backs: u32,
    /// How often the clocks were stopped or started: they stand after an odd number.
    pub pauses: u32,
    /// What the writer asks for.
    pub asks: Option<Asked>,
    /// The number of moves at which the writer declined a wish or an offer of the reader's last.
    pub declines: Option<usize>,
}

/// What one player's program knows of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accord {
    backs: u32,
    pauses: u32,
    /// The wishes that stand, by who asks.
    asks: BySide<Option<Asked>>,
    /// Where each seat declined last.
    declined: BySide<Option<usize>>,
}

/// A letter tells something that its reader has not agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAgreed;

impl Accord {
    /// A seat has moved, which declines what the other one asked.
    pub fn moved(&mut self, mover: Side) {
        self.asks[!mover] = None;
    }

    /// Takes a step.
    pub fn apply(&mut self, step: Agreement) {
        match step {
            Agreement::Asked { by, asked } => self.asks[by] = Some(asked),
            Agreement::Declined { by, at } => {
                self.asks[!by] = self.asks[!by].filter(|asked| asked.at != at);
                self.declined[by] = Some(at);
            }
            Agreement::TakenBack { times, .. } => {
                *self = Accord { backs: times, pauses: self.pauses, ..Accord::default() };
            }
            Agreement::Paused(times) => {
                self.pauses = times;
                self.asks = BySide::from_fn(|seat| self.asks[seat].filter(|asked| asked.wish != Wish::Pause));
            }
        }
    }

    /// False for an agreement that was taken already. Who only looks on may have missed some.
    pub fn follows(&self, step: Agreement) -> bool {
        match step {
            Agreement::TakenBack { times, .. } => times > self.backs,
            Agreement::Paused(times) => times > self.pauses,
            _ => true,
        }
    }

    /// True while both clocks stand.
    pub fn is_paused(&self) -> bool {
        !self.pauses.is_multiple_of(2)
    }

    /// True if a seat asks for something, and has no answer yet.
    pub fn waits(&self, seat: Side) -> bool {
        self.asks[seat].is_some()
    }

    /// True if a seat may ask for something after so many moves: once.
    pub fn can_ask(&self, seat: Side, moves: usize) -> bool {
        self.asks[seat].is_none() && !self.has_declined(!seat, moves)
    }

    /// True if a seat declined what the other one asked after so many moves.
    pub fn has_declined(&self, seat: Side, moves: usize) -> bool {
        self.declined[seat] == Some(moves)
    }

    /// The wish that a seat is to answer after so many moves.
    pub fn question(&self, seat: Side, moves: usize) -> Option<Asked> {
        let waits = seat == Side::First && self.waits(seat);
        self.asks[!seat].filter(|asked| asked.at == moves && !waits)
    }

    /// The step by which a seat accepts or declines a question.
    pub fn answer(&self, seat: Side, question: Asked, yes: bool) -> Agreement {
        match question.wish {
            _ if !yes => Agreement::Declined { by: seat, at: question.at },
            Wish::Back(to) => Agreement::TakenBack { times: self.backs + 1, to },
            Wish::Pause => Agreement::Paused(self.pauses + 1),
        }
    }

    /// The step by which a player lets the clocks go on, if they stand.
    pub fn go_on(&self) -> Option<Agreement> {
        self.is_paused().then_some(Agreement::Paused(self.pauses + 1))
    }

    /// What a letter of a seat tells.
    pub fn told(&self, seat: Side) -> Told {
        Told { backs: self.backs, pauses: self.pauses, asks: self.asks[seat], declines: self.declined[seat] }
    }

    /// True if a letter was written before moves were taken back that are taken back here.
    pub fn is_older(&self, told: &Told) -> bool {
        told.backs < self.backs
    }

    /// What the friend has agreed to by a letter, before its moves: moves are taken back, the clocks stop or go on.
    ///
    /// # Errors
    /// The reader, whose seat this is, has not asked for it.
    pub fn agreed(&self, seat: Side, told: &Told) -> Result<Vec<Agreement>, NotAgreed> {
        let wish = self.asks[seat].map(|asked| asked.wish);
        let back = match told.backs.saturating_sub(self.backs) {
            0 => None,
            1 if let Some(Wish::Back(to)) = wish => Some(Agreement::TakenBack { times: told.backs, to }),
            _ => return Err(NotAgreed),
        };
        let paused = match told.pauses.saturating_sub(self.pauses) {
            0 => None,
            // Anybody may let the clocks go on; they stand only by agreement.
            1 if self.is_paused() => Some(Agreement::Paused(told.pauses)),
            1 | 2 if !self.is_paused() && wish == Some(Wish::Pause) => Some(Agreement::Paused(told.pauses)),
            _ => return Err(NotAgreed),
        };
        Ok(back.into_iter().chain(paused).collect())
    }

    /// What a letter of the friend says about wishes, after its moves; this is the seat of its reader, who `offers` a draw or not. A wish that is none in
    /// the match is for the caller to refuse.
    pub fn says(&self, seat: Side, told: &Told, moves: usize, offers: bool) -> Vec<Agreement> {
        // It was written before the clocks were stopped or started.
        if self.is_older(told) || told.pauses < self.pauses {
            return Vec::new();
        }
        let asked_at = |at: &usize| self.asks[seat].is_some_and(|asked| asked.at == *at) || offers && *at == moves;
        let declines = told.declines.filter(asked_at);
        let new = |asked: &Asked| asked.at == moves && self.asks[!seat] != Some(*asked) && !self.has_declined(seat, asked.at);
        let asks = told.asks.filter(new);
        let declined = declines.map(|at| Agreement::Declined { by: !seat, at });
        declined.into_iter().chain(asks.map(|asked| Agreement::Asked { by: !seat, asked })).collect()
    }
}

impl Told {
    /// The words of a letter about it, each after a space.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        if self.backs > 0 {
            words += &format!(" backs {}", self.backs);
        }
        if self.pauses > 0 {
            words += &format!(" pauses {}", self.pauses);
        }
        match self.asks {
            Some(Asked { at, wish: Wish::Back(to) }) => words += &format!(" asks-back {at} {to}"),
            Some(Asked { at, wish: Wish::Pause }) => words += &format!(" asks-pause {at}"),
            None => {}
        }
        if let Some(at) = self.declines {
            words += &format!(" declines {at}");
        }
        words
    }

    /// Reads a word, with those that follow. False if it is none about this, or bad.
    pub(super) fn read<'a>(&mut self, word: &str, rest: &mut impl Iterator<Item = &'a str>) -> bool {
        let mut number = || rest.next().and_then(|text| text.parse::<u32>().ok().filter(|number| number.to_string() == text));
        match word {
            "backs" if self.backs == 0 => number().filter(|number| *number > 0).map(|number| self.backs = number).is_some(),
            "pauses" if self.pauses == 0 => number().filter(|number| *number > 0).map(|number| self.pauses = number).is_some(),
            "asks-back" | "asks-pause" if self.asks.is_none() => {
                let Some(at) = number() else { return false };
                let wish = if word == "asks-pause" { Some(Wish::Pause) } else { number().map(|to| Wish::Back(to as usize)) };
                self.asks = wish.map(|wish| Asked { at: at as usize, wish });
                self.asks.is_some()
            }
            "declines" if self.declines.is_none() => {
                self.declines = number().map(|at| at as usize);
                self.declines.is_some()
            }
            _ => false,
        }
    }

    /// True if this can be told with so many moves, in a match with a clock or without, which is over or not.
    pub(super) fn fits(&self, moves: usize, clocked: bool) -> bool {
        let asks = self.asks.is_none_or(|asked| {
            asked.at <= moves
                && match asked.wish {
                    Wish::Back(to) => to < asked.at,
                    Wish::Pause => clocked && self.pauses.is_multiple_of(2),
                }
        });
        asks && (clocked || self.pauses == 0)
    }
}
