//! Draws boards in endlessly many looks: other woods and papers, lines, fonts, colours, rims, shadows and marks than those of our painter.

use super::Content;
use fastrand::Rng;
use qiju_core::paint::{LATIN_FONT, MORE_FONTS, Picture, TEXT_FONT, letter};
use qiju_core::rules::{Point, Side};
use qiju_core::table::{Grid, Piece, Shape};
use std::path::{Path as FilePath, PathBuf};
use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, Paint, Path, PathBuilder, Pixmap, RadialGradient, Rect, SpreadMode, Stroke, Transform,
};
use ttf_parser::Face;

/// The characters of each role of xiangqi, by side; some are used by both.
const CHARACTERS: [[&str; 7]; 2] =
    [["帥帅", "仕士", "相", "傌馬马", "俥車车", "炮砲", "兵"], ["將将", "士", "象", "馬马", "車车", "砲炮包", "卒"]];
/// The letters of the roles in western books.
const LETTERS: [&str; 7] = ["KG", "A", "EB", "HN", "R", "C", "PS"];

/// A picture, the middle of its upper left point, and the pixels to the next points.
pub struct Scene {
    pub picture: Picture,
    pub origin: (f32, f32),
    pub cell: (f32, f32),
}

/// Fonts.
pub struct Faces {
    chinese: Vec<Face<'static>>,
    latin: Vec<Face<'static>>,
}

impl Faces {
    /// The fonts of the program, and those in these folders that have Chinese characters.
    pub fn load(folders: &[PathBuf]) -> Result<Faces, String> {
        let own = [TEXT_FONT, LATIN_FONT].into_iter().chain(MORE_FONTS.map(|(_, bytes)| bytes));
        let mut files: Vec<&'static [u8]> = own.collect();
        for folder in folders {
            let mut paths = Vec::new();
            collect(folder, &mut paths).map_err(|error| format!("--fonts {}: {error}", folder.display()))?;
            paths.sort();
            for path in paths {
                let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                // Fonts are used until the program ends.
                files.push(Box::leak(bytes.into_boxed_slice()));
            }
        }
        let mut faces = Faces { chinese: Vec::new(), latin: Vec::new() };
        for bytes in files {
            for index in 0..ttf_parser::fonts_in_collection(bytes).unwrap_or(1) {
                let Ok(face) = Face::parse(bytes, index) else { continue };
                let has = |text: &str| text.chars().all(|character| letter(&face, character).is_some());
                if has("馬相") || has("马相") {
                    faces.chinese.push(face);
                } else if has("KAHRC0189") {
                    faces.latin.push(face);
                }
            }
        }
        Ok(faces)
    }

    /// How many have Chinese characters.
    pub fn len(&self) -> usize {
        self.chinese.len()
    }

    fn chinese(&self, random: &mut Rng) -> &Face<'static> {
        &self.chinese[random.usize(0..self.chinese.len())]
    }

    fn latin(&self, random: &mut Rng) -> &Face<'static> {
        let all = self.latin.len();
        if all > 0 && random.bool() { &self.latin[random.usize(0..all)] } else { self.chinese(random) }
    }
}

/// The files of fonts in a folder and in those inside.
fn collect(folder: &FilePath, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|ending| ["ttf", "ttc", "otf"].iter().any(|one| ending.eq_ignore_ascii_case(one)))
        {
            paths.push(path);
        }
    }
    Ok(())
}

/// The size of a cell, in pixels.
pub fn cell_size(random: &mut Rng) -> f32 {
    18.0 * (58.0f32 / 18.0).powf(random.f32())
}

/// A colour by hue (of 360), saturation and lightness.
fn hsl(hue: f32, saturation: f32, lightness: f32) -> Color {
    let part = |n: f32| {
        let k = (n + hue / 30.0).rem_euclid(12.0);
        lightness - saturation * lightness.min(1.0 - lightness) * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    };
    Color::from_rgba(part(0.0).clamp(0.0, 1.0), part(8.0).clamp(0.0, 1.0), part(4.0).clamp(0.0, 1.0), 1.0).unwrap_or(Color::BLACK)
}

fn between(random: &mut Rng, low: f32, high: f32) -> f32 {
    low + (high - low) * random.f32()
}

/// True once in so many times.
fn once_in(random: &mut Rng, times: u8) -> bool {
    random.u8(0..times) == 0
}

