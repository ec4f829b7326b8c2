//! Writes pictures of every game's board, the pieces and the marks, for inspection.
//!
//! `cargo run --no-default-features --features paint --example paint -- <folder> [theme] [cell]`

use qiju_core::games;
use qiju_core::paint::*;
use qiju_core::rules::{Point, Side};
use qiju_core::table::{GameSheet, Piece, Setup, Shape};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().map_or("target/paint", String::as_str));
    let only = arguments.get(1).map(String::as_str).filter(|name| *name != "all");
    let cell: u32 = arguments.get(2).map_or(Ok(64), |text| text.parse())?;
    std::fs::create_dir_all(folder)?;
    let mut sheets: Vec<(String, GameSheet)> = Vec::new();
    for path in std::fs::read_dir("assets/games")?.chain(std::fs::read_dir(folder)?) {
        let path = path?.path();
        let Some(key) = path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(".game.ron")) else { continue };
        let text = std::fs::read_to_string(&path)?;
        sheets.push((key.to_owned(), GameSheet::parse(&path.display().to_string(), &text)?));
    }
    for &(key, text) in Theme::builtin() {
        if only.is_some_and(|name| name != key) {
            continue;
        }
        let theme = Theme::parse(key, text)?;
        for (game, sheet) in &sheets {
            for set in [PieceSet::Characters, PieceSet::Western] {
                if sheet.shape != Shape::Disc && set == PieceSet::Western {
                    continue;
                }
                let start = Instant::now();
                let table = table(sheet, &theme, set, cell);
                println!("{key} {game} {set:?} {} x {}: {:?}", table.width, table.height, start.elapsed());
                save(&table, &folder.join(format!("{key}-{game}-{set:?}-{cell}.png")))?;
            }
        }
        for entry in games::REGISTRY {
            let (sheet, played) = (entry.sheet()?, entry.table(&Setup::default())?);
            let on = sheet.board(played.size()).ok_or("no board of this size")?;
            for (set, name) in [(PieceSet::Characters, "characters"), (PieceSet::Western, "western")] {
                let look = BoardLook { flipped: false, labels: Labels::None };
                let small = PositionPainter::new(&sheet, on, &theme, set, &look, 240).picture(&played.pieces(), &[]);
                save(&small, &folder.join(format!("{key}-{}-{name}-small.png", entry.key)))?;
            }
        }
        save(&desk(&theme, 1280, 800), &folder.join(format!("{key}-desk.png")))?;
        let mut sheet = Sheet::new(desk(&theme, 12 * cell, 3 * cell));
        for (i, kind) in (0..).zip(Mark::ALL) {
            sheet.lay(&mark(kind, &theme, cell), (cell * i + cell) as f32, cell as f32);
        }
        save(&sheet.0, &folder.join(format!("{key}-marks.png")))?;
    }
    for &(key, text) in Theme::builtin() {
        let theme = Theme::parse(key, text)?;
        // The best of five, because the machine may be busy.
        let best = |work: &dyn Fn()| {
            let times = (0..5).map(|_| {
                let start = Instant::now();
                work();
                start.elapsed()
            });
            times.min().unwrap_or_default()
        };
        let full = best(&|| drop(desk(&theme, 1920, 1080)));
        let (_, sheet) = sheets.iter().find(|(game, _)| game == "xiangqi").ok_or("no xiangqi sheet")?;
        let look = BoardLook { flipped: false, labels: Labels::Numerals };
        let whole = best(&|| drop(board(&sheet.boards[0], &theme, 64, &look)));
        let pieces = best(&|| {
            for side in Side::BOTH {
                for role in 0..7 {
                    piece(sheet, Piece { side, role }, &theme, PieceSet::Characters, 58, 1);
                }
            }
        });
        println!("{key}: desk of 1920 x 1080 {full:?}, xiangqi board at 64 {whole:?}, its 14 pieces {pieces:?}");
    }
    // The icons in assets/linux/icons are made here.
    for size in [16, 32, 48, 128, 256] {
        save(&icon(size), &folder.join(format!("{size}.png")))?;
    }
    Ok(())
}

