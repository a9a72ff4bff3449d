//! Reads Markdown without Diglot's own parser: what is front matter, code and prose, by simple rules
//! on lines. It is an independent judge of words and code, so it shares nothing with the product.

use unicode_normalization::UnicodeNormalization;

/// A block of code between fences.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// The first word of the info string in lower case, without attributes.
    pub language: String,
    pub text: String,
    /// Whether its fence is indented by four columns or more: code in a list or a
    /// footnote, or indented code that shows a fence.
    pub is_indented: bool,
}

/// A Markdown text in parts.
#[derive(Debug, Default)]
pub struct Parts {
    pub front: String,
    /// Everything outside front matter, comments and fences.
    pub prose: String,
    pub code: Vec<Code>,
}

/// An open fence.
struct Fence {
    sign: char,
    length: usize,
    /// The quotation marks and white space before it.
    before: String,
    code: Code,
    /// Whether its code is run: `{r}`.
    is_cell: bool,
}

/// Divides a text.
pub fn parts(text: &str) -> Parts {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (front, body) = front_matter(&text);
    let mut parts = Parts {
        front: front.to_owned(),
        ..Parts::default()
    };
    let mut fence: Option<Fence> = None;
    let mut comment: Option<&str> = None;
    for line in body.lines() {
        if let Some(end) = comment {
            if let Some((_, after)) = line.split_once(end) {
                comment = None;
                parts.prose.extend([after, "\n"]);
            }
            continue;
        }
        if let Some(open) = &mut fence {
            if closes(open, line) {
                parts.code.extend(fence.take().and_then(Fence::shown));
            } else {
                open.code.text.push_str(inside(&open.before, line));
                open.code.text.push('\n');
            }
            continue;
        }
        if let Some(open) = opens(line) {
            fence = Some(open);
            continue;
        }
        let (kept, open) = without_comments(line);
        comment = open;
        parts.prose.extend([kept.as_str(), "\n"]);
    }
    // CommonMark closes a fence at the end of the text.
    parts.code.extend(fence.and_then(Fence::shown));
    parts
}

/// `---` or `+++` up to the same line; JSON is left to the words, as it is rare.
fn front_matter(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\n');
    for mark in ["---", "+++"] {
        let Some(rest) = text.strip_prefix(mark) else {
            continue;
        };
        let Some(begin) = rest.find('\n').filter(|end| rest[..*end].trim().is_empty()) else {
            continue;
        };
        let inner = &rest[begin + 1..];
        let mut at = 0;
        for line in inner.split_inclusive('\n') {
            if line.trim_end() == mark {
                return (&inner[..at], &inner[at + line.len()..]);
            }
            at += line.len();
        }
    }
    ("", text)
}

/// The comments of HTML, MDX, Obsidian and Liquid.
const COMMENTS: [(&str, &str); 5] = [
    ("<!--", "-->"),
    ("{/*", "*/}"),
    ("%%", "%%"),
    ("{#-", "-#}"),
    ("{% comment %}", "{% endcomment %}"),
];

/// A line without its comments, and what ends the one that stays open.
fn without_comments(line: &str) -> (String, Option<&'static str>) {
    let (mut kept, mut rest) = (String::new(), line);
    loop {
        let first = COMMENTS
            .iter()
            .filter_map(|(open, close)| Some((rest.find(open)?, open, close)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, open, close)) = first else {
            kept.push_str(rest);
            return (kept, None);
        };
        kept.push_str(&rest[..at]);
        match rest[at + open.len()..].split_once(close) {
            Some((_, after)) => rest = after,
            None => return (kept, Some(close)),
        }
    }
}

