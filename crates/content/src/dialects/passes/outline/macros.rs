//! Macros: `{{name arguments}}` outside code.

use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::passes::splice::Splice;

/// The longest macro, in bytes.
const LONGEST: usize = 2_000;

/// Writes what macros show. The others are removed, and counted by name.
pub fn rewrite(lines: &mut Lines) {
    if !lines.text.contains("{{") {
        return;
    }
    let literals = lines.literals();
    let text = lines.text.clone();
    let mut code = Code::from_literals(&literals);
    let mut splice = Splice::new(&text);
    for (at, _) in text.match_indices("{{") {
        let is_free = at >= splice.done() && code.at(at).is_none();
        if let Some((length, name, arguments)) = read(&text[at..]).filter(|_| is_free) {
            let shown = shown(name, arguments);
            if shown.is_none() {
                *lines.unknown.entry(name.to_owned()).or_default() += 1;
            }
            splice.put(at..at + length, &shown.unwrap_or_default());
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The length, the name and the arguments of a macro at the beginning of a text.
fn read(text: &str) -> Option<(usize, &str, &str)> {
    let near = &text[..text.floor_char_boundary(LONGEST)];
    let (inner, _) = near.strip_prefix("{{")?.split_once("}}")?;
    let (name, arguments) = inner.split_once(' ').unwrap_or((inner, ""));
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && !inner.contains('\n')).then(|| (inner.len() + 4, name, arguments.trim()))
}

/// What a macro shows.
fn shown(name: &str, arguments: &str) -> Option<String> {
    let is_url = arguments.starts_with("http") && !arguments.contains([' ', '<', '>']);
    let is_page = arguments.starts_with("[[") && arguments.ends_with("]]");
    match name {
        "cloze" => Some(arguments.to_owned()),
        "embed" if is_page => Some(format!("!{arguments}")),
        "tweet" | "twitter" | "video" | "vimeo" | "youtube" if is_url => {
            Some(format!("<{arguments}>"))
        }
        _ => None,
    }
}
