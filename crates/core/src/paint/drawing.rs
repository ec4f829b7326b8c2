//! Drawings made of paths alone, black on white, for print: written as SVG or PDF, or drawn as a picture of any size.

use super::canvas::Picture;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Pdf, Rect, Ref, TextStr};
use std::fmt::Write as _;
use std::io::Write as _;
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
    path: Path,
    /// The thickness of a pen with a round point; `None` fills the path.
    pen: Option<f32>,
    ink: Ink,
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
        self.shapes.extend(path.map(|path| Shape { path, pen, ink }));
    }

    /// Adds another drawing with its upper left corner at a place.
    pub(super) fn place(&mut self, other: &Drawing, x: f32, y: f32, scale: f32) {
        let moved = |shape: &Shape| {
            let path = shape.path.clone().transform(Transform::from_row(scale, 0.0, 0.0, scale, x, y))?;
            Some(Shape { path, pen: shape.pen.map(|pen| pen * scale), ink: shape.ink })
        };
        self.shapes.extend(other.shapes.iter().filter_map(moved));
    }

    /// The drawing as a picture whose longer side has so many pixels.
    pub fn picture(&self, pixels: u32) -> Picture {
        let scale = pixels.max(1) as f32 / self.width.max(self.height);
        let length = |units: f32| ((units * scale).round() as u32).max(1);
        let mut picture = Picture::clear(length(self.width), length(self.height));
        let Some(mut map) = Pixmap::new(picture.width, picture.height) else { return picture };
        map.fill(tiny_skia::Color::WHITE);
        let (to, mut paint) = (Transform::from_scale(scale, scale), Paint::default());
        for Shape { path, pen, ink } in &self.shapes {
            paint.set_color(if *ink == Ink::Black { tiny_skia::Color::BLACK } else { tiny_skia::Color::WHITE });
            match *pen {
                None => map.fill_path(path, &paint, FillRule::Winding, to, None),
                Some(width) => {
                    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
                    map.stroke_path(path, &paint, &stroke, to, None);
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
        for Shape { path, pen, ink } in &self.shapes {
            let ink = if *ink == Ink::Black { "#000" } else { "#fff" };
            let _ = match pen {
                None => write!(out, "<path fill=\"{ink}\" d=\""),
                Some(pen) => write!(out, "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\" d=\"", number(*pen)),
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

    /// The drawing as the content of a page.
    fn content(&self) -> Vec<u8> {
        let mut content = Content::new();
        // In a PDF `y` goes up.
        content.transform([1.0, 0.0, 0.0, -1.0, 0.0, round(self.height)]);
        content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        for Shape { path, pen, ink } in &self.shapes {
            let gray = if *ink == Ink::Black { 0.0 } else { 1.0 };
            match pen {
                None => content.set_fill_gray(gray),
                Some(pen) => content.set_stroke_gray(gray).set_line_width(round(*pen)),
            };
            let mut at = (0.0, 0.0);
            for segment in path.segments() {
                match segment {
                    PathSegment::MoveTo(p) => content.move_to(round(p.x), round(p.y)),
                    PathSegment::LineTo(p) => content.line_to(round(p.x), round(p.y)),
                    // As a cubic curve: a PDF has no others.
                    PathSegment::QuadTo(c, p) => {
                        let toward = |from: f32, c: f32| round(from + (c - from) * 2.0 / 3.0);
                        let (a, b) = ((toward(at.0, c.x), toward(at.1, c.y)), (toward(p.x, c.x), toward(p.y, c.y)));
                        content.cubic_to(a.0, a.1, b.0, b.1, round(p.x), round(p.y))
                    }
                    PathSegment::CubicTo(a, b, p) => {
                        content.cubic_to(round(a.x), round(a.y), round(b.x), round(b.y), round(p.x), round(p.y))
                    }
                    PathSegment::Close => content.close_path(),
                };
                if let PathSegment::MoveTo(p)
                | PathSegment::LineTo(p)
                | PathSegment::QuadTo(_, p)
                | PathSegment::CubicTo(_, _, p) = segment
                {
                    at = (p.x, p.y);
                }
            }
            if pen.is_some() {
                content.stroke()
            } else {
                content.fill_nonzero()
            };
        }
        content.finish().into_vec()
    }
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
    for (drawing, (page, content)) in pages.iter().zip(ids) {
        let mut writer = pdf.page(page);
        writer.media_box(Rect::new(0.0, 0.0, round(drawing.width), round(drawing.height)));
        writer.parent(tree).contents(content);
        writer.resources();
        writer.finish();
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        let bytes = drawing.content();
        // Nothing can go wrong where the bytes go into memory.
        let packed = packed.write_all(&bytes).and_then(|()| packed.finish()).unwrap_or_default();
        pdf.stream(content, &packed).filter(Filter::FlateDecode);
    }
    pdf.finish()
}

/// The two digits after the point that are written.
fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

fn number(value: f32) -> String {
    round(value).to_string()
}
