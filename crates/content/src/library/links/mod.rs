//! Where every address that an author wrote leads: one table over the whole folder.
//!
//! Two spaces of names meet here. Authors link files (`../x.md`) and addresses (`/2015/03/19/x/`,
//! `../x/`); both are looked up by hash, so that a link costs the same in a folder of a hundred
//! files and of a hundred thousand.

mod conventions;
mod keys;
mod lookup;
mod resolve;
mod table;

pub use conventions::Conventions;
pub use resolve::Resolved;
pub use table::{ItemId, LinkTable};
