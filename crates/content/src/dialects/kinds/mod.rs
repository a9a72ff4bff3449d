//! One file for each kind of folder.

mod astro;
mod docfx;
mod docsify;
mod docusaurus;
mod eleventy;
mod gitbook;
mod graphs;
mod hexo;
mod hugo;
mod jekyll;
mod jupyterbook;
mod mdbook;
mod mintlify;
mod mkdocs;
mod nextra;
mod obsidian;
mod plain;
mod quarto;
mod vitepress;
mod zola;

use super::config::Config;
use super::dialect::Dialect;
use super::evidence::Evidence;
use super::scope::{Project, Scope};
use super::tags::{Call, Piece, common};
use crate::model::problem::Problem;
use crate::syntax::front::Front;
use crate::syntax::settings::DIALECTS;

/// All kinds, in the order in which they are tried; the last recognises every folder.
const ALL: [&Dialect; DIALECTS.len()] = [
    &mdbook::DIALECT,
    &docusaurus::DIALECT,
    &mkdocs::DIALECT,
    &vitepress::DIALECT,
    &quarto::DIALECT,
    &astro::DIALECT,
    &nextra::DIALECT,
    &eleventy::DIALECT,
    &hugo::DIALECT,
    &zola::DIALECT,
    &hexo::DIALECT,
    &gitbook::DIALECT,
    &docfx::DIALECT,
    &docsify::DIALECT,
    &mintlify::DIALECT,
    &jupyterbook::DIALECT,
    &jekyll::DIALECT,
    &obsidian::DIALECT,
    &plain::DIALECT,
];

/// The kind of a folder, and the evidence; `named` is the setting and wins.
pub fn find(evidence: &Evidence<'_>, named: Option<&str>) -> (&'static Dialect, String) {
    if let Some(set) = ALL.into_iter().find(|dialect| Some(dialect.name) == named) {
        return (set, "it is set".to_owned());
    }
    let found = ALL
        .into_iter()
        .find_map(|dialect| Some((dialect, (dialect.recognise)(evidence)?)));
    found.unwrap_or((&plain::DIALECT, String::new()))
}

/// What of a folder its kind publishes. If that holds no text, the whole folder is read, with a
/// warning.
pub fn scope(
    evidence: &Evidence<'_>,
    dialect: &Dialect,
    (config, front): (&Config, Front),
) -> (Scope, Option<Problem>) {
    let mut scope = scope_of_kind(evidence, dialect, (config, front));
    let (whole, outside) = (!scope.is_restricted(), scope.outside());
    scope.retain(|path| evidence.folder(path) || evidence.file(path).is_some());
    if whole && scope.chosen.is_empty() {
        scope.chosen.extend(graphs::chosen(evidence));
    }
    if !evidence.holds_text("") {
        return (Scope::default(), None);
    }
    let is_closed = config.closed.is_some();
    if whole
        || is_closed
        || scope
            .content
            .iter()
            .any(|folder| evidence.holds_text(folder))
    {
        return (scope, None);
    }
    let problem = nothing_published(config, &scope.by, &outside);
    (Scope::default(), Some(problem))
}

/// What a kind publishes, whether the folder has it or not.
fn scope_of_kind(
    evidence: &Evidence<'_>,
    dialect: &Dialect,
    (config, front): (&Config, Front),
) -> Scope {
    let project = Project::with(evidence, (config, front), dialect.keys.files);
    let mut scope = (dialect.scope)(&project).settled();
    if scope.by.is_empty() {
        scope.by = first_named(&config.file, dialect.name);
    }
    scope
}

fn first_named(file: &str, dialect: &str) -> String {
    if file.is_empty() {
        dialect.to_owned()
    } else {
        file.to_owned()
    }
}

fn nothing_published(config: &Config, by: &str, outside: &str) -> Problem {
    let warning = Problem::warning(format!(
        "no text is in the folders that `{}` publishes, so the whole folder is read",
        by
    ))
    .hint(format!(
        "otherwise texts were {outside}; set `articles` to the folder of the texts"
    ));
    if config.file.is_empty() {
        warning
    } else {
        warning.at(&*config.file, 0, 0)
    }
}

/// Whether a report names a kind: a plain folder is self-evident.
pub fn is_reported(name: &str) -> bool {
    name != plain::DIALECT.name
}

/// Whether a folder is a vault, in addition to its kind.
pub fn is_vault(evidence: &Evidence<'_>) -> bool {
    obsidian::folder(evidence).is_some()
}

/// Whether a folder is the wiki of a forge: `_Sidebar.md` and `_Footer.md` are parts of the pages of
/// GitHub's and Gitea's, `_sidebar.md` of those of GitLab's.
pub fn is_forge_wiki(evidence: &Evidence<'_>, dialect: &Dialect) -> bool {
    let is_general = [plain::DIALECT.name, obsidian::DIALECT.name].contains(&dialect.name);
    let has = |path: &str| evidence.file(path).is_some();
    let is_gitlab = || has("home.md") && has("_sidebar.md");
    is_general && !is_vault(evidence) && (has("_Sidebar.md") || has("_Footer.md") || is_gitlab())
}

/// The key of front matter without which no note is published.
pub fn publishing_key(evidence: &Evidence<'_>, dialect: &Dialect) -> Option<&'static str> {
    obsidian::publishing_key(evidence, dialect)
}

/// Whether texts begin with lines `Key: value` although their kind does not say so.
pub fn has_headers(evidence: &Evidence<'_>) -> bool {
    plain::has_headers(evidence)
}

/// Whether the notes are those of Dendron.
pub fn is_of_dendron(evidence: &Evidence<'_>) -> bool {
    graphs::is_of_dendron(evidence)
}

/// Whether texts begin with lines `key:: value`, as pages of Logseq do.
pub fn has_properties(evidence: &Evidence<'_>) -> bool {
    graphs::is_of_logseq(evidence)
}

/// The replacement by the first kind that knows the tag: the folder's own first, then all others.
pub fn replace(own: &Dialect, call: &Call<'_>) -> Option<Piece> {
    let mut kinds = std::iter::once(own).chain(ALL);
    kinds
        .find_map(|dialect| dialect.replace(call))
        .or_else(|| common::replace(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_its_name_among_the_settings() {
        assert_eq!(ALL.map(|dialect| dialect.name), DIALECTS);
    }

    #[test]
    fn no_tag_of_a_kind_has_two_rules() {
        for dialect in ALL {
            for rules in [dialect.tags, dialect.shortcodes] {
                let mut names: Vec<&str> = rules
                    .iter()
                    .flat_map(|(names, _)| *names)
                    .copied()
                    .collect();
                let all = names.len();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), all, "{}", dialect.name);
            }
        }
    }

    #[test]
    fn the_last_kind_recognises_every_folder() {
        assert_eq!(find(&Evidence::default(), None).0.name, "plain");
        assert_eq!(find(&Evidence::default(), Some("hugo")).1, "it is set");
    }
}
