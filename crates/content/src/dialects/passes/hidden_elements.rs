//! Raw HTML that no browser shows: elements with `hidden`, `display: none` or `visibility: hidden`,
//! a `<dialog>` that is not open, in JSX `<If condition={false}>`, and in Pandoc's Markdown the classes of
//! blocks between colons. They are removed with their content.

mod tag;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::page::Page;
use super::pandoc::Said;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::{Lines, Remark};
use crate::model::bounds;
use crate::model::problem::MOST_OF_ONE_FILE;
use crate::model::text::{Marks, one_line, shorten};
use crate::syntax::html::is_void;
use tag::{Hides, HtmlTag};

/// What a text with such elements has.
const SIGNS: [&str; 10] = [
    "content-visible",
    "idden",
    "IDDEN",
    "isplay",
    "ISPLAY",
    "isibility",
    "ISIBILITY",
    "<dialog",
    "<DIALOG",
    "false",
];
/// One scan for all of them together.
static ANY: Marks = Marks::new(&[&SIGNS]);

/// Elements that go on behind a blank line although nothing ends them.
const BLOCKS: [&str; 17] = [
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "div",
    "dl",
    "fieldset",
    "figure",
    "footer",
    "form",
    "header",
    "main",
    "ol",
    "section",
    "table",
    "ul",
];

/// Whether a text may have elements that no browser shows.
pub fn may_have_some(text: &str) -> bool {
    memchr::memchr(b'<', text.as_bytes()).is_some() && ANY.any(text)
}

/// Removes the elements that no browser shows.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let text = lines.text.as_str();
    if page.html || !may_have_some(text) {
        return;
    }
    let literals = lines.literals();
    let mut elements = Elements::new(text, page);
    elements.read(Code::from_literals(&literals));
    let mut splice = Splice::new(text);
    let mut removed = Vec::new();
    for Hidden {
        range,
        content,
        hides,
    } in elements.hidden
    {
        // What has no content may be the place of a link.
        let is_empty = text[content..range.end].trim_start().starts_with("</");
        if range.start >= splice.done() && !is_empty {
            if hides != Hides::Class {
                removed.push((range.start, &text[range.start..content]));
            }
            splice.put(range, "");
        }
    }
    let remarks = removed.into_iter().take(MOST_OF_ONE_FILE + 1);
    let remarks: Vec<Remark> = remarks.map(|(at, tag)| remark(lines, at, tag)).collect();
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
    lines.remarks.extend(remarks);
}

fn remark(lines: &Lines, at: usize, tag: &str) -> Remark {
    let tag = shorten(&one_line(tag), 60);
    let message = format!("the element is not shown, as in browsers: `{tag}`");
    lines.remark(at, message)
}

/// An element that is not shown, from its tag to its end, and where its content begins.
struct Hidden {
    range: Range<usize>,
    content: usize,
    hides: Hides,
}

impl Hidden {
    /// Where it ends if no tag ends it: a block with the text, which has this length, anything else with
    /// its paragraph, before the next blank line. A `<dialog>` may be a name that the author wrote.
    fn end_without_tag(&self, is_block: bool, blank: &[usize], length: usize) -> usize {
        match self.hides {
            Hides::Dialog => self.range.start,
            Hides::Attribute | Hides::Class if is_block => length,
            Hides::Attribute | Hides::Class => {
                let next = blank.partition_point(|at| *at < self.content);
                blank.get(next).copied().unwrap_or(length)
            }
        }
    }
}

/// An element without an end so far.
struct Open {
    name: String,
    /// The number of its entry, if it is not shown.
    hidden: Option<usize>,
}

/// The elements of a text.
struct Elements<'t> {
    text: &'t str,
    jsx: bool,
    /// What conditions ask, where classes have a meaning.
    said: Option<Said<'t>>,
    open: Vec<Open>,
    /// How many elements of a name are open.
    counts: FxHashMap<String, usize>,
    hidden: Vec<Hidden>,
    /// Whether all comments are behind.
    has_no_comment: bool,
}

impl<'t> Elements<'t> {
    fn new(text: &'t str, page: &Page<'t>) -> Self {
        Self {
            text,
            jsx: page.jsx,
            said: Said::on_page(page),
            open: Vec::new(),
            counts: FxHashMap::default(),
            hidden: Vec::new(),
            has_no_comment: false,
        }
    }

    fn read(&mut self, mut code: Code<'_>) {
        let mut at = 0;
        while !bounds::is_over()
            && let Some(step) = memchr::memchr(b'<', &self.text.as_bytes()[at..])
        {
            at += step;
            if let Some(code) = code.at(at) {
                at = code.end;
            } else if let Some(end) = self.comment(at) {
                at = end;
            } else if let Some(tag) = HtmlTag::at(self.text, at, self.jsx, self.said.is_some()) {
                at = tag.end;
                self.tag(tag);
            } else {
                at += 1;
            }
        }
        self.end_all();
    }

