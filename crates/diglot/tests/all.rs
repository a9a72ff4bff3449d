//! The tests of the program and of the code, in one binary: it is linked once, and while some wait
//! others run. `tests/wire` is another, since what it measures is time.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "tests read and write what they made"
)]

mod audit;
mod canary;
mod cli;
mod docs;
mod export;
mod golden;
mod hostile;
mod search;
mod support;
mod tidy;
