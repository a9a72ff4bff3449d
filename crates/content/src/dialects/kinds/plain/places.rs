//! Paths that expressions in Python give: `os.path.join(HERE, 'content')`.

use super::python::{Settings, without_comments};
use crate::dialects::config::literal_until;
use crate::model::path::{folder, join};

/// The maximum number of expressions that are read for one path.
const MOST: usize = 50;
/// The same for a list of lists.
const MOST_TEXTS: usize = 2000;
/// How deep calls and names may be nested.
const DEPTH: usize = 40;
/// The longest expression, in bytes.
const LONGEST: usize = 1000;
/// The folder of the settings.
const HERE: &str = ".";

/// The folder that a name has as its value, from that of the settings; empty: that one itself.
/// `None`: a program computes it, or it is outside.
pub fn folder_of(settings: &Settings, name: &str) -> Option<String> {
    let mut reader = Reader {
        settings,
        left: MOST,
        depth: 0,
    };
    match settings.value(name) {
        Some((value, _)) => reader.path(value).and_then(|path| inner(&path)),
        // Other statements may give it one.
        None if settings.has(&[name]) => None,
        None => Some(String::new()),
    }
}

/// The texts in the lists that a list holds: `[('posts/*.md', 'blog')]`. `None` in place of a text: a
/// program computes it; in place of a list of texts: that is not one.
pub fn rows(settings: &Settings, name: &str) -> Option<Vec<Option<Vec<Option<String>>>>> {
    let Some((value, _)) = settings.value(name) else {
        // Other statements may give it one.
        return settings.has(&[name]).then(|| vec![None]);
    };
    let value = without_comments(value);
    let mut reader = Reader {
        settings,
        left: MOST_TEXTS,
        depth: 0,
    };
    let mut row = |row| {
        let texts = items(row)?.into_iter();
        Some(texts.map(|text| reader.path(text)).collect())
    };
    let rows = items(&value).unwrap_or_else(|| vec![""]);
    Some(rows.into_iter().take(MOST_TEXTS).map(&mut row).collect())
}

/// The literals of a map, also empty ones. `None`: the name has no value.
pub fn pairs(settings: &Settings, name: &str) -> Option<Vec<(String, String)>> {
    let (value, _) = settings.value(name)?;
    let value = without_comments(value);
    let inner = value.trim().strip_prefix('{');
    let inner = inner.and_then(|inner| inner.strip_suffix('}'));
    let mut reader = Reader {
        settings,
        left: MOST_TEXTS,
        depth: 0,
    };
    let pairs = parts(inner.unwrap_or_default(), ',').into_iter();
    let pairs = pairs.filter_map(|pair| match parts(pair, ':').as_slice() {
        [key, value] => Some((reader.path(key)?, reader.path(value)?)),
        _ => None,
    });
    Some(pairs.collect())
}

/// The items of a list or tuple.
fn items(expression: &str) -> Option<Vec<&str>> {
    let expression = expression.trim();
    let brackets = [('(', ')'), ('[', ']')].into_iter();
    let mut inner = brackets.filter_map(|(open, close)| {
        let inner = expression.strip_prefix(open)?.strip_suffix(close)?;
        closing(inner).is_none().then_some(inner)
    });
    let mut items = parts(inner.next()?, ',');
    items.retain(|item| !item.is_empty());
    Some(items)
}

/// A path below the folder of the settings, without slashes around it.
fn inner(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let is_rooted = path.starts_with(['/', '~']) || path.get(1..2) == Some(":");
    join("", &path).filter(|_| !is_rooted)
}

/// Reads expressions.
struct Reader<'s> {
    settings: &'s Settings,
    /// How many more it reads.
    left: usize,
    /// How many expressions are around the present one.
    depth: usize,
}

impl Reader<'_> {
    /// The path that an expression gives.
    fn path(&mut self, expression: &str) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        if expression.len() > LONGEST || self.depth > DEPTH {
            return None;
        }
        self.depth += 1;
        let path = self.read(&without_comments(expression));
        self.depth -= 1;
        path
    }

    fn read(&mut self, expression: &str) -> Option<String> {
        let expression = in_brackets(expression.trim());
        let texts = parts(expression, '+');
        if texts.len() > 1 {
            return Some(self.all(&texts)?.concat());
        }
        let below = parts(expression, '/');
        if below.len() > 1 {
            return joined(self.all(&below)?);
        }
        if let Some(text) = literal(expression) {
            return Some(text);
        }
        for end in [".parent", ".parents[0]"] {
            if let Some(inner) = expression.strip_suffix(end) {
                return above_of(&self.path(inner)?);
            }
        }
        if let Some((function, arguments)) = call(expression) {
            return self.call(function, &parts(arguments, ','));
        }
        match expression {
            // Any file in the folder of the settings.
            "__file__" => Some("settings.py".to_owned()),
            "os.curdir" => Some(HERE.to_owned()),
            name => {
                let settings = self.settings;
                let (value, _) = settings.value(name).filter(|_| is_name(name))?;
                self.path(value)
            }
        }
    }

    fn all(&mut self, expressions: &[&str]) -> Option<Vec<String>> {
        let paths = expressions.iter().map(|one| self.path(one));
        paths.collect()
    }

    fn call(&mut self, function: &str, arguments: &[&str]) -> Option<String> {
        let (of, name) = function.rsplit_once('.').unwrap_or(("", function));
        match name {
            "join" if matches!(of, "" | "os.path" | "path") => joined(self.all(arguments)?),
            "joinpath" => joined([vec![self.path(of)?], self.all(arguments)?].concat()),
            "dirname" => above_of(&self.path(arguments.first()?)?),
            "abspath" | "realpath" | "normpath" | "str" | "Path" | "fspath" => {
                self.path(arguments.first()?)
            }
            "getcwd" | "cwd" => Some(HERE.to_owned()),
            "resolve" | "absolute" | "as_posix" => self.path(of),
            _ => None,
        }
    }
}