/// A game's first board on the desk, with many pieces and all marks.
fn table(sheet: &GameSheet, theme: &Theme, set: PieceSet, cell: u32) -> Picture {
    let on = sheet.boards.last().expect("a game has a board");
    let look = BoardLook { flipped: false, labels: Labels::Numerals };
    let start = Instant::now();
    let painted = board(on, theme, cell, &look);
    let board_time = start.elapsed();
    let diameter = qiju_core::paint::diameter(cell, on.piece);
    let start = Instant::now();
    let mut out = Sheet::new(desk(theme, painted.picture.width, painted.picture.height));
    let desk_time = start.elapsed();
    out.lay(&painted.picture, painted.picture.width as f32 / 2.0, painted.picture.height as f32 / 2.0);
    let start = Instant::now();
    let kinds: Vec<Picture> = Side::BOTH
        .into_iter()
        .flat_map(|side| (0..sheet.roles.len() as u8).map(move |role| Piece { side, role }))
        .map(|m| piece(sheet, m, theme, set, diameter, u64::from(m.role)))
        .collect();
    println!("  board {board_time:?}, desk {desk_time:?}, {} pieces of {diameter}: {:?}", kinds.len(), start.elapsed());
    let pieces = pieces(sheet, on.files, on.ranks);
    let lay = |out: &mut Sheet, picture: &Picture, point: Point| {
        let (x, y) = painted.at(point);
        out.lay(picture, x, y);
    };
    let marks: &[(Mark, u8, u8)] = if sheet.shape == Shape::Disc {
        &[
            (Mark::LastMove, 1, 2),
            (Mark::LastMove, 4, 2),
            (Mark::Selected, 7, 2),
            (Mark::Target, 7, 4),
            (Mark::Target, 7, 5),
            (Mark::Check, 4, 9),
        ]
    } else {
        &[(Mark::Forbidden, 0, 0), (Mark::Forbidden, 3, 3), (Mark::Target, 1, 0), (Mark::Hint, 0, 2)]
    };
    for &(kind, x, y) in marks {
        lay(&mut out, &mark(kind, theme, cell), Point::new(x, y));
    }
    if sheet.shape != Shape::Mark {
        let dark = shadow(theme, diameter, Height::Resting);
        for &(point, _) in &pieces {
            lay(&mut out, &dark, point);
        }
    }
    for (identity, &(point, which)) in (0..).zip(&pieces) {
        lay(&mut out, &piece(sheet, which, theme, set, diameter, identity), point);
    }
    if sheet.shape == Shape::Disc {
        lay(&mut out, &mark(Mark::Capture, theme, cell), Point::new(7, 7));
        lay(&mut out, &mark(Mark::Cursor, theme, cell), Point::new(7, 4));
        let (x, y) = painted.at(Point::new(7, 2));
        let lifted = qiju_core::paint::diameter(cell, on.piece * 1.06);
        out.lay(&shadow(theme, lifted, Height::Lifted), x, y);
        out.lay(&piece(sheet, Piece { side: Side::First, role: 5 }, theme, set, lifted, 3), x, y);
        for (rank, file, files) in [(0, 0, 3), (1, 4, 2), (2, 6, 2)] {
            let picture = arrow(theme.ranks[rank], files * cell, (0.16 * cell as f32) as u32);
            let (x, y) = painted.at(Point::new(file, 3));
            out.lay(&picture, x + (files * cell) as f32 / 2.0, y);
        }
    } else {
        for (number_of, &(point, which)) in (1..).zip(&pieces).skip(2) {
            lay(&mut out, &number(sheet, which, theme, number_of * 3, false, diameter), point);
        }
        if let Some(&(point, _)) = pieces.last() {
            lay(&mut out, &mark(Mark::LastStone, theme, cell), point);
        }
    }
    out.0
}

fn pieces(sheet: &GameSheet, files: u8, ranks: u8) -> Vec<(Point, Piece)> {
    if sheet.shape == Shape::Disc {
        let back = ["chariot", "horse", "elephant", "advisor", "general", "advisor", "elephant", "horse", "chariot"];
        let role = |key: &str| sheet.roles.iter().position(|r| r.key == key).unwrap_or(0) as u8;
        let mut pieces = Vec::new();
        for (side, flip) in [(Side::First, false), (Side::Second, true)] {
            let mut put = |x: u8, y: u8, key: &str| {
                pieces.push((Point::new(x, if flip { ranks - 1 - y } else { y }), Piece { side, role: role(key) }));
            };
            for (x, key) in (0..).zip(back) {
                put(x, 0, key);
            }
            put(if flip { 1 } else { 4 }, 2, "cannon");
            put(7, 2, "cannon");
            for x in [0, 2, 4, 6, 8] {
                put(x, 3, "soldier");
            }
        }
        return pieces;
    }
    let mut seed = 12345_u32;
    let mut next = |n: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % n
    };
    let mut pieces: Vec<(Point, Piece)> = Vec::new();
    let count = (u32::from(files) * u32::from(ranks) / 3).min(40);
    for i in 0..count {
        let spread = |n: u8, a: u32, b: u32| (u32::from(n) * (a + b) / 64) as u8;
        let point = Point::new(spread(files, next(32), next(32)), spread(ranks, next(32), next(32)));
        if pieces.iter().all(|&(p, _)| p != point) {
            pieces.push((point, Piece { side: Side::BOTH[i as usize % 2], role: 0 }));
        }
    }
    pieces
}

struct Sheet(Picture);

impl Sheet {
    fn new(ground: Picture) -> Sheet {
        Sheet(ground)
    }

    /// Draws a picture centred at a place, like the window.
    fn lay(&mut self, picture: &Picture, x: f32, y: f32) {
        let (left, top) = ((x - picture.width as f32 / 2.0).round() as i32, (y - picture.height as f32 / 2.0).round() as i32);
        for py in 0..picture.height {
            for px in 0..picture.width {
                let (gx, gy) = (left + px as i32, top + py as i32);
                if gx < 0 || gy < 0 || gx >= self.0.width as i32 || gy >= self.0.height as i32 {
                    continue;
                }
                let [r, g, b, a] = picture.pixel(px, py);
                let at = (gy as usize * self.0.width as usize + gx as usize) * 4;
                // Blended in linear light, like in the window.
                let alpha = f32::from(a) / 255.0;
                for (i, v) in [r, g, b].into_iter().enumerate() {
                    let light = |v: u8| (f32::from(v) / 255.0).powf(2.2);
                    let mixed = light(v) * alpha + light(self.0.rgba[at + i]) * (1.0 - alpha);
                    self.0.rgba[at + i] = (mixed.powf(1.0 / 2.2) * 255.0 + 0.5) as u8;
                }
            }
        }
    }
}

fn save(picture: &Picture, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut map = tiny_skia::Pixmap::new(picture.width, picture.height).ok_or("too large")?;
    for (pixel, bytes) in map.pixels_mut().iter_mut().zip(picture.rgba.chunks_exact(4)) {
        *pixel = tiny_skia::ColorU8::from_rgba(bytes[0], bytes[1], bytes[2], bytes[3]).premultiply();
    }
    map.save_png(path)?;
    Ok(())
}
