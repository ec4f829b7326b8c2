//! Boards of our painter in the theme that the network never learnt from, pictures by another hand, and pictures of nothing.

use super::{Recognised, decode, recognise};
use crate::games;
use crate::paint::{BoardLook, Labels, Mark, Picture, PieceSet, PositionPainter, Theme};
use crate::rules::{Point, Side};
use crate::table::{Piece, Setup, Table};

/// The theme that is left out of the training.
const HELD_OUT: &str = "walnut";

fn theme() -> Theme {
    let (key, text) = Theme::builtin().iter().find(|(key, _)| *key == HELD_OUT).unwrap();
    Theme::parse(key, text).unwrap()
}

fn painted(table: &dyn Table, set: PieceSet, flipped: bool, marks: &[(Mark, Point)]) -> Picture {
    let sheet = games::find(table.game()).unwrap().sheet().unwrap();
    let look = BoardLook { flipped, labels: Labels::Letters };
    let painter = PositionPainter::new(&sheet, sheet.board(table.size()).unwrap(), &theme(), set, &look, 560);
    painter.picture(&table.pieces(), marks)
}

fn read(picture: &Picture, game: &str) -> Recognised {
    let entry = games::find(game).unwrap();
    recognise(picture, entry, &entry.sheet().unwrap(), None).unwrap_or_else(|why| panic!("{game}: {why}"))
}

/// How many points are read as they are, and how many there are.
fn right(seen: &Recognised, pieces: &[(Point, Piece)]) -> (usize, usize) {
    let truth = |at: Point| pieces.iter().find(|(point, _)| *point == at).map(|(_, piece)| *piece);
    (seen.points.iter().filter(|one| truth(one.at) == one.piece).count(), seen.points.len())
}

fn table_of(game: &str, variant: Option<&str>, position: Option<&str>) -> Box<dyn Table> {
    let setup = Setup { variant: variant.map(str::to_owned), position: position.map(str::to_owned) };
    games::find(game).unwrap().table(&setup).unwrap()
}

#[test]
fn boards_in_a_look_that_was_never_learnt_are_read() {
    let middle = "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C4N1C/9/RNBAKAB1R w";
    let few = "4k4/4a4/3a5/9/2n6/5R3/9/4B4/4A4/3AK1B2 w";
    let (mut good, mut all) = (0, 0);
    for position in [None, Some(middle), Some(few)] {
        for (set, flipped) in [(PieceSet::Characters, false), (PieceSet::Western, false), (PieceSet::Characters, true)] {
            let table = table_of("xiangqi", None, position);
            let marks = [(Mark::LastMove, Point::new(4, 4)), (Mark::LastMove, Point::new(6, 5))];
            let seen = read(&painted(&*table, set, flipped, &marks), "xiangqi");
            assert_eq!(seen.flipped, flipped);
            let (right, points) = right(&seen, &table.pieces());
            (good, all) = (good + right, all + points);
        }
    }
    assert!(good * 100 >= all * 97, "{good} of {all} points");
}

#[test]
fn stones_and_marks_are_read_on_boards_of_their_size() {
    let boards = [
        ("gomoku", Some("freestyle:15"), "h8i9g9h10i8j8h9h7g8f8i7"),
        ("gomoku", Some("freestyle:19"), "j10k11k10l10j11j9"),
        ("two-eat-one", None, "ooo..oo......x..xx.xx.... o"),
        ("tic-tac-toe", None, "x.o.xo... x"),
    ];
    for (game, variant, position) in boards {
        let table = table_of(game, variant, Some(position));
        let seen = read(&painted(&*table, PieceSet::Characters, false, &[]), game);
        assert_eq!(seen.points.len(), usize::from(table.size().0) * usize::from(table.size().1), "{game} {variant:?}");
        let (right, points) = right(&seen, &table.pieces());
        assert!(right * 100 >= points * 97, "{game}: {right} of {points}");
        assert_eq!(seen.draft.turn, table.turn(), "{game}");
    }
}

#[test]
fn pictures_of_nothing_have_no_board() {
    let (width, height) = (420u32, 360u32);
    let mut random = fastrand::Rng::with_seed(5);
    let mut paint = |shade: &mut dyn FnMut(u32, u32, &mut fastrand::Rng) -> u8| {
        let rgba = (0..width * height).flat_map(|at| {
            let value = shade(at % width, at / width, &mut random);
            [value, value, value, 255]
        });
        Picture { width, height, rgba: rgba.collect() }
    };
    let noise = paint(&mut |_, _, random| random.u8(..));
    let plain = paint(&mut |_, _, _| 180);
    let slope = paint(&mut |x, y, _| ((x + y) / 4) as u8);
    let table = paint(&mut |x, y, _| if x % 70 == 0 || y % 20 == 0 { 40 } else { 240 });
    let chess = paint(&mut |x, y, _| if (x / 40 + y / 40) % 2 == 0 { 230 } else { 120 });
    for (name, picture) in [("noise", noise), ("plain", plain), ("slope", slope), ("table", table), ("chess", chess)] {
        for game in ["xiangqi", "gomoku"] {
            let entry = games::find(game).unwrap();
            let seen = recognise(&picture, entry, &entry.sheet().unwrap(), None);
            assert!(seen.is_err(), "a board of {game} in {name}");
        }
    }
}

/// Pictures that another program drew, with other fonts: a book's diagram and a screen with text beside the board.
#[test]
fn pictures_by_another_hand_are_read() {
    let book = (&include_bytes!("../../tests/pictures/book.jpg")[..], include_str!("../../tests/pictures/book.txt"));
    let screen = (&include_bytes!("../../tests/pictures/screen.png")[..], include_str!("../../tests/pictures/screen.txt"));
    for (file, position) in [book, screen] {
        let seen = read(&decode(file).unwrap(), "xiangqi");
        let placement = (games::find("xiangqi").unwrap().capabilities)(&seen.variant).placement.unwrap();
        let pieces: Vec<_> = placement.read(&seen.variant, position.trim()).unwrap().pieces.into_iter().collect();
        let (right, points) = right(&seen, &pieces);
        assert!(right * 100 >= points * 97, "{right} of {points}: {position}");
    }
}

#[test]
fn the_side_to_move_follows_where_only_one_is_possible() {
    // Black's general stands in check, so it is Black's move.
    let table = table_of("xiangqi", None, Some("4k4/9/9/9/4R4/9/9/9/9/3K5 b"));
    assert_eq!(read(&painted(&*table, PieceSet::Characters, false, &[]), "xiangqi").draft.turn, Side::Second);
}
