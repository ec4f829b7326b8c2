//! Tests of the rules with sample files, and of the tablebase with published results.

mod sample;
mod solved;
