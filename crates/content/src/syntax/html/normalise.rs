//! What generators and their scripts make of an article's own parts, turned back: line numbers and hidden lines go out of code, its language comes
//! from wherever it is said; boxes become callouts; typeset formulas become TeX; furniture goes.

use std::ops::Range;

use super::attributes::{code_language, language_of_box};
use super::boilerplate;
use super::tokens::{Attribute, StartTag, Token};
use super::tree::Tree;

/// The name of a callout among the tokens: no tag of a page can have capitals.
pub(super) const CALLOUT: &str = "CALLOUT";
/// The name of a formula among the tokens.
pub(super) const TEX: &str = "TEX";

/// How much of a page around an element is looked at.
const NEAR: usize = 3000;

/// The tokens of a range as the builder reads them; `dropped` are elements that are furniture here, in order.
pub(super) fn normalise(tree: &Tree<'_>, range: Range<usize>, dropped: &[usize]) -> Vec<Token> {
    let mut tidy =
        Tidy { tree, out: Vec::with_capacity(range.len()), ends: Vec::new(), languages: Vec::new(), titles: Vec::new(), code: 0, table: 0 };
    let mut at = range.start;
    while at < range.end && !crate::model::bounds::is_over() {
        tidy.leave(at);
        at = match &tree.tokens[at] {
            Token::Start(_) if dropped.binary_search(&at).is_ok() => tree.behind(at).max(at + 1),
            Token::Start(tag) => tidy.start(at, tag),
            Token::End(name) => {
                tidy.end(at, name);
                at + 1
            }
            token => {
                tidy.out.push(token.clone());
                at + 1
            }
        };
    }
    tidy.out
}

struct Tidy<'t> {
    tree: &'t Tree<'t>,
    out: Vec<Token>,
    /// End tags that become another, or (`None`) nothing, by the number of their token; the innermost is the last.
    ends: Vec<(usize, Option<&'static str>)>,
    /// Languages that open boxes name for the code in them, and where each ends.
    languages: Vec<(usize, String)>,
    /// Elements that are titles of callouts, whose text is known already.
    titles: Vec<usize>,
    /// Where the code that is open ends; 0 outside.
    code: usize,
    /// Where the table ends that only puts line numbers beside code; 0 outside.
    table: usize,
}

