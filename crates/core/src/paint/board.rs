//! The board: body, frame, bevel, engraved lines, inscriptions.

use super::canvas::{Coverage, Picture, shade_alpha};
use super::colour::Tone;
use super::glyph::{self, Font};
use super::noise::{length, smooth, unit};
use super::theme::Theme;
use super::wood::Surface;
use crate::rules::Point;
use crate::table::{Board, Coordinates, Grid};
use serde::{Deserialize, Serialize};
use tiny_skia::{Path, PathBuilder};

/// The distance from the outermost line to the field's edge, in cells, for boards with pieces on crossings.
const APRON: f32 = 0.58;
/// The same from the edge of the outermost cells, for boards with pieces in cells.
const APRON_OF_CELLS: f32 = 0.14;
/// The width of the frame, in cells, on a board of nine or more points; on smaller boards, whose cells are large, it is narrower.
const FRAME: f32 = 0.46;
/// The colour of the board's shadow.
const SHADE: Tone = Tone([0.05, 0.035, 0.02]);
/// The margin around the body in the window, in cells.
const MARGIN: f32 = 0.35;
/// The margin of the picture for the shadow around the body, in cells.
const SHADOW: f32 = 0.80;

/// The coordinates along the board's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Labels {
    /// Letters and numbers.
    Letters,
    /// Those of xiangqi: Chinese numerals for the first side, digits for the second. Other boards have letters.
    Numerals,
    /// The same in digits for both sides.
    Digits,
    /// Nothing.
    None,
}

/// How the board is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoardLook {
    /// From the second side's view.
    pub flipped: bool,
    /// The coordinates along the edges.
    pub labels: Labels,
}

/// The picture of a board, with the places of its points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardPicture {
    /// The picture, the shadow in its margin.
    pub picture: Picture,
    /// The middle of point (0, 0) in pixels from the picture's upper left corner, `y` down.
    pub origin: (f32, f32),
    /// The pixels per cell.
    pub cell: f32,
    /// The body: left, top, width and height in pixels.
    pub body: (f32, f32, f32, f32),
    /// From the second side's view.
    pub flipped: bool,
}

impl BoardPicture {
    /// The middle of a point in pixels from the picture's upper left corner, `y` down.
    pub fn at(&self, point: Point) -> (f32, f32) {
        let cells = self.cell * if self.flipped { -1.0 } else { 1.0 };
        (self.origin.0 + f32::from(point.x) * cells, self.origin.1 - f32::from(point.y) * cells)
    }
}

/// The whole number nearest to `size`, at least 1, that is odd or even as asked.
pub(super) fn of_parity(size: f32, odd: bool) -> u32 {
    let half = if odd { ((size - 1.0) / 2.0).round() } else { (size / 2.0).round() };
    let number = half.max(0.0) as u32 * 2 + u32::from(odd);
    number.max(if odd { 1 } else { 2 })
}

/// The thickness of an engraved line in pixels.
pub(super) fn line_thickness(cell: u32) -> i32 {
    ((cell as f32 * 0.028).round() as i32).max(1)
}

/// The size of a board in cells: its body and the margin around it. (The picture is slightly larger, because
/// its shadow may be cut off or covered.)
pub fn board_extent(board: &Board) -> (f32, f32) {
    let edge = edge(board) + frame(board) + MARGIN;
    (f32::from(board.files.saturating_sub(1)) + 2.0 * edge, f32::from(board.ranks.saturating_sub(1)) + 2.0 * edge)
}

/// A file's name: `a` to `z`, then `aa`, `ab`.
fn letters(file: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    if file < 26 { letter(file).to_string() } else { format!("{}{}", letter(file / 26 - 1), letter(file)) }
}

/// The width of the frame, in cells.
fn frame(board: &Board) -> f32 {
    let longest = f32::from(board.files.max(board.ranks));
    FRAME * (0.5 + 0.5 * (longest / 9.0).min(1.0))
}

/// The distance from the outermost points to the field's edge, in cells.
fn edge(board: &Board) -> f32 {
    if board.grid == Grid::Cells { 0.5 + APRON_OF_CELLS } else { APRON }
}

