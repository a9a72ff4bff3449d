//! A Quarto site: `{{< include >}}`, and Pandoc's Markdown, with numbers across the chapters of a
//! book. A book of bookdown, in R Markdown, is read alike.

mod bookdown;
mod profiles;
mod render;

use crate::dialects::attributes::heading_parts;
use crate::dialects::config::{Config, Glob, Keys, Patterns, QuartoValues, chain, open, read};
use crate::dialects::dialect::{COMMON, Dialect, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::numbering::{Numbering, of_text};
use crate::dialects::order::nav;
use crate::dialects::scope::{Listed, Project, Scope};
use crate::dialects::tags::Piece;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front, Node, Value, split};
use render::RENDER;

const CONFIG: &[&str] = &["_quarto.yml", "_quarto.yaml", bookdown::FILE];
/// The key of more files of the configuration.
const MORE: &str = "metadata-files";

pub(super) static DIALECT: Dialect = Dialect {
    name: "quarto",
    recognise: |evidence| evidence.first(CONFIG),
    outputs: &["_site", "_book"],
    scope,
    reads: &["qmd", "md", "rmd"],
    unread: &["ipynb"],
    copies_linked: true,
    keys: Keys {
        files: CONFIG,
        inherit: Some(MORE),
        title: &["website.title", "book.title", "title"],
        description: &["website.description", "book.description", "description"],
        author: &["author", "book.author", "authors"],
        address: &["website.site-url", "book.site-url"],
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    spell: |_, part| part.trim_end_matches(".html").to_owned(),
    names_page: &["output-file", "format.html.output-file"],
    dollar_math: true,
    pandoc: true,
    settle,
    shortcodes: &[(
        &[
            "pagebreak",
            "lipsum",
            "placeholder",
            "embed",
            "env",
            "brand",
            "version",
            "meta",
            "var",
        ],
        |_| Some(Piece::Nothing),
    )],
    includes: Spelling::Shortcodes,
    ignores_status: true,
    order: &[nav::contents],
    heading_ids: Some(heading_ids::PANDOC),
    ..COMMON
};

/// The targets of `project.render`, or the chapters of a book; `project.resources`; without the
/// drafts of a website.
fn scope(project: &Project<'_>) -> Scope {
    let front = &project.front;
    let mut scope = Scope::default();
    let resources = front.texts("project.resources");
    for pattern in resources.chain(front.texts("resources")) {
        scope
            .resources
            .extend(Patterns::Rooted.read(pattern.trim_start_matches('/')));
    }
    scope.excluded_texts = drafts(project.evidence);
    scope.excluded_texts.extend(render::never());
    scope.excluded.extend(render::output(front));
    let mut rendered: Vec<String> = front.texts(RENDER).map(str::to_owned).collect();
    for front in profiles::configurations(project.evidence, &project.front) {
        rendered.extend(front.texts(RENDER).map(str::to_owned));
        scope.excluded.extend(render::output(&front));
    }
    if project.config.file == bookdown::FILE {
        bookdown::scope(project, &mut scope);
    } else if !rendered.is_empty() {
        scope.rendered = render::patterns(rendered.iter().map(String::as_str));
    } else if project.front.text(&["project.type"]) == Some("book") {
        let mut listed = Listed {
            by: project.config.file.clone(),
            ..Listed::default()
        };
        for key in ["book.chapters", "book.appendices"] {
            if let Some(entry) = project.front.get(key) {
                chapters(&entry.node, 0, &mut listed);
            }
        }
        listed.texts.insert("index.qmd".to_owned());
        listed.texts.insert("index.md".to_owned());
        scope.listed = Some(listed);
    }
    scope
}

/// The texts of a list.
fn texts_in(node: &Node) -> Vec<String> {
    let texts = node.items().iter().filter_map(Node::text);
    texts.map(str::to_owned).collect()
}

/// All files of the configuration. Later ones have priority in Quarto.
fn configurations(evidence: &Evidence<'_>) -> Vec<Front> {
    let first = CONFIG.iter().find_map(|name| evidence.file(name));
    let files = first.map_or_else(Vec::new, |first| chain(evidence, first, Some(MORE)));
    let mut fronts: Vec<Front> = files.into_iter().map(|file| read(file).0).collect();
    let of_profiles = fronts
        .first()
        .map(|front| profiles::configurations(evidence, front));
    fronts.extend(of_profiles.unwrap_or_default());
    fronts
}

/// The key of texts that are drafts.
const DRAFTS: &str = "website.drafts";

/// `website.drafts` of all files of the configuration, whatever the texts say of themselves.
fn drafts(evidence: &Evidence<'_>) -> Vec<Glob> {
    let mut drafts = Vec::new();
    for front in configurations(evidence) {
        let named = front.texts(DRAFTS);
        drafts.extend(named.flat_map(|one| Patterns::Rooted.read(one)));
    }
    drafts
}

/// The files of chapters: texts, `file`, `part`, and `chapters` in parts.
fn chapters(node: &Node, depth: usize, listed: &mut Listed) {
    match &node.value {
        _ if depth > 6 => {}
        Value::Scalar { text, .. } => {
            listed
                .texts
                .insert(text.trim().trim_start_matches("./").to_owned());
        }
        Value::List(items) => items
            .iter()
            .for_each(|item| chapters(item, depth + 1, listed)),
        Value::Map(entries) => {
            for entry in entries {
                if matches!(
                    entry.key.text.as_str(),
                    "file" | "href" | "part" | "chapters"
                ) {
                    chapters(&entry.node, depth + 1, listed);
                }
            }
        }
    }
}

/// The most values that texts may name.
const MOST_VALUES: usize = 2000;
/// The most chapters of a book.
const MOST_CHAPTERS: usize = 1000;

/// The values that texts may show, and the numbers in a book.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    let fronts = configurations(evidence);
    for front in &fronts {
        for key in [DRAFTS, RENDER] {
            let node = front.get(key).map(|entry| &entry.node);
            let (count, place) = node.map_or((0, (0, 0)), |node| {
                (node.items().len(), (node.line, node.column))
            });
            config.is_too_long(key, count, place);
        }
    }
    let mut values = QuartoValues::default();
    if let Some((_, front)) = open(evidence, VARIABLES) {
        flatten("", &front.entries, &mut values.variables);
    }
    for front in fronts.iter().rev() {
        flatten("", &front.entries, &mut values.meta);
    }
    if let Some((_, front)) = open(evidence, CONFIG) {
        values.profiles = profiles::active(&front);
        let is_book = front.text(&["project.type"]) == Some("book");
        let said = front.bool(&["number-sections", "format.html.number-sections"]);
        values.sections = said.unwrap_or(is_book);
        if is_book {
            let language = config.settings.language.clone().unwrap_or_default();
            number_book(evidence, &front, &language, &mut values);
        }
    }
    if config.file == bookdown::FILE
        && let Some(front) = fronts.first()
    {
        bookdown::describe(evidence, config);
        bookdown::add_values(evidence, front, &mut values);
    }
    config.quarto_values = values;
    config.folder_metadata(evidence, METADATA);
}

