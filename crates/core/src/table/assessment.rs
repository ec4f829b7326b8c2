//! The assessment of a position and its move by a review. It is stored in the tree, like comments and glyphs.

use super::{Action, Glyph, Piece};
use crate::rules::Side;
use crate::search::Value;
use serde::{Deserialize, Serialize};

/// A winning chance in ten-thousandths: 10 000 is a certain win, 5 000 an even position or a draw, 0 a certain loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Chance(pub u16);

impl Chance {
    /// A certain win.
    pub const WIN: Chance = Chance(10_000);
    /// An even position, or a draw.
    pub const EVEN: Chance = Chance(5_000);
    /// A certain loss.
    pub const LOSS: Chance = Chance(0);

    /// The chance of a number from 0 to 1; other numbers are limited to that range.
    pub fn of(part: f64) -> Chance {
        Chance((part.clamp(0.0, 1.0) * 10_000.0).round() as u16)
    }

    /// The chance as a number from 0 to 1.
    pub fn part(self) -> f64 {
        f64::from(self.0.min(10_000)) / 10_000.0
    }

    /// The other side's chance.
    #[must_use]
    pub fn reversed(self) -> Chance {
        Chance(10_000 - self.0.min(10_000))
    }

    /// The loss from this chance to a smaller one, 0 to 1.
    pub fn lost_to(self, after: Chance) -> f64 {
        f64::from(self.0.saturating_sub(after.0)) / 10_000.0
    }
}

/// The quality of a move, by the winning chance it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// No better move was found.
    Best,
    /// Less than 0.05 was lost.
    Good,
    /// At least 0.05 was lost.
    Inaccuracy,
    /// At least 0.11 was lost.
    Mistake,
    /// At least 0.24 was lost.
    Blunder,
}

impl Judgement {
    /// The judgement of a move that is not the best one, by the winning chance it lost, 0 to 1.
    pub fn of_loss(lost: f64) -> Judgement {
        // The limits are whole ten-thousandths, like the chances.
        let reached = |limit: &Judgement| (lost * 10_000.0).round() >= (limit.least_loss() * 10_000.0).round();
        [Judgement::Blunder, Judgement::Mistake, Judgement::Inaccuracy].into_iter().find(reached).unwrap_or(Judgement::Good)
    }

    /// The least winning chance that a move of this judgement lost, 0 to 1.
    pub const fn least_loss(self) -> f64 {
        match self {
            Judgement::Best | Judgement::Good => 0.0,
            Judgement::Inaccuracy => 0.05,
            Judgement::Mistake => 0.11,
            Judgement::Blunder => 0.24,
        }
    }

    /// The word the command line prints.
    pub const fn key(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// The glyph that a review gives the move.
    pub const fn glyph(self) -> Option<Glyph> {
        match self {
            Judgement::Best | Judgement::Good => None,
            Judgement::Inaccuracy => Some(Glyph::DUBIOUS),
            Judgement::Mistake => Some(Glyph::MISTAKE),
            Judgement::Blunder => Some(Glyph::BLUNDER),
        }
    }

    /// True for an inaccuracy, a mistake and a blunder.
    pub fn is_error(self) -> bool {
        self >= Judgement::Inaccuracy
    }
}

/// Why a move was bad. Each kind is given only if it was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeKind {
    /// The answer wins a piece: by static exchange, and it begins the other side's best line.
    PieceLost,
    /// The better move wins a piece: by static exchange, and it begins the best line.
    PieceMissed,
    /// The better move wins by force: found by search, or proven by threat-space search.
    WinMissed,
    /// The other side now wins by force.
    WinAllowed,
    /// The move repeats the position and loses by the rules of repetition.
    RepetitionLoses,
    /// The move makes a draw by the rules.
    DrawMade,
    /// The game is solved, and the move changes its result.
    Solved,
}

impl MistakeKind {
    /// All kinds.
    pub const ALL: [MistakeKind; 7] = [
        MistakeKind::PieceLost,
        MistakeKind::PieceMissed,
        MistakeKind::WinMissed,
        MistakeKind::WinAllowed,
        MistakeKind::RepetitionLoses,
        MistakeKind::DrawMade,
        MistakeKind::Solved,
    ];

    /// The word the command line prints.
    pub const fn key(self) -> &'static str {
        match self {
            MistakeKind::PieceLost => "piece-lost",
            MistakeKind::PieceMissed => "piece-missed",
            MistakeKind::WinMissed => "win-missed",
            MistakeKind::WinAllowed => "win-allowed",
            MistakeKind::RepetitionLoses => "repetition-loses",
            MistakeKind::DrawMade => "draw-made",
            MistakeKind::Solved => "solved",
        }
    }

    /// True if the line shows a missed chance and begins with the better move; otherwise it begins with the move that was played.
    pub const fn is_missed(self) -> bool {
        matches!(self, MistakeKind::PieceMissed | MistakeKind::WinMissed)
    }
}

/// Why a move was bad, with the line that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MistakeReason {
    /// The kind.
    pub kind: MistakeKind,
    /// The piece that is lost or could be won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<Piece>,
    /// The winner's own moves to the end of the game, if the line goes to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// The line, from the position before the move.
    pub line: Vec<Action>,
}

/// The assessment of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveVerdict {
    /// The side that made it.
    pub mover: Side,
    /// Its quality.
    pub judgement: Judgement,
    /// The mover's winning chance with the best move.
    pub before: Chance,
    /// The mover's winning chance after the move played.
    pub after: Chance,
    /// The best line, from the position before the move. It begins with the move played if no better move was found.
    pub best: Vec<Action>,
    /// True if there was no other legal move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
    /// Why it was bad, if that was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<MistakeReason>,
    /// The review's part of the move's comment, so that a later review can replace it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

impl MoveVerdict {
    /// The winning chance the move lost, 0 to 1.
    pub fn lost(&self) -> f64 {
        self.before.lost_to(self.after)
    }
}

/// The assessment of a position and of the move before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// The value of the position from the first side's view.
    pub value: Value,
    /// The first side's winning chance.
    pub chance: Chance,
    /// The move before it; `None` at the start, and while an opening has not decided the sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<MoveVerdict>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_judged_by_its_size() {
        // (before, after, judgement)
        let cases = [
            (0.5, 0.5, Judgement::Good),
            (0.5, 0.4501, Judgement::Good),
            (0.5, 0.45, Judgement::Inaccuracy),
            (0.5, 0.3901, Judgement::Inaccuracy),
            (0.5, 0.39, Judgement::Mistake),
            (0.5, 0.2601, Judgement::Mistake),
            (0.5, 0.26, Judgement::Blunder),
            (1.0, 0.0, Judgement::Blunder),
            // Nothing is lost if the move is better than the expected best move.
            (0.4, 0.9, Judgement::Good),
        ];
        for (before, after, judgement) in cases {
            let lost = Chance::of(before).lost_to(Chance::of(after));
            assert_eq!(Judgement::of_loss(lost), judgement, "{before} to {after}");
        }
    }
}