/// Draws a board with `cell` pixels per cell: 4 to 512, and at most so many that the picture is within 8192 pixels (the limit of
/// all graphics cards). [`BoardPicture::cell`] is the number used.
pub fn board(board: &Board, theme: &Theme, cell: u32, look: &BoardLook) -> BoardPicture {
    let plan = Plan::new(board, cell, look);
    let Plan { cell, origin, body, .. } = plan;
    let mut picture = Picture::clear(plan.width, plan.height);
    paint_body(&mut picture, theme, cell, body, plan.frame);
    let mut engraver = Engraver { picture: &mut picture, theme, size: cell };
    plan.cuts.iter().for_each(|cut| engraver.engrave(cut));
    BoardPicture { picture, origin, cell, body, flipped: look.flipped }
}

/// What is engraved into a board, in pixels.
pub(super) enum Cut {
    /// A groove of whole pixels: left, top, width, height.
    Groove(i32, i32, i32, i32),
    /// A path, filled or drawn with a pen of this thickness, and how strong its colour is.
    Line(Path, Option<f32>, f32),
    /// A round hollow: its centre and radius.
    Socket(f32, f32, f32),
    /// A label on the frame.
    Label(Path),
}

/// Where everything on a board is, in pixels, before it is drawn with one material or another.
pub(super) struct Plan {
    pub width: u32,
    pub height: u32,
    /// The pixels per cell.
    pub cell: f32,
    /// See [`BoardPicture`].
    pub origin: (f32, f32),
    /// See [`BoardPicture`].
    pub body: (f32, f32, f32, f32),
    /// The width of the frame.
    pub frame: f32,
    /// In the order in which they are made.
    pub cuts: Vec<Cut>,
}

impl Plan {
    /// The plan of a board; see [`board`] for its size.
    pub fn new(board: &Board, cell: u32, look: &BoardLook) -> Plan {
        let longest = u32::from(board.files.max(board.ranks)) + 3;
        let cell = cell.min(8192 / longest).clamp(4, 512);
        let size = cell as f32;
        let pixels = |cells: f32| (cells * size).round() as i32;
        let thickness = line_thickness(cell);
        let (apron, frame, room) = (pixels(edge(board)), pixels(frame(board)).max(2), pixels(SHADOW).max(2));
        let lead = room + frame + apron;
        let (across, down) =
            (i32::from(board.files.saturating_sub(1)) * cell as i32, i32::from(board.ranks.saturating_sub(1)) * cell as i32);
        let (width, height) = (across + 2 * lead + thickness % 2, down + 2 * lead + thickness % 2);
        let middle = if thickness % 2 == 1 { 0.5 } else { 0.0 };
        let far = (lead as f32 + middle, (lead + down) as f32 + middle);
        let origin = if look.flipped { (far.0 + across as f32, far.1 - down as f32) } else { far };
        let body = (room as f32, room as f32, (width - 2 * room) as f32, (height - 2 * room) as f32);
        let mut draft = Draft { cuts: Vec::new(), size, height, thickness, lead, board, flipped: look.flipped };
        draft.grid();
        draft.segments();
        draft.points();
        draft.inscriptions();
        draft.labels(look.labels, frame, apron);
        let (width, height) = (width as u32, height as u32);
        Plan { width, height, cell: size, origin, body, frame: frame as f32, cuts: draft.cuts }
    }
}

