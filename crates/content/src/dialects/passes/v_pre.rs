//! `v-pre` of Vue: what is in such an element or block is shown as it is written.

use std::ops::Range;

use super::mdx::Tag;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;

/// The attribute, and the name of the block.
const NAME: &str = "v-pre";
/// What begins an expression, and the same as words.
const OPEN: &str = "{{";
const SHOWN: &str = "&#123;&#123;";
/// The most elements of one text.
const MOST: usize = 1_000;

/// Shows the braces of expressions in these elements and blocks.
pub fn rewrite(lines: &mut Lines) {
    let text = lines.text.as_str();
    if !text.contains(NAME) || !text.contains(OPEN) {
        return;
    }
    let literals = lines.literals();
    let mut kept = elements(text, Code::from_literals(&literals));
    kept.extend(blocks(text));
    kept.sort_unstable_by_key(|range| range.start);
    let mut kept = kept.into_iter().peekable();
    let mut splice = Splice::new(text);
    // Where the last of the ranges ends that have begun.
    let mut end = 0;
    for (at, _) in text.match_indices(OPEN) {
        while let Some(range) = kept.next_if(|range| range.start <= at) {
            end = end.max(range.end);
        }
        if at < end && !literals.is_code(at) {
            splice.put(at..at + OPEN.len(), SHOWN);
        }
    }
    let (text, _) = splice.finish();
    lines.set(text);
}

/// The elements with the attribute, each to its end.
fn elements(text: &str, mut code: Code<'_>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut at, mut open) = (0, None);
    while found.len() < MOST
        && let Some((start, tag)) = Tag::next(text, &mut code, at)
    {
        at = start + tag.length;
        open = match open {
            None if !tag.closes && !tag.empty && tag.attribute(NAME).is_some() => {
                Some((tag.name, at, 1))
            }
            Some((name, begin, depth)) if name == tag.name && !tag.empty => match tag.closes {
                true if depth == 1 => {
                    found.push(begin..start);
                    None
                }
                true => Some((name, begin, depth - 1)),
                false => Some((name, begin, depth + 1)),
            },
            other => other,
        };
    }
    found
}

/// `::: v-pre` to `:::`.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut open) = (0, None);
    for line in text.split('\n') {
        let words = line.trim();
        let name = words.trim_start_matches(':');
        if words.starts_with(":::") {
            match open {
                None if name.trim() == NAME => open = Some(start),
                Some(begin) if name.is_empty() => {
                    found.push(begin..start);
                    open = None;
                }
                _ => {}
            }
        }
        start += line.len() + 1;
    }
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    #[test]
    fn rule_12_what_vue_does_not_read_stays() {
        let check = |text: &str, expected: &str| testing::check(rewrite, text, expected);
        check(
            "<p v-pre>{{ a }}</p> {{ b }}",
            "<p v-pre>&#123;&#123; a }}</p> {{ b }}",
        );
        check(
            "<div v-pre>\n<div>{{ a }}</div>\n{{ b }}\n</div>\n{{ c }}",
            "<div v-pre>\n<div>&#123;&#123; a }}</div>\n&#123;&#123; b }}\n</div>\n{{ c }}",
        );
        check(
            "::: v-pre\n{{ a }} `{{ b }}`\n:::\n{{ c }}",
            "::: v-pre\n&#123;&#123; a }} `{{ b }}`\n:::\n{{ c }}",
        );
        for text in ["<p v-pre>{{ a }}", "`<p v-pre>` {{ a }} </p>"] {
            check(text, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_kept_braces_panic(text in "(<p v-pre>|</p>|<p>|::: v-pre|:::|\\{\\{|`|\n|é){0,40}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
