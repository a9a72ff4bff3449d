//! What one article says about itself, with the fallbacks of a folder that says little.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use super::classify::Area;
use super::dates::{self, Dates};
use super::folder::{Folder, names};
use super::memory::Memory;
use super::parse::{Parsed, REDIRECT};
use super::{Kind, LlmsPlace};
use crate::dialects;
use crate::library::links::Ids;
use crate::library::visibility::{self, Visibility};
use crate::model::address::Destination;
use crate::model::document::{Content, Document};
use crate::model::fingerprint::{Digest, Fingerprint};
use crate::model::language;
use crate::model::problem::Problem;
use crate::model::site::Site;
use crate::model::slug;
use crate::model::sources::SourceFile;
use crate::model::text::{one_line, plain, presentable, shorten};
use crate::syntax::front::{Entry, Front, Value};

/// A value and the words that say where it comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known<T> {
    pub value: T,
    pub why: &'static str,
}

impl Known<String> {
    fn shared(self) -> Known<Arc<str>> {
        Known { value: self.value.into(), why: self.why }
    }
}

/// One article or page, before its links are known and before it is known whether its address is free.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The number of its file.
    pub file: usize,
    /// What it says about itself.
    pub described: Arc<Described>,
}

impl Deref for Candidate {
    type Target = About;

    fn deref(&self) -> &About {
        &self.described.about
    }
}

/// One article or page by itself.
#[derive(Debug)]
pub(crate) struct Described {
    pub about: About,
    /// The content, without the title.
    pub document: Content,
    /// The places on it that links may name, once one does.
    pub places: OnceLock<Ids>,
    /// A digest of all of it that an article is made from.
    pub digest: Digest,
    /// When it was described.
    at: Timestamp,
}

impl Described {
    /// Whether it would be described the same now.
    fn holds(&self, now: Timestamp) -> bool {
        let Dates { window, clamped, .. } = &self.about.dates;
        now == self.at || !clamped && self.at < now && window.next_change(self.at).is_none_or(|change| now < change)
    }
}

/// What one article or page says about itself.
#[derive(Debug)]
pub(crate) struct About {
    pub kind: Kind,
    pub stem: Known<Arc<str>>,
    pub title: Known<Arc<str>>,
    pub summary: Known<Arc<str>>,
    pub dates: Dates,
    pub visibility: Visibility,
    pub authors: Vec<String>,
    pub tags: Vec<String>,
    pub language: Known<String>,
    /// Equal for translations of each other.
    pub tongue: String,
    pub image: Option<Entry>,
    pub guid: Option<String>,
    pub weight: Option<i64>,
    pub llms: LlmsPlace,
    /// Where it leads, when it is nothing but a redirect.
    pub redirect_to: Option<RedirectTo>,
    /// Names beside that of its file, for wikilinks.
    pub names: Vec<String>,
    /// Whether Diglot has words to say in its document, in another language than English.
    pub needs_words: bool,
    pub problems: Vec<Problem>,
}

/// What a text that is nothing but a redirect says of where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RedirectTo {
    /// Where it leads; where that is no address, why not.
    pub to: Result<Destination, String>,
    pub line: u32,
    pub column: u32,
}

impl About {
    /// A digest of what an article is made from; `document` is that of its document.
    fn digest(&self, document: &Digest) -> Digest {
        let Self { kind, stem, title, summary, dates, visibility, authors, tags, language, guid, weight, llms, needs_words, .. } = self;
        let named = (kind, &stem.value, &title.value, &summary.value, authors, tags, &language.value);
        let listed = *visibility == Visibility::Published;
        Fingerprint::of(&(document, named, dates.date.value, dates.updated.value, guid, weight, llms, listed, needs_words))
    }
}

/// What a document says about itself: taken from it as soon as it is read, so that nobody has to look at all documents of a folder once more.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    /// The title, where front matter or the document names one.
    title: Option<Known<Arc<str>>>,
    /// Its first heading, where there is no title.
    heading: Option<Arc<str>>,
    summary: Known<Arc<str>>,
    /// Whether Diglot has words to say in it.
    needs_words: bool,
}

impl Sketch {
    /// Looks at a document and takes its title out of it, unless that is known and taken out already.
    pub fn of(front: &Front, document: &mut Document, title: Option<Known<String>>) -> Self {
        let title = title.or_else(|| match given_title(front) {
            Some(value) => {
                document.take_title(Some(&value));
                Some(Known { value, why: "the key `title`" })
            }
            None => {
                let taken = document.take_title(None).map(|title| plain(&title)).filter(|title| !title.is_empty());
                taken.map(|value| Known { value, why: "the first heading of level 1" })
            }
        });
        let heading = || document.headings().into_iter().map(|heading| one_line(&heading.text)).find(|text| !text.is_empty());
        let heading = if title.is_none() { heading().map(Arc::from) } else { None };
        let summary = summary(front, document).shared();
        Self { title: title.map(Known::shared), heading, summary, needs_words: document.has_default_titles() }
    }
}

