//! The replacement of an MDX tag.

use std::collections::VecDeque;

use super::literal::{LONGEST, literal, unbraced, unescape};
use super::open::Open;
use super::tag::Tag;
use super::walk::{Walk, indent};
use crate::dialects::markup::{block_place, container, fence, inline_place, is_blank};

/// The maximum number of open components.
const DEEPEST: usize = 32;

impl<'a> Walk<'a> {
    pub fn tag(&mut self, rest: &'a str) {
        if rest.starts_with("<>") {
            return self.skip(2);
        }
        if rest.starts_with("</>") {
            return self.skip(3);
        }
        let Some(mut tag) = Tag::among(rest, &mut self.braces) else {
            return self.copy(1);
        };
        for (_, value) in &mut tag.attributes {
            if let Some(path) =
                unbraced(value).and_then(|name| self.pictures.get(name.trim_end_matches(".src")))
            {
                *value = path;
            }
        }
        if self.shown_code(&tag, rest).is_some() {
            return;
        }
        if !tag.name.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self.element(&tag);
        }
        let text = tag.shortcode(self.title(&tag));
        self.nest(&tag, false);
        self.skip(tag.length);
        if let Some(id) = tag.place() {
            self.place(&id);
        }
        self.out.push_str(&text);
    }

    /// A place that links lead to: on a line of its own if nothing is before it.
    fn place(&mut self, id: &str) {
        let line = self.written_line();
        let prefix = container(line);
        if prefix.len() < line.len() {
            return self.out.push_str(&inline_place(id));
        }
        self.out.push_str(&block_place(id));
        self.add_line(prefix.trim_end());
        self.add_line(&prefix);
    }

    /// Records what a tag opens; returns whether the tag that it closes has lines of its own.
    pub fn nest(&mut self, tag: &Tag<'a>, apart: bool) -> bool {
        if tag.closes {
            let Some(at) = self.open.iter().rposition(|open| open.name == tag.name) else {
                return false;
            };
            let apart = self.open[at].apart;
            self.open.truncate(at);
            return apart;
        }
        if !tag.empty && self.open.len() < DEEPEST {
            if self.indent.0 != self.begin {
                let line = &self.text[self.begin..];
                self.indent = (self.begin, indent(line));
            }
            let own = self.indent.1.min(self.at - self.begin);
            self.open.push(Open {
                name: tag.name,
                own,
                content: None,
                apart,
            });
        }
        apart
    }

    /// The title of a tab, given on the enclosing component: with the tab's value in
    /// `values={[{ label: 'Title', value: 'x' }]}`, or by order in `items={['One', 'Two']}`.
    fn title(&mut self, tag: &Tag<'a>) -> Option<String> {
        if tag.name == "Tabs" && !tag.closes {
            let items = tag.attribute("items").unwrap_or_default();
            self.labels = quoted(items);
        }
        let is_next = matches!(tag.name, "Tab" | "Tabs.Tab") && !tag.closes;
        if is_next && tag.text(&["label", "title"]).is_none() {
            return self.labels.pop_front();
        }
        if tag.name == "Tabs"
            && let Some(values) = tag.attribute("values")
        {
            self.titles = values.split('}').filter_map(value_and_label).collect();
        }
        if tag.name != "TabItem" || tag.attribute("label").is_some() {
            return None;
        }
        let value = tag.text(&["value"])?;
        let (_, title) = self.titles.iter().find(|(own, _)| *own == value)?;
        Some(title.clone())
    }

    /// `<Code code={`…`} lang="js" />` and `<CodeBlock language="js">{`…`}</CodeBlock>` as a fence;
    /// `None`: another component.
    fn shown_code(&mut self, tag: &Tag<'a>, rest: &'a str) -> Option<()> {
        let close = match tag.name {
            "Code" => &mut self.code_end,
            "CodeBlock" => &mut self.block_end,
            "pre" => &mut self.pre_end,
            _ => return None,
        };
        if tag.closes {
            return None;
        }
        let (mut code, mut length) = (tag.attribute("code"), tag.length);
        if !tag.empty {
            let end = close.from(self.at + tag.length)? - self.at;
            if end - tag.length > 4 * LONGEST {
                return None;
            }
            code = Some(rest[tag.length..end].trim());
            length = end + tag.name.len() + "</>".len();
        }
        let mut code = code?;
        let mut language = tag.text(&["lang", "language", "className"]);
        if tag.name == "pre" {
            // `<pre><code className="language-js">{`…`}</code></pre>`
            if let Some(inner) = code
                .strip_suffix("</code>")
                .filter(|_| code.starts_with('<'))
            {
                let own = Tag::parse(inner)?;
                language = own.text(&["className", "class"]).or(language);
                code = inner[own.length..].trim();
            }
            unbraced(code)?;
        }
        let plain = match unbraced(code) {
            Some(expression) => unescape(literal(expression)?),
            None => code.to_owned(),
        };
        let language = language.unwrap_or_default();
        let mut info = language.trim_start_matches("language-").to_owned();
        if let Some(title) = tag
            .text(&["title"])
            .filter(|title| !title.contains(['"', '`']))
        {
            info.push_str(&format!(" title=\"{title}\""));
        }
        let prefix = self.write_code(&plain, info.trim_start());
        self.skip(length);
        if !self.current().trim().is_empty() {
            self.add_line(&prefix);
        }
        Some(())
    }

    /// A fence on lines of its own; returns the prefix of each line.
    fn write_code(&mut self, code: &str, info: &str) -> String {
        let line = self.out.rsplit('\n').next().unwrap_or_default().to_owned();
        let prefix = container(&line);
        let fence = fence(code);
        if is_blank(&line) {
            self.out.truncate(self.out.len() - line.len());
        } else {
            self.add_line("");
        }
        self.out.push_str(&format!("{prefix}{fence}{info}"));
        for line in code.trim_matches('\n').split('\n') {
            self.add_line(&format!("{prefix}{line}"));
        }
        self.add_line(&format!("{prefix}{fence}"));
        prefix
    }
}

/// `label: 'Title', value: 'x'`
fn value_and_label(item: &str) -> Option<(String, String)> {
    Some((field(item, "value")?, field(item, "label")?))
}

/// The quoted texts of a list.
fn quoted(list: &str) -> VecDeque<String> {
    let mut texts = VecDeque::new();
    let mut rest = list;
    while let Some(at) = rest.find(['\'', '"', '`']) {
        let (quote, behind) = rest[at..].split_at(1);
        let Some((text, after)) = behind.split_once(quote) else {
            break;
        };
        texts.push_back(text.to_owned());
        rest = after;
    }
    texts
}

fn field(item: &str, name: &str) -> Option<String> {
    let (_, behind) = item.split_once(name)?;
    let value = behind
        .trim_start()
        .trim_start_matches(['\'', '"'])
        .trim_start()
        .strip_prefix(':')?
        .trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inner = &value[1..];
    Some(inner.split(quote).next().unwrap_or_default().to_owned())
}
