//! The proof that a site that moved here lost nothing: the former site, as it was walked, is
//! compared with the edition of the folder.
//!
//! `walk` reads the former site and judges nothing; `ours` answers for the edition; the others are
//! functions of the two.

mod cache;
mod compare;
mod feeds;
mod loss;
mod matching;
mod missing_repairs;
mod old;
mod ours;
mod pairs;
mod report;
mod site_base;
mod text;
mod theme;
mod walk;
mod words;

pub use cache::Cache;
pub use loss::{Kind, Loss, Repair};
pub use missing_repairs::missing;
pub use old::OldSite;
pub use ours::Ours;
pub use report::Report;
pub use walk::{Bounds, declared, walk};

use diglot_content::migration::Migration;

/// The longest chain of redirects, on either site.
const LONGEST_CHAIN: usize = 10;

/// Compares the former site with the edition. What the author accepts is not a loss.
pub fn prove(old: &OldSite, ours: &Ours<'_>, kept: &Migration) -> Report {
    compare::compare(old, ours, kept)
}
