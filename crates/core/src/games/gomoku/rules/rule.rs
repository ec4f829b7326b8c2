//! The rules of five in a row, and the rule of each variant's key.

use super::lines::LineRule;
use crate::rules::Side;

/// A rule of five in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more win.
    Freestyle,
    /// Exactly five win; a longer row does not.
    Standard,
    /// Black needs exactly five and may not make an overline, double four or double three; White wins with five or more.
    Renju,
    /// Exactly five win, but not if both ends are blocked by stones of the opponent. The edge of the board does not block.
    Caro,
    /// Five or more win, but not if both ends are blocked by stones of the opponent (Gomocup's rule 8).
    CaroLong,
}

impl Rule {
    /// The rule for the lines of this side.
    pub fn line_rule(self, side: Side) -> LineRule {
        match (self, side) {
            (Rule::Freestyle, _) | (Rule::Renju, Side::Second) => LineRule::FiveOrMore,
            (Rule::Standard, _) => LineRule::ExactlyFive,
            (Rule::Renju, Side::First) => LineRule::RenjuBlack,
            (Rule::Caro, _) => LineRule::OpenExactlyFive,
            (Rule::CaroLong, _) => LineRule::OpenFiveOrMore,
        }
    }

    /// The rule and the board size of a variant's key: `freestyle`, `renju:19`, ..; `None` if it is unknown.
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
