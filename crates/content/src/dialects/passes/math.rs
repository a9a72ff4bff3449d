//! Mathematics: `$$…$$`, `\\(…\\)` and `\\[…\\]` everywhere, `$…$` where the folder or the page says so. TeX is neither Markdown nor a template, so it
//! goes to the parser as code with a mark before it.

use crate::dialects::passes::lines::Lines;
use crate::dialects::tags::token::{Inner, tokens};
use crate::model::bounds;
use crate::model::text::Next;
use crate::syntax::front::Front;
use crate::syntax::markdown::literal::literals;
use crate::syntax::markdown::{TEX, TEX_DISPLAY};

/// The longest formula, in bytes.
const LONGEST: usize = 3000;

/// Whether a page says that a single dollar begins mathematics.
pub(in crate::dialects) fn is_asked_for(front: &Front) -> bool {
    let yes = |text: &str| !matches!(text.trim().to_ascii_lowercase().as_str(), "" | "false" | "no" | "off" | "0" | "null" | "~");
    ["math", "katex", "mathjax", "use_math", "usemath", "latex"].iter().any(|key| front.text(&[*key]).is_some_and(yes))
}

/// Tags that stand around a formula: `{{< katex >}}…{{< /katex >}}` and their like become its signs.
fn tags(lines: &mut Lines) {
    const NAMES: [&str; 6] = ["katex", "math", "mathjax", "latex", "tex", "mathjax/block"];
    let text = &lines.text;
    if !text.contains("{{") && !text.contains("{%") || !NAMES.iter().any(|name| text.contains(name)) {
        return;
    }
    let literals = literals(text);
    let found = tokens(text, &literals, false);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut at = 0;
    while let [open, rest @ ..] = &found[at..] {
        at += 1;
        let (Inner::Shortcode(words) | Inner::Tag(words)) = open.inner else { continue };
        let (name, arguments) = words.split_once(' ').unwrap_or((words, ""));
        // Two braces are TeX's here.
        let outputs = rest.iter().take_while(|token| matches!(token.inner, Inner::Output(_))).count();
        let Some(close) = rest.get(outputs).filter(|_| NAMES.contains(&name)) else { continue };
        let ends = matches!(close.inner, Inner::Shortcode(end) | Inner::Tag(end) if end.trim_start_matches(['/', ' ']) == name || end.strip_prefix("end") == Some(name));
        let inner = &text[open.range.end..close.range.start];
        if !ends || inner.contains("\n\n") || inner.len() > LONGEST {
            continue;
        }
        let display = arguments.contains("display") || name.ends_with("block") || inner.trim_end_matches([' ', '\t']).ends_with('\n');
        let own = inner.trim();
        let single = own.strip_prefix('$').and_then(|own| own.strip_suffix('$')).filter(|own| !own.contains('$'));
        let inner = single.unwrap_or(inner);
        let (before, behind) = match inner.trim() {
            own if own.starts_with('$') || own.starts_with("\\\\") => ("", ""),
            _ if display => ("$$", "$$"),
            _ => ("\\\\(", "\\\\)"),
        };
        out.push_str(&text[done..open.range.start]);
        out.push_str(&format!("{before}{inner}{behind}"));
        done = close.range.end;
        at += outputs + 1;
    }
    out.push_str(&text[done..]);
    lines.text = out;
}

/// Marks the formulas of a text; `dollar`: also those between single dollars.
pub(in crate::dialects) fn rewrite(lines: &mut Lines, dollar: bool) {
    tags(lines);
    let text = &lines.text;
    if !(text.contains("$$")
        || text.contains("\\\\(")
        || text.contains("\\\\[")
        || dollar && (text.contains('$') || text.contains("\\(") || text.contains("\\[")))
    {
        return;
    }
    let literals = literals(text);
    let mut out = String::with_capacity(text.len());
    let mut sources = vec![0];
    let (mut at, mut line, mut missing) = (0, 0, 0);
    let mut push = |out: &mut String, piece: &str, missing: &mut usize| {
        for (number, piece) in piece.split('\n').enumerate() {
            if number > 0 {
                line += 1 + std::mem::take(missing);
                out.push('\n');
                sources.push(line);
            }
            out.push_str(piece);
        }
    };
    let mut formulas = Formulas::of(text);
    let mut code = literals.code.iter().chain(&[]).peekable();
    while let Some(step) = text[at..].find(['$', '\\']).filter(|_| !bounds::is_over()) {
        push(&mut out, &text[at..at + step], &mut missing);
        at += step;
        while code.next_if(|range| range.end <= at).is_some() {}
        if let Some(range) = code.peek().filter(|range| range.start <= at) {
            push(&mut out, &text[at..range.end], &mut missing);
            at = range.end;
            continue;
        }
        let found = if literals.is_html(at) { None } else { formulas.at(at, dollar) };
        if let Some((tex, display, end)) = found {
            missing += text[at..end].matches('\n').count();
            let mark = if display { TEX_DISPLAY } else { TEX };
            push(&mut out, &crate::dialects::markup::code_span(&format!("{mark}{tex}")), &mut missing);
            at = end;
            continue;
        }
        // An escape hides what follows it; a run of dollars is passed at once.
        let length = match text.as_bytes()[at] {
            b'\\' => 1 + text[at + 1..].chars().next().filter(char::is_ascii_punctuation).map_or(0, char::len_utf8),
            _ => text[at..].len() - text[at..].trim_start_matches('$').len(),
        };
        push(&mut out, &text[at..at + length], &mut missing);
        at += length;
    }
    push(&mut out, &text[at..], &mut missing);
    lines.replace(out, &sources);
}

