//! Rules, engines, records and pictures of xiangqi, gomoku, two-eat-one and tic-tac-toe: everything of Qiju that needs no window.
//!
//! The layers, where `a <- b` reads "b may use a":
//!
//! ```text
//! rules <- search <- table <- games <- { protocol, record, paint } <- { arena, terminal, compute }
//!                         \__ study ____________________________________________/
//! ```
//!
//! `storage`, which saves data on the disk, is on the same layer as `rules`: everything above `search` may use it. `tests/layers.rs` of the program
//! checks this diagram.
//!
//! ```
//! use qiju_core::{games, table::Setup};
//!
//! let mut table = games::find("tic-tac-toe")?.table(&Setup::default())?;
//! let centre = table.read("b2")?;
//! table.play(centre)?;
//! assert_eq!(table.position_text(), "....x.... o");
//! assert_eq!(table.actions().len(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arena;
pub mod compute;
pub mod games;
pub mod paint;
pub mod protocol;
pub mod record;
pub mod rules;
pub mod search;
pub mod storage;
pub mod study;
pub mod table;
pub mod terminal;
