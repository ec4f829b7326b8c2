//! Drawings made of paths alone, black on white, for print: written as SVG or PDF, or drawn as a picture of any size.

use super::canvas::Picture;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathSegment, Pixmap, Stroke, Transform};

/// The colour of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    White,
}

impl Ink {
    /// Black on white, white on black.
    pub fn on(ground: Ink) -> Ink {
        if ground == Ink::Black { Ink::White } else { Ink::Black }
    }
}

#[derive(Clone, Debug)]
struct Shape {
    /// Shared by all its copies.
    path: Arc<Path>,
    /// The thickness of a pen with a round point; `None` fills the path.
    pen: Option<f32>,
    ink: Ink,
    /// Where the path's point (0, 0) is, and how much the path and the pen are enlarged.
    at: (f32, f32, f32),
}

impl Shape {
    /// The path in its place, and the thickness of the pen there.
    fn placed(&self) -> (Option<Path>, Option<f32>) {
        let (x, y, scale) = self.at;
        let path = Path::clone(&self.path).transform(Transform::from_row(scale, 0.0, 0.0, scale, x, y));
        (path, self.pen.map(|pen| pen * scale))
    }
}

/// Paths on a white ground, one over the other; `y` goes down.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Its width, in units.
    pub width: f32,
    /// Its height, in units.
    pub height: f32,
    shapes: Vec<Shape>,
}

impl Drawing {
    pub(super) fn new(width: f32, height: f32) -> Drawing {
        Drawing { width, height, shapes: Vec::new() }
    }

    /// Adds a path, filled or drawn with a pen of this thickness.
    pub(super) fn add(&mut self, path: Option<Path>, pen: Option<f32>, ink: Ink) {
        self.shapes.extend(path.map(|path| Shape { path: Arc::new(path), pen, ink, at: (0.0, 0.0, 1.0) }));
    }

    /// Adds another drawing with its upper left corner at a place.
    pub(super) fn place(&mut self, other: &Drawing, x: f32, y: f32, scale: f32) {
        let moved = |shape: &Shape| {
            let (own_x, own_y, own) = shape.at;
            Shape { at: (x + own_x * scale, y + own_y * scale, own * scale), ..shape.clone() }
        };
        self.shapes.extend(other.shapes.iter().map(moved));
    }

    /// The drawing as a picture whose longer side has so many pixels.
    pub fn picture(&self, pixels: u32) -> Picture {
        let scale = pixels.max(1) as f32 / self.width.max(self.height);
        let length = |units: f32| ((units * scale).round() as u32).max(1);
        let mut picture = Picture::clear(length(self.width), length(self.height));
        let Some(mut map) = Pixmap::new(picture.width, picture.height) else { return picture };
        map.fill(tiny_skia::Color::WHITE);
        let (to, mut paint) = (Transform::from_scale(scale, scale), Paint::default());
        for shape in &self.shapes {
            let (Some(path), pen) = shape.placed() else { continue };
            paint.set_color(if shape.ink == Ink::Black { tiny_skia::Color::BLACK } else { tiny_skia::Color::WHITE });
            match pen {
                None => map.fill_path(&path, &paint, FillRule::Winding, to, None),
                Some(width) => {
                    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
                    map.stroke_path(&path, &paint, &stroke, to, None);
                }
            }
        }
        // The ground is opaque, so nothing is premultiplied.
        picture.rgba = map.take();
        picture
    }

    /// The drawing as a file of SVG. It has no texts and needs no fonts: characters are outlines.
    pub fn svg(&self) -> String {
        let (width, height) = (number(self.width), number(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<path fill=\"#fff\" d=\"M0 0H{width}V{height}H0Z\"/>\n"
        );
        for shape in &self.shapes {
            let (Some(path), pen) = shape.placed() else { continue };
            let ink = if shape.ink == Ink::Black { "#000" } else { "#fff" };
            let _ = match pen {
                None => write!(out, "<path fill=\"{ink}\" d=\""),
                Some(pen) => write!(out, "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\" d=\"", number(pen)),
            };
            for segment in path.segments() {
                let (letter, points) = match segment {
                    PathSegment::MoveTo(p) => ('M', vec![p]),
                    PathSegment::LineTo(p) => ('L', vec![p]),
                    PathSegment::QuadTo(a, p) => ('Q', vec![a, p]),
                    PathSegment::CubicTo(a, b, p) => ('C', vec![a, b, p]),
                    PathSegment::Close => ('Z', vec![]),
                };
                let numbers: Vec<String> = points.iter().flat_map(|p| [number(p.x), number(p.y)]).collect();
                out.push(letter);
                out.push_str(&numbers.join(" "));
            }
            out.push_str("\"/>\n");
        }
        out.push_str("</svg>\n");
        out
    }

    /// The drawing as the content of a page on which these paths are kept under names.
    fn content(&self, kept: &Kept) -> Vec<u8> {
        let mut content = Content::new();
        // In a PDF `y` goes up.
        content.transform([1.0, 0.0, 0.0, -1.0, 0.0, round(self.height)]);
        content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        for shape in &self.shapes {
            let gray = if shape.ink == Ink::Black { 0.0 } else { 1.0 };
            if shape.pen.is_none() {
                content.set_fill_gray(gray)
            } else {
                content.set_stroke_gray(gray)
            };
            match kept.get(&key(shape)) {
                Some((name, ..)) => {
                    let (x, y, scale) = shape.at;
                    // Four digits of the scale: characters have a thousand units.
                    let scale = (scale * 10_000.0).round() / 10_000.0;
                    content.save_state().transform([scale, 0.0, 0.0, scale, round(x), round(y)]);
                    content.x_object(Name(name.as_bytes())).restore_state();
                }
                None => {
                    let (Some(path), pen) = shape.placed() else { continue };
                    draw(&mut content, &path, pen);
                }
            }
        }
        content.finish().into_vec()
    }
}

/// Paths that a PDF has more than once: each is written once, with a name and a number.
/// The addresses of paths say nothing about their order.
type Kept<'a> = HashMap<(usize, u32), (String, Ref, &'a Shape)>;