/// Draws the shadow, the frame with its mitres and bevel, and the recessed field.
fn paint_body(picture: &mut Picture, theme: &Theme, cell: f32, body: (f32, f32, f32, f32), frame: f32) {
    let field = Surface::new(&theme.field, 23, cell).laid_out((0.0, 0.0), (body.2 / cell, body.3 / cell));
    let rail = Surface::new(&theme.frame, 41, cell);
    let (left, top, width, height) = body;
    let relief = theme.relief;
    let radius = cell * 0.10;
    let bevel = (cell * 0.06).max(1.0);
    let inlay = (cell * 0.022).round().max(1.0);
    // Signed distance to the body's edge, negative inside, in pixels.
    let outside = |x: f32, y: f32, inset: f32, radius: f32| {
        let qx = (x - left - width / 2.0).abs() - width / 2.0 + inset + radius;
        let qy = (y - top - height / 2.0).abs() - height / 2.0 + inset + radius;
        length(qx.max(0.0), qy.max(0.0)) + qx.max(qy).min(0.0) - radius
    };
    let cast_shade = |x: f32, y: f32, dither: f32| {
        let cast = outside(x - 0.10 * cell, y - 0.25 * cell, 0.06 * cell, 0.3 * cell);
        let touch = outside(x - 0.02 * cell, y - 0.05 * cell, 0.0, radius);
        let dark = 0.62 * smooth(0.5 * cell, -0.5 * cell, cast);
        let dark = 1.0 - (1.0 - dark) * (1.0 - 0.5 * smooth(0.10 * cell, -0.06 * cell, touch));
        (shade_alpha(dark * theme.shadow) + if dark > 0.0 { dither } else { 0.0 }).clamp(0.0, 1.0)
    };
    picture.paint(|x, y| {
        let edge = outside(x, y, 0.0, radius);
        let cover = (0.5 - edge).clamp(0.0, 1.0);
        let dither = (unit(x as i32, y as i32, 3) - 0.5) / 255.0;
        let shade = if cover < 1.0 { cast_shade(x, y, dither) } else { 1.0 };
        if cover <= 0.0 {
            return (SHADE, shade);
        }
        let (fx, fy) = ((x - left) / cell, (y - top) / cell);
        // The nearest edge of the body determines the direction of the frame's grain.
        let (from_left, from_top) = (x - left, y - top);
        let (from_right, from_bottom) = (width - from_left, height - from_top);
        let sides = from_left.min(from_right);
        let ends = from_top.min(from_bottom);
        let depth = sides.min(ends);
        let lamp = 0.035 * relief * (1.0 - (from_left + from_top) / (width + height) * 2.0);
        let tone = if depth >= frame {
            let sunk = depth - frame;
            let tone = field.at(fx, fy);
            // The frame's inner edge has a thin shadow on the lit side and a highlight on the other.
            let lit = if sunk < inlay {
                -0.45
            } else {
                let near = (from_left.min(from_top) - frame - inlay) / (cell * 0.10);
                let back = (from_right.min(from_bottom) - frame - inlay) / (cell * 0.05);
                -0.16 * smooth(1.0, 0.0, near) + 0.10 * smooth(1.0, 0.0, back)
            };
            tone.lit(lit * (0.3 + 0.7 * relief))
        } else {
            let upright = sides < ends;
            let (shift, along) = if upright {
                (if from_left < from_right { 0.0 } else { 13.7 }, (fx, fy))
            } else {
                (if from_top < from_bottom { 31.3 } else { 53.9 }, (fy, fx))
            };
            let tone = rail.at(along.0 + shift, along.1 + shift * 2.0);
            let mitre = (sides - ends).abs();
            let mut lit = -0.10 * smooth(1.2, 0.0, mitre);
            let lightward = if upright { from_left < from_right } else { from_top < from_bottom };
            let facing = match (upright, lightward) {
                (false, true) => 0.30,
                (true, true) => 0.22,
                (true, false) => -0.22,
                (false, false) => -0.30,
            };
            lit += facing * smooth(bevel + 0.5, bevel - 0.5, -edge);
            // The frame is slightly rounded towards the field.
            lit -= facing * 0.5 * smooth(bevel * 0.8 + 0.5, bevel * 0.8 - 0.5, frame - depth);
            tone.lit(lit * relief)
        };
        let tone = Tone(tone.lit(lamp).0.map(|c| c + dither));
        let alpha = cover + shade * (1.0 - cover);
        (SHADE.mix(tone, cover / alpha), alpha)
    });
}

/// How strong engraved lines are.
const STRENGTH: f32 = 0.9;

struct Engraver<'a> {
    picture: &'a mut Picture,
    theme: &'a Theme,
    size: f32,
}

