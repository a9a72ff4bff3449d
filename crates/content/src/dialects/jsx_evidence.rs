//! Evidence of JSX in Markdown files.

use super::backticks::Backticks;
use crate::model::sources::Contents;

/// Whether the name of a file says that it is MDX.
pub fn is_mdx(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("mdx"))
}

/// Whether a text contains JSX.
pub fn is_used(contents: &Contents) -> bool {
    contents.jsx(has_jsx)
}

/// Whether a text contains, outside code, a comment in braces, a component with an expression in an
/// attribute, or an import and a component. Generics, braces in prose and components with plain
/// attributes are not evidence: other texts have them as well.
fn has_jsx(bytes: &[u8]) -> bool {
    let has = |mark: &str| memchr::memmem::find(bytes, mark.as_bytes()).is_some();
    let (has_comment, has_value) = (has("{/*"), has("={"));
    if !(has_comment || has_value || has("import ")) {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    let body = body(&text);
    let last_comment_end = body.rfind("*/").unwrap_or(0);
    let (mut at, mut imports) = (0, false);
    let mut fence: Option<&str> = None;
    for line in body.split('\n') {
        let begin = at;
        at += line.len() + 1;
        let rest = line.trim_start_matches([' ', '\t', '>']);
        if let Some(mark) = fence {
            if rest.starts_with(mark) && rest.trim_end().trim_start_matches(&mark[..1]).is_empty() {
                fence = None;
            }
            continue;
        }
        if let Some(mark) = opening(rest) {
            fence = Some(mark);
            continue;
        }
        if line.starts_with("    ") || line.starts_with('\t') {
            continue;
        }
        let is_comment = |at: usize| begin + at < last_comment_end;
        if has_comment && outside_spans(line, "{/*").is_some_and(is_comment) {
            return true;
        }
        imports |= is_import(line);
        let gives_value = || has_value && outside_spans(rest, "={").is_some();
        if opens_component(rest) && (imports || gives_value()) {
            return true;
        }
    }
    false
}

/// The text behind the front matter.
fn body(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else {
        return text;
    };
    rest.find("\n---").map_or(text, |end| &rest[end + 4..])
}

/// The mark of a fence that opens here.
pub fn opening(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|mark| {
        line.trim_start_matches(['-', '*', '+', ' '])
            .starts_with(mark)
    })
}

/// The position of a mark that is not between backticks.
fn outside_spans(line: &str, mark: &str) -> Option<usize> {
    let at = line.find(mark)?;
    (!Backticks::default().is_code(line, at)).then_some(at)
}

/// Whether a line is the end of an `import` of JavaScript.
fn is_import(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(';');
    (line.starts_with("import ") || line.starts_with("} from "))
        && line.contains(" from ")
        && line.ends_with(['\'', '"'])
}

/// Whether a line begins with a component: `<Name`.
fn opens_component(line: &str) -> bool {
    let mut name = line.strip_prefix('<').unwrap_or_default().bytes();
    name.next().is_some_and(|byte| byte.is_ascii_uppercase())
        && name.next().is_some_and(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_35_only_jsx_is_evidence_of_jsx() {
        let check = |text: &str, expected: bool| {
            assert_eq!(has_jsx(text.as_bytes()), expected, "{text}");
        };
        check("## Usage {/*usage*/}\n", true);
        check("---\na: b\n---\n\n{/* a\n\nb */}\n", true);
        check("<Chart data={[1]} />", true);
        check("import A from './a';\n\n<Alpha />", true);
        check("import {\n  A,\n} from \"./a\"\n\n<Alpha>", true);
        for plain in [
            "`## Usage {/*usage*/}`",
            "```jsx\n{/* a */}\n<A b={c} />\n```",
            "- ```jsx\n  <Alpha b={c} />\n  ```",
            "    {/* a */}\n",
            "a {/* b",
            "A `Vec<T>` and Vec<T> {in braces}",
            "<Note>\na\n</Note>",
            "<Note title=\"a\" />",
            "<CENTER>a</CENTER> <T b={c}>",
            "import a from \"b\"",
            "Goods that firms import from 'abroad'\n\n<Alpha />",
        ] {
            check(plain, false);
        }
    }
}