/// What is the same in all copies of a path.
fn key(shape: &Shape) -> (usize, u32) {
    (Arc::as_ptr(&shape.path) as usize, shape.pen.unwrap_or(0.0).to_bits())
}

/// Writes a path and draws it in the current colour.
fn draw(content: &mut Content, path: &Path, pen: Option<f32>) {
    if let Some(pen) = pen {
        content.set_line_width(round(pen));
    }
    let mut at = tiny_skia::Point::zero();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => content.move_to(round(p.x), round(p.y)),
            PathSegment::LineTo(p) => content.line_to(round(p.x), round(p.y)),
            // As a cubic curve: a PDF has no others.
            PathSegment::QuadTo(c, p) => {
                let toward = |from: f32, c: f32| round(from + (c - from) * 2.0 / 3.0);
                let (a, b) = ((toward(at.x, c.x), toward(at.y, c.y)), (toward(p.x, c.x), toward(p.y, c.y)));
                content.cubic_to(a.0, a.1, b.0, b.1, round(p.x), round(p.y))
            }
            PathSegment::CubicTo(a, b, p) => {
                content.cubic_to(round(a.x), round(a.y), round(b.x), round(b.y), round(p.x), round(p.y))
            }
            PathSegment::Close => content.close_path(),
        };
        if let PathSegment::MoveTo(p) | PathSegment::LineTo(p) | PathSegment::QuadTo(_, p) | PathSegment::CubicTo(_, _, p) =
            segment
        {
            at = p;
        }
    }
    if pen.is_some() {
        content.stroke()
    } else {
        content.fill_nonzero()
    };
}

/// Drawings as the pages of a PDF; a unit is a point (1/72 inch). It has no fonts: characters are outlines.
pub fn pdf(title: &str, pages: &[Drawing]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut next = 1..;
    let mut reference = || Ref::new(next.next().unwrap_or(i32::MAX));
    let (catalog, tree, info) = (reference(), reference(), reference());
    pdf.catalog(catalog).pages(tree);
    pdf.document_info(info).title(TextStr(title)).producer(TextStr("Qiju"));
    let ids: Vec<(Ref, Ref)> = pages.iter().map(|_| (reference(), reference())).collect();
    pdf.pages(tree).kids(ids.iter().map(|(page, _)| *page)).count(pages.len() as i32);

    let shapes = || pages.iter().flat_map(|page| &page.shapes);
    let mut copies = HashMap::new();
    shapes().for_each(|shape| *copies.entry(key(shape)).or_insert(0) += 1);
    let mut kept = Kept::new();
    for shape in shapes().filter(|shape| copies[&key(shape)] > 1) {
        let name = format!("P{}", kept.len());
        kept.entry(key(shape)).or_insert_with(|| (name, reference(), shape));
    }
    let mut forms: Vec<&(String, Ref, &Shape)> = kept.values().collect();
    forms.sort_by_key(|(_, id, _)| id.get());
    for (_, id, Shape { path, pen, .. }) in &forms {
        let mut content = Content::new();
        draw(&mut content, path, *pen);
        let packed = packed(&content.finish());
        let (bounds, edge) = (path.bounds(), pen.unwrap_or(0.0) + 1.0);
        let (left, top) = (round(bounds.left() - edge), round(bounds.top() - edge));
        let mut form = pdf.form_xobject(*id, &packed);
        form.bbox(Rect::new(left, top, round(bounds.right() + edge), round(bounds.bottom() + edge)));
        form.filter(Filter::FlateDecode);
    }
    for (drawing, (page, content)) in pages.iter().zip(ids) {
        let used: HashSet<_> = drawing.shapes.iter().map(key).collect();
        let mut writer = pdf.page(page);
        writer.media_box(Rect::new(0.0, 0.0, round(drawing.width), round(drawing.height)));
        writer.parent(tree).contents(content);
        let mut resources = writer.resources();
        let named = forms.iter().filter(|(.., shape)| used.contains(&key(shape)));
        resources.x_objects().pairs(named.map(|(name, id, _)| (Name(name.as_bytes()), *id)));
        resources.finish();
        writer.finish();
        pdf.stream(content, &packed(&drawing.content(&kept))).filter(Filter::FlateDecode);
    }
    pdf.finish()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    // Nothing can go wrong where the bytes go into memory.
    packed.write_all(bytes).and_then(|()| packed.finish()).unwrap_or_default()
}

/// The two digits after the point that are written.
fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

fn number(value: f32) -> String {
    round(value).to_string()
}