    /// The end of the comment that begins here.
    fn comment(&mut self, at: usize) -> Option<usize> {
        if self.has_no_comment || !self.text[at..].starts_with("<!--") {
            return None;
        }
        let end = memchr::memmem::find(&self.text.as_bytes()[at..], b"-->");
        self.has_no_comment = end.is_none();
        end.map(|end| at + end + "-->".len())
    }

    /// Why an element is not shown.
    fn hides(&self, tag: &HtmlTag<'_>) -> Option<Hides> {
        let by_class = || {
            let said = self
                .said
                .as_ref()
                .filter(|_| matches!(&*tag.name, "div" | "span"))?;
            let is_shown = tag.given.is_shown(said) && !tag.given.has("hidden");
            (!is_shown).then_some(Hides::Class)
        };
        tag.hides.or_else(by_class)
    }

    fn tag(&mut self, tag: HtmlTag<'_>) {
        if tag.closes {
            if self.counts.get(&tag.name).is_some_and(|count| *count > 0) {
                self.close(&tag);
            }
            return;
        }
        while self.open.last().is_some_and(|open| tag.ends(&open.name)) {
            self.end_last(tag.start);
        }
        let is_whole = tag.empty || is_void(&tag.name);
        let hides = self.hides(&tag);
        let hidden = hides.map(|hides| self.note_hidden(&tag, hides));
        if !is_whole {
            *self.counts.entry(tag.name.clone()).or_default() += 1;
            self.open.push(Open {
                name: tag.name,
                hidden,
            });
        }
    }

    /// Adds an entry for an element that is not shown; returns its number.
    fn note_hidden(&mut self, tag: &HtmlTag<'_>, hides: Hides) -> usize {
        self.hidden.push(Hidden {
            range: tag.start..tag.end,
            content: tag.end,
            hides,
        });
        self.hidden.len() - 1
    }

    /// Ends an element, and those in it that have no end of their own.
    fn close(&mut self, tag: &HtmlTag<'_>) {
        while let Some(last) = self.open.last() {
            let is_own = last.name == tag.name;
            self.end_last(if is_own { tag.end } else { tag.start });
            if is_own {
                return;
            }
        }
    }

    fn end_last(&mut self, end: usize) {
        let Some(last) = self.open.pop() else { return };
        if let Some(count) = self.counts.get_mut(&last.name) {
            *count -= 1;
        }
        if let Some(at) = last.hidden {
            self.hidden[at].range.end = end;
        }
    }

