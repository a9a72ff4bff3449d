//! All input and output around the pure crates: command line, reading, serving, exporting, what the terminal shows.
//!
//! The map: [`cli`] says what can be asked. [`read`] turns a folder into sources, with dates from the seam in [`dates`] and what [`state`] remembers.
//! [`serve`] answers from the live edition, [`watch`] says when to make a new one, [`fill`] makes codings in the background. [`export`] writes an edition
//! as a folder. [`check`] and [`report`] say what was found; [`new`] makes a site to start from. These modules do not import each other: [`commands`] ties
//! them together, and [`failure`] is how each of them ends a command.

pub mod check;
pub mod cli;
pub mod dates;
pub mod export;
pub mod failure;
pub mod fill;
pub mod git;
pub mod new;
pub mod read;
pub mod report;
pub mod serve;
pub mod state;
pub mod watch;
