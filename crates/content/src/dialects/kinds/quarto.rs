//! A Quarto site: `{{< include >}}`, `:::{.callout-note}`.

use crate::dialects::config::{Keys, Patterns};
use crate::dialects::dialect::{COMMON, Dialect, Spelling};
use crate::dialects::heading_ids;
use crate::dialects::order::nav;
use crate::dialects::scope::{Listed, Project, Scope};
use crate::syntax::front::{Node, Value};

const CONFIG: &[&str] = &["_quarto.yml", "_quarto.yaml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "quarto",
    recognise: |evidence| evidence.first(CONFIG),
    outputs: &["_site", "_book"],
    scope,
    reads: &["qmd", "md", "rmd"],
    copies_linked: true,
    keys: Keys {
        files: CONFIG,
        title: &["website.title", "book.title", "title"],
        description: &["website.description", "book.description", "description"],
        author: &["author", "book.author", "authors"],
        address: &["website.site-url", "book.site-url"],
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    dollar_math: true,
    includes: Spelling::Shortcodes,
    ignores_status: true,
    order: &[nav::contents],
    heading_ids: Some(heading_ids::PANDOC),
    ..COMMON
};

/// The targets of `project.render`, or the chapters of a book; `project.resources`.
fn scope(project: &Project<'_>) -> Scope {
    let patterns = |key: &str| {
        let entry = project.front.get(key);
        let texts = entry.map(|entry| entry.node.items()).unwrap_or_default();
        let texts = texts.iter().filter_map(Node::text).take(1000);
        texts.map(str::to_owned).collect::<Vec<String>>()
    };
    let mut scope = Scope::default();
    for pattern in patterns("project.resources")
        .iter()
        .chain(&patterns("resources"))
    {
        scope
            .resources
            .extend(Patterns::Rooted.read(pattern.trim_start_matches('/')));
    }
    let rendered = patterns("project.render");
    if !rendered.is_empty() {
        // The last pattern that fits decides; everything before the first is left out.
        scope.excluded = Vec::new();
        scope.rendered = rendered
            .iter()
            .flat_map(|one| Patterns::Rooted.read(one))
            .collect();
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