fn with_alpha(mut colour: Color, alpha: f32) -> Color {
    colour.set_alpha(alpha);
    colour
}

/// What is drawn on.
struct Canvas {
    map: Pixmap,
    origin: (f32, f32),
    cell: (f32, f32),
}

impl Canvas {
    fn place(&self, column: f32, row: f32) -> (f32, f32) {
        (self.origin.0 + column * self.cell.0, self.origin.1 + row * self.cell.1)
    }

    fn paint(colour: Color) -> Paint<'static> {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(colour);
        paint
    }

    fn fill(&mut self, path: Option<Path>, colour: Color) {
        if let Some(path) = path {
            self.map.fill_path(&path, &Self::paint(colour), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, width: f32, colour: Color) {
        if let Some(path) = path {
            let stroke = Stroke { width, line_cap: LineCap::Square, ..Stroke::default() };
            self.map.stroke_path(&path, &Self::paint(colour), &stroke, Transform::identity(), None);
        }
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, colour: Color) {
        let mut builder = PathBuilder::new();
        builder.move_to(from.0, from.1);
        builder.line_to(to.0, to.1);
        self.stroke(builder.finish(), width, colour);
    }

    fn rectangle(&mut self, (left, top): (f32, f32), (right, bottom): (f32, f32), colour: Color) {
        self.fill(Rect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect), colour);
    }

    fn circle(&mut self, (x, y): (f32, f32), radius: f32, colour: Color) {
        self.fill(PathBuilder::from_circle(x, y, radius), colour);
    }

    fn ring(&mut self, (x, y): (f32, f32), radius: f32, width: f32, colour: Color) {
        self.stroke(PathBuilder::from_circle(x, y, radius), width, colour);
    }

    /// A text, its visible part centred, with `height` pixels for the em.
    fn text(&mut self, text: &str, face: &Face, at: (f32, f32), height: f32, turn: f32, (colour, bold): (Color, f32)) {
        let mut whole = PathBuilder::new();
        let mut right = 0.0;
        for character in text.chars() {
            let Some(path) = letter(face, character).and_then(|path| path.transform(Transform::from_translate(right, 0.0)))
            else {
                continue;
            };
            right = path.bounds().right() + 0.06;
            whole.push_path(&path);
        }
        let Some(path) = whole.finish() else { return };
        let seen = path.bounds();
        let (cx, cy) = ((seen.left() + seen.right()) / 2.0, (seen.top() + seen.bottom()) / 2.0);
        let to = Transform::from_translate(-cx, -cy).post_scale(height, height).post_rotate(turn).post_translate(at.0, at.1);
        let Some(path) = path.transform(to) else { return };
        if bold > 0.0 {
            let stroke = Stroke { width: bold, ..Stroke::default() };
            self.map.stroke_path(&path, &Self::paint(colour), &stroke, Transform::identity(), None);
        }
        self.fill(Some(path), colour);
    }
}

/// How a board's ground and lines look.
struct Ground {
    field: Color,
    lines: Color,
    width: f32,
    dark: bool,
}

impl Ground {
    fn random(cell: f32, random: &mut Rng) -> Ground {
        let (hue, saturation, lightness) = match random.u8(0..20) {
            0..=9 => (between(random, 22.0, 48.0), between(random, 0.25, 0.85), between(random, 0.5, 0.85)),
            10..=14 => (between(random, 0.0, 360.0), between(random, 0.0, 0.15), between(random, 0.88, 1.0)),
            15..=16 => (between(random, 80.0, 220.0), between(random, 0.1, 0.6), between(random, 0.4, 0.85)),
            17 => (between(random, 0.0, 360.0), between(random, 0.0, 0.1), between(random, 0.5, 0.85)),
            _ => (between(random, 0.0, 360.0), between(random, 0.0, 0.4), between(random, 0.08, 0.3)),
        };
        let dark = lightness < 0.35;
        let lines = match (dark, random.u8(0..6)) {
            (true, _) => hsl(hue, saturation * 0.5, between(random, 0.45, 0.9)),
            (false, 0) => hsl(between(random, 0.0, 20.0), 0.7, between(random, 0.25, 0.4)),
            (false, 1) if lightness < 0.7 => hsl(hue, 0.2, 0.95),
            (false, _) => hsl(hue, saturation, between(random, 0.0, lightness * 0.5)),
        };
        let width = (cell * between(random, 0.014, 0.055)).max(0.8);
        Ground { field: hsl(hue, saturation, lightness), lines, width, dark }
    }
}

