//! Files that programs in a text name: `FileAttachment("data.csv")`.

/// The maximum number of files that one text names.
const MOST: usize = 1000;
/// The longest name, in bytes.
const LONGEST: usize = 500;
/// The languages of blocks of code that are run.
const RUN: [&str; 5] = ["js", "javascript", "jsx", "ts", "tsx"];
/// What keeps such a block from being run.
const NOT_RUN: &str = "run=false";

/// The names of the files that programs in a text name by this function. Code that is only shown, and
/// comments, name none.
pub fn attachments<'t>(text: &'t str, function: &str) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut fence: Option<(&str, bool)> = None;
    let mut in_comment = false;
    for line in text.lines() {
        let start = line.trim_start();
        let program = match fence {
            Some((sign, _)) if closes(start, sign) => {
                fence = None;
                continue;
            }
            Some((_, is_run)) => is_run.then_some(line),
            None if in_comment => {
                in_comment = !line.contains("-->");
                None
            }
            None => {
                fence = opened(start);
                in_comment = line
                    .rsplit_once("<!--")
                    .is_some_and(|(_, rest)| !rest.contains("-->"));
                // `${FileAttachment("a.png").href}`
                let is_shown = fence.is_some() || line.contains("<!--");
                let inline = line.find("${").filter(|_| !is_shown);
                inline.map(|at| &line[at..])
            }
        };
        names.extend(program.into_iter().flat_map(|line| named(line, function)));
        if names.len() >= MOST {
            break;
        }
    }
    names.truncate(MOST);
    names
}

/// The sign of a fence that opens, and whether its code is run.
fn opened(line: &str) -> Option<(&str, bool)> {
    let sign = ["```", "~~~"]
        .into_iter()
        .find(|sign| line.starts_with(sign))?;
    let info = line.trim_start_matches(&sign[..1]);
    let sign = &line[..line.len() - info.len()];
    let language = info.split_whitespace().next().unwrap_or_default();
    Some((sign, RUN.contains(&language) && !info.contains(NOT_RUN)))
}

/// Whether a line closes a fence.
fn closes(line: &str, sign: &str) -> bool {
    let rest = line.strip_prefix(sign);
    rest.is_some_and(|rest| rest.trim_start_matches(&sign[..1]).trim().is_empty())
}

/// The literal arguments of a function on one line.
fn named<'t>(line: &'t str, function: &str) -> Vec<&'t str> {
    let calls = line.split(function).skip(1);
    let literals = calls.filter_map(|call| {
        let inner = call.trim_start().strip_prefix('(')?.trim_start();
        let quote = inner.chars().next().filter(|c| "\"'`".contains(*c))?;
        let (name, _) = inner[1..].split_once(quote)?;
        let is_name = name.len() <= LONGEST && !name.contains("${");
        is_name.then_some(name)
    });
    literals.collect()
}

#[cfg(test)]
mod tests {
    use super::attachments;

    #[test]
    fn rule_26_only_code_that_runs_names_files() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(attachments(text, "File"), expected, "{text}");
        };
        check(
            "```js\nFile(\"a.csv\").csv(); File( 'b' )\n```\n",
            &["a.csv", "b"],
        );
        check(
            "```js run=false\nFile(\"a\")\n```\n```js echo\nFile(`b`)\n```",
            &["b"],
        );
        check("````md\n```js\nFile(\"a\")\n```\n````\nFile(\"c\")\n", &[]);
        check(
            "A ${File(\"a\").href} <img src=${File('b').href}>\n",
            &["a", "b"],
        );
        check(
            "<!-- ${File(\"a\")}\n${File(\"b\")} -->\n${File(`${x}`)}\n",
            &[],
        );
        check("~~~py\nFile(\"a\")\n~~~\n~~~ts\nFile(\"b\"", &["b"]);
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "(```|~~~|js|File|\\(|\"|'|\\$\\{|<!--|-->|é|\n| ){0,40}") {
            attachments(&text, "File");
        }
    }
}
