//! Qiju (棋局): a board-game program for xiangqi, gomoku, two-eat-one and tic-tac-toe, with engines of ten levels.
//!
//! The layers, where `a <- b` reads "b may use a":
//!
//! ```text
//! rules <- search <- table <- games <- { protocol, record, paint } <- compute <- page <- app <- ui <- window <- cli
//!                         \__ study __________________/
//! ```
//!
//! `storage`, which saves data on the disk, is on the same layer as `rules`: everything above `search` may use it.
//!
//! Everything except `app`, `ui` and `window` (feature `gui`) builds without Bevy and runs headless. `tests/layers.rs` checks this diagram.
//!
//! ```
//! use qiju::{games, table::Setup};
//!
//! let mut table = games::find("tic-tac-toe")?.table(&Setup::default())?;
//! let centre = table.read("b2")?;
//! table.play(centre)?;
//! assert_eq!(table.position_text(), "....x.... o");
//! assert_eq!(table.actions().len(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "gui")]
pub mod app;
pub mod cli;
pub mod compute;
pub mod games;
#[cfg(any(test, target_arch = "wasm32"))]
pub mod page;
#[cfg(feature = "paint")]
pub mod paint;
pub mod protocol;
pub mod record;
pub mod rules;
pub mod search;
pub mod storage;
pub mod study;
pub mod table;
#[cfg(feature = "gui")]
pub mod ui;
#[cfg(feature = "gui")]
pub mod window;