/// Draws a board with these pieces.
pub fn draw(content: &Content, faces: &Faces, random: &mut Rng) -> Scene {
    let board = content.board;
    let cell = cell_size(random) * if board.files < 6 { between(random, 1.2, 2.2) } else { 1.0 };
    let aspect = if once_in(random, 4) { between(random, 0.88, 1.1) } else { 1.0 };
    let cell = (cell, cell * aspect);
    let (columns, rows) = (f32::from(board.files - 1), f32::from(board.ranks - 1));
    let margins: [f32; 4] = std::array::from_fn(|_| between(random, 0.65, 1.7));
    let origin = (margins[0] * cell.0, margins[1] * cell.1);
    let size = (origin.0 + (columns + margins[2]) * cell.0, origin.1 + (rows + margins[3]) * cell.1);
    let map = Pixmap::new(size.0 as u32 + 1, size.1 as u32 + 1).expect("a board is not empty");
    let mut canvas = Canvas { map, origin, cell };
    let ground = Ground::random(cell.0.min(cell.1), random);
    field(&mut canvas, &ground, random);
    lines(&mut canvas, &ground, content, faces, random);
    labels(&mut canvas, &ground, content, faces, random);
    marks(&mut canvas, content, random, false);
    match content.sheet.shape {
        Shape::Disc => discs(&mut canvas, content, faces, random),
        Shape::Stone { first_is_dark } => stones(&mut canvas, content, first_is_dark, faces, random),
        Shape::Mark => crosses(&mut canvas, &ground, content, faces, random),
    }
    marks(&mut canvas, content, random, true);
    let pixels = canvas.map.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), 255]);
    let picture = Picture { width: canvas.map.width(), height: canvas.map.height(), rgba: pixels.collect() };
    Scene { picture, origin, cell }
}

/// The ground with its grain.
fn field(canvas: &mut Canvas, ground: &Ground, random: &mut Rng) {
    canvas.map.fill(ground.field);
    let (width, height) = (canvas.map.width() as f32, canvas.map.height() as f32);
    let strength = if once_in(random, 3) { 0.0 } else { between(random, 0.01, 0.16) };
    let upright = random.bool();
    let long = if upright { width } else { height };
    let mut at = 0.0;
    while at < long && strength > 0.0 {
        let thick = between(random, 0.4, 5.0);
        let tone = if random.bool() { Color::BLACK } else { Color::WHITE };
        let colour = with_alpha(tone, strength * random.f32());
        let slope = between(random, -4.0, 4.0);
        let (from, to) = if upright { ((at, 0.0), (at + slope, height)) } else { ((0.0, at), (width, at + slope)) };
        canvas.line(from, to, thick, colour);
        at += between(random, 1.0, 9.0);
    }
}

