//! The built-in style sheets without what only people read.

/// What needs no space before or after it, in any place of a style sheet.
const TIGHT: &str = "{};,";

/// A style sheet without comments, line breaks, and spaces that mean nothing. Text in double quotes
/// is kept.
pub(super) fn minified(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len());
    let mut rest = sheet;
    let mut is_apart = false;
    while let Some(next) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        let size = match next {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ => next.len_utf8(),
        };
        let (piece, after) = rest.split_at(size);
        rest = after;
        if next.is_ascii_whitespace() {
            is_apart = true;
            continue;
        }
        let last = out.chars().next_back().unwrap_or('{');
        if is_apart && !TIGHT.contains(last) && last != ':' && !TIGHT.contains(next) {
            out.push(' ');
        }
        is_apart = false;
        if next == '}' && last == ';' {
            out.pop();
        }
        out.push_str(piece);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_stay_where_they_mean_something() {
        let sheet = "/* a */\n.a :is(.b, .c) > d {\n  margin: 0 calc(1rem + 2px);\n  content: \"a; /* \";\n}\n\n\
             /* b */ @media (min-width: 30rem) {\n  .e { color: red; --f:var(--g) }\n}\n";
        assert_eq!(
            minified(sheet),
            ".a :is(.b,.c) > d{margin:0 calc(1rem + 2px);content:\"a; /* \"}@media (min-width:30rem){.e{color:red;--f:var(--g)}}"
        );
        assert_eq!(minified("a{b:\"c"), "a{b:\"c");
        assert_eq!(minified("/* never ends"), "");
    }
}
