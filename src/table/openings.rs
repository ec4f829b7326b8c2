//! Ways to open a game other than from the start of its variant.

use super::{Action, Swap2};

/// The openings a game offers.
pub trait Openings: Send + Sync {
    /// True where a match may be opened by [`Swap2`]. Only for games whose moves each put one piece.
    fn swap2(&self) -> bool {
        false
    }

    /// Balanced openings of a variant from its start; those of three moves are what a computer offers by swap2.
    fn balanced(&self, variant: &str) -> Vec<Vec<Action>>;
}

/// How a match is opened: the word behind the plus sign of a variant's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningRule {
    /// From the start of the variant.
    #[default]
    Free,
    /// By [`Swap2`].
    Swap2,
    /// From a balanced opening, another one in each match; the setup's position lists its moves.
    Balanced,
}

impl OpeningRule {
    /// The word behind the plus sign.
    pub const fn key(self) -> Option<&'static str> {
        match self {
            OpeningRule::Free => None,
            OpeningRule::Swap2 => Some(Swap2::KEY),
            OpeningRule::Balanced => Some("balanced"),
        }
    }

    /// A variant's own key and the rule behind it; an unknown word stays with the key.
    pub fn split(variant: &str) -> (&str, OpeningRule) {
        let Some((plain, word)) = variant.split_once('+') else { return (variant, OpeningRule::Free) };
        let known = [OpeningRule::Swap2, OpeningRule::Balanced].into_iter().find(|rule| rule.key() == Some(word));
        known.map_or((variant, OpeningRule::Free), |rule| (plain, rule))
    }

    /// A variant's key with this rule behind it.
    pub fn join(self, plain: &str) -> String {
        self.key().map_or_else(|| plain.to_owned(), |word| format!("{plain}+{word}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_says_how_it_is_opened() {
        for (variant, parts) in [
            ("free", ("free", OpeningRule::Free)),
            ("free:19+swap2", ("free:19", OpeningRule::Swap2)),
            ("free+balanced", ("free", OpeningRule::Balanced)),
            ("free+magic", ("free+magic", OpeningRule::Free)),
        ] {
            assert_eq!(OpeningRule::split(variant), parts);
            assert_eq!(parts.1.join(parts.0), variant);
        }
    }
}