/// The lines with what belongs to them.
fn lines(canvas: &mut Canvas, ground: &Ground, content: &Content, faces: &Faces, random: &mut Rng) {
    let board = content.board;
    let (files, ranks) = (board.files, board.ranks);
    let Ground { lines: ink, width, .. } = *ground;
    let half = if board.grid == Grid::Cells { 0.5 } else { 0.0 };
    let (right, bottom) = (f32::from(files - 1) + half, f32::from(ranks - 1) + half);
    let open = board.grid == Grid::Cells && random.bool();
    let across = |canvas: &mut Canvas, from: (f32, f32), to: (f32, f32)| {
        canvas.line(canvas.place(from.0, from.1), canvas.place(to.0, to.1), width, ink);
    };
    for row in 0..ranks + (2.0 * half) as u8 {
        if !open || (row > 0 && row < ranks) {
            across(canvas, (-half, f32::from(row) - half), (right, f32::from(row) - half));
        }
    }
    let river = match board.grid {
        Grid::River(rank) => Some(f32::from(ranks - 2 - rank)),
        Grid::Lines | Grid::Cells => None,
    };
    for file in 0..files + (2.0 * half) as u8 {
        let column = f32::from(file) - half;
        match river.filter(|_| file > 0 && file < files - 1) {
            Some(row) => {
                across(canvas, (column, 0.0), (column, row));
                across(canvas, (column, row + 1.0), (column, bottom));
            }
            None if open && (file == 0 || file == files) => {}
            None => across(canvas, (column, -half), (column, bottom)),
        }
    }
    let row_of = |rank: u8| f32::from(ranks - 1 - rank);
    if !once_in(random, 6) {
        for &((ax, ay), (bx, by)) in &board.segments {
            across(canvas, (f32::from(ax), row_of(ay)), (f32::from(bx), row_of(by)));
        }
    }
    if once_in(random, 2) {
        let gap = between(random, 0.06, 0.12);
        for &(x, y) in &board.corners {
            for (dx, dy) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
                let (column, row) = (f32::from(x) + dx * gap, row_of(y) + dy * gap);
                if column > 0.0 && column < right {
                    across(canvas, (column, row), (column + dx * 0.16, row));
                    across(canvas, (column, row), (column, row + dy * 0.16));
                }
            }
        }
    }
    if !once_in(random, 4) {
        let radius = canvas.cell.0 * between(random, 0.05, 0.12);
        for &(x, y) in &board.stars {
            canvas.circle(canvas.place(f32::from(x), row_of(y)), radius, ink);
        }
    }
    if board.sockets && random.bool() {
        for (x, y) in (0..files).flat_map(|x| (0..ranks).map(move |y| (x, y))) {
            let at = canvas.place(f32::from(x), f32::from(y));
            if random.bool() {
                canvas.circle(at, canvas.cell.0 * 0.12, ink)
            } else {
                canvas.ring(at, canvas.cell.0 * 0.12, width, ink)
            }
        }
    }
    if let Some(row) = river.filter(|_| random.bool()) {
        let face = faces.chinese(random);
        let turn = if random.bool() { 180.0 } else { 0.0 };
        for (text, column, turn) in [("楚", 1.5, 0.0), ("河", 2.5, 0.0), ("漢", 5.5, turn), ("界", 6.5, turn)] {
            canvas.text(text, face, canvas.place(column, row + 0.5), canvas.cell.1 * 0.7, turn, (with_alpha(ink, 0.8), 0.0));
        }
    }
    // A frame around it all.
    if half == 0.0 && once_in(random, 2) {
        let away = between(random, 0.07, 0.5);
        let (a, b) = (canvas.place(-away, -away), canvas.place(right + away, bottom + away));
        let path = Rect::from_ltrb(a.0, a.1, b.0, b.1).map(PathBuilder::from_rect);
        canvas.stroke(path, width * between(random, 0.8, 3.0), ink);
    }
}

/// Coordinates along the edges.
fn labels(canvas: &mut Canvas, ground: &Ground, content: &Content, faces: &Faces, random: &mut Rng) {
    if once_in(random, 2) {
        return;
    }
    let face = faces.latin(random);
    let (files, ranks) = (content.board.files, content.board.ranks);
    let away = between(random, 0.5, 0.75);
    let height = canvas.cell.0 * between(random, 0.25, 0.42);
    for file in 0..files {
        let text = if random.bool() { (file + 1).to_string() } else { char::from(b'a' + file).to_string() };
        canvas.text(&text, face, canvas.place(f32::from(file), f32::from(ranks - 1) + away), height, 0.0, (ground.lines, 0.0));
        canvas.text(&text, face, canvas.place(f32::from(file), -away), height, 0.0, (ground.lines, 0.0));
    }
    for rank in 0..ranks {
        canvas.text(&(rank + 1).to_string(), face, canvas.place(-away, f32::from(rank)), height, 0.0, (ground.lines, 0.0));
    }
}

