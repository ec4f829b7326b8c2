//! Moves as text: `h2e2`, ICCS `H2-E2`, WXF `C2=5`, Chinese `炮二平五` in either script and Vietnamese `P2-5`, written and read.
//!
//! WXF, Chinese and Vietnamese have the same structure with different characters, so all use [`Spelling`]: the role, which of its pieces, the direction and a number.
//! Two pieces on one file are distinguished as front and rear, three soldiers also by middle; four or five on a file, or soldiers
//! doubled on two files, are numbered from the mover's right-hand file to the left, front to rear (Chinese 一 to 五, WXF a to e).
//! Also read: the World Xiangqi Federation's own names of such soldiers (`P3.4` is the middle one of three, `++.4` the first of four or five, `3+.4` and
//! `33.4` the front and the middle one on file 3), their Chinese counterpart `前三平四`, and a number with a file, `23=4`.
//! A Vietnamese move that is also one in WXF is read as WXF.
//! Source: "Computer applications of Chinese chess, part 3: notation" of the World Xiangqi community (xqbase), and World Xiangqi Federation rules.

use super::attacks::Points;
use super::board::{Board, Move, index};
use super::piece::{Piece, Role};
use crate::message;
use crate::message::Message;
use crate::rules::{Point, Position, Refusal, Side};
use crate::table::Notation;

/// Which of the pieces of a role moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// The piece on this file, counted from the mover's right.
    File(u8),
    Front,
    Middle,
    Rear,
    /// The number of a doubled soldier, from 1.
    Number(u8),
    /// The soldier with this place among those on this file.
    OnFile(u8, Place),
    /// The soldier with this place among the four or five on a file.
    OfMany(Place),
}

/// The place of a soldier on its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Front,
    /// Behind the front one.
    Second,
    /// As many are before it as behind it.
    Middle,
    /// Before the rear one.
    SecondLast,
    Rear,
    /// From the front, from 1.
    Number(u8),
}

impl Place {
    /// All places that the soldier at this index, from the front, has among `count`.
    fn all(index: usize, count: usize) -> impl Iterator<Item = Place> {
        let places = [
            (Place::Front, index == 0),
            (Place::Second, index == 1),
            (Place::Middle, 2 * index + 1 == count),
            (Place::SecondLast, index + 2 == count),
            (Place::Rear, index + 1 == count),
            (Place::Number(index as u8 + 1), true),
        ];
        places.into_iter().filter(|(_, fits)| *fits).map(|(place, _)| place)
    }
}

/// The direction of a move, from the mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
    Across,
}

/// A move in WXF or Chinese notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spelling {
    role: Role,
    which: Which,
    way: Way,
    /// The number of ranks for a straight move, otherwise the target file.
    number: u8,
}

/// The file of a point from the right of `side`, from 1.
fn file_of(side: Side, at: usize) -> u8 {
    let file = (at % 9) as u8;
    if side == Side::First { 9 - file } else { file + 1 }
}

/// The distance of a point from the edge of `side`.
fn advance(side: Side, at: usize) -> usize {
    if side == Side::First { at / 9 } else { 9 - at / 9 }
}

/// The pieces of the mover's role on one file, the front one first.
fn file_mates(board: &Board, piece: Piece, file: u8) -> Vec<usize> {
    let side = piece.side();
    let mut mates: Vec<usize> = Points(board.of(side, piece.role())).filter(|&at| file_of(side, at) == file).collect();
    mates.sort_by_key(|&at| std::cmp::Reverse(advance(side, at)));
    mates
}