/// Front matter for the texts of a folder and of those below.
const METADATA: &[&str] = &["_metadata.yml", "_metadata.yaml"];

const VARIABLES: &[&str] = &["_variables.yml", "_variables.yaml"];

/// Keys with their path, and their texts.
fn flatten(path: &str, entries: &[Entry], values: &mut Vec<(String, String)>) {
    for entry in entries {
        if values.len() >= MOST_VALUES || path.len() > 200 {
            return;
        }
        let key = format!("{path}{}", entry.key.text);
        match &entry.node.value {
            Value::Map(entries) => flatten(&format!("{key}."), entries, values),
            _ => values.extend(entry.node.text().map(|text| (key, text.to_owned()))),
        }
    }
}

/// Numbers the chapters of a book, and what is in them.
fn number_book(evidence: &Evidence<'_>, front: &Front, language: &str, values: &mut QuartoValues) {
    let mut files = Vec::new();
    for (key, lettered) in [("book.chapters", false), ("book.appendices", true)] {
        if let Some(entry) = front.get(key) {
            texts(&entry.node, 0, lettered, &mut files);
        }
    }
    let (mut count, mut letters) = (0, 0);
    for (path, lettered) in files.into_iter().take(MOST_CHAPTERS) {
        let Some(file) = evidence.file(&path) else {
            continue;
        };
        let (text, _) = decode(&file.bytes, &path);
        let split = split(&text, &path);
        let number = match is_numbered(&split.front, split.body) {
            false => None,
            true if lettered && letters < 26 => {
                letters += 1;
                Some(char::from(b'A' + letters - 1).to_string())
            }
            true => {
                count += 1;
                Some(count.to_string())
            }
        };
        let numbering = Numbering {
            chapter: number.as_deref(),
            sections: values.sections && number.is_some(),
            language,
        };
        for (id, label) in of_text(split.body, numbering) {
            values.labels.push((id, path.clone(), label));
        }
        values.chapters.push((path, number));
    }
    // Of two with one id the first stays the first.
    values
        .labels
        .sort_by(|(one, ..), (other, ..)| one.cmp(other));
}

/// The chapters in their order; the text of a part has no number.
fn texts(node: &Node, depth: usize, lettered: bool, files: &mut Vec<(String, bool)>) {
    match &node.value {
        _ if depth > 6 => {}
        Value::Scalar { text, .. } => {
            files.push((text.trim().trim_start_matches("./").to_owned(), lettered));
        }
        Value::List(items) => items
            .iter()
            .for_each(|item| texts(item, depth + 1, lettered, files)),
        Value::Map(_) => {
            for key in ["file", "href", "chapters"] {
                if let Some(entry) = node.get(key) {
                    texts(&entry.node, depth + 1, lettered, files);
                }
            }
        }
    }
}

/// Whether the first heading of a chapter has a number.
fn is_numbered(front: &Front, body: &str) -> bool {
    let title = body.lines().find_map(|line| line.strip_prefix("# "));
    let (_, found) = heading_parts(title.unwrap_or_default().trim());
    let unnumbered = found.is_some_and(|found| found.has("unnumbered"));
    !unnumbered && front.bool(&["number-sections"]) != Some(false)
}