impl Engraver<'_> {
    fn engrave(&mut self, cut: &Cut) {
        let Theme { lines, labels, relief, .. } = self.theme;
        match *cut {
            Cut::Groove(x, y, width, height) => self.groove(x, y, width, height),
            Cut::Line(ref path, pen, strength) => {
                self.cut(path, pen, Tone::from(*lines), strength, 0.45 * relief.max(0.2) * strength);
            }
            Cut::Socket(x, y, radius) => self.socket(x, y, radius),
            // With half strength the coordinates could not be read on the grain of the frame.
            Cut::Label(ref path) => self.cut(path, None, Tone::from(*labels), 0.85, 0.0),
        }
    }

    /// Draws a groove of whole pixels with light on its lower right edge.
    fn groove(&mut self, x: i32, y: i32, width: i32, height: i32) {
        let gleam = Tone::from(self.theme.gleam);
        let edge = (self.size * 0.012).round().max(1.0) as i32;
        let light = 0.25 * (self.size * 0.012).clamp(0.5, 1.0) * (0.4 + 0.6 * self.theme.relief) * 1.6;
        self.picture.rectangle(x + width, y, edge.min(width.max(1)), height, gleam, if height > width { light } else { 0.0 });
        self.picture.rectangle(x, y + height, width, edge, gleam, if width >= height { light } else { 0.0 });
        self.picture.rectangle(x, y, width, height, self.theme.lines.into(), STRENGTH);
    }

    /// Engraves a path: light of strength `gleam` on its lower edge, then the groove.
    fn cut(&mut self, path: &Path, pen: Option<f32>, tone: Tone, strength: f32, gleam: f32) {
        let (width, height) = (self.picture.width, self.picture.height);
        let Some(bounds) = path.compute_tight_bounds() else { return };
        let pad = pen.unwrap_or(0.0) + 3.0;
        let (x, y) = ((bounds.left() - pad).floor().max(0.0), (bounds.top() - pad).floor().max(0.0));
        let (w, h) = ((bounds.width() + 2.0 * pad).ceil() as u32 + 1, (bounds.height() + 2.0 * pad).ceil() as u32 + 1);
        let Some(moved) = path.clone().transform(tiny_skia::Transform::from_translate(-x, -y)) else { return };
        let mask = match pen {
            Some(thickness) => Coverage::stroke(&moved, thickness, w, h),
            None => Coverage::of(&moved, w, h),
        };
        let offset = (self.size * 0.014).clamp(0.35, 2.0);
        for py in 0..h {
            for px in 0..w {
                let (gx, gy) = (px + x as u32, py + y as u32);
                if gx >= width || gy >= height {
                    continue;
                }
                let (cx, cy) = (px as f32 + 0.5, py as f32 + 0.5);
                let here = mask.sample(cx, cy);
                let light = (mask.sample(cx - offset, cy - offset) - here).max(0.0);
                self.picture.over(gx, gy, self.theme.gleam.into(), light * gleam);
                self.picture.over(gx, gy, tone, here * strength);
            }
        }
    }

    /// Draws a round hollow: dark at its upper left wall, light at its lower right wall.
    fn socket(&mut self, cx: f32, cy: f32, radius: f32) {
        let reach = radius + 2.0;
        let lines = Tone::from(self.theme.field.dark).times(0.30);
        let gleam = Tone::from(self.theme.field.light).lit(0.45);
        let field = Tone::from(self.theme.field.dark).mix(lines, 0.35);
        for py in (cy - reach).floor().max(0.0) as u32..((cy + reach).ceil() as u32).min(self.picture.height) {
            for px in (cx - reach).floor().max(0.0) as u32..((cx + reach).ceil() as u32).min(self.picture.width) {
                let (dx, dy) = (px as f32 + 0.5 - cx, py as f32 + 0.5 - cy);
                let r = length(dx, dy);
                let inside = (radius - r + 0.5).clamp(0.0, 1.0);
                let lean = (dx + dy) / (r.max(0.01) * std::f32::consts::SQRT_2);
                let wall = smooth(0.25, 1.0, r / radius);
                let tone = field.mix(lines, (0.55 * wall * (0.5 - 0.5 * lean)).max(0.0)).mix(gleam, 0.30 * wall * lean.max(0.0));
                self.picture.over(px, py, tone, inside);
                let lip = (1.0 - (r - radius - 0.6).abs()).clamp(0.0, 1.0);
                self.picture.over(px, py, if lean > 0.0 { gleam } else { lines }, lip * lean.abs() * 0.5);
            }
        }
    }
}

/// Plans what is engraved.
struct Draft<'a> {
    cuts: Vec<Cut>,
    size: f32,
    /// The height of the picture.
    height: i32,
    thickness: i32,
    /// Pixels from the picture's corner to the upper left point.
    lead: i32,
    board: &'a Board,
    flipped: bool,
}

