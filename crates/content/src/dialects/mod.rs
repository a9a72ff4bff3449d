//! The kinds of folder.
//!
//! `kinds` has one file per kind: the evidence for it, its content folder, its configuration files,
//! and its template tags. `tags` parses template tags and renders those that several kinds share.
//! `passes` rewrites a text step by step into plain Markdown. What `kinds` and `passes` both need is
//! beside them: `lines` and `scan` divide a text, `attributes` and `numbering` read Pandoc's.

mod attachments;
mod attributes;
mod backticks;
mod code;
mod collections;
mod config;
mod dialect;
mod dollars;
mod evidence;
mod hash_address;
mod heading_ids;
mod home_words;
mod html_head;
mod instances;
mod jsx;
mod jsx_evidence;
mod kind;
mod kinds;
mod knitr;
mod lines;
mod markup;
mod myst;
mod named_files;
mod next_metadata;
mod numbering;
pub mod order;
mod passes;
mod pattern;
mod redirects;
mod scan;
mod scope;
mod script;
mod summary;
mod tags;
mod template_names;
#[cfg(test)]
mod tests;
mod yaml_page;

pub use attachments::attachments;
pub use config::{
    Config, DataFile, Glob, Layout, Locale, MadeList, Mount, Preprocessor, RuledPage, SiteData,
    data,
};
pub use dialect::{Dialect, Filling, FolderOrder, Inherits, Owner};
pub use evidence::Evidence;
pub use heading_ids::HeadingIds;
pub use home_words::{HomeWords, home_words};
pub use kind::{Kind, settings, site_address};
pub use kinds::is_reported;
pub use lines::Remark;
pub use markup::is_picture;
pub use myst::labels as myst_labels;
pub use next_metadata::fill as fill_metadata;
pub use passes::files::{Files, Found, Named, Search};
pub use passes::{Translated, is_false, is_for_everyone, translate};
pub use pattern::Pattern;
pub use redirects::{Rule, Rules};
pub use scope::Scope;
pub use yaml_page::{Data, YamlPage, kind as data_kind, read as yaml_page};
