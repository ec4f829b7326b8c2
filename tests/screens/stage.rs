//! Runs the real program without a window: the graphics card draws it into a picture of any size and pixel ratio.

use super::names::nameless;
use bevy::app::PluginsState;
use bevy::camera::{ImageRenderTarget, RenderTarget};
use bevy::input::ButtonState;
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, PrimaryWindow, RequestRedraw, WindowEvent};
use bevy_egui::{EguiContext, EguiFullOutput, EguiPostUpdateSet, egui};
use qiju::app::engines::{Engines, OtherEngine};
use qiju::app::hand::Pointer;
use qiju::app::home::Home;
use qiju::app::kept::{Change, Kept};
use qiju::app::layout::Layout;
use qiju::app::library::Library;
use qiju::app::mistakes::Mistakes;
use qiju::app::notices::Notices;
use qiju::app::picture::Ready;
use qiju::app::platform::today;
use qiju::app::play::{CurrentMatch, GameLibrary, Learning, MoveRequested, MyResults, SavedGame, SavedGames, Spoken};
use qiju::app::repertoires::{OwnMoves, Repertoires};
use qiju::app::requests::{AnyRequest, BeginRequest, PageRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::{Menu, Screen};
use qiju::app::words::{Language, Words};
use qiju::app::{Options, background};
use qiju::window::drawn_plugins;
use qiju_core::library::Library as GamesFile;
use qiju_core::paint::Picture;
use qiju_core::protocol::host::ProgramOption;
use qiju_core::record::{Record, SeatSpec, Summary, Tags};
use qiju_core::repertoire::name_of;
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::storage::Blob;
use qiju_core::study::Mistake;
use qiju_core::study::results::{Ending, FILE, MatchResult, Results};
use qiju_core::study::schedule::Memory;
use qiju_core::table::{Action, Setup};
use std::time::{Duration, Instant};

/// A window's size in logical pixels and its pixel ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub scale: f32,
}

impl Size {
    pub const fn new(width: u32, height: u32, scale: f32) -> Size {
        Size { width, height, scale }
    }

    pub fn pixels(self) -> UVec2 {
        (Vec2::new(self.width as f32, self.height as f32) * self.scale).as_uvec2()
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}@{}", self.width, self.height, self.scale)
    }
}

/// The shapes that egui drew in the last frame, in order.
#[derive(Resource, Default)]
struct Drawn(Vec<egui::epaint::ClippedShape>);

/// What could be pressed in the last frame.
#[derive(Resource, Default)]
struct Pressable(Vec<egui::Rect>);

/// What has no name for a screen reader in the last frame.
#[derive(Resource, Default)]
struct Nameless(Vec<String>);

/// Whether the last frame requested another one.
#[derive(Resource, Default)]
struct Awake(bool);

/// Everything announced so far.
#[derive(Resource, Default)]
struct Heard(Vec<String>);

#[derive(Resource, Default)]
struct Shot(Option<Picture>);

/// What could be pressed in the pass that has just ended, above a dialog's backdrop: what it covers cannot be pressed.
fn pressed(ctx: &egui::Context) -> Vec<egui::Rect> {
    let modal = ctx.memory(|memory| memory.top_modal_layer());
    ctx.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers().filter(|(layer, _)| modal.is_none_or(|modal| **layer == modal));
        let widgets = layers.flat_map(|(_, widgets)| widgets);
        // What only moves with the finger, as a page does, is not pressed.
        let clicked = widgets.filter(|one| one.enabled && one.sense.senses_click() && one.interact_rect.is_positive());
        clicked.map(|one| one.rect).collect()
    })
}

/// The running program.
pub struct Stage {
    app: App,
    target: Handle<Image>,
    pub size: Size,
    /// Waits until every picture is shown.
    patient: bool,
    _folder: tempfile::TempDir,
}

/// Time of one frame.
const FRAME: Duration = Duration::from_millis(16);
/// The longest time to wait until a screen no longer changes.
const PATIENCE: Duration = Duration::from_secs(60);

