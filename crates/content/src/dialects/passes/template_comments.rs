//! Cuts the comments of templates, `{% comment %}` to `{% endcomment %}`, before all other steps. A
//! mark of code in a comment has no meaning outside it.

use std::ops::Range;

use super::page::Page;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::tags::{Inner, tokens};
use crate::model::bounds;
use crate::syntax::markdown::literal::Literals;

/// How often a text is read again because a comment held marks of code.
const MOST_READINGS: usize = 32;
/// Marks that may change what of the following text is code.
const MARKS_OF_CODE: [char; 5] = ['`', '~', '<', '$', '\\'];
/// The longest tag, in bytes.
const LONGEST: usize = 200;
/// What a text with tags has.
const SIGNS: [&str; 2] = ["{%", "{{<"];
/// The beginnings of tags. A longer one precedes its prefixes.
const BEGINNINGS: [&str; 3] = ["{{%", "{{<", "{%"];

/// Cuts the comments of a text. Comments in code may be examples and stay here, unless there are very
/// many.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    for _ in 0..MOST_READINGS {
        let has_tags = SIGNS.iter().any(|sign| lines.text.contains(sign));
        if !has_tags || !lines.text.contains("comment") || bounds::is_over() {
            return;
        }
        let literals = page.literals(lines);
        if !cut(lines, &literals, true) {
            return;
        }
    }
    cut(lines, &Literals::default(), false);
}

/// Cuts `%%comments%%` outside code in a text that shows its tags.
pub fn cut_percent(lines: &mut Lines, page: &Page<'_>) {
    if !lines.text.contains("%%") {
        return;
    }
    let literals = page.literals(lines);
    let tokens = tokens(&lines.text, &literals, page.kind.reading());
    let mut splice = Splice::new(&lines.text);
    for token in tokens {
        if token.inner == Inner::Comment && lines.text[token.range.clone()].starts_with("%%") {
            splice.put_lines(token.range, "");
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// Cuts comments outside code; `careful`: only up to the first with marks of code. Whether such a
/// one was cut.
fn cut(lines: &mut Lines, literals: &Literals, careful: bool) -> bool {
    let text = lines.text.as_str();
    let mut code = Code::from_literals(literals);
    let mut splice = Splice::new(text);
    let (mut at, mut again) = (0, false);
    // Names of closing tags that do not follow any more.
    let mut absent: Vec<&str> = Vec::new();
    while let Some(step) = text[at..].find('{') {
        at += step;
        if bounds::is_over() {
            break;
        }
        if let Some(code) = code.at(at) {
            at = code.end;
            continue;
        }
        let Some(tag) = Tag::at(text, at) else {
            at += 1;
            continue;
        };
        at = tag.range.end;
        match tag.kind {
            TagKind::Ends => {}
            TagKind::Raw(end) if absent.contains(&end) => {}
            TagKind::Raw(end) => match text[at..].find(end) {
                Some(length) => at += length,
                None => absent.push(end),
            },
            TagKind::Begins => {
                // Without an end here there is none further on.
                let Some(end) = end_of_comment(text, at) else {
                    break;
                };
                again = careful && text[at..end].contains(MARKS_OF_CODE);
                splice.put(tag.range.start..end, "");
                at = end;
                if again {
                    break;
                }
            }
        }
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
    again
}

/// The end of a comment whose content begins here: of the tag that closes it, with the comments
/// inside it, or of the last closing tag.
fn end_of_comment(text: &str, from: usize) -> Option<usize> {
    let (mut at, mut depth, mut last) = (from, 1, None);
    while let Some(step) = text[at..].find('{') {
        at += step;
        if bounds::is_over() {
            break;
        }
        let Some(tag) = Tag::at(text, at) else {
            at += 1;
            continue;
        };
        at = tag.range.end;
        match tag.kind {
            TagKind::Begins => depth += 1,
            TagKind::Ends => {
                depth -= 1;
                last = Some(at);
            }
            TagKind::Raw(_) => {}
        }
        if depth == 0 {
            break;
        }
    }
    last
}

/// A tag that begins or ends a comment, or begins a text in which there are none.
struct Tag {
    range: Range<usize>,
    kind: TagKind,
}

enum TagKind {
    Begins,
    Ends,
    /// With the name of its closing tag.
    Raw(&'static str),
}

impl Tag {
    fn at(text: &str, at: usize) -> Option<Self> {
        let rest = &text[at..];
        let begin = BEGINNINGS
            .into_iter()
            .find(|begin| rest.starts_with(begin))?;
        let near = &rest[begin.len()..rest.floor_char_boundary(LONGEST)];
        let close = match begin {
            "{%" => "%}",
            "{{%" => "%}}",
            _ => ">}}",
        };
        let length = near.find(close)?;
        let inner = near[..length].trim_matches(['-', '~', '+']).trim();
        let kind = match inner.split_whitespace().next()? {
            "comment" => TagKind::Begins,
            "endcomment" | "/comment" => TagKind::Ends,
            "/" if inner.ends_with("comment") => TagKind::Ends,
            "raw" => TagKind::Raw("endraw"),
            "verbatim" => TagKind::Raw("endverbatim"),
            _ => return None,
        };
        Some(Self {
            range: at..at + begin.len() + length + close.len(),
            kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::page::testing::on_page;
    use crate::syntax::front::Front;

    fn check(text: &str, expected: &str) {
        let lines = Lines::after(text, |lines| {
            on_page(Some("jekyll"), &Front::default(), |page| {
                rewrite(lines, page)
            });
        });
        assert_eq!(lines.text, expected, "{text}");
        assert!(lines.come_from(text), "{text}");
    }

    #[test]
    fn rule_12_a_comment_ends_at_its_own_end_whatever_it_holds() {
        check(
            "a {% comment %} x ` {% endcomment %} and `code`",
            "a  and `code`",
        );
        check(
            "a\n{%- comment -%}\n```\n{%- endcomment -%}\n{% if b %}",
            "a\n\n{% if b %}",
        );
        check(
            "{{% comment %}}~~~{{% /comment %}}b{{< comment >}}c{{< /comment >}}",
            "b",
        );
        check(
            "{% comment %}a{% comment %}b{% endcomment %}c{% endcomment %}d",
            "d",
        );
        check("{% comment %}a{% comment %}b{% endcomment %}c", "c");
        check("{% comment %}a{% endif %}{{ b }}{% endcomment %}", "");
    }

    #[test]
    fn rule_12_comments_in_code_and_raw_text_are_examples() {
        for text in [
            "`{% comment %}a{% endcomment %}`",
            "```\n{% comment %}\na\n{% endcomment %}\n```",
            "{% raw %}{% comment %}a{% endcomment %}{% endraw %}",
            "{% comment %}a",
            "{% comments %}a{% endcomments %}",
        ] {
            check(text, text);
        }
        check(
            "`{% comment %}` {% comment %}`{% endcomment %}",
            "`{% comment %}` ",
        );
    }

    #[test]
    fn many_comments_are_cut_in_linear_time() {
        let many = "{% comment %}`{% endcomment %}".repeat(20_000);
        check(&many, "");
        let open = "{% comment %}".repeat(50_000);
        check(&open, &open);
    }

    #[test]
    fn raw_texts_without_an_end_are_searched_for_once() {
        let text = "{% raw %} a ".repeat(40_000) + "{% comment %}";
        on_page(None, &Front::default(), |page| {
            Lines::after(&text, |lines| rewrite(lines, page));
        });
    }
}