/// All ways to name the piece that moves, the usual one first.
fn names(board: &Board, piece: Piece, from: usize) -> Vec<Which> {
    let side = piece.side();
    let file = file_of(side, from);
    let plain = Which::File(file);
    if matches!(piece.role(), Role::General | Role::Advisor | Role::Elephant) {
        // Two advisors or elephants on one file never have the same move, so the direction distinguishes them. Front and rear are accepted.
        let mates = file_mates(board, piece, file);
        let place = mates.iter().position(|&at| at == from);
        return match (mates.len(), place) {
            (2, Some(0)) => vec![plain, Which::Front],
            (2, _) => vec![plain, Which::Rear],
            _ => vec![plain],
        };
    }
    let mates = file_mates(board, piece, file);
    let place = mates.iter().position(|&at| at == from).unwrap_or(0);
    let mut all = match (mates.len(), place) {
        (0 | 1, _) => return vec![plain],
        (_, 0) => vec![Which::Front],
        (3, 1) => vec![Which::Middle],
        (count, last) if last + 1 == count => vec![Which::Rear],
        _ => Vec::new(),
    };
    if piece.role() == Role::Soldier {
        let doubled: Vec<Vec<usize>> =
            (1..=9).map(|file| file_mates(board, piece, file)).filter(|mates| mates.len() > 1).collect();
        let order: Vec<usize> = doubled.concat();
        let number = order.iter().position(|&at| at == from).map_or(1, |place| place as u8 + 1);
        if doubled.len() > 1 || mates.len() > 3 {
            all.insert(0, Which::Number(number));
        } else {
            all.push(Which::Number(number));
        }
        all.extend(Place::all(place, mates.len()).map(|place| Which::OnFile(file, place)));
        if mates.len() > 3 {
            all.extend(Place::all(place, mates.len()).map(Which::OfMany));
        }
    }
    all.push(plain);
    all
}

/// The direction and the number of a legal move.
fn goes(board: &Board, mv: Move) -> (Way, u8) {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = board.at(from) else { return (Way::Across, 0) };
    let side = piece.side();
    let (before, after) = (advance(side, from), advance(side, to));
    let way = match after.cmp(&before) {
        std::cmp::Ordering::Greater => Way::Forward,
        std::cmp::Ordering::Less => Way::Back,
        std::cmp::Ordering::Equal => Way::Across,
    };
    let slanting = matches!(piece.role(), Role::Advisor | Role::Elephant | Role::Horse);
    (way, if way == Way::Across || slanting { file_of(side, to) } else { after.abs_diff(before) as u8 })
}

/// All spellings of a legal move, the usual one first.
fn spellings(board: &Board, mv: Move) -> Vec<Spelling> {
    let Some(piece) = board.at(mv.from()) else { return Vec::new() };
    let (way, number) = goes(board, mv);
    names(board, piece, mv.from()).into_iter().map(|which| Spelling { role: piece.role(), which, way, number }).collect()
}

const RED_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const BLACK_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Simplified characters, as in game records; Red's, then Black's.
const CHARACTERS: [char; Piece::KINDS] = ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '马', '车', '炮', '卒'];

/// The traditional form of a character of a move.
fn traditional(character: char) -> char {
    match character {
        '马' => '馬',
        '车' => '車',
        '帅' => '帥',
        '将' => '將',
        '进' => '進',
        '后' => '後',
        other => other,
    }
}

/// The Vietnamese letters of the pieces.
const VIETNAMESE: [(Role, &str); 7] = [
    (Role::General, "Tg"),
    (Role::Advisor, "S"),
    (Role::Elephant, "T"),
    (Role::Horse, "M"),
    (Role::Chariot, "X"),
    (Role::Cannon, "P"),
    (Role::Soldier, "B"),
];

impl Spelling {
    fn chinese(self, side: Side) -> String {
        let digits = if side == Side::First { RED_DIGITS } else { BLACK_DIGITS };
        let digit = |n: u8| digits[usize::from(n.clamp(1, 9)) - 1];
        let name = CHARACTERS[Piece::new(side, self.role).index()];
        let way = match self.way {
            Way::Forward => '进',
            Way::Back => '退',
            Way::Across => '平',
        };
        let (first, second) = match self.which {
            Which::File(file) => (name, digit(file)),
            Which::Front => ('前', name),
            Which::Middle => ('中', name),
            Which::Rear => ('后', name),
            Which::Number(n) => (RED_DIGITS[usize::from(n.clamp(1, 9)) - 1], name),
            // These are only read.
            Which::OnFile(file, _) => (name, digit(file)),
            Which::OfMany(_) => ('前', name),
        };
        [first, second, way, digit(self.number)].into_iter().collect()
    }

    fn wxf(self) -> String {
        let role = match self.role {
            Role::General => 'K',
            Role::Advisor => 'A',
            Role::Elephant => 'E',
            Role::Horse => 'H',
            Role::Chariot => 'R',
            Role::Cannon => 'C',
            Role::Soldier => 'P',
        };
        self.in_latin(&role.to_string(), ['+', '.', '-'], ['+', '-', '='])
    }

