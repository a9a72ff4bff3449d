//! All articles and pages of a folder, sorted, with their addresses, links and visibility resolved.
//!
//! Each module depends only on those listed before it:
//!
//! 1. data and queries shared by all steps: `indexed`, `article`, `report`, `paths`, `generated`, `files`,
//!    `anchors`, `explained`, `fields`, `cover`, `series`, `visibility`, `front_only`;
//! 2. the classification of files: `classify`;
//! 3. the content of each file, read independently: `dates`, `include`, `extract`, `parse`;
//! 4. evidence from all files together: `listed_names`, `readme_indexes`, `authors`, `language_group`,
//!    `site_names`, `stem`, `folder`;
//! 5. the description of each text: `candidate`, `describe`;
//! 6. what is published: `inherited`, `tags`, `publish`, `linked`, `candidates`,
//!    `notes`, `publication`;
//! 7. link targets: `links`, `generator_path`, `permalink_template`, `permalink_values`, `permalink`, `aliases`, `old_addresses`,
//!    `dated`, `moved`, `untranslated`, `chains`, `linking`;
//! 8. the author's order, and what is around every text: `order`, `frame`;
//! 9. the library: `kept_ids`, `sections`, `section_addresses`, `embed`, `memory`, `build`, `explain`.

mod aliases;
mod anchors;
mod article;
mod authors;
mod build;
mod candidate;
mod candidates;
mod chains;
mod classify;
mod cover;
mod dated;
mod dates;
mod describe;
mod embed;
mod explain;
mod explained;
mod extract;
mod fields;
mod files;
mod folder;
mod frame;
mod front_only;
mod generated;
mod generator_path;
mod include;
mod indexed;
mod inherited;
mod kept_ids;
mod language_group;
mod linked;
mod linking;
mod links;
mod listed_names;
mod memory;
mod moved;
mod newest_posts;
mod notes;
mod old_addresses;
mod order;
mod own_values;
mod parse;
mod paths;
mod permalink;
mod permalink_template;
mod permalink_values;
mod placeholders;
mod publication;
mod publish;
mod readme_indexes;
mod report;
mod section_addresses;
mod sections;
mod series;
mod site_names;
mod stem;
mod tags;
mod untranslated;
pub mod visibility;

pub use crate::model::format::is_markdown;
pub use article::{Article, Kind, LlmsPlace, PartOf, PublishedFile, Rank, Redirect, Tag};
pub use build::Library;
pub use explain::{Explanation, Step, explain};
pub use frame::{Frame, FrameItem, FramePage, FramePicture, FrameText, Logo};
pub use generated::{FEEDS, is_not_found_in};
pub use indexed::Indexed;
pub use memory::Memory;
pub use report::{Public, PublicFolder, References, Report, Tally};

#[cfg(test)]
mod tests;
