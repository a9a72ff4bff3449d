//! The names that templates of texts have in Eleventy. All others have no value.

use crate::dialects::config::{Config, SiteValue, undated};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::Project;
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::model::path::split_name;

/// What Eleventy and its languages give to a template.
const OBJECTS: &[&str] = &[
    "caller",
    "collections",
    "content",
    "eleventy",
    "forloop",
    "joiner",
    "loop",
    "page",
    "pagination",
    "pkg",
    "self",
    "super",
    "tablerowloop",
];
/// Front matter that gives a text further names, or another language.
pub(super) const OPENED_BY: &[&str] = &["eleventyComputed", "pagination", "templateEngineOverride"];

static LIQUID: TemplateNames = TemplateNames {
    of_site: &[],
    objects: OBJECTS,
    language: TemplateLanguage::Liquid,
    of_page: None,
};
static NUNJUCKS: TemplateNames = TemplateNames {
    language: TemplateLanguage::Nunjucks,
    ..LIQUID
};

/// What the configuration says of templates.
pub(super) struct Engine {
    /// The language of Markdown, as written.
    name: Option<String>,
    /// Names that the configuration gives to templates of Nunjucks.
    globals: Vec<String>,
}

impl Engine {
    pub(super) fn read(own: &Project<'_>) -> Self {
        let name = own.front.text(&["markdownTemplateEngine"]);
        let globals = own.calls("addNunjucksGlobal").into_iter();
        Self {
            name: name.map(str::to_owned),
            globals: globals.filter_map(|call| call.into_iter().next()).collect(),
        }
    }

    /// Finds the names of the site, with data for all texts in a folder.
    pub(super) fn settle(self, config: &mut Config, evidence: &Evidence<'_>, data: &str) {
        config.value_files(evidence, data);
        config.program_flags(evidence, data);
        config.note_names(evidence, data);
        config.unknown_names.extend(self.globals);
        // A public site is built, not served.
        let run_mode = SiteValue::Text("build".to_owned());
        let key = ".eleventy.env.runMode".to_owned();
        config.values.insert(key, run_mode);
        config.template_names = match self.name.as_deref() {
            Some("njk") => Some(&NUNJUCKS),
            None | Some("liquid") => Some(&LIQUID),
            _ => None,
        };
        config.markdown_shows_tags = self.name.as_deref() == Some("false");
    }
}

/// The name of a text in addresses: that of its file or folder, without a date.
pub(super) fn page_values(_: &Config, path: &str) -> Vec<(&'static str, SiteValue)> {
    let (folder, file) = split_name(path);
    let name = match file.split('.').next().unwrap_or_default() {
        "index" => split_name(folder).1,
        name => name,
    };
    vec![("fileSlug", SiteValue::Text(undated(name).to_owned()))]
}
