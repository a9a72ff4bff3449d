//! Templates in texts, which plug-ins run: `{% if beta %}` with the values of `extra`.

use crate::dialects::config::{Config, MOST_VALUES, SiteValue};
use crate::dialects::evidence::Evidence;
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::model::path::inside_or_folder;
use crate::syntax::front::{Entry, Front, Node, Value};

/// The plug-ins that run templates in texts.
const JINJA: [&str; 3] = ["macros", "mkdocs-macros-plugin", "markdownextradata"];
/// Their options that name programs and files with further values.
const MORE_VALUES: [&str; 4] = ["modules", "module_name", "include_yaml", "data"];
/// Their options with other signs of tags.
const SIGNS: [(&str, &str); 4] = [
    ("j2_block_start_string", "{%"),
    ("j2_block_end_string", "%}"),
    ("j2_variable_start_string", "{{"),
    ("j2_variable_end_string", "}}"),
];
/// What names such a program without an option, beside the configuration.
const PROGRAM: [&str; 3] = ["main.py", "main/__init__.py", "_data/"];

/// The key of front matter that says whether templates of a text run, and its older name.
pub(super) static OFF: [(&str, &str); 2] = [(RENDER, "false"), ("ignore_macros", "true")];
const RENDER: &str = "render_macros";

/// The names of these templates beside those of the configuration and of the page.
pub(super) static NAMES: TemplateNames = TemplateNames {
    of_site: &[],
    objects: &[
        "config",
        "context",
        "cycler",
        "dict",
        "env",
        "environment",
        "extra",
        "files",
        "filters",
        "filters_builtin",
        "git",
        "joiner",
        "lipsum",
        "loop",
        "macros",
        "namespace",
        "nav",
        "navigation",
        "now",
        "page",
        "plugin",
        "plugins",
        "range",
        "self",
        "tests",
    ],
    language: TemplateLanguage::Jinja,
    of_page: None,
};

/// Reads what one plug-in says of templates.
pub fn read(config: &mut Config, front: &Front, plugin: &Node) {
    let Some(options) = JINJA.iter().find_map(|name| options(plugin, name)) else {
        return;
    };
    values(config, front);
    config.hides_undecided = true;
    let signs = SIGNS.iter().filter_map(|(key, sign)| {
        let own = options.get(key)?.node.text()?;
        (own != *sign && !own.is_empty()).then(|| (own.to_owned(), *sign))
    });
    config.template_signs = signs.collect();
    let by_default = options.get("render_by_default");
    if by_default.is_some_and(|it| it.node.bool() == Some(false)) {
        config.tags_on = Some(RENDER);
    }
    config.has_more_values |= MORE_VALUES.iter().any(|key| options.get(key).is_some());
}

/// Notes whether a program of the folder gives values too.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let mut programs = PROGRAM
        .iter()
        .map(|name| inside_or_folder(config.folder(), name));
    let has_program = programs.any(|path| evidence.beginning(&path).is_some());
    config.has_more_values |= config.hides_undecided && has_program;
}

/// The options of a plug-in, if it is this one: of its name alone those are its name.
fn options<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let is_it = node.text() == Some(name);
    let options = node.get(name).map(|entry| &entry.node);
    options.or(is_it.then_some(node))
}

/// The values that these plug-ins give to texts: those of the configuration, and of `extra` by
/// their names alone.
fn values(config: &mut Config, front: &Front) {
    const NAMED: [&str; 7] = [
        "site_name",
        "site_description",
        "site_author",
        "site_url",
        "repo_url",
        "repo_name",
        "copyright",
    ];
    for key in NAMED {
        if let Some(text) = front.text(&[key]) {
            value(config, &format!(".config.{key}"), text);
        }
    }
    if let Some(Value::Map(extra)) = front.get("extra").map(|entry| &entry.node.value) {
        extra_values(config, "", extra, 0);
    }
}

fn value(config: &mut Config, name: &str, text: &str) {
    if config.values.len() < MOST_VALUES {
        let text = SiteValue::Text(text.to_owned());
        config.values.insert(name.to_owned(), text);
    }
}

/// The values of a map and of those in it, by keys joined by `.`.
fn extra_values(config: &mut Config, above: &str, entries: &[Entry], depth: usize) {
    const DEPTH: usize = 4;
    for Entry { key, node } in entries {
        if config.values.len() >= MOST_VALUES {
            return;
        }
        let name = format!("{above}{}", key.text);
        let value = match &node.value {
            Value::Scalar { .. } if node.is_null() => SiteValue::Nil,
            Value::Scalar { text, .. } => match node.bool() {
                Some(value) => SiteValue::of_bool(value),
                None => SiteValue::Text(text.clone()),
            },
            Value::List(_) | Value::Map(_) if node.is_null() => SiteValue::Empty,
            Value::Map(inner) if depth < DEPTH => {
                extra_values(config, &format!("{name}."), inner, depth + 1);
                SiteValue::Map
            }
            Value::List(_) | Value::Map(_) => SiteValue::Unread,
        };
        for above in [".", ".extra.", ".config.extra."] {
            config
                .values
                .insert(format!("{above}{name}"), value.clone());
        }
    }
}
