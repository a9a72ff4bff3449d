//! The roles of files that are not texts.

use super::about::has_whole_front_matter;
use super::names::PUBLISHED;
use super::web::{may_be_linked, unread, unwanted};
use super::{Area, Plan, Role, UNSHOWN};
use crate::dialects::Kind;
use crate::library::{
    generated::{is_generated, is_generated_page},
    paths::below,
};
use crate::model::{format::Format, problem::Severity, sources::SourceFile, text::decode};

impl Plan {
    pub(super) fn file(&self, path: &str) -> Role {
        let scope = &self.kind.scope;
        let is_copied = scope.copied(path).is_some();
        let (_, suffix) = path.rsplit_once('.').unwrap_or_default();
        let mut unread_here = self.kind.dialect.unread.iter();
        let suffix = unread_here.find(|one| one.eq_ignore_ascii_case(suffix));
        if let Some(suffix) = suffix.filter(|_| !is_copied) {
            return Role::Skip(unread(suffix));
        }
        if let Some(reason) = unwanted(path) {
            return if may_be_linked(path, self.kind.dialect.sources) {
                Role::Unlinked(reason)
            } else {
                Role::Skip(reason)
            };
        }
        let is_shown = scope.shown.iter().any(|glob| glob.fits(path));
        if is_shown || !is_copied && self.must_be_shown(path) {
            return Role::unlinked(UNSHOWN);
        }
        self.published_file(path)
    }

    /// Whether a file that the generator does not copy is published only where a text shows it.
    fn must_be_shown(&self, path: &str) -> bool {
        let Kind { dialect, scope, .. } = &self.kind;
        (dialect.copies_linked || scope.copies_linked() || self.chooses_texts(path))
            && !scope.resources.iter().any(|glob| glob.fits(path))
    }

    /// Whether the generator makes another file of this one.
    pub(super) fn is_template(&self, file: &SourceFile) -> bool {
        let Kind { dialect, scope, .. } = &self.kind;
        dialect.files_may_be_templates
            && scope.copied(&file.path).is_none()
            && has_whole_front_matter(&file.bytes)
    }

    /// The path among the articles of a post outside the articles folder: without `_posts`.
    pub(super) fn post_of_folder(&self, path: &str) -> Option<String> {
        if !self.kind.dialect.posts_in_folders
            || self.articles.is_empty()
            || below(path, &self.articles).is_some()
        {
            return None;
        }
        let inner = self.below_content(path).unwrap_or(path);
        let (folder, post) = inner.split_once("/_posts/")?;
        Some(format!("{folder}/{post}"))
    }

    /// Whether only chosen texts are published: a file is then one of those that they show.
    fn chooses_texts(&self, path: &str) -> bool {
        let Kind {
            publishing_key,
            scope,
            ..
        } = &self.kind;
        publishing_key.is_some() || scope.chosen(path).any(|chosen| !chosen.includes(path))
    }

    /// The role of a file that is not among those that the author chose; `None`: it is.
    pub(super) fn not_chosen(&self, file: &SourceFile) -> Option<Role> {
        let path = &*file.path;
        let is_text = Format::from_path(path).is_some();
        let mut choices = self.kind.scope.chosen(path);
        choices.find_map(|chosen| {
            let said = || {
                let (text, _) = decode(&file.bytes, path);
                chosen.said(&text, path)
            };
            chosen.refuses(path, is_text, said).map(Role::Skip)
        })
    }

    /// Whether the generator copies an HTML file as it is. One at the address of a page of Diglot's own,
    /// such as the page for missing addresses, is the text of that page.
    pub(super) fn copies_page(&self, path: &str) -> bool {
        let Kind { dialect, scope, .. } = &self.kind;
        let is_copied =
            scope.copied(path).is_some() && scope.is_restricted() && !scope.has_content(path);
        (is_copied || dialect.copies_html) && !is_generated_page(&self.file_path(path))
    }

    /// The role of a file that a published text refers to: a page, or a file.
    pub fn linked(&self, path: &str) -> Role {
        match Format::from_path(path) {
            Some(format) => {
                let (area, rel) = self.placed(path);
                let rel = match area {
                    Area::Articles => self.site_path(path).into(),
                    Area::Pages | Area::Home | Area::NotFound => (*rel).into(),
                };
                Role::Text {
                    format,
                    area: Area::Pages,
                    rel,
                }
            }
            None => self.published_file(path),
        }
    }

    /// The role of a file that is published unchanged.
    pub(super) fn published_file(&self, path: &str) -> Role {
        if path.contains(|character: char| character.is_control() || character == '\\') {
            let reason = "its name holds a character that no address may have";
            return Role::SetAside(Severity::Error, reason.to_owned());
        }
        let site_path = self.file_path(path);
        if is_generated(&site_path) {
            let reason = format!("`{site_path}` is a document that Diglot writes itself");
            // Most sites have a `robots.txt`. Readers miss nothing, since Diglot writes its own.
            return Role::SetAside(Severity::Warning, reason);
        }
        Role::File(site_path)
    }

    /// The site path of a file that is published unchanged.
    fn file_path(&self, path: &str) -> String {
        let Kind { dialect, scope, .. } = &self.kind;
        if let Some(copied) = scope.copied(path) {
            return format!("/{}", copied.site_path(path).unwrap_or_default());
        }
        if let Some(shown) = self.in_public_hidden(path) {
            return format!("/{shown}");
        }
        let mut roots = PUBLISHED.iter();
        let published = roots.find_map(|root| below(path, root));
        // A text of the same name is at `/articles/x.html`.
        let is_page = dialect.copies_html && Format::from_path(path) == Some(Format::Html);
        match (published, self.in_articles(path).filter(|_| !is_page)) {
            (Some(rest), _) => format!("/{rest}"),
            (None, Some(rest)) => format!("/articles/{rest}"),
            (None, None) => format!("/{}", self.site_path(path)),
        }
    }
}
