//! The names of openings: which of the openings of the table `assets/openings/names.ron` a game has reached.

use super::find;
use crate::message::Message;
use crate::rules::{Point, Side};
use crate::table::{Action, Image, Piece, Setup, Table, Text};
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// The table that is shipped with the program.
const TEXT: &str = include_str!("../../assets/openings/names.ron");
/// Openings are looked for in so many plies.
const PLIES: usize = 32;
/// A formation is on the board at the latest so many plies after twice the number of its moves.
const LATER: usize = 4;
/// The stones that are put before the first choice of swap2.
const SWAP2_STONES: usize = 3;

/// An opening that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningName {
    /// Its number in the literature of the game; empty if it has none.
    pub code: String,
    /// Its name.
    pub name: Text,
    /// The moves of the side that begins, in the game's own notation.
    first: String,
    /// The moves of the other side.
    #[serde(default)]
    second: String,
    /// The game began with the first of these moves.
    #[serde(default)]
    begins: bool,
}

/// What the board shows after the moves of an opening.
struct Formation {
    opening: OpeningName,
    /// The number of its moves: the more, the more it says.
    moves: usize,
    /// The pieces that were moved or put, with their points.
    stands: Vec<(Point, Piece)>,
    /// Where these pieces came from: they are not there.
    left: Vec<(Point, Piece)>,
    /// The first move of the game, where it counts.
    begins: Option<Action>,
}

/// The openings of a game.
struct Openings {
    /// The pieces at the start.
    start: HashMap<Point, Piece>,
    /// The images of the board under which the start is the same.
    images: Vec<Image>,
    size: (u8, u8),
    formations: Vec<Formation>,
}

type Pieces = HashMap<Point, Piece>;

/// The pieces and the first move of each position of a game, the start first.
fn positions(table: &dyn Table) -> (Vec<Pieces>, Option<Action>) {
    let mut table = table.boxed_clone();
    let moves = table.played();
    while table.ply() > PLIES && table.undo().is_some() {}
    let mut all = Vec::new();
    loop {
        all.push(table.pieces().into_iter().collect());
        if table.undo().is_none() {
            break;
        }
    }
    all.reverse();
    (all, moves.first().copied())
}

/// The moves of an opening on the board: a side that has no more moves passes.
fn formation(start: &dyn Table, opening: OpeningName) -> Result<Formation, Message> {
    let mut table = start.boxed_clone();
    let mut moved: Vec<Action> = Vec::new();
    let (first, second): (Vec<_>, Vec<_>) =
        (opening.first.split_whitespace().collect(), opening.second.split_whitespace().collect());
    let longest = first.len().max(second.len());
    let by_turns = (0..longest).flat_map(|at| [(Side::First, first.get(at)), (Side::Second, second.get(at))]);
    let turns = by_turns.filter_map(|(side, text)| Some((side, *text?)));
    for (side, text) in turns {
        if table.turn() != side
            && let Some(passed) = table.passed()
        {
            table = passed;
        }
        let action = table.read(text).map_err(Message::from)?;
        table.play(action).map_err(Message::from)?;
        moved.push(action);
    }
    let begins = moved.first().copied().filter(|_| opening.begins);
    // A piece that moved twice came from its first point.
    let mut came: HashMap<Point, Point> = HashMap::new();
    for action in &moved {
        if let Action::Step { from, to } = *action {
            let origin = came.remove(&from).unwrap_or(from);
            came.insert(to, origin);
        }
    }
    let pieces: Pieces = table.pieces().into_iter().collect();
    let put = moved.iter().filter_map(|action| if let Action::Drop(at) = action { Some(*at) } else { None });
    let stands: Vec<(Point, Piece)> = came.keys().copied().chain(put).filter_map(|at| Some((at, *pieces.get(&at)?))).collect();
    let left = came.iter().filter_map(|(to, from)| Some((*from, *pieces.get(to)?))).collect();
    Ok(Formation { opening, moves: moved.len(), stands, left, begins })
}

impl Openings {
    /// The openings of a game's first variant.
    ///
    /// # Errors
    /// A move in the table is illegal.
    fn of(game: &str, names: Vec<OpeningName>) -> Result<Openings, Message> {
        let table = find(game).map_err(Message::from)?.table(&Setup::default()).map_err(Message::from)?;
        let start: Pieces = table.pieces().into_iter().collect();
        let same = |seen: &dyn Table| seen.pieces().into_iter().collect::<Pieces>() == start;
        let images = table.images().into_iter().filter(|(_, seen)| same(&**seen)).map(|(image, _)| image).collect();
        let formations = names.into_iter().map(|name| formation(&*table, name)).collect::<Result<_, _>>()?;
        Ok(Openings { images, size: table.size(), formations, start })
    }