/// The fence that a line opens, below quotation marks, markers of lists and of footnotes.
fn opens(line: &str) -> Option<Fence> {
    let at = line.find(['`', '~'])?;
    let before = &line[..at];
    let marks = before
        .trim_start()
        .strip_prefix("[^")
        .and_then(|note| note.split_once("]:"))
        .map_or(before, |(_, marks)| marks);
    let is_prefix = marks.chars().all(|c| {
        c.is_whitespace() || matches!(c, '>' | '-' | '*' | '+' | '.') || c.is_ascii_digit()
    });
    let rest = &line[at..];
    let sign = rest.chars().next()?;
    let length = rest.chars().take_while(|c| *c == sign).count();
    let info = rest[length..].trim();
    if !is_prefix || length < 3 || (sign == '`' && info.contains('`')) {
        return None;
    }
    // In a list the code is indented as far as its fence.
    let before = before
        .chars()
        .map(|c| if c == '>' { '>' } else { ' ' })
        .collect();
    Some(Fence {
        sign,
        length,
        before,
        code: Code {
            language: language(info),
            text: String::new(),
            is_indented: at >= 4 && line.starts_with("    "),
        },
        is_cell: info.starts_with('{') && info[1..].starts_with(char::is_alphabetic),
    })
}

impl Fence {
    /// The code that readers see. A cell of Quarto (`{r}`, `{python}`) begins with options, which
    /// may hide it.
    fn shown(mut self) -> Option<Code> {
        if !self.is_cell {
            return Some(self.code);
        }
        let is_option = |line: &&str| {
            ["#|", "//|", "--|"]
                .iter()
                .any(|sign| line.starts_with(sign))
        };
        let (options, rest): (Vec<&str>, Vec<&str>) = self.code.text.lines().partition(is_option);
        let hides = |line: &&str| line.ends_with("echo: false") || line.ends_with("include: false");
        if options.iter().any(hides) {
            return None;
        }
        self.code.text = rest.iter().map(|line| format!("{line}\n")).collect();
        Some(self.code)
    }
}

/// `rust` of `rust,ignore`, `{.rust}`, `rust {1,3}` and `rust title="x"`.
pub fn language(info: &str) -> String {
    let info = info.trim_start_matches(['{', '.', ' ']);
    let end = info
        .find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':' | '=' | '['))
        .unwrap_or(info.len());
    info[..end].to_lowercase()
}

fn closes(open: &Fence, line: &str) -> bool {
    let bare = line.trim_matches(|c: char| c.is_whitespace() || c == '>');
    bare.len() >= open.length && bare.chars().all(|c| c == open.sign)
}

/// A line of code without what precedes the fence, as far as the line has it.
fn inside<'l>(before: &str, line: &'l str) -> &'l str {
    let mut rest = line;
    for mark in before.chars() {
        let cut = match mark {
            '>' => rest.trim_start_matches(' ').strip_prefix('>'),
            _ => rest.strip_prefix([' ', '\t']),
        };
        match cut {
            Some(cut) => rest = cut,
            None if mark == '>' => return rest,
            None => {}
        }
    }
    rest
}

/// The words of prose: letters and digits, at least two, in lower case. What is markup is left out:
///
/// - tags of HTML and components with their attributes, template tags, lists of attributes;
/// - addresses and titles of links, labels of references and footnotes, names of wikilinks with an
///   own text;
/// - numbers of items, `:emoji:`, entities, the markers of callouts and directives, lines of `import` and `export`;
/// - formulas between `$$`, whose TeX becomes MathML.
///
/// Each is an allowance: a word in them may vanish. Tests of the rules look at those that must not.
pub fn words(prose: &str) -> Vec<String> {
    let mut text = without(prose, "$$", "$$", 5_000);
    for (open, close) in [
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<svg", "</svg>"),
        ("{{", "}}"),
        ("{%", "%}"),
        ("{:", "}"),
        ("{#", "}"),
        ("{.", "}"),
        ("](", ")"),
        ("][", "]"),
        ("[^", "]"),
        ("![[", "]]"),
    ] {
        text = without(&text, open, close, 20_000);
    }
    let text = wikilinks(&without_tags(&text));
    let mut words = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
        let is_markup = bare.starts_with("import ")
            || bare.starts_with("export ")
            || bare.starts_with("[[_TOC_")
            || (bare.starts_with('[') && bare.contains("]:"));
        if is_markup {
            continue;
        }
        // The word after the marker of a directive is its kind.
        let bare = ["!!!", "???+", "???", ":::", "[!"]
            .iter()
            .find_map(|mark| bare.strip_prefix(mark))
            .map_or(bare, |rest| {
                let rest = rest.trim_start_matches(':').trim_start();
                rest.split_once([' ', ']', '['])
                    .map_or("", |(_, rest)| rest)
            });
        // The number of an item is not a word.
        let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
        words.extend(bare.split_whitespace().flat_map(of_token));
    }
    words
}

