//! Pages of DocFX that are data: `### YamlMime:FAQ`, `Landing`, `Hub` and their like. Each becomes Markdown:
//! titles are headings, texts paragraphs, links lists.

use crate::model::document::Reference;
use crate::model::problem::Problem;
use crate::model::text::one_line;
use crate::syntax::front::{self, Entry, Front, Node, Split, Syntax, Value};

/// What the first line of such a page begins with.
const MARK: &str = "### YamlMime:";
/// The schemas of pages whose texts are in the file.
const READ: [&str; 11] = [
    "FAQ",
    "Landing",
    "Hub",
    "YamlDocument",
    "ModuleUnit",
    "Module",
    "LearningPath",
    "Tutorial",
    "Architecture",
    "SolutionIdea",
    "ExampleWorkload",
];
/// Data that is not a page.
const NO_PAGES: [&str; 8] = [
    "TableOfContent",
    "TOC",
    "Toc",
    "ZonePivotGroups",
    "ContextObject",
    "Achievements",
    "XRefMap",
    "Breadcrumb",
];
/// Keys with a title.
const TITLES: [&str; 4] = ["title", "name", "question", "header"];
/// Keys with an address.
const ADDRESSES: [&str; 3] = ["url", "href", "path"];
/// Keys with a text in Markdown.
const TEXTS: [&str; 16] = [
    "summary",
    "description",
    "text",
    "answer",
    "content",
    "html",
    "markdown",
    "note",
    "abstract",
    "prerequisites",
    "introduction",
    "conclusion",
    "additionalContent",
    "highlight",
    "instructions",
    "hint",
];
/// Keys with something for machines.
const SILENT: [&str; 7] = [
    "metadata", "uid", "image", "badge", "units", "modules", "aside",
];
/// How deep values are read.
const DEEPEST: usize = 8;

/// What a file with data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A page.
    Page,
    /// A page of this schema, which is not read.
    Unread(String),
}

/// What a file with data is; `None`: no page.
pub fn kind(path: &str, bytes: &[u8]) -> Option<Data> {
    let schema = schema(path, bytes)?;
    if READ.contains(&schema) {
        return Some(Data::Page);
    }
    (!NO_PAGES.contains(&schema)).then(|| Data::Unread(schema.to_owned()))
}

fn schema<'b>(path: &str, bytes: &'b [u8]) -> Option<&'b str> {
    let (_, suffix) = path.rsplit_once('.')?;
    if !matches!(suffix, "yml" | "yaml") {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let rest = bytes.strip_prefix(MARK.as_bytes())?;
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let schema = std::str::from_utf8(&rest[..end]).ok()?.trim();
    let is_name =
        (1..=60).contains(&schema.len()) && schema.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then_some(schema)
}

/// A page made of data.
#[derive(Clone, Debug, Default)]
pub struct YamlPage {
    /// Its title and metadata.
    pub front: Front,
    /// Its text in Markdown.
    pub body: String,
    /// The line of the file, from 1, for each line of the text.
    pub lines: Vec<u32>,
    /// What is broken in it.
    pub problems: Vec<Problem>,
}

/// Reads a page; `None` if the file is not a page.
pub fn read(text: &str, path: &str) -> Option<YamlPage> {
    if kind(path, text.as_bytes())? != Data::Page {
        return None;
    }
    let (data, problems) = front::read(text, path, Syntax::Yaml);
    let mut page = YamlPage {
        front: metadata(&data),
        problems,
        ..YamlPage::default()
    };
    let entries = data.entries.iter();
    let inner: Vec<&Entry> = entries
        .filter(|entry| entry.key.text != "title" && entry.key.text != "name")
        .collect();
    page.entries(&inner, 1);
    Some(page)
}

/// The title, and what `metadata` says.
fn metadata(data: &Front) -> Front {
    let mut front = Front {
        syntax: Syntax::Yaml,
        ..Front::default()
    };
    let more = data.get("metadata").map(|entry| &entry.node.value);
    let more = match more {
        Some(Value::Map(entries)) => &entries[..],
        _ => &[],
    };
    let own = ["title", "name", "uid"].iter();
    let own = own.filter_map(|key| data.get(key));
    for entry in own.chain(more) {
        let is_other_name = entry.key.text == "name" && front.get("title").is_some();
        if front.get(&entry.key.text).is_none() && !is_other_name {
            let mut entry = entry.clone();
            if entry.key.text == "name" {
                "title".clone_into(&mut entry.key.text);
            }
            front.entries.push(entry);
        }
    }
    front
}