/// All that a description may look at beside its text.
pub(super) struct Context<'a> {
    site: &'a Site,
    dialect: &'static dialects::Dialect,
    folder: &'a Folder,
    now: Timestamp,
    /// A digest of what is the same for all texts.
    shared: Digest,
    /// A digest of what HTML pages share in their names.
    names: Digest,
}

impl<'a> Context<'a> {
    /// For the texts of a folder; how its kind decides is in the digest of each.
    pub fn new(site: &'a Site, dialect: &'static dialects::Dialect, folder: &'a Folder, now: Timestamp) -> Self {
        let shared = Fingerprint::of(&(format!("{site:?}"), folder.order, &folder.authors));
        Self { site, dialect, folder, now, shared, names: folder.shared_names.digest() }
    }

    /// What a text says about itself at this place.
    pub fn description(&self, file: &SourceFile, (area, rel): (Area, &str), parsed: &Parsed, memory: &Memory) -> Arc<Described> {
        let is_html = parsed.sketch.is_none();
        let said = (self.folder.tongue(rel), self.folder.summary.get(&*file.path), is_html.then_some(&self.names));
        let key = Fingerprint::of(&(&self.shared, &parsed.digest, area, rel, &file.dates, said));
        let holds = |described: &Described| described.holds(self.now);
        let describe = || {
            let (about, document) = self.describe(file, area, rel, parsed);
            // What of an HTML page is its title, the names of all others decide.
            let digest = about.digest(if is_html { &key } else { &parsed.digest });
            Described { about, document, places: OnceLock::new(), digest, at: self.now }
        };
        memory.described.get_while(key, holds, describe)
    }

    /// Describes one article, with its document without the title.
    fn describe(&self, file: &SourceFile, area: Area, rel: &str, parsed: &Parsed) -> (About, Content) {
        let path = &*file.path;
        let mut problems = Vec::new();
        let kind = match area {
            Area::Articles if parsed.front.text(&["type", "kind"]) != Some("page") => Kind::Article,
            _ => Kind::Page,
        };
        let mut document = parsed.document.clone();
        let sketch = parsed.sketch.as_deref().cloned().unwrap_or_else(|| self.sketch(parsed, &mut document));
        let Sketch { title, heading, summary, needs_words } = sketch;
        let front = &parsed.front;
        let title = self.title(path, area, front, (title, heading));
        let stem = stem(path, area, kind, rel, front, &title.value, &mut problems);
        let dates = dates::Reader { front, path, order: self.folder.order, problems: &mut problems }.read(file, kind, self.now);
        let tongue = self.folder.tongue(rel);
        let entry = |keys: &[&str]| keys.iter().find_map(|key| front.get(key));
        let language = self.language(front, path, tongue.named.map(|(_, tag)| tag), &mut problems);
        let about = About {
            needs_words: !language.value.starts_with("en") && needs_words,
            kind,
            stem: stem.shared(),
            title,
            summary,
            visibility: visibility::decide(front, dates.window, self.now),
            dates,
            authors: self.authors(front),
            tags: self.tags(front),
            language,
            tongue: tongue.key,
            image: image(front).cloned(),
            guid: guid(front),
            weight: self.weight(front, path),
            llms: match entry(&["llms"]).map(|entry| (entry.node.bool(), entry.node.text())) {
                Some((Some(false), _)) => LlmsPlace::Out,
                Some((_, Some("optional"))) => LlmsPlace::Optional,
                _ => LlmsPlace::Listed,
            },
            redirect_to: entry(REDIRECT).and_then(|entry| redirect(entry, path, &mut problems)),
            names: self.names(front),
            problems,
        };
        (about, document)
    }

    /// Rule 9: `title`, the first `#`, the first heading, a label, the file's name.
    fn title(&self, path: &str, area: Area, front: &Front, (title, heading): (Option<Known<Arc<str>>>, Option<Arc<str>>)) -> Known<Arc<str>> {
        if let Some(title) = title {
            return title;
        }
        let known = |value: &str, why| Known { value: Arc::from(value), why };
        if area == Area::Home {
            return known(&self.site.title, "the site's title");
        }
        let named = by_name(path);
        if let Some(named) = named.as_deref().filter(|_| self.dialect.titled_by_name) {
            return known(named, "the file's name");
        }
        if let Some(heading) = heading {
            return Known { value: heading, why: "the first heading" };
        }
        let label = front.text(&["linkTitle", "sidebar_label", "nav_title", "name"]).map(plain).filter(|label| !label.is_empty());
        let listed = || self.folder.summary.get(path).map(|(label, _)| label.as_str());
        match (label, listed(), named) {
            (Some(label), ..) => known(&label, "a label in its front matter"),
            (None, Some(listed), _) => known(listed, "its label in `SUMMARY.md`"),
            (None, None, Some(named)) => known(&named, "the file's name"),
            (None, None, None) => known(path, "the file's path"),
        }
    }