/// `[[Name|words]]` shows the words, `[[Name#Part]]` what the folder decides.
fn wikilinks(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, inner)) = rest.split_once("[[") {
        out.push_str(before);
        let line = inner.split('\n').next().unwrap_or_default();
        if let Some((link, _)) = line.split_once("]]") {
            out.push_str(link.split_once('|').map_or("", |(_, shown)| shown));
            rest = &inner[link.len() + 2..];
        } else {
            out.push_str("[[");
            rest = inner;
        }
    }
    out + rest
}

/// The words of a run without white space; none of an address.
fn of_token(token: &str) -> Vec<String> {
    let is_emoji = token.len() > 2 && token.starts_with(':') && token.ends_with(':');
    if is_emoji || token.contains("://") || token.starts_with("www.") {
        return Vec::new();
    }
    // A letter written as an entity is part of its word.
    if token != without(token, "&", ";", 12) {
        return Vec::new();
    }
    every_word(token)
}

/// The words of a text of which nothing is left out. Composed and decomposed letters are the same.
pub fn every_word(text: &str) -> Vec<String> {
    let text: String = text.nfc().collect();
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 1)
        .map(str::to_lowercase)
        .collect()
}

/// A text without what is between two marks, at most so many bytes; a space takes its place.
pub fn without(text: &str, open: &str, close: &str, most: usize) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(open) {
        out.push_str(&rest[..at]);
        let inner = &rest[at + open.len()..];
        match inner.find(close).filter(|end| *end <= most) {
            Some(end) => {
                out.push(' ');
                rest = &inner[end + close.len()..];
            }
            None => {
                out.push_str(open);
                rest = inner;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A text without tags: `<`, a letter, `/` or `!`, up to `>` outside quotes.
pub fn without_tags(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let inner = &rest[at + 1..];
        let is_tag = inner.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        match tag_end(inner).filter(|_| is_tag) {
            Some(end) => {
                out.push(' ');
                rest = &inner[end..];
            }
            None => {
                out.push('<');
                rest = inner;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The end of a tag after its `<`.
fn tag_end(inner: &str) -> Option<usize> {
    const MOST: usize = 5_000;
    let mut quote = None;
    for (at, c) in inner.char_indices() {
        if at > MOST {
            return None;
        }
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') if !inner[..at].ends_with('=') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_divided_by_its_lines() {
        let parts = parts(
            "---\ntitle: T\n---\nOne <!-- gone --> two.\n<!-- a\nb --> three\n\n> ```Rust,ignore\n> let a;\n>\n> ```\n\n1. x\n   ~~~~ {.js}\n   a\n     b\n   ~~~\n   ~~~~\nlast\n",
        );
        assert_eq!(parts.front, "title: T\n");
        assert_eq!(
            words(&parts.prose),
            ["one", "two", "three", "last"],
            "{}",
            parts.prose
        );
        let code = |language: &str, text: &str| Code {
            language: language.to_owned(),
            text: text.to_owned(),
            is_indented: false,
        };
        assert_eq!(
            parts.code,
            [code("rust", "let a;\n\n"), code("js", "a\n  b\n~~~\n")]
        );
    }

    #[test]
    fn markup_has_no_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
        check(
            "a [link text](to/x.md \"t\") [b][label] [^note]",
            &["link", "text"],
        );
        check(
            "<img alt=\"x > y\" src=z> kept {{ gone }} {% gone %}",
            &["kept"],
        );
        check(
            "## Head {#id .class}\n{: .x}\n[ref]: https://e.org",
            &["head"],
        );
        check("[[Note name|shown words]] ![[p.png]]", &["shown", "words"]);
        check(
            "> [!NOTE] Own title\n!!! tip \"Mine\"\n:::note Title",
            &["own", "title", "mine", "title"],
        );
        check(
            "if a < b and c > d: one & two :tada:",
            &["if", "and", "one", "two"],
        );
        check("Größe 中文字 don't", &["größe", "中文字", "don"]);
    }
}
