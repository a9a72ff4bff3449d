//! Reverts what generators and their scripts do to an article. Removes line numbers and hidden
//! lines from code and detects its language, converts boxes to callouts and typeset formulas to
//! TeX, and removes boilerplate.

use std::ops::Range;

use super::attributes::{code_language, language_of_box};
use super::boilerplate::is_boilerplate;
use super::callout::callout;
use super::formula::{formula, is_typeset};
use super::tokens::{Attribute, StartTag, Token};
use super::tree::{NEAR, Tree};

/// The token name of a callout: names of real tags have no capitals.
pub const CALLOUT: &str = "CALLOUT";
/// The token name of a formula.
pub const TEX: &str = "TEX";

/// Classes inside code or its table that are not code.
const IN_CODE: [&str; 18] = [
    "boring",
    "lineno",
    "linenos",
    "linenumber",
    "linenumbers",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "ln",
    "lnt",
    "lnos",
    "gl",
    "gutter",
    "rouge-gutter",
    "hljs-ln-numbers",
    "hljs-ln-line-number",
    "code-line-number",
    "conum-none",
];
/// Classes that highlighters' scripts add to code: inside a code box, and anywhere.
const BESIDE_CODE: [&str; 6] = [
    "lang",
    "copy",
    "gutter",
    "line-numbers-wrapper",
    "code-lang",
    "buttons",
];
const GUTTERS: [&str; 2] = ["linenodiv", "rouge-gutter"];
/// Classes of code tables, and of their cells with line numbers.
const CODE_TABLES: [&str; 7] = [
    "lntable",
    "rouge-table",
    "highlighttable",
    "codehilitetable",
    "hljs-ln",
    "linenums-table",
    "gist-table",
];
const NUMBER_CELLS: [&str; 7] = [
    "gutter",
    "linenos",
    "lntd",
    "rouge-gutter",
    "lineNumbers",
    "hljs-ln-numbers",
    "gl",
];

/// The tokens of a range for the builder; `dropped` are the boilerplate elements, in order.
pub fn normalise(tree: &Tree<'_>, range: Range<usize>, dropped: &[usize]) -> Vec<Token> {
    let mut normaliser = Normaliser::new(tree);
    let mut at = range.start;
    while at < range.end && !crate::model::bounds::is_over() {
        while normaliser.languages.pop_if(|(end, _)| *end <= at).is_some() {}
        at = match &tree.tokens[at] {
            Token::Start(_) if dropped.binary_search(&at).is_ok() => tree.behind(at),
            Token::Start(tag) => normaliser.start(at, tag),
            Token::End(name) => normaliser.end(at, name),
            token => {
                normaliser.out.push(token.clone());
                at + 1
            }
        };
    }
    normaliser.out
}

struct Normaliser<'t> {
    tree: &'t Tree<'t>,
    out: Vec<Token>,
    /// Replacements of end tags by token number, or `None` to drop the tag; the innermost is last.
    ends: Vec<(usize, Option<&'static str>)>,
    /// Languages of open code boxes, and the end of each.
    languages: Vec<(usize, String)>,
    /// Titles of callouts, whose text was read already.
    titles: Vec<usize>,
    /// The end of the last code.
    code: usize,
    /// The end of the last table that only adds line numbers to code.
    table: usize,
}

impl<'t> Normaliser<'t> {
    fn new(tree: &'t Tree<'t>) -> Self {
        Self {
            tree,
            out: Vec::new(),
            ends: Vec::new(),
            languages: Vec::new(),
            titles: Vec::new(),
            code: 0,
            table: 0,
        }
    }
}

