//! How texts are compared in searches.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Simplified characters, each with the traditional ones that it stands for.
const CHARACTERS: &str = include_str!("../../assets/characters/traditional.txt");

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let words = CHARACTERS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    let pairs = words.flat_map(|word| {
        let mut characters = word.chars();
        let simplified = characters.next();
        characters.filter_map(move |traditional| Some((traditional, simplified?)))
    });
    pairs.collect()
});

/// A text as searches compare it: in lower case, and with simplified characters for traditional ones, so that `胡榮華` is found as `胡荣华` and the
/// other way round.
pub fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    if lower.is_ascii() {
        return lower;
    }
    lower.chars().map(|character| SIMPLIFIED.get(&character).copied().unwrap_or(character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scripts_are_the_same_text() {
        assert!(SIMPLIFIED.len() > 2000);
        for (one, other) in [
            ("胡榮華", "胡荣华"),
            ("許銀川", "许银川"),
            ("全國賽 2001", "全国赛 2001"),
            ("Lü Qin", "lü qin"),
            ("五六炮對屏風馬", "五六炮对屏风马"),
        ] {
            assert_eq!(folded(one), folded(other));
            assert_eq!(folded(other), other.to_lowercase());
        }
        // No character stands for another one in turn.
        assert!(SIMPLIFIED.values().all(|simplified| !SIMPLIFIED.contains_key(simplified)));
    }
}
