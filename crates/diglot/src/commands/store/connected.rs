//! A store that is open, for the commands that ask it.

use diglot_store::{Address, Chain, Error, Objects};

use crate::cli;
use crate::failure::Failure;

/// A store, and the runtime that waits for its answers.
#[derive(Debug)]
pub(super) struct Connected {
    pub address: Address,
    pub objects: Objects,
    runtime: tokio::runtime::Runtime,
}

impl Connected {
    /// Opens the store of the arguments.
    pub(super) fn to(args: &cli::Store) -> Result<Self, Failure> {
        let address = Address::parse(&args.address).map_err(failure)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(Failure::thread)?;
        // An error says that there is a provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let objects = runtime
            .block_on(async { address.open() })
            .map_err(failure)?;
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
        Chain {
            objects: &self.objects,
            key: None,
        }
    }
}

pub(in crate::commands) fn failure(error: Error) -> Failure {
    match error {
        Error::Usage(message) => Failure::usage(message),
        error => Failure::machine(error.to_string()),
    }
}
