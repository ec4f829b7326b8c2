//! Printed positions and sheets: the files are read back here and compared with the pictures.

use super::*;
use crate::games;
use crate::rules::Point;
use crate::table::{Action, Notation, Setup, Shape, Table};
use flate2::read::ZlibDecoder;
use quick_xml::events::Event;
use std::io::Read;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Stroke, Transform};

/// Draws the paths of a file one after the other.
struct Canvas {
    map: Pixmap,
    to: Transform,
    path: PathBuilder,
}

impl Canvas {
    fn new(width: u32, height: u32, to: Transform) -> Canvas {
        let mut map = Pixmap::new(width, height).unwrap();
        map.fill(Color::WHITE);
        Canvas { map, to, path: PathBuilder::new() }
    }

    /// Ends the path and draws it with this level of grey.
    fn draw(&mut self, gray: f32, pen: Option<f32>) {
        let path = std::mem::take(&mut self.path).finish().expect("a path with points");
        let mut paint = Paint::default();
        paint.set_color(Color::from_rgba(gray, gray, gray, 1.0).unwrap());
        match pen {
            None => self.map.fill_path(&path, &paint, FillRule::Winding, self.to, None),
            Some(width) => {
                let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
                self.map.stroke_path(&path, &paint, &stroke, self.to, None);
            }
        }
    }

    /// The mean difference from a picture, in 255ths.
    fn away(&self, picture: &Picture) -> f32 {
        assert_eq!((self.map.width(), self.map.height()), (picture.width, picture.height));
        let differences = self.map.data().iter().zip(&picture.rgba).map(|(a, b)| f32::from(a.abs_diff(*b)));
        differences.sum::<f32>() / picture.rgba.len() as f32
    }
}

/// An SVG file as a picture.
fn picture_of_svg(svg: &str, like: &Picture) -> Canvas {
    let mut reader = quick_xml::Reader::from_str(svg);
    let mut canvas = None;
    loop {
        let element = match reader.read_event().expect("well-formed XML") {
            Event::Eof => return canvas.expect("an svg element"),
            Event::Start(element) | Event::Empty(element) => element,
            _ => continue,
        };
        let value = |key: &str| {
            let attribute = element.try_get_attribute(key).unwrap()?;
            Some(String::from_utf8(attribute.value.to_vec()).unwrap())
        };
        if element.name().as_ref() == b"svg" {
            let side = |key: &str| value(key).unwrap().parse::<f32>().unwrap();
            let scale = like.width.max(like.height) as f32 / side("width").max(side("height"));
            canvas = Some(Canvas::new(like.width, like.height, Transform::from_scale(scale, scale)));
            continue;
        }
        let canvas = canvas.as_mut().unwrap();
        let data = value("d").unwrap();
        for part in data.split_inclusive(|c: char| c.is_ascii_alphabetic()).collect::<Vec<_>>().windows(2) {
            let letter = part[0].chars().last().unwrap();
            let numbers: Vec<f32> = part[1]
                .trim_end_matches(|c: char| c.is_ascii_alphabetic())
                .split_whitespace()
                .map(|number| number.parse().unwrap())
                .collect();
            step(canvas, letter, &numbers);
        }
        if data.ends_with('Z') {
            canvas.path.close();
        }
        let gray = |ink: String| if ink == "#000" { 0.0 } else { 1.0 };
        match value("stroke") {
            Some(ink) => canvas.draw(gray(ink), value("stroke-width").map(|pen| pen.parse().unwrap())),
            None => canvas.draw(gray(value("fill").unwrap()), None),
        }
    }
}

fn step(canvas: &mut Canvas, letter: char, numbers: &[f32]) {
    let last = canvas.path.last_point().unwrap_or_default();
    match (letter, numbers) {
        ('M', &[x, y]) => canvas.path.move_to(x, y),
        ('L', &[x, y]) => canvas.path.line_to(x, y),
        ('H', &[x]) => canvas.path.line_to(x, last.y),
        ('V', &[y]) => canvas.path.line_to(last.x, y),
        ('Q', &[ax, ay, x, y]) => canvas.path.quad_to(ax, ay, x, y),
        ('C', &[ax, ay, bx, by, x, y]) => canvas.path.cubic_to(ax, ay, bx, by, x, y),
        ('Z', &[]) => canvas.path.close(),
        _ => panic!("{letter} {numbers:?}"),
    }
}

