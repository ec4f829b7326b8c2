//! What our host and our engine share of the Gomocup protocol: the bits of `INFO rule`.

/// Exactly five win.
const EXACTLY: u32 = 1;
/// Renju.
const RENJU: u32 = 4;
/// A five that is blocked at both ends does not win.
const CARO: u32 = 8;

/// The key of the rule that these bits mean.
pub fn rule_of_bits(bits: u32) -> &'static str {
    match bits {
        bits if bits & RENJU != 0 => "renju",
        bits if bits & CARO != 0 && bits & EXACTLY != 0 => "caro",
        bits if bits & CARO != 0 => "caro-long",
        bits if bits & EXACTLY != 0 => "standard",
        _ => "freestyle",
    }
}

/// The bits of the rule of a variant: `caro:15`.
pub fn bits_of_rule(variant: &str) -> u32 {
    let rule = variant.split([':', '+']).next().unwrap_or_default();
    [EXACTLY, RENJU, CARO, CARO | EXACTLY].into_iter().find(|bits| rule_of_bits(*bits) == rule).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_mean_the_same_in_both_directions() {
        for (rule, bits) in [("freestyle", 0), ("standard", 1), ("renju", 4), ("caro-long", 8), ("caro", 9)] {
            assert_eq!((bits_of_rule(&format!("{rule}:15+swap2")), rule_of_bits(bits)), (bits, rule));
        }
    }
}
