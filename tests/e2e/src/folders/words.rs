//! Whether the words and the code of every published text are in both of its forms.

use std::collections::BTreeMap;

use diglot_content::{Library, Sources};
use diglot_edition::Edition;

use super::links::Share;
use super::myst;
use super::source::{self, Code, Parts};

/// What both forms keep of the sources.
#[derive(Debug, Default)]
pub struct Kept {
    /// Words of the sources that are in the HTML, and in the Markdown.
    pub html: Share,
    pub markdown: Share,
    /// Blocks of code that are in both, verbatim and with their language.
    pub code: Share,
    /// Some that are not: path, and what is missing.
    pub lost: Vec<String>,
}

/// The maximum number of losses that are named.
const NAMED: usize = 12;

/// Compares every published Markdown text with its two forms.
pub fn kept(sources: &Sources, library: &Library, edition: &Edition) -> Kept {
    let mut kept = Kept::default();
    let is_myst = sources.files.iter().any(|file| {
        let says_so = || String::from_utf8_lossy(&file.bytes).contains("myst");
        let of_book = ["myst.yml", "_toc.yml"]
            .iter()
            .any(|name| file.path.ends_with(name));
        of_book || file.path.ends_with("conf.py") && says_so()
    });
    for article in library.articles.iter().chain(&library.pages) {
        let is_markdown = article.source.rsplit_once('.').is_some_and(|(_, suffix)| {
            ["md", "markdown", "mdx", "qmd"].contains(&suffix.to_lowercase().as_str())
        });
        let file = sources
            .files
            .iter()
            .find(|file| *file.path == *article.source);
        let (Some(file), true) = (file, is_markdown) else {
            continue;
        };
        let body = |suffix: &str| {
            let resource = edition.get(&format!("{}.{suffix}", article.stem))?;
            Some(String::from_utf8_lossy(&resource.body.to_bytes()).into_owned())
        };
        let (Some(html), Some(twin)) = (body("html"), body("md")) else {
            kept.lost.push(format!("`{}` has no pages", article.source));
            continue;
        };
        let mut text = String::from_utf8_lossy(&file.bytes);
        if is_myst {
            text = myst::plain(&text).into();
        }
        kept.add(&article.source, &source::parts(&text), &html, &twin);
    }
    kept
}

impl Kept {
    fn add(&mut self, path: &str, parts: &Parts, html: &str, twin: &str) {
        let words = counts(source::words(&parts.prose));
        let page = of_html(html);
        let twin = source::parts(twin);
        let in_html = counts(source::every_word(&page.prose));
        let mut text = source::without(&twin.prose, "](", ")", 2_000);
        text.extend(twin.code.iter().map(|code| code.text.as_str()));
        let in_twin = counts(source::every_word(&text));
        for (form, share, found) in [
            ("HTML", &mut self.html, &in_html),
            ("Markdown", &mut self.markdown, &in_twin),
        ] {
            let mut lost = Vec::new();
            for (word, count) in &words {
                let here = found.get(word).copied().unwrap_or_default().min(*count);
                share.good += here;
                share.all += count;
                if here < *count {
                    lost.push(word.as_str());
                }
            }
            if !lost.is_empty() && self.lost.len() < NAMED {
                lost.truncate(8);
                let lost = lost.join(" ");
                self.lost
                    .push(format!("`{path}`: words not in its {form}: {lost}"));
            }
        }
        for code in parts.code.iter().filter(|code| is_plain(code)) {
            let good = has(&page.code, code) && has(&twin.code, code);
            self.code.add(good);
            if !good && self.lost.len() < NAMED {
                let first = code.text.lines().next().unwrap_or_default();
                let (language, form) = (
                    &code.language,
                    if has(&twin.code, code) {
                        "HTML"
                    } else {
                        "Markdown"
                    },
                );
                self.lost.push(format!(
                    "`{path}`: code not in its {form}: {language} `{first}`"
                ));
            }
        }
    }
}

/// Code in which a generator puts other text: includes, template tags, hidden lines.
fn is_plain(code: &Code) -> bool {
    const TAGS: [&str; 6] = ["{{", "{%", "--8<--", "<<<", "@include", "%%"];
    let hides = |line: &str| line.trim_start().starts_with("# ") || line.trim() == "#";
    let hidden = code.language == "rust" && code.text.lines().any(hides);
    !hidden && !TAGS.iter().any(|tag| code.text.contains(tag)) && !code.text.trim().is_empty()
}

/// Whether a form has the code, with its language. Blank lines around it and white space at the
/// ends of lines may differ. If only the lines before the code can say what it is (`is_indented`),
/// its indentation may differ too, and it may be a part of other code.
fn has(all: &[Code], code: &Code) -> bool {
    let text = |code: &Code, trim: fn(&str) -> &str| -> String {
        let lines: Vec<&str> = code.text.trim_matches('\n').lines().map(trim).collect();
        lines.join("\n")
    };
    if code.is_indented {
        let bare: fn(&str) -> &str = |line| line.trim_matches([' ', '\t', '>']);
        let wanted = text(code, bare);
        return all.iter().any(|other| text(other, bare).contains(&wanted));
    }
    let wanted = text(code, str::trim_end);
    all.iter().any(|other| {
        (other.language == code.language || code.language.is_empty())
            && text(other, str::trim_end) == wanted
    })
}

/// The article of a page: its words with the texts of pictures, and its code.
fn of_html(html: &str) -> Parts {
    let main = html.split_once("<main").map_or(html, |(_, rest)| rest);
    let main = main.split_once("</main>").map_or(main, |(main, _)| main);
    let mut parts = Parts::default();
    let mut rest = main;
    while let Some((before, block)) = rest.split_once("<pre") {
        parts.prose.push_str(&shown(before));
        let (inner, after) = block.split_once("</pre>").unwrap_or((block, ""));
        let (open, body) = inner.split_once('>').unwrap_or(("", inner));
        let (code, text) = body
            .strip_prefix("<code")
            .and_then(|body| body.split_once('>'))
            .unwrap_or(("", body));
        let language = [open, code]
            .into_iter()
            .find_map(|tag| tag.split_once("language-"))
            .map(|(_, rest)| rest.split(['"', ' ']).next().unwrap_or_default());
        parts.code.push(Code {
            language: language.unwrap_or_default().to_lowercase(),
            text: decoded(&bare(text)),
            is_indented: false,
        });
        // Words of code that the source has outside fences, such as indented code.
        parts.prose.extend([" ", &decoded(&bare(text)), "\n"]);
        rest = after;
    }
    parts.prose.push_str(&shown(rest));
    parts
}

/// What a reader of HTML gets: its text, and the texts of attributes that are read out.
fn shown(html: &str) -> String {
    let mut text = String::new();
    for attribute in [" alt=\"", " title=\"", " aria-label=\""] {
        for (at, _) in html.match_indices(attribute) {
            let value = &html[at + attribute.len()..];
            text.push_str(value.split('"').next().unwrap_or_default());
            text.push(' ');
        }
    }
    decoded(&(source::without_tags(html) + "\n" + &text))
}

/// Markup of highlighted code, without a space in its place.
fn bare(code: &str) -> String {
    let (mut out, mut rest) = (String::new(), code);
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, rest)| rest);
    }
    out + rest
}

fn decoded(text: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (entity, c)| text.replace(entity, c))
}

fn counts(words: Vec<String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts
}