/// Marks of moves: under the pieces those that fill a point, over them small ones and arrows.
fn marks(canvas: &mut Canvas, content: &Content, random: &mut Rng, above: bool) {
    let (files, ranks) = (content.board.files, content.board.ranks);
    let count = [0, 0, 1, 2, 3][random.usize(0..5)];
    for _ in 0..count {
        let at = canvas.place(f32::from(random.u8(0..files)), f32::from(random.u8(0..ranks)));
        let colour = hsl(between(random, 0.0, 360.0), 0.8, between(random, 0.35, 0.65));
        let size = canvas.cell.0.min(canvas.cell.1);
        let side = size * between(random, 0.44, 0.52);
        let width = (size * between(random, 0.03, 0.08)).max(1.0);
        let square = Rect::from_ltrb(at.0 - side, at.1 - side, at.0 + side, at.1 + side).map(PathBuilder::from_rect);
        match (above, random.u8(0..4)) {
            (false, 0) => canvas.fill(square, with_alpha(colour, between(random, 0.2, 0.6))),
            (false, 1) => canvas.circle(at, side, with_alpha(colour, between(random, 0.2, 0.6))),
            (false, _) => canvas.circle(at, size * between(random, 0.06, 0.16), with_alpha(colour, 0.8)),
            (true, 0) => canvas.stroke(square, width, colour),
            (true, 1) => canvas.ring(at, side, width, colour),
            (true, 2) => brackets(canvas, at, side, width, colour),
            (true, _) => {
                let to = canvas.place(f32::from(random.u8(0..files)), f32::from(random.u8(0..ranks)));
                canvas.line(at, to, width * 1.6, with_alpha(colour, between(random, 0.3, 0.7)));
            }
        }
    }
}

/// The four corners of a square.
fn brackets(canvas: &mut Canvas, (x, y): (f32, f32), side: f32, width: f32, colour: Color) {
    for (dx, dy) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let (cx, cy) = (x + dx * side, y + dy * side);
        canvas.line((cx, cy), (cx - dx * side * 0.4, cy), width, colour);
        canvas.line((cx, cy), (cx, cy - dy * side * 0.4), width, colour);
    }
}

/// The colours of a side's discs.
#[derive(Clone, Copy)]
struct Disc {
    face: Color,
    ink: Color,
    rim: Color,
}

/// The colours of both sides' discs.
fn disc_colours(random: &mut Rng) -> [Disc; 2] {
    let red = hsl(between(random, -12.0, 14.0), between(random, 0.6, 1.0), between(random, 0.3, 0.5));
    let other = match random.u8(0..8) {
        0..=4 => hsl(between(random, 0.0, 360.0), between(random, 0.0, 0.3), between(random, 0.0, 0.16)),
        5 => hsl(between(random, 100.0, 160.0), between(random, 0.4, 0.9), between(random, 0.14, 0.3)),
        6 => hsl(between(random, 200.0, 240.0), between(random, 0.5, 0.9), between(random, 0.2, 0.4)),
        _ => hsl(between(random, 0.0, 360.0), 0.1, between(random, 0.2, 0.32)),
    };
    let light = match random.u8(0..4) {
        0 => Color::WHITE,
        1 => hsl(between(random, 35.0, 55.0), between(random, 0.3, 1.0), between(random, 0.75, 0.95)),
        _ => hsl(between(random, 24.0, 48.0), between(random, 0.3, 0.9), between(random, 0.55, 0.9)),
    };
    let pale = hsl(between(random, 35.0, 55.0), between(random, 0.2, 1.0), between(random, 0.8, 1.0));
    let disc = |face, ink, rim| Disc { face, ink, rim };
    match random.u8(0..20) {
        0..=9 => [disc(light, red, red), disc(light, other, other)],
        10..=13 => [disc(red, pale, pale), disc(other, pale, pale)],
        14..=16 => {
            let (white, black) = (Color::WHITE, hsl(0.0, 0.0, between(random, 0.0, 0.15)));
            [disc(white, black, black), disc(black, white, white)]
        }
        17 => [disc(red, pale, pale), disc(light, other, other)],
        18 => [disc(light, red, red), disc(other, pale, pale)],
        _ => {
            let dark = hsl(between(random, 10.0, 40.0), 0.3, between(random, 0.1, 0.3));
            [disc(dark, hsl(between(random, -5.0, 20.0), 0.9, 0.6), dark), disc(dark, hsl(50.0, 0.1, 0.92), dark)]
        }
    }
}