impl Draft<'_> {
    fn pixels(&self, cells: f32) -> i32 {
        (cells * self.size).round() as i32
    }

    /// The first pixel of the line through this column (or row) of points, counted from the upper left.
    fn line_at(&self, index: i32) -> i32 {
        self.lead + index * self.size as i32 - self.thickness / 2
    }

    fn groove(&mut self, x: i32, y: i32, width: i32, height: i32) {
        self.cuts.push(Cut::Groove(x, y, width, height));
    }

    fn line(&mut self, path: Option<Path>, pen: Option<f32>, strength: f32) {
        self.cuts.extend(path.map(|path| Cut::Line(path, pen, strength)));
    }

    fn label(&mut self, path: Option<Path>) {
        self.cuts.extend(path.map(Cut::Label));
    }

    fn grid(&mut self) {
        let (files, ranks) = (i32::from(self.board.files), i32::from(self.board.ranks));
        let t = self.thickness;
        if self.board.grid == Grid::Cells {
            return self.cells();
        }
        let (left, right) = (self.line_at(0), self.line_at(files - 1));
        let (top, bottom) = (self.line_at(0), self.line_at(ranks - 1));
        for rank in 0..ranks {
            let y = self.line_at(rank);
            self.groove(left, y, right - left + t, t);
        }
        // Ranks counted from the top of the picture.
        let river = match self.board.grid {
            Grid::River(rank) => Some(if self.flipped { i32::from(rank) } else { ranks - 2 - i32::from(rank) }),
            _ => None,
        };
        for file in 0..files {
            let x = self.line_at(file);
            let inner = file > 0 && file < files - 1;
            match river {
                Some(rank) if inner => {
                    let (upper, lower) = (self.line_at(rank), self.line_at(rank + 1));
                    self.groove(x, top, t, upper - top + t);
                    self.groove(x, lower, t, bottom - lower + t);
                }
                _ => self.groove(x, top, t, bottom - top + t),
            }
        }
        // The second, thicker line around a board with a river. Boards for stones have one thick border, like real
        // boards: a second line would go through the stones and sockets at the edge.
        if river.is_none() {
            let more = (t / 2).max(1);
            self.groove(left - more, top - more, right - left + t + 2 * more, more + t);
            self.groove(left - more, bottom, right - left + t + 2 * more, more + t);
            self.groove(left - more, top, t + more, bottom - top + t);
            self.groove(right, top, t + more, bottom - top + t);
            return;
        }
        let gap = self.pixels(0.085).max(t + 1);
        let heavy = (t as f32 * 1.5).round() as i32;
        let (x, y) = (left - gap - heavy + t.min(1) - 1, top - gap - heavy + t.min(1) - 1);
        let (w, h) = (right + t + gap + heavy - x, bottom + t + gap + heavy - y);
        self.groove(x, y, w, heavy);
        self.groove(x, y + h - heavy, w, heavy);
        self.groove(x, y + heavy, heavy, h - 2 * heavy);
        self.groove(x + w - heavy, y + heavy, heavy, h - 2 * heavy);
    }

    /// Lines between cells.
    fn cells(&mut self) {
        let (files, ranks) = (i32::from(self.board.files), i32::from(self.board.ranks));
        let half = (self.size / 2.0).round() as i32;
        let heavy = (self.thickness * 2).max(2);
        let edge = |index: i32| self.lead + index * self.size as i32 - half - heavy / 2;
        let (left, top) = (edge(0), edge(0));
        let (right, bottom) = (edge(files), edge(ranks));
        let lines: Vec<(i32, i32, i32, i32)> = (1..files)
            .map(|file| (edge(file), top, heavy, bottom - top + heavy))
            .chain((1..ranks).map(|rank| (left, edge(rank), right - left + heavy, heavy)))
            .collect();
        for (x, y, width, height) in lines {
            self.groove(x, y, width, height);
        }
    }

    /// The pixel centre of a place in files and ranks.
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let (files, ranks) = (f32::from(self.board.files.saturating_sub(1)), f32::from(self.board.ranks.saturating_sub(1)));
        let (column, row) = if self.flipped { (files - x, y) } else { (x, ranks - y) };
        let middle = self.lead as f32 + if self.thickness % 2 == 1 { 0.5 } else { 0.0 };
        (middle + column * self.size, middle + row * self.size)
    }

    fn segments(&mut self) {
        for &((ax, ay), (bx, by)) in &self.board.segments {
            let (a, b) = (self.place(f32::from(ax), f32::from(ay)), self.place(f32::from(bx), f32::from(by)));
            let mut builder = PathBuilder::new();
            builder.move_to(a.0, a.1);
            builder.line_to(b.0, b.1);
            self.line(builder.finish(), Some(self.thickness as f32), STRENGTH);
        }
    }

    /// Corner marks, stars and sockets.
    fn points(&mut self) {
        let board = self.board;
        let (files, ranks) = (i32::from(board.files), i32::from(board.ranks));
        let t = self.thickness;
        let (gap, length) = (self.pixels(0.085).max(t + 1), self.pixels(0.17).max(t + 2));
        for &(x, y) in &board.corners {
            let column = if self.flipped { files - 1 - i32::from(x) } else { i32::from(x) };
            let row = if self.flipped { i32::from(y) } else { ranks - 1 - i32::from(y) };
            let (px, py) = (self.line_at(column), self.line_at(row));
            for right in [false, true] {
                if (right && column == files - 1) || (!right && column == 0) {
                    continue;
                }
                for below in [false, true] {
                    let cx = if right { px + t + gap } else { px - gap - t };
                    let cy = if below { py + t + gap } else { py - gap - t };
                    self.groove(if right { cx } else { cx - length + t }, cy, length, t);
                    self.groove(cx, if below { cy } else { cy - length + t }, t, length);
                }
            }
        }
        for &(x, y) in &board.stars {
            let (cx, cy) = self.place(f32::from(x), f32::from(y));
            self.circle(cx, cy, (self.size * 0.085).max(1.6 + t as f32 / 2.0));
        }
        if board.sockets {
            for y in 0..board.ranks {
                for x in 0..board.files {
                    let (cx, cy) = self.place(f32::from(x), f32::from(y));
                    self.cuts.push(Cut::Socket(cx, cy, self.size * 0.13));
                }
            }
        }
    }

    fn circle(&mut self, cx: f32, cy: f32, radius: f32) {
        self.line(PathBuilder::from_circle(cx, cy, radius), None, STRENGTH + 0.06);
    }

    fn inscriptions(&mut self) {
        for inscription in &self.board.inscriptions {
            let (x, y) = self.place(inscription.at.0, inscription.at.1);
            let turned = inscription.turned != self.flipped;
            self.line(glyph::centred(&inscription.glyph, Font::Kai, self.size * 0.62, x, y, turned), None, 0.7);
        }
    }

    fn labels(&mut self, labels: Labels, frame: i32, apron: i32) {
        if labels == Labels::None || self.size < 18.0 {
            return;
        }
        let (files, ranks) = (self.board.files, self.board.ranks);
        // Not too small to read, and not larger than the frame.
        let size = (self.size * 0.29).max(11.0).min((frame as f32 * 0.56).max(11.0));
        let by_side = matches!(labels, Labels::Numerals | Labels::Digits) && self.board.coordinates == Coordinates::Xiangqi;
        // The centre of the frame.
        let out = apron as f32 + frame as f32 / 2.0;
        let (left, top) = (self.lead as f32 - out, self.lead as f32 - out);
        let bottom = self.height as f32 - top;
        // The height of a digit is 0.73 of its em in the text font.
        let base = size * 0.73 / 2.0;
        for x in 0..files {
            let (px, _) = self.place(f32::from(x), 0.0);
            if by_side {
                let own = x + 1;
                let (first_y, second_y) = if self.flipped { (top, bottom) } else { (bottom, top) };
                let chinese = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
                if labels == Labels::Digits {
                    self.label(glyph::written(&(files - x).to_string(), Font::Text, size, px, first_y + base));
                } else if let Some(&word) = chinese.get(usize::from(files - own)) {
                    let path = glyph::centred(word, Font::Kai, size * 1.1, px, first_y, false);
                    self.label(path);
                }
                self.label(glyph::written(&own.to_string(), Font::Text, size, px, second_y + base));
                continue;
            }
            let word = match self.board.coordinates {
                Coordinates::Indices | Coordinates::Letters(_) | Coordinates::Xiangqi => letters(x),
            };
            self.label(glyph::written(&word, Font::Text, size, px, bottom + base));
        }
        if by_side {
            return;
        }
        let first = match self.board.coordinates {
            Coordinates::Letters(from) => from,
            Coordinates::Indices => 1,
            Coordinates::Xiangqi => 0,
        };
        for y in 0..ranks {
            let (_, py) = self.place(0.0, f32::from(y));
            self.label(glyph::written(&(u16::from(y) + u16::from(first)).to_string(), Font::Text, size, left, py + base));
        }
    }
}
