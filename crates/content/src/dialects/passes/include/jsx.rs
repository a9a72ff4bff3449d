//! Partials of MDX: `import Part from './_part.mdx'` and `<Part />`, and files shown as code: `import text from '!!raw-loader!./x.js'`.

use rustc_hash::FxHashMap;

use super::{Ask, Shape, Site, Want, below, language_of, resolve};
use crate::dialects::passes::mdx::Tag;
use crate::model::bounds;
use crate::syntax::markdown::literal::Literals;

/// The sites of a text.
pub(super) fn sites(text: &str, path: &str, literals: &Literals) -> Vec<Site> {
    let imports = imports(text, path, literals);
    if imports.is_empty() && !text.contains("<Snippet") {
        return Vec::new();
    }
    let mut sites = Vec::new();
    for (at, _) in text.match_indices('<').take_while(|_| !bounds::is_over()) {
        let rest = &text[at..];
        if !rest[1..].starts_with(|c: char| c.is_ascii_uppercase()) || literals.is_code(at) {
            continue;
        }
        let Some(tag) = Tag::of(rest) else { continue };
        if let Some(want) = code(&tag, rest, &imports) {
            sites.push(Site { range: at..at + want.1, ask: Ask::File(Box::new(want.0)) });
            continue;
        }
        let snippet = (tag.name == "Snippet").then(|| tag.texts().find(|(name, _)| *name == "file")).flatten();
        let paths = match (imports.get(&(tag.name, false)), &snippet) {
            (Some(paths), _) => paths.clone(),
            (None, Some((_, file))) => below(["snippets", ""], file),
            (None, None) => continue,
        };
        let written = paths.first().cloned().unwrap_or_default();
        let parameters = tag.texts().map(|(name, value)| (name.to_owned(), value)).collect();
        let want = Want { written, paths, parameters, shape: Shape::Component, ..Want::default() };
        sites.push(Site { range: at..at + tag.length, ask: Ask::File(Box::new(want)) });
    }
    sites
}

/// The names that stand for files of the folder, whether as text alone, and the paths.
type Imports<'a> = FxHashMap<(&'a str, bool), Vec<String>>;

/// `import Name from 'path'` for Markdown, and for any file as text.
fn imports<'a>(text: &'a str, path: &str, literals: &Literals) -> Imports<'a> {
    let (mut imports, mut start) = (Imports::default(), 0);
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some(rest) = line.strip_prefix("import ").filter(|_| !literals.is_code(at)) else { continue };
        let Some((name, from)) = rest.split_once(" from ") else { continue };
        let from = from.trim().trim_end_matches(';').trim_matches(['"', '\'']);
        let raw = from.contains("raw-loader!") || from.ends_with("?raw");
        let file = from.rsplit('!').next().unwrap_or(from).trim_end_matches("?raw");
        let name = name.trim();
        let valid = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !valid || !(raw || crate::model::format::is_markdown(file)) || imports.len() >= 1000 {
            continue;
        }
        let mut paths: Vec<String> = resolve(path, file).into_iter().collect();
        paths.extend(below(["", "src", "docs"], file.trim_start_matches(['@', '~']).trim_start_matches("site/")));
        imports.entry((name, raw)).or_insert(paths);
    }
    imports
}

/// `<CodeBlock language="js">{text}</CodeBlock>`, `<Code code={text} lang="js" />`: the file, and the length of the whole.
fn code(tag: &Tag<'_>, rest: &str, imports: &Imports<'_>) -> Option<(Want, usize)> {
    if !matches!(tag.name, "CodeBlock" | "Code") || tag.closes {
        return None;
    }
    let inner = |text: &str| text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}')).map(|name| name.trim().to_owned());
    let (name, length) = if tag.empty {
        (tag.attributes.iter().find(|(name, _)| *name == "code").and_then(|(_, value)| inner(value))?, tag.length)
    } else {
        let close = format!("</{}>", tag.name);
        let near = &rest.as_bytes()[tag.length..];
        let end = memchr::memmem::find(&near[..near.len().min(300 + close.len())], close.as_bytes()).filter(|end| *end < 300)?;
        let near = &rest[tag.length..];
        (inner(&near[..end])?, tag.length + end + close.len())
    };
    let paths = imports.get(&(name.as_str(), true))?;
    let written = paths.first().cloned().unwrap_or_default();
    let said = tag.texts().find(|(name, _)| matches!(*name, "language" | "lang")).map(|(_, value)| value);
    let language = said.or_else(|| language_of(&written)).unwrap_or_default();
    let language = if language.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '#')) { language } else { String::new() };
    Some((Want { written, paths: paths.clone(), shape: Shape::Code(language), ..Want::default() }, length))
}

/// A partial with its properties filled in, and without its own statements; a property that would make it longer than `most` bytes is not.
pub(super) fn filled(text: &str, parameters: &[(String, String)], most: usize) -> String {
    let mut filled = text.to_owned();
    for (name, value) in parameters.iter().take(100) {
        let mark = format!("{{props.{name}}}");
        let count = filled.matches(&mark).count();
        if count > 0 && filled.len() + count * value.len() <= most {
            filled = filled.replace(&mark, value);
        }
    }
    filled.trim_matches('\n').to_owned()
}