/// The pieces of xiangqi.
fn discs(canvas: &mut Canvas, content: &Content, faces: &Faces, random: &mut Rng) {
    let colours = disc_colours(random);
    let letters = once_in(random, 10);
    let face = if letters { faces.latin(random) } else { faces.chinese(random) };
    let words: Vec<Vec<char>> = Side::BOTH
        .iter()
        .flat_map(|side| (0..7).map(move |role| (*side, role)))
        .map(|(side, role)| {
            let all = if letters { LETTERS[role] } else { CHARACTERS[usize::from(side == Side::Second)][role] };
            all.chars().filter(|character| letter(face, *character).is_some()).collect()
        })
        .collect();
    // One character for each kind; both sides often have the same.
    let chosen: Vec<char> = words.iter().map(|all| if all.is_empty() { '?' } else { all[random.usize(0..all.len())] }).collect();
    let size = canvas.cell.0.min(canvas.cell.1);
    let radius = size * between(random, 0.37, 0.49);
    let rings: Vec<(f32, f32)> =
        (0..random.usize(0..3)).map(|_| (between(random, 0.72, 0.93), between(random, 0.02, 0.07))).collect();
    let edge = if once_in(random, 3) { 0.0 } else { (radius * between(random, 0.02, 0.08)).max(0.8) };
    let edge_colour = hsl(30.0, between(random, 0.0, 0.5), between(random, 0.0, 0.35));
    let height = radius * if rings.is_empty() { between(random, 1.2, 1.65) } else { between(random, 1.05, 1.4) };
    let bold = if random.bool() { radius * between(random, 0.0, 0.09) } else { 0.0 };
    let shadow = if random.bool() { between(random, 0.1, 0.5) } else { 0.0 };
    let shine = if once_in(random, 3) { between(random, 0.1, 0.5) } else { 0.0 };
    let upside_down = once_in(random, 8);
    // On some boards the characters stand on the board itself.
    let bare = once_in(random, 25);
    for &(at, piece) in &content.pieces {
        let middle = middle_of(canvas, content, at, random);
        let Disc { face: ground, ink, rim } = colours[usize::from(piece.side == Side::Second)];
        if shadow > 0.0 {
            let away = radius * 0.12;
            canvas.circle((middle.0 + away * 0.6, middle.1 + away), radius * 1.03, with_alpha(Color::BLACK, shadow));
        }
        let size = if bare { radius * 0.75 } else { radius };
        canvas.circle(middle, size, ground);
        if shine > 0.0 {
            glow(canvas, middle, size, shine);
        }
        if !bare {
            for &(share, width) in &rings {
                canvas.ring(middle, radius * share, (radius * width).max(0.7), rim);
            }
            if edge > 0.0 {
                canvas.ring(middle, radius - edge / 2.0, edge, edge_colour);
            }
        }
        let turn = between(random, -3.0, 3.0) + if upside_down && piece.side == Side::Second { 180.0 } else { 0.0 };
        let character = chosen[usize::from(piece.side == Side::Second) * 7 + usize::from(piece.role)];
        canvas.text(&character.to_string(), face, middle, height, turn, (ink, bold));
    }
}

/// Where a piece is put down: nearly on its point.
fn middle_of(canvas: &Canvas, content: &Content, at: Point, random: &mut Rng) -> (f32, f32) {
    let row = content.board.ranks - 1 - at.y;
    let place = canvas.place(f32::from(at.x), f32::from(row));
    let size = canvas.cell.0.min(canvas.cell.1);
    (place.0 + between(random, -0.02, 0.02) * size, place.1 + between(random, -0.02, 0.02) * size)
}