/// Paths below each other. One that begins at the root of the machine is not joined.
fn joined(paths: Vec<String>) -> Option<String> {
    let mut paths = paths.into_iter();
    let first = paths.next()?;
    paths.try_fold(first, |above, path| {
        (!path.starts_with('/')).then(|| format!("{above}/{path}"))
    })
}

/// The folder of a path below that of the settings; `None`: it is outside.
fn above_of(path: &str) -> Option<String> {
    let path = join("", path).filter(|path| !path.is_empty())?;
    let above = folder(&path);
    Some(if above.is_empty() { HERE } else { above }.to_owned())
}

/// The text of a literal, also of one with a prefix.
fn literal(expression: &str) -> Option<String> {
    let inner = expression
        .strip_prefix(['u', 'r', 'b'])
        .unwrap_or(expression);
    let quote = inner.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (text, end) = literal_until(&inner[1..], quote)?;
    (end + 1 == inner.len()).then_some(text)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// An expression without brackets around the whole.
fn in_brackets(expression: &str) -> &str {
    let inner = expression.strip_prefix('(');
    let inner = inner.and_then(|inner| inner.strip_suffix(')'));
    inner
        .filter(|inner| closing(inner).is_none())
        .map_or(expression, str::trim)
}

/// The function of a call that is the whole expression, and its arguments.
fn call(expression: &str) -> Option<(&str, &str)> {
    let inner = expression.strip_suffix(')')?;
    // The last bracket that opens outside all others opens the call.
    let opens = inner.match_indices('(').map(|(at, _)| at);
    let mut opens = opens.filter(|at| closing(&inner[at + 1..]).is_none());
    let at = opens.next()?;
    Some((inner[..at].trim(), &inner[at + 1..]))
}

/// Where a bracket closes that a text does not open.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in outside_quotes(text) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return Some(at),
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts of an expression between signs outside brackets and quotes.
fn parts(expression: &str, sign: char) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in outside_quotes(expression) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if c == sign && depth == 0 => {
                found.push(expression[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    let last = expression[start..].trim();
    // A list may end with a comma.
    found.extend((!last.is_empty() || found.is_empty()).then_some(last));
    found
}

/// The characters that are not in quotes.
fn outside_quotes(text: &str) -> Vec<(usize, char)> {
    let mut quote = None;
    let outside = text.char_indices().filter(|(_, c)| match (quote, *c) {
        (Some(open), c) => {
            quote = (open != c).then_some(open);
            false
        }
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        (None, _) => true,
    });
    outside.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::evidence::Evidence;
    use diglot_document::testing::sources;

    fn settings(text: &str) -> Settings {
        let sources = sources(&[("conf.py", text)]);
        Settings::read(&Evidence::new(&sources), &["conf.py"])
    }

    #[test]
    fn paths_are_joined_from_literals_and_the_place_of_the_settings() {
        let of = |text: &str| folder_of(&settings(text), "PATH");
        for value in [
            "'src/content'",
            "'./src/content/'  # the texts",
            "os.path.join('src', \"content\")",
            "os.path.join(os.path.dirname(os.path.abspath(__file__)), 'src', 'content',)",
            "os.path.dirname(__file__) + '/src/content'",
            "str(Path(__file__).resolve().parent / 'src' / 'content')",
            "os.path.join(os.getcwd(), 'src/content')",
            "(\n  HERE / 'src'\n  / 'content'\n)\nHERE = Path(__file__).parent",
            "join(BASE, \"content\")\nBASE = 'src'",
        ] {
            let found = of(&format!("PATH = {value}\n"));
            assert_eq!(found.as_deref(), Some("src/content"), "{value}");
        }
        assert_eq!(of("PATH = os.curdir").as_deref(), Some(""));
        assert_eq!(of("").as_deref(), Some(""));
        for value in [
            "'../content'",
            "'/home/ann/content'",
            "os.environ['CONTENT']",
            "os.path.join(os.environ.get('X'), 'content')",
            "os.path.join(HERE, 'content')",
            "f'{x}/content'",
            "'a' if x else 'b'",
            "PATH",
            "os.path.dirname(os.path.dirname(__file__))",
            "'%s/content' % HERE",
        ] {
            assert_eq!(of(&format!("PATH = {value}\n")), None, "{value}");
        }
    }

    #[test]
    fn a_hostile_expression_is_bounded() {
        let chain = |at| format!("A{at} = str(A{})\n", at + 1);
        let chain: String = (0..3000).map(chain).collect();
        let calls = format!("POSTS = [({}'a', 'b')]", "f(".repeat(400));
        for text in [chain + "POSTS = [(A0, 'b')]\n", calls] {
            rows(&settings(&text), "POSTS");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_expression_panics(text in "(A|join|\\.parent|/|\\+|\\(|\\)|\\[|\\]|'|\"|,|é|\n|#| ){0,40}") {
            folder_of(&settings(&format!("A = {text}\n")), "A");
        }
    }
}
