//! `play`: opens the window.

use super::ask::{ClockArgs, read_manner};
use crate::language::Language;
use qiju_core::terminal::Failure;

/// Opens the window.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// The game to start with [default: the title page]
    #[arg(value_parser = super::ask::read_game)]
    pub game: Option<String>,
    /// The variant
    #[arg(long, value_name = "V", requires = "game")]
    pub variant: Option<String>,
    /// The computer's level, 1 to 10
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// The computer's manner, one of those of the game
    #[arg(long, value_name = "M", requires = "game")]
    pub manner: Option<String>,
    /// The player of the first side: human, computer, or the name of an external engine
    #[arg(long, value_name = "WHO")]
    pub first: Option<String>,
    /// The player of the second side
    #[arg(long, value_name = "WHO")]
    pub second: Option<String>,
    #[command(flatten)]
    pub clocks: ClockArgs,
    /// The start position
    #[arg(long, value_name = "P", requires = "game", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// A record to open
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "position", "clock", "clock_second"])]
    pub load: Option<std::path::PathBuf>,
    /// The language: zh, zh-hant, en, ja, ko, vi or ru
    #[arg(long, value_parser = Language::ALL.map(Language::code))]
    pub lang: Option<String>,
}

pub fn run(args: Args) -> Result<(), Failure> {
    if let Some(game) = &args.game {
        let setup = qiju_core::table::Setup { variant: args.variant.clone(), position: args.position.clone() };
        let entry = qiju_core::games::find(game)?;
        entry.table(&setup)?;
        if let Some(manner) = &args.manner {
            read_manner(manner, &entry.load_sheet()?).map_err(|why| Failure::usage(format!("--manner {manner}: {why}")))?;
        }
    }
    if let Some(file) = &args.load {
        super::ask::check_file(file)?;
    }
    open(args)
}

#[cfg(not(feature = "gui"))]
fn open(_: Args) -> Result<(), Failure> {
    Err(Failure::work("this build has no window; build with the feature 'gui', or use the other commands (qiju --help)"))
}

#[cfg(feature = "gui")]
fn open(args: Args) -> Result<(), Failure> {
    #[cfg(windows)]
    leave_own_console();
    use crate::app::words::Language;
    use crate::app::{Options, Who};
    let who = |word: Option<String>| {
        word.map(|word| match word.as_str() {
            "human" => Who::Human,
            "computer" => Who::Computer,
            _ => Who::External(word),
        })
    };
    let options = Options {
        game: args.game,
        variant: args.variant,
        level: args.level,
        manner: args.manner,
        first: who(args.first),
        second: who(args.second),
        control: args.clocks.controls(),
        position: args.position,
        load: args.load,
        language: args.lang.as_deref().and_then(Language::of_code),
    };
    crate::window::check(&options).map_err(Failure::usage)?;
    crate::window::run(&options).map_err(Failure::work)
}

/// Closes the console, if it was opened for this program alone: it was not started from one.
#[cfg(all(feature = "gui", windows))]
fn leave_own_console() {
    use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};
    let mut programs = [0; 2];
    // SAFETY: the list has the length that it is said to have.
    unsafe {
        if GetConsoleProcessList(programs.as_mut_ptr(), programs.len() as u32) == 1 {
            FreeConsole();
        }
    }
}
