//! What a tag in MDX becomes, and which components are open around a line.

use super::tag::{BOUND, Tag, literal};
use super::{LONGEST, Walk};
use crate::dialects::markup;

/// A component that is open: MDX knows no indented code, so that authors indent what stands in one.
pub(super) struct Open<'a> {
    pub(super) name: &'a str,
    /// How far its own line is indented.
    pub(super) own: usize,
    /// How far its content is, once that is seen.
    pub(super) content: Option<usize>,
}

/// How many components may be open.
const DEEPEST: usize = 32;

impl<'a> Walk<'a> {
    pub(super) fn tag(&mut self, rest: &'a str) {
        let component = rest[1..].trim_start_matches('/').starts_with(|c: char| c.is_ascii_uppercase());
        if rest.starts_with("<>") || rest.starts_with("</>") {
            let length = if rest.starts_with("<>") { 2 } else { 3 };
            return self.skip(length);
        }
        let Some(tag) = Tag::of(rest) else { return self.copy(1) };
        let special = |name: &str, value: &str| {
            if self.vue { name.starts_with(BOUND) || name.starts_with("v-") } else { value.starts_with('{') || name == "className" }
        };
        if !component && !tag.attributes.iter().any(|(name, value)| special(name, value)) {
            return self.copy(1);
        }
        if component && self.shown_code(&tag, rest) {
            return;
        }
        let text = if component { tag.shortcode(self.titled(&tag)) } else { tag.html() };
        if component && !self.vue {
            self.nest(&tag);
        }
        self.skip(tag.length);
        self.out.push_str(&text);
    }

    /// Notes what is open now.
    fn nest(&mut self, tag: &Tag<'a>) {
        if tag.closes {
            if let Some(at) = self.open.iter().rposition(|open| open.name == tag.name) {
                self.open.truncate(at);
            }
        } else if !tag.empty && self.open.len() < DEEPEST {
            if self.indent.0 != self.begin {
                let line = &self.text[self.begin..];
                self.indent = (self.begin, line.len() - line.trim_start_matches([' ', '\t']).len());
            }
            let own = self.indent.1.min(self.at - self.begin);
            self.open.push(Open { name: tag.name, own, content: None });
        }
    }

    /// The title of a tab that stands with its value on the component around it: `values={[{ label: 'Title', value: 'x' }]}`.
    fn titled(&mut self, tag: &Tag<'a>) -> Option<String> {
        if let Some((_, values)) = tag.attributes.iter().find(|(name, _)| *name == "values" && tag.name == "Tabs") {
            let field = |item: &str, name: &str| {
                let behind = item.split_once(name)?.1.trim_start().trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim_start();
                let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
                Some(behind[1..].split(quote).next().unwrap_or_default().to_owned())
            };
            self.titles = values.split('}').filter_map(|item| Some((field(item, "value")?, field(item, "label")?))).collect();
        }
        let value = tag.texts().find(|(name, _)| *name == "value").filter(|_| tag.name == "TabItem")?.1;
        let labelled = tag.attributes.iter().any(|(name, _)| *name == "label");
        self.titles.iter().find(|(own, _)| *own == value && !labelled).map(|(_, title)| title.clone())
    }

    /// `<Code code={`…`} lang="js" />` and `<CodeBlock language="js">{`…`}</CodeBlock>` as a fence.
    fn shown_code(&mut self, tag: &Tag<'a>, rest: &'a str) -> bool {
        if tag.closes || !matches!(tag.name, "Code" | "CodeBlock") {
            return false;
        }
        let own = tag.attributes.iter().find(|(name, _)| *name == "code").map(|(_, value)| *value);
        let (code, length) = if tag.empty {
            (own, tag.length)
        } else {
            let inside = self.at + tag.length;
            let close = if tag.name == "Code" { &mut self.code_end } else { &mut self.block_end };
            let Some(end) = close.from(inside).map(|end| end - inside).filter(|end| *end <= 4 * LONGEST) else { return false };
            (Some(rest[tag.length..tag.length + end].trim()), tag.length + end + tag.name.len() + "</>".len())
        };
        let braced = |code: &'a str| code.strip_prefix('{').and_then(|code| code.strip_suffix('}')).map(str::trim);
        let Some(code) = code.and_then(|code| braced(code).map_or(Some(code), literal)) else { return false };
        let language = tag.texts().find(|(name, _)| matches!(*name, "lang" | "language" | "className")).map(|(_, language)| language);
        let language = language.unwrap_or_default();
        let line = self.out.rsplit('\n').next().unwrap_or_default().to_owned();
        let prefix = markup::container(&line);
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        if line.trim_matches([' ', '\t', '>']).is_empty() {
            self.out.truncate(self.out.len() - line.len());
        } else {
            self.added("");
        }
        self.out.push_str(&format!("{prefix}{fence}{}", language.trim_start_matches("language-")));
        for line in code.trim_matches('\n').split('\n') {
            self.added(&format!("{prefix}{line}"));
        }
        self.added(&format!("{prefix}{fence}"));
        self.skip(length);
        if !self.current().trim().is_empty() {
            self.added(&prefix);
        }
        true
    }
}
