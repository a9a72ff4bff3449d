//! Tests across processes: the packaged binary with third-party hosts, caches, clients, browsers
//! and judges.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "commands for the terminal"
)]

pub mod agents;
pub mod authority;
pub mod browser;
pub mod caches;
pub mod clients;
pub mod conform;
pub mod contract;
pub mod figures;
pub mod folders;
pub mod fuzz;
pub mod hostile;
pub mod hosts;
pub mod hugo;
pub mod instructions;
pub mod look;
pub mod negotiation;
pub mod numbers;
pub mod packaging;
pub mod purge;
pub mod random;
pub mod reach;
pub mod replicas;
pub mod server;
pub mod sites;
pub mod slow;
pub mod spec;
pub mod stores;
pub mod together;
pub mod torture;
mod turns;
pub mod weekly;
pub mod wire;