    /// True if the opening is on the board, seen in one of its images.
    fn shows(&self, formation: &Formation, pieces: &Pieces, began: Option<Action>) -> bool {
        let stones = formation.left.is_empty();
        (!stones || pieces.len() == formation.stands.len())
            && self.images.iter().any(|image| {
                let on = |(at, piece): &(Point, Piece)| pieces.get(&image.of(*at, self.size)) == Some(piece);
                let starts = |first: Action| began == Some(image.of_action(first, self.size));
                formation.begins.is_none_or(starts) && formation.stands.iter().all(on) && !formation.left.iter().any(on)
            })
    }

    /// The opening that says most about a game, and the ply at which it is on the board first.
    fn find(&self, table: &dyn Table) -> Option<(&OpeningName, usize)> {
        let (positions, began) = positions(table);
        if table.size() != self.size || positions.first() != Some(&self.start) {
            return None;
        }
        let found = self.formations.iter().enumerate().filter_map(|(index, formation)| {
            let ply = positions.iter().position(|pieces| self.shows(formation, pieces, began))?;
            // What comes together long after is another opening.
            (ply <= 2 * formation.moves + LATER).then_some((formation, ply, index))
        });
        let (formation, ply, _) = found.max_by_key(|(formation, ply, index)| (formation.moves, Reverse(*ply), *index))?;
        Some((&formation.opening, ply))
    }
}

/// The openings of the table, by game.
fn all() -> &'static BTreeMap<String, Openings> {
    static ALL: OnceLock<BTreeMap<String, Openings>> = OnceLock::new();
    ALL.get_or_init(|| {
        let names: BTreeMap<String, Vec<OpeningName>> = ron::from_str(TEXT).unwrap_or_default();
        names.into_iter().filter_map(|(game, names)| Some((game.clone(), Openings::of(&game, names).ok()?))).collect()
    })
}

