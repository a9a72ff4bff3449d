//! TeX as MathML, which browsers show without a script. What is not understood stays TeX.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::event::{Content, Event};
use pulldown_latex::{Parser, ParserError, Storage, push_mathml};

use super::escape;

/// The longest formula that is turned, in bytes.
const LONGEST: usize = 10_000;
/// How deep groups and environments may stand in each other.
const DEEPEST: usize = 64;
/// How many commands may follow each other with nothing between: the parser calls itself for the argument of each.
const CHAIN: usize = 64;
/// How much longer the MathML may be than the TeX.
const GROWTH: usize = 200;

/// A formula as `<math>`, with its TeX in an attribute: beside it, it would be read twice by whoever reads the words of a page. `None`: it is not understood.
pub(super) fn mathml(tex: &str, display: bool) -> Option<String> {
    let tex = tex.trim();
    if tex.len() > LONGEST || !is_tame(tex) {
        return None;
    }
    let plain = without_numbers(tex);
    written(&plain, tex, display).or_else(|| {
        // MathJax allows what TeX does not: lines and columns outside of any environment.
        let rows = display && (tex.contains("\\\\") || tex.contains('&'));
        rows.then(|| written(&format!("\\begin{{aligned}}{plain}\\end{{aligned}}"), tex, display)).flatten()
    })
}

fn written(tex: &str, source: &str, display: bool) -> Option<String> {
    let storage = Storage::new();
    let mut events: Vec<Result<_, ParserError>> = Vec::new();
    for event in Parser::new(tex, &storage) {
        let event = event.ok()?;
        // A name that is written as it stands could hold markup.
        if matches!(&event, Event::Content(Content::Function(name)) if name.contains(['<', '>', '&'])) {
            return None;
        }
        events.push(Ok(event));
        if events.len() > LONGEST {
            return None;
        }
    }
    let mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode: mode, ..RenderConfig::default() };
    let mut made = String::new();
    push_mathml(&mut made, events.into_iter(), config).ok()?;
    if !made.starts_with("<math") || made.len() > source.len() * GROWTH + LONGEST || made.contains("<merror") {
        return None;
    }
    let mut out = String::from("<math alttext=\"");
    escape::attribute(&mut out, source);
    out.push('"');
    out.push_str(&clean(&made)["<math".len()..]);
    Some(out)
}

/// Whether a formula stays within the bounds of what is parsed.
fn is_tame(tex: &str) -> bool {
    let (mut depth, mut deepest, mut chain) = (0_usize, 0, 0);
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let word = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
                let name = &rest[..word];
                match name {
                    "begin" | "left" => depth += 1,
                    "end" | "right" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                // Definitions are the way to a formula that never ends.
                if matches!(name, "def" | "gdef" | "edef" | "let" | "newcommand" | "renewcommand" | "futurelet") {
                    return false;
                }
                rest = &rest[if word == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { word }..];
                chain += 1;
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() => {}
            '^' | '_' | '\'' => chain += 1,
            _ => chain = 0,
        }
        deepest = deepest.max(depth);
        if deepest > DEEPEST || chain > CHAIN {
            return false;
        }
        if matches!(c, '{' | '}') {
            chain = 0;
        }
    }
    true
}

/// Labels and `\nonumber` mean nothing on a page without numbers; a tag is a word at the end.
fn without_numbers(tex: &str) -> String {
    let mut text = tex.replace("\\nonumber", "").replace("\\notag", "");
    for (command, put) in [("\\label{", ""), ("\\tag{", "\\qquad\\text{"), ("\\tag*{", "\\qquad\\text{")] {
        while let Some(at) = text.find(command) {
            let Some(end) = text[at..].find('}').map(|end| at + end) else { return text };
            let inner = text[at + command.len()..end].to_owned();
            let parentheses = command == "\\tag{";
            let new = match put {
                "" => String::new(),
                put if parentheses => format!("{put}({inner})}}"),
                put => format!("{put}{inner}}}"),
            };
            text.replace_range(at..=end, &new);
        }
    }
    text
}

