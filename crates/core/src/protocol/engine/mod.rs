//! Our engines as programs with a standard protocol on input and output.

mod dialect;
mod gomocup;
mod session;
#[cfg(test)]
mod tests;
mod ucci;
mod uci;

use crate::games::Entry;
use crate::table::Protocol;
use std::io::{self, BufRead, Write};

/// Runs the game's protocol until the other side quits or the input ends; earlier commands are still answered.
///
/// # Errors
/// The output cannot be written.
pub fn run(game: &'static Entry, input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    match game.protocol {
        Protocol::Gomocup => gomocup::run(game, input, output),
        Protocol::Uci | Protocol::UciAndUcci => session::run(game, input, output),
    }
}
