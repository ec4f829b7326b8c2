//! Qiju (棋局): a board-game program for xiangqi, gomoku, two-eat-one and tic-tac-toe, with engines of ten levels. This package is the window, its pages
//! and the command line; rules, engines and records are in `qiju-core`.
//!
//! The layers, where `a <- b` reads "b may use a":
//!
//! ```text
//! { page, friends, language, print } <- app <- ui <- window <- cli
//! ```
//!
//! `app`, `ui` and `window` (feature `gui`) use Bevy; without them the program is the command line. `tests/layers.rs` checks this diagram.

#[cfg(feature = "gui")]
pub mod app;
pub mod cli;
#[cfg(feature = "friends")]
pub mod friends;
pub mod language;
#[cfg(any(test, target_arch = "wasm32"))]
pub mod page;
pub mod print;
#[cfg(feature = "gui")]
pub mod ui;
#[cfg(feature = "gui")]
pub mod window;