/// The objects of a PDF by their numbers, each found where the table of references says.
fn objects_of_pdf(bytes: &[u8]) -> Vec<&[u8]> {
    assert!(bytes.starts_with(b"%PDF-1.") && bytes.ends_with(b"%%EOF"));
    let find = |what: &[u8], from: usize| bytes[from..].windows(what.len()).position(|part| part == what).unwrap() + from;
    let tail = String::from_utf8_lossy(&bytes[bytes.len() - 40..]);
    let start: usize = tail.split("startxref").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    let table = std::str::from_utf8(&bytes[start..]).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("xref"));
    let count: usize = lines.next().unwrap().split(' ').nth(1).unwrap().trim().parse().unwrap();
    let entries: Vec<&str> = lines.by_ref().take(count).collect();
    assert!(table.contains(&format!("/Size {count}")), "{table}");
    let object = |(number, entry): (usize, &&str)| {
        assert!(entry.trim_end().ends_with('n'), "{entry}");
        let at: usize = entry[..10].parse().unwrap();
        let head = format!("{number} 0 obj");
        assert!(bytes[at..].starts_with(head.as_bytes()), "object {number} is not at {at}");
        &bytes[at + head.len()..find(b"endobj", at)]
    };
    (1..).zip(&entries[1..]).map(object).collect()
}

/// What a packed stream holds.
fn operations_of(object: &[u8]) -> String {
    let begin = object.windows(7).position(|part| part == b"stream\n").unwrap() + 7;
    let mut operations = String::new();
    ZlibDecoder::new(&object[begin..]).read_to_string(&mut operations).unwrap();
    operations
}