/// MathML without `style`, which the pages' security policy allows nowhere, and with the signs escaped that the crate writes as they are: those of
/// operators (`<`, `>`, `&`), and its own `&nbsp;`, which it escapes twice.
fn clean(mathml: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(mathml.len()), mathml);
    while let Some(at) = rest.find(['<', '>', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
        let length = match rest.as_bytes()[0] {
            b'<' if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                let end = rest.find('>').map_or(rest.len(), |end| end + 1);
                push_tag(&mut out, &rest[..end]);
                end
            }
            b'&' => {
                const KNOWN: [(&str, &str); 5] =
                    [("&amp;nbsp;", "\u{a0}"), ("&nbsp;", "\u{a0}"), ("&amp;", "&amp;"), ("&lt;", "&lt;"), ("&gt;", "&gt;")];
                let known = KNOWN.into_iter().find(|(written, _)| rest.starts_with(written));
                let (written, put) = known.unwrap_or(("&", "&amp;"));
                out.push_str(put);
                written.len()
            }
            sign => {
                out.push_str(if sign == b'<' { "&lt;" } else { "&gt;" });
                1
            }
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn push_tag(out: &mut String, tag: &str) {
    let style = tag.find(" style=\"").and_then(|at| Some((at, at + 8 + tag[at + 8..].find('"')? + 1)));
    let (before, behind) = style.map_or((tag, ""), |(at, end)| (&tag[..at], &tag[end..]));
    out.push_str(before);
    out.push_str(behind);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tex: &str, inner: &str) {
        let found = mathml(tex, false).unwrap_or_default();
        assert!(found.starts_with("<math alttext=\"") && found.contains(inner), "{tex}: {found}");
    }

    #[test]
    fn rule_25_tex_becomes_mathml() {
        check("a_1", "<msub><mi>a</mi><mn>1</mn></msub>");
        check("\\frac{1}{2}", "<mfrac>");
        check("\\text{<b> & c}", "<mtext>&lt;b&gt; &amp; c</mtext>");
        check("\\color{red} x \\label{eq} \\tag{1}", "<mi>x</mi>");
        assert!(!mathml("\\color{red} x", true).unwrap().contains("style"));
        check("a < b > c\\ d", "<mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mi>c</mi><mtext>\u{a0}</mtext>");
        check("a \\not< b \\& c", "<mo>&lt;\u{338}</mo>");
        assert!(mathml("a &= b \\\\ c &= d", true).unwrap().contains("<mtr>"));
    }

    #[test]
    fn a_formula_brings_no_markup() {
        let found = mathml("\\text{</annotation></math><script>alert(1)</script>} < {{b}}", false).unwrap();
        assert!(!found.contains("<script") && found.matches("</math>").count() == 1, "{found}");
        assert!(found.starts_with("<math alttext=\"\\text{&lt;/annotation&gt;") && found.contains("&lt; &#123;{b}}\" display"), "{found}");
        assert!(mathml("\\text{\"x\"}", false).unwrap().contains("alttext=\"\\text{&quot;x&quot;}\""));
    }

    #[test]
    fn rule_25_what_is_not_understood_stays_tex() {
        for tex in [
            "\\operatorname{<script>}",
            "\\mathop{<b>}x",
            "\\ce{H2O}",
            "{",
            "}",
            "\\",
            "x^",
            "\\href{javascript:x}{y}",
            "\\def\\a{\\a\\a}\\a",
            "a & b",
        ] {
            assert_eq!(mathml(tex, false), None, "{tex}");
        }
    }

    #[test]
    fn a_hostile_formula_is_bounded() {
        let hostile = [
            "{".repeat(3000),
            format!("{}x{}", "{".repeat(1500), "}".repeat(1500)),
            format!("{}x{}", "{".repeat(60), "}".repeat(60)),
            "\\not".repeat(1000) + "x",
            "\\not".repeat(60) + "x",
            "\\mathbf".repeat(1000) + "x",
            "\\not ^".repeat(500) + "x",
            "\\frac".repeat(60),
            "x^".repeat(2000),
            "\\left(".repeat(500) + &"\\right)".repeat(500),
            "\\begin{matrix}".repeat(60) + &"\\end{matrix}".repeat(60),
            "\\hspace{99999999999999999em}".to_owned(),
            "\\Space{1em}{1em}{1em}".repeat(300),
            "'".repeat(3000),
            "\\tag{".repeat(1500),
        ];
        for tex in hostile {
            let run = move || drop(mathml(&tex, true));
            std::thread::Builder::new().stack_size(1024 * 1024).spawn(run).unwrap().join().unwrap();
        }
    }

    proptest::proptest! {
        #[test]
        fn no_formula_panics(tex in "(\\\\[a-z]{1,8}|\\\\frac|\\\\left\\(|\\\\right|\\\\begin\\{matrix\\}|\\\\end\\{matrix\\}|\\\\text\\{|\\{|\\}|[a-z0-9&^_'<>é \\\\]){0,30}") {
            let made = mathml(&tex, true).unwrap_or_default();
            let (mut open, mut rest) = (Vec::new(), made.as_str());
            while let Some((before, tag, behind)) = rest.split_once('<').and_then(|(before, rest)| rest.split_once('>').map(|(tag, rest)| (before, tag, rest))) {
                proptest::prop_assert!(!before.contains('>') && !tag.contains('<'), "{made}");
                match tag.strip_prefix('/') {
                    Some(name) => proptest::prop_assert_eq!(open.pop(), Some(name), "{}", made),
                    None if tag.ends_with('/') => {}
                    None => open.push(tag.split(' ').next().unwrap_or_default()),
                }
                rest = behind;
            }
            proptest::prop_assert!(open.is_empty() && rest.is_empty(), "{made}");
        }
    }
}
