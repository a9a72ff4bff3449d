//! kramdown's extensions: `{::comment}…{:/comment}` is for nobody to read, `{::options …/}` tells a program something, `{::nomarkdown}` stands around text.

use std::ops::Range;

use crate::dialects::passes::lines::Lines;
use crate::syntax::markdown::literal::literals;

/// It is in every text that has one.
pub(in crate::dialects) const SIGN: &str = "{::";

/// Longer than the longest name.
const LONGEST: usize = 16;

/// Takes them away, and with comments what is in them. A comment that nobody ends is text, as in kramdown.
pub(in crate::dialects) fn rewrite(lines: &mut Lines) {
    if !lines.text.contains(SIGN) {
        return;
    }
    let text = lines.text.as_str();
    let found = literals(text);
    let mut tags = tags(text);
    tags.retain(|(range, _)| !found.is_code(range.start));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut at = 0;
    while let Some((range, name)) = tags.get(at) {
        at += 1;
        let alone = text[range.clone()].ends_with("/}");
        let end = match *name {
            "comment" if !alone => {
                let Some(end) = tags[at..].iter().position(|(_, name)| matches!(*name, "/" | "/comment")) else { break };
                at += end + 1;
                tags[at - 1].0.end
            }
            _ => range.end,
        };
        out.push_str(&text[done..range.start]);
        // Every line stays a line, so that messages name the right one.
        out.extend(text[range.start..end].matches('\n'));
        done = end;
    }
    out.push_str(&text[done..]);
    lines.text = out;
}

/// `{::name …}` and `{:/name}`, with the name; of an end with its slash.
fn tags(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    // Where the next brace or line end is: a line without one is searched once.
    let (mut from, mut close) = (0, 0);
    while let Some(start) = text[from..].find("{:").map(|start| start + from) {
        from = start + 2;
        let rest = &text[from..];
        if close < from {
            close = rest.find(['}', '\n']).map_or(usize::MAX, |end| from + end);
        }
        let Some(end) = close.checked_sub(from).filter(|end| rest.as_bytes().get(*end) == Some(&b'}')) else { continue };
        let inner = &rest[..end];
        // The brace may be far, and be that of many.
        let word = |text: &[u8]| text.iter().take(LONGEST).take_while(|byte| !matches!(byte, b' ' | b'/')).count();
        let name = match inner.as_bytes() {
            [b':', name @ ..] => ["comment", "options", "nomarkdown"].into_iter().find(|known| known.as_bytes() == &name[..word(name)]),
            [b'/', name @ ..] => {
                let ends = ["/", "/comment", "/options", "/nomarkdown"].into_iter().find(|known| known.as_bytes()[1..] == name[..word(name)]);
                ends.filter(|known| inner[known.len()..].trim_start().is_empty())
            }
            _ => None,
        };
        if let Some(name) = name {
            from += end + 1;
            found.push((start..from, name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Lines::after(text, rewrite).into_parts(), (expected.to_owned(), None));
    }

    #[test]
    fn comments_of_kramdown_are_for_nobody() {
        check("a\n\n{::comment}\nb\n\n{:.c}\n{:/comment}\n\nd", "a\n\n\n\n\n\n\n\nd");
        check("a {::comment}b{:/} c{::comment/} d", "a  c d");
        check("{::options parse_block_html=\"true\" /}\n{::nomarkdown}\na\n{:/nomarkdown}", "\n\na\n");
    }

    #[test]
    fn code_and_open_comments_stay() {
        for text in ["```\n{::comment}a{:/}\n```", "`{::comment}` a `{:/comment}`", "{::comment} a", "{::comment\n}a{:/", "{:: a}", "{:/}"] {
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