/// The pages of a PDF as pictures.
fn pictures_of_pdf(bytes: &[u8], like: &[Picture]) -> Vec<Canvas> {
    let objects = objects_of_pdf(bytes);
    let text = |object: &[u8]| String::from_utf8_lossy(object).into_owned();
    let reference = |object: &str, key: &str| -> usize {
        object.split(&format!("/{key} ")).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    let pages: Vec<String> =
        objects.iter().map(|object| text(object)).filter(|object| object.contains("/Type /Page\n")).collect();
    assert_eq!(pages.len(), like.len());
    let draw = |(page, like): (&String, &Picture)| {
        let content = objects[reference(page, "Contents") - 1];
        let media = page.split("/MediaBox [").nth(1).unwrap().split(']').next().unwrap();
        let media: Vec<f32> = media.split_whitespace().map(|number| number.parse().unwrap()).collect();
        // A page's `y` goes up.
        let scale = like.width.max(like.height) as f32 / media[2].max(media[3]);
        let mut canvas =
            Canvas::new(like.width, like.height, Transform::from_row(scale, 0.0, 0.0, -scale, 0.0, media[3] * scale));
        let (mut stack, mut fill, mut pen, mut width): (Vec<f32>, _, _, _) = (Vec::new(), 0.0, 0.0, 1.0);
        let mut saved = Vec::new();
        // A kept path is drawn in its place.
        let name = |word: &str| word.strip_prefix('/').map(|name| operations_of(objects[reference(page, name) - 1]));
        let operations: Vec<String> = operations_of(content)
            .split_whitespace()
            .flat_map(|word| {
                name(word).unwrap_or_else(|| word.to_owned()).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        for word in &operations {
            if let Ok(number) = word.parse() {
                stack.push(number);
                continue;
            }
            match (word.as_str(), stack.as_slice()) {
                ("q", &[]) => saved.push((canvas.to, fill, pen, width)),
                ("Q", &[]) => (canvas.to, fill, pen, width) = saved.pop().unwrap(),
                ("Do", &[]) => {}
                ("cm", &[a, b, c, d, e, f]) => canvas.to = canvas.to.pre_concat(Transform::from_row(a, b, c, d, e, f)),
                ("J" | "j", &[1.0]) => {}
                ("g", &[gray]) => fill = gray,
                ("G", &[gray]) => pen = gray,
                ("w", &[thickness]) => width = thickness,
                ("m", numbers) => step(&mut canvas, 'M', numbers),
                ("l", numbers) => step(&mut canvas, 'L', numbers),
                ("c", numbers) => step(&mut canvas, 'C', numbers),
                ("h", numbers) => step(&mut canvas, 'Z', numbers),
                ("f", &[]) => canvas.draw(fill, None),
                ("S", &[]) => canvas.draw(pen, Some(width)),
                (word, stack) => panic!("{stack:?} {word}"),
            }
            stack.clear();
        }
        canvas
    };
    pages.iter().zip(like).map(draw).collect()
}

/// A printed position of each game: in its start position with two moves played.
fn printed() -> Vec<(&'static str, Drawing)> {
    let mut all = Vec::new();
    for entry in games::REGISTRY {
        let sheet = entry.sheet().unwrap();
        let mut table = entry.table(&Setup::default()).unwrap();
        for _ in 0..2 {
            let action = table.actions().into_iter().find(|action| !matches!(action, Action::Choose(_))).unwrap();
            table.play(action).unwrap();
        }
        let on = sheet.board(table.size()).unwrap();
        let marks = Mark::of_move(sheet.shape, *table.played().last().unwrap());
        for (set, flipped) in [(PieceSet::Characters, false), (PieceSet::Western, true)] {
            let painter = PrintPainter::new(&sheet, on, set, &BoardLook { flipped, labels: Labels::Numerals });
            let pieces = table.pieces();
            all.push((entry.key, painter.drawing(&pieces, &marks, &[])));
            all.push((entry.key, painter.drawing(&pieces, &marks, &[(pieces[0].0, 107)])));
        }
    }
    all
}

#[test]
fn an_svg_and_a_pdf_show_the_picture_of_their_drawing() {
    for (game, drawing) in printed() {
        let picture = drawing.picture(400);
        assert!(picture.width.max(picture.height) == 400 && picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255));
        let svg = picture_of_svg(&drawing.svg(), &picture).away(&picture);
        let pdf = pictures_of_pdf(&pdf(game, std::slice::from_ref(&drawing)), std::slice::from_ref(&picture))[0].away(&picture);
        // Numbers have two digits after the point.
        assert!(svg < 0.1 && pdf < 0.1, "{game}: {svg} and {pdf}");
        let empty = Canvas::new(picture.width, picture.height, Transform::identity()).away(&picture);
        assert!(empty > 10.0, "{game}: {empty}");
    }
}

#[test]
fn printed_pieces_are_told_apart_and_stand_where_they_do_in_the_window() {
    for entry in games::REGISTRY {
        let sheet = entry.sheet().unwrap();
        let on = &sheet.boards[0];
        let painter = PrintPainter::new(&sheet, on, PieceSet::Characters, &BoardLook { flipped: false, labels: Labels::None });
        let at = Point::new(1, 1);
        let size = 100.0 * (f32::from(on.files.max(on.ranks)) + 2.0);
        let print = |pieces: &[_]| painter.drawing(pieces, &[], &[]).picture(size as u32);
        let empty = print(&[]);
        let kinds: Vec<Picture> = sheet.kinds().map(|kind| print(&[(at, kind)])).collect();
        for (index, one) in kinds.iter().enumerate() {
            assert_ne!(*one, empty, "{}", entry.key);
            assert!(!kinds[..index].contains(one), "{}: kind {index} looks like another", entry.key);
            let changed: Vec<(f32, f32)> = (0..one.height)
                .flat_map(|y| (0..one.width).map(move |x| (x, y)))
                .filter(|&(x, y)| one.pixel(x, y) != empty.pixel(x, y))
                .map(|(x, y)| (x as f32 / one.width as f32, y as f32 / one.height as f32))
                .collect();
            // The point in the window, as a part of the body.
            let theme = Theme::parse("kaya", Theme::builtin()[0].1).unwrap();
            let shown = board(on, &theme, 100, &BoardLook { flipped: false, labels: Labels::None });
            let (x, y) = shown.at(at);
            let (x, y) = ((x - shown.body.0) / shown.body.2, (y - shown.body.1) / shown.body.3);
            let reach = 0.55 * shown.cell / shown.body.2.min(shown.body.3);
            assert!(changed.iter().all(|(cx, cy)| (cx - x).abs() < reach && (cy - y).abs() < reach), "{} {index}", entry.key);
        }
    }
}

fn text(notation: Notation) -> SheetText {
    SheetText {
        title: "棋局 Qiju".to_owned(),
        lines: vec!["红方：𠮷野 ∰".to_owned()],
        notation,
        start: "start".to_owned(),
        result: "红胜".to_owned(),
        page: "{}/{}".to_owned(),
    }
}

/// Random games with their score.
fn played(game: &str, plies: usize) -> (Box<dyn Table>, Vec<Action>) {
    let start = games::find(game).unwrap().table(&Setup::default()).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let mut table = start.boxed_clone();
    while table.played().len() < plies && table.outcome().is_none() {
        let actions = table.actions();
        table.play(actions[random.usize(..actions.len())]).unwrap();
    }
    (start, table.played())
}

#[test]
fn the_sheet_of_a_game_is_a_sound_pdf() {
    for (game, notation) in [("xiangqi", Notation::Chinese), ("gomoku", Notation::Uci), ("two-eat-one", Notation::Points)] {
        let (start, actions) = played(game, 150);
        let sheet = games::find(game).unwrap().sheet().unwrap();
        let on = sheet.board(start.size()).unwrap();
        let look = BoardLook { flipped: false, labels: Labels::Numerals };
        let painter = Painter::Printed(PrintPainter::new(&sheet, on, PieceSet::Characters, &look), 400);
        let count = actions.len();
        let mut pictures = GamePictures::new(painter, sheet.shape, start, actions);
        let bytes = pictures.pdf(&[0, 1, count / 2, count, 3], &text(notation)).unwrap();
        let pages = objects_of_pdf(&bytes).iter().filter(|object| object.windows(8).any(|part| part == b"/Parent ")).count();
        assert!((2..=4).contains(&pages), "{game}: {pages} pages");
        assert!(bytes.len() < 300_000, "{game}: {} bytes", bytes.len());
        let shaded = PositionPainter::new(
            &sheet,
            on,
            &Theme::parse("kaya", Theme::builtin()[0].1).unwrap(),
            PieceSet::Characters,
            &look,
            64,
        );
        let (start, _) = played(game, 0);
        let mut shaded = GamePictures::new(Painter::Shaded(shaded), sheet.shape, start, Vec::new());
        assert!(shaded.pdf(&[0], &text(notation)).is_err());
    }
}

#[test]
fn moves_are_numbered_as_players_do() {
    let score = |game: &str, position: Option<&str>, moves: &str, notation: Notation| {
        let setup = Setup { variant: None, position: position.map(str::to_owned) };
        let start = games::find(game).unwrap().table(&setup).unwrap();
        let mut table = start.boxed_clone();
        for word in moves.split(' ') {
            let action = table.read(word).unwrap();
            table.play(action).unwrap();
        }
        let shape = games::find(game).unwrap().sheet().unwrap().shape;
        score_text(&*start, &table.played()[start.played().len()..], notation, shape).unwrap().replace('\u{a0}', "_")
    };
    assert_eq!(score("xiangqi", None, "h2e2 h9g7 h0g2", Notation::Chinese), "1._炮二平五_ 马８进７_ 2._马二进三");
    let black = "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 0 1";
    assert_eq!(score("xiangqi", Some(black), "e1e5 d0d1 e5e4", Notation::Wxf), "1…_R5-4_ 2._K6+1_ R5+1");
    assert_eq!(score("gomoku", None, "h8 i9 j10", Notation::Uci), "1._h8_ 2._i9_ 3._j10");
}

#[test]
fn a_sheet_keeps_to_its_pages() {
    let (_, drawing) = printed().remove(0);
    let long = "很长的中文没有空格".repeat(40);
    let words = "words of a score ".repeat(300);
    let diagrams = |count: usize| SheetPart::Diagrams(vec![(drawing.clone(), long.clone()); count]);
    let parts = [SheetPart::Title(long.clone()), diagrams(7), SheetPart::NewPage, SheetPart::Text(words), diagrams(1)];
    let pages = sheet(&parts, "{} of {}");
    for (index, page) in pages.iter().enumerate() {
        let picture = page.picture(842);
        let dark = |x: u32, y: u32| picture.pixel(x, y)[0] < 128;
        let (width, height) = (picture.width, picture.height);
        let margin =
            |x: u32, y: u32| x < 44 || x >= width - 44 || y < 40 || (height - 54..height - 42).contains(&y) || y > height - 24;
        let stray = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).find(|&(x, y)| margin(x, y) && dark(x, y));
        assert_eq!(stray, None, "page {index}");
        let number =
            (height - 42..height - 24).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|&(x, y)| dark(x, y)).count();
        assert!(number > 10, "page {index} has its number");
    }
    assert!(pages.len() >= 4, "{}", pages.len());
    let count =
        |text: &str| sheet(&[SheetPart::Title(text.to_owned())], "")[0].picture(800).rgba.iter().filter(|v| **v < 128).count();
    assert_eq!(count("𠮷"), count("?"), "a character that no font has");
    assert!(matches!(games::find("gomoku").unwrap().sheet().unwrap().shape, Shape::Stone { .. }));
}