impl Tidy<'_> {
    /// Forgets what ended before a token.
    fn leave(&mut self, at: usize) {
        while self.languages.last().is_some_and(|(end, _)| *end <= at) {
            self.languages.pop();
        }
        if self.code <= at {
            self.code = 0;
        }
        if self.table <= at {
            self.table = 0;
        }
    }

    /// A start tag; the number of the token to go on with.
    fn start(&mut self, at: usize, tag: &StartTag) -> usize {
        let tree = self.tree;
        let (inside, behind) = (tree.inside(at), tree.behind(at).max(at + 1));
        if let Some((tex, display)) = formula(tree, at, tag) {
            self.out.push(Token::Start(made(tag, TEX, &[("tex", &tex), ("display", if display { "true" } else { "false" })])));
            return behind;
        }
        if boilerplate::anywhere(tag) || self.titles.contains(&at) || is_typeset(tag) || self.is_beside_code(at, tag) {
            return behind;
        }
        if self.table > 0 && matches!(tag.name.as_str(), "table" | "thead" | "tbody" | "tr" | "td" | "th" | "colgroup" | "col") {
            self.end_as(at, None);
            return at + 1;
        }
        match tag.name.as_str() {
            "table" if is_code_table(tree, at, tag) => {
                self.table = behind;
                self.end_as(at, None);
                return at + 1;
            }
            "pre" if self.code > 0 => {
                self.end_as(at, None);
                return at + 1;
            }
            "pre" => {
                self.code = behind;
                let inner = || {
                    tree.children(inside.clone())
                        .into_iter()
                        .filter_map(|child| tree.tag(child))
                        .find_map(|tag| code_language(tag).or_else(|| language_of_box(tag)))
                };
                let around = || self.languages.last().map(|(_, language)| language.clone());
                if code_language(tag).is_none()
                    && let Some(language) = language_of_box(tag).or_else(inner).or_else(around)
                {
                    self.out.push(Token::Start(made(tag, "pre", &[("data-lang", &language)])));
                    return at + 1;
                }
            }
            _ => {}
        }
        if let Some((kind, title)) = callout(tree, at, tag) {
            self.end_as(at, Some(CALLOUT));
            let words = title.map(|title| tree.text(near(tree, title))).filter(|words| !words.eq_ignore_ascii_case(kind)).unwrap_or_default();
            self.titles.truncate(20);
            self.titles.extend(title);
            if tag.get("class").is_some_and(|class| class.contains("admonitionblock")) {
                self.table = behind;
            }
            self.out.push(Token::Start(made(tag, CALLOUT, &[("kind", kind), ("title", &words)])));
            return at + 1;
        }
        if let Some(language) = language_of_box(tag).filter(|_| self.languages.len() < 20) {
            self.languages.push((behind, language));
        }
        self.out.push(Token::Start(tag.clone()));
        at + 1
    }

    /// Lets the end tag of the element that begins at `at` become another or nothing, if it has one.
    fn end_as(&mut self, at: usize, becomes: Option<&'static str>) {
        let end = self.tree.inside(at).end;
        if self.tree.behind(at) == end + 1 {
            self.ends.push((end, becomes));
        }
    }

    fn end(&mut self, at: usize, name: &str) {
        while self.ends.last().is_some_and(|(end, _)| *end < at) {
            self.ends.pop();
        }
        if name == "tr" && self.code > 0 && !matches!(self.out.last(), Some(Token::Text(text, _)) if text.ends_with('\n')) {
            self.out.push(Token::Text("\n".to_owned(), 0));
        }
        let becomes = self.ends.pop_if(|(end, _)| *end == at);
        match becomes {
            Some((_, Some(name))) => self.out.push(Token::End(name.to_owned())),
            Some((_, None)) => {}
            None => self.out.push(Token::End(name.to_owned())),
        }
    }

    /// Line numbers, lines that a book hides, labels and signs on boxes of code.
    fn is_beside_code(&self, at: usize, tag: &StartTag) -> bool {
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
        let classes = || tag.get("class").into_iter().flat_map(str::split_whitespace);
        if self.code > 0 || self.table > 0 {
            let numbers = || {
                let inside = self.tree.inside(at);
                matches!(tag.name.as_str(), "td" | "th" | "span") && inside.len() < NEAR && {
                    let text = self.tree.text(inside);
                    self.table > 0
                        && tag.name != "span"
                        && text.split(' ').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
                }
            };
            let unselectable = tag.get("style").is_some_and(|style| style.replace(' ', "").contains("user-select:none"));
            return classes().any(|class| IN_CODE.contains(&class)) || unselectable || tag.get("aria-hidden") == Some("true") || numbers();
        }
        // Scripts of highlighters put a gutter or a label beside the code.
        (!self.languages.is_empty()
            && classes().any(|class| matches!(class, "lang" | "copy" | "gutter" | "line-numbers-wrapper" | "code-lang" | "buttons")))
            || classes().any(|class| matches!(class, "linenodiv" | "rouge-gutter"))
    }
}

/// A tag that stands in the place of another.
fn made(tag: &StartTag, name: &str, attributes: &[(&str, &str)]) -> StartTag {
    let id = tag.attributes.iter().filter(|attribute| attribute.name == "id").cloned();
    let own = attributes.iter().map(|(name, value)| Attribute { name: (*name).to_owned(), value: (*value).to_owned(), offset: tag.start });
    StartTag { name: name.to_owned(), attributes: id.chain(own).collect(), start: tag.start, end: tag.end }
}

/// A table that has line numbers in one column and code in the other.
fn is_code_table(tree: &Tree<'_>, at: usize, tag: &StartTag) -> bool {
    const TABLES: [&str; 7] = ["lntable", "rouge-table", "highlighttable", "codehilitetable", "hljs-ln", "linenums-table", "gist-table"];
    const GUTTERS: [&str; 7] = ["gutter", "linenos", "lntd", "rouge-gutter", "lineNumbers", "hljs-ln-numbers", "gl"];
    let has = |tag: &StartTag, names: &[&str]| tag.get("class").is_some_and(|class| class.split_whitespace().any(|class| names.contains(&class)));
    let inside = tree.inside(at);
    let near = inside.start..inside.end.min(inside.start + 12);
    has(tag, &TABLES) || near.filter_map(|at| tree.tag(at)).any(|tag| tag.name == "td" && has(tag, &GUTTERS))
}