    /// Ends the elements that no tag ends.
    fn end_all(&mut self) {
        let blank = self.text.match_indices("\n\n");
        let blank: Vec<usize> = blank.map(|(at, _)| at).collect();
        for open in std::mem::take(&mut self.open) {
            let Some(at) = open.hidden else {
                continue;
            };
            let hidden = &mut self.hidden[at];
            let is_block = BLOCKS.contains(&&*open.name);
            hidden.range.end = hidden.end_without_tag(is_block, &blank, self.text.len());
        }
        self.hidden.retain(|hidden| !hidden.range.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::page::testing::on_page;
    use crate::syntax::front::Front;

    fn hide(lines: &mut Lines, jsx: bool) {
        on_page(None, &Front::default(), |page| {
            let page = Page { jsx, ..*page };
            rewrite(lines, &page);
        });
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let lines = Lines::after(text, |lines| hide(lines, false));
        assert_eq!(lines.text, expected, "{text}");
        assert_eq!(lines.remarks.is_empty(), text == expected, "{text}");
    }

    #[test]
    fn rule_26_what_no_browser_shows_is_removed() {
        check("a <span hidden>x</span> b", "a  b");
        check("<p hidden>x</p>\n\nb", "\n\nb");
        check(
            "<div style=\"color: red; display:none\">\n\n**x**\n\n<div>y</div>\n\nz\n\n</div>\n\nb",
            "\n\nb",
        );
        check("<DIV STYLE='Display: None !important'>x</DIV>b", "b");
        check("<i style=visibility:hidden width=5>x</i>b", "b");
        check(
            "<dialog>x</dialog>a<dialog open>b</dialog>",
            "a<dialog open>b</dialog>",
        );
        check("<ul>\n<li hidden>x\n<li>b\n</ul>", "<ul>\n<li>b\n</ul>");
        check("<ul><li hidden>x</ul>b", "<ul></ul>b");
        check("<img hidden src=a.png>b", "b");
        check("a <b hidden>x\n\nb", "a \n\nb");
        check("<div hidden>\n\nx", "");
        check("<div hidden><!-- </div> -->x</div>b", "b");
    }

    #[test]
    fn rule_26_what_browsers_show_stays() {
        for text in [
            "<span hidden=\"until-found\">a</span>",
            "`<span hidden>a</span>`",
            "```\n<p hidden>a</p>\n```",
            "<p style=\"display: none; display: block\">a</p>",
            "<p style=\"--display:none\" title='hidden'>a</p>",
            "the <dialog> element is hidden",
            "<noscript>a hidden text</noscript>",
            "<a id=\"x\" style=\"display:none\"></a>b",
            "<Tab hidden>a</Tab>",
            "<!-- <p hidden> -->a",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_26_hidden_elements_of_jsx() {
        let after = |text: &str| Lines::after(text, |lines| hide(lines, true)).text;
        assert_eq!(after("<div hidden />a"), "a");
        assert_eq!(
            after("<div hidden={false}>a</div>"),
            "<div hidden={false}>a</div>"
        );
        assert_eq!(
            after("<p style={{color: 'red', display: 'none'}}>x</p>a"),
            "a"
        );
    }

    #[test]
    fn rule_26_a_component_whose_condition_is_false_is_hidden() {
        let after = |text: &str| Lines::after(text, |lines| hide(lines, true)).text;
        for tag in [
            "If condition={false}",
            "Show when={ false }",
            "When is = {  false  }",
            "If id=\"a\" test={false}",
        ] {
            let name = tag.split(' ').next().unwrap();
            assert_eq!(
                after(&format!(
                    "a<{tag}>\n\n**x** <If condition={{x}}>y</If>\n\n</{name}>"
                )),
                "a"
            );
        }
        for text in [
            "<If condition={true}>a</If>",
            "<If condition={x}>a</If>",
            "<If other={false}>a</If>",
            "<Tabs show={false}>a</Tabs>",
            "<If condition=\"={false}\">a</If>",
            "<If condition=\"{false}\">a</If>",
            "`<If condition={false}>a</If>`",
        ] {
            assert_eq!(after(text), text);
        }
    }

    #[test]
    fn rule_26_a_remark_names_the_hidden_element() {
        let lines = Lines::after("a\n\nb <i hidden>x</i>", |lines| hide(lines, false));
        let remark = &lines.remarks[0];
        assert_eq!((remark.line, remark.column), (2, 3));
        assert_eq!(
            remark.message,
            "the element is not shown, as in browsers: `<i hidden>`"
        );
    }

    #[test]
    fn rule_26_elements_of_pandoc_are_hidden_by_class_and_condition() {
        let after = |kind: &str, text: &str| {
            let lines = Lines::after(text, |lines| {
                on_page(Some(kind), &Front::default(), |page| rewrite(lines, page));
            });
            lines.text
        };
        for text in [
            "<div class=\"content-hidden\">\nx\n\n<div>y</div>\n</div>a",
            "<span class='b content-hidden'>x</span>a",
            "<div class=content-visible when-format=\"pdf\">x</div>a",
            "<div class=\"content-hidden\" data-when-format=\"html\">x</div>a",
            "<div class=\"content-visible\" when-profile=\"x\">x</div>a",
            "<div class=\"hidden\">x</div>a",
        ] {
            assert_eq!(after("quarto", text), "a", "{text}");
        }
        for text in [
            "<div class=\"content-visible\" when-format=\"html\">a</div>",
            "<div class=\"content-hidden\" unless-format=\"html\">a</div>",
            "<p class=\"content-hidden\">a</p>",
            "`<span class=\"content-hidden\">a</span>`",
            "<div title=\"content-hidden\">a</div>",
        ] {
            assert_eq!(after("quarto", text), text);
        }
        let own = "<div class=\"content-hidden\">a</div>";
        assert_eq!(after("mkdocs", own), own);
    }

    #[test]
    fn a_hostile_text_is_bounded() {
        for unit in ["<a ", "<b hidden>", "<!--", "<i></b>", "<p hidden></p><!--"] {
            let text = unit.repeat(100_000) + "hidden";
            Lines::after(&text, |lines| hide(lines, false));
        }
    }

    proptest::proptest! {
        #[test]
        fn no_element_panics(text in "(<|>|/|b|p|li| hidden| style=|\"display:none\"|'|\\{|\\}|`|\n|é|</p>|<p>|<!--|-->){0,40}", jsx in proptest::bool::ANY) {
            let lines = Lines::after(&text, |lines| hide(lines, jsx));
            proptest::prop_assert!(lines.come_from(&text));
        }
    }
}
