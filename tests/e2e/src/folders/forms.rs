//! What a published form must not contain, or only once: template tags, comments, level-1 headings.

/// The Markdown form without its fenced and inline code.
pub fn prose_of_markdown(text: &str) -> String {
    let (mut prose, mut fence) = (String::new(), None::<String>);
    for line in text.lines() {
        let bare = line.trim_start_matches(|c: char| {
            c.is_whitespace()
                || matches!(c, '>' | '-' | '*' | '+')
                || c.is_ascii_digit()
                || c == '.'
        });
        let sign: String = bare
            .chars()
            .take_while(|c| *c == '`')
            .chain(bare.chars().take_while(|c| *c == '~'))
            .collect();
        match &fence {
            Some(open)
                if sign.starts_with(open.as_str()) && bare.trim_end().len() == sign.len() =>
            {
                fence = None
            }
            Some(_) => {}
            None if sign.len() >= 3 && !bare[sign.len()..].contains('`') => fence = Some(sign),
            None => prose.extend([line, "\n"]),
        }
    }
    without_inline_code(&prose)
}

/// Removes code spans: a run of backticks up to the next run of the same length, as in CommonMark.
/// An escaped backtick does not open one.
fn without_inline_code(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('`') {
        let run = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        let escaped = rest[..at].ends_with('\\');
        out.push_str(&rest[..at]);
        let after = &rest[at + run..];
        // A code span never extends beyond its paragraph.
        let within = after.find("\n\n").map_or(after, |end| &after[..end]);
        rest = match closing(within, run).filter(|_| !escaped) {
            Some(end) => &after[end..],
            None => after,
        };
    }
    out.push_str(rest);
    out
}

/// The position of a run of exactly this many backticks.
fn closing(text: &str, run: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`') {
        let length = text[from + at..]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        from += at + length;
        if length == run {
            return Some(from);
        }
    }
    None
}

/// The HTML form without code, scripts and styles.
pub fn prose_of_html(text: &str) -> String {
    ["pre", "code", "script", "style", "kbd", "math"]
        .into_iter()
        .fold(text.to_owned(), |text, name| without_element(&text, name))
}

fn without_element(text: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(&open) {
        let own = rest[at + open.len()..].starts_with(['>', ' ', '\n']);
        let end = rest[at..]
            .find(&close)
            .map(|end| at + end + close.len())
            .filter(|_| own);
        let end = end.unwrap_or(at + open.len());
        out.push_str(&rest[..if own { at } else { end }]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Template tags of Liquid, Nunjucks, Hugo, Zola and the like outside code.
pub fn tags(prose: &str) -> usize {
    let closes = |at: usize, close: &str| {
        prose[at..]
            .lines()
            .next()
            .is_some_and(|line| line.contains(close))
    };
    let pairs = |open: &str, close: &str| {
        prose
            .match_indices(open)
            .filter(|(at, _)| closes(*at, close))
            .count()
    };
    pairs("{{", "}}") + pairs("{%", "%}")
}

/// Comments outside code.
pub fn comments(prose: &str) -> usize {
    prose.matches("<!--").count() + prose.matches("{#-").count() + prose.matches("{/*").count()
}

/// Whether there is exactly one level-1 heading, one title and one canonical address.
pub fn html_is_single(text: &str) -> bool {
    let prose = prose_of_html(text);
    let head = prose.split("</head>").next().unwrap_or_default();
    prose.matches("<h1").count() == 1
        && head.matches("<title>").count() == 1
        && head.matches("rel=\"canonical\"").count() == 1
}

/// As [`html_is_single`], for the Markdown form: the title and the address are in its front matter.
pub fn markdown_is_single(text: &str) -> bool {
    let Some((front, body)) = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
    else {
        return false;
    };
    let count =
        |text: &str, start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    count(front, "title:") == 1
        && count(front, "canonical_url:") == 1
        && count(&prose_of_markdown(body), "# ") == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_no_prose() {
        let check = |text: &str, expected: usize| {
            assert_eq!(tags(&prose_of_markdown(text)), expected, "{text}")
        };
        check("a {{ b }} c", 1);
        check("a `{{ b }}` c {% d %}", 1);
        check("> ```x\n> {% b %}\n> ```\n", 0);
        check("````\n```\n{% b %}\n```\n````\n{{< c >}}", 1);
        check("\\`{{ b }}\\`", 1);
        assert_eq!(
            tags(&prose_of_html(
                "<pre class=\"x\">{{ a }}</pre><p>{{ b }}</p><code>{% c %}</code>"
            )),
            1
        );
    }

    #[test]
    fn a_second_heading_or_none_is_seen() {
        let page = |body: &str| format!("---\ntitle: a\ncanonical_url: b\n---\n{body}");
        assert!(markdown_is_single(&page("# One\n\n```\n# code\n```\n")));
        assert!(
            !markdown_is_single(&page("# One\n\n# Two\n")) && !markdown_is_single(&page("none\n"))
        );
        let html = |h1: &str| {
            format!("<head><title>a</title><link rel=\"canonical\" href=\"b\"></head>{h1}")
        };
        assert!(html_is_single(&html("<h1>a</h1>")));
        assert!(!html_is_single(&html("")) && !html_is_single(&html("<h1>a</h1><h1>b</h1>")));
    }
}
