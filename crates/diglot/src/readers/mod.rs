//! Who reads what: counters of what was read, by kind of reader, form and day, and nothing about
//! anybody.
//!
//! [`Tally`] counts while the server answers, [`Recorder`] adds what it counted to the files of a
//! [`Store`], one a day, and [`Summary`] shows them. No address, no name of a program and no query
//! is ever kept: only resources that exist, and families from a closed list. `docs/readers.md` has
//! the format of the files.

mod day;
mod recorder;
mod store;
mod summary;
mod tally;

pub use day::{Count, Day, NewerVersion, Reader, Subject, sealed};
pub use recorder::Recorder;
pub use store::Store;
pub use summary::Summary;
pub use tally::Tally;
