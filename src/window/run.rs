//! The program with its window, and the same without one for tests.

use super::faults;
use crate::app::background::lower_priority;
use crate::app::engines::Engines;
use crate::app::home::{Home, home};
use crate::app::kept::Kept;
use crate::app::layout::SMALLEST_WINDOW;
use crate::app::library::Library;
use crate::app::mistakes::Mistakes;
use crate::app::notices::Notices;
use crate::app::platform::PLATFORM;
use crate::app::play::{Learning, MyResults, finish_taking, open_record};
use crate::app::progress::PlayerProgress;
use crate::app::repertoires::Repertoires;
use crate::app::requests::{AnyRequest, BeginRequest, ReadRequest, Requests};
use crate::app::settings::Settings;
use crate::app::setup::{MatchSetup, Purpose};
use crate::app::state::Screen;
use crate::app::words::Words;
use crate::app::{Options, TablePlugin, Who};
use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::asset::AssetPlugin;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::window::{PresentMode, WindowResolution};
use bevy::winit::WinitSettings;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Side};
use qiju_core::table::Setup;

/// The options of the program, as a resource until they are used.
#[derive(Resource, Clone, Debug, Default)]
struct Started(Options);

/// Checks the options before a window opens.
///
/// # Errors
/// The game is unknown, the position is invalid, or the record cannot be read.
pub fn check(options: &Options) -> Result<(), String> {
    let (library, _) = Library::read();
    let home = Home(home());
    opening(&library, &Settings::peek(&home), &Engines::peek(&home), options).map(drop).map_err(String::from)
}

/// Opens the window and runs it until it is closed.
///
/// # Errors
/// The window cannot be opened, or it ended with an error.
pub fn run(options: &Options) -> Result<(), String> {
    faults::display_is_named()?;
    // ALSA's messages about a missing sound device are replaced by one line of ours.
    #[cfg(all(feature = "audio", target_os = "linux"))]
    let _quiet = alsa::Output::local_error_handler();
    faults::in_one_line(|| window(options))
}

/// Opens the page in the element that `index.html` has for it. The page goes on after this returns.
#[cfg(target_arch = "wasm32")]
pub fn run_in_page() {
    wasm_bindgen_futures::spawn_local(async {
        qiju_core::games::large::set_games_source(|| Some(crate::page::shell::file("data/library/engine.games")?.to_vec()));
        // The database answers later; the program reads its data at once.
        crate::app::home::open_storage().await;
        if let Err(why) = window(&Options::default()) {
            faults::tell_page(&why);
        }
    });
}

fn window(options: &Options) -> Result<(), String> {
    let home = Home(home());
    // A damaged file is renamed and reported later, when the application is created.
    let settings = Settings::peek(&home);
    let (width, height) = settings.window;
    let title = Words::shipped(options.language.unwrap_or(settings.language())).say("app.name").to_owned();
    let window = Window {
        title,
        name: Some("qiju".to_owned()),
        resolution: WindowResolution::new(width, height),
        present_mode: PresentMode::AutoVsync,
        resize_constraints: least_window(),
        canvas: Some("#qiju".to_owned()),
        fit_canvas_to_parent: true,
        // The browser keeps its own keys; `page.js` says which are the program's.
        prevent_default_event_handling: false,
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(super::measure::plugin);
    app.insert_resource(ClearColor(Color::srgb(0.12, 0.11, 0.10)))
        .insert_resource(WinitSettings::desktop_app())
        .add_plugins(
            DefaultPlugins
                .set(WindowPlugin { primary_window: Some(window), ..default() })
                .set(TaskPoolPlugin { task_pool_options: task_pools() })
                .set(LogPlugin { filter: "error,qiju=info,bevy_audio=warn".to_owned(), ..default() })
                // All assets are inside the program or read by it; Bevy does not search the disk.
                .set(AssetPlugin { watch_for_changes_override: Some(false), ..default() }),
        )
        .add_plugins(bevy_egui::EguiPlugin::default())
        .add_plugins(table(home, options.clone()))
        .add_plugins((crate::ui::UiPlugin, crate::app::activities::ActivitiesPlugin));
    #[cfg(target_arch = "wasm32")]
    {
        faults::tell_page_of_panics();
        app.add_systems(OnExit(Screen::Loading), crate::page::shell::ready);
    }
    #[cfg(windows)]
    app.add_systems(OnExit(Screen::Loading), show_icon);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(format!("the window ended with status {code}")),
    }
}

/// Gives the window and its button in the task bar the icon of the program's file, which `scripts/windows` puts there.
#[cfg(windows)]
fn show_icon(window: Single<Entity, With<bevy::window::PrimaryWindow>>, _main_thread: bevy::ecs::system::NonSendMarker) {
    use winit::dpi::PhysicalSize;
    use winit::platform::windows::{IconExtWindows, WindowExtWindows};
    use winit::window::Icon;
    bevy::winit::WINIT_WINDOWS.with_borrow(|windows| {
        let Some(window) = windows.get_window(*window) else { return };
        let of = |points: f64| {
            let size = (points * window.scale_factor()) as u32;
            Icon::from_resource(1, Some(PhysicalSize::new(size, size))).ok()
        };
        window.set_window_icon(of(16.0));
        window.set_taskbar_icon(of(32.0));
    });
}

