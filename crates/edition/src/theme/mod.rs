//! The theme: templates, one style sheet, and any files of a theme folder.
//!
//! The built-in theme is compiled in. A theme folder overlays it: a file that ends in `.html` or
//! `.md` replaces the template of the same name (or adds one that others may `include`). A file
//! `words/{language}.toml` holds words of that language, over the built-in ones. Every other file is
//! published as `/_/{name}.{hash}.{ext}`. The module [`context`] documents the values
//! passed to templates.

mod advice;
mod asset;
mod blocks;
pub mod context;
mod dictionary;
mod environment;
mod minify;
mod once;
mod undefined;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bytes::Bytes;
use diglot_content::Problem;
use diglot_content::frame::Accent;
use minijinja::{Environment, Value};

use crate::resource::Digest;

pub use asset::Asset;
pub(crate) use asset::asset;
pub use dictionary::{Dictionary, Words};
pub(crate) use environment::{escape, escape_markdown};
pub(crate) use once::Once;

/// The built-in templates by name.
const TEMPLATES: [(&str, &str); 23] = [
    ("base.html", include_str!("../../theme/base.html")),
    ("head.html", include_str!("../../theme/head.html")),
    ("head-site.html", include_str!("../../theme/head-site.html")),
    ("mast.html", include_str!("../../theme/mast.html")),
    ("nav.html", include_str!("../../theme/nav.html")),
    ("foot.html", include_str!("../../theme/foot.html")),
    ("entries.html", include_str!("../../theme/entries.html")),
    ("outline.html", include_str!("../../theme/outline.html")),
    ("crumbs.html", include_str!("../../theme/crumbs.html")),
    ("tree.html", include_str!("../../theme/tree.html")),
    ("turn.html", include_str!("../../theme/turn.html")),
    ("article.html", include_str!("../../theme/article.html")),
    ("page.html", include_str!("../../theme/page.html")),
    ("home.html", include_str!("../../theme/home.html")),
    ("section.html", include_str!("../../theme/section.html")),
    ("list.html", include_str!("../../theme/list.html")),
    ("error.html", include_str!("../../theme/error.html")),
    ("api.md", include_str!("../../theme/api.md")),
    ("terms.md", include_str!("../../theme/terms.md")),
    ("search.html", include_str!("../../theme/search.html")),
    ("find.html", include_str!("../../theme/find.html")),
    ("search.md", include_str!("../../theme/search.md")),
    ("404.md", include_str!("../../theme/404.md")),
];

/// The script of the search page.
pub(crate) const SCRIPT: &str = "search.js";
const SCRIPT_TEXT: &str = include_str!("../../theme/search.js");

/// The path below `/_/` of the built-in script.
pub(crate) fn script_name() -> &'static str {
    static NAME: LazyLock<String> =
        LazyLock::new(|| asset(SCRIPT, Bytes::from_static(SCRIPT_TEXT.as_bytes())).name);
    &NAME
}

/// The built-in files by name.
const FILES: [(&str, &str); 23] = [
    ("main.css", include_str!("../../theme/main.css")),
    ("frame.css", include_str!("../../theme/frame.css")),
    ("guide.css", include_str!("../../theme/guide.css")),
    ("list.css", include_str!("../../theme/list.css")),
    ("contents.css", include_str!("../../theme/contents.css")),
    ("cover.css", include_str!("../../theme/cover.css")),
    ("code.css", include_str!("../../theme/code.css")),
    ("table.css", include_str!("../../theme/table.css")),
    ("callout.css", include_str!("../../theme/callout.css")),
    ("quote.css", include_str!("../../theme/quote.css")),
    ("figure.css", include_str!("../../theme/figure.css")),
    ("marks.css", include_str!("../../theme/marks.css")),
    ("notes.css", include_str!("../../theme/notes.css")),
    ("signs.css", include_str!("../../theme/signs.css")),
    ("math.css", include_str!("../../theme/math.css")),
    ("byline.css", include_str!("../../theme/byline.css")),
    ("tags.css", include_str!("../../theme/tags.css")),
    ("outline.css", include_str!("../../theme/outline.css")),
    ("search.css", include_str!("../../theme/search.css")),
    ("scripts.css", include_str!("../../theme/scripts.css")),
    ("feed.css", include_str!("../../theme/feed.css")),
    (SCRIPT, SCRIPT_TEXT),
    ("icon.svg", include_str!("../../theme/icon.svg")),
];

