//! Code blocks as HTML: the name of the file above, the marked lines.

use super::{Writer, escape, narrow};
use crate::model::document::{CodeInfo, Mark};
use crate::model::highlight::highlight;

/// What begins a comment in which a line can be marked, the longest first.
const COMMENTS: [&str; 8] = ["{/*", "<!--", "//", "/*", "--", "#", ";", "%"];

impl Writer<'_> {
    pub(super) fn code(&mut self, language: Option<&str>, info: &CodeInfo, text: &str) {
        self.outline.code.push(text.trim().to_owned());
        if let Some(name) = &info.name {
            self.out += if self.is_feed() {
                "<figure>\n<figcaption>"
            } else {
                "<figure class=\"code\">\n<figcaption>"
            };
            escape::text(&mut self.out, name);
            self.out += "</figcaption>\n";
        }
        let scrolls = !self.is_feed() && narrow::may_scroll(text);
        self.out += if scrolls {
            "<pre tabindex=\"0\"><code"
        } else {
            "<pre><code"
        };
        if let Some(language) = language {
            self.attribute("class", &format!("language-{language}"));
        }
        self.out += ">";
        if self.is_feed() {
            escape::code(&mut self.out, text);
        } else {
            self.marked_code(language, info, text);
        }
        self.out += "</code></pre>\n";
        if info.name.is_some() {
            self.out += "</figure>\n";
        }
    }

    fn marked_code(&mut self, language: Option<&str>, info: &CodeInfo, text: &str) {
        if info.marked.is_empty() && !has_marks(text) {
            return coloured(&mut self.out, language, text);
        }
        let mut lines = read(text);
        for marked in &info.marked {
            let last = marked.last.min(lines.len());
            for line in lines.get_mut(marked.first - 1..last).unwrap_or_default() {
                line.mark = Some(marked.mark);
            }
        }
        let seen: Vec<&str> = lines.iter().map(|line| line.text).collect();
        let mut html = String::new();
        coloured(&mut html, language, &seen.join("\n"));
        write(&mut self.out, &lines, &html);
    }
}

/// Code with its tokens marked for colours, if the language is known.
fn coloured(out: &mut String, language: Option<&str>, text: &str) {
    if !language.is_some_and(|language| highlight(language, text, out)) {
        escape::code(out, text);
    }
}

/// A line that readers see.
#[derive(Default)]
struct Line<'t> {
    text: &'t str,
    mark: Option<Mark>,
    /// The lines before it and the comment behind it that only mark lines. They stay in the page,
    /// so that its code is the author's, and are hidden.
    before: &'t str,
    behind: &'t str,
}

fn has_marks(text: &str) -> bool {
    text.contains("[!code ")
        || text.contains("highlight-next-line")
        || text.contains("highlight-start")
}

/// The lines of a code block, with what comments say of them.
fn read(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    // What is marked by a comment on a line before: the next lines, or those up to an end.
    let (mut count, mut mark, mut within) = (0_usize, Mark::Highlighted, false);
    let (mut start, mut at) = (0, 0);
    for raw in text.split_inclusive('\n') {
        let from = at;
        at += raw.len();
        let line = raw.strip_suffix('\n').unwrap_or(raw);
        let comment = comment(line);
        match comment.map(|at| words(&line[at..])) {
            Some("highlight-next-line") => (count, mark) = (1, Mark::Highlighted),
            Some("highlight-start") => within = true,
            Some("highlight-end") => within = false,
            words => {
                let order = words.and_then(order);
                let end = comment.filter(|_| order.is_some()).unwrap_or(line.len());
                let seen = line[..end].trim_end();
                let seen = if order.is_some() { seen } else { line };
                if let Some((named, lines)) = order {
                    (count, mark) = (lines, named);
                }
                // A comment on a line of its own marks the lines behind it.
                if order.is_some() && seen.is_empty() {
                    continue;
                }
                let marked = (count > 0).then_some(mark);
                count = count.saturating_sub(1);
                lines.push(Line {
                    text: seen,
                    mark: marked.or(within.then_some(Mark::Highlighted)),
                    before: &text[start..from],
                    behind: &line[seen.len()..],
                });
                start = at;
            }
        }
    }
    if text.is_empty() || text.ends_with('\n') || start < text.len() {
        // An empty last line, or comments behind the last line.
        lines.push(Line {
            before: &text[start..],
            ..Line::default()
        });
    }
    lines
}

/// Where a line's last comment begins that could mark lines.
fn comment(line: &str) -> Option<usize> {
    let mark = line.rfind("[!code ").or_else(|| {
        line.rfind("highlight-")
            .filter(|_| !line.contains("[!code"))
    })?;
    let before = line[..mark].trim_end();
    let begin = COMMENTS
        .iter()
        .find_map(|begin| before.strip_suffix(begin))?;
    Some(begin.len())
}

/// The words of a comment.
fn words(comment: &str) -> &str {
    let is_sign = |c: char| c.is_whitespace() || "/*<!->#;%{}".contains(c);
    let begin = comment.find(|c: char| !is_sign(c)).unwrap_or(comment.len());
    comment[begin..].trim_end_matches(is_sign)
}

