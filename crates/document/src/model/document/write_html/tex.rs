//! TeX as MathML, which browsers render without a script. Unsupported formulas stay TeX.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::event::{Content, Event};
use pulldown_latex::{Parser, ParserError, Storage, push_mathml};

use super::escape;

/// Maximum length of a formula that is converted, in bytes.
const LONGEST: usize = 10_000;
/// Maximum nesting depth of groups and environments.
const DEEPEST: usize = 64;
/// Maximum number of consecutive commands: the parser recurses for the argument of each.
const CHAIN: usize = 64;
/// Maximum ratio of the MathML's length to the TeX's.
const GROWTH: usize = 200;

/// A formula as `<math>`, with its TeX in an attribute: as text, programs that extract a page's
/// text would read the formula twice. `None`: it is not supported.
pub(super) fn mathml(tex: &str, display: bool) -> Option<String> {
    let tex = tex.trim();
    if tex.len() > LONGEST || !is_tame(tex) {
        return None;
    }
    let plain = without_numbers(tex);
    // MathJax extends TeX: rows and columns outside any environment.
    let has_rows = display && (tex.contains("\\\\") || tex.contains('&'));
    match render(&plain, tex, display) {
        None if has_rows => render(
            &format!("\\begin{{aligned}}{plain}\\end{{aligned}}"),
            tex,
            display,
        ),
        rendered => rendered,
    }
}

fn write_events(events: Vec<Result<Event<'_>, ParserError>>, display: bool) -> Option<String> {
    let display_mode = if display {
        DisplayMode::Block
    } else {
        DisplayMode::Inline
    };
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    let mut mathml = String::new();
    push_mathml(&mut mathml, events.into_iter(), config).ok()?;
    Some(mathml)
}

fn events<'s>(tex: &'s str, storage: &'s Storage) -> Option<Vec<Result<Event<'s>, ParserError>>> {
    let mut events = Vec::new();
    for event in Parser::new(tex, storage) {
        let event = event.ok()?;
        // A name is written unescaped, and could contain markup.
        let has_markup = matches!(&event, Event::Content(Content::Function(name)) if name.contains(['<', '>', '&']));
        if has_markup || events.len() == LONGEST {
            return None;
        }
        events.push(Ok(event));
    }
    Some(events)
}

fn render(tex: &str, source: &str, display: bool) -> Option<String> {
    let storage = Storage::new();
    let events = events(tex, &storage)?;
    let mathml = write_events(events, display)?;
    if mathml.len() > source.len() * GROWTH + LONGEST || mathml.contains("<merror") {
        return None;
    }
    let mut out = String::from("<math alttext=\"");
    escape::attribute(&mut out, source);
    out += "\"";
    out += clean(&mathml).strip_prefix("<math")?;
    Some(out)
}

/// Whether a formula stays within the limits of the parser.
fn is_tame(tex: &str) -> bool {
    let (mut depth, mut chain) = (0_usize, 0);
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let name = command_name(rest);
                rest = &rest[name.len()..];
                match name {
                    "begin" | "left" => depth += 1,
                    "end" | "right" => depth = depth.saturating_sub(1),
                    // Definitions could make a formula endless.
                    "def" | "gdef" | "edef" | "let" | "newcommand" | "renewcommand"
                    | "futurelet" => return false,
                    _ => {}
                }
                chain += 1;
            }
            '{' => (depth, chain) = (depth + 1, 0),
            '}' => (depth, chain) = (depth.saturating_sub(1), 0),
            '^' | '_' | '\'' => chain += 1,
            c if c.is_whitespace() => {}
            _ => chain = 0,
        }
        if depth > DEEPEST || chain > CHAIN {
            return false;
        }
    }
    true
}

/// The name of the command after a backslash: letters, or one other character.
fn command_name(rest: &str) -> &str {
    let letters = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let other = rest.chars().next().map_or(0, char::len_utf8);
    &rest[..letters.max(other)]
}

