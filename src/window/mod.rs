//! The program with its window: [`app`](crate::app) and [`ui`](crate::ui) put together, opened by [`run`], and the same without a window for tests.

mod faults;
mod measure;
mod run;

pub use run::{check, drawn_plugins, run, unseen_plugins, window_free_plugins};
