//! A store that is open, for the commands that ask it.

use std::io::ErrorKind;
use std::path::Path;

use diglot_store::signature::PublicKey;
use diglot_store::{Address, Chain, Error, Objects};

use crate::cli;
use crate::failure::{Failure, lower_case};

/// A store, and the runtime that waits for its answers.
#[derive(Debug)]
pub(super) struct Connected {
    pub address: Address,
    pub objects: Objects,
    runtime: tokio::runtime::Runtime,
}

impl Connected {
    /// Opens the store of the arguments. A folder is created.
    pub(super) fn to(args: &cli::Store) -> Result<Self, Failure> {
        Self::with(
            args,
            Address::open,
            "`--to` names a folder that you can write",
        )
    }

    /// Opens the store of the arguments, which must exist.
    pub(super) fn to_existing(args: &cli::Store) -> Result<Self, Failure> {
        const HINT: &str =
            "`--to` names the folder of a store; the first `diglot publish` makes it";
        Self::with(args, Address::open_existing, HINT)
    }

    /// Opens the store of the arguments for a plan, which writes nothing.
    pub(super) fn to_plan(args: &cli::Store) -> Result<Self, Failure> {
        Self::with(
            args,
            Address::open_to_plan,
            "`--to` names a folder that you can read",
        )
    }

    fn with(
        args: &cli::Store,
        open: fn(&Address) -> Result<Objects, Error>,
        hint: &str,
    ) -> Result<Self, Failure> {
        let address = Address::parse(&args.address).map_err(wrong_address)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(Failure::thread)?;
        // An error says that there is a provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let objects = runtime
            .block_on(async { open(&address) })
            .map_err(|error| cannot_open(error, &address, hint))?;
        Ok(Self {
            address,
            objects,
            runtime,
        })
    }

    /// Waits for an operation on the store.
    pub(super) fn wait<T>(
        &self,
        operation: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Failure> {
        self.runtime.block_on(operation).map_err(failure)
    }

    /// Waits for something else.
    pub(super) fn block_on<T>(&self, operation: impl Future<Output = T>) -> T {
        self.runtime.block_on(operation)
    }

    pub(super) fn chain(&self) -> Chain<'_> {
        self.chain_of(None)
    }

    /// The chain; with a key, only what is signed with it is good.
    pub(super) fn chain_of<'a>(&'a self, key: Option<&'a PublicKey>) -> Chain<'a> {
        Chain {
            objects: &self.objects,
            key,
        }
    }
}

/// The failure of an operation on a store. What to do is after a semicolon in its message.
pub(in crate::commands) fn failure(error: Error) -> Failure {
    let message = without_number(&error.to_string());
    let failed: fn(String) -> Failure = match error {
        Error::Usage(_) => Failure::usage,
        Error::Refused(_) => Failure::machine,
        Error::Store { .. } | Error::Conflict(_) => return Failure::machine(message),
    };
    match message.rsplit_once("; ") {
        Some((message, hint)) => failed(message.to_owned()).hint(hint),
        None => failed(message),
    }
}

/// The failure of an address that names no store.
fn wrong_address(error: Error) -> Failure {
    let failure = failure(error);
    match failure.hint {
        Some(_) => failure,
        None => failure.hint("write it as `s3://bucket/prefix`, or `file:///folder` for a folder"),
    }
}

/// The failure of a store that cannot be opened.
fn cannot_open(error: Error, address: &Address, hint: &str) -> Failure {
    let failure = failure(error);
    match address.folder() {
        Some(_) => failure.hint(hint),
        None => failure,
    }
}

/// A message with the system's error as others have it: lower case, without the number.
pub(in crate::commands) fn without_number(message: &str) -> String {
    let Some((before, rest)) = message.split_once(" (os error ") else {
        return message.to_owned();
    };
    let after = rest.split_once(')').map_or("", |(_, after)| after);
    match before.rsplit_once(": ") {
        Some((start, reason)) => format!("{start}: {}{after}", lower_case(reason)),
        None => lower_case(before) + after,
    }
}

/// A usage failure with a hint if there is no such file.
pub(super) fn require_file(file: &Path, hint: &str) -> Result<(), Failure> {
    match file.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Failure::named_file(file, &error, hint))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_errors_are_as_elsewhere() {
        for (message, expected) in [
            (
                "cannot open the folder `/x`: No such file or directory (os error 2)",
                "cannot open the folder `/x`: no such file or directory",
            ),
            (
                "cannot write `a`: File too large (os error 27), at `b`",
                "cannot write `a`: file too large, at `b`",
            ),
            (
                "the store has no edition `7`",
                "the store has no edition `7`",
            ),
        ] {
            assert_eq!(without_number(message), expected);
        }
    }
}
