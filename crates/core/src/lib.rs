//! Rules, engines, records and pictures of xiangqi, gomoku, two-eat-one and tic-tac-toe: everything of Qiju that needs no window.
//!
//! The layers, where `a <- b` reads "b may use a":
//!
//! ```text
//! rules <- search <- table <- games <- { record, paint } <- { book, vision } <- protocol <- { arena, terminal, compute, library } <- repertoire
//!                         \__ study ____________________________________________/
//! ```
//!
//! `storage`, which saves data on the disk, is on the same layer as `rules`: everything above `search` may use it.
//! `message`, the sentences of errors, may be used everywhere. `tests/layers.rs` of the program checks this diagram.
#![doc = include_str!("../README.md")]

pub mod arena;
pub mod book;
pub mod compute;
pub mod games;
pub mod library;
pub mod message;
pub mod paint;
pub mod protocol;
pub mod record;
pub mod repertoire;
pub mod rules;
pub mod search;
pub mod storage;
pub mod study;
pub mod table;
pub mod terminal;
pub mod vision;
