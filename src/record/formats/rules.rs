//! Gomoku's rules as records name them.

/// The numbers that files and protocols give the rules.
const NUMBERS: [(u8, &str); 4] = [(0, "freestyle"), (1, "standard"), (4, "renju"), (8, "caro")];

/// The variant of a rule and a board's size.
pub fn variant(rule: &str, size: u8) -> String {
    format!("{rule}:{size}")
}

/// The rule of a number.
pub fn of_number(number: u8) -> Option<&'static str> {
    NUMBERS.iter().find(|(known, _)| *known == number).map(|(_, rule)| *rule)
}

/// The number of a variant's rule.
pub fn number_of(variant: &str) -> Option<u8> {
    let rule = variant.split([':', '+']).next()?;
    NUMBERS.iter().find(|(_, known)| *known == rule).map(|(number, _)| *number)
}

/// The rule that a word or a number names; free play for words that say nothing of it.
pub fn of_word(word: &str) -> &'static str {
    let word = word.trim().to_lowercase();
    if let Some(rule) = word.parse().ok().and_then(of_number) {
        return rule;
    }
    let named = |words: &[&str]| words.iter().any(|known| word.contains(known));
    if named(&["无禁", "無禁", "freestyle", "free"]) {
        "freestyle"
    } else if named(&["renju", "rif", "连珠", "連珠", "有禁", "soosyrv", "taraguchi", "yamaguchi"]) {
        "renju"
    } else if named(&["caro"]) {
        "caro"
    } else if named(&["standard", "标准", "標準", "swap2", "exactly five"]) {
        "standard"
    } else {
        "freestyle"
    }
}
