//! Tests the real program in a real window: a match is played with real mouse events on a virtual screen with software Vulkan, and
//! the pieces are read from a screenshot.
//!
//! It needs Xvfb, `xdotool`, ImageMagick's `import`, and for the screen reader D-Bus with AT-SPI; `scripts/test` installs them. On a
//! machine without them, set `QIJU_SKIP_WINDOW=1` to skip this test.
#![cfg(feature = "gui")]

mod display;
#[cfg(target_os = "linux")]
#[path = "display/screen_reader.rs"]
mod screen_reader;

use bevy::math::Vec2;
use display::Display;
use qiju::app::kept::Kept;
use qiju::app::layout::Layout;
use qiju::app::settings::Settings;
use qiju::app::words::Language;
use qiju_core::paint::{BoardLook, BoardPicture, Labels, Picture, PieceSet, Theme};
use qiju_core::rules::{Point, Side};
use qiju_core::table::{GameSheet, Piece, Setup, Table};
use qiju_core::{games, paint};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SIZE: (u32, u32) = (1280, 800);

/// A virtual screen, the program on it, and its folder.
struct Screen {
    display: Display,
    folder: tempfile::TempDir,
    program: Option<Child>,
    /// The bus of those who read the window for somebody; by default there is none.
    bus: String,
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Screen {
    fn new() -> Screen {
        Screen { display: Display::new(), folder: tempfile::tempdir().unwrap(), program: None, bus: "unix:path=/nowhere".into() }
    }

    /// Starts the program with these arguments and waits for its window.
    fn start(&mut self, arguments: &[&str]) {
        let settings =
            Settings { language: Some(Language::Zh), speed: 2.0, window: SIZE, free_take_backs: true, ..Settings::default() };
        let home = qiju::app::home::Home(self.folder.path().to_path_buf());
        settings.save(&home).unwrap();
        let log = std::fs::File::create(self.folder.path().join("log")).unwrap();
        let program = Command::new(env!("CARGO_BIN_EXE_qiju"))
            .arg("play")
            .args(arguments)
            .env("DISPLAY", &self.display.name)
            .env("QIJU_HOME", self.folder.path())
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("QIJU_ASSETS")
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.program = Some(program);
    }

    fn kill(&mut self) {
        if let Some(mut program) = self.program.take() {
            let _ = program.kill();
            let _ = program.wait();
        }
    }

    fn tool(&self, name: &str, arguments: &[&str]) {
        let status = Command::new(name).args(arguments).env("DISPLAY", &self.display.name).status();
        assert!(status.expect("xdotool and import are installed").success(), "{name} {arguments:?}");
    }

    fn click(&self, at: Vec2) {
        let (x, y) = (at.x.round().to_string(), at.y.round().to_string());
        // Move the pointer from elsewhere: without a movement a new window gets no pointer event.
        self.tool("xdotool", &["mousemove", "5", "400"]);
        std::thread::sleep(Duration::from_millis(30));
        self.tool("xdotool", &["mousemove", &x, &y]);
        std::thread::sleep(Duration::from_millis(60));
        self.tool("xdotool", &["mousedown", "1"]);
        std::thread::sleep(Duration::from_millis(60));
        self.tool("xdotool", &["mouseup", "1"]);
    }

    /// Presses a key. Without a window manager the test itself must give the keyboard focus to the window.
    fn key(&self, name: &str) {
        self.tool("xdotool", &["search", "--onlyvisible", "--class", "qiju", "windowfocus"]);
        std::thread::sleep(Duration::from_millis(100));
        self.tool("xdotool", &["key", name]);
    }

    fn drag(&self, from: Vec2, to: Vec2) {
        let text = |value: f32| value.round().to_string();
        self.tool("xdotool", &["mousemove", &text(from.x), &text(from.y)]);
        std::thread::sleep(Duration::from_millis(80));
        self.tool("xdotool", &["mousedown", "1"]);
        for step in 1..=8 {
            let at = from.lerp(to, step as f32 / 8.0);
            self.tool("xdotool", &["mousemove", &text(at.x), &text(at.y)]);
            std::thread::sleep(Duration::from_millis(25));
        }
        self.tool("xdotool", &["mouseup", "1"]);
    }

    /// A picture of the whole screen.
    fn picture(&self) -> Picture {
        let path: PathBuf = self.folder.path().join("screen.png");
        self.tool("import", &["-window", "root", "-depth", "8", &format!("PNG32:{}", path.display())]);
        let pixmap = tiny_skia::Pixmap::load_png(&path).unwrap();
        Picture { width: pixmap.width(), height: pixmap.height(), rgba: pixmap.data().to_vec() }
    }

    /// Takes screenshots until the board shows these pieces; otherwise returns the last pieces shown.
    fn shows(&mut self, reader: &Reader, pieces: &[(Point, Piece)], what: &str) {
        let start = Instant::now();
        loop {
            let seen = reader.read(&self.picture());
            let mut wanted = pieces.to_vec();
            wanted.sort_by_key(|(point, _)| (point.y, point.x));
            if seen == wanted {
                return;
            }
            let ended = self.program.as_mut().and_then(|program| program.try_wait().unwrap());
            let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            if let Some(status) = ended {
                panic!("{what}: the program has ended ({status}):\n{}", log());
            }
            if start.elapsed() > Duration::from_secs(60) {
                let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window.png");
                let _ = std::fs::copy(self.folder.path().join("screen.png"), &keep);
                let wrong: Vec<_> = seen.iter().filter(|piece| !wanted.contains(piece)).collect();
                let lacking: Vec<_> = wanted.iter().filter(|piece| !seen.contains(piece)).collect();
                panic!(
                    "{what}: shown but not there {wrong:?}, there but not shown {lacking:?}; see {}\n{}",
                    keep.display(),
                    log()
                );
            }
            std::thread::sleep(Duration::from_millis(150));
        }
    }
}

/// Reads a board from a screenshot by comparing each point with the expected pictures.
struct Reader {
    layout: Layout,
    board: BoardPicture,
    pieces: Vec<(Piece, Vec<Picture>)>,
}

impl Reader {
    fn new(sheet: &GameSheet, size: (u8, u8), labels: Labels) -> Reader {
        let geometry = sheet.board(size).unwrap();
        let window = Vec2::new(SIZE.0 as f32, SIZE.1 as f32);
        let layout = Layout::default().fitted(window, 1.0, geometry);
        let (_, text) = Theme::builtin()[0];
        let theme = Theme::parse("theme", text).unwrap();
        let look = BoardLook { flipped: false, labels };
        let board = paint::board(geometry, &theme, layout.cell as u32, &look);
        let diameter = paint::diameter(board.cell as u32, geometry.piece);
        let mut pieces = Vec::new();
        for side in Side::BOTH {
            for role in 0..sheet.roles.len() as u8 {
                let piece = Piece { side, role };
                let of = |grain| paint::piece(sheet, piece, &theme, PieceSet::Characters, diameter, grain);
                pieces.push((piece, (0..4).map(of).collect()));
            }
        }
        Reader { layout, board, pieces }
    }

