//! Tests of the rules with case files, and of the proofs with known positions.

mod proofs;
mod rules;
