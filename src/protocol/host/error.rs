//! What can go wrong with another program.

use thiserror::Error;

/// What went wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// It could not be started, or speaks none of the protocols.
    #[error("'{command}' does not start: {why}")]
    Start {
        /// The command line.
        command: String,
        /// What is wrong.
        why: String,
    },
    /// It ended, or closed its output.
    #[error("'{command}' died")]
    Died {
        /// The command line.
        command: String,
    },
    /// It gave no answer in the time it had, and more.
    #[error("'{command}' gave no answer")]
    Silent {
        /// The command line.
        command: String,
    },
    /// It answered with something that is no legal move.
    #[error("'{command}' answered '{answer}': {why}")]
    Illegal {
        /// The command line.
        command: String,
        /// What it said.
        answer: String,
        /// What is wrong with it.
        why: String,
    },
}