    /// The mean difference of the inner disc around a point from a picture of the board with this piece, or without a piece. A stone may be
    /// slightly off its point.
    fn difference(&self, screen: &Picture, point: Point, piece: Option<&Picture>) -> f64 {
        let slack: i32 = if piece.is_some_and(|_| self.pieces.len() == 2) { 2 } else { 0 };
        let mut best = f64::MAX;
        for shift_x in -slack..=slack {
            for shift_y in -slack..=slack {
                best = best.min(self.shifted_difference(screen, point, piece, shift_x, shift_y));
            }
        }
        best
    }

    fn shifted_difference(&self, screen: &Picture, point: Point, piece: Option<&Picture>, dx: i32, dy: i32) -> f64 {
        let on_screen = self.layout.cursor_of(point);
        let on_board = self.board.at(point);
        let radius = (self.layout.cell * 0.32) as i32;
        let pixel = |picture: &Picture, x: f32, y: f32| -> [f64; 4] {
            let (x, y) = (x.floor().max(0.0) as u32, y.floor().max(0.0) as u32);
            let at = ((y.min(picture.height - 1) * picture.width + x.min(picture.width - 1)) * 4) as usize;
            [0, 1, 2, 3].map(|channel| f64::from(picture.rgba[at + channel]))
        };
        let (mut sum, mut count) = (0.0, 0.0);
        for y in -radius..=radius {
            for x in -radius..=radius {
                if x * x + y * y > radius * radius {
                    continue;
                }
                let (fx, fy) = (x as f32, y as f32);
                let seen = pixel(screen, on_screen.x + fx + dx as f32, on_screen.y + fy + dy as f32);
                let below = pixel(&self.board.picture, on_board.0 + fx + dx as f32, on_board.1 + fy + dy as f32);
                let expected = match piece {
                    None => below,
                    Some(piece) => {
                        let middle = piece.width as f32 / 2.0;
                        let above = pixel(piece, middle + fx, middle + fy);
                        let alpha = above[3] / 255.0;
                        [0, 1, 2, 3].map(|channel| above[channel] * alpha + below[channel] * (1.0 - alpha))
                    }
                };
                sum += (0..3).map(|channel| (seen[channel] - expected[channel]).abs()).sum::<f64>();
                count += 3.0;
            }
        }
        sum / count
    }

