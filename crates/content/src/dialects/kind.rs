//! The recognised kind of a folder.

use std::sync::Arc;

use super::config::Config;
use super::dialect::Dialect;
use super::evidence::Evidence;
use super::heading_ids::HeadingIds;
use super::html_head::split_with_head;
use super::jsx::Jsx;
use super::jsx_evidence;
use super::kinds;
use super::order::{self, Ask, Outline, menus};
use super::scope::Scope;
use super::tags::Reading;
use crate::model::fingerprint::{Digest, Fingerprint};
use crate::model::format::is_markdown;
use crate::model::path::name;
use crate::model::sources::{SourceFile, Sources};
use crate::syntax::front::{Front, Split, split_with_header, split_with_properties};
use crate::syntax::settings::Settings;

/// The recognised kind of a folder and its configuration.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its dialect.
    pub dialect: &'static Dialect,
    /// The evidence.
    pub evidence: String,
    /// Whether `[[wikilinks]]` are links: the folder is a vault, or enough files use them.
    pub wikilinks: bool,
    /// Whether the folder is the wiki of a forge.
    pub forge_wiki: bool,
    /// Whether links have the text first: `[[Text|Page]]`.
    pub text_first_links: bool,
    /// Whether it is a vault: `^ids` of blocks and tags in texts are recognised.
    pub vault: bool,
    /// Whether `%%comments%%` are comments.
    pub percent_comments: bool,
    /// The key of front matter without which no note is published.
    pub publishing_key: Option<&'static str>,
    /// Whether lines `Key: value` that begin a text are its front matter.
    pub has_headers: bool,
    /// Whether the head of an HTML text is its front matter.
    pub has_heads: bool,
    /// Whether lines `key:: value` that begin a text are its front matter.
    pub has_properties: bool,
    /// Whether `$…$` is mathematics on every page.
    pub dollar_math: bool,
    /// Which `.md` files are read as MDX.
    pub(crate) jsx: Jsx,
    /// Its configuration.
    pub(crate) config: Arc<Config>,
    /// What of the folder the generator publishes.
    pub(crate) scope: Scope,
}

impl Kind {
    /// Recognises a folder; `named` is the setting and wins.
    pub fn detect(evidence: &Evidence<'_>, named: Option<&str>) -> Self {
        let (dialect, says) = kinds::find(evidence, named);
        let vault = dialect.vault || kinds::is_vault(evidence);
        let (config, scope) = settled(evidence, dialect);
        let forge_wiki = kinds::is_forge_wiki(evidence, dialect);
        Self {
            dialect,
            evidence: says,
            wikilinks: vault || evidence.uses_wikilinks(),
            forge_wiki,
            text_first_links: forge_wiki || kinds::is_of_dendron(evidence),
            vault,
            percent_comments: vault || config.features.percent_comments,
            publishing_key: kinds::publishing_key(evidence, dialect),
            has_headers: dialect.has_headers || kinds::has_headers(evidence),
            has_heads: kinds::has_headers(evidence),
            has_properties: kinds::has_properties(evidence),
            dollar_math: dialect.dollar_math || vault || config.math || evidence.uses_dollar_math(),
            jsx: Jsx::detect(evidence, dialect, dialect.vue || config.features.vue),
            config: Arc::new(config),
            scope,
        }
    }

    /// Whether a README is the index of its folder.
    pub(crate) fn readme_is_index(&self) -> bool {
        self.dialect.readme_is_index || self.config.readme_is_index
    }

    /// Whether the README of the content folder is the home page, at the root as well.
    pub(crate) fn readme_is_home(&self) -> bool {
        self.dialect.readme_is_home || self.config.readme_is_index
    }

    /// Whether a text may contain Vue components.
    pub(crate) fn vue(&self) -> bool {
        self.dialect.vue || self.config.features.vue
    }

    /// Whether a name that begins with `_` is as any other.
    pub(crate) fn opens_underscored(&self) -> bool {
        self.dialect.opens_underscored || self.config.features.opens_underscored
    }

    /// Whether a file is read as MDX.
    pub(crate) fn reads_jsx(&self, file: &SourceFile, front: &Front) -> bool {
        let format = self.dialect.format_key.and_then(|key| front.text(&[key]));
        match (format, self.jsx) {
            (Some("md"), _) => false,
            (Some("mdx"), _) | (_, Jsx::Always) => true,
            _ if jsx_evidence::is_mdx(&file.path) => true,
            (_, Jsx::WhereUsed) => jsx_evidence::is_used(&file.bytes),
            (_, Jsx::Never) => false,
        }
    }

