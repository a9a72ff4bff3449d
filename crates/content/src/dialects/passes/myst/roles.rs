//! Roles of MyST: `` {name}`content` ``.

use super::place::{self, Link};
use crate::dialects::markup;
use crate::dialects::myst::named;
use crate::dialects::passes::escape::escape;
use crate::dialects::passes::page::Page;
use crate::syntax::markdown::TEX;

/// Roles whose content is the name of something in code.
const CODE: [&str; 22] = [
    "attr", "class", "code", "command", "const", "data", "envvar", "exc", "file", "func",
    "function", "literal", "makevar", "meth", "mimetype", "mod", "obj", "option", "program",
    "regexp", "samp", "token",
];
/// Roles whose content is text, and the signs around it.
const WORDS: [(&str, &str, &str); 22] = [
    ("abbreviation", "", ""),
    ("button", "", ""),
    ("cite", "[", "]"),
    ("cite:p", "[", "]"),
    ("cite:t", "", ""),
    ("del", "<del>", "</del>"),
    ("dfn", "*", "*"),
    ("emphasis", "*", "*"),
    ("eq", "(", ")"),
    ("fn", "", ""),
    ("footcite", "[", "]"),
    ("index", "", ""),
    ("kbd", "<kbd>", "</kbd>"),
    ("keyword", "", ""),
    ("smallcaps", "", ""),
    ("span", "", ""),
    ("strong", "**", "**"),
    ("sub", "<sub>", "</sub>"),
    ("sup", "<sup>", "</sup>"),
    ("term", "", ""),
    ("u", "<u>", "</u>"),
    ("underline", "<u>", "</u>"),
];
/// The beginnings of the names of icons.
const ICONS: [&str; 3] = ["octicon", "material-", "fa"];

/// What a role becomes.
pub enum Written {
    Text(String),
    /// The words of a broken reference.
    Missing(String),
}

/// What the role with this name becomes.
pub fn write(name: &str, content: &str, page: &Page<'_>) -> Written {
    let content = content.replace('\n', " ");
    let content = content.trim();
    let (words, target) = named(content);
    Written::Text(match name {
        "ref" | "numref" | "std:ref" | "std:numref" | "hoverxref" => {
            return reference(words, target, place::label(target, page));
        }
        "doc" | "std:doc" => return reference(words, target, place::document(target, page)),
        "any" | "xref" | "myst" => {
            return reference(words, target, place::label_or_document(target, page));
        }
        "download" => {
            let address = place::file(target, page);
            link(words.unwrap_or(target), &address)
        }
        "abbr" => abbreviation(content),
        "math" => markup::code_span(&format!("{TEX}{content}")),
        "menuselection" => bold(&content.replace("-->", "›").replace('&', "")),
        "guilabel" => bold(&content.replace('&', "")),
        "pep" => numbered("PEP", target, |number| {
            format!("https://peps.python.org/pep-{number:04}/")
        }),
        "rfc" => numbered("RFC", target, |number| {
            format!("https://www.rfc-editor.org/rfc/rfc{number}")
        }),
        _ if name.starts_with("bdg") => escape(words.unwrap_or(content)),
        _ if ICONS.iter().any(|icon| name.starts_with(icon)) => String::new(),
        _ => match WORDS.iter().find(|(known, ..)| *known == name) {
            Some((_, before, after)) => {
                let words = escape(words.unwrap_or(content));
                format!("{before}{words}{after}")
            }
            None if CODE.contains(&name) || name.contains(':') => {
                markup::code_span(&words.map_or_else(|| code_name(target), str::to_owned))
            }
            None => markup::code_span(content),
        },
    })
}

/// A link to what was found, or the words alone.
fn reference(words: Option<&str>, target: &str, found: Option<Link>) -> Written {
    match found {
        Some(found) => Written::Text(link(words.unwrap_or(&found.title), &found.address)),
        None => Written::Missing(escape(words.unwrap_or(target))),
    }
}

fn link(words: &str, address: &str) -> String {
    format!("[{}]({})", escape(words), markup::address(address))
}

fn bold(words: &str) -> String {
    format!("**{}**", escape(words))
}

/// `HTML (Hypertext Markup Language)`
fn abbreviation(content: &str) -> String {
    let parts = content
        .strip_suffix(')')
        .and_then(|text| text.split_once('('));
    match parts {
        Some((short, long)) => format!(
            "<abbr title=\"{}\">{}</abbr>",
            escape(long.trim()).replace('"', "&quot;"),
            escape(short.trim())
        ),
        None => escape(content),
    }
}

/// A document of a series with numbers.
fn numbered(series: &str, target: &str, address: impl Fn(u32) -> String) -> String {
    let number = target
        .split('#')
        .next()
        .and_then(|number| number.parse().ok());
    match number {
        Some(number) => link(&format!("{series} {number}"), &address(number)),
        None => escape(&format!("{series} {target}")),
    }
}

/// `~a.b.C` is shown as `C`, and `!a.b` as `a.b`.
fn code_name(name: &str) -> String {
    let name = name.trim_start_matches('!');
    match name.strip_prefix('~') {
        Some(name) => name.rsplit('.').next().unwrap_or(name).to_owned(),
        None => name.to_owned(),
    }
}
