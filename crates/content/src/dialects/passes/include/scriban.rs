//! `{{ include "file" key: "value" }}` of Scriban, also in code.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::resolve;
use crate::dialects::passes::scriban::blocks;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::Arguments;
use crate::model::path::{folder, inside_or_folder};

/// The folder of the files that texts include, in any folder.
const FOLDER: &str = "_includes";
/// How deep folders are searched.
const DEEPEST: usize = 20;

/// Finds them among the blocks of a text.
pub fn find(finder: &mut Finder<'_>) {
    for block in blocks(finder.text) {
        let inner = block.inner.trim_matches(['-', '~']).trim();
        let Some(words) = inner.strip_prefix("include ").filter(|_| !block.is_shown) else {
            continue;
        };
        let arguments = Arguments::parse(words);
        let Some(written) = arguments.first() else {
            continue;
        };
        let (name, lines) = written.split_once('#').unwrap_or((written, ""));
        let lines = lines.replace('-', ":").replace(' ', "");
        let named = arguments.named.iter();
        let named = named.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let want = Want {
            part: Part::of_snippet(&lines),
            shape: Shape::Scriban,
            parameters: named.collect(),
            lenient: finder.literals.is_code(block.range.start),
            ..Want::new(written, paths(finder.path, name.trim()))
        };
        finder.ask_in_place(block.range, want);
    }
}

/// Where a file may be: beside the text, or in a folder of includes there, then in the folders above.
fn paths(from: &str, name: &str) -> Vec<String> {
    let names = [name.to_owned(), format!("{name}.md")];
    if name.starts_with("..") {
        return names
            .iter()
            .filter_map(|name| resolve(from, name))
            .collect();
    }
    let mut paths = Vec::new();
    let mut above = folder(from);
    for _ in 0..DEEPEST {
        for place in [above.to_owned(), inside_or_folder(above, FOLDER)] {
            let named = names.iter().map(|name| inside_or_folder(&place, name));
            paths.extend(named.filter_map(|path| resolve("", &path)));
        }
        if above.is_empty() {
            break;
        }
        above = folder(above);
    }
    paths
}

/// A file with the arguments of its include: `{{ $.key }}`.
pub fn filled(text: &str, parameters: &[(String, String)], most: usize) -> Option<String> {
    let mut splice = Splice::new(text);
    for block in blocks(text) {
        if block.is_shown || !block.inner.contains("$.") {
            continue;
        }
        let inner = block.inner.trim_matches(['-', '~']).trim();
        let alone = inner.strip_prefix("$.");
        let value = |key: &str| parameters.iter().find(|(name, _)| name == key);
        let put = match alone.and_then(value) {
            Some((_, value)) => value.clone(),
            None => format!("{{{{ {} }}}}", with_literals(inner, parameters)),
        };
        splice.put(block.range, &put);
        if splice.written().len() > most {
            return None;
        }
    }
    Some(splice.finish().0)
}

/// A statement with each `$.key` as a literal.
fn with_literals(inner: &str, parameters: &[(String, String)]) -> String {
    let mut written = String::with_capacity(inner.len());
    let mut parts = inner.split("$.");
    written.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (key, behind) = part.split_at(end.unwrap_or(part.len()));
        let value = parameters.iter().find(|(name, _)| name == key);
        match value {
            Some((_, value)) => written.push_str(&format!("\"{}\"", value.replace('"', "'"))),
            None => written.push_str("null"),
        }
        written.push_str(behind);
    }
    written
}
