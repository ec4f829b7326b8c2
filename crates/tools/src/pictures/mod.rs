//! Trains the network that names pieces in pictures of boards (`qiju_core::vision`): boards are drawn in endlessly many looks, blurred and
//! worn like pictures of the world, and the squares around their points are learnt. Some boards are held out.
//!
//! Boards come from our own painter, except for the theme [`HELD_OUT`], which the tests of the core read, and from [`look`], which draws a new
//! look for every board, with the fonts in the folders that are named.

mod look;
mod model;
mod worn;

use crate::training::Unfit;
use crate::training::descent::{self, Objective, Plan, Telling};
use look::{Faces, Scene};
use qiju_core::games;
use qiju_core::paint::{BoardLook, Labels, Mark, PieceSet, PositionPainter, Theme};
use qiju_core::rules::Point;
use qiju_core::rules::zobrist::mix;
use qiju_core::table::{Board, GameSheet, Grid, Piece};
use qiju_core::terminal::{Failure, aside};
use qiju_core::vision::network::{CLASSES, Network};
use qiju_core::vision::patch::{INPUTS, Patch};
use qiju_core::vision::raster::Raster;
use qiju_core::vision::{OTHER, class_of, classes, empty_class};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The theme that the network never learns from.
const HELD_OUT: &str = "walnut";
/// One board of so many is drawn by our painter.
const PAINTED: usize = 6;
/// One board of so many is held out.
const TESTED: usize = 20;
/// The part of the steps in which the learning rate rises.
const WARMING: f64 = 0.05;

/// Trains the network that reads pictures of boards.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folders with fonts that have Chinese characters
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    fonts: Vec<PathBuf>,
    /// The folder for the checkpoint, the loss curves and the network
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The number of boards to draw
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    boards: u32,
    /// The number of passes over all points
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// The seed of the boards, the initial weights and the order of points
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Only draw some boards as PNG into the folder, to look at them
    #[arg(long, value_name = "N", default_value_t = 0)]
    show: u32,
}

/// What is on a board: its lines, its game, and what stands on each point.
pub struct Content<'a> {
    sheet: &'a GameSheet,
    board: &'a Board,
    pieces: Vec<(Point, Piece)>,
}

/// A drawn board: the picture, and where its points are.
pub struct Drawn {
    raster: Raster,
    /// The middle of each point, and its class.
    points: Vec<((f32, f32), usize)>,
    /// Pixels to the next point on the right and below.
    cell: (f32, f32),
}

/// What is measured around a point, and what stands there.
struct Sample {
    inputs: Box<[f32; INPUTS]>,
    class: u8,
    /// The number of its list of possible classes.
    game: u8,
}

/// The points of all boards.
struct Points {
    possible: Vec<[bool; CLASSES]>,
    learnt: Vec<Sample>,
    held_out: Vec<Sample>,
    threads: usize,
}

impl Sample {
    /// The inputs when they are learnt: some are missing.
    fn worn(&self, noise: u64) -> [f32; INPUTS] {
        let mut random = fastrand::Rng::with_seed(noise);
        let mut bits = 0u64;
        std::array::from_fn(|at| {
            if at % 16 == 0 {
                bits = random.u64(..);
            }
            bits >>= 4;
            if bits & 15 == 0 { 0.0 } else { self.inputs[at] }
        })
    }
}

impl Points {
    fn possible(&self, sample: &Sample) -> &[bool; CLASSES] {
        &self.possible[usize::from(sample.game)]
    }

    /// The sum of a number over the points held out, divided by how many they are.
    fn mean(&self, of: &(dyn Fn(&Sample) -> f64 + Sync)) -> f64 {
        let sum = descent::total(self.held_out.len(), self.threads, &|range| self.held_out[range].iter().map(of).sum());
        sum / self.held_out.len().max(1) as f64
    }
}

impl Objective for Points {
    fn examples(&self) -> usize {
        self.learnt.len()
    }

    fn learn(&self, weights: &[f32], examples: &[u32], noise: u64, slopes: &mut [f32]) -> f64 {
        let learn = |&at: &u32| {
            let sample = &self.learnt[at as usize];
            let inputs = sample.worn(mix(noise ^ u64::from(at)));
            model::learn(weights, &inputs, self.possible(sample), usize::from(sample.class), slopes)
        };
        examples.iter().map(learn).sum()
    }

    fn held_out(&self, weights: &[f32]) -> Option<f64> {
        Some(self.mean(&|sample| model::judge(weights, &sample.inputs, self.possible(sample), usize::from(sample.class)).1))
    }

    fn slices(&self) -> usize {
        4
    }

    fn rate(&self, done: f64) -> f64 {
        let falling = (done - WARMING).max(0.0) / (1.0 - WARMING);
        descent::cosine(falling) * (done / WARMING).clamp(0.02, 1.0)
    }
}

