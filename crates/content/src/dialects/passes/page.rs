//! Properties of a text for the steps.

use std::rc::Rc;

use super::files::Files;
use crate::dialects::kind::Kind;
use crate::dialects::lines::Lines;
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::model::format::has_cells;
use crate::syntax::front::Front;
use crate::syntax::markdown::literal::{Literals, literals_of_html};

/// A text being translated.
pub struct Page<'a> {
    /// Whether it is HTML, not Markdown.
    pub html: bool,
    /// Whether it is MDX.
    pub jsx: bool,
    /// Whether formulas may be written between single dollars.
    pub dollar: bool,
    pub kind: &'a Kind,
    pub front: &'a Front,
    pub files: &'a Files<'a>,
}

impl Page<'_> {
    /// The literals of its text.
    pub fn literals(&self, lines: &Lines) -> Rc<Literals> {
        match self.html {
            true => Rc::new(literals_of_html(&lines.text)),
            false => lines.literals(),
        }
    }

    /// Whether its Markdown is Pandoc's: in a folder of that kind, or by its suffix. Cells of code may
    /// be hidden there.
    pub fn is_pandoc(&self) -> bool {
        self.kind.dialect.pandoc || has_cells(self.files.path)
    }

    /// The names of its templates: those of its site, or of its kind.
    pub fn template_names(&self) -> Option<&'static TemplateNames> {
        let own = self.kind.config.template_names;
        own.or(self.kind.dialect.template_names)
    }

    /// The language of its templates.
    pub fn template_language(&self) -> TemplateLanguage {
        let names = self.template_names();
        names.map(|names| names.language).unwrap_or_default()
    }

    /// Whether the front matter or the configuration says that tags are shown as they are.
    pub fn shows_tags(&self) -> bool {
        let on = self.kind.config.tags_on;
        if on.is_some_and(|key| self.front.bool(&[key]) != Some(true)) {
            return true;
        }
        let is = |key: &str, value: &str| match self.front.bool(&[key]) {
            Some(own) => own.to_string() == value,
            None => self.front.text(&[key]) == Some(value),
        };
        let off = self.kind.dialect.tags_off.iter();
        let has_own = || off.clone().any(|(key, _)| self.front.get(key).is_some());
        if self.kind.config.markdown_shows_tags && !self.html && !has_own() {
            return true;
        }
        off.copied().any(|(key, value)| is(key, value))
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::dialects::Evidence;
    use crate::dialects::passes::files::Named;

    /// Runs a step on a page with this front matter, in a folder of the named kind (a plain one, if
    /// none is named) without other files.
    pub fn on_page<R>(kind: Option<&str>, front: &Front, step: impl FnOnce(&Page<'_>) -> R) -> R {
        let kind = Kind::detect(&Evidence::default(), kind);
        step(&Page {
            html: false,
            jsx: false,
            dollar: false,
            kind: &kind,
            front,
            files: &Files::new("a.md", &|_| Named::Missing),
        })
    }
}
