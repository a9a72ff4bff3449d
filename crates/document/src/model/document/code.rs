//! What the info string of a code block says: its language, a file name, marked lines.

use crate::model::text::clean;

/// The longest info string that is read, and the longest file name, in bytes.
const MAX_INFO: usize = 1_000;
const MAX_NAME: usize = 200;
/// The keys of a file name, the best first.
const NAMES: [&str; 5] = ["title", "filename", "fileName", "file", "name"];

/// The keys of marked lines that are not words of a language as well.
const MARKS: [&str; 2] = ["hl_lines", "mark_lines"];

/// What an info string says besides the language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodeInfo {
    /// The name of the file, or another title.
    pub name: Option<String>,
    /// The marked lines.
    pub marked: Vec<Marked>,
}

/// Marked lines of a code block, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marked {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
    /// How they are marked.
    pub mark: Mark,
}

/// How a line of code is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// As what the reader looks at.
    Highlighted,
    /// As added.
    Added,
    /// As removed.
    Removed,
}

/// The first word of an info string, without attributes: `js {1,3-5}`, `rust,ignore`, `{.python}`,
/// `{r setup}`.
pub fn language_of(info: &str) -> Option<String> {
    let info = info
        .trim()
        .trim_start_matches('{')
        .trim_start()
        .trim_start_matches('.')
        .trim_start();
    let end = info
        .find(|c: char| {
            c.is_whitespace()
                || matches!(c, '{' | '}' | ',' | ':' | '[' | '=' | '"' | '`' | '<' | '>')
        })
        .unwrap_or(info.len());
    // `title="a.rs"` is not a language.
    let is_key = NAMES.contains(&&info[..end]) || MARKS.contains(&&info[..end]);
    if info[end..].starts_with('=') && is_key {
        return None;
    }
    let word = info[..end].trim_end_matches(';');
    (!word.is_empty() && word.len() <= 40).then(|| clean(word).into_owned())
}

impl CodeInfo {
    /// Reads an info string: `title="a.rs"`, `{title="a.rs"}`, `[a.js]`; `{1,3-5}`,
    /// `hl_lines="1 3-5"`, `{hl_lines=[1,"3-5"]}`.
    pub fn parse(info: &str) -> Self {
        let info = &info[..info.floor_char_boundary(MAX_INFO)];
        let mut found = Self::default();
        let mut names = [const { None }; NAMES.len()];
        for (key, value) in pairs(info) {
            if let Some(index) = NAMES.iter().position(|name| *name == key) {
                names[index] = names[index].or(name(value));
            }
            let mark = match key {
                "hl_lines" | "mark_lines" | "mark" | "highlight" => Mark::Highlighted,
                "ins" | "add" => Mark::Added,
                "del" | "rem" => Mark::Removed,
                _ => continue,
            };
            found.marked.extend(lines(value, mark));
        }
        let mut groups = info.match_indices('{').filter(|(at, _)| {
            // `key={…}` has been read.
            !info[..*at].ends_with('=')
        });
        if let Some(group) = groups.find_map(|(at, _)| group(&info[at + 1..])) {
            found.marked.extend(lines(group, Mark::Highlighted));
        }
        let name = names
            .into_iter()
            .flatten()
            .next()
            .or_else(|| bracketed(info));
        found.name = name.map(|name| clean(name).into_owned());
        found
    }
}

/// The attributes `key=value` in an info string.
fn pairs(info: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + info[from..].find('=')?;
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let key = &info[from..at];
        let key = &key[key.trim_end_matches(is_key).len()..];
        let rest = &info[at + 1..];
        let (value, length) = value(rest);
        from = at + 1 + length;
        Some((key, value))
    })
}

