//! Describes one article, with fallbacks for folders with little metadata.

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use super::{
    anchors::letters,
    article::{Kind, LlmsPlace},
    candidate::{Described, Metadata},
    classify::Area,
    cover, dates,
    explained::Explained,
    extract::Extract,
    fields,
    folder::Folder,
    generated::is_not_found_in,
    indexed::Indexed,
    language_group::LanguagePath,
    parse::Parsed,
    paths::{name, undated, without_suffix},
    series, stem,
    visibility::{self, Context, Visibility},
};
use crate::dialects::Dialect;
use crate::model::{
    document::Content,
    fingerprint::{Digest, Fingerprint},
    language,
    memo::Memo,
    problem::{Cause, Problem},
    site::Site,
    sources::SourceFile,
    text::presentable,
};
use crate::syntax::front::Front;

/// Describes the texts of a folder: holds everything that a description depends on in addition to
/// its text.
pub struct Describer<'a> {
    site: &'a Site,
    dialect: &'static Dialect,
    folder: &'a Folder,
    now: Timestamp,
    /// A digest of what all texts share; the kind of folder is in the digest of each text.
    common: Digest,
    /// A digest of the words that titles of HTML pages share.
    site_names: Digest,
    memo: &'a Memo<Described>,
}

impl<'a> Describer<'a> {
    pub fn new(
        site: &'a Site,
        dialect: &'static Dialect,
        folder: &'a Folder,
        now: Timestamp,
        memo: &'a Memo<Described>,
    ) -> Self {
        let common = Fingerprint::hash_one(&(
            format!("{site:?}"),
            dialect.name,
            folder.calendar.key(),
            folder.status_counts,
            folder.drafts.is_some(),
            folder.publishing_key,
            &folder.authors,
        ));
        Self {
            site,
            dialect,
            folder,
            now,
            common,
            site_names: folder.site_names.digest(),
            memo,
        }
    }

    /// The description of a text in this part of the address space, computed or taken from the
    /// memo.
    pub fn describe(
        &self,
        file: &SourceFile,
        (area, rel): (Area, &str),
        parsed: &Parsed,
    ) -> Arc<Described> {
        let path = self.folder.languages.divide(rel);
        let home = path.home_of_language(area, rel);
        let (area, rel) = home
            .as_deref()
            .map_or((area, rel), |home| (Area::Pages, home));
        let key = self.key(file, (area, rel), &path, parsed);
        self.memo.get_while(
            key,
            |described| described.holds(self.now),
            || self.describe_anew(file, (area, rel), path.into_owned(), parsed, &key),
        )
    }

    /// The description of a text, which the memo will have under the key.
    fn describe_anew(
        &self,
        file: &SourceFile,
        place: (Area, &str),
        path: LanguagePath,
        parsed: &Parsed,
        key: &Digest,
    ) -> Described {
        let is_html = parsed.extract.is_none();
        let (metadata, document) = self.metadata(file, place, path, parsed);
        let digest = metadata.digest(if is_html { key } else { &parsed.digest });
        Described {
            addressed: metadata.addressed(parsed),
            metadata,
            document,
            anchors: OnceLock::new(),
            digest,
            at: self.now,
        }
    }

    /// The digest of all that the description of a text depends on, but for the time.
    fn key(
        &self,
        file: &SourceFile,
        (area, rel): (Area, &str),
        path: &LanguagePath,
        parsed: &Parsed,
    ) -> Digest {
        // The title of an HTML page depends on the titles of all others.
        let is_html = parsed.extract.is_none();
        Fingerprint::hash_one(&(
            &self.common,
            &parsed.digest,
            area,
            rel,
            &file.dates,
            path,
            self.folder.listed_names.get(&*file.path),
            is_html.then_some(&self.site_names),
            self.folder.slugs.of_text(&file.path),
            self.folder.is_draft(&file.path),
            self.folder.is_unlisted(&file.path),
            self.folder.dates.get(&file.path),
        ))
    }

    /// Whether a text is in no list: it is for missing addresses, or another version of one.
    fn is_unlisted(&self, path: &str, area: Area, stem: &str, language: &str) -> bool {
        let is_not_found = area == Area::NotFound || is_not_found_in(stem, language);
        is_not_found || self.folder.is_unlisted(path)
    }

