//! Errors of external programs.

use thiserror::Error;

/// An error of an external program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// It could not be started, or supports none of the protocols.
    #[error("'{command}' does not start: {why}")]
    Start {
        /// The command line.
        command: String,
        /// What is wrong.
        why: String,
    },
    /// It exited or closed its output.
    #[error("'{command}' died")]
    Died {
        /// The command line.
        command: String,
    },
    /// It did not answer, even some time after its deadline.
    #[error("'{command}' gave no answer")]
    Silent {
        /// The command line.
        command: String,
    },
    /// Its answer is not a legal move.
    #[error("'{command}' answered '{answer}': {why}")]
    Illegal {
        /// The command line.
        command: String,
        /// Its answer.
        answer: String,
        /// What is wrong with it.
        why: String,
    },
}