    fn vietnamese(self) -> String {
        let role = VIETNAMESE.iter().find(|(role, _)| *role == self.role).map_or("", |(_, letters)| letters);
        self.in_latin(role, ['t', 'g', 's'], ['.', '/', '-'])
    }

    /// With the letters of the piece, the signs of the front, middle and rear one, and those of the ways forward, back and across.
    fn in_latin(self, role: &str, [front, middle, rear]: [char; 3], [forward, back, across]: [char; 3]) -> String {
        let digit = |n: u8| char::from(b'0' + n);
        let which = match self.which {
            Which::File(file) | Which::OnFile(file, _) => digit(file),
            Which::Front | Which::OfMany(_) => front,
            Which::Middle => middle,
            Which::Rear => rear,
            Which::Number(n) => char::from(b'a' - 1 + n),
        };
        let way = match self.way {
            Way::Forward => forward,
            Way::Back => back,
            Way::Across => across,
        };
        format!("{role}{which}{way}{}", digit(self.number))
    }
}

/// Writes a legal move.
pub fn write(board: &Board, mv: Move, notation: Notation) -> String {
    let spelling = || spellings(board, mv).into_iter().next();
    let written = match notation {
        Notation::Uci | Notation::Points => None,
        Notation::Iccs => {
            let text = mv.to_string().to_ascii_uppercase();
            Some(format!("{}-{}", &text[..2], &text[2..]))
        }
        Notation::Wxf => spelling().map(Spelling::wxf),
        Notation::Chinese => spelling().map(|spelling| spelling.chinese(board.turn())),
        Notation::Traditional => spelling().map(|spelling| spelling.chinese(board.turn()).chars().map(traditional).collect()),
        Notation::Vietnamese => spelling().map(Spelling::vietnamese),
    };
    written.unwrap_or_else(|| mv.to_string())
}

/// Reads a legal move in any of the notations, with any script, case and width of its characters.
///
/// # Errors
/// A message that says what is wrong with the text.
pub fn read(board: &Board, text: &str) -> Result<Move, Message> {
    let text = &narrow(text);
    if let Some(points) = read_points(text) {
        let (from, to) = points?;
        let (Some(a), Some(b)) = (index(from), index(to)) else { return Err(Refusal::OffBoard.into()) };
        let mv = Move::new(a, b);
        if a != b && board.is_legal(mv) {
            return Ok(mv);
        }
        return Err(if a == b { Refusal::WrongWay.into() } else { board.refusal(from, to).into() });
    }
    let usual = read_words(text);
    let found = usual.as_ref().map(|words| spelled(board, words)).unwrap_or_default();
    let in_vietnamese = || read_vietnamese(text).map(|words| spelled(board, &words)).unwrap_or_default();
    let found = if found.is_empty() { in_vietnamese() } else { found };
    if found.is_empty() {
        usual?;
    }
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(message!("no legal move is written like this")),
        [a, b, ..] => Err(message!("it may be {} or {}", a.to_string(), b.to_string())),
    }
}

/// Every legal move that the text may mean, those of front pieces first: more than one if it does not say which of two pieces on a file moves, or
/// is one move in WXF and another in Vietnamese (`P5.4`).
pub fn readings(board: &Board, text: &str) -> Vec<Move> {
    let text = &narrow(text);
    if read_points(text).is_some() {
        return read(board, text).into_iter().collect();
    }
    let words = [read_words(text).ok(), read_vietnamese(text)];
    let mut found: Vec<Move> = Vec::new();
    for mv in words.iter().flatten().flat_map(|words| spelled(board, words)) {
        if !found.contains(&mv) {
            found.push(mv);
        }
    }
    found
}

