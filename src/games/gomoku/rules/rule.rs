//! The rules of five in a row, and which of them a variant's key names.

use super::lines::LineRule;
use crate::rules::Side;

/// A rule of five in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more win.
    Freestyle,
    /// Exactly five win; a longer row is nothing.
    Standard,
    /// Black needs exactly five and may make no overline, double four or double three; White wins with five or more.
    Renju,
    /// Exactly five win, but not with an enemy stone at both ends. The edge of the board blocks nothing.
    Caro,
    /// Five or more win, but not with an enemy stone at both ends (Gomocup's rule 8).
    CaroLong,
}

impl Rule {
    /// What a line must be for this side.
    pub fn line_rule(self, side: Side) -> LineRule {
        match (self, side) {
            (Rule::Freestyle, _) | (Rule::Renju, Side::Second) => LineRule::FiveOrMore,
            (Rule::Standard, _) => LineRule::ExactlyFive,
            (Rule::Renju, Side::First) => LineRule::RenjuBlack,
            (Rule::Caro, _) => LineRule::OpenExactlyFive,
            (Rule::CaroLong, _) => LineRule::OpenFiveOrMore,
        }
    }

    /// The rule and the board's size of a variant's key: `freestyle`, `renju:19`, ..; `None` if it names none.
    pub fn of_variant(key: &str) -> Option<(Rule, u8)> {
        let (name, size) = match key.split_once(':') {
            None => (key, 15),
            Some((name, size)) => (name, [15, 19, 20].into_iter().find(|known| size == known.to_string())?),
        };
        let rule = match name {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            "renju" => Rule::Renju,
            "caro" => Rule::Caro,
            "caro-long" => Rule::CaroLong,
            _ => return None,
        };
        Some((rule, size))
    }
}
