//! Resolves every address that an author wrote, with one table for the whole folder.
//!
//! Two namespaces meet here. Authors link to files (`../x.md`) and to addresses (`/2015/03/19/x/`,
//! `../x/`). Both are looked up by hash, so the cost of a link does not grow with the folder.

mod conventions;
mod entries;
mod fallback;
mod instead;
mod item;
mod keys;
mod lookup;
mod missing;
mod resolve;
mod root_targets;
mod sites;
mod table;
mod target;

pub use conventions::Evidence;
pub use entries::Lookup;
pub use item::ItemId;
pub use root_targets::RootTarget;
pub use table::{Conventions, Index, LinkTable, former};
pub use target::Resolved;
