//! Classifies each file of a folder by its path alone: article, page, file to publish, or not for
//! readers.

mod about;
mod articles;
mod bundles;
mod copies;
mod file;
mod home;
mod mounts;
mod names;
mod not_found;
mod readme_index;
mod role;
mod translated_readmes;
mod web;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

use super::paths::{below, folder, inside, name, without_suffix};
use crate::dialects::{Data, Evidence, Kind, Mount, Rules, data_kind, is_picture};
use crate::model::{
    date::Zone,
    format::Format,
    parallel,
    site::Site,
    sources::{LOCK_FILE, SourceFile, Sources},
};
use crate::syntax::settings;
use about::{has_front_matter, has_title, is_about_the_folder, is_private, is_project_file};
pub use names::OTHER_MEANINGS;
use names::{DEPENDENCIES, PUBLISHED, ROOT_PAGES, TEMPLATES, VENDOR};
pub use role::{Area, Role};
use web::{is_for_the_web, is_of_skill};

/// The classification of all paths of a folder.
pub struct Plan {
    pub kind: Kind,
    /// The articles folder without a closing slash; empty for the root.
    pub articles: String,
    /// Why this is the articles folder.
    pub reason: String,
    /// Folders of texts whose place is elsewhere.
    pub mounts: Vec<Mount>,
    /// One role per file, in the order of the files.
    pub roles: Vec<Role>,
    /// Files that a symbolic link reaches again, and the files that they are.
    pub copies: BTreeMap<usize, usize>,
    /// The redirects that the owner wrote for other programs.
    pub redirects: Rules,
    /// The zone of the site.
    pub zone: Option<Zone>,
}

/// Why files are skipped that generators publish only where a text shows them.
const UNSHOWN: &str = "no published text refers to it";
/// Why folders of machinery are skipped.
const UNDERSCORE: &str = "in a folder whose name begins with `_`";
/// Why what a generator made is skipped.
const OUTPUT: &str = "built output of another program";
/// The folder with what generators of books and documentation made.
pub const BUILT: &str = "_build";
/// The folder of drafts of Jekyll and others.
pub const DRAFTS: &str = "_drafts";
/// Why a file with front matter is skipped.
const TEMPLATE: &str = "a template: it begins with front matter";
/// Why texts about the folder are skipped.
const ABOUT: &str = "README, LICENSE and the like";

impl Plan {
    /// Classifies every path of a folder; reads the bytes of only a few files.
    pub fn classify(sources: &Sources, site: &Site) -> Self {
        let evidence = Evidence::new(sources);
        let kind = kind_of(sources, site, &evidence);
        let (articles, reason) = articles::folder(sources, site, &kind);
        let mut plan = Self {
            zone: kind.config.zone_of_site(),
            kind,
            articles,
            reason,
            mounts: Vec::new(),
            roles: Vec::new(),
            copies: BTreeMap::new(),
            redirects: Rules::default(),
        };
        plan.mounts = mounts::find(&plan, sources);
        plan.redirects = plan.written_redirects(&evidence);
        plan.roles = parallel::map(&sources.files, |file| plan.role(file, site));
        plan.choose_among_files(sources);
        plan
    }

    /// Reads the redirects that the owner wrote for other programs.
    fn written_redirects(&self, evidence: &Evidence<'_>) -> Rules {
        let roots: Vec<&str> = self.content_roots().collect();
        let dialect = self.kind.dialect;
        let of_parts = (dialect.redirects_within)(evidence);
        Rules::collect(evidence, (dialect.redirects, &of_parts), &roots)
    }

    /// Decides what depends on several files together.
    fn choose_among_files(&mut self, sources: &Sources) {
        copies::skip(self, sources);
        copies::replace(self, sources);
        if self.kind.dialect.bundles {
            bundles::skip_resources(self, sources);
        }
        home::choose(self, sources);
        not_found::choose(self, sources);
        translated_readmes::choose(self, sources);
    }

    /// Hashes what addresses depend on, except for the roles.
    pub fn hash_addresses(&self, sum: &mut impl Hasher) {
        let Self {
            kind,
            articles,
            reason: _,
            mounts,
            roles: _,
            copies,
            redirects,
            // The configuration has it.
            zone: _,
        } = self;
        (kind.digest(), articles, mounts, copies).hash(sum);
        format!("{:?}", (&kind.scope, &redirects.rules)).hash(sum);
    }

