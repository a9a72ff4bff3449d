//! Counts what is read, by kind of reader, form and day, without personal data.
//!
//! [`Tally`] counts while the server answers, [`Recorder`] adds the counts to the files of a
//! [`Store`], one per day, and [`Summary`] shows them. Addresses, program names and queries are
//! never stored: only existing resources, and families from a closed list. `docs/readers.md`
//! documents the format of the files.

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
