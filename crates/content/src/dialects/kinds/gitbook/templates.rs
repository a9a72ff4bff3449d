//! The templates in the texts of a book: `{% if book.beta %}` with the `variables` of its
//! configuration.

use crate::dialects::config::{Config, MOST_VALUES, SiteValue};
use crate::dialects::script::{is_computed, is_open};
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::syntax::front::{Entry, Front, Node, Value};

/// The name of the values of a book, and the key of the configuration that gives them.
const BOOK: &str = "book";
const VARIABLES: &str = "variables";
/// Keys of the configuration that templates show.
const SHOWN: [&str; 4] = ["title", "author", "description", "language"];
/// Names that always have a value.
const GIVEN: [&str; 4] = [
    "gitbook.version",
    "gitbook.time",
    "honkit.version",
    "honkit.time",
];
/// How deep maps of values are read.
const DEPTH: usize = 4;

/// The names of these templates beside those of the configuration. A page has the keys of its front
/// matter, and these.
static NAMES: TemplateNames = TemplateNames {
    of_site: &[],
    objects: &[
        "config",
        "cycler",
        "file",
        "gitbook",
        "glossary",
        "joiner",
        "languages",
        "loop",
        "page",
        "range",
        "summary",
        "template",
    ],
    language: TemplateLanguage::Nunjucks,
    of_page: Some(&[
        "content", "depth", "dir", "level", "next", "previous", "progress", "sections", "title",
        "type",
    ]),
};

/// What is known of the values of a book.
#[derive(PartialEq, Eq)]
pub enum Known {
    All,
    /// Texts have others too: that of their language.
    Some,
    Nothing,
}

/// Gives the texts the values of their book.
pub fn settle(config: &mut Config, front: &Front, known: Known) {
    config.template_names = Some(&NAMES);
    config.hides_undecided = true;
    let variables = front.get(VARIABLES).map(|entry| &entry.node);
    let is_read =
        variables.is_none_or(|node| matches!(node.value, Value::Map(_)) && !is_open(node));
    match known == Known::All && is_read {
        true => add(config, BOOK, SiteValue::Map),
        // The absence of a value must not be taken for a no.
        false => open(config),
    }
    if let Some(Value::Map(entries)) = variables.map(|node| &node.value)
        && known != Known::Nothing
    {
        values(config, BOOK, entries, 0);
    }
    for key in SHOWN {
        if let Some(entry) = front.get(key) {
            value(config, &format!("config.{key}"), &entry.node, DEPTH);
        }
    }
    for name in GIVEN {
        add(config, name, SiteValue::Unread);
    }
    add(config, "output", SiteValue::Map);
    add(config, "output.name", SiteValue::Text("website".to_owned()));
}

/// Notes that a book has values which are not read.
fn open(config: &mut Config) {
    config.values.remove(&format!(".{BOOK}"));
    config.unknown_names.insert(BOOK.to_owned());
}

fn add(config: &mut Config, name: &str, value: SiteValue) {
    if config.values.len() < MOST_VALUES {
        config.values.insert(format!(".{name}"), value);
    } else {
        config.has_more_values = true;
    }
}

/// The values of a map and of those in it, by keys joined by `.`.
fn values(config: &mut Config, above: &str, entries: &[Entry], depth: usize) {
    for Entry { key, node } in entries {
        value(config, &format!("{above}.{}", key.text), node, depth);
    }
}

fn value(config: &mut Config, name: &str, node: &Node, depth: usize) {
    if is_computed(node) {
        return open(config);
    }
    let own = match &node.value {
        _ if node.is_null() && matches!(node.value, Value::Scalar { .. }) => SiteValue::Nil,
        Value::Scalar { plain: true, text } if text.parse() == Ok(0.0) => SiteValue::Zero,
        Value::Scalar { text, plain } => match node.bool().filter(|_| *plain) {
            Some(value) => SiteValue::of_bool(value),
            None => SiteValue::Text(text.clone()),
        },
        Value::List(_) | Value::Map(_) if node.is_null() => SiteValue::Empty,
        Value::List(items) => SiteValue::of_list(items),
        Value::Map(inner) if depth < DEPTH => {
            values(config, name, inner, depth + 1);
            SiteValue::Map
        }
        Value::Map(_) => SiteValue::Unread,
    };
    add(config, name, own);
}