    /// The role of a file that the generator does not publish.
    fn outside(&self, path: &str) -> Option<Role> {
        let scope = &self.kind.scope;
        if scope.has_content(path) || scope.copied(path).is_some() {
            return None;
        }
        Some(match scope.is_asset(path) && is_for_the_web(path) {
            true => Role::unlinked(UNSHOWN),
            false => Role::Skip(scope.outside()),
        })
    }

    fn role(&self, file: &SourceFile, site: &Site) -> Role {
        let path = &*file.path;
        if let Some(reason) = self.closed(path, site) {
            return match reason == UNDERSCORE && self.may_be_shown(path) {
                true => Role::Unlinked(reason),
                false => Role::Skip(reason),
            };
        }
        if let Some(role) = self.outside(path).or_else(|| self.not_chosen(file)) {
            return role;
        }
        // A client compares the bytes of a skill with their digest in the author's index.
        if is_of_skill(path) {
            return self.published_file(path);
        }
        match (Format::from_path(path), self.data(file)) {
            (Some(Format::Html), _) if self.copies_page(path) => self.published_file(path),
            (Some(format), _) => self.text(file, format),
            (None, Some(Data::Page)) => self.text(file, Format::Markdown),
            (None, Some(Data::Unread(schema))) => Role::Skip(format!(
                "a page of the schema `{schema}`, which is not read"
            )),
            (None, None) if self.is_template(file) => Role::skip(TEMPLATE),
            (None, None) => self.file(path),
        }
    }

    /// Whether what is in a folder whose name begins with `_` is public where a text shows it. Where
    /// pages are made in the browser, every folder is public. Generators that copy what a text shows
    /// copy it from everywhere, and in a vault such a folder holds the attachments.
    fn may_be_shown(&self, path: &str) -> bool {
        let Kind {
            dialect,
            vault: is_vault,
            scope,
            ..
        } = &self.kind;
        let copies_linked = dialect.copies_linked || scope.copies_linked();
        let is_attachment = *is_vault && Format::from_path(path).is_none() && is_for_the_web(path);
        dialect.hash_pages || copies_linked && is_picture(path) || is_attachment
    }

    /// What a file with data is, where it may be a page.
    fn data(&self, file: &SourceFile) -> Option<Data> {
        let asks = self.kind.dialect.yaml_pages;
        asks.then(|| data_kind(&file.path, &file.bytes)).flatten()
    }

    /// Why a file is closed to readers, whatever its content.
    fn closed(&self, path: &str, site: &Site) -> Option<String> {
        if let Some(reason) = self.read_otherwise(path, site) {
            return Some(reason.to_owned());
        }
        if let Some(reason) = self.kind.excludes(path) {
            return Some(reason);
        }
        if let Some(reason) = self.kind.config.leaves_out(path) {
            return Some(reason);
        }
        if let Some(reason) = (self.kind.dialect.closed)(&self.kind.config, path) {
            return Some(reason.to_owned());
        }
        if self.in_public_hidden(path).is_some() && Format::from_path(path).is_none() {
            return None;
        }
        // The chosen articles folder may be hidden or begin with `_`, and so may one that the
        // generator copies; their subfolders may not.
        let in_articles = self.in_articles(path);
        let copied = self.kind.scope.copied(path);
        let in_copied = copied.and_then(|copied| below(path, &copied.folder));
        let inner = in_copied.or(in_articles).unwrap_or(path);
        let above = path.len() - inner.len();
        let ends = path.match_indices('/').map(|(end, _)| end);
        let folders = ends.filter(|end| *end > above).map(|end| &path[..end]);
        let mut closed = folders.filter_map(|folder| self.closed_folder(folder));
        if let Some(reason) = closed.find(|reason| *reason != UNDERSCORE || !self.kind.shows(path))
        {
            return Some(reason.to_owned());
        }
        if in_articles.is_none()
            && let Some(reason) = self.made_by_generator(path)
        {
            return Some(reason.to_owned());
        }
        // `..md` is an article with a hostile name, `.x.md` is hidden.
        let name = name(path);
        (name.starts_with('.') && !name.starts_with("..")).then(|| "hidden".to_owned())
    }