impl YamlPage {
    /// Its front matter and its text, as those of any other page.
    pub fn split(&self) -> Split<'_> {
        Split {
            front: self.front.clone(),
            body: &self.body,
            first_line: 1,
            problems: self.problems.clone(),
        }
    }

    /// Gives problems and addresses the line of the file.
    pub fn relocate(&self, problems: &mut [Problem], references: &mut [Reference]) {
        let own = |line: u32| {
            let at = (line as usize).saturating_sub(1);
            self.lines.get(at).copied().unwrap_or_default()
        };
        for place in problems
            .iter_mut()
            .filter_map(|problem| problem.place.as_mut())
        {
            (place.line, place.column) = (own(place.line), 1);
        }
        for reference in references {
            (reference.line, reference.column) = (own(reference.line), 1);
        }
    }

    /// Writes lines of Markdown from a line of the file on.
    fn put(&mut self, text: &str, line: u32) {
        for (number, written) in (0_u32..).zip(text.lines()) {
            self.body.push_str(written);
            self.body.push('\n');
            self.lines.push(line.saturating_add(number));
        }
    }

    fn block(&mut self, text: &str, line: u32) {
        self.put(text, line);
        self.put("\n", line);
    }

    fn node(&mut self, node: &Node, depth: usize) {
        match &node.value {
            Value::Map(entries) => self.entries(&entries.iter().collect::<Vec<_>>(), depth),
            Value::List(items) => {
                for item in items {
                    self.item(item, depth);
                }
                self.put("\n", node.line);
            }
            Value::Scalar { .. } => {}
        }
    }

    /// An item of a list: a link, or what has a title of its own.
    fn item(&mut self, node: &Node, depth: usize) {
        if let Some(link) = link(node) {
            return self.put(&link, node.line);
        }
        self.put("\n", node.line);
        self.node(node, depth);
    }

    fn entries(&mut self, entries: &[&Entry], depth: usize) {
        if depth > DEEPEST {
            return;
        }
        let find = |keys: &[&str]| {
            entries
                .iter()
                .find(|entry| keys.contains(&&*entry.key.text))
        };
        let title = find(&TITLES).and_then(|entry| Some((entry, entry.node.text()?)));
        let mut inner = depth;
        if let Some((entry, text)) = title {
            inner += 1;
            let marks = "#".repeat(inner.min(6));
            self.block(&format!("{marks} {}", one_line(text)), entry.node.line);
        } else if let Some(kind) = find(&["linkListType"]).and_then(|entry| entry.node.text()) {
            self.block(&format!("**{}:**", words(kind)), 1);
        }
        for entry in entries {
            let key = &*entry.key.text;
            let is_title = title.is_some_and(|(title, _)| title.key == entry.key);
            if is_title || SILENT.contains(&key) {
                continue;
            }
            match (&entry.node.value, entry.node.text()) {
                (_, Some(text)) if TEXTS.contains(&key) => self.block(text, text_line(entry)),
                (_, Some(_)) => {}
                _ if key == "choices" => self.choices(&entry.node),
                _ => self.node(&entry.node, inner),
            }
        }
        if let Some((title, words)) = title
            && let Some(address) = find(&ADDRESSES).and_then(|entry| entry.node.text())
        {
            self.block(&linked(words, address), title.node.line);
        }
    }

    /// The answers among which readers choose.
    fn choices(&mut self, node: &Node) {
        for choice in node.items() {
            if let Some(entry) = choice.get("content")
                && let Some(text) = entry.node.text()
            {
                self.put(&format!("- {}", one_line(text)), entry.node.line);
            }
        }
        self.put("\n", node.line);
    }
}

/// The first line of a text: that of a block is below its key.
fn text_line(entry: &Entry) -> u32 {
    match &entry.node.value {
        Value::Scalar { text, plain: false } if text.contains('\n') => entry.key.line + 1,
        _ => entry.node.line,
    }
}

/// `{text: T, url: u, summary: S}` as an item of a list; `None`: it has more, or no address.
fn link(node: &Node) -> Option<String> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| node.get(key)?.node.text());
    let address = text(&ADDRESSES)?;
    let Value::Map(entries) = &node.value else {
        return None;
    };
    // Lists of words are for machines.
    let holds_more = entries.iter().any(|entry| match &entry.node.value {
        Value::List(items) => items.iter().any(|item| item.text().is_none()),
        Value::Map(_) => true,
        Value::Scalar { .. } => false,
    });
    let title = text(&["title", "text", "name"]).unwrap_or(address);
    let summary = text(&["summary", "description"]).filter(|text| !text.contains("\n\n"));
    let summary = summary.map_or_else(String::new, |text| format!(": {}", one_line(text)));
    (!holds_more).then(|| format!("- {}{summary}", linked(title, address)))
}

