//! Components in texts that are not MDX: those of Vue, and in every other text those that do not
//! have the name of an HTML element. They become tags of the other kinds; only what is in the tag
//! itself is special.

use rustc_hash::FxHashSet;

use super::mdx::{BOUND, Tag};
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::markup::{block_place, inline_place};
use crate::syntax::html::is_void;

/// Elements of HTML, whose names are read in any case. Obsolete ones, and those that authors hardly
/// write, are left out: with a capital they are components, such as `<Listing>`, `<Center>`,
/// `<Menu>`.
#[rustfmt::skip]
const ELEMENTS: [&str; 71] = [
    "a", "abbr", "audio", "b", "blockquote", "body", "br", "caption", "cite", "code", "col", "colgroup", "dd", "del", "details", "div", "dl", "dt",
    "em", "embed", "figcaption", "figure", "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i",
    "iframe", "img", "input", "ins", "kbd", "li", "link", "meta", "mark", "object", "ol", "p", "pre", "q", "s", "samp", "script", "section", "small",
    "span", "strong", "style", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "var", "video",
];

/// Rewrites the components of a text; `vue`: every component is one, and elements have attributes
/// and empty tags of Vue.
pub fn rewrite(lines: &mut Lines, vue: bool) {
    let text = lines.text.as_str();
    if !(vue && text.contains('<') || may_have(text)) {
        return;
    }
    let closed = if vue {
        FxHashSet::default()
    } else {
        closed(text)
    };
    let literals = lines.literals();
    let mut code = Code::from_literals(&literals);
    let mut splice = Splice::new(text);
    let mut at = 0;
    while let Some((start, tag)) = Tag::next(text, &mut code, at) {
        let range = start..start + tag.length;
        at = start + 1;
        let written = if is_component(&tag, &closed, vue) {
            let place = tag
                .place()
                .map(|id| match begins_line(&text[..range.start]) {
                    true => block_place(&id) + "\n\n",
                    false => inline_place(&id),
                });
            place.unwrap_or_default() + &tag.shortcode(None)
        } else if vue && is_special(&tag) {
            with_words(&tag)
        } else {
            continue;
        };
        at = range.end;
        splice.put_lines(range, &written);
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

fn begins_line(before: &str) -> bool {
    before.is_empty() || before.ends_with('\n')
}

/// Whether a text may have components: `<Name` or `</Name`.
pub fn may_have(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', bytes).any(|at| {
        let name = bytes[at + 1..]
            .strip_prefix(b"/")
            .unwrap_or(&bytes[at + 1..]);
        name.first().is_some_and(u8::is_ascii_uppercase)
            && name.get(1).is_some_and(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Whether a tag is one of a component. In a text of another kind `<DIV>` and `<Div>` are HTML, and
/// `<T>` may be a type: there it needs a name of its own, and an attribute or an end.
fn is_component(tag: &Tag<'_>, closed: &FxHashSet<&str>, vue: bool) -> bool {
    if !tag.name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    if vue {
        return true;
    }
    tag.name.contains(|c: char| c.is_ascii_lowercase())
        && !ELEMENTS.contains(&tag.name.to_ascii_lowercase().as_str())
        && (tag.closes || tag.empty || !tag.attributes.is_empty() || closed.contains(tag.name))
}

/// The names of all components that end somewhere.
fn closed(text: &str) -> FxHashSet<&str> {
    let ends = memchr::memmem::find_iter(text.as_bytes(), b"</");
    let names = ends.map(|at| {
        let name = &text[at + 2..];
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')));
        &name[..end.unwrap_or(name.len())]
    });
    names
        .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
        .collect()
}

/// Whether an element of Vue is written in another way than in HTML.
fn is_special(tag: &Tag<'_>) -> bool {
    let is_bound = |name: &str| name.starts_with(BOUND) || name.starts_with("v-");
    tag.empty && !is_void(tag.name) || tag.attributes.iter().any(|(name, _)| is_bound(name))
}

/// An element as HTML, with the words that Vue puts into it: `v-text="'Words'"`.
fn with_words(tag: &Tag<'_>) -> String {
    let html = tag.html();
    let words = tag.attribute("v-text").and_then(quoted).map(escaped);
    let Some(words) = words else { return html };
    match html.find("></").filter(|_| tag.empty) {
        Some(end) => format!("{}>{words}{}", &html[..end], &html[end + 1..]),
        None => html + &words,
    }
}

/// The words of an expression that is a text.
fn quoted(expression: &str) -> Option<&str> {
    let expression = expression.trim();
    let quote = expression.chars().next().filter(|c| "'\"`".contains(*c))?;
    let inner = expression[1..].strip_suffix(quote)?;
    (!inner.contains([quote, '\\', '$'])).then_some(inner)
}

/// Words as HTML shows them. No sign of Markdown or of a template is read in them.
fn escaped(words: &str) -> String {
    let mut html = String::new();
    for c in words.chars() {
        match c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-') {
            true => html.push(c),
            false => html.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    #[test]
    fn rule_12_components_of_vue() {
        let check = |text: &str, expected: &str| {
            testing::check(|lines| rewrite(lines, true), text, expected);
        };
        check(
            "# A <Badge type=\"tip\" text=\"^1.9.0\" />",
            "# A {{< Badge type=\"tip\" text=\"^1.9.0\" >}}",
        );
        check(
            "<Tab name=\"A\" :x=\"y\">\n\n    code\n\n</Tab>",
            "{{< tab name=\"A\" >}}\n\n    code\n\n{{< /tab >}}",
        );
        check(
            "<button :class=\"$s.b\" @click=\"n++\" id=\"i\">Go</button>",
            "<button id=\"i\">Go</button>",
        );
        check(
            "<span v-text=\"'Two & one'\"></span><b v-text=\"x\"></b><i v-text=\"'a'\" />",
            "<span>Two &#38; one</span><b></b><i>a</i>",
        );
        for text in [
            "a {b} {{ c }} <b class=\"x\">d</b>",
            "`<Badge text=\"x\" />`",
            "```vue\n<Badge />\n```",
            "import x from 'y'",
            "Promise\\<App> | never",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_56_empty_tags_of_vue_have_an_end() {
        let check = |text: &str, expected: &str| {
            testing::check(|lines| rewrite(lines, true), text, expected);
        };
        check(
            "# a<sup/> b <a id=\"x\"/><br/>",
            "# a<sup></sup> b <a id=\"x\"></a><br/>",
        );
        check("    <sup/>\n", "    <sup/>\n");
    }

    #[test]
    fn rule_52_case_tells_components_from_elements() {
        let check = |text: &str, expected: &str| {
            testing::check(|lines| rewrite(lines, false), text, expected);
        };
        check(
            "<Listing number=\"1\" caption=\"A\">\n\n```rust\n<Foo a=\"b\" />\n```\n\n</Listing>",
            "{{< Listing number=\"1\" caption=\"A\" >}}\n\n```rust\n<Foo a=\"b\" />\n```\n\n{{< /Listing >}}",
        );
        check("<Center>a</Center>", "{{< center >}}a{{< /center >}}");
        for text in [
            "<listing>a</listing>",
            "<DIV ID=\"a\">b</DIV> <Details>c</Details> <BR>",
            "Vec<T> and Map<String, Vec<Item>>",
            "`<Foo a=\"b\" />`\n\n    <Foo a=\"b\" />",
            "<https://a.b> <Https://a.b>",
        ] {
            check(text, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_components_panic(text in "(<|>|/|A|Bc|b|br| :c|=|\"|`|\n|é){0,40}", vue: bool) {
            let lines = Lines::after(&text, |lines| rewrite(lines, vue));
            proptest::prop_assert!(lines.come_from(&text));
        }
    }
}