    /// What an HTML page says about its title and the like, which depends on what all others are called. The title is taken out of its document.
    fn sketch(&self, parsed: &Parsed, document: &mut Content) -> Sketch {
        let names = parsed.names.as_ref().filter(|_| given_title(&parsed.front).is_none());
        let sketch = document.change(|document| {
            let title = names.and_then(|names| self.folder.shared_names.title(names, document));
            Sketch::of(&parsed.front, document, title)
        });
        document.pack();
        sketch
    }

    /// Rule 8: the key, then the folder or suffix, then the site's.
    fn language(&self, front: &Front, path: &str, named: Option<String>, problems: &mut Vec<Problem>) -> Known<String> {
        if let Some(entry) = front.first(&["lang", "language", "locale"]) {
            let text = entry.node.text().unwrap_or_default();
            if let Some(value) = language::tag(text) {
                return Known { value, why: "a key of its front matter" };
            }
            let problem = Problem::warning(format!("`{}` is not a language tag: `{text}`", entry.key.text));
            problems.push(problem.at(path, entry.node.line, entry.node.column).hint("write a tag such as `en`, `de` or `pt-BR`"));
        }
        match named {
            Some(value) => Known { value, why: "its folder or suffix" },
            None => Known { value: self.site.language.clone(), why: "the site's language" },
        }
    }

    /// Rule 14, with ids of author files read as names.
    fn authors(&self, front: &Front) -> Vec<String> {
        let found = ["authors", "author", "byline", "creator", "extra.authors", "extra.author", "taxonomies.authors"]
            .into_iter()
            .filter_map(|key| front.get(key))
            .map(|entry| names(&entry.node, false));
        let found = found.into_iter().find(|names| !names.is_empty()).unwrap_or_default();
        let named = found.into_iter().map(|name| self.folder.authors.get(&name).cloned().unwrap_or(name));
        let mut authors = without_repeats(named);
        if authors.is_empty() {
            authors.extend(self.site.author.clone());
        }
        authors
    }

    fn tags(&self, front: &Front) -> Vec<String> {
        let keys = ["tags", "tag", "topics", "taxonomies.tags", "extra.tags", "categories", "category", "taxonomies.categories"];
        let found = keys.into_iter().filter_map(|key| front.get(key)).flat_map(|entry| names(&entry.node, self.dialect.tags_by_space));
        without_repeats(found.map(|name| name.trim_start_matches('#').to_owned()))
    }

    fn weight(&self, front: &Front, path: &str) -> Option<i64> {
        let given = ["weight", "order", "sidebar_position", "nav_order", "position"]
            .into_iter()
            .filter_map(|key| front.get(key))
            .find_map(|entry| entry.node.integer());
        given.or_else(|| self.folder.summary.get(path).map(|(_, position)| *position)).or_else(|| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let digits = name.bytes().take_while(u8::is_ascii_digit).count();
            let numbered = (1..=3).contains(&digits)
                && name[digits..].starts_with(['-', '_', '.', ' '])
                && name[digits + 1..].starts_with(|c: char| c.is_alphabetic());
            numbered.then(|| name[..digits].parse().ok()).flatten()
        })
    }

    /// Names for wikilinks: aliases that are no addresses.
    fn names(&self, front: &Front) -> Vec<String> {
        let aliases = ["aliases", "alias"].into_iter().filter_map(|key| front.get(key)).flat_map(|entry| names(&entry.node, false));
        aliases.filter(|alias| self.dialect.aliases_are_names || !alias.contains('/')).collect()
    }
}

/// Where a text leads that is nothing but a redirect.
fn redirect(entry: &Entry, path: &str, problems: &mut Vec<Problem>) -> Option<RedirectTo> {
    let node = entry.node.items().first()?;
    let text = node.text()?;
    let to = Destination::parse(text).map_err(|error| {
        let reason = format!("`{}` leads nowhere: {error}", entry.key.text);
        let problem = Problem::error(format!("set aside: {reason}: `{}`", shorten(&text.escape_debug().to_string(), 60)));
        problems.push(problem.at(path, node.line, node.column).hint(error.hint()));
        reason
    });
    Some(RedirectTo { to, line: node.line, column: node.column })
}

/// The title that its front matter gives.
pub(super) fn given_title(front: &Front) -> Option<String> {
    front.text(&["title"]).map(plain).filter(|title| !title.is_empty())
}

