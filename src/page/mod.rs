//! What belongs to the page in a browser: the workers that compute for it, and the worker's own side. Everything here except the order of
//! the questions ([`pool`]) is built for the target `wasm32` only.
//!
//! The page has two modules. One is the window: Bevy, egui, everything above [`compute`](qiju_core::compute). The other is this crate
//! without its window; a worker loads it and answers the questions of [`compute`](qiju_core::compute) with [`answer`](qiju_core::compute::answer).
//! See `docs/web.md`.

#[cfg(any(test, all(target_arch = "wasm32", feature = "gui")))]
pub mod pool;
#[cfg(all(target_arch = "wasm32", feature = "gui"))]
pub mod shell;
#[cfg(all(target_arch = "wasm32", not(feature = "gui")))]
pub mod worker;
#[cfg(all(target_arch = "wasm32", feature = "gui"))]
pub mod workers;
