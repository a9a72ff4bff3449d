//! Shortcodes of a site that do not show what they hold, such as notes for editors: their templates
//! are read as data.

mod evaluate;
mod expression;
mod reader;
mod site;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use super::shortcodes::{MOST, Template, without_comments};
use crate::dialects::tags::Arguments;
use crate::model::sources::SourceFile;
use crate::syntax::front::Front;
use evaluate::Known;
use reader::hides_inner;
use site::{KEPT, SiteValues};

/// The largest template that is read for each call, in bytes.
const LARGEST: usize = 3_000;
/// What the names of shortcodes end with whose template is what they hold.
const INLINE: &str = ".inline";
/// What a template asks a call for.
const OF_CALL: [&str; 3] = [".Get", ".Params", "Lang"];

/// The shortcodes of a site that do not show what they hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenShortcodes {
    site: SiteValues,
    /// Whether templates in texts run.
    runs_inline: bool,
    /// Whether templates in texts are not shown.
    hides_inline: bool,
    /// Those that never do, by name.
    always: BTreeSet<String>,
    /// The templates of those of which a call decides, by name.
    by_call: BTreeMap<String, String>,
}

impl HiddenShortcodes {
    /// What the configuration of the site says.
    pub fn read(front: &Front) -> Self {
        Self {
            site: SiteValues::read(front),
            runs_inline: front.bool(&["security.enableInlineShortcodes"]) == Some(true),
            ..Self::default()
        }
    }

    /// Adds the configuration of a theme, which is below these keys.
    pub fn add_theme(&mut self, file: &SourceFile, keys: &[String]) {
        self.site.add_theme(file, keys);
    }

    /// Finds them among these templates of shortcodes; of several with one name the first counts.
    /// `all` are all templates of the site.
    pub fn find<'f>(
        &mut self,
        templates: &[Template<'_>],
        all: impl Iterator<Item = &'f SourceFile>,
    ) {
        self.hides_inline = !self.runs_inline;
        let with_inner: Vec<_> = Template::first_of_each(templates)
            .filter(|(_, text)| text.contains(".Inner"))
            .collect();
        if with_inner.iter().any(|(_, text)| has_any(text, &KEPT)) {
            self.site.find_kept(all);
        }
        for (name, text) in with_inner {
            self.note(name, without_comments(text));
            if self.always.len() + self.by_call.len() >= MOST {
                return;
            }
        }
    }

    /// Notes a shortcode by its template, if that never shows what it holds, or if a call decides.
    fn note(&mut self, name: &str, template: String) {
        let known = Known {
            site: &self.site,
            arguments: None,
            language: None,
        };
        if hides_inner(&template, known) {
            self.always.insert(name.to_owned());
        } else if template.len() <= LARGEST && has_any(&template, &OF_CALL) {
            self.by_call.insert(name.to_owned(), template);
        }
    }

    /// Whether the call of a shortcode does not show what it holds. `words` are its arguments, and
    /// `language` is that of the page: it is asked only where a call decides.
    pub fn hides<'l>(&self, name: &str, words: &str, language: impl FnOnce() -> &'l str) -> bool {
        if self.always.contains(name) || self.hides_inline && name.ends_with(INLINE) {
            return true;
        }
        let Some(template) = self.by_call.get(name) else {
            return false;
        };
        let arguments = Arguments::parse(words);
        let is_plain = !words.contains(['\\', '“', '\'']);
        let known = Known {
            site: &self.site,
            arguments: is_plain.then_some(&arguments),
            language: Some(language()),
        };
        hides_inner(template, known)
    }
}

/// Whether a template has one of these words.
fn has_any(template: &str, words: &[&str]) -> bool {
    words.iter().any(|word| template.contains(word))
}

#[cfg(test)]
mod tests;