/// The legal moves with these words: those with it as the usual spelling, otherwise those with it as another spelling.
fn spelled(board: &Board, words: &Words) -> Vec<Move> {
    let piece = Piece::new(board.turn(), words.role);
    let named: Vec<(usize, Vec<Which>)> =
        Points(board.of(board.turn(), words.role)).map(|at| (at, names(board, piece, at))).collect();
    // A name that fits no piece on the board is not meant, whether its move is legal or not.
    let Some(wanted) = words.which.iter().find(|wanted| named.iter().any(|(_, names)| names.contains(wanted))) else {
        return Vec::new();
    };
    let moves = |usual: bool| {
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        legal.retain(|mv| {
            let is_it = |names: &[Which]| if usual { names.first() == Some(wanted) } else { names.contains(wanted) };
            named.iter().any(|(at, names)| *at == mv.from() && is_it(names)) && goes(board, *mv) == (words.way, words.number)
        });
        legal.sort_by_key(|mv| std::cmp::Reverse(advance(board.turn(), mv.from())));
        legal
    };
    let usual = moves(true);
    if usual.is_empty() { moves(false) } else { usual }
}

/// The text without surrounding spaces, with half-width characters for full-width ones (`Ｃ２＝５`). Full-width digits stay, because Black uses them.
fn narrow(text: &str) -> String {
    let one = |c: char| match c {
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '＋' | '－' | '＝' | '．' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '–' | '—' | '−' => '-',
        _ => c,
    };
    text.trim().chars().map(one).collect()
}

/// The two points of `h2e2` or `H2-E2`; `None` for other texts.
fn read_points(text: &str) -> Option<Result<(Point, Point), Message>> {
    let plain: Vec<u8> = text.bytes().filter(|b| *b != b'-').collect();
    let [a, b, c, d] = plain[..] else { return None };
    if !(a.is_ascii_alphabetic() && b.is_ascii_digit() && c.is_ascii_alphabetic() && d.is_ascii_digit()) {
        return None;
    }
    if text.len() > 4 && text.as_bytes()[2] != b'-' || text.len() > 5 {
        return None;
    }
    let one = |file: u8, rank: u8| {
        let x = file.to_ascii_lowercase() - b'a';
        if x < 9 { Ok(Point::new(x, rank - b'0')) } else { Err(message!("there is no file '{}': a to i", char::from(file))) }
    };
    Some(one(a, b).and_then(|from| Ok((from, one(c, d)?))))
}

enum Sign {
    Piece(Role),
    Digit(u8),
    Front,
    Middle,
    Rear,
    Letter(u8),
    Forward,
    Back,
    Across,
}

fn sign(c: char) -> Option<Sign> {
    if let Some(n) = RED_DIGITS.iter().position(|&d| d == c) {
        return Some(Sign::Digit(n as u8 + 1));
    }
    if let Some(n) = BLACK_DIGITS.iter().position(|&d| d == c) {
        return Some(Sign::Digit(n as u8 + 1));
    }
    Some(match c {
        '1'..='9' => Sign::Digit(c as u8 - b'0'),
        '帅' | '帥' | '将' | '將' => Sign::Piece(Role::General),
        '仕' | '士' => Sign::Piece(Role::Advisor),
        '相' | '象' | '像' => Sign::Piece(Role::Elephant),
        '马' | '馬' | '傌' | '㐷' => Sign::Piece(Role::Horse),
        '车' | '車' | '俥' | '伡' => Sign::Piece(Role::Chariot),
        '炮' | '砲' | '包' => Sign::Piece(Role::Cannon),
        '兵' | '卒' => Sign::Piece(Role::Soldier),
        '前' => Sign::Front,
        '中' => Sign::Middle,
        '后' | '後' => Sign::Rear,
        '进' | '進' | '上' | '+' => Sign::Forward,
        '退' | '下' | '-' => Sign::Back,
        '平' | '=' | '.' => Sign::Across,
        _ => return None,
    })
}

fn latin_role(c: char) -> Option<Role> {
    Some(match c.to_ascii_uppercase() {
        'K' | 'G' => Role::General,
        'A' => Role::Advisor,
        'E' | 'B' => Role::Elephant,
        'H' | 'N' => Role::Horse,
        'R' => Role::Chariot,
        'C' => Role::Cannon,
        'P' | 'S' => Role::Soldier,
        _ => return None,
    })
}

/// A move as it is written: the names that its piece may have, the one that is meant rather first.
struct Words {
    role: Role,
    which: Vec<Which>,
    way: Way,
    number: u8,
}