/// The games that are learnt, with how many boards of a hundred each has.
const SHARES: [(&str, usize); 4] = [("xiangqi", 62), ("gomoku", 24), ("two-eat-one", 7), ("tic-tac-toe", 7)];

/// What all boards are made of.
struct Maker {
    sheets: Vec<GameSheet>,
    themes: Vec<Theme>,
    faces: Faces,
    seed: u64,
}

impl Maker {
    fn new(args: &Args) -> Result<Maker, Failure> {
        let sheets = SHARES.iter().map(|(key, _)| Ok(games::find(key)?.sheet()?)).collect::<Result<Vec<_>, Failure>>()?;
        let themes = Theme::builtin().iter().filter(|(key, _)| *key != HELD_OUT).map(|(key, text)| Theme::parse(key, text));
        let themes = themes.collect::<Result<Vec<_>, _>>()?;
        let faces = Faces::load(&args.fonts).map_err(Failure::usage)?;
        aside(&format!("{} fonts have the characters of the pieces", faces.len()));
        Ok(Maker { sheets, themes, faces, seed: args.seed })
    }

    /// The board with this number, and the number of its game.
    fn board(&self, number: usize) -> (Drawn, usize) {
        let mut random = fastrand::Rng::with_seed(mix(self.seed ^ mix(number as u64)));
        let mut share = random.usize(0..100);
        let game = SHARES.iter().position(|(_, of)| {
            let here = share < *of;
            share = share.saturating_sub(*of);
            here
        });
        let game = game.unwrap_or(0);
        let sheet = &self.sheets[game];
        let board = &sheet.boards[random.usize(0..sheet.boards.len())];
        let content = content(sheet, board, &mut random);
        let painted = number.is_multiple_of(PAINTED);
        let scene = if painted { self.painted(&content, &mut random) } else { look::draw(&content, &self.faces, &mut random) };
        let Scene { picture, origin, cell } = scene;
        let (picture, scale) = worn::wear(picture, cell.0.min(cell.1), &mut random);
        let place = |x: u8, y: u8| ((origin.0 + f32::from(x) * cell.0) * scale, (origin.1 + f32::from(y) * cell.1) * scale);
        let points = (0..board.ranks).flat_map(|y| (0..board.files).map(move |x| (x, y)));
        let points = points.map(|(x, y)| {
            let at = Point::new(x, board.ranks - 1 - y);
            let piece = content.pieces.iter().find(|(point, _)| *point == at);
            (place(x, y), piece.map_or(empty_class(board.grid), |(_, piece)| class_of(sheet.shape, *piece)))
        });
        let drawn = Drawn { points: points.collect(), raster: Raster::of(&picture), cell: (cell.0 * scale, cell.1 * scale) };
        (drawn, game)
    }

    /// A board by our own painter.
    fn painted(&self, content: &Content, random: &mut fastrand::Rng) -> Scene {
        let theme = &self.themes[random.usize(0..self.themes.len())];
        let set = if random.bool() { PieceSet::Western } else { PieceSet::Characters };
        let labels = [Labels::Letters, Labels::Numerals, Labels::None][random.usize(0..3)];
        let board = content.board;
        let cell = look::cell_size(random).min(40.0);
        let size = (cell * (f32::from(board.files.max(board.ranks)) + 2.0)) as u32;
        let painter = PositionPainter::new(content.sheet, board, theme, set, &BoardLook { flipped: false, labels }, size);
        let mut marks = Vec::new();
        for mark in Mark::ALL {
            if random.u8(0..4) == 0 {
                marks.push((mark, Point::new(random.u8(0..board.files), random.u8(0..board.ranks))));
            }
        }
        let picture = painter.picture(&content.pieces, &marks);
        let (origin, next) = (painter.at(Point::new(0, board.ranks - 1)), painter.at(Point::new(1, board.ranks - 2)));
        Scene { picture, origin, cell: (next.0 - origin.0, next.1 - origin.1) }
    }
}

/// Random pieces on a board, each kind as often.
fn content<'a>(sheet: &'a GameSheet, board: &'a Board, random: &mut fastrand::Rng) -> Content<'a> {
    let kinds: Vec<Piece> = sheet.kinds().collect();
    let full = [0.15, 0.35, 0.55, 0.7][random.usize(0..4)];
    let mut pieces = Vec::new();
    for at in (0..board.files).flat_map(|x| (0..board.ranks).map(move |y| Point::new(x, y))) {
        if random.f32() < full {
            pieces.push((at, kinds[random.usize(0..kinds.len())]));
        }
    }
    Content { sheet, board, pieces }
}

