//! Our engines as programs that speak a standard protocol on their input and output.

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

/// Speaks the game's protocol until the other side says goodbye or the input ends; what was asked before that is answered.
///
/// # Errors
/// The output cannot be written.
pub fn run(game: &'static Entry, input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    match game.protocol {
        Protocol::Gomocup => gomocup::run(game, input, output),
        Protocol::Uci | Protocol::UciAndUcci => session::run(game, input, output),
    }
}