/// Light on the upper left of a round piece.
fn glow(canvas: &mut Canvas, (x, y): (f32, f32), radius: f32, strength: f32) {
    let light = tiny_skia::Point::from_xy(x - radius * 0.4, y - radius * 0.45);
    let stops = vec![
        GradientStop::new(0.0, with_alpha(Color::WHITE, strength)),
        GradientStop::new(0.6, with_alpha(Color::WHITE, 0.0)),
        GradientStop::new(1.0, with_alpha(Color::BLACK, strength * 0.5)),
    ];
    let shader = RadialGradient::new(light, 0.0, light, radius * 1.6, stops, SpreadMode::Pad, Transform::identity());
    if let (Some(shader), Some(path)) = (shader, PathBuilder::from_circle(x, y, radius)) {
        let paint = Paint { shader, anti_alias: true, ..Paint::default() };
        canvas.map.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
}

/// Stones, some with the numbers of their moves.
fn stones(canvas: &mut Canvas, content: &Content, first_is_dark: bool, faces: &Faces, random: &mut Rng) {
    let size = canvas.cell.0.min(canvas.cell.1);
    let small = content.board.files < 6;
    let radius = size * if small { between(random, 0.22, 0.47) } else { between(random, 0.38, 0.5) };
    let black = hsl(between(random, 0.0, 360.0), between(random, 0.0, 0.2), between(random, 0.0, 0.22));
    let white = hsl(between(random, 30.0, 60.0), between(random, 0.0, 0.3), between(random, 0.86, 1.0));
    let edge = if once_in(random, 4) { 0.0 } else { (radius * between(random, 0.03, 0.1)).max(0.8) };
    let (shine, shadow) = (if random.bool() { between(random, 0.1, 0.6) } else { 0.0 }, if random.bool() { 0.35 } else { 0.0 });
    let numbered = once_in(random, 4);
    let face = faces.latin(random);
    for &(at, piece) in &content.pieces {
        let middle = middle_of(canvas, content, at, random);
        let dark = (piece.side == Side::First) == first_is_dark;
        let (ground, ink) = if dark { (black, white) } else { (white, black) };
        if shadow > 0.0 {
            canvas.circle((middle.0 + radius * 0.08, middle.1 + radius * 0.13), radius * 1.03, with_alpha(Color::BLACK, shadow));
        }
        canvas.circle(middle, radius, ground);
        if shine > 0.0 {
            glow(canvas, middle, radius, shine);
        }
        if edge > 0.0 && (!dark || random.bool()) {
            canvas.ring(middle, radius - edge / 2.0, edge, black);
        }
        if numbered {
            canvas.text(&random.u8(1..200).to_string(), face, middle, radius * between(random, 0.7, 1.0), 0.0, (ink, 0.0));
        } else if once_in(random, 30) {
            last(canvas, middle, radius, if random.bool() { ink } else { hsl(between(random, 0.0, 360.0), 0.9, 0.5) }, random);
        }
    }
    // Points that are forbidden.
    for _ in 0..random.usize(0..3) {
        let at = canvas.place(f32::from(random.u8(0..content.board.files)), f32::from(random.u8(0..content.board.ranks)));
        let free = !content.pieces.iter().any(|(point, _)| {
            let place = canvas.place(f32::from(point.x), f32::from(content.board.ranks - 1 - point.y));
            place == at
        });
        if free {
            cross(canvas, at, size * between(random, 0.12, 0.25), size * 0.06, hsl(0.0, 0.8, 0.45));
        }
    }
}

/// The mark of the last stone.
fn last(canvas: &mut Canvas, at: (f32, f32), radius: f32, colour: Color, random: &mut Rng) {
    match random.u8(0..4) {
        0 => canvas.circle(at, radius * 0.3, colour),
        1 => canvas.ring(at, radius * 0.5, radius * 0.12, colour),
        2 => cross(canvas, at, radius * 0.4, radius * 0.14, colour),
        _ => {
            let side = radius * 0.35;
            canvas.rectangle((at.0 - side, at.1 - side), (at.0 + side, at.1 + side), colour);
        }
    }
}

fn cross(canvas: &mut Canvas, (x, y): (f32, f32), arm: f32, width: f32, colour: Color) {
    canvas.line((x - arm, y - arm), (x + arm, y + arm), width, colour);
    canvas.line((x - arm, y + arm), (x + arm, y - arm), width, colour);
}

/// Crosses and rings, with a pen or as letters.
fn crosses(canvas: &mut Canvas, ground: &Ground, content: &Content, faces: &Faces, random: &mut Rng) {
    let size = canvas.cell.0.min(canvas.cell.1);
    let reach = size * between(random, 0.22, 0.4);
    let width = size * between(random, 0.03, 0.12);
    let inks = [0; 2].map(|_| {
        let lightness = if ground.dark { between(random, 0.5, 0.9) } else { between(random, 0.0, 0.45) };
        hsl(between(random, 0.0, 360.0), between(random, 0.0, 0.9), lightness)
    });
    let letters = once_in(random, 3);
    let face = faces.latin(random);
    for &(at, Piece { side, .. }) in &content.pieces {
        let middle = middle_of(canvas, content, at, random);
        let ink = inks[usize::from(side == Side::Second)];
        match (letters, side) {
            (true, side) => {
                let text = if side == Side::First { "X" } else { "O" };
                canvas.text(text, face, middle, reach * 2.4, 0.0, (ink, 0.0));
            }
            (false, Side::First) => cross(canvas, middle, reach * 0.85, width, ink),
            (false, Side::Second) => canvas.ring(middle, reach, width, ink),
        }
    }
}