fn linked(title: &str, address: &str) -> String {
    let title = one_line(title).replace('[', "\\[").replace(']', "\\]");
    format!("[{title}](<{}>)", address.replace(['<', '>'], ""))
}

/// `how-to-guide` as words.
fn words(name: &str) -> String {
    let words = name.replace('-', " ").replace("how to", "how-to");
    let words = words.replace("whats new", "what's new");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &str, data: &str, expected: &str) {
        let page = read(&format!("### YamlMime:{schema}\n{data}"), "a.yml").unwrap();
        assert_eq!(page.lines.len(), page.body.lines().count());
        let lines: Vec<&str> = page.body.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.join("\n"), expected, "{schema}");
    }

    #[test]
    fn questions_are_headings() {
        check(
            "FAQ",
            "title: Ropes\nsummary: What *people* ask.\nsections:\n  - name: Knots\n    questions:\n      - question: |\n          Which knot?\n        answer: |\n          A bowline.\n\n          - [More](m.md)\nadditionalContent: The end.\n",
            "What *people* ask.\n## Knots\n### Which knot?\nA bowline.\n- [More](m.md)\nThe end.",
        );
    }

    #[test]
    fn links_of_landing_pages_are_lists() {
        check(
            "Landing",
            "title: Boats\nsummary: All about boats.\nmetadata:\n  title: x\n  description: D\nlandingContent:\n  - title: Begin\n    linkLists:\n      - linkListType: how-to-guide\n        links:\n          - text: A [new] rope\n            url: a.md\n          - text: B\n            url: /b\n",
            "All about boats.\n## Begin\n**How-to guide:**\n- [A \\[new\\] rope](<a.md>)\n- [B](</b>)",
        );
        check(
            "Hub",
            "title: Boats\nsummary: S\nbrand: azure\nhighlightedContent:\n  items:\n    - title: A\n      itemType: overview\n      url: a.md\nproductDirectory:\n  title: Harbours\n  items:\n    - title: North\n      imageSrc: n.svg\n      azureCategories: [x]\n      summary: Cold.\n      url: n.md\n    - title: South\n      summary: Warm.\n      url: s.md\nadditionalContent:\n  sections:\n    - items:\n        - title: Others\n          url: o.md\n          links:\n            - text: C\n              url: c.md\n",
            "S\n- [A](<a.md>)\n## Harbours\n- [North](<n.md>): Cold.\n- [South](<s.md>): Warm.\n## Others\n- [C](<c.md>)\n[Others](<o.md>)",
        );
    }

    #[test]
    fn units_show_their_text_and_their_questions() {
        check(
            "ModuleUnit",
            "uid: a.b\ntitle: Check\ndurationInMinutes: 5\ncontent: |\n  Words.\nquiz:\n  title: Questions\n  questions:\n  - content: \"Which?\"\n    choices:\n    - content: \"This\"\n      isCorrect: true\n      explanation: \"CANARY\"\n    - content: \"That\"\n      isCorrect: false\n",
            "Words.\n## Questions\nWhich?\n- This\n- That",
        );
    }

    #[test]
    fn a_schema_that_is_no_page_or_not_read_is_known() {
        let of = |schema: &str| kind("a.yml", format!("### YamlMime:{schema}\nx: 1\n").as_bytes());
        assert_eq!(of("FAQ"), Some(Data::Page));
        assert_eq!(of("TableOfContent"), None);
        assert_eq!(
            of("ManagedReference"),
            Some(Data::Unread("ManagedReference".to_owned()))
        );
        assert_eq!(kind("a.yml", b"title: x\n"), None);
        assert_eq!(kind("a.md", b"### YamlMime:FAQ\n"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_page_panics(data in "(title: |summary: |- |items:\n|  |    |url: x\n|text: |\\||\n|\"|é){0,30}") {
            if let Some(page) = read(&format!("### YamlMime:Hub\n{data}"), "a.yml") {
                proptest::prop_assert_eq!(page.lines.len(), page.body.lines().count());
            }
        }
    }
}
