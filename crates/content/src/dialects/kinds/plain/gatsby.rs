//! Gatsby: the folders that `gatsby-source-filesystem` reads, `src/pages/`, and `static/`.

mod addresses;
mod filters;
mod sources;

use self::sources::Sources;
use crate::dialects::config::{Config, UNKNOWN_FOLDER};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope};
use crate::model::sources::SourceFile;

/// The beginning of the name of its configuration.
const CONFIG: &str = "gatsby-config.";
/// The folder whose components and texts are pages.
const PAGES: &str = "src/pages";
/// The folder that is copied.
const STATIC: &str = "static";
/// The largest configuration, in bytes.
const LARGEST: usize = 1_000_000;

/// Whether the folder belongs to Gatsby.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    configuration(evidence).is_some()
}

fn configuration<'a>(evidence: &Evidence<'a>) -> Option<&'a SourceFile> {
    let file = evidence.beginning(CONFIG)?;
    (file.bytes.len() <= LARGEST).then_some(file)
}

/// The folders with texts. If the configuration names none, the whole folder.
pub fn scope(project: &Project<'_>) -> Scope {
    let evidence = project.evidence;
    let Some(file) = configuration(evidence) else {
        return Scope::default();
    };
    let sources = Sources::read(evidence, file);
    let by = file.path.to_string();
    if !sources.have_texts(evidence) && !sources.are_unread() {
        return Scope {
            by,
            ..Scope::default()
        };
    }
    let pages = std::iter::once(PAGES.to_owned());
    let folders = sources.folders.into_iter().chain(pages);
    let (content, assets) = folders.partition(|folder| evidence.holds_text(folder));
    Scope {
        assets,
        bundled: true,
        excluded: sources.ignored,
        by,
        ..Scope::new(content, &[STATIC])
    }
}

/// Gives the texts their addresses, tells what is not read, and withholds what the program filters out. If no folder is known, nothing is
/// published.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(file) = configuration(evidence) else {
        return;
    };
    let sources = Sources::read(evidence, file);
    if sources.are_unread() && !sources.have_texts(evidence) && !evidence.holds_text(PAGES) {
        config.withhold_all(UNKNOWN_FOLDER);
    }
    filters::settle(evidence, &sources.folders, config);
    addresses::settle(evidence, &sources.folders, config);
    config.problems.extend(sources.problems);
}