    /// The metadata of a text, and its document without the title.
    fn metadata(
        &self,
        file: &SourceFile,
        (area, rel): (Area, &str),
        language_path: LanguagePath,
        parsed: &Parsed,
    ) -> (Metadata, Content) {
        let path = &*file.path;
        let front = &parsed.front;
        let mut problems = Vec::new();
        let kind = kind(area, front);
        let mut document = parsed.document.clone();
        let extract = match &parsed.extract {
            Some(extract) => (**extract).clone(),
            None => self.extract(parsed, &mut document),
        };
        let Extract {
            title,
            opening,
            heading,
            summary,
            needs_words,
        } = extract;
        let title = title.unwrap_or_else(|| {
            let title = self.title(path, area, front, opening.as_ref(), heading);
            if opening.is_some_and(|opening| letters(&opening) == letters(&title.value)) {
                document = without_heading(&document, &title.value);
            }
            title
        });
        let sharing = self.folder.slugs.of_text(path);
        let slug = (front, &sharing);
        let stem = stem::derive(path, (area, rel), kind, slug, &title.value, &mut problems);
        let calendar = &self.folder.calendar;
        let dated = self.folder.with_dates(path, front);
        let dates = dates::read(&dated, file, kind, calendar, self.now, &mut problems);
        let context = Context {
            now: self.now,
            status_counts: self.folder.status_counts,
            key: self.folder.publishing_key,
            audience: self.dialect.audience,
        };
        let mut visibility = visibility::decide(front, &dates.window, path, context, &mut problems);
        let language = self.language(front, path, language_path.language, &mut problems);
        let unpublished = self.folder.unpublished(path, &visibility);
        if unpublished.is_some() {
            visibility = Visibility::Published;
        }
        let redirect_to = fields::redirect(front, path, &mut problems);
        let is_unlisted = self.is_unlisted(path, area, &stem.value, &language.value);
        if is_unlisted && visibility == Visibility::Published {
            visibility = Visibility::Unlisted;
        }
        let metadata = Metadata {
            kind,
            stem,
            title,
            summary,
            visibility,
            unpublished,
            dates,
            authors: self.authors(front),
            tags: self.tags(parsed, path, rel),
            series: series::from_front(front),
            needs_words: needs_words && !language.value.starts_with("en"),
            language,
            language_group: language_path.group,
            cover: cover::from_front(front),
            guid: fields::guid(front),
            weight: self.dialect.folder_order.weight(fields::weight(front)),
            nav: fields::nav(front),
            llms: self.llms(front, path),
            indexed: Indexed::from_front(front),
            redirect_to,
            names: self.names(front),
            problems,
        };
        (metadata, document)
    }

    /// The title of an HTML page and related values. The title is removed from its document.
    fn extract(&self, parsed: &Parsed, document: &mut Content) -> Extract {
        let extract = document.change(|document| {
            let title = match &parsed.names {
                Some(names) if fields::title(&parsed.front).is_none() => {
                    self.folder.site_names.title(names, document)
                }
                _ => None,
            };
            Extract::take(&parsed.front, document, title)
        });
        parsed.document.release();
        extract
    }

    /// Rule 9, if neither `title` nor a first `#` gives one: the heading that it opens with, a
    /// title under another key, a label, the first heading, the file name.
    fn title(
        &self,
        path: &str,
        area: Area,
        front: &Front,
        opening: Option<&Arc<str>>,
        heading: Option<Arc<str>>,
    ) -> Explained<Arc<str>> {
        if area == Area::Home {
            return Explained::new(self.site.title.as_str(), "the site's title");
        }
        let named = title_in_name(path);
        if self.dialect.titled_by_name
            && let Some(named) = named
        {
            return Explained::new(named, "the file's name");
        }
        if let Some(opening) = opening {
            return Explained::new(Arc::clone(opening), "the heading that it opens with");
        }
        if let Some(title) = fields::own_title(front) {
            return Explained::new(title, "a title in its front matter");
        }
        if let Some(label) = fields::label(front) {
            return Explained::new(label, "a label in its front matter");
        }
        if let Some(listed) = self.folder.listed_names.get(path) {
            return Explained::new(listed.as_str(), "its name in the author's order");
        }
        if let Some(heading) = heading {
            return Explained::new(heading, "the first heading");
        }
        match named {
            Some(named) => Explained::new(named, "the file's name"),
            None => Explained::new(path, "the file's path"),
        }
    }

