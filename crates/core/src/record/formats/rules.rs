//! The names and numbers of gomoku's rules in records.

/// The numbers of the rules in files and protocols.
const NUMBERS: [(u8, &str); 4] = [(0, "freestyle"), (1, "standard"), (4, "renju"), (8, "caro")];

/// The variant's key for a rule and a board size.
pub fn variant(rule: &str, size: u8) -> String {
    format!("{rule}:{size}")
}

/// The rule with this number.
pub fn of_number(number: u8) -> Option<&'static str> {
    NUMBERS.iter().find(|(known, _)| *known == number).map(|(_, rule)| *rule)
}

/// The number of a variant's rule.
pub fn number_of(variant: &str) -> Option<u8> {
    let rule = variant.split([':', '+']).next()?;
    NUMBERS.iter().find(|(_, known)| *known == rule).map(|(number, _)| *number)
}

/// The rule with this name or number; freestyle for other words.
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