    /// Why a top folder of the generator itself is closed.
    fn made_by_generator(&self, path: &str) -> Option<&'static str> {
        let (first, _) = path.split_once('/')?;
        if self.kind.dialect.outputs.contains(&first) {
            return Some(OUTPUT);
        }
        let is_machinery = self.kind.dialect.machinery.contains(&first);
        is_machinery.then_some("template or partial")
    }

    /// Why a file that is read for another purpose is closed.
    fn read_otherwise(&self, path: &str, site: &Site) -> Option<&'static str> {
        if path == settings::FILE || path == LOCK_FILE {
            return Some("settings");
        }
        if let Some(theme) = &site.theme
            && below(path, theme).is_some()
        {
            return Some("theme");
        }
        if path == self.kind.config.file {
            return Some("settings of another program");
        }
        if self.redirects.files.iter().any(|file| file == path) {
            return Some("redirects, which are read");
        }
        None
    }

    /// The site path of a file in a hidden folder that is public in this kind: without the dot.
    fn in_public_hidden(&self, path: &str) -> Option<String> {
        let folder = self.kind.dialect.public_hidden?;
        let at = path.find(folder)?;
        let begins = at == 0 || path[..at].ends_with('/');
        if !begins || !path[at + folder.len()..].starts_with('/') {
            return None;
        }
        let shown = [&path[..at], &path[at + 1..]].concat();
        Some(self.site_path(&shown).to_owned())
    }

    /// Why a folder is closed to readers.
    fn closed_folder(&self, path: &str) -> Option<&'static str> {
        let folder = name(path);
        if folder == ".well-known" || self.kind.opens(path) {
            return None;
        }
        if folder == DRAFTS {
            return Some("draft");
        }
        if folder.starts_with('.') {
            return Some("hidden");
        }
        if folder.starts_with('_') && !self.opens_underscored() {
            return Some(UNDERSCORE);
        }
        if folder == BUILT && self.kind.scope.any_name {
            return Some(OUTPUT);
        }
        let is_vendor = folder == VENDOR && self.kind.has_vendor();
        (DEPENDENCIES.contains(&folder) && !is_vendor).then_some("dependencies")
    }

    /// Whether a name that begins with `_` is as any other. Where nothing of the folder is what the
    /// generator publishes, the rule of plain folders holds.
    fn opens_underscored(&self) -> bool {
        let Kind { scope, .. } = &self.kind;
        (self.kind.opens_underscored() || scope.any_name) && !scope.by.is_empty()
    }

    fn text(&self, file: &SourceFile, format: Format) -> Role {
        let path = &*file.path;
        let stem = without_suffix(name(path));
        if is_private(stem) {
            return Role::skip(ABOUT);
        }
        // A title in the front matter makes a text about the folder a page of the site as well.
        let is_named = self.names_page(path, stem);
        let is_about = || is_about_the_folder(stem) && !has_title(&file.bytes);
        if !is_named && (is_project_file(path, stem) || is_about()) {
            return Role::unlinked(ABOUT);
        }
        // In another language: `_index.de.md`.
        let is_section = stem.split('.').next() == Some("_index");
        if stem.starts_with('_')
            && !is_section
            && !self.opens_underscored()
            && !self.kind.shows(path)
        {
            return Role::skip("partial: its name begins with `_`");
        }
        if let Some((first, _)) = path.split_once('/')
            && TEMPLATES.contains(&first)
            && !self.kind.scope.any_name
        {
            return Role::skip("template or partial");
        }
        if let Some(reason) = self.unrendered(file) {
            return Role::Unlinked(reason);
        }
        let route = (self.kind.dialect.route)(path);
        let (mut area, rel) = self.placed(route.as_deref().unwrap_or(path));
        if self.articles.is_empty() && !path.contains('/') && ROOT_PAGES.contains(&stem) {
            area = Area::Pages;
        }
        let rel = match name(&rel).strip_prefix('_') {
            Some(_) if stem == "_index" => as_index(&rel),
            Some(index) if is_section => inside(folder(&rel), index).into(),
            _ => (*rel).into(),
        };
        Role::Text { format, area, rel }
    }

    /// Why the generator does not render a text; `None`: it does, or it copies it.
    fn unrendered(&self, file: &SourceFile) -> Option<String> {
        let Kind { dialect, scope, .. } = &self.kind;
        let path = &*file.path;
        if scope.copied(path).is_some() {
            return None;
        }
        let (_, suffix) = path.rsplit_once('.').unwrap_or_default();
        let reads = |known: &str| known.eq_ignore_ascii_case(suffix);
        let unread = |by: &str| format!("in a format that {by} does not read: `.{suffix}`");
        if !dialect.reads.is_empty() && !dialect.reads.iter().any(|known| reads(known)) {
            return Some(unread(dialect.name));
        }
        let endings = scope.reads.as_ref();
        if endings.is_some_and(|endings| !endings.iter().any(|known| reads(known))) {
            return Some(unread(&format!("`{}`", scope.by)));
        }
        let is_markdown = Format::from_path(path) == Some(Format::Markdown);
        if scope.bundled && !is_markdown {
            let by = &scope.by;
            return Some(format!("not Markdown, which alone `{by}` makes pages of"));
        }
        scope
            .unrendered(path, || {
                !is_markdown || path.contains("_posts/") || has_front_matter(&file.bytes)
            })
            .filter(|_| is_markdown)
    }

    /// The path of a file below the articles folder, if that is not the root.
    fn in_articles<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.articles.is_empty() {
            None
        } else {
            below(path, &self.articles)
        }
    }

    /// The part of the address space of a text, and its path there.
    fn placed<'p>(&self, path: &'p str) -> (Area, Cow<'p, str>) {
        if let Some(site) = self
            .kind
            .scope
            .copied(path)
            .and_then(|copied| copied.site_path(path))
        {
            return (Area::Pages, site.into());
        }
        if let Some(placed) = self.mounted(path) {
            return placed;
        }
        if let Some(post) = self.post_of_folder(path) {
            return (Area::Articles, post.into());
        }
        match self.in_articles(path) {
            Some(inside) => (Area::Articles, inside.into()),
            None if self.articles.is_empty() => (Area::Articles, path.into()),
            None => (Area::Pages, self.site_path(path).into()),
        }
    }

    /// The path of a file on the former site: without folders that are not part of addresses.
    pub fn site_path<'p>(&self, path: &'p str) -> &'p str {
        let config = &self.kind.config;
        let below_content = self.below_content(path);
        let inner = below_content.unwrap_or(path);
        let mut open = config.open.iter().chain(&config.collections);
        if open.any(|open| below(inner, open).is_some()) {
            return inner.trim_start_matches('_');
        }
        PUBLISHED
            .into_iter()
            .find_map(|root| below(path, root))
            .or(below_content)
            .unwrap_or(path)
    }

    /// The content folders by configuration and kind: their names are not part of addresses.
    pub fn content_roots(&self) -> impl Iterator<Item = &str> {
        let Kind {
            config,
            dialect,
            scope,
            ..
        } = &self.kind;
        // One of several keeps its name, unless the kind says otherwise.
        let only = match &scope.content[..] {
            [only] => only.as_str(),
            _ => "",
        };
        let named = config.content.as_deref().into_iter();
        named
            .chain(dialect.roots.iter().copied())
            .chain((!only.is_empty()).then_some(only))
    }

    /// The path of an article on the former site, by its stem here; `None`: it is not an article.
    pub fn address_path(&self, stem: &str) -> Option<String> {
        let slug = stem.strip_prefix("/articles/")?;
        let folder = self.below_content(&self.articles).unwrap_or_default();
        Some(inside(folder, slug))
    }

    /// A path below the innermost content folder that holds it.
    pub fn below_content<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below_root = || {
            self.content_roots()
                .filter_map(|root| below(path, root))
                .min_by_key(|rest| rest.len())
        };
        self.kind.config.in_collections(path).or_else(below_root)
    }

    /// Whether the content is the whole folder.
    pub fn is_all_content(&self) -> bool {
        self.articles.is_empty() && self.content_roots().all(str::is_empty)
    }

    /// The articles folder and the folders of the content.
    pub fn content(&self) -> impl Iterator<Item = &str> {
        let folders = std::iter::once(self.articles.as_str()).chain(self.content_roots());
        folders.filter(|folder| !folder.is_empty())
    }
}

/// The kind of the folder, with what the settings of the site change in it.
fn kind_of(sources: &Sources, site: &Site, evidence: &Evidence<'_>) -> Kind {
    let mut kind = Kind::detect(evidence, site.dialect.as_deref());
    if sources.shows_drafts {
        Arc::make_mut(&mut kind.config).open.push(DRAFTS.to_owned());
    }
    kind.dollar_math = site.math.unwrap_or(kind.dollar_math);
    if let Some(set) = &site.articles
        && kind.scope.is_restricted()
        && !kind.scope.has_content(&format!("{set}/"))
    {
        kind.scope.content.push(set.clone());
    }
    kind
}

/// The path of a folder's index, whatever the file name.
fn as_index(rel: &str) -> Arc<str> {
    super::paths::inside(folder(rel), "index.md").into()
}
