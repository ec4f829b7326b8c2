//! Qiju.
fn main() {}