fn read_words(text: &str) -> Result<Words, Message> {
    let odd = || message!("a move must be written like h2e2, H2-E2, C2=5 or 炮二平五");
    let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let [a, b, c, d] = signs[..] else { return Err(odd()) };
    // In WXF the piece's letter is first, or after the sign for front or rear (`R+=3`, `+R=3`).
    let (latin, head) = match (latin_role(a), latin_role(b)) {
        (Some(role), _) => (true, [Sign::Piece(role), which_sign(b).ok_or_else(odd)?]),
        (None, Some(role)) => (true, [which_sign(a).ok_or_else(odd)?, Sign::Piece(role)]),
        (None, None) => (false, [sign(a).ok_or_else(odd)?, sign(b).ok_or_else(odd)?]),
    };
    let number_first = sign(a).is_some_and(|s| matches!(s, Sign::Digit(_)));
    let (role, which) = match head {
        [Sign::Piece(role), which] | [which, Sign::Piece(role)] => {
            let many = latin && role == Role::Soldier;
            let which = match which {
                Sign::Digit(n) if number_first => vec![Which::Number(n)],
                Sign::Digit(n) if many => vec![Which::OnFile(n, Place::Middle), Which::File(n)],
                Sign::Digit(n) => vec![Which::File(n)],
                Sign::Front | Sign::Forward if many => vec![Which::OfMany(Place::Second), Which::Front],
                Sign::Rear | Sign::Back if many => vec![Which::OfMany(Place::SecondLast), Which::Rear],
                Sign::Front | Sign::Forward => vec![Which::Front],
                Sign::Middle | Sign::Across => vec![Which::Middle, Which::OfMany(Place::Middle)],
                Sign::Rear | Sign::Back => vec![Which::Rear],
                Sign::Letter(n) => vec![Which::Number(n)],
                Sign::Piece(_) => return Err(odd()),
            };
            (role, which)
        }
        // Without a piece it is a soldier.
        head => (Role::Soldier, soldier(head).ok_or_else(odd)?),
    };
    let way = match sign(c) {
        Some(Sign::Forward) => Way::Forward,
        Some(Sign::Back) => Way::Back,
        Some(Sign::Across) => Way::Across,
        _ => return Err(odd()),
    };
    let Some(Sign::Digit(number)) = sign(d) else { return Err(odd()) };
    Ok(Words { role, which, way, number })
}

/// A move in Vietnamese letters and signs: `P2-5`, `M8.7`, `Xs/1`, `Tg5.1`.
fn read_vietnamese(text: &str) -> Option<Words> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let named = VIETNAMESE.iter().filter_map(|(role, letters)| Some((*role, text.strip_prefix(&letters.to_lowercase())?)));
    // The general's second letter is also that of the middle one.
    named.into_iter().find_map(|(role, rest)| {
        let signs: Vec<char> = rest.chars().collect();
        let [which, way, number] = signs[..] else { return None };
        let digit = |c: char| c.to_digit(10).filter(|n| *n > 0).map(|n| n as u8);
        let which = match which {
            't' => Which::Front,
            'g' => Which::Middle,
            's' => Which::Rear,
            'a'..='e' => Which::Number(which as u8 - b'a' + 1),
            file => Which::File(digit(file)?),
        };
        let way = match way {
            '.' => Way::Forward,
            '/' => Way::Back,
            '-' => Way::Across,
            _ => return None,
        };
        Some(Words { role, which: vec![which], way, number: digit(number)? })
    })
}

/// The names of a soldier in `3+.4`, `33.4`, `23=4`, `++.4` and `前三平四`.
fn soldier(head: [Sign; 2]) -> Option<Vec<Which>> {
    Some(match head {
        [Sign::Digit(file), Sign::Front | Sign::Forward] | [Sign::Front | Sign::Forward, Sign::Digit(file)] => {
            vec![Which::OnFile(file, Place::Front)]
        }
        [Sign::Digit(file), Sign::Middle] | [Sign::Middle, Sign::Digit(file)] => vec![Which::OnFile(file, Place::Middle)],
        [Sign::Digit(file), Sign::Rear | Sign::Back] | [Sign::Rear | Sign::Back, Sign::Digit(file)] => {
            vec![Which::OnFile(file, Place::Rear)]
        }
        // The same file twice is its middle soldier; in the notation of other programs the first digit is the number of the soldier.
        [Sign::Digit(a), Sign::Digit(b)] if a == b => {
            vec![Which::OnFile(a, Place::Middle), Which::OnFile(a, Place::Number(a)), Which::File(a)]
        }
        [Sign::Digit(number), Sign::Digit(file)] => vec![Which::OnFile(file, Place::Number(number))],
        [Sign::Forward, Sign::Forward] => vec![Which::OfMany(Place::Front)],
        [Sign::Back, Sign::Back] => vec![Which::OfMany(Place::Rear)],
        _ => return None,
    })
}