/// The smallest window. A page is as large as its place in the browser.
fn least_window() -> WindowResizeConstraints {
    let (min_width, min_height) = if PLATFORM.window { SMALLEST_WINDOW } else { (1, 1) };
    WindowResizeConstraints { min_width: min_width as f32, min_height: min_height as f32, ..default() }
}

/// Two threads for searches and drawing: with one, a search would delay the background work of the frame. They, and the programs they
/// start, have a lower priority than the window.
fn task_pools() -> TaskPoolOptions {
    TaskPoolOptions {
        async_compute: TaskPoolThreadAssignmentPolicy {
            min_threads: 2,
            max_threads: 2,
            percent: 0.0,
            on_thread_spawn: Some(std::sync::Arc::new(lower_priority)),
            on_thread_destroy: None,
        },
        ..default()
    }
}

/// Runs the systems of each schedule one after the other, on one thread. They are many and short: handing each to another thread takes longer
/// than the system does. Searches and drawing of pieces have threads of their own.
struct OneAfterTheOther;

impl Plugin for OneAfterTheOther {
    fn build(&self, _app: &mut App) {}

    // Now all schedules are there.
    fn finish(&self, app: &mut App) {
        in_order(app.world_mut());
        // On macOS surfaces are made on the main thread, to which only the other executor hands them.
        #[cfg(not(target_os = "macos"))]
        if let Some(render) = app.get_sub_app_mut(bevy::render::RenderApp) {
            in_order(render.world_mut());
        }
    }
}