    fn read(&self, screen: &Picture) -> Vec<(Point, Piece)> {
        let mut found = Vec::new();
        for y in 0..self.layout.size.1 {
            for x in 0..self.layout.size.0 {
                let point = Point::new(x, y);
                let empty = self.difference(screen, point, None);
                let best = self
                    .pieces
                    .iter()
                    .map(|(piece, grains)| {
                        let of = |picture| self.difference(screen, point, Some(picture));
                        (grains.iter().map(of).fold(f64::MAX, f64::min), *piece)
                    })
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap();
                if best.0 < empty {
                    found.push((point, best.1));
                }
            }
        }
        found
    }

    fn place(&self, point: Point) -> Vec2 {
        self.layout.cursor_of(point)
    }
}

fn skipped() -> bool {
    std::env::var_os("QIJU_SKIP_WINDOW").is_some()
}

fn play(table: &mut dyn Table, text: &str) {
    let action = table.read(text).unwrap();
    table.play(action).unwrap();
}

#[test]
fn two_people_play_xiangqi_with_the_mouse() {
    if skipped() {
        return;
    }
    let entry = games::find("xiangqi").unwrap();
    let mut table = entry.table(&Setup::default()).unwrap();
    let reader = Reader::new(&entry.sheet().unwrap(), table.size(), Labels::Numerals);
    let mut screen = Screen::new();
    screen.start(&["xiangqi", "--first", "human", "--second", "human", "--lang", "zh"]);
    screen.shows(&reader, &table.pieces(), "the start");
    let go = |screen: &mut Screen, table: &mut Box<dyn Table>, from: Point, to: Point, text: &str, by_drag: bool| {
        if by_drag {
            screen.drag(reader.place(from), reader.place(to));
        } else {
            screen.click(reader.place(from));
            screen.click(reader.place(to));
        }
        play(table.as_mut(), text);
        screen.shows(&reader, &table.pieces(), text);
    };
    go(&mut screen, &mut table, Point::new(7, 2), Point::new(4, 2), "h2e2", false);
    go(&mut screen, &mut table, Point::new(7, 9), Point::new(6, 7), "h9g7", true);
    // The cannon takes the soldier in the middle; the horse takes the cannon.
    go(&mut screen, &mut table, Point::new(4, 2), Point::new(4, 6), "e2e6", true);
    go(&mut screen, &mut table, Point::new(6, 7), Point::new(4, 6), "g7e6", false);
    // An illegal move changes nothing: a soldier cannot move two points.
    screen.click(reader.place(Point::new(0, 3)));
    screen.click(reader.place(Point::new(0, 5)));
    screen.click(reader.place(Point::new(8, 0)));
    screen.key("Escape");
    screen.shows(&reader, &table.pieces(), "after a refusal");
    // The journal has all moves: after a kill the match is offered again, with the same board.
    screen.kill();
    screen.start(&["--lang", "zh"]);
    // "Resume" is at the lower edge of the title page.
    let start = Instant::now();
    loop {
        screen.click(Vec2::new(640.0, 762.0));
        std::thread::sleep(Duration::from_millis(700));
        if reader.read(&screen.picture()).len() == table.pieces().len() || start.elapsed() > Duration::from_secs(40) {
            break;
        }
    }
    screen.shows(&reader, &table.pieces(), "resumed");
    // Undo with the keyboard plays the move backwards.
    screen.key("ctrl+z");
    table.undo().unwrap();
    screen.shows(&reader, &table.pieces(), "undo");
}

#[test]
fn the_computer_answers_on_the_gomoku_board() {
    if skipped() {
        return;
    }
    let entry = games::find("gomoku").unwrap();
    let mut table = entry.table(&Setup::default()).unwrap();
    let reader = Reader::new(&entry.sheet().unwrap(), table.size(), Labels::Letters);
    let mut screen = Screen::new();
    screen.start(&["gomoku", "--first", "human", "--second", "computer", "--level", "2", "--lang", "en"]);
    screen.shows(&reader, &[], "the empty board");
    screen.click(reader.place(Point::new(7, 7)));
    play(table.as_mut(), "h8");
    let start = Instant::now();
    let seen = loop {
        let seen = reader.read(&screen.picture());
        if seen.len() == 2 || start.elapsed() > Duration::from_secs(60) {
            break seen;
        }
    };
    assert!(seen.contains(&(Point::new(7, 7), Piece { side: Side::First, role: 0 })), "{seen:?}");
    assert_eq!(seen.iter().filter(|(_, piece)| piece.side == Side::Second).count(), 1, "{seen:?}");
}

/// A match without looking: what a screen reader is told while the cursor is moved by keys, a move is made by them, another is typed, and the
/// computer answers.
#[cfg(target_os = "linux")]
#[test]
fn a_screen_reader_announces_a_match() {
    if skipped() {
        return;
    }
    let mut screen = Screen::new();
    let mut reader = screen_reader::ScreenReader::new();
    screen.bus = reader.address.clone();
    screen.start(&["xiangqi", "--first", "human", "--second", "computer", "--level", "1", "--lang", "en"]);
    screen.tool("xdotool", &["search", "--sync", "--onlyvisible", "--class", "qiju"]);
    // A moved pointer makes the window look into its queue of events, which can take long on a busy machine.
    let nudge = || {
        screen.tool("xdotool", &["mousemove", "1100", "400"]);
        screen.tool("xdotool", &["mousemove", "1101", "401"]);
    };
    reader.hears(&["Press Enter to move over the board"], || screen.key("w"));
    screen.key("Return");
    screen.key("Up");
    reader.hears(&["soldier"], nudge);
    reader.hears(&["soldier", "It can go to"], || screen.key("w"));
    reader.hears(&["Red to move"], || screen.key("c"));
    // What is typed belongs to the field only once it is there, which takes a few frames.
    screen.key("i");
    nudge();
    std::thread::sleep(Duration::from_secs(5));
    nudge();
    screen.tool("xdotool", &["type", "--delay", "120", "h2e2"]);
    screen.key("Return");
    reader.hears(&["Red", "C2=5"], nudge);
    reader.hears(&["Black"], nudge);
    reader.hears(&["C2=5"], || screen.key("v"));
}