/// The squares around the points of a board, a little beside their middles, and some that are no points.
fn samples(drawn: &Drawn, game: usize, grid: Grid, random: &mut fastrand::Rng) -> Vec<Sample> {
    let mut out = Vec::new();
    let (width, height) = drawn.cell;
    let mut take = |at: (f32, f32), scale: f32, class: usize, random: &mut fastrand::Rng| {
        let mut shake = |reach: f32| (random.f32() * 2.0 - 1.0) * reach;
        let (turn, wide, high) = (shake(0.05), scale * (1.0 + shake(0.05)), scale * (1.0 + shake(0.05)));
        let at = (at.0 + shake(0.06) * width, at.1 + shake(0.06) * height);
        let (right, down) = ((width * wide, width * wide * turn), (-height * high * turn, height * high));
        let Patch(inputs) = Patch::of(&drawn.raster, at, right, down);
        out.push(Sample { inputs, class: class as u8, game: game as u8 });
    };
    // Large boards have more points than can be learnt from; most are empty.
    let keep = (90.0 / drawn.points.len() as f32).min(1.0);
    for &(at, class) in &drawn.points {
        let empty = class == empty_class(grid);
        if random.f32() < keep * if empty { 0.6 } else { 1.0 } {
            take(at, 1.0, class, random);
        }
        if random.f32() < keep * 0.14 {
            let half = [(0.5, 0.5), (0.5, 0.0), (0.0, 0.5), (0.35, 0.35)][random.usize(0..4)];
            let beside = (at.0 + half.0 * width, at.1 + half.1 * height);
            // Between cells there is nothing but lines, between points nothing but cells; the scale is wrong, too.
            match random.u8(0..4) {
                0 => take(at, [0.45, 0.55, 1.8, 2.2][random.usize(0..4)], OTHER, random),
                _ => take(beside, 1.0, OTHER, random),
            }
        }
    }
    let (wide, high) = (drawn.raster.width as f32, drawn.raster.height as f32);
    for _ in 0..3 {
        // Mostly beside the board.
        let at =
            [(random.f32() * wide, 0.2 * height), (0.2 * width, random.f32() * high), (random.f32() * wide, high - 0.2 * height)];
        take(at[random.usize(0..3)], 1.0, OTHER, random);
    }
    out
}

/// Draws all boards.
fn points(maker: &Maker, boards: usize, threads: usize) -> Points {
    let next = AtomicUsize::new(0);
    let parts = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= boards {
                        return;
                    }
                    let (drawn, game) = maker.board(number);
                    let mut random = fastrand::Rng::with_seed(mix(maker.seed ^ mix(!(number as u64))));
                    let taken = samples(&drawn, game, maker.sheets[game].boards[0].grid, &mut random);
                    parts.lock().expect("nobody panics").push((number, taken));
                }
            });
        }
    });
    let mut parts = parts.into_inner().expect("nobody panics");
    parts.sort_by_key(|(number, _)| *number);
    let possible = maker.sheets.iter().map(|sheet| classes(sheet, sheet.boards[0].grid)).collect();
    let mut points = Points { possible, learnt: Vec::new(), held_out: Vec::new(), threads };
    for (number, taken) in parts {
        if number % TESTED == 1 { &mut points.held_out } else { &mut points.learnt }.extend(taken);
    }
    points
}

/// Trains, and writes the network.
fn train(args: &Args, points: &Points, report: &mut dyn Write) -> Result<(), Unfit> {
    let plan = Plan {
        epochs: args.epochs.into(),
        batch: 128,
        rate: 2e-3,
        decay: 0.03,
        seed: args.seed,
        threads: args.threads.into(),
        out: args.out.clone(),
    };
    let weights = model::initial(&mut fastrand::Rng::with_seed(args.seed));
    let telling = Telling { checkpoint: "checkpoint", name: "pictures of boards".to_owned(), every: 1, chart: None };
    let weights = descent::descend(points, weights, &plan, &telling, report)?;
    let right = points.mean(&|sample| {
        let right = usize::from(sample.class);
        f64::from(u8::from(model::judge(&weights, &sample.inputs, points.possible(sample), right).0 == right))
    });
    writeln!(report, "right on {:.2} % of the points held out", 100.0 * right)?;
    let path = args.out.join("pictures.network");
    std::fs::write(&path, Network::file(&weights))?;
    writeln!(report, "{} written", path.display())?;
    Ok(())
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if !args.out.is_dir() {
        return Err(Failure::usage(format!("--out {}: there is no such folder", args.out.display())));
    }
    let maker = Maker::new(args)?;
    if args.show > 0 {
        for number in 0..args.show as usize {
            let path = args.out.join(format!("board-{number}.png"));
            let file =
                qiju_core::paint::png(&maker.board(number).0.raster.picture()).map_err(|why| Failure::work(why.to_string()))?;
            std::fs::write(&path, file).map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
        }
        return Ok(());
    }
    let points = points(&maker, args.boards as usize, args.threads.into());
    let mut report = io::stderr();
    let (learnt, held_out) = (points.learnt.len(), points.held_out.len());
    aside(&format!("{} boards: {learnt} points to learn from, {held_out} held out", args.boards));
    Ok(train(args, &points, &mut report)?)
}