impl Stage {
    pub fn new(settings: &Settings) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        settings.save(&home).unwrap();
        let mut app = App::new();
        app.add_plugins(drawn_plugins(home, Options::default()))
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .init_resource::<Drawn>()
            .init_resource::<Pressable>()
            .init_resource::<Nameless>()
            .init_resource::<Awake>()
            .init_resource::<Shot>()
            .init_resource::<Heard>()
            .add_systems(Last, |spoken: Res<Spoken>, mut heard: ResMut<Heard>| {
                if spoken.is_changed() {
                    heard.0.push(spoken.text.clone());
                }
            })
            .add_systems(
                PostUpdate,
                (|outputs: Query<&EguiFullOutput>,
                  mut contexts: Query<&mut EguiContext>,
                  (mut drawn, mut pressable, mut faults): (ResMut<Drawn>, ResMut<Pressable>, ResMut<Nameless>)| {
                    if let Some(output) = outputs.iter().find_map(|output| output.0.as_ref()) {
                        drawn.0.clone_from(&output.shapes);
                        faults.0 = output.platform_output.accesskit_update.as_ref().map(nameless).unwrap_or_default();
                    }
                    if let Ok(mut context) = contexts.single_mut() {
                        pressable.0 = pressed(context.get_mut());
                        context.get_mut().enable_accesskit();
                    }
                })
                .after(EguiPostUpdateSet::EndPass)
                .before(EguiPostUpdateSet::ProcessOutput),
            )
            .add_systems(Last, |mut redraws: MessageReader<RequestRedraw>, mut awake: ResMut<Awake>| {
                awake.0 = redraws.read().count() > 0;
            });
        let start = Instant::now();
        while app.plugins_state() == PluginsState::Adding {
            assert!(start.elapsed() < PATIENCE, "no graphics: a Vulkan driver is needed (mesa-vulkan-drivers)");
            std::thread::sleep(Duration::from_millis(5));
        }
        app.finish();
        app.cleanup();
        let size = Size::new(0, 0, 1.0);
        let mut stage = Stage { app, target: Handle::default(), size, patient: true, _folder: folder };
        stage.app.update();
        stage.resize(Size::new(1280, 800, 1.0));
        stage
    }

    /// Changes the window's size and pixel ratio.
    pub fn resize(&mut self, size: Size) {
        if self.size == size {
            return;
        }
        self.size = size;
        let pixels = size.pixels();
        let world = self.app.world_mut();
        let image = Image::new_target_texture(pixels.x, pixels.y, TextureFormat::Rgba8UnormSrgb, None);
        let mut images = world.resource_mut::<Assets<Image>>();
        images.remove(&self.target);
        self.target = images.add(image);
        let target = self.render_target();
        let world = self.app.world_mut();
        let mut window = world.query_filtered::<&mut Window, With<PrimaryWindow>>().single_mut(world).unwrap();
        window.resolution.set_physical_resolution(pixels.x, pixels.y);
        window.resolution.set_scale_factor_override(Some(size.scale));
        let camera = world.query_filtered::<Entity, With<Camera2d>>().single(world).unwrap();
        world.entity_mut(camera).insert(target);
    }

    fn render_target(&self) -> RenderTarget {
        RenderTarget::Image(ImageRenderTarget { handle: self.target.clone(), scale_factor: self.size.scale })
    }

    pub fn tell(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
    }

    /// Changes the settings like the user.
    pub fn set(&mut self, change: impl Fn(&mut Settings) + Send + Sync + 'static) {
        self.change(change);
    }

    /// Changes what is kept.
    pub fn change<K: Kept>(&mut self, change: impl Fn(&mut K) + Send + Sync + 'static) {
        self.tell(Change::new(change));
        self.frames(1);
    }

    pub fn speak(&mut self, language: Language) {
        self.set(move |settings| settings.language = Some(language));
    }

    /// Begins a match and plays moves, in the game's own notation, at once, so that the computer does not move in between.
    pub fn begin(&mut self, game: &'static str, setup: Setup, seats: BySide<SeatSpec>, moves: &str) {
        self.begin_as(Purpose::Casual, game, setup, seats, moves);
    }

    /// The same for a purpose.
    pub fn begin_as(&mut self, purpose: Purpose, game: &'static str, setup: Setup, seats: BySide<SeatSpec>, moves: &str) {
        let library = self.app.world().resource::<Library>();
        let mut table = library.game(game).unwrap().entry.table(&setup).unwrap();
        self.tell(BeginRequest::Start(MatchSetup { game, setup, seats, control: BySide::default(), purpose }));
        self.frames(3);
        for word in moves.split_whitespace() {
            let action = table.read(word).unwrap();
            self.request(action, table.ply());
            table.play(action).unwrap();
        }
        self.settle();
        assert_eq!(self.app.world().resource::<CurrentMatch>().table().ply(), table.ply(), "{game} {moves}");
    }

    pub fn begin_unsettled(&mut self, game: &'static str) {
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
        self.tell(BeginRequest::Start(MatchSetup {
            game,
            setup: Setup::default(),
            seats,
            control: BySide::default(),
            purpose: Purpose::Casual,
        }));
        self.frames(1);
    }

    /// Moves the pointer to a point of the board, and presses or releases it there.
    pub fn point(&mut self, point: Point, pressed: Option<bool>) {
        let at = self.app.world().resource::<Layout>().cursor_of(point);
        self.point_at(at, pressed);
    }

    /// The same for a place in the window, in logical pixels.
    pub fn point_at(&mut self, at: Vec2, pressed: Option<bool>) {
        let world = self.app.world_mut();
        let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
        world.write_message(WindowEvent::CursorMoved(CursorMoved { window, position: at, delta: None }));
        if let Some(pressed) = pressed {
            let state = if pressed { ButtonState::Pressed } else { ButtonState::Released };
            let input = MouseButtonInput { button: MouseButton::Left, state, window };
            world.write_message(input);
            world.write_message(WindowEvent::MouseButtonInput(input));
        }
        self.frames(1);
    }

    pub fn click(&mut self, point: Point) {
        self.point(point, Some(true));
        self.point(point, Some(false));
    }

    pub fn frames(&mut self, count: u32) {
        for _ in 0..count {
            self.app.update();
        }
    }

    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Runs until no further frame is requested, all pictures are shown and no computation is running.
    pub fn settle(&mut self) {
        let start = Instant::now();
        let mut still = 0;
        // Where the frames asked for are not awaited: a page finds its place after the window has changed its size, and becomes opaque.
        let enough = if self.patient { 3 } else { 16 };
        while still < enough {
            self.app.update();
            self.app.world_mut().resource_mut::<Notices>().shown.clear();
            let in_match = *self.app.world().resource::<State<Screen>>().get() == Screen::Match;
            let shown = !self.patient || !in_match || self.app.world().resource::<Ready>().0;
            let works = if self.patient { background::under_way() } else { 0 };
            let awake = self.patient && self.app.world().resource::<Awake>().0;
            let late = start.elapsed() > PATIENCE;
            assert!(
                !late,
                "the screen never comes to rest: asks for frames: {awake}, pictures shown: {shown}, background tasks: {works}"
            );
            still = if awake || !shown || works > 0 { 0 } else { still + 1 };
            if still == 0 {
                // The pictures are drawn on other threads.
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }

    /// Waits for a computation.
    pub fn wait(&mut self, what: &str, mut so: impl FnMut(&mut World) -> bool) {
        let start = Instant::now();
        while !so(self.app.world_mut()) {
            assert!(start.elapsed() < PATIENCE, "no {what}");
            self.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until there is a match with so many stones.
    pub fn wait_for_stones(&mut self, stones: usize) {
        self.wait("the computer's stone", |world| {
            world.get_resource::<CurrentMatch>().is_some_and(|current| current.table().ply() == stones)
        });
    }

    /// Plays a stone when so many are on the board.
    pub fn stone_after(&mut self, stones: usize, name: &str) {
        self.wait_for_stones(stones);
        self.settle();
        let action = self.app.world().resource::<CurrentMatch>().table().read(name).unwrap();
        self.request(action, stones);
    }

    /// Asks for a move after so many plies.
    fn request(&mut self, action: Action, ply: usize) {
        self.app.world_mut().write_message(MoveRequested { action, ply });
    }

    /// Tries an illegal stone.
    pub fn refuse(&mut self, at: Point) {
        let ply = self.app.world().resource::<CurrentMatch>().table().ply();
        self.request(Action::Drop(at), ply);
        self.frames(2);
    }

    /// A program for xiangqi that always says the same, in the settings until the next scene.
    pub fn hire_program(&mut self) {
        let command = "sh tests/data/program.sh".to_owned();
        let (name, game) = ("Script".to_owned(), "xiangqi".to_owned());
        let mut engine = OtherEngine { name, game, command, ..OtherEngine::default() };
        let declared = include_str!("../data/program.sh").lines().filter_map(|line| line.split('"').nth(1));
        engine.options = Some(declared.filter_map(ProgramOption::read).collect());
        self.change(move |engines: &mut Engines| engines.engines = vec![engine.clone()]);
    }

    /// Waits until the pictures of a match are shown.
    pub fn settle_shown(&mut self) {
        self.frames(3);
        self.wait("the board", |world| world.resource::<Ready>().0);
        self.frames(3);
    }

    /// Lessons that are the same in every run.
    pub fn teach(&mut self) {
        let home = Home(self._folder.path().join("lessons"));
        std::fs::create_dir_all(&home.0).unwrap();
        std::fs::write(home.0.join("lessons.txt"), include_str!("../data/lessons.txt")).unwrap();
        let world = self.app.world_mut();
        let mut notices = Notices::default();
        let learning = Learning::open(&home, world.resource::<Words>(), &mut notices);
        assert_eq!(learning.lessons().len(), 2);
        world.insert_resource(learning);
    }

    /// Mistakes of the player, two of which are due, the same in every run.
    pub fn err(&mut self) {
        let mistake = |game: &str, moves: &str, played: &str, best: &str, due: Option<i32>| {
            let texts = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let memory = due.map(|days| Memory { stability: 9.0, difficulty: 5.0, seen: today() - 9, due: today() + days });
            let (game, setup, played) = (game.to_owned(), Setup::default(), played.to_owned());
            Mistake { game, setup, moves: texts(moves), played, best: texts(best), memory, begun: None }
        };
        let all = [
            mistake("tic-tac-toe", "b2", "b1", "c3 a2 b3", None),
            mistake("xiangqi", "h2e2 h9g7", "e2e6", "h0g2 i9h9", Some(0)),
            mistake("xiangqi", "h2e2 h9g7 h0g2", "i9i8", "i9h9", Some(4)),
        ];
        self.change(move |mistakes: &mut Mistakes| {
            mistakes.positions =
                (0..).zip(&all).map(|(number, mistake): (u8, _)| (number.to_string(), mistake.clone())).collect();
        });
    }

    /// A repertoire of xiangqi's first side, the same in every run. Its name.
    pub fn own_moves(&mut self) -> String {
        let game = r#"(game:"xiangqi",moves:["h2e2","h9g7","h0g2"],variations:[(after:1,moves:["h7e7","h0g2"])])"#;
        let record = Record::read_all("game", game).unwrap().remove(0);
        let name = name_of(&record, Side::First).unwrap();
        let moves = OwnMoves { name: name.clone(), record, side: Side::First, instead: true };
        self.change(move |repertoires: &mut Repertoires| repertoires.add(&moves));
        name
    }

    /// A library of games that is the same in every run.
    pub fn collect(&mut self) {
        let storage = Home(self._folder.path().join("library")).storage();
        let mut games = GamesFile::open_to_write(storage).unwrap();
        let openings = ["h2e2 h9g7", "h2e2 b9c7", "h2e2 h7e7", "b2e2 h9g7", "c3c4 h7g7", "c3c4 b9c7", "g0e2 h7e7", "h2f2 h9g7"];
        for (number, opening) in openings.into_iter().cycle().take(29).enumerate() {
            let more = ["h0g2", "g3g4", "i0i1", "b0c2"][number / openings.len()];
            let moves: Vec<&str> = opening.split(' ').chain([more]).collect();
            let result =
                ["winner:Some(first),reason:resignation", "winner:None,reason:agreement", "winner:Some(second),reason:time"];
            let game = format!("(game:\"xiangqi\",moves:{moves:?},result:Some(({})))", result[[0, 1, 0, 2][number % 4]]);
            let mut record = Record::read_all("game", &game).unwrap().remove(0);
            record.tags.set("Date", format!("{}.05.0{}", 1980 + number, 1 + number % 9));
            for (side, name) in Side::BOTH.into_iter().zip([["Hu Ronghua", "Liu Dahua"], ["Xu Yinchuan", "Lu Qin"]][number % 2]) {
                record.seats[side] = SeatSpec::External { name: name.to_owned() };
            }
            if number % 5 == 2 {
                record.tags.set_keyword("To study", true);
                record.tags.set_keyword("布局", number % 2 == 0);
            }
            games.add(&record).unwrap();
        }
        games.flush().unwrap();
        games.release();
        self.app.world_mut().insert_resource(GameLibrary::from(games));
    }

    /// Results that are the same in every run.
    pub fn earn(&mut self) {
        let home = Home(self._folder.path().join("results"));
        let (mut results, _) = Results::open(Blob::new(home.storage(), FILE)).unwrap();
        let endings = "wwlwdwwlwlwlwwdlwlwwlwlw";
        for (id, ending) in (1..).zip(endings.chars()) {
            let result = MatchResult {
                id,
                game: if id.is_multiple_of(11) { "gomoku" } else { "xiangqi" }.to_owned(),
                variant: if id.is_multiple_of(5) { "threefold" } else { "axf" }.to_owned(),
                level: (2 + id / 6) as u8,
                side: if id.is_multiple_of(2) { Side::First } else { Side::Second },
                ending: match ending {
                    'w' => Ending::Won,
                    'd' => Ending::Drawn,
                    _ => Ending::Lost,
                },
                // Noon in the middle of a month, so that the day is the same everywhere.
                date: 1_778_500_800 + 86_400 * id as i64,
                rated: id.is_multiple_of(3),
                helped: id.is_multiple_of(8),
                set_up: false,
                handicap: None,
                time_odds: false,
                unrated: false,
            };
            results.add(result).unwrap();
        }
        let world = self.app.world_mut();
        let mut notices = Notices::default();
        let mine = MyResults::open(&home, world.resource::<Library>(), world.resource::<Words>(), &mut notices);
        world.insert_resource(mine);
    }

    /// Goes to a screen and waits until it no longer changes, without drawing. Pictures are waited for only if a screenshot is taken.
    pub fn set_out(&mut self, come: fn(&mut Stage), pictured: bool) {
        self.draws(false);
        self.patient = pictured;
        come(self);
        self.settle();
        self.draws(true);
    }

    /// Makes the list of saved games contain only one game, the same in every run.
    pub fn shelve(&mut self, event: &str, game: &str, moves: &str) {
        self.frames(2);
        let record = Summary {
            game: game.to_owned(),
            setup: Setup::default(),
            seats: BySide::new(SeatSpec::Human, SeatSpec::computer(4)),
            event: event.to_owned(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            tags: Tags::default(),
            result: None,
        };
        self.app.world_mut().resource_mut::<SavedGames>().games = vec![SavedGame { path: "one.ron".into(), record }];
    }

    pub fn draws(&mut self, on: bool) {
        let world = self.app.world_mut();
        let mut camera = world.query_filtered::<&mut Camera, With<Camera2d>>().single_mut(world).unwrap();
        camera.is_active = on;
    }

    /// True if a match of this game is running.
    pub fn is_on(&self, game: &str) -> bool {
        let world = self.app.world();
        let in_match = *world.resource::<State<Screen>>().get() == Screen::Match;
        in_match && world.get_resource::<CurrentMatch>().is_some_and(|m| m.game().entry.key == game && m.outcome().is_none())
    }

    /// Closes everything that covers the screen.
    pub fn leave_menus(&mut self) {
        if !self.app.world().resource::<Engines>().engines.is_empty() {
            self.change(|engines: &mut Engines| engines.engines.clear());
        }
        if !self.app.world().resource::<Mistakes>().positions.is_empty() {
            self.change(|mistakes: &mut Mistakes| mistakes.positions.clear());
        }
        if !self.app.world().resource::<Repertoires>().all.is_empty() {
            self.change(|repertoires: &mut Repertoires| repertoires.all.clear());
        }
        self.tell(PageRequest::Menu(Menu::None));
        self.frames(2);
    }

    /// What the window would show now.
    pub fn picture(&mut self) -> Picture {
        self.draws(true);
        let target = self.render_target();
        let world = self.app.world_mut();
        world.resource_mut::<Shot>().0 = None;
        world.spawn(Screenshot(target)).observe(|event: On<ScreenshotCaptured>, mut shot: ResMut<Shot>| {
            let image = &event.image;
            shot.0 = Some(Picture { width: image.width(), height: image.height(), rgba: image.data.clone().unwrap_or_default() });
        });
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no picture was taken");
            self.app.update();
            if let Some(picture) = self.app.world_mut().resource_mut::<Shot>().0.take() {
                return picture;
            }
        }
    }

    /// The window in egui's points, which grow with the type.
    pub fn points(&self) -> egui::Rect {
        let size = egui::vec2(self.size.width as f32, self.size.height as f32);
        egui::Rect::from_min_size(egui::Pos2::ZERO, size / self.app.world().resource::<Layout>().zoom)
    }

    /// Fingers are used from now on, or the mouse.
    pub fn touch(&mut self, touched: bool) {
        self.app.world_mut().resource_mut::<Pointer>().touched = touched;
    }

    /// What is too small for a finger, where what is pressed is made for fingers.
    pub fn small_targets(&self) -> Vec<String> {
        let world = self.app.world();
        if !world.resource::<Layout>().fingers {
            return Vec::new();
        }
        // The bar of a page that scrolls is not needed: the page follows the finger.
        let small = |rect: &&egui::Rect| rect.width() > 12.0 && rect.width().min(rect.height()) < 43.5;
        let pressable = world.resource::<Pressable>().0.iter();
        pressable.filter(small).map(|rect| format!("what can be pressed at {rect:?} is too small for a finger")).collect()
    }

    /// What a screen reader cannot name.
    pub fn nameless(&self) -> &[String] {
        &self.app.world().resource::<Nameless>().0
    }

    /// What was announced since this was asked last.
    pub fn heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.world().resource_mut::<Heard>().0)
    }

    /// What egui drew in the last frame, in order.
    pub fn drawn(&self) -> &[egui::epaint::ClippedShape] {
        &self.app.world().resource::<Drawn>().0
    }
}
