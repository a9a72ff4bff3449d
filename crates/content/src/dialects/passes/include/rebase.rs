//! Relative addresses in an included text, rewritten as seen from the text that includes it.

use crate::dialects::passes::splice::Splice;
use crate::syntax::markdown::literal::literals;

/// Where an address begins.
const BEFORE: [&str; 5] = ["](", "]: ", "src=\"", "source=\"", "href=\""];

/// The text of a file as part of another one; at most this many bytes are added.
pub fn rebased(text: String, file: &str, includer: &str, most: usize) -> String {
    let way = way(folder(includer), folder(file));
    if way.is_empty() || !BEFORE.iter().any(|sign| text.contains(sign)) {
        return text;
    }
    let found = literals(&text);
    let mut splice = Splice::new(&text);
    let mut grown = 0;
    for at in places(&text) {
        let at = at + usize::from(text[at..].starts_with('<'));
        if is_relative(&text[at..]) && !found.is_code(at) && grown < most {
            splice.put(at..at, &way);
            grown += way.len();
        }
    }
    splice.finish().0
}

/// Where addresses may begin.
fn places(text: &str) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for sign in BEFORE {
        places.extend(text.match_indices(sign).map(|(at, _)| at + sign.len()));
    }
    places.sort_unstable();
    places
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The way from one folder to another, with a closing slash.
fn way(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = to.split('/').filter(|part| !part.is_empty()).collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut way = "../".repeat(from.len() - same);
    for part in &to[same..] {
        way.push_str(&part.replace(' ', "%20"));
        way.push('/');
    }
    way
}

/// Whether an address is relative to its file: no scheme, not from a root, no place on the page.
fn is_relative(address: &str) -> bool {
    let end = address.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
    let (word, rest) = address.split_at(end.unwrap_or(address.len()));
    let has_scheme = rest.starts_with(':') && word.len() > 1;
    !has_scheme
        && !address.starts_with(['/', '#', '~', '@', '{', '?', ')', '"', ' ', '\\', '\n'])
        && !address.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_seen_from_the_includer() {
        let check = |text: &str, expected: &str| {
            let put = rebased(text.to_owned(), "a/inc/x.md", "a/b/p.md", 1000);
            assert_eq!(put, expected);
        };
        check(
            "![](m/a.png) [b](../b/c.md#x)",
            "![](../inc/m/a.png) [b](../inc/../b/c.md#x)",
        );
        check(
            "[a](<m n.md>)\n\n[x]: m.md",
            "[a](<../inc/m n.md>)\n\n[x]: ../inc/m.md",
        );
        for text in [
            "[a](/b) [c](https://e.org) [d](#e) [f](~/g.md) [h](xref:i)",
            "`[a](b)`",
            "[a]() [^1]: b",
        ] {
            check(text, &text.replace("]: b", "]: ../inc/b"));
        }
        assert_eq!(rebased("[a](b)".into(), "a/x.md", "a/p.md", 9), "[a](b)");
    }
}
