//! The values of placeholders in a kind that fills the patterns of addresses in its own way.

use std::borrow::Cow;

use super::{
    candidate::Candidate,
    files,
    paths::{folder, name as file_name, split_name},
    publication::Publication,
};
use crate::dialects::{Config, Filling};
use crate::model::{format::Format, sources::SourceFile, text::decode};
use crate::syntax::front::Front;

/// What the placeholders of an address pattern mean for a text.
pub struct OwnValues<'a> {
    filling: &'static Filling,
    publication: &'a Publication<'a>,
    front: &'a Front,
    /// The name of its file, or of the folder that it represents; empty for the home page.
    name: &'a str,
    /// The rest of the name of its file: `.md`, `.de.md`.
    ending: &'a str,
    /// Whether it represents a section, with texts below it.
    is_branch: bool,
    /// The folders above it, the outermost first.
    above: Vec<Folder<'a>>,
    /// The folder that it represents.
    own: Option<Folder<'a>>,
    /// What a slash in a title is.
    slash: &'static str,
}

/// A folder of the content.
#[derive(Clone, Copy)]
struct Folder<'a> {
    name: &'a str,
    /// Its path from the root of all files.
    path: &'a str,
}

impl<'a> OwnValues<'a> {
    /// The values of a text with this path without suffix; `None`: its kind has the usual ones.
    pub fn new(
        candidate: &'a Candidate,
        path: &'a str,
        publication: &'a Publication<'_>,
    ) -> Option<Self> {
        let filling = publication.plan.kind.dialect.filling?;
        let (folders, last) = split_name(path);
        let mut above = folders_above(folders, folder(&candidate.path));
        let is_branch = last == "_index";
        let is_index = is_branch || last == "index";
        let own = is_index.then(|| above.pop()).flatten();
        let own_name = if is_index { "" } else { last };
        Some(Self {
            filling,
            publication,
            front: &candidate.parsed.front,
            name: own.map_or(own_name, |own| own.name),
            ending: file_name(&candidate.path)
                .strip_prefix(last)
                .unwrap_or_default(),
            is_branch,
            above,
            own,
            slash: "-",
        })
    }

    /// The values of older versions, which kept a slash in a title, if it has one.
    pub fn with_slashes(&self) -> Option<Self> {
        let title = self.front.text(&["title"])?;
        title.contains('/').then(|| Self {
            slash: "/",
            above: self.above.clone(),
            ..*self
        })
    }

