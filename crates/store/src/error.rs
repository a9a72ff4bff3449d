//! Why an operation on a store failed.

use std::fmt;

/// The result of an operation on a store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation on a store failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The store did not answer, or refused: the operation, and the reason.
    Store {
        /// The operation: ``read `editions/1` ``.
        operation: String,
        /// The store's answer, in one line.
        reason: String,
    },
    /// What the store holds is damaged, foreign or not signed as required.
    Refused(String),
    /// Another process was faster, or is still at work.
    Conflict(String),
    /// Wrong usage: an address or a key that cannot be read.
    Usage(String),
}

impl Error {
    /// A failure of the store during an operation such as `read` on a key.
    pub fn store(operation: &str, key: &str, error: &object_store::Error) -> Self {
        Self::Store {
            operation: format!("{operation} `{key}`"),
            reason: reason(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store { operation, reason } => write!(f, "cannot {operation}: {reason}"),
            Self::Refused(message) | Self::Conflict(message) | Self::Usage(message) => {
                f.write_str(message)
            }
        }
    }
}

impl std::error::Error for Error {}

/// The innermost cause, in one line: the outer ones repeat the URL with the query, which may hold a
/// signature.
fn reason(error: &object_store::Error) -> String {
    match error {
        object_store::Error::PermissionDenied { .. } => "permission denied".to_owned(),
        object_store::Error::Unauthenticated { .. } => "the credentials are not valid".to_owned(),
        object_store::Error::NotFound { .. } => "not found".to_owned(),
        error => {
            let mut cause: &dyn std::error::Error = error;
            while let Some(inner) = cause.source() {
                cause = inner;
            }
            let text = cause.to_string();
            text.lines().next().unwrap_or_default().to_owned()
        }
    }
}
