//! The program: runs the command line. In a browser it is one of the page's two modules: the window, or without it what a worker runs.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    qiju::cli::run(std::env::args_os())
}

#[cfg(all(target_arch = "wasm32", feature = "gui"))]
fn main() {
    qiju::window::run_in_page();
}

#[cfg(all(target_arch = "wasm32", not(feature = "gui")))]
fn main() {
    qiju::page::worker::start();
}

/// The counts of `qiju bench` for one game, to compare the engines with those of the desktop.
#[cfg(all(target_arch = "wasm32", not(feature = "gui")))]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn bench(game: &str) -> Result<String, String> {
    qiju::cli::bench_of_game(game)
}