/// The kind of a box with a notice in it, and the element that is its title.
fn callout(tree: &Tree<'_>, at: usize, tag: &StartTag) -> Option<(&'static str, Option<usize>)> {
    if !matches!(tag.name.as_str(), "div" | "aside" | "section" | "blockquote") {
        return None;
    }
    let classes: Vec<String> = tag.get("class")?.split_whitespace().take(30).map(str::to_ascii_lowercase).collect();
    // Boxes that are notices by themselves, and those that only a kind makes one.
    const NOTICES: [&str; 9] = [
        "admonition",
        "admonitionblock",
        "theme-admonition",
        "markdown-alert",
        "starlight-aside",
        "custom-block",
        "blockquote-tag",
        "book-hint",
        "callout-block",
    ];
    const BOXES: [&str; 5] = ["alert", "callout", "hint", "notice", "note"];
    let notice = classes.iter().any(|class| NOTICES.contains(&class.as_str()));
    let boxed = classes.iter().find(|class| BOXES.contains(&class.as_str()));
    if !notice && (boxed.is_none() || tag.name == "section") {
        return None;
    }
    let kind = classes.iter().filter(|class| !NOTICES.contains(&class.as_str()) && Some(*class) != boxed).find_map(|class| {
        let word = class.rsplit("--").next().unwrap_or(class);
        let word = if word == class { class.rsplit_once('-').map_or(class.as_str(), |(_, word)| word) } else { word };
        crate::model::document::callout_kind(word)
    });
    let own =
        boxed.filter(|class| matches!(class.as_str(), "note" | "hint" | "notice")).and_then(|class| crate::model::document::callout_kind(class));
    let kind = kind.or(own).or_else(|| notice.then_some("note"))?;
    let inside = tree.inside(at);
    let title = (inside.start..inside.end.min(inside.start + 14)).find(|at| tree.tag(*at).is_some_and(is_callout_title));
    Some((kind, title))
}

fn is_callout_title(tag: &StartTag) -> bool {
    const TITLES: [&str; 10] = [
        "admonition-title",
        "admonitionheading",
        "alert-heading",
        "alert-title",
        "blockquote-tag-title",
        "callout-header",
        "callout-title",
        "custom-block-title",
        "markdown-alert-title",
        "starlight-aside__title",
    ];
    // Scripts of some generators make classes unique with a tail: `admonitionHeading_Gvgb`.
    let is = |class: &str| {
        let class = class.to_ascii_lowercase();
        let bare = class.split_once('_').filter(|(bare, _)| *bare == "admonitionheading").map_or(class.as_str(), |(bare, _)| bare);
        TITLES.contains(&bare) || (class == "icon" && tag.name == "td")
    };
    tag.get("class").is_some_and(|classes| classes.split_whitespace().any(is))
}

/// The TeX of a formula that a script or a program typeset, and whether it stands on a line of its own.
fn formula(tree: &Tree<'_>, at: usize, tag: &StartTag) -> Option<(String, bool)> {
    let classes = || tag.get("class").into_iter().flat_map(str::split_whitespace);
    let inside = tree.inside(at);
    let near = inside.start..inside.end.min(inside.start + NEAR);
    let has = |name: &str| classes().any(|class| class == name);
    let filled = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    match tag.name.as_str() {
        "script" => {
            let kind = tag.get("type").filter(|kind| kind.starts_with("math/tex"))?;
            Some((filled(tree.text(near))?, kind.contains("mode=display")))
        }
        "math" => {
            let display = tag.get("display") == Some("block");
            Some((annotation(tree, near).or_else(|| tag.get("alttext").map(str::to_owned)).and_then(filled)?, display))
        }
        "span" | "div" if has("katex-display") || has("katex") => Some((annotation(tree, near).and_then(filled)?, has("katex-display"))),
        "mjx-container" => Some((annotation(tree, near).and_then(filled)?, tag.get("display") == Some("true"))),
        // Sphinx, Pandoc, Arithmatex: TeX between its delimiters, for a script to typeset.
        "span" | "div" if has("math") || has("arithmatex") => {
            let text = filled(tree.text(near))?;
            let between = |open: &str, close: &str| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map(str::trim);
            let inline = between("\\(", "\\)").map(|tex| (tex, false));
            let (tex, display) = inline.or_else(|| between("\\[", "\\]").or_else(|| between("$$", "$$")).map(|tex| (tex, true)))?;
            Some((tex.to_owned(), display))
        }
        _ => None,
    }
}

/// What MathJax made of a formula: its TeX stands beside it in a script.
fn is_typeset(tag: &StartTag) -> bool {
    const MADE: [&str; 6] = ["MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_SVG", "MathJax_CHTML", "mjx-chtml"];
    tag.name == "span" && tag.get("class").is_some_and(|class| class.split_whitespace().any(|class| MADE.contains(&class)))
}

/// The TeX that a formula carries with it.
fn annotation(tree: &Tree<'_>, range: Range<usize>) -> Option<String> {
    let is_tex =
        |tag: &StartTag| tag.name == "annotation" && tag.get("encoding").is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"));
    let at = range.into_iter().find(|at| tree.tag(*at).is_some_and(is_tex))?;
    Some(tree.text(near(tree, at)))
}

/// The beginning of an element: one that nobody closes goes on to the end of the page, and may be one of many.
fn near(tree: &Tree<'_>, at: usize) -> Range<usize> {
    let inside = tree.inside(at);
    inside.start..inside.end.min(inside.start + NEAR)
}
