//! The program with its window: joins [`app`](crate::app) and [`ui`](crate::ui); [`run`] opens the window. Also the same without a window, for tests.

mod faults;
mod measure;
mod run;

pub use run::{check, drawn_plugins, run, unseen_plugins, window_free_plugins};