/// Removes labels and `\nonumber`, which have no meaning without equation numbers; a tag becomes
/// text at the end.
fn without_numbers(tex: &str) -> String {
    let mut text = tex.replace("\\nonumber", "").replace("\\notag", "");
    for (command, before, behind) in [
        ("\\label{", "", ""),
        ("\\tag{", "\\qquad\\text{(", ")}"),
        ("\\tag*{", "\\qquad\\text{", "}"),
    ] {
        while let Some(at) = text.find(command) {
            let Some(end) = text[at..].find('}').map(|end| at + end) else {
                return text;
            };
            let words = if before.is_empty() {
                ""
            } else {
                &text[at + command.len()..end]
            };
            let put = format!("{before}{words}{behind}");
            text.replace_range(at..=end, &put);
        }
    }
    text
}

/// References and characters that [`clean`] replaces.
const SIGNS: [(&str, &str); 8] = [
    ("&amp;nbsp;", "\u{a0}"),
    ("&nbsp;", "\u{a0}"),
    ("&amp;", "&amp;"),
    ("&lt;", "&lt;"),
    ("&gt;", "&gt;"),
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
];

/// Removes `style` from MathML, which the pages' content security policy forbids. Escapes the
/// characters that the crate does not: operators (`<`, `>`, `&`). Corrects its `&nbsp;`, which it
/// escapes twice.
fn clean(mathml: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(mathml.len()), mathml);
    while let Some(at) = rest.find(['<', '>', '&']) {
        out += &rest[..at];
        rest = &rest[at..];
        let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
        if rest.starts_with('<') && name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (tag, behind) = rest.split_at(rest.find('>').map_or(rest.len(), |end| end + 1));
            push_without_style(&mut out, tag);
            rest = behind;
        } else if let Some((sign, escaped)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            out += escaped;
            rest = &rest[sign.len()..];
        }
    }
    out + rest
}

fn push_without_style(out: &mut String, tag: &str) {
    if let Some((before, rest)) = tag.split_once(" style=\"")
        && let Some((_, behind)) = rest.split_once('"')
    {
        *out += before;
        *out += behind;
    } else {
        *out += tag;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tex: &str, inner: &str) {
        let found = mathml(tex, false).unwrap_or_default();
        assert!(
            found.starts_with("<math alttext=\"") && found.contains(inner),
            "{tex}: {found}"
        );
    }

    #[test]
    fn rule_25_tex_becomes_mathml() {
        check("a_1", "<msub><mi>a</mi><mn>1</mn></msub>");
        check("\\frac{1}{2}", "<mfrac>");
        check("\\text{<b> & c}", "<mtext>&lt;b&gt; &amp; c</mtext>");
        check("\\color{red} x \\label{eq} \\tag{1}", "<mi>x</mi>");
        assert!(!mathml("\\color{red} x", true).unwrap().contains("style"));
        check(
            "a < b > c\\ d",
            "<mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mi>c</mi><mtext>\u{a0}</mtext>",
        );
        check("a \\not< b \\& c", "<mo>&lt;\u{338}</mo>");
        assert!(
            mathml("a &= b \\\\ c &= d", true)
                .unwrap()
                .contains("<mtr>")
        );
    }

    #[test]
    fn a_formula_brings_no_markup() {
        let found = mathml(
            "\\text{</annotation></math><script>alert(1)</script>} < {{b}}",
            false,
        )
        .unwrap();
        assert!(
            !found.contains("<script") && found.matches("</math>").count() == 1,
            "{found}"
        );
        assert!(
            found.starts_with("<math alttext=\"\\text{&lt;/annotation&gt;")
                && found.contains("&lt; &#123;{b}}\" display"),
            "{found}"
        );
        assert!(
            mathml("\\text{\"x\"}", false)
                .unwrap()
                .contains("alttext=\"\\text{&quot;x&quot;}\"")
        );
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
            std::thread::Builder::new()
                .stack_size(1024 * 1024)
                .spawn(run)
                .unwrap()
                .join()
                .unwrap();
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
