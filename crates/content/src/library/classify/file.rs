//! The roles of files that are not texts.

use super::names::PUBLISHED;
use super::web::{may_be_linked, unwanted};
use super::{Area, Plan, Role, UNSHOWN};
use crate::library::{generated::is_generated, paths::below};
use crate::model::format::Format;

impl Plan {
    pub(super) fn file(&self, path: &str) -> Role {
        let scope = &self.kind.scope;
        let is_copied = scope.copied(path).is_some();
        if let Some(reason) = unwanted(path) {
            return if may_be_linked(path, self.kind.dialect.sources) {
                Role::Unlinked(reason)
            } else {
                Role::Skip(reason)
            };
        }
        let is_resource = || scope.resources.iter().any(|glob| glob.fits(path));
        if self.kind.dialect.copies_linked && !is_copied && !is_resource() {
            return Role::unlinked(UNSHOWN);
        }
        self.published_file(path)
    }

    /// The role of a file that a published text refers to: a page, or a file.
    pub fn linked(&self, path: &str) -> Role {
        match Format::of(path) {
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
            return Role::SetAside(
                "its name holds a character that no address may have".to_owned(),
            );
        }
        let copied = self.kind.scope.copied(path);
        let mut roots = PUBLISHED.iter();
        let published = self
            .in_public_hidden(path)
            .or_else(|| roots.find_map(|root| below(path, root)));
        let site_path = match (published, self.in_articles(path)) {
            _ if copied.is_some() => format!(
                "/{}",
                copied
                    .and_then(|copied| copied.site_path(path))
                    .unwrap_or_default()
            ),
            (Some(rest), _) => format!("/{rest}"),
            (None, Some(rest)) => format!("/articles/{rest}"),
            (None, None) => format!("/{}", self.site_path(path)),
        };
        if is_generated(&site_path) {
            return Role::SetAside(format!(
                "`{site_path}` is a document that diglot writes itself"
            ));
        }
        Role::File(site_path)
    }
}