/// The name of the opening of a game that began at the usual start, and the number of plies after which it was reached; `None` if it has none. A start
/// by the rule swap2 has that name, if its stones have no other.
pub fn opening_name(table: &dyn Table) -> Option<(&'static OpeningName, usize)> {
    static SWAP2: OnceLock<OpeningName> = OnceLock::new();
    let found = all().get(table.game()).and_then(|openings| openings.find(table));
    let by_rule = || {
        table.opening()?;
        let name = || Text { zh: "Swap2 开局".to_owned(), en: "Swap2 start".to_owned() };
        let opening =
            || OpeningName { code: String::new(), name: name(), first: String::new(), second: String::new(), begins: false };
        (table.pieces().len() >= SWAP2_STONES).then(|| (SWAP2.get_or_init(opening), SWAP2_STONES))
    };
    found.or_else(by_rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::symmetry::turned;

    fn played(game: &str, variant: Option<&str>, moves: &str) -> Box<dyn Table> {
        let setup = Setup { variant: variant.map(str::to_owned), position: None };
        let mut table = find(game).unwrap().table(&setup).unwrap();
        for text in moves.split_whitespace() {
            let action = table.read(text).unwrap_or_else(|why| panic!("{moves}, {text}: {why}"));
            table.play(action).unwrap();
        }
        table
    }

    fn code(table: &dyn Table) -> Option<(&'static str, usize)> {
        opening_name(table).map(|(opening, ply)| (&opening.code[..], ply))
    }

    #[test]
    fn every_line_of_the_table_is_legal() {
        let names: BTreeMap<String, Vec<OpeningName>> = ron::from_str(TEXT).unwrap();
        for (game, names) in names {
            let count = names.len();
            let openings = Openings::of(&game, names).unwrap();
            assert_eq!((openings.formations.len(), openings.images.len()), (count, if game == "gomoku" { 8 } else { 2 }));
            for formation in &openings.formations {
                assert!(!formation.stands.is_empty(), "{:?}", formation.opening);
                let Text { zh, en } = &formation.opening.name;
                assert!(zh.chars().count() > 1 && en.is_ascii() && en.len() > 4, "{zh} {en}");
            }
        }
    }

    /// The 26 openings of renju by the numbers of the Renju International Federation, in all images of the board.
    #[test]
    fn the_openings_of_renju_are_known_in_their_eight_images() {
        let direct = "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6";
        let indirect = "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6";
        let point = |text: &str| (usize::from(text.as_bytes()[0] - b'a'), text[1..].parse::<usize>().unwrap() - 1);
        let mut lines = 0;
        for (kind, second, thirds) in [('D', "h9", direct), ('I', "i9", indirect)] {
            for (number, third) in (1..).zip(thirds.split_whitespace()) {
                for symmetry in 0..8 {
                    let stones = ["h8", second, third].map(|text| {
                        let (x, y) = turned(point(text), symmetry, 15);
                        format!("{}{}", char::from(b'a' + x as u8), y + 1)
                    });
                    for variant in ["renju", "freestyle"] {
                        let table = played("gomoku", Some(variant), &format!("{} a1", stones.join(" ")));
                        assert_eq!(code(&*table), Some((&format!("{kind}{number}")[..], 3)), "{stones:?}");
                    }
                    lines += 1;
                }
            }
        }
        assert_eq!(lines, 208);
        assert_eq!(code(&*played("gomoku", None, "h8 h9")), None);
        assert_eq!(code(&*played("gomoku", None, "a1 h8 b2")), None);
        assert_eq!(code(&*played("gomoku", Some("freestyle+swap2"), "a1 b5 c9")), Some(("", 3)));
        assert_eq!(code(&*played("gomoku", Some("freestyle+swap2"), "h8 h9 i9")), Some(("D4", 3)));
    }

    /// Well-known lines in the notation of their players, also in other orders and mirrored.
    #[test]
    fn the_openings_of_xiangqi_are_known() {
        let cases = [
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3", "C00"),
            ("炮八平五 马2进3 马八进七 车1平2 车九平八 马8进7", "C00"),
            ("炮二平五 马2进3 马二进三 马8进7", "C00"),
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 车二进六 马2进3 兵七进一 炮8平9 车二平三 炮9退1", "C41"),
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3 兵七进一 卒7进1 车二进六 炮8平9", "C40"),
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 车二进六 马2进3 马八进七 卒3进1", "C20"),
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 车二进六 马2进3 兵七进一 马7进6", "C35"),
            ("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 炮八平六", "C50"),
            ("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 炮八平七", "C60"),
            ("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵三进一 卒3进1 炮八平七", "C70"),
            ("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 炮八进二", "C80"),
            ("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 炮八进四", "C90"),
            ("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 车二进四", "C15"),
            ("炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7", "B30"),
            ("炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7 炮八平六", "B40"),
            ("炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7 炮八平七", "B50"),
            ("炮二平五 马8进7 马二进三 马2进1", "B10"),
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4", "B07"),
            ("炮二平五 马8进7 马二进三 炮8平9 车一平二 车9平8", "B20"),
            ("炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4 兵三进一 炮2平5", "D30"),
            ("炮二平五 炮8平5", "D00"),
            ("炮八平五 炮2平5", "D00"),
            ("炮二平五 炮8平5 马二进三 马8进7 车一平二", "D10"),
            ("炮二平五 炮8平5 马二进三 马8进7 车一平二 车9进1", "D20"),
            ("炮二平五 炮2平5", "D50"),
            ("炮二平五", "B00"),
            ("兵七进一", "E00"),
            ("兵三进一", "E00"),
            ("兵七进一 炮2平3", "E10"),
            ("兵三进一 炮8平7", "E10"),
            ("兵七进一 炮2平3 炮八平五 象7进5", "E20"),
            ("兵七进一 炮2平3 炮八平五 象3进5", "E14"),
            ("兵七进一 炮2平3 相三进五", "E11"),
            ("兵七进一 卒7进1", "E40"),
            ("兵七进一 卒7进1 马二进三", "E41"),
            ("兵七进一 卒7进1 炮二平三", "E46"),
            ("兵七进一 卒7进1 炮二平三 炮2平5", "E47"),
            ("兵七进一 象3进5", "E01"),
            ("相三进五", "A10"),
            ("相七进五 炮2平5", "A27"),
            ("相三进五 炮8平6", "A20"),
            ("相三进五 卒7进1", "A36"),
            ("马二进三 卒7进1 兵七进一", "A45"),
            ("马八进七", "A40"),
            ("炮二平四", "A50"),
            ("炮二平六", "A60"),
            ("炮二平六 炮8平5", "A63"),
            ("仕四进五", "A0"),
        ];
        for (moves, wanted) in cases {
            let table = played("xiangqi", None, moves);
            let found = code(&*table);
            assert_eq!(found.map(|(code, _)| code), Some(wanted), "{moves}: {:?}", opening_name(&*table));
        }
        let mut late = played("xiangqi", None, "炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3");
        assert_eq!(code(&*late), Some(("C00", 6)));
        late.play(late.read("兵九进一").unwrap()).unwrap();
        assert_eq!(code(&*late), Some(("C00", 6)));
        // The same pieces stand so much later: that is no opening of that name.
        let cannons = played("xiangqi", None, "i3i4 g6g5 a3a4 c6c5 i0i2 i9i8 a0a2 a9a8 i2i1 i8i9 h2e2 h7e7");
        assert_eq!(code(&*cannons), Some(("A0", 1)));
        assert_eq!(code(&*played("xiangqi", None, "")), None);
        assert_eq!(code(&*played("tic-tac-toe", None, "b2")), None);
    }
}
