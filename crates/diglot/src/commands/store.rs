//! The commands for editions in an object store: `publish`, `editions`, `rollback`, `diff`, `prune`, and
//! the process that fetches for `serve`.

#[cfg(feature = "store")]
mod connected;
#[cfg(feature = "store")]
mod diff;
#[cfg(feature = "store")]
mod editions;
#[cfg(feature = "store")]
mod fetch;
#[cfg(feature = "store")]
mod prune;
#[cfg(feature = "store")]
mod publish;
#[cfg(feature = "store")]
mod purge;
#[cfg(feature = "store")]
mod rollback;

#[cfg(feature = "store")]
pub(super) use connected::{failure, without_number};
#[cfg(feature = "store")]
pub(super) use diff::diff;
#[cfg(feature = "store")]
pub(super) use editions::editions;
#[cfg(feature = "store")]
pub(super) use fetch::{fetch, key};
#[cfg(feature = "store")]
pub(super) use prune::prune;
#[cfg(feature = "store")]
pub(super) use publish::publish;
#[cfg(feature = "store")]
pub(super) use rollback::rollback;

#[cfg(not(feature = "store"))]
pub(super) use without::{diff, editions, fetch, missing, prune, publish, rollback};

#[cfg(not(feature = "store"))]
mod without {
    use crate::cli;
    use crate::failure::Failure;

    pub(crate) fn missing() -> Failure {
        Failure::without_feature(cli::WITHOUT_STORES)
    }

    pub(crate) fn fetch(_: &cli::FetchStore) -> Result<(), Failure> {
        Err(missing())
    }

    pub(crate) fn publish(_: &cli::Publish) -> Result<(), Failure> {
        Err(missing())
    }

    pub(crate) fn editions(_: &cli::Editions) -> Result<(), Failure> {
        Err(missing())
    }

    pub(crate) fn rollback(_: &cli::Rollback) -> Result<(), Failure> {
        Err(missing())
    }

    pub(crate) fn diff(_: &cli::Diff) -> Result<(), Failure> {
        Err(missing())
    }

    pub(crate) fn prune(_: &cli::Prune) -> Result<(), Failure> {
        Err(missing())
    }
}