    /// A decoded text, split into front matter and body.
    pub(crate) fn split<'a>(&self, text: &'a str, path: &str) -> Split<'a> {
        match is_markdown(path) {
            true if self.has_headers => split_with_header(text, path),
            true if self.has_properties => split_with_properties(text, path),
            false if self.has_heads => split_with_head(text),
            _ => (self.dialect.split)(text, path),
        }
    }

    /// Why the configuration excludes a path from the site; `None`: it does not.
    pub(crate) fn excludes(&self, path: &str) -> Option<String> {
        if let Some(other) = self.scope.covered.get(path) {
            return Some(format!("`{other}` is in its place"));
        }
        let by_config = self.config.exclusion(path, &self.scope.content);
        let exclusion = by_config.or_else(|| self.scope.exclusion(path))?;
        let by = [&self.scope.by, &self.config.file];
        let by = by.into_iter().find(|by| !by.is_empty());
        let why = exclusion.why.map(str::to_owned);
        Some(why.unwrap_or_else(|| format!("excluded by `{}`", by.map_or("", |by| by))))
    }

    /// How template tags are read.
    pub(super) fn reading(&self) -> Reading {
        Reading {
            percent: self.percent_comments,
            liquid: self.dialect.liquid,
        }
    }

    /// How headings get the ids that they have beside GitHub's.
    pub(crate) fn heading_ids(&self) -> Option<HeadingIds> {
        match self.config.heading_ids {
            Some(named) => Some(named.ids()),
            None => self.dialect.heading_ids,
        }
    }

    /// A part of a path as its addresses have it.
    pub(crate) fn spell(&self, part: &str) -> String {
        match self.config.spelling {
            Some(spelling) => spelling.spell(part),
            None => (self.dialect.spell)(&self.config, part),
        }
    }

    /// The author's order of the folder.
    pub(crate) fn order(&self, evidence: &Evidence<'_>) -> Outline {
        let ask = Ask {
            evidence,
            config: &self.config.file,
            roots: self.roots(),
        };
        order::read(&ask, self.dialect.order)
    }

    /// Whether it publishes the folder at a path although its name begins with `_`.
    pub fn opens(&self, path: &str) -> bool {
        let config = &self.config;
        let name = name(path);
        let is_named = matches!(name, "_posts" | "_articles")
            || config.includes(name)
            || config.has_collection(name);
        is_named && (self.dialect.opens)(config, path)
    }

    /// Whether it publishes a file although a folder above it, or its name, begins with `_`.
    pub fn shows(&self, path: &str) -> bool {
        (self.dialect.shows)(&self.config, path)
    }

    /// Whether a folder `vendor` is part of the site. Without a configuration the folder may be of
    /// another program.
    pub fn has_vendor(&self) -> bool {
        self.dialect.has_vendor && !self.config.file.is_empty()
    }

    /// The folders of the content, the most likely first; the root is the last.
    fn roots(&self) -> Arc<[String]> {
        let mut roots: Vec<String> = Vec::new();
        let named = self.config.content.as_deref().into_iter();
        for root in named.chain(self.dialect.roots.iter().copied()).chain([""]) {
            if !roots.iter().any(|known| known == root) {
                roots.push(root.to_owned());
            }
        }
        roots.into()
    }

    /// A digest of everything that the author's order depends on.
    pub(crate) fn order_digest(&self, evidence: &Evidence<'_>) -> Digest {
        let named = (self.dialect.order_files)(evidence).into_iter();
        let named: Vec<_> = named
            .map(|path| evidence.file(&path).map(|file| file.bytes.digest()))
            .collect();
        let mut files = Vec::new();
        for file in evidence.all() {
            let has_menu = self.dialect.menus_in_texts && menus::may_name_one(file);
            let has_order = has_menu || order::may_order(&file.path);
            // Which files there are decides where an order is looked for.
            files.push((&*file.path, has_order.then(|| file.bytes.digest())));
        }
        let config = (&self.config.file, &self.config.content);
        Fingerprint::hash_one(&(self.dialect.name, config, files, named))
    }

    /// A digest of everything that determines how texts are parsed: folders with the same digest
    /// parse them alike.
    pub(crate) fn digest(&self) -> Digest {
        let Self {
            dialect,
            evidence: _,
            wikilinks,
            forge_wiki,
            text_first_links,
            vault,
            percent_comments,
            publishing_key,
            has_headers,
            has_heads,
            has_properties,
            dollar_math,
            jsx,
            config,
            scope: _,
        } = self;
        Fingerprint::hash_one(&(
            dialect.name,
            wikilinks,
            forge_wiki,
            text_first_links,
            (vault, percent_comments),
            publishing_key,
            has_headers,
            has_heads,
            has_properties,
            dollar_math,
            *jsx as u8,
            format!("{config:?}"),
        ))
    }
}

/// The configuration of another generator that names the site's address, and that address: a hint,
/// never used on its own.
pub fn site_address(sources: &Sources, named: Option<&str>) -> Option<(String, String)> {
    let config = config(sources, named);
    Some((config.file, config.address?))
}

/// Settings from the configuration of another generator. Diglot's settings win over them.
pub fn settings(sources: &Sources, named: Option<&str>) -> Settings {
    config(sources, named).settings
}

fn config(sources: &Sources, named: Option<&str>) -> Config {
    let evidence = Evidence::new(sources);
    let (dialect, _) = kinds::find(&evidence, named);
    configuration(&evidence, dialect).0
}

/// The configuration as the kind completes it, and what of the folder the generator publishes.
fn settled(evidence: &Evidence<'_>, dialect: &Dialect) -> (Config, Scope) {
    let (mut config, front) = configuration(evidence, dialect);
    (dialect.settle)(evidence, &mut config, &front);
    let (scope, warning) = kinds::scope(evidence, dialect, (&config, front));
    config.problems.extend(warning);
    (config, scope)
}

/// What the files of a generator say, and all their values.
fn configuration(evidence: &Evidence<'_>, dialect: &Dialect) -> (Config, Front) {
    let (mut config, front) = Config::with_values(evidence, &dialect.keys);
    (dialect.program)(evidence, &mut config);
    (config, front)
}

/// Helpers for the tests of kinds.
#[cfg(test)]
pub(super) mod testing {
    use super::{Evidence, Kind};
    use diglot_document::testing::sources;

    /// The kind of a folder and its evidence.
    pub fn kind_of(files: &[(&str, &str)]) -> String {
        let sources = sources(files);
        let kind = Kind::detect(&Evidence::new(&sources), None);
        format!("{}: {}", kind.dialect.name, kind.evidence)
    }
}
