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

/// The longest part of a store's answer that is repeated, in characters.
const LONGEST: usize = 200;

/// What the store says, or the innermost cause, in one line: the outer ones repeat the URL with the
/// query, which may hold a signature.
fn reason(error: &object_store::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    let what = match error {
        object_store::Error::PermissionDenied { .. } => "permission denied",
        object_store::Error::Unauthenticated { .. } => "the credentials are not valid",
        object_store::Error::NotFound { .. } => "not found",
        _ => "the store refuses the request",
    };
    match (said(&text), error) {
        (Some(said), _) => explained(what, &said),
        (
            None,
            object_store::Error::PermissionDenied { .. }
            | object_store::Error::Unauthenticated { .. }
            | object_store::Error::NotFound { .. },
        ) => what.to_owned(),
        (None, _) => one_line(text.lines().next().unwrap_or_default()),
    }
}

/// The code and the message of an answer in XML, as S3 and Azure write it.
fn said(text: &str) -> Option<(String, String)> {
    let code = element(text, "Code")?;
    Some((code, element(text, "Message").unwrap_or_default()))
}

fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (value, _) = rest.split_once(&format!("</{name}>"))?;
    let value = one_line(value.trim());
    (!value.is_empty()).then_some(value)
}

fn explained(what: &str, (code, message): &(String, String)) -> String {
    let what = match code.as_str() {
        "RequestTimeTooSkewed" => "the clock of this machine is not that of the store",
        _ => what,
    };
    match message.as_str() {
        "" => format!("{what} (`{code}`)"),
        message => format!("{what} (`{code}`): {message}"),
    }
}

/// The beginning of a text, without line ends and other controls.
fn one_line(text: &str) -> String {
    let blank = |letter: char| match letter.is_control() {
        true => ' ',
        false => letter,
    };
    text.chars().map(blank).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(body: &str) -> String {
        let path = "editions/1".to_owned();
        let source = format!("Server returned non-2xx status code: 403 Forbidden: {body}").into();
        reason(&object_store::Error::PermissionDenied { path, source })
    }

    #[test]
    fn a_refused_request_says_why_in_one_line() {
        let body = "<?xml version=\"1.0\"?>\n<Error><Code>SignatureDoesNotMatch</Code>\
                    <Message>Check\nyour key.</Message><StringToSign>x</StringToSign></Error>";
        assert_eq!(
            denied(body),
            "permission denied (`SignatureDoesNotMatch`): Check your key."
        );
        let skewed = denied("<Error><Code>RequestTimeTooSkewed</Code></Error>");
        assert_eq!(
            skewed,
            "the clock of this machine is not that of the store (`RequestTimeTooSkewed`)"
        );
        for body in ["", "no XML", "<Code></Code>", "<Code>half"] {
            assert_eq!(denied(body), "permission denied", "{body}");
        }
        let generic = object_store::Error::Generic {
            store: "S3",
            source: "400: <Error><Code>NoSuchBucket</Code><Message>none</Message></Error>".into(),
        };
        assert_eq!(
            reason(&generic),
            "the store refuses the request (`NoSuchBucket`): none"
        );
    }
}