/// The character after a piece's letter: a file, front or rear, or the letter of a doubled soldier.
fn which_sign(c: char) -> Option<Sign> {
    match c {
        'a'..='e' => Some(Sign::Letter(c as u8 - b'a' + 1)),
        _ => sign(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, move, Chinese, WXF.
    const CASES: &[(&str, &str, &str, &str)] = &[
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "h2e2", "炮二平五", "C2=5"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b", "h9g7", "马８进７", "H8+7"),
        // Two chariots on a file.
        ("3k5/9/9/R8/9/9/9/R8/9/4K4 w", "a6b6", "前车平八", "R+=8"),
        ("3k5/9/9/R8/9/9/9/R8/9/4K4 w", "a2a3", "后车进一", "R-+1"),
        ("4k4/9/9/r8/9/9/9/r8/9/3K5 b", "a2b2", "前车平２", "R+=2"),
        // Three soldiers on a file.
        ("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w", "e8f8", "前兵平四", "P+=4"),
        ("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w", "e7f7", "中兵平四", "P.=4"),
        ("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w", "e6f6", "后兵平四", "P-=4"),
        // Four and five.
        ("3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w", "e8f8", "一兵平四", "Pa=4"),
        ("3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w", "e5f5", "四兵平四", "Pd=4"),
        ("3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/4K4 w", "e6f6", "三兵平四", "Pc=4"),
        ("3k5/9/9/9/9/3p5/3p5/3p5/3p5/4K4 b", "d1c1", "一卒平３", "Pa=3"),
        // Two files of tandem soldiers: numbered from the mover's right.
        ("3k5/2P3P2/2P3P2/9/9/9/9/9/9/4K4 w", "g8f8", "一兵平四", "Pa=4"),
        ("3k5/2P3P2/2P3P2/9/9/9/9/9/9/4K4 w", "g7f7", "二兵平四", "Pb=4"),
        ("3k5/2P3P2/2P3P2/9/9/9/9/9/9/4K4 w", "c8b8", "三兵平八", "Pc=8"),
        ("3k5/2P3P2/2P3P2/9/9/9/9/9/9/4K4 w", "c7b7", "四兵平八", "Pd=8"),
        ("3k5/2P3P2/2P3P2/P8/9/9/9/9/9/4K4 w", "a6b6", "兵九平八", "P9=8"),
        // Advisors and elephants keep their file.
        ("5k3/9/9/9/9/9/9/3A5/9/3AK4 w", "d2e1", "仕六退五", "A6-5"),
        ("3k5/9/9/9/9/2B6/9/9/9/2B1KA3 w", "c0a2", "相七进九", "E7+9"),
    ];

    #[test]
    fn moves_are_written_and_read() {
        for &(fen, mv, chinese, wxf) in CASES {
            let board = Board::parse(fen).unwrap_or_else(|e| panic!("{fen}: {e:?}"));
            let read_mv = read(&board, mv).unwrap_or_else(|e| panic!("{fen} {mv}: {e}"));
            assert_eq!(write(&board, read_mv, Notation::Chinese), chinese, "{fen} {mv}");
            assert_eq!(write(&board, read_mv, Notation::Wxf), wxf, "{fen} {mv}");
            for text in [chinese, wxf] {
                assert_eq!(read(&board, text), Ok(read_mv), "{fen} {text}");
            }
            let iccs = write(&board, read_mv, Notation::Iccs);
            assert_eq!(read(&board, &iccs), Ok(read_mv), "{iccs}");
        }
    }

    #[test]
    fn soldiers_behind_each_other_are_read_as_the_federation_writes_them() {
        let three = "3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w";
        let four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w";
        let five = "2P2k3/2P6/2P6/2P6/2P6/9/9/9/9/4K4 w";
        let files = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w";
        let two = "3k5/9/2P3P2/2P3P2/9/9/9/9/9/4K4 w";
        let black = "4k4/9/9/9/9/6p2/2p3p2/2p3p2/9/3K5 b";
        let cases = [
            (three, "P+.4", "g7f7"),
            (three, "P3.4", "g6f6"),
            (three, "p3=4", "g6f6"),
            (three, "P-.4", "g5f5"),
            (four, "++.4", "e8f8"),
            (four, "P+.4", "e7f7"),
            (four, "P-.4", "e6f6"),
            (four, "--.4", "e5f5"),
            (four, "二兵平四", "e7f7"),
            (five, "++.6", "c9d9"),
            (five, "P+=6", "c8d8"),
            (five, "P7.6", "c7d7"),
            (five, "中兵平六", "c7d7"),
            (five, "P-.6", "c6d6"),
            (five, "--.6", "c5d5"),
            (files, "3+.4", "g7f7"),
            (files, "33.4", "g6f6"),
            (files, "3-.4", "g5f5"),
            (files, "7+.6", "c7d7"),
            (files, "7-.6", "c6d6"),
            (files, "３－．４", "g5f5"),
            (files, "前三平四", "g7f7"),
            (files, "中三平四", "g6f6"),
            (files, "后七平六", "c6d6"),
            (files, "中兵平四", "g6f6"),
            (files, "五兵平六", "c6d6"),
            (two, "13=4", "g7f7"),
            (two, "23=4", "g6f6"),
            (two, "17=6", "c7d7"),
            (black, "3+.4", "c2d2"),
            (black, "7-=8", "g4h4"),
            (black, "77.6", "g3f3"),
        ];
        for (fen, text, expected) in cases {
            let board = Board::parse(fen).unwrap();
            assert_eq!(read(&board, text).map(|mv| mv.to_string()).as_deref(), Ok(expected), "{text} in {fen}");
        }
        // No middle one: the front one is the first of the two.
        let board = Board::parse(two).unwrap();
        let readings: Vec<String> = readings(&board, "33.4").iter().map(ToString::to_string).collect();
        assert_eq!(readings, ["g7f7", "g6f6"]);
        assert!(read(&board, "33.4").unwrap_err().to_string().contains("may be"));
        for (fen, text) in
            [(two, "P+.5"), (three, "++.4"), (two, "5+.4"), (two, "39=4"), (two, "3"), (two, "33"), (two, "前前平四")]
        {
            assert!(read(&Board::parse(fen).unwrap(), text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_move_of_many_soldiers_is_read_back() {
        let mut random = fastrand::Rng::with_seed(58);
        let mut positions = 0;
        while positions < 3000 {
            let mut rows = [['.'; 9]; 10];
            rows[9 - random.usize(..3)][3 + random.usize(..3)] = 'K';
            rows[random.usize(..3)][3 + random.usize(..3)] = 'k';
            let red = random.bool();
            // Two or three files, so that many stand behind each other.
            let files: Vec<usize> = (0..3).map(|_| random.usize(..9)).collect();
            for (letter, count) in [('P', 5), ('R', 2), ('N', 2), ('C', 2)] {
                for _ in 0..count {
                    // Across the river, where soldiers may stand anywhere.
                    let (row, file) = (random.usize(..5) + if red { 0 } else { 5 }, files[random.usize(..3)]);
                    if rows[row][file] == '.' {
                        rows[row][file] = if red { letter } else { letter.to_ascii_lowercase() };
                    }
                }
            }
            let rows: Vec<String> =
                rows.iter().map(|row| row.iter().map(|c| if *c == '.' { '1' } else { *c }).collect()).collect();
            let Ok(board) = Board::parse(&format!("{} {}", rows.join("/"), if red { 'w' } else { 'b' })) else { continue };
            positions += 1;
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            for mv in legal {
                for notation in [Notation::Chinese, Notation::Traditional, Notation::Wxf, Notation::Vietnamese] {
                    let text = write(&board, mv, notation);
                    if notation == Notation::Vietnamese {
                        assert!(readings(&board, &text).contains(&mv), "{text} in {}", board.text());
                        continue;
                    }
                    assert_eq!(read(&board, &text), Ok(mv), "{text} in {}", board.text());
                    assert_eq!(readings(&board, &text), [mv], "{text} in {}", board.text());
                }
            }
        }
    }

    #[test]
    fn vietnamese_moves_are_written_and_read() {
        let start = Board::default();
        let after = |moves: &[&str]| {
            let mut board = Board::default();
            for text in moves {
                board.apply(read(&board, text).unwrap());
            }
            board
        };
        let chariots = Board::parse("3k5/9/9/R8/9/9/9/R8/9/4K4 w").unwrap();
        let soldiers = Board::parse("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w").unwrap();
        for (board, mv, text) in [
            (&start, "h2e2", "P2-5"),
            (&after(&["h2e2"]), "h9g7", "M8.7"),
            (&start, "g0e2", "T3.5"),
            (&start, "f0e1", "S4.5"),
            (&start, "c3c4", "B7.1"),
            (&start, "b2b1", "P8/1"),
            (&start, "e0e1", "Tg5.1"),
            (&chariots, "a6b6", "Xt-8"),
            (&chariots, "a2a1", "Xs/1"),
            (&soldiers, "e7f7", "Bg-4"),
        ] {
            assert_eq!(write(board, read(board, mv).unwrap(), Notation::Vietnamese), text);
            for text in [text.to_owned(), text.to_lowercase(), format!(" {text} ")] {
                assert_eq!(read(board, &text).map(|mv| mv.to_string()), Ok(mv.to_owned()), "{text}");
            }
        }
        // In WXF the soldier that has crossed the river, in Vietnamese the cannon.
        let both = Board::parse("3k5/9/9/4P4/9/9/9/9/4C4/5K3 w").unwrap();
        assert_eq!(read(&both, "P5.4").map(|mv| mv.to_string()), Ok("e6f6".to_owned()));
        for wrong in ["P2/5", "X0-1", "Tg", "Tg5", "Mg.3", "P2_5"] {
            assert!(read(&start, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn other_spellings_are_read() {
        let start = Board::default();
        for text in [
            "炮二平五",
            "砲二平五",
            "炮２平５",
            "炮2平5",
            "c2=5",
            "C2.5",
            "h2e2",
            "H2E2",
            "h2-e2",
            " 炮二平五 ",
            "Ｃ２＝５",
            "ｃ２．５",
        ] {
            assert_eq!(read(&start, text).map(|mv| mv.to_string()), Ok("h2e2".to_owned()), "{text}");
        }
        let doubled = Board::parse("3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w").unwrap();
        assert_eq!(read(&doubled, "前兵平四"), read(&doubled, "一兵平四"));
        assert_eq!(read(&doubled, "後兵平四"), read(&doubled, "四兵平四"));
        let chariots = Board::parse("3k5/9/9/R8/9/9/9/R8/9/4K4 w").unwrap();
        assert_eq!(read(&chariots, "+R=8"), read(&chariots, "前車平八"));
        assert!(read(&chariots, "车九平八").unwrap_err().to_string().contains("may be"));
        for wrong in
            ["", "炮", "炮二平", "炮十平五", "h2", "h2e", "j2e2", "h2h2", "e3e5", "马二进五", "Z2=5", "😀😀😀😀", "a0a0-"]
        {
            assert!(read(&start, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn games_are_read_and_written_back() {
        let mut moves = 0;
        for line in include_str!("../../../../tests/data/xiangqi/games.jsonl").lines() {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            let list = |key: &str| -> Vec<String> { serde_json::from_value(game[key].clone()).unwrap() };
            let mut board = Board::parse(game["fen"].as_str().unwrap()).unwrap();
            let (plain, chinese, wxf) = (list("moves"), list("text"), list("wxf"));
            assert!(plain.len() == chinese.len() && plain.len() == wxf.len());
            for ((plain, chinese), wxf) in plain.iter().zip(&chinese).zip(&wxf) {
                let mv = read(&board, plain).unwrap();
                let traditional = write(&board, mv, Notation::Traditional);
                for text in [chinese, wxf, &traditional] {
                    assert_eq!(read(&board, text), Ok(mv), "{text} in {}", board.text());
                }
                assert_eq!(&write(&board, mv, Notation::Chinese), chinese);
                assert_eq!(&write(&board, mv, Notation::Wxf), wxf);
                assert_eq!(&write(&board, mv, Notation::Uci), plain);
                board.apply(mv);
                moves += 1;
            }
        }
        assert!(moves > 300, "{moves}");
    }
}
