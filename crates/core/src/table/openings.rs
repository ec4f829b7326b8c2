//! Openings other than the start position of a variant.

use super::Swap2;

/// The opening rule of a match: the word after the plus sign in a variant's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningRule {
    /// No rule: the start position of the variant.
    #[default]
    Free,
    /// By [`Swap2`].
    Swap2,
    /// A balanced opening, a different one in each match; the position of the setup lists its moves.
    Balanced,
}

impl OpeningRule {
    /// The word after the plus sign.
    pub const fn key(self) -> Option<&'static str> {
        match self {
            OpeningRule::Free => None,
            OpeningRule::Swap2 => Some(Swap2::KEY),
            OpeningRule::Balanced => Some("balanced"),
        }
    }

    /// Splits a variant's key into the key without the rule and the rule. An unknown word stays in the key.
    pub fn split(variant: &str) -> (&str, OpeningRule) {
        let Some((plain, word)) = variant.split_once('+') else { return (variant, OpeningRule::Free) };
        let known = [OpeningRule::Swap2, OpeningRule::Balanced].into_iter().find(|rule| rule.key() == Some(word));
        known.map_or((variant, OpeningRule::Free), |rule| (plain, rule))
    }

    /// A variant's key with this rule added.
    pub fn join(self, plain: &str) -> String {
        self.key().map_or_else(|| plain.to_owned(), |word| format!("{plain}+{word}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_contains_its_opening_rule() {
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