/// The value at the beginning of a text, without its quotation marks or brackets, and its length
/// with them.
fn value(rest: &str) -> (&str, usize) {
    let close = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => quote,
        Some('{') => '}',
        Some('[') => ']',
        _ => {
            let end = rest
                .find(|c: char| c.is_whitespace() || matches!(c, ',' | '}'))
                .unwrap_or(rest.len());
            return (&rest[..end], end);
        }
    };
    match rest[1..].find(close) {
        Some(end) => (&rest[1..=end], end + 2),
        None => ("", 1),
    }
}

/// The content of a group of line numbers, up to its brace: `1,3-5}`.
fn group(rest: &str) -> Option<&str> {
    let (group, _) = rest.split_once('}')?;
    let has_number = group.contains(|c: char| c.is_ascii_digit());
    let is_numbers = group
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | ' '));
    (has_number && is_numbers).then_some(group)
}

/// The name in ```` ```js [a.js] ````.
fn bracketed(info: &str) -> Option<&str> {
    let (before, label) = info.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    name(label).filter(|_| !before.ends_with('=') && !before.contains('{'))
}

fn name(value: &str) -> Option<&str> {
    let value = value.trim();
    let fits = !value.is_empty() && value.len() <= MAX_NAME && !value.contains(['"', '`', '\n']);
    fits.then_some(value)
}

/// Line numbers and ranges: `1,3-5`, `1 3-5`, `1, "3-5"`.
fn lines(text: &str, mark: Mark) -> impl Iterator<Item = Marked> {
    text.split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(move |part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (1 <= first && first <= last).then_some(Marked { first, last, mark })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(info: &str, name: Option<&str>, marked: &[(usize, usize)]) {
        let found = CodeInfo::parse(info);
        let lines: Vec<_> = found
            .marked
            .iter()
            .map(|marked| (marked.first, marked.last))
            .collect();
        assert_eq!(
            (found.name.as_deref(), lines.as_slice()),
            (name, marked),
            "{info}"
        );
    }

    #[test]
    fn an_info_string_names_a_file() {
        check("rust title=\"src/main.rs\"", Some("src/main.rs"), &[]);
        check("js:title=src/a.js", Some("src/a.js"), &[]);
        check("{.python filename='a b.py' #x}", Some("a b.py"), &[]);
        check("go {file=main.go}", Some("main.go"), &[]);
        check("js [vite.config.js]", Some("vite.config.js"), &[]);
        check("js file=a.js title=\"First\"", Some("First"), &[]);
        check("rust,ignore", None, &[]);
        check("r echo=FALSE", None, &[]);
        check("js title=\"", None, &[]);
        check("js title=\"a`b\" name=", None, &[]);
        assert_eq!(language_of("title=\"a.rs\""), None);
        assert_eq!(language_of("hl_lines=\"1\""), None);
        assert_eq!(language_of("js title=\"a\"").as_deref(), Some("js"));
    }

    #[test]
    fn an_info_string_marks_lines() {
        check("js {1,3-5}", None, &[(1, 1), (3, 5)]);
        check("js{2} title=\"a\"", Some("a"), &[(2, 2)]);
        check("py hl_lines=\"1 3-4\"", None, &[(1, 1), (3, 4)]);
        check(
            "go {linenos=table,hl_lines=[8,\"15-17\"],linenostart=199}",
            None,
            &[(8, 8), (15, 17)],
        );
        check("{r setup}", None, &[]);
        check("js {0,4-2,x}", None, &[]);
        let found = CodeInfo::parse("js {1} ins={2} del={3-4}").marked;
        let marks: Vec<Mark> = found.iter().map(|marked| marked.mark).collect();
        assert_eq!(marks, [Mark::Added, Mark::Removed, Mark::Highlighted]);
    }

    proptest::proptest! {
        #[test]
        fn no_info_panics(info in "([a-z]{1,3}|title=|hl_lines=|[\\[\\]{}=\"' ,0-9é-]){0,20}") {
            let found = CodeInfo::parse(&info);
            proptest::prop_assert!(found.name.is_none_or(|name| !name.contains(['"', '`', '\n'])));
            language_of(&info);
        }
    }
}
