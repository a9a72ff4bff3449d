//! All articles and pages of a folder, in one order, with their addresses, links and visibility decided.
//!
//! The modules are in the order in which an article passes through them. Each knows only those before it, so a reader goes forward.

// What is published, and words that all steps use.
mod anchors;
mod article;
mod candidate;
mod fields;
mod files;
mod generated;
mod paths;
mod report;
pub mod visibility;

// What each file is.
mod classify;

// What each file holds, read by itself.
mod dates;
mod extract;
mod include;
mod parse;

// What only all files together can say.
mod authors;
mod folder;
mod language_group;
mod readme;
mod site_names;
mod summary;

// What each text says about itself.
mod describe;
mod memory;
mod stem;

// Who is published.
mod publication;
mod publish;
mod tags;

// Where links lead.
mod addresses;
mod linking;
mod links;
mod permalink;

// The library.
mod build;
mod embed;
mod explain;

pub use crate::model::format::is_markdown;
pub use article::{Article, Kind, LlmsPlace, PublishedFile, Redirect, Tag};
pub use build::Library;
pub use explain::{Explanation, Step, explain};
pub use memory::Memory;
pub use report::{References, Report, Tally};

#[cfg(test)]
mod tests;
