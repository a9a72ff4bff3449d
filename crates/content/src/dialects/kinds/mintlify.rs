//! A Mintlify site: `docs.json`, or `mint.json` as it was before. All Markdown is MDX.

use crate::dialects::config::{Config, Glob, Keys, Locale, first_existing, ignore_file, read};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::order::{Ask, mintlify};
use crate::dialects::redirects::{List, Notation, PartRedirectFile};
use crate::dialects::scope::{Project, Scope};
use crate::dialects::tags::{Call, Piece};
use crate::model::language;
use crate::model::path::{folder, inside_or_folder, join};
use crate::model::sources::SourceFile;
use crate::syntax::front::{Entry, Front, Value};

/// The configuration, in the order in which one is looked for.
const CONFIG: &[&str] = &["docs.json", "mint.json", "*/docs.json", "*/mint.json"];
/// What the site leaves out.
const IGNORED: &str = ".mintignore";
/// What it always leaves out, in any case.
const NEVER: [&str; 6] = [
    "node_modules",
    "README.md",
    "LICENSE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CONTRIBUTE.md",
];
/// Folders that it leaves out as well, unless the navigation names a text there.
const OUTPUTS: [&str; 5] = ["build", "dist", "coverage", "tmp", "temp"];
/// All but the folder of texts that are only imported. They have no pages even if no text imports them.
const PAGES: [&str; 2] = ["**", "!/snippets"];
/// Begins the key of a value that texts name, to tell it from a parameter of a site of Hugo.
const VARIABLE: &str = "{{";
/// The maximum number of values that texts may name.
const MOST_VALUES: usize = 1000;

pub(super) static DIALECT: Dialect = Dialect {
    name: "mintlify",
    recognise: |evidence| Some(format!("`{}`", configuration(evidence)?.path)),
    scope,
    reads: &["md", "mdx"],
    settle,
    all_are_articles: true,
    keys: Keys {
        files: CONFIG,
        title: &["name"],
        address: &["seo.metatags.canonical"],
        more: variables,
        ..Keys::NONE
    },
    redirects_within: redirects,
    addresses: Some("/:path"),
    audience: Some("groups"),
    imported_are_parts: true,
    order: &[mintlify::navigation],
    jsx: |_| true,
    output,
    ..COMMON
};

/// The configuration of a site. Another program may have a file with the same name.
fn configuration<'a>(evidence: &Evidence<'a>) -> Option<&'a SourceFile> {
    first_existing(evidence, CONFIG).filter(|file| is_own(&file.bytes))
}

/// Whether a file names the schema of the program, or has the keys that a site must have.
fn is_own(bytes: &[u8]) -> bool {
    let has = |word: &str| memchr::memmem::find(bytes, word.as_bytes()).is_some();
    has("mintlify.com/") || has("\"navigation\"") && has("\"colors\"") && has("\"pages\"")
}

/// The folder of the configuration. What the navigation does not name is published, but not listed.
fn scope(project: &Project<'_>) -> Scope {
    let config = project.config;
    let folder = config.folder();
    let mut scope = Scope::new(vec![folder.to_owned()], &[]);
    scope.by.clone_from(&config.file);
    let texts = mintlify::texts(&ask(project.evidence, config));
    for name in NEVER.into_iter().chain(OUTPUTS) {
        let Some(glob) = Glob::parse_below(folder, name).map(Glob::in_any_case) else {
            continue;
        };
        let is_named = texts.iter().flatten().any(|text| glob.fits(text));
        if !(is_named && OUTPUTS.contains(&name)) {
            scope.excluded.push(glob);
        }
    }
    if let Some(file) = ignoring(project.evidence, config) {
        for glob in ignore_file::patterns(file) {
            let glob = glob.because("excluded by `.mintignore`");
            scope.ignored.push(glob.in_any_case());
        }
    }
    for pattern in PAGES {
        scope.rendered.extend(Glob::parse_below(folder, pattern));
    }
    if project.front.text(&["seo.indexing"]) != Some("all") {
        scope.in_navigation = texts;
    }
    scope
}

fn ignoring<'a>(evidence: &Evidence<'a>, config: &Config) -> Option<&'a SourceFile> {
    evidence.file(&inside_or_folder(config.folder(), IGNORED))
}

fn ask<'e, 'a>(evidence: &'e Evidence<'a>, config: &'e Config) -> Ask<'e, 'a> {
    Ask {
        evidence,
        config: &config.file,
        roots: [].into(),
    }
}

/// The folder of the texts, and the languages.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    let folder = config.folder().to_owned();
    config.content = Some(folder).filter(|folder| !folder.is_empty());
    if let Some(file) = ignoring(evidence, config) {
        config.is_too_long(IGNORED, ignore_file::count(file), (0, 0));
    }
    let Some(navigation) = mintlify::whole(&ask(evidence, config)) else {
        return;
    };
    for language in mintlify::languages(&navigation) {
        let Some(tag) = tag(&language.name) else {
            continue;
        };
        if language.is_default {
            config.default_language = Some(language.name.to_lowercase());
            config.settings.language.get_or_insert_with(|| tag.clone());
        }
        let name = if language.has_folder {
            language.name
        } else {
            String::new()
        };
        config.locales.push(Locale { name, tag });
    }
    config.say_languages();
}

/// The tag of a language. Some have names of the program's own.
fn tag(name: &str) -> Option<String> {
    match name {
        "cn" => language::tag("zh-CN"),
        "jp" => language::tag("ja"),
        _ => language::tag(name),
    }
}

/// `variables`: values that texts show by their names.
fn variables(config: &mut Config, front: &Front) {
    if let Some(Value::Map(entries)) = front.get("variables").map(|entry| &entry.node.value) {
        for Entry { key, node } in entries.iter().take(MOST_VALUES) {
            let mut entry = Entry {
                key: key.clone(),
                node: node.clone(),
            };
            entry.key.text.insert_str(0, VARIABLE);
            config.site_params.entries.push(entry);
        }
    }
    config.math |= front.bool(&["styling.latex"]) == Some(true);
}

/// `{{name}}`
fn output(call: &Call<'_>) -> Option<Piece> {
    let name = [VARIABLE, call.text.trim()].concat();
    for Entry { key, node } in call.around.iter().flat_map(|front| &front.entries) {
        if key.text == name {
            return Piece::words(node.text()?);
        }
    }
    None
}

/// The redirects of the configuration, or of the file that it names for them.
fn redirects(evidence: &Evidence<'_>) -> Vec<PartRedirectFile> {
    let Some(file) = configuration(evidence) else {
        return Vec::new();
    };
    let folder = folder(&file.path);
    let (front, ..) = read(file);
    let named = front
        .get(List::SOURCES.key)
        .and_then(|entry| mintlify::reference(&entry.node));
    let (file, notation) = match named.and_then(|named| join(folder, named)) {
        Some(path) => (path, Notation::Json(List::SOURCES.style)),
        None => (file.path.to_string(), Notation::List(List::SOURCES)),
    };
    vec![PartRedirectFile {
        file,
        notation,
        at: String::new(),
        root: folder.to_owned(),
    }]
}
