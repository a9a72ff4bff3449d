//! Named parts of code as DocFX marks them: `// <name>` to `// </name>` in comments of any
//! language, `#region name` to `#endregion`. White space and case do not count, and `1` also names
//! `snippet1`.

/// What begins a comment before a mark.
const COMMENTS: [&str; 9] = ["//", "'", "<!--", "--", "#", "rem", "%", ";", "/*"];

/// The lines of a named part, without marks. `None`: the text has no such part.
pub fn extract(text: &str, name: &str) -> Option<String> {
    let wanted = squeezed(name);
    let lines: Vec<(&str, String)> = text.lines().map(|line| (line, squeezed(line))).collect();
    for name in [wanted.clone(), format!("snippet{wanted}")] {
        if let Some(found) = marked(&lines, &name).or_else(|| region(&lines, &name)) {
            return Some(found.join("\n").trim_end_matches('\n').to_owned());
        }
    }
    None
}

/// A line without white space and in lower case; a long line is not a mark.
fn squeezed(line: &str) -> String {
    const LONGEST: usize = 200;
    let visible = line.chars().take(LONGEST).filter(|c| !c.is_whitespace());
    visible.flat_map(char::to_lowercase).collect()
}

/// The name in a mark, and whether it closes the part.
fn mark(line: &str) -> Option<(&str, bool)> {
    let inner = COMMENTS
        .iter()
        .find_map(|comment| line.strip_prefix(comment)?.strip_prefix('<'))?;
    let (inner, closes) = inner
        .strip_prefix('/')
        .map_or((inner, false), |inner| (inner, true));
    let (name, _) = inner.split_once('>')?;
    let is_name = !name.is_empty() && !name.contains(['<', '=', '"', '/']);
    is_name.then_some((name, closes))
}

fn marked<'t>(lines: &[(&'t str, String)], name: &str) -> Option<Vec<&'t str>> {
    let begin = lines
        .iter()
        .position(|(_, line)| mark(line) == Some((name, false)))?;
    let inside = lines[begin + 1..]
        .iter()
        .take_while(|(_, line)| mark(line) != Some((name, true)));
    Some(
        inside
            .filter(|(_, line)| mark(line).is_none())
            .map(|(line, _)| *line)
            .collect(),
    )
}

/// The name of a region that a line opens.
fn opened(line: &str) -> Option<&str> {
    let name = line
        .strip_prefix("#region")
        .or_else(|| line.strip_prefix("//#region"))?;
    Some(name.trim_matches('"'))
}

fn region<'t>(lines: &[(&'t str, String)], name: &str) -> Option<Vec<&'t str>> {
    let begin = lines
        .iter()
        .position(|(_, line)| opened(line) == Some(name))?;
    let (mut inside, mut depth) = (Vec::new(), 1_usize);
    for (line, squeezed) in &lines[begin + 1..] {
        if opened(squeezed).is_some() {
            depth += 1;
        } else if squeezed.starts_with("#endregion") || squeezed.starts_with("//#endregion") {
            depth -= 1;
            if depth == 0 {
                break;
            }
        } else {
            inside.push(*line);
        }
    }
    Some(inside)
}

/// What two indents begin with.
fn common_prefix<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    &one[..same.count()]
}

/// Code without the white space that all its lines begin with.
pub fn dedented(code: &str) -> String {
    let margin = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = code.lines().filter(|line| !line.trim().is_empty());
    let mut common: Option<&str> = None;
    for line in filled {
        let own = &line[..margin(line)];
        common = Some(match common {
            None => own,
            Some(before) => common_prefix(before, own),
        });
    }
    let cut = common.map_or(0, str::len);
    let lines: Vec<&str> = code
        .lines()
        .map(|line| line.get(cut..).unwrap_or_default())
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_54_snippets_are_found_in_every_spelling() {
        let check = |text: &str, name: &str, expected: Option<&str>| {
            assert_eq!(extract(text, name).as_deref(), expected, "{name} {text}");
        };
        check(
            "a\n// <Snippet1>\nb\n// </snippet1>\nc",
            "snippet1",
            Some("b"),
        );
        check("// <snippet1>\nb\n// </snippet1>\nc", "1", Some("b"));
        check("//<1>\nb\n//<2>\nc\n//</1>\nd\n//</2>", "1", Some("b\nc"));
        check("<!-- <x> -->\n<a>\n<!-- </x> -->", "X", Some("<a>"));
        check("'<x>\nb\n'</x>", "x", Some("b"));
        check("# <x>\nb\n# </x>", "x", Some("b"));
        check(
            "#region x\na\n#region y\nb\n#endregion\n#endregion\nc",
            "x",
            Some("a\nb"),
        );
        check("#Region \"x\"\na\n#End Region\nc", "x", Some("a"));
        check("/// <summary>\n/// a", "summary", None);
        check("a", "x", None);
    }

    #[test]
    fn rule_54_code_loses_its_common_margin() {
        assert_eq!(dedented("    a\n\n      b\n  "), "a\n\n  b\n");
        assert_eq!(dedented("a\n b"), "a\n b");
        assert_eq!(dedented("\ta\n\t b"), "a\n b");
    }

    proptest::proptest! {
        #[test]
        fn no_snippet_panics(text in "(//|<|/|>|x|#region|#endregion|\n| |é|\t){0,40}", name in "[x1é]{0,2}") {
            let _ = extract(&text, &name);
            let _ = dedented(&text);
        }
    }
}
