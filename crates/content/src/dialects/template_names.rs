//! What templates of texts may name, and the languages that they are written in.

/// The names that a generator gives to templates.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TemplateNames {
    /// Keys of the site that are not from its configuration.
    pub of_site: &'static [&'static str],
    /// Objects, one of which is the page in most languages.
    pub objects: &'static [&'static str],
    /// The keys that the generator gives to `page`, if it holds the front matter too, whose keys are then
    /// no names of their own.
    pub of_page: Option<&'static [&'static str]>,
    pub language: TemplateLanguage,
}

/// The languages of templates, as far as their conditions differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TemplateLanguage {
    /// Keys of the page and of the site are below `page` and `site`. Only `false` and nil are false.
    #[default]
    Liquid,
    /// The keys of a page are names of their own, and its front matter is `page.meta`. 0 and an empty
    /// text are false. `true` is written `True` too, and shown so.
    Jinja,
    /// The keys of a page are names of their own. 0 and an empty text are false.
    Nunjucks,
}

impl TemplateLanguage {
    /// Whether the keys of a page are names of their own.
    pub fn has_bare_keys(self) -> bool {
        self != Self::Liquid
    }

    /// Whether 0 and an empty text are false.
    pub fn has_empty_values(self) -> bool {
        self != Self::Liquid
    }
}