/// The stem by the contract's rule for slugs, or a fallback with a warning.
fn stem(path: &str, area: Area, kind: Kind, rel: &str, front: &Front, title: &str, problems: &mut Vec<Problem>) -> Known<String> {
    if area == Area::Home {
        return Known { value: "/index".to_owned(), why: "it is the home page's content" };
    }
    let folder = if kind == Kind::Article { "/articles/" } else { "/" };
    if let Some(entry) = front.first(&["slug"]) {
        let text = entry.node.text().unwrap_or_default();
        match slug::slug(text) {
            Ok(slug) => return Known { value: format!("{folder}{slug}"), why: "the key `slug`" },
            Err(why) => {
                let problem = Problem::warning(format!("`slug` is not usable: {why}: `{}`", shorten(&text.escape_debug().to_string(), 60)));
                problems.push(problem.at(path, entry.node.line, entry.node.column).hint("the file's path is used"));
            }
        }
    }
    let bare = rel.rsplit_once('.').filter(|(_, suffix)| !suffix.contains('/')).map_or(rel, |(bare, _)| bare);
    match slug::slug(bare) {
        Ok(slug) => Known { value: format!("{folder}{slug}"), why: "its path" },
        Err(why) => {
            let slug = slug::fallback(Some(title), path);
            problems.push(
                Problem::warning(format!("the file's name gives no address: {why}"))
                    .at(path, 0, 0)
                    .hint(format!("it is published as `{folder}{slug}`; rename it or give it a `slug`")),
            );
            Known { value: format!("{folder}{slug}"), why: "its title, since its name gives no address" }
        }
    }
}

/// A title out of a file's name: without date and number; `index` is named by its folder.
fn by_name(path: &str) -> Option<String> {
    let mut parts = path.rsplit('/');
    let name = parts.next()?;
    let mut stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if matches!(stem, "index" | "_index" | "README") {
        stem = parts.next()?;
    }
    let undated = crate::model::date::in_name(stem).map(|(_, rest)| rest).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    let unnumbered = undated.trim_start_matches(|c: char| c.is_ascii_digit());
    let separated = unnumbered.len() < undated.len() && unnumbered.starts_with(['-', '_', '.', ' ']);
    let words = Some(unnumbered.trim_start_matches(['-', '_', '.', ' ']))
        .filter(|words| separated && words.starts_with(char::is_alphabetic))
        .unwrap_or(undated);
    Some(presentable(words)).filter(|title| !title.is_empty())
}

/// Rule 6: the author's words, else the first paragraph of prose.
fn summary(front: &Front, document: &Document) -> Known<String> {
    const KEYS: [&str; 9] = ["description", "summary", "excerpt", "lede", "lead", "subtitle", "abstract", "dek", "teaser"];
    let given = KEYS.into_iter().filter_map(|key| Some(plain(front.get(key)?.node.text()?))).find(|text| !text.is_empty());
    if let Some(text) = given {
        return Known { value: shorten(&text, 300), why: "a key of its front matter" };
    }
    match document.first_prose(200) {
        Some(value) => Known { value, why: "the first paragraph of prose" },
        None => first_words(document),
    }
}

/// What says most where there is no prose: code is a summary only when there is nothing else.
fn first_words(document: &Document) -> Known<String> {
    let words = one_line(&document.text_outside_code());
    let words = if words.is_empty() { one_line(&document.plain_text()) } else { words };
    // Braces that mean something in code would be a template tag among words.
    let words = if words.contains("{{") || words.contains("{%") { String::new() } else { words };
    Known { value: shorten(&words, 200), why: "its first words: there is no paragraph of prose" }
}

/// The key of a picture that stands for the article, and its value.
fn image(front: &Front) -> Option<&Entry> {
    const KEYS: [&str; 12] = [
        "image",
        "cover",
        "featured_image",
        "featuredImage",
        "feature_image",
        "thumbnail",
        "hero_image",
        "banner",
        "og_image",
        "images",
        "header",
        "preview",
    ];
    const INSIDE: [&str; 8] = ["path", "src", "url", "image", "feature", "teaser", "file", "relative"];
    KEYS.into_iter().filter_map(|key| front.get(key)).find_map(|entry| match &entry.node.value {
        Value::Map(_) => INSIDE.into_iter().filter_map(|key| entry.node.get(key)).find(|inner| inner.node.text().is_some()),
        _ => entry.node.items().first().and_then(|node| node.text()).map(|_| entry),
    })
}

/// An id for feeds: `guid`, or an `id` that is a URI as Atom wants it (a bare `id` is a name inside the folder).
fn guid(front: &Front) -> Option<String> {
    let id = || front.text(&["id"]).filter(|id| ["tag:", "urn:", "http://", "https://"].iter().any(|scheme| id.starts_with(scheme)));
    front.text(&["guid"]).or_else(id).map(one_line)
}

/// Without empty names and repeats, in order.
fn without_repeats(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.map(|name| one_line(&name)).take(200) {
        if !name.is_empty() && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}