/// A file of a theme folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeFile {
    /// Relative to the theme folder, `/` between segments.
    pub path: String,
    /// The bytes.
    pub bytes: Bytes,
}

/// Compiled templates and hashed files, built once per edition.
#[derive(Debug)]
pub struct Theme {
    environment: Environment<'static>,
    assets: Vec<Asset>,
    overridden: BTreeSet<String>,
    has_own_templates: bool,
    dictionary: Dictionary,
    digest: Digest,
    warnings: Vec<Problem>,
}

impl Theme {
    /// The built-in theme, overlaid by these files of a theme folder; none give the built-in theme
    /// itself.
    ///
    /// # Errors
    /// Every template that does not compile or is not UTF-8, and every block that overrides none,
    /// each with its path in the theme folder and its line.
    pub fn new(files: &[ThemeFile]) -> Result<Self, Vec<Problem>> {
        Self::with_accent(files, None)
    }

    /// The theme with an accent colour of the settings.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_accent(files: &[ThemeFile], accent: Option<Accent>) -> Result<Self, Vec<Problem>> {
        let mut environment = environment::environment();
        let mut sources: BTreeMap<&str, Bytes> = FILES
            .iter()
            .map(|(name, text)| (*name, published(name, text)))
            .collect();
        let mut overridden = BTreeSet::new();
        let mut has_own_templates = false;
        let mut dictionary = Dictionary::default();
        let rules = accent.map(accent_rules);
        let digests = files.iter().flat_map(|file| {
            [
                Digest::hash(file.path.as_bytes()),
                Digest::hash(&file.bytes),
            ]
        });
        let digest = Digest::hash_parts(
            digests.chain(rules.iter().map(|rules| Digest::hash(rules.as_bytes()))),
        );
        let mut problems = Vec::new();
        for (name, text) in TEMPLATES {
            if let Err(error) = environment.add_template(name, text) {
                problems.push(environment::problem(&error, name, None));
            }
        }
        for file in files.iter().filter(|file| !is_hidden(&file.path)) {
            if let Some(language) = dictionary::language_of(&file.path) {
                if let Err(problem) = dictionary.add(language, file) {
                    problems.push(problem);
                }
                continue;
            }
            if !is_template(&file.path) {
                sources.insert(&file.path, file.bytes.clone());
                continue;
            }
            overridden.insert(file.path.clone());
            has_own_templates |= !is_built_in(file);
            if let Err(problem) = environment::add(&mut environment, file) {
                problems.push(problem);
            }
        }
        if problems.is_empty() {
            let own = files
                .iter()
                .filter(|file| overridden.contains(&file.path))
                .filter(|file| !is_built_in(file));
            problems.extend(own.flat_map(|file| blocks::problems(&environment, &file.path)));
        }
        for name in ["main.css", "feed.css"] {
            if let (Some(rules), Some(sheet)) = (&rules, sources.get_mut(name)) {
                *sheet = [&**sheet, rules.as_bytes()].concat().into();
            }
        }
        if problems.is_empty() {
            Ok(Self {
                environment,
                assets: asset::hashed(sources),
                overridden,
                has_own_templates,
                dictionary,
                digest,
                warnings: advice::warnings(files, &FILES.map(|(name, _)| name)),
            })
        } else {
            Err(problems)
        }
    }

    /// The files published below `/_/`, by name in the theme.
    pub fn assets(&self) -> &[Asset] {
        &self.assets
    }

    /// The bytes that a page reads with this style sheet.
    pub(crate) fn size(&self, sheet: &str) -> usize {
        let found = self.assets.iter().find(|asset| asset.source == sheet);
        found.map_or(0, |asset| asset.bytes.len())
    }

    /// What in its folder has no effect. `folder`: the theme folder as the prefix of the paths.
    pub(crate) fn warnings(&self, folder: Option<&str>) -> Vec<Problem> {
        let mut warnings = self.warnings.clone();
        if let Some(folder) = folder {
            let places = warnings
                .iter_mut()
                .filter_map(|problem| problem.place.as_mut());
            places.for_each(|place| place.path = format!("{folder}/{}", place.path));
        }
        warnings
    }

    /// Its words in all languages.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Whether any template is not the built-in one.
    pub(crate) fn has_own_templates(&self) -> bool {
        self.has_own_templates
    }

    /// The digest of the theme folder's files.
    pub(crate) fn digest(&self) -> Digest {
        self.digest
    }

    /// Renders a template.
    ///
    /// # Errors
    /// The template's error, with file and line. `folder`: the theme folder as the prefix of the
    /// author's paths.
    pub(crate) fn render(
        &self,
        template: &str,
        context: Value,
        folder: Option<&str>,
    ) -> Result<String, Problem> {
        let rendered = self
            .environment
            .get_template(template)
            .and_then(|template| template.render(context.clone()));
        rendered.map_err(|error| self.problem(&error, template, folder, &context))
    }

    /// As [`render`](Self::render), appended to `out`.
    pub(crate) fn render_to(
        &self,
        out: &mut Vec<u8>,
        template: &str,
        context: Value,
        folder: Option<&str>,
    ) -> Result<(), Problem> {
        let rendered = self
            .environment
            .get_template(template)
            .and_then(|template| template.render_captured_to(context.clone(), out).map(drop));
        rendered.map_err(|error| self.problem(&error, template, folder, &context))
    }

    /// The path of the template of the theme folder that decides what this one writes: itself, or
    /// the nearest that it extends.
    pub(crate) fn own_place(&self, template: &str, folder: Option<&str>) -> String {
        let chain = blocks::extended(&self.environment, template);
        let own = chain.iter().find(|name| self.overridden.contains(*name));
        self.place(own.map_or(template, String::as_str), folder)
    }

    /// The path of a template: in the theme folder if that has it.
    fn place(&self, name: &str, folder: Option<&str>) -> String {
        match folder.filter(|_| self.overridden.contains(name)) {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_owned(),
        }
    }

    fn problem(
        &self,
        error: &minijinja::Error,
        template: &str,
        folder: Option<&str>,
        context: &Value,
    ) -> Problem {
        let name = error.name().unwrap_or(template).to_owned();
        let path = self.place(&name, folder);
        let name = undefined::expression(error, context);
        let problem = environment::problem(error, &path, name);
        let templates = self.environment.templates().map(|(name, _)| name);
        let hint = match name {
            Some(name) => Some(undefined::hint(name, context)),
            None => undefined::hint_for_call(error, templates),
        };
        match hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}