fn in_order(world: &mut World) {
    for (_, schedule) in world.resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// The application with its files at `home`, started with `options`.
fn table(home: Home, options: Options) -> impl Plugin {
    move |app: &mut App| {
        let words = Words::shipped(options.language.unwrap_or_else(|| Settings::peek(&home).language()));
        let mut notices = Notices::default();
        finish_taking(&home, &words, &mut notices);
        let (settings, progress, engines) = (Settings::load(&home), PlayerProgress::load(&home), Engines::load(&home));
        let (mistakes, repertoires) = (Mistakes::load(&home), Repertoires::load(&home));
        let (library, faults) = Library::read();
        let faults_of_files = [settings.1, progress.1, engines.1, mistakes.1, repertoires.1];
        faults_of_files.into_iter().flatten().for_each(|fault| notices.fail(fault));
        faults.into_iter().for_each(|fault| notices.fail(fault));
        let words = Words::shipped(options.language.unwrap_or(settings.0.language()));
        let learning = Learning::open(&home, &words, &mut notices);
        let results = MyResults::open(&home, &library, &words, &mut notices);
        app.insert_resource(home.clone())
            .insert_resource(results)
            .insert_resource(learning)
            .insert_resource(settings.0)
            .insert_resource(progress.0)
            .insert_resource(engines.0)
            .insert_resource(mistakes.0)
            .insert_resource(repertoires.0)
            .insert_resource(library)
            .insert_resource(words)
            .insert_resource(notices)
            .insert_resource(Started(options.clone()))
            .add_plugins((TablePlugin, OneAfterTheOther))
            .add_systems(Startup, camera)
            .add_systems(Update, leave_loading.run_if(in_state(Screen::Loading)))
            .add_systems(Last, remember_window);
    }
}

/// The plugins of the application without a window, for tests: logic, states, time; no drawing. Its files are at `home`.
pub fn window_free_plugins(home: Home, options: Options) -> impl Plugin {
    move |app: &mut App| {
        app.add_plugins((
            MinimalPlugins.set(TaskPoolPlugin { task_pool_options: task_pools() }),
            bevy::state::app::StatesPlugin,
            AssetPlugin::default(),
            bevy::input::InputPlugin,
        ))
        .init_asset::<Image>()
        .add_message::<bevy::window::RequestRedraw>()
        .add_message::<bevy::window::WindowEvent>()
        .add_plugins(table(home.clone(), options.clone()))
        .add_plugins(crate::app::activities::ActivitiesPlugin);
    }
}

/// The whole program with menus, in a window of this size in logical pixels without a display and a graphics card: for tests
/// that send events.
pub fn unseen_plugins(home: Home, options: Options, size: (u32, u32)) -> impl Plugin {
    let card = || WgpuSettings { backends: None, ..default() };
    move |app: &mut App| without_display(app, &home, &options, size, card())
}

/// The same, drawn by the graphics card, for tests of pictures. The test must set the camera's target.
pub fn drawn_plugins(home: Home, options: Options) -> impl Plugin {
    move |app: &mut App| without_display(app, &home, &options, (1280, 800), WgpuSettings::default())
}

fn without_display(app: &mut App, home: &Home, options: &Options, size: (u32, u32), card: WgpuSettings) {
    let window = Window { resolution: WindowResolution::new(size.0, size.1), ..default() };
    let plugins = DefaultPlugins
        .set(WindowPlugin { primary_window: Some(window), ..default() })
        .set(TaskPoolPlugin { task_pool_options: task_pools() })
        .set(AssetPlugin { watch_for_changes_override: Some(false), ..default() })
        .set(RenderPlugin { render_creation: card.into(), synchronous_pipeline_compilation: true, ..default() })
        .disable::<bevy::winit::WinitPlugin>()
        .disable::<LogPlugin>();
    // A page has no second thread to draw from.
    #[cfg(not(target_arch = "wasm32"))]
    let plugins = plugins.disable::<bevy::render::pipelined_rendering::PipelinedRenderingPlugin>();
    #[cfg(feature = "audio")]
    let plugins = plugins.disable::<bevy::audio::AudioPlugin>();
    app.add_plugins(plugins)
        .add_plugins(bevy_egui::EguiPlugin::default())
        .add_plugins(table(home.clone(), options.clone()))
        .add_plugins((crate::ui::UiPlugin, crate::app::activities::ActivitiesPlugin));
}

fn camera(mut commands: Commands) {
    commands.spawn((Camera2d, Msaa::Off));
}

/// Opens the title page, or begins the requested match at once.
fn leave_loading(
    started: Res<Started>,
    library: Res<Library>,
    (settings, engines): (Res<Settings>, Res<Engines>),
    mut notices: ResMut<Notices>,
    mut screen: ResMut<NextState<Screen>>,
    mut requests: Requests,
) {
    match opening(&library, &settings, &engines, &started.0) {
        Ok(Some(request)) => {
            if request.get::<ReadRequest>().is_some() {
                screen.set(Screen::Title);
            }
            requests.write(request);
        }
        Ok(None) => screen.set(Screen::Title),
        Err(why) => {
            notices.fail(why);
            screen.set(Screen::Title);
        }
    }
}

/// The request given by the options, if they name a game or a record.
fn opening(library: &Library, settings: &Settings, engines: &Engines, options: &Options) -> Result<Option<AnyRequest>, Message> {
    if let Some(path) = &options.load {
        return match (&options.game, open_record(library, engines, path)?) {
            (Some(game), Some(BeginRequest::Record(record, _))) if *game != record.game => {
                Err(message!("{}: a record of {}, not of {}", path.display(), &record.game, game))
            }
            (_, Some(record)) => Ok(Some(record.into())),
            (_, None) => Ok(Some(ReadRequest::Open(vec![path.clone()]).into())),
        };
    }
    let setup = Setup { variant: options.variant.clone(), position: options.position.clone() };
    let game = options.game.clone();
    let Some(game) = game else { return Ok(None) };
    let library_game = library.game(&game).ok_or_else(|| match qiju_core::games::find(&game) {
        Err(error) => error.into(),
        Ok(_) => message!("the sheet of '{}' is invalid", &game),
    })?;
    library_game.entry.table(&setup)?;
    let level = options.level.unwrap_or(settings.last_setup(&game).levels.second);
    let computer = || SeatSpec::Computer { level, manner: options.manner.clone() };
    let seat = |side: Side| {
        let who = match side {
            Side::First => &options.first,
            Side::Second => &options.second,
        };
        match who {
            Some(Who::Human) => SeatSpec::Human,
            Some(Who::Computer) => computer(),
            Some(Who::External(name)) => SeatSpec::External { name: name.clone() },
            None if side == Side::First => SeatSpec::Human,
            None => computer(),
        }
    };
    let seats = BySide::from_fn(seat);
    for side in Side::BOTH {
        if let SeatSpec::External { name } = &seats[side]
            && engines.find(&game, name).is_none()
        {
            return Err(message!("there is no external engine '{}' for {} in the settings", name, &game));
        }
    }
    let untimed = MatchSetup::untimed(library_game.entry.key, setup, seats, Purpose::Casual);
    Ok(Some(BeginRequest::Start(MatchSetup { control: options.control, ..untimed }).into()))
}

/// Saves the window's size for the next start.
fn remember_window(
    mut exit: MessageReader<AppExit>,
    window: Option<Single<&Window, With<bevy::window::PrimaryWindow>>>,
    (mut settings, home): (ResMut<Settings>, Res<Home>),
) {
    if exit.read().count() == 0 {
        return;
    }
    if let Some(window) = window
        && matches!(window.mode, bevy::window::WindowMode::Windowed)
    {
        // The next frame, in which a request would be heard, does not come.
        let size = (window.width() as u32, window.height() as u32);
        if let Err(why) = settings.change(&home, |settings| settings.window = size) {
            warn!("{why}");
        }
    }
}