/// What ends formulas in a text, each found once.
pub(super) struct Formulas<'t> {
    text: &'t str,
    paragraph: Next<'t>,
    display: Next<'t>,
    round: Next<'t>,
    square: Next<'t>,
    single_round: Next<'t>,
    single_square: Next<'t>,
    dollar: Next<'t>,
}

impl<'t> Formulas<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            paragraph: Next::of("\n\n", text),
            display: Next::of("$$", text),
            round: Next::of("\\\\)", text),
            square: Next::of("\\\\]", text),
            single_round: Next::of("\\)", text),
            single_square: Next::of("\\]", text),
            dollar: Next::of("$", text),
        }
    }

    /// What stands between a mark of this length here and its end, where that is near, in the same paragraph.
    fn inner(&mut self, at: usize, mark: usize, close: fn(&mut Self) -> &mut Next<'t>) -> Option<&'t str> {
        let end = close(self).from(at + mark)?;
        let whole = end + mark - at;
        let near = whole <= LONGEST || whole <= 4 * LONGEST && self.text[at..end + mark].chars().count() <= LONGEST;
        let same = near && self.paragraph.from(at).is_none_or(|paragraph| end < paragraph);
        same.then(|| &self.text[at + mark..end])
    }

    /// The formula that begins here: its TeX, whether it stands by itself, and where it ends.
    pub(super) fn at(&mut self, at: usize, dollar: bool) -> Option<(String, bool, usize)> {
        type Mark<'t> = (&'static str, bool, for<'a> fn(&'a mut Formulas<'t>) -> &'a mut Next<'t>);
        let rest = &self.text[at..];
        let marks: [Mark<'t>; 3] =
            [("$$", true, |all| &mut all.display), ("\\\\(", false, |all| &mut all.round), ("\\\\[", true, |all| &mut all.square)];
        if let Some((open, display, close)) = marks.into_iter().find(|(open, ..)| rest.starts_with(open)) {
            let inner = self.inner(at, open.len(), close)?;
            return tex(inner).filter(|_| !holds_tag(inner)).map(|tex| (tex, display, at + 2 * open.len() + inner.len()));
        }
        // A single backslash escapes a bracket in Markdown, but where formulas are set up it begins one.
        let marks: [Mark<'t>; 2] = [("\\(", false, |all| &mut all.single_round), ("\\[", true, |all| &mut all.single_square)];
        if let Some((_, display, close)) = marks.into_iter().find(|(open, ..)| dollar && rest.starts_with(open)) {
            let content = self.inner(at, 2, close)?;
            let before = self.text[..at].trim_end_matches([' ', '\t', '>']);
            let own_line = before.is_empty() || before.ends_with('\n');
            let tex = tex(content).filter(|tex| !display || own_line && tex.contains(['\\', '^', '_', '=', '{']));
            return tex.map(|tex| (tex, display, at + 4 + content.len()));
        }
        if !dollar || !rest.starts_with('$') {
            return None;
        }
        let content = self.inner(at, 1, |all| &mut all.dollar)?;
        self.between_dollars(at, content)
    }

    /// `$…$`, where it is a formula and no money.
    fn between_dollars(&self, at: usize, content: &str) -> Option<(String, bool, usize)> {
        let end = at + 2 + content.len();
        let before = self.text[..at].chars().next_back();
        let behind = self.text[end..].chars().next();
        let opens = !content.is_empty() && !content.starts_with([' ', '\n']) && before.is_none_or(|c| !c.is_alphanumeric());
        // `$n$th` is a formula, `$HOME/$USER` is none.
        let counts = content.chars().nth(1).is_none() && !content.starts_with(|c: char| c.is_ascii_digit())
            || content.contains(['\\', '^', '{'])
            || content.starts_with('(') && content.ends_with(')');
        let closes = !content.ends_with([' ', '\n', '\\']) && behind.is_none_or(|c| !c.is_alphanumeric() && c != '$' || counts && c.is_lowercase());
        // `$5 and $6` and `$HOME` are no formulas.
        let money =
            content.starts_with(|c: char| c.is_ascii_digit()) && !content.contains(['\\', '^', '_', '=', '{', '<', '>']) && content.contains(' ');
        // Nor is what holds a template's tag, or half of a group.
        let whole = !holds_tag(content) && content.matches('{').count() == content.matches('}').count();
        (opens && closes && !money && whole).then(|| tex(content)).flatten().map(|tex| (tex, false, end))
    }
}

fn holds_tag(tex: &str) -> bool {
    ["{%", "{{<", "{{%"].iter().any(|mark| tex.contains(mark))
}

/// TeX on one line, without the marks of quotes around it and without TeX's comments.
fn tex(inner: &str) -> Option<String> {
    let lines = inner.split('\n').enumerate().map(|(number, line)| {
        let line = without_comment(line);
        if number == 0 { line.trim() } else { line.trim_start_matches([' ', '\t', '>']).trim_end() }
    });
    let joined = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    (!joined.is_empty()).then_some(joined)
}

/// A line of TeX up to its comment.
fn without_comment(line: &str) -> &str {
    let escaped = |at: usize| line[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    line.match_indices('%').find(|(at, _)| !escaped(*at)).map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, dollar: bool, expected: &str) {
        let lines = Lines::after(text, |lines| rewrite(lines, dollar));
        assert_eq!(lines.text.replace(TEX, "¬").replace(TEX_DISPLAY, "¬¬"), expected, "{text}");
    }

    #[test]
    fn rule_25_formulas_are_marked() {
        check("$$\na_1 + {{b}}\n- c\n$$\nd", false, "`¬¬a_1 + {{b}} - c`\nd");
        check("a $$x$$ b \\\\(y_1\\\\) \\\\[z\\\\]", false, "a `¬¬x` b `¬y_1` `¬¬z`");
        check("> $$\n> a\n> $$\n", false, "> `¬¬a`\n");
        check("$a_1$ and $x$.", true, "`¬a_1` and `¬x`.");
        check("a \\(x_1\\) b\n\\[\ny = 1\n\\]\nc \\[no\\] \\(", true, "a `¬x_1` b\n`¬¬y = 1`\nc \\[no\\] \\(");
        check("a \\(x_1\\) b \\[y\\]", false, "a \\(x_1\\) b \\[y\\]");
        check(
            "{{< katex display=true >}}\nf(x) = 1\n{{< /katex >}}\nb {{< katex >}}y_1{{< /katex >}} {% katex %}z{% endkatex %}",
            false,
            "`¬¬f(x) = 1`\nb `¬y_1` `¬z`",
        );
        check("{{< katex >}}a + {{b}} {{c}}{{< /katex >}} {{ d }} {{< math >}}e{{< /math >}}", false, "`¬a + {{b}} {{c}}` {{ d }} `¬e`");
        check("{{% math %}}$$a$$ b{{% /math %}} `{{< katex >}}`", false, "`¬¬a` b `{{< katex >}}`");
        check("the $n$th of $2^n$s, $(i+1)$th", true, "the `¬n`th of `¬2^n`s, `¬(i+1)`th");
        check("$$\na % CANARY\n+ 5\\% b\n$$", false, "`¬¬a + 5\\% b`");
    }

    #[test]
    fn rule_25_money_is_no_formula() {
        for text in ["costs $5 and $6", "$5-$6 and US$7", "`$$a$$` $$ open\n\nb $$", "$HOME/$USER", "\\$a\\$ b", "$$$$", "<div>\n$$a$$\n</div>"] {
            check(text, false, text);
        }
        for text in ["costs $5 and $6", "$5-$6 and US$7", "from $5 or 6$ a", "$HOME/$USER", "$A$B", "$5$each", "$a{% b %}$", "${a$"] {
            check(text, true, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_formula_panics(text in "(\\$|\\$\\$|\\\\\\\\|\\(|\\)|\\[|\\]|a|1| |\n|`|é|> ){0,40}", dollar: bool) {
            proptest::prop_assert!(Lines::after(&text, |lines| rewrite(lines, dollar)).come_from(&text));
        }
    }
}