/// The built-in templates and files, by name, in the order of names.
pub fn built_in() -> BTreeMap<&'static str, &'static str> {
    let files = TEMPLATES.into_iter().chain(FILES);
    files.chain(dictionary::built_in()).collect()
}

/// The bytes of a built-in file: style sheets without comments and line breaks.
fn published(name: &str, text: &'static str) -> Bytes {
    if name.ends_with(".css") {
        Bytes::from(minify::minified(text))
    } else {
        Bytes::from_static(text.as_bytes())
    }
}

/// An accent colour as the end of a style sheet. Paper has no accent.
fn accent_rules(accent: Accent) -> String {
    let Accent { light, dark } = accent;
    format!(
        "\n@media screen{{:root{{--accent:{light}}}}}\n@media screen and (prefers-color-scheme:dark){{:root{{--accent:{dark}}}}}\n"
    )
}

/// Whether a file of the theme folder is an unchanged copy of a built-in template.
fn is_built_in(file: &ThemeFile) -> bool {
    let is_same =
        |(name, text): &(&str, &str)| *name == file.path && text.as_bytes() == &*file.bytes;
    TEMPLATES.iter().any(is_same)
}

/// Whether a file of the theme folder is a template.
fn is_template(path: &str) -> bool {
    path.ends_with(".html") || path.ends_with(".md")
}

/// Whether any segment starts with a dot: an editor's file, not the theme's.
fn is_hidden(path: &str) -> bool {
    path.split('/').any(|segment| segment.starts_with('.'))
}

/// A string that templates do not escape.
pub(crate) fn safe(text: &str) -> Value {
    Value::from_safe_string(text.to_owned())
}

/// A template value from one of the structs of [`context`].
pub(crate) fn value<T: serde::Serialize>(data: T) -> Value {
    Value::from(minijinja::value::Serde(data))
}

#[cfg(test)]
mod tests;
