//! kramdown's extensions: `{::comment}…{:/comment}` is hidden, `{::options …/}` configures
//! kramdown, `{::nomarkdown}` encloses text.

use std::ops::Range;

use super::splice::Splice;
use crate::dialects::lines::Lines;

/// Every text with an extension contains it.
pub const SIGN: &str = "{::";

/// Longer than the longest extension name.
const LONGEST: usize = 16;

/// Removes the tags, and comments with their content. An unclosed comment is text, as in kramdown.
pub fn rewrite(lines: &mut Lines) {
    if !lines.text.contains(SIGN) {
        return;
    }
    let text = lines.text.as_str();
    let found = lines.literals();
    let mut tags = tags(text);
    tags.retain(|(range, _)| !found.is_code(range.start));
    let mut splice = Splice::new(text);
    let mut rest = tags.as_slice();
    while let [(range, name), after @ ..] = rest {
        rest = after;
        let mut end = range.end;
        if *name == "comment" && !text[range.clone()].ends_with("/}") {
            let Some(close) = rest
                .iter()
                .position(|(_, name)| matches!(*name, "/" | "/comment"))
            else {
                break;
            };
            end = rest[close].0.end;
            rest = &rest[close + 1..];
        }
        // Every line is kept, so that line numbers in messages are right.
        splice.put_lines(range.start..end, "");
    }
    lines.set(splice.finish().0);
}

/// `{::name …}` and `{:/name}`, with the name; for a closing tag with its slash.
fn tags(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    // The position of the next brace or line end, so that a line without one is searched once.
    let (mut from, mut close) = (0, 0);
    while let Some(step) = text[from..].find("{:") {
        let start = from + step;
        from = start + 2;
        let rest = &text[from..];
        if close < from {
            close = rest.find(['}', '\n']).map_or(usize::MAX, |end| from + end);
        }
        if text.as_bytes().get(close) != Some(&b'}') {
            continue;
        }
        let inner = &text[from..close];
        let known = match inner.as_bytes().first() {
            Some(b':') => begin(inner),
            Some(b'/') => end(inner),
            _ => None,
        };
        if let Some(name) = known {
            from = close + 1;
            found.push((start..from, name));
        }
    }
    found
}

fn begin(inner: &str) -> Option<&'static str> {
    ["comment", "options", "nomarkdown"]
        .into_iter()
        .find(|name| name.as_bytes() == word(inner))
}

fn end(inner: &str) -> Option<&'static str> {
    let name = ["/", "/comment", "/options", "/nomarkdown"]
        .into_iter()
        .find(|name| &name.as_bytes()[1..] == word(inner))?;
    inner[name.len()..].trim_start().is_empty().then_some(name)
}

/// The name after the first character. It is bounded, because many tags may share one distant
/// brace.
fn word(inner: &str) -> &[u8] {
    let name = &inner.as_bytes()[1..];
    let length = name
        .iter()
        .take(LONGEST)
        .take_while(|byte| !matches!(byte, b' ' | b'/'))
        .count();
    &name[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            Lines::after(text, rewrite).into_parts(),
            (expected.to_owned(), None)
        );
    }

    #[test]
    fn comments_of_kramdown_are_for_nobody() {
        check(
            "a\n\n{::comment}\nb\n\n{:.c}\n{:/comment}\n\nd",
            "a\n\n\n\n\n\n\n\nd",
        );
        check("a {::comment}b{:/} c{::comment/} d", "a  c d");
        check(
            "{::options parse_block_html=\"true\" /}\n{::nomarkdown}\na\n{:/nomarkdown}",
            "\n\na\n",
        );
    }

    #[test]
    fn code_and_open_comments_stay() {
        for text in [
            "```\n{::comment}a{:/}\n```",
            "`{::comment}` a `{:/comment}`",
            "{::comment} a",
            "{::comment\n}a{:/",
            "{:: a}",
            "{:/}",
        ] {
            check(text, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_extension_panics(text in "(\\{::comment\\}|\\{:/\\}|\\{:|\\}|a|é|\n|`|```){0,30}") {
            let lines = Lines::after(&text, rewrite);
            proptest::prop_assert_eq!(lines.text.matches('\n').count(), text.matches('\n').count());
        }
    }
}