/// `[!code highlight]`, `[!code ++:3]`: the mark and the number of lines.
fn order(words: &str) -> Option<(Mark, usize)> {
    let order = words.strip_prefix("[!code ")?.strip_suffix(']')?.trim();
    let (name, count) = order.split_once(':').unwrap_or((order, "1"));
    let mark = match name {
        "highlight" | "hl" | "focus" | "warning" | "error" => Mark::Highlighted,
        "++" => Mark::Added,
        "--" => Mark::Removed,
        _ => return None,
    };
    Some((mark, count.parse().ok()?))
}

/// Writes the lines with their marks. `html` is the code that readers see, coloured.
fn write(out: &mut String, lines: &[Line<'_>], html: &str) {
    let mut open = String::new();
    let mut mark = None;
    let all = html.split('\n').zip(lines).enumerate();
    for (index, (html, line)) in all {
        // Each added or removed line has a sign of its own.
        if mark != line.mark || mark.is_some_and(|mark| mark != Mark::Highlighted) {
            end(out, mark.take());
            if let Some(begun) = line.mark {
                *out += &format!("<{}>", element(begun));
            }
            mark = line.mark;
        }
        hidden(out, line.before);
        *out += &open;
        *out += html;
        open = still_open(&open, html);
        if !open.is_empty() {
            *out += "</span>";
        }
        hidden(out, line.behind);
        if index + 1 < lines.len() {
            out.push('\n');
        }
    }
    end(out, mark);
}

fn end(out: &mut String, mark: Option<Mark>) {
    if let Some(mark) = mark {
        *out += &format!("</{}>", element(mark));
    }
}

fn element(mark: Mark) -> &'static str {
    match mark {
        Mark::Highlighted => "mark",
        Mark::Added => "ins",
        Mark::Removed => "del",
    }
}

/// The tag that is open at the end of a line: those of colours do not nest.
fn still_open(open: &str, html: &str) -> String {
    let begin = html.rfind("<span");
    match (begin, html.rfind("</span>")) {
        (Some(begin), end) if end.is_none_or(|end| end < begin) => {
            let tag = &html[begin..];
            tag[..tag.find('>').map_or(0, |end| end + 1)].to_owned()
        }
        (None, None) => open.to_owned(),
        _ => String::new(),
    }
}

fn hidden(out: &mut String, text: &str) {
    if !text.is_empty() {
        *out += "<span hidden>";
        escape::code(out, text);
        *out += "</span>";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        let lines = read(text);
        let seen: Vec<&str> = lines.iter().map(|line| line.text).collect();
        let mut out = String::new();
        let mut html = String::new();
        coloured(&mut html, None, &seen.join("\n"));
        write(&mut out, &lines, &html);
        out
    }

    #[test]
    fn comments_mark_lines_and_are_hidden() {
        assert_eq!(
            html("a // [!code highlight]\nb"),
            "<mark>a<span hidden> // [!code highlight]</span>\n</mark>b"
        );
        assert_eq!(
            html("a\n# highlight-next-line\nb\nc"),
            "a\n<mark><span hidden># highlight-next-line\n</span>b\n</mark>c"
        );
        assert_eq!(
            html("/* highlight-start */\na\nb\n/* highlight-end */\nc"),
            "<mark><span hidden>/* highlight-start */\n</span>a\nb\n</mark><span hidden>/* highlight-end */\n</span>c"
        );
        assert_eq!(
            html("x # [!code --]\ny # [!code ++]"),
            "<del>x<span hidden> # [!code --]</span>\n</del><ins>y<span hidden> # [!code ++]</span></ins>"
        );
        assert_eq!(
            html("x # [!code ++:2]\ny\nz"),
            "<ins>x<span hidden> # [!code ++:2]</span>\n</ins><ins>y\n</ins>z"
        );
        for text in [
            "a = \"[!code highlight]\"",
            "a // highlight-next-lines",
            "a\n",
        ] {
            assert_eq!(html(text), text);
        }
    }

    #[test]
    fn a_colour_goes_on_in_the_next_line() {
        let html = "<span class=\"com\">/* a\nb */</span> c";
        let lines = ["/* a", "b */ c"].map(|text| Line {
            text,
            mark: Some(Mark::Highlighted).filter(|_| text.starts_with('b')),
            ..Line::default()
        });
        let mut out = String::new();
        write(&mut out, &lines, html);
        assert_eq!(
            out,
            "<span class=\"com\">/* a</span>\n<mark><span class=\"com\">b */</span> c</mark>"
        );
    }

    fn plain(html: &str) -> String {
        let mut text = html.to_owned();
        for tag in [
            "<mark>",
            "</mark>",
            "<ins>",
            "</ins>",
            "<del>",
            "</del>",
            "<span hidden>",
            "</span>",
        ] {
            text = text.replace(tag, "");
        }
        text
    }

    proptest::proptest! {
        #[test]
        fn the_code_is_the_authors(text in "(a|\n| |// |# |\\[!code (--|hl:2|x)\\]|highlight-(next-line|start|end)|é){0,24}") {
            proptest::prop_assert_eq!(plain(&html(&text)), text);
        }
    }
}