    /// The date of a text that has none.
    pub fn undated(&self) -> &'static str {
        self.filling.undated
    }

    /// The value of a placeholder.
    pub fn get(&self, placeholder: &str) -> Option<String> {
        let title = || self.title(self.front);
        let text = match placeholder {
            "title" => title(),
            "slug" => self.slug().unwrap_or_else(title),
            "filename" => self.filename(),
            "contentbasename" => self.name.to_owned(),
            "slugorfilename" => self.slug().unwrap_or_else(|| self.filename()),
            "slugorcontentbasename" => self.slug().unwrap_or_else(|| self.name.to_owned()),
            "section" | "sectionslug" => return Some(self.outermost(placeholder)),
            "sections" | "sectionslugs" => return Some(self.parts(placeholder).join("/")),
            "path" => return self.path(self.above.iter().map(|one| self.spelled(one))),
            "slugged_path" => return self.path(self.slugged()?.into_iter()),
            _ => return None,
        };
        Some(self.words(&text))
    }

    /// The outermost section above a text, or its slug; empty for a text at the root.
    fn outermost(&self, placeholder: &str) -> String {
        let parts = self.parts(placeholder);
        parts.into_iter().next().unwrap_or_default()
    }

    /// The sections above a text, or their slugs.
    pub fn parts(&self, placeholder: &str) -> Vec<String> {
        let mut folders: Vec<Folder<'a>> = self.above.clone();
        folders.extend(self.own.filter(|_| self.is_branch));
        match placeholder {
            "section" | "sections" => self.sections(&folders),
            _ => self.section_slugs(&folders),
        }
    }

    /// The path of the innermost section: the outermost folder, or one with an index.
    fn sections(&self, folders: &[Folder<'_>]) -> Vec<String> {
        let is_section = |folder: &Folder<'_>| self.indexes(folder).next().is_some();
        let last = folders.iter().rposition(is_section).unwrap_or_default();
        let path = folders.iter().take(last + 1);
        path.map(|one| self.spelled(one).to_lowercase()).collect()
    }

    /// The slug or the title of each section.
    fn section_slugs(&self, folders: &[Folder<'_>]) -> Vec<String> {
        let mut slugs = Vec::new();
        for (at, folder) in folders.iter().enumerate() {
            let text = match self.front_of(folder) {
                Some(front) => {
                    let slug = self.slug_in(&front, folder.name);
                    slug.unwrap_or_else(|| self.title(&front))
                }
                None if at == 0 => folder.name.to_owned(),
                None => continue,
            };
            slugs.push(self.words(&text));
        }
        slugs
    }

    /// The path of a page in these folders.
    fn path(&self, above: impl Iterator<Item = String>) -> Option<String> {
        if self.name.is_empty() {
            return None;
        }
        let kind = &self.publication.plan.kind;
        let last = match self.slug() {
            Some(slug) => self.words(slug.trim_matches('/')),
            None => kind.spell(self.name),
        };
        let mut parts: Vec<String> = above.chain([last]).collect();
        parts.retain(|part| !part.is_empty());
        Some(parts.join("/"))
    }

    /// The folders above, those with slugs by their slugs; `None`: none has one.
    fn slugged(&self) -> Option<Vec<String>> {
        let slugs = self.above.iter().map(|section| {
            // Most have none, and need not be read.
            let may_have_one = self
                .indexes(section)
                .any(|(_, file)| self.may_have_slug(file));
            let front = may_have_one.then(|| self.front_of(section)).flatten()?;
            self.slug_in(&front, section.name)
        });
        let slugs: Vec<Option<String>> = slugs.collect();
        slugs.iter().any(Option::is_some).then_some(())?;
        let both = self.above.iter().zip(slugs);
        let parts = both.map(|(section, slug)| match slug {
            Some(slug) => self.words(&slug),
            None => self.spelled(section),
        });
        Some(parts.collect())
    }
}

impl OwnValues<'_> {
    fn config(&self) -> &Config {
        &self.publication.plan.kind.config
    }

    fn words(&self, text: &str) -> String {
        (self.filling.words)(self.config(), text)
    }

    fn title(&self, front: &Front) -> String {
        let title = front.text(&["title"]).unwrap_or_default();
        title.replace('/', self.slash)
    }

    fn spelled(&self, folder: &Folder<'_>) -> String {
        self.publication.plan.kind.spell(folder.name)
    }

    /// The name of its file; empty for a section.
    fn filename(&self) -> String {
        match self.is_branch {
            true => String::new(),
            false => self.name.to_owned(),
        }
    }

    fn slug(&self) -> Option<String> {
        self.slug_in(self.front, self.name)
    }

    fn slug_in(&self, front: &Front, name: &str) -> Option<String> {
        (self.filling.slug)(self.config(), front, name)
    }

    fn may_have_slug(&self, file: &SourceFile) -> bool {
        !self.config().writing.slugs_in_names.is_empty()
            || memchr::memmem::find(&file.bytes, b"slug").is_some()
    }

    /// The files that make a folder a section, in all languages.
    fn indexes(&self, folder: &Folder<'_>) -> impl Iterator<Item = (usize, &SourceFile)> {
        let prefix = format!("{}/{}", folder.path, self.filling.section);
        let files = files::beginning(self.publication.sources, &prefix);
        files.filter(|(_, file)| Format::from_path(&file.path).is_some())
    }

    /// The front matter of a section, in the language of the text if it has that.
    fn front_of(&self, folder: &Folder<'_>) -> Option<Cow<'_, Front>> {
        let is_other = |file: &SourceFile| !file.path.ends_with(&format!("_index{}", self.ending));
        let indexes = self.indexes(folder);
        let (at, file) = indexes.min_by_key(|(_, file)| (is_other(file), file.path.len()))?;
        Some(match &self.publication.parsed[at] {
            Some(parsed) => Cow::Borrowed(&parsed.front),
            None => {
                let text = decode(&file.bytes, &file.path).0;
                let kind = &self.publication.plan.kind;
                Cow::Owned(kind.split(&text, &file.path).front)
            }
        })
    }
}

/// The folders of a text, the outermost first: their names in its path, and their paths from the root
/// of all files.
fn folders_above<'a>(mut rest: &'a str, mut real: &'a str) -> Vec<Folder<'a>> {
    let mut above = Vec::new();
    while !rest.is_empty() {
        let (name, path) = (file_name(rest), real);
        above.push(Folder { name, path });
        (rest, real) = (folder(rest), folder(real));
    }
    above.reverse();
    above
}
