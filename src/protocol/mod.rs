//! The protocols engines speak, as an engine on standard input and output.

pub mod gomocup;
