//! The tests of the program and of the code, in one binary: it is linked once, and while some wait
//! others run. `tests/wire` is another, since what it measures is time.

mod audit;
mod canary;
mod cli;
mod docs;
mod export;
mod golden;
mod hostile;
mod kept;
mod search;
mod tidy;
#[path = "support/tree.rs"]
mod tree;
