//! The rules against the case files, and the proofs against positions that others have judged.

mod proofs;
mod rules;
