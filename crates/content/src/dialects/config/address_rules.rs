//! Rules that give pages their addresses by their path, kind and language. The first that fits counts.

use super::{Config, Glob};

/// The pattern of the addresses of some pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressRule {
    pub pattern: String,
    /// Which pages, by their paths; `None`: all.
    pub paths: Option<Vec<Glob>>,
    /// Which kinds of pages.
    pub kinds: Option<Vec<Glob>>,
    /// Which languages.
    pub languages: Option<Vec<Glob>>,
    /// The language whose own settings have it.
    pub of_language: Option<String>,
}

/// What a rule asks of a page.
pub struct RuledPage<'p> {
    /// Its path without suffix, in lower case; empty for the home page.
    pub path: &'p str,
    /// Whether other pages are below it.
    pub is_branch: bool,
    /// The name of its language.
    pub language: &'p str,
}

impl AddressRule {
    fn fits(&self, page: &RuledPage<'_>, kind: &str) -> bool {
        let fits = |globs: &Option<Vec<Glob>>, text: &str| {
            let globs = globs.as_ref();
            globs.is_none_or(|globs| globs.iter().any(|glob| glob.fits(text)))
        };
        fits(&self.paths, page.path)
            && fits(&self.kinds, kind)
            && fits(&self.languages, page.language)
    }

    fn is_of(&self, language: &str) -> bool {
        let own = self.of_language.as_deref();
        own.is_some_and(|own| own.eq_ignore_ascii_case(language))
    }
}

impl Config {
    /// The pattern of a page's address. A language with rules of its own has no others.
    pub fn address_pattern(&self, page: &RuledPage<'_>) -> Option<&str> {
        let has_own = self
            .address_rules
            .iter()
            .any(|rule| rule.is_of(page.language));
        let mut rules = self.address_rules.iter().filter(|rule| match has_own {
            true => rule.is_of(page.language),
            false => rule.of_language.is_none(),
        });
        let kind = self.page_kind(page.path, page.is_branch);
        let rule = rules.find(|rule| rule.fits(page, kind))?;
        Some(&rule.pattern)
    }

    /// What Hugo calls the page with this path, in lower case and without suffix: `page`, `section`,
    /// `term` …
    pub fn page_kind(&self, path: &str, is_branch: bool) -> &'static str {
        if !is_branch {
            return "page";
        }
        if path.is_empty() {
            return "home";
        }
        let below = |taxonomy: &String| {
            let rest = path.strip_prefix(taxonomy.to_lowercase().as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then_some(rest)
        };
        match self.taxonomies.iter().find_map(below) {
            Some("") => "taxonomy",
            Some(_) => "term",
            None => "section",
        }
    }
}