    /// Rule 8: the key, then the folder or suffix, then the site's.
    fn language(
        &self,
        front: &Front,
        path: &str,
        in_path: Option<String>,
        problems: &mut Vec<Problem>,
    ) -> Explained<String> {
        if let Some(entry) = front.first(&fields::LANGUAGE) {
            let text = entry.node.text().unwrap_or_default();
            if let Some(tag) = language::tag(text) {
                return Explained::new(tag, "a key of its front matter");
            }
            let problem = Problem::warning(format!(
                "`{}` is not a language tag: `{text}`",
                entry.key.text
            ));
            let problem = problem
                .at(path, entry.node.line, entry.node.column)
                .cause(Cause::Value);
            problems.push(problem.hint("write a tag such as `en`, `de` or `pt-BR`"));
        }
        match in_path {
            Some(tag) => Explained::new(tag, "its folder or suffix"),
            None => Explained::new(self.site.language.as_str(), "the site's language"),
        }
    }

    /// The tags of its front matter, and the folders of a post that are its categories; then those in its text, then its series.
    fn tags(&self, parsed: &Parsed, path: &str, rel: &str) -> Vec<String> {
        let mut tags = fields::tags(&parsed.front, self.dialect.tags_by_space);
        if self.dialect.posts_in_folders
            && let Some((_, below)) = path.split_once("/_posts/")
            && let Some(above) = rel.strip_suffix(below)
        {
            let categories = above.split('/');
            let categories = categories.filter(|name| !name.is_empty() && *name != "_posts");
            tags.extend(categories.map(str::to_owned));
        }
        tags.extend_from_slice(&parsed.tags);
        // A series has its list and feed as a tag.
        tags.extend(
            series::from_front(&parsed.front)
                .into_iter()
                .map(|(name, _)| name),
        );
        fields::without_repeats(tags)
    }

    /// Rule 14, with ids of author files replaced by names.
    fn authors(&self, front: &Front) -> Vec<String> {
        let mut authors = fields::authors(front);
        for author in &mut authors {
            if let Some(name) = self.folder.authors.get(author) {
                author.clone_from(name);
            }
        }
        let mut authors = fields::without_repeats(authors);
        if authors.is_empty() {
            authors.extend_from_slice(&self.site.authors);
        }
        authors
    }

    /// Its own place in llms.txt; none for another version.
    fn llms(&self, front: &Front, path: &str) -> LlmsPlace {
        if self.folder.is_unlisted(path) {
            LlmsPlace::Out
        } else {
            fields::llms(front)
        }
    }

    /// Names for wikilinks: aliases that are not addresses.
    fn names(&self, front: &Front) -> Vec<String> {
        let mut names = fields::aliases(front);
        names.retain(|alias| self.dialect.aliases_are_names || !alias.contains('/'));
        names
    }
}

/// A text of the articles folder is an article, unless it says that it is a page.
fn kind(area: Area, front: &Front) -> Kind {
    if area == Area::Articles && front.text(&["type", "kind"]) != Some("page") {
        Kind::Article
    } else {
        Kind::Page
    }
}

/// The document without the opening heading that gave the title.
fn without_heading(document: &Content, title: &str) -> Content {
    let title = title.to_owned();
    document.changed(&title.clone(), move |document| {
        document.take_title(Some(&title));
    })
}

/// A title from a file name: without date and number; `index` takes the name of its folder.
fn title_in_name(path: &str) -> Option<String> {
    let mut stem = without_suffix(name(path));
    if matches!(stem, "index" | "_index" | "README") {
        stem = path.rsplit('/').nth(1)?;
    }
    // A date or a version: `2024-05-06`, `1.2`.
    if !stem.contains(char::is_alphabetic) && !stem.is_empty() {
        return Some(stem.to_owned());
    }
    let undated = undated(stem);
    let title = presentable(without_number(undated));
    (!title.is_empty()).then_some(title)
}

/// A name without the number that orders it, if words follow.
fn without_number(name: &str) -> &str {
    const MARKS: [char; 4] = ['-', '_', '.', ' '];
    let unnumbered = name.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let words = unnumbered.trim_start_matches(MARKS);
    let is_numbered = unnumbered.len() < name.len() && words.len() < unnumbered.len();
    let is_name = is_numbered && words.starts_with(char::is_alphabetic);
    if is_name { words } else { name }
}
