//! Partials of MDX: `import Part from './_part.mdx'` and `<Part />`, and files shown as code:
//! `import text from '!!raw-loader!./x.js'`.

use rustc_hash::FxHashMap;

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::{below, language_of};
use crate::dialects::passes::mdx::{Braces, Tag, unbraced};
use crate::model::bounds;
use crate::model::format::is_markdown;

/// The maximum number of files that a text may import.
const MOST_IMPORTS: usize = 1000;
/// What an include of MDX begins with.
pub const SIGNS: [&str; 3] = ["import ", "<Snippet", INCLUDE];
/// The beginning of an element that names a file.
const INCLUDE: &str = "<include";
/// How far the end of a code element is searched for, in bytes.
const NEAR: usize = 300;
/// The maximum number of properties filled into a partial.
const MOST_PROPERTIES: usize = 100;

pub fn find(finder: &mut Finder<'_>) {
    let text = finder.text;
    let imports = imports(finder);
    if imports.is_empty() && !text.contains("<Snippet") && !text.contains(INCLUDE) {
        return;
    }
    let mut braces = Braces::default();
    for (at, _) in text.match_indices('<').take_while(|_| !bounds::is_over()) {
        let rest = &text[at..];
        let is_tag =
            rest.starts_with(INCLUDE) || rest[1..].starts_with(|c: char| c.is_ascii_uppercase());
        if !is_tag || finder.literals.is_code(at) {
            continue;
        }
        let Some(tag) = Tag::among(rest, &mut braces) else {
            continue;
        };
        if let Some((want, length)) = element(finder, &tag, rest) {
            finder.request(at..at + length, want);
        } else if let Some((want, length)) = code(&tag, rest, &imports) {
            finder.request(at..at + length, want);
        } else if let Some(want) = partial(&tag, &imports) {
            finder.request(at..at + tag.length, want);
        }
    }
}

/// `<include>./part.mdx#section</include>`, `<include cwd lang="ts">code.ts</include>`: the file, and the
/// length of the whole element.
fn element(finder: &Finder<'_>, tag: &Tag<'_>, rest: &str) -> Option<(Want, usize)> {
    if tag.name != &INCLUDE[1..] || tag.closes || tag.empty {
        return None;
    }
    let behind = rest[tag.length..].split_once('<');
    let (written, _) = behind.filter(|(_, end)| end.starts_with("/include>"))?;
    let length = tag.length + written.len() + "</include>".len();
    let written = written.trim();
    let (file, part) = match written.split_once('#') {
        Some((file, name)) => (file, Part::Region(name.to_owned())),
        None => (written, Part::Whole),
    };
    let paths = match tag.attributes.iter().any(|(name, _)| *name == "cwd") {
        true => below(&[""], file),
        false => finder.relative(file),
    };
    let language = tag.text(&["lang"]).or_else(|| language_of(file));
    let want = Want {
        part,
        shape: language.map_or(Shape::Component, Shape::Code),
        // Another program may give the element another meaning.
        lenient: true,
        ..Want::new(written, paths)
    };
    Some((want, length))
}

/// The paths by imported name and whether the file is imported as text.
type Imports<'a> = FxHashMap<(&'a str, bool), Vec<String>>;

/// `import Name from 'path'` for Markdown, and for any file as text.
fn imports<'a>(finder: &Finder<'a>) -> Imports<'a> {
    let (mut imports, mut start) = (Imports::default(), 0);
    for line in finder.text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some(rest) = line.strip_prefix("import ") else {
            continue;
        };
        let Some((name, from)) = rest.split_once(" from ") else {
            continue;
        };
        if finder.literals.is_code(at) {
            continue;
        }
        let from = from.trim().trim_end_matches(';').trim_matches(['"', '\'']);
        let raw = from.contains("raw-loader!") || from.ends_with("?raw");
        let (_, file) = from.rsplit_once('!').unwrap_or(("", from));
        let file = file.trim_end_matches("?raw");
        let name = name.trim();
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name && (raw || is_markdown(file)) && imports.len() < MOST_IMPORTS {
            let mut paths = finder.relative(file);
            paths.extend(below(
                &["", "src", "docs"],
                file.trim_start_matches(['@', '~'])
                    .trim_start_matches("site/"),
            ));
            // A file outside of the folder is reported as it is written.
            if paths.is_empty() {
                paths.push(file.to_owned());
            }
            imports.entry((name, raw)).or_insert(paths);
        }
    }
    imports
}

/// `<Part name="x" />`, `<Snippet file="x" />`
fn partial(tag: &Tag<'_>, imports: &Imports<'_>) -> Option<Want> {
    let paths = match imports.get(&(tag.name, false)) {
        Some(paths) => paths.clone(),
        None if tag.name == "Snippet" => below(&["snippets", ""], &tag.text(&["file"])?),
        None => return None,
    };
    let written = paths.first().cloned().unwrap_or_default();
    let parameters = tag
        .texts()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Some(Want {
        parameters,
        shape: Shape::Component,
        ..Want::new(&written, paths)
    })
}

/// `<CodeBlock language="js">{text}</CodeBlock>`, `<Code code={text} lang="js" />`: the file, and
/// the length of the whole element.
fn code(tag: &Tag<'_>, rest: &str, imports: &Imports<'_>) -> Option<(Want, usize)> {
    if !matches!(tag.name, "CodeBlock" | "Code") || tag.closes {
        return None;
    }
    let (name, length) = if tag.empty {
        (tag.attribute("code")?, tag.length)
    } else {
        let close = format!("</{}>", tag.name);
        let behind = &rest.as_bytes()[tag.length..];
        let end = tag.length
            + memchr::memmem::find(
                &behind[..behind.len().min(NEAR + close.len())],
                close.as_bytes(),
            )?;
        if end >= tag.length + NEAR {
            return None;
        }
        (&rest[tag.length..end], end + close.len())
    };
    let paths = imports.get(&(unbraced(name.trim())?, true))?;
    let written = paths.first().cloned().unwrap_or_default();
    let mut language = tag
        .text(&["language", "lang"])
        .or_else(|| language_of(&written))
        .unwrap_or_default();
    if !language
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '#'))
    {
        language = String::new();
    }
    Some((
        Want {
            shape: Shape::Code(language),
            ..Want::new(&written, paths.clone())
        },
        length,
    ))
}

/// A partial with its properties filled in. A property that would make it longer than `most` bytes
/// is skipped.
pub fn filled(text: &str, parameters: &[(String, String)], most: usize) -> String {
    let mut filled = text.to_owned();
    for (name, value) in parameters.iter().take(MOST_PROPERTIES) {
        let mark = format!("{{props.{name}}}");
        let count = filled.matches(&mark).count();
        if count > 0 && filled.len() + count * value.len() <= most {
            filled = filled.replace(&mark, value);
        }
    }
    filled.trim_matches('\n').to_owned()
}