impl Normaliser<'_> {
    /// Handles a start tag and returns the number of the next token.
    fn start(&mut self, at: usize, tag: &StartTag) -> usize {
        let behind = self.tree.behind(at);
        if let Some((tex, display)) = formula(self.tree, at, tag) {
            self.push(
                tag,
                TEX,
                &[
                    ("tex", &tex),
                    ("display", if display { "true" } else { "false" }),
                ],
            );
            return behind;
        }
        if is_boilerplate(tag)
            || self.titles.contains(&at)
            || is_typeset(tag)
            || self.is_beside_code(at, tag)
        {
            return behind;
        }
        match tag.name.as_str() {
            "table" | "thead" | "tbody" | "tr" | "td" | "th" | "colgroup" | "col"
                if at < self.table =>
            {
                self.end_as(at, None)
            }
            "table" if self.is_code_table(at, tag) => {
                self.table = behind;
                self.end_as(at, None);
            }
            "pre" if at < self.code => self.end_as(at, None),
            "pre" => {
                self.code = behind;
                match self.language_of_code(at, tag) {
                    Some(language) => self.push(tag, "pre", &[("data-lang", &language)]),
                    None => self.element(at, tag),
                }
            }
            _ => self.element(at, tag),
        }
        at + 1
    }

    /// The title of a callout, unless it is only the name of its kind.
    fn title_words(&self, title: Option<usize>, kind: &str) -> String {
        title
            .map(|title| self.tree.text(self.tree.beginning(title, NEAR)))
            .filter(|words| !words.eq_ignore_ascii_case(kind))
            .unwrap_or_default()
    }

    /// Handles an element that may be a callout or a code box.
    fn element(&mut self, at: usize, tag: &StartTag) {
        let behind = self.tree.behind(at);
        if let Some((kind, title)) = callout(self.tree, at, tag) {
            self.end_as(at, Some(CALLOUT));
            let words = self.title_words(title, kind);
            self.titles.truncate(20);
            self.titles.extend(title);
            let class = tag.get("class").unwrap_or_default();
            if class.contains("admonitionblock") {
                self.table = behind;
            }
            return self.push(tag, CALLOUT, &[("kind", kind), ("title", &words)]);
        }
        if let Some(language) = language_of_box(tag).filter(|_| self.languages.len() < 20) {
            self.languages.push((behind, language));
        }
        self.out.push(Token::Start(tag.clone()));
    }

    /// Replaces a tag by another with the same id.
    fn push(&mut self, tag: &StartTag, name: &str, attributes: &[(&str, &str)]) {
        let mut made = StartTag {
            name: name.to_owned(),
            attributes: tag.attributes.clone(),
            ..*tag
        };
        made.attributes.retain(|attribute| attribute.name == "id");
        for (name, value) in attributes {
            made.attributes.push(Attribute {
                name: (*name).to_owned(),
                value: (*value).to_owned(),
                offset: tag.start,
            });
        }
        self.out.push(Token::Start(made));
    }

    /// The language of code that does not specify it: that of an element within it, else of a box
    /// around it.
    fn language_of_code(&self, at: usize, tag: &StartTag) -> Option<String> {
        if code_language(tag).is_some() {
            return None;
        }
        if let Some(language) = language_of_box(tag) {
            return Some(language);
        }
        for child in self.tree.outermost(self.tree.inside(at), |_| true) {
            let tag = self.tree.tag(child)?;
            if let Some(language) = code_language(tag).or_else(|| language_of_box(tag)) {
                return Some(language);
            }
        }
        Some(self.languages.last()?.1.clone())
    }

    /// Replaces or drops the end tag, if any, of the element that begins at `at`.
    fn end_as(&mut self, at: usize, becomes: Option<&'static str>) {
        let end = self.tree.inside(at).end;
        if self.tree.behind(at) == end + 1 {
            self.ends.push((end, becomes));
        }
    }

    /// Handles an end tag and returns the number of the next token.
    fn end(&mut self, at: usize, name: &str) -> usize {
        while self.ends.pop_if(|(end, _)| *end < at).is_some() {}
        if name == "tr"
            && at < self.code
            && !matches!(self.out.last(), Some(Token::Text(text, _)) if text.ends_with('\n'))
        {
            self.out.push(Token::Text("\n".to_owned(), 0));
        }
        let name = match self.ends.pop_if(|(end, _)| *end == at) {
            Some((_, becomes)) => becomes,
            None => Some(name),
        };
        self.out
            .extend(name.map(|name| Token::End(name.to_owned())));
        at + 1
    }

    /// Line numbers, hidden lines, labels and icons of code boxes.
    fn is_beside_code(&self, at: usize, tag: &StartTag) -> bool {
        if at >= self.code && at >= self.table {
            return tag.has_class(&GUTTERS)
                || !self.languages.is_empty() && tag.has_class(&BESIDE_CODE);
        }
        tag.has_class(&IN_CODE)
            || tag
                .get("style")
                .is_some_and(|style| style.replace(' ', "").contains("user-select:none"))
            || tag.get("aria-hidden") == Some("true")
            || self.is_number_cell(at, tag)
    }

    /// A cell of a code table with only numbers.
    fn is_number_cell(&self, at: usize, tag: &StartTag) -> bool {
        let inside = self.tree.inside(at);
        if at >= self.table || !matches!(tag.name.as_str(), "td" | "th") || inside.len() >= NEAR {
            return false;
        }
        let text = self.tree.text(inside);
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b' ')
    }

    /// A table with line numbers in one column and code in the other.
    fn is_code_table(&self, at: usize, tag: &StartTag) -> bool {
        let mut tags = self.tree.tags(self.tree.beginning(at, 12));
        tag.has_class(&CODE_TABLES)
            || tags.any(|tag| tag.name == "td" && tag.has_class(&NUMBER_CELLS))
    }
}
