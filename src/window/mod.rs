//! The program with its window: joins [`app`](crate::app) and [`ui`](crate::ui); [`run`] opens the window. Also the same without a window, for tests.

mod faults;
mod measure;
mod run;

#[cfg(target_arch = "wasm32")]
pub use run::run_in_page;
pub use run::{check, drawn_plugins, run, unseen_plugins, window_free_plugins};
