//! All input and output around the pure crates: command line, reading, serving, exporting, what the terminal shows.
pub mod git;
