//! Settings in Python: a program, of which literals are read.

mod program;
mod tokens;
mod value;

use self::program::Program;
use self::value::{Listed, Place, Reader, Value, module_paths};
use crate::dialects::config::{Config, Keys, literals};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::List;
use crate::model::problem::{Cause, Problem, SourceLocation};
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front};

/// The largest file of settings, in bytes.
const LARGEST: usize = 1_000_000;
/// The maximum number of files that are imported.
const MOST_IMPORTED: usize = 20;

/// Files of settings: those of the first have priority. Files that they import follow them.
pub struct Settings {
    programs: Vec<Program>,
    /// How many of them are files of settings.
    own: usize,
}

impl Settings {
    pub fn read(evidence: &Evidence<'_>, files: &[&str]) -> Self {
        let own = files.iter().filter_map(|path| program(evidence, path));
        let mut programs: Vec<Program> = own.collect();
        let own = programs.len();
        let mut at = 0;
        while let Some(importing) = programs.get(at) {
            for path in imported(evidence, importing) {
                let is_new = programs.iter().all(|program| program.path != path);
                if is_new && programs.len() < own + MOST_IMPORTED {
                    programs.extend(program(evidence, &path));
                }
            }
            at += 1;
        }
        Self { programs, own }
    }

    /// Whether one of these names has a value.
    pub fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.is_set(name))
    }

    fn is_set(&self, name: &str) -> bool {
        self.programs.iter().any(|program| program.has(name))
    }

    /// The value of a name as it is written, and its file.
    pub fn value(&self, name: &str) -> Option<(&str, &str)> {
        let mut programs = self.programs.iter();
        programs.find_map(|program| Some((program.written(name)?, program.path.as_str())))
    }

    /// The texts that are certainly in a list, or the only text.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let set = self.is_set(name).then(|| self.list(name));
        Some(set??.certain)
    }

    /// All texts that are or may be in a list that leaves something out.
    pub fn excluded(&self, name: &str) -> Vec<String> {
        let Listed {
            certain, possible, ..
        } = self.list(name).unwrap_or_default();
        certain.into_iter().chain(possible).collect()
    }

    /// The problem of a list that leaves something out, if it is not read whole.
    pub fn problem(&self, name: &str) -> Option<Problem> {
        let list = self.list(name)?;
        if let Some(place) = list.computed {
            let computed = List {
                computed: Some(self.place(place)),
                ..List::default()
            };
            let hint = "write all its items as literals; what the program may name is left out";
            return computed.problem(name, hint);
        }
        let SourceLocation { path, line, column } = self.place(list.condition?);
        let message = format!("`{name}` depends on a condition, which is not read");
        let problem = Problem::warning(message).at(path, line, column);
        let problem = problem.hint("what the program may name is left out");
        Some(problem.cause(Cause::Configuration))
    }

    fn place(&self, (program, token): Place) -> SourceLocation {
        self.programs[program].place(token)
    }

    fn list(&self, name: &str) -> Option<Listed> {
        self.first(name).map(Value::list)
    }

    /// The value of a name in the first file that gives it one.
    fn first(&self, name: &str) -> Option<Value> {
        (0..self.own).find_map(|at| Reader::new(&self.programs).value(at, name))
    }

    /// The literals of a map, by key.
    pub fn map(&self, name: &str) -> Vec<(String, String)> {
        let Some((value, _)) = self.value(name) else {
            return Vec::new();
        };
        let entries = literals(&without_comments(value)).entries;
        let pairs = entries.into_iter().filter_map(|entry| {
            let value = entry.node.text()?.to_owned();
            Some((entry.key.text, value))
        });
        pairs.collect()
    }

    /// Gives a configuration what the literals say of the site.
    pub fn describe(&self, keys: &Keys, config: &mut Config) {
        let Some(last) = self.programs[..self.own].last() else {
            return;
        };
        let names = [
            keys.title,
            keys.description,
            keys.author,
            keys.language,
            keys.address,
            keys.zone,
        ];
        let names = names.concat().into_iter();
        let entries = names.filter_map(|name| match self.first(name)? {
            Value::Text(text) => Some(Entry::plain(name, text, 0, 0)),
            Value::List(_) => None,
        });
        let front = Front {
            entries: entries.collect(),
            ..Front::default()
        };
        config.read_program(&last.path, &front, keys);
    }
}

/// The program at a path.
fn program(evidence: &Evidence<'_>, path: &str) -> Option<Program> {
    let file = evidence.file(path)?;
    let is_read = file.bytes.len() <= LARGEST;
    let (text, _) = is_read.then(|| decode(&file.bytes, &file.path))?;
    Some(Program::read(path.to_owned(), text.into_owned()))
}

/// The files of the folder that a program imports.
fn imported(evidence: &Evidence<'_>, program: &Program) -> Vec<String> {
    let modules = program.modules.iter().take(MOST_IMPORTED);
    let files = modules.filter_map(|module| {
        let mut paths = module_paths(&program.path, module).into_iter();
        paths.find(|path| evidence.file(path).is_some())
    });
    files.collect()
}

/// Lines of a program without their comments.
pub fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut quote = None;
        let comment = line.find(|c| {
            match (quote, c) {
                (Some(open), c) if open == c => quote = None,
                (None, '"' | '\'') => quote = Some(c),
                _ => {}
            }
            c == '#' && quote.is_none()
        });
        &line[..comment.unwrap_or(line.len())]
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Settings {
        let programs = [
            ("docs/conf.py", text),
            ("docs/base.py", "A = ['base']\nB = 'of base'\n"),
        ];
        let programs = programs.map(|(path, text)| Program::read(path.into(), text.into()));
        Settings {
            programs: programs.into(),
            own: 1,
        }
    }

    /// The list `A`: what is certain, what is possible, and why a part is not known.
    #[track_caller]
    fn check(text: &str, certain: &str, possible: &str, unknown: &str) {
        let list = settings(text).list("A").unwrap_or_default();
        let why = match (list.computed, list.condition) {
            (Some(_), _) => "computed",
            (None, Some(_)) => "condition",
            (None, None) => "",
        };
        let (in_it, may_be) = (list.certain.join(" "), list.possible.join(" "));
        let found = (in_it.as_str(), may_be.as_str(), why);
        assert_eq!(found, (certain, possible, unknown), "{text}");
    }

    #[test]
    fn rule_26_lists_of_literals_and_constants_are_read_whole() {
        for (text, certain) in [
            (
                "A = ['x']\nA = [ 'a',\n 'b']\nA += ['c']\nB = ['d']\nA.append('e')\nA.extend([\n  'f'])\nA.sort()\n",
                "a b c e f",
            ),
            ("A: list[str] = ['a']", "a"),
            ("A: int", ""),
            ("B = ['b', \"c\"] # ['d']\nA = ['a'] + B", "a b c"),
            ("A = \"\"\"\na\nb\n\"\"\".split()", "a b"),
            ("A = 'a,b'.split(',')", "a b"),
            ("from base import *", "base"),
            ("from base import A as B\nA = [*B, 'a']", "base a"),
            (
                "from base import (\n  A,\n  B,\n)\nA = A + [B]",
                "base of base",
            ),
            ("A = ['a']\nA = A + ['b']\nA = list(A)", "a b"),
            ("A = ('a',\n# 'x'\n 'b')", "a b"),
            ("A = []\nA.insert(0, 'a'); A[len(A):] = ['b']", "a b"),
            ("A = B = ['a' 'b', u'c', r'\\d', f'e']", "ab c \\d e"),
            ("X = 'x'\nA = [X + '/y', 'z']", "x/y z"),
            ("A = {'.md': 'markdown', '.rst': None}", ".md .rst"),
            ("A = ['a']\nf(A=['b'])\nA == ['c']\nB[A] = 'd'\n", "a"),
            (
                "A = [os.path.join(HERE, 'a')]\nHERE = os.path.dirname(os.path.abspath(__file__))",
                "./a",
            ),
            (
                "A = str(Path(__file__).resolve().parent / 'a' / 'b')",
                "./a/b",
            ),
            ("A = 'a' \\\n  'b'", "ab"),
        ] {
            check(text, certain, "", "");
        }
    }

    #[test]
    fn rule_26_what_a_program_may_add_to_a_list_is_not_missed() {
        for (text, certain, possible, unknown) in [
            (
                "A = ['a']\nif x:\n    A.append('b')\n    A += ['c']",
                "a",
                "b c",
                "condition",
            ),
            (
                "if x: A = ['a']; B = 1\nelse: A = ['b']",
                "",
                "a b",
                "condition",
            ),
            (
                "A = ['a']\ndef setup(app):\n  app.config.A.append('b')",
                "a",
                "b",
                "condition",
            ),
            ("A = ['a']\nconfig.A = ['b']", "a", "b", "condition"),
            ("A = ['a'] + more()", "a", "", "computed"),
            ("B = ['b']\nA = ['a'] if x else B", "", "a b", "computed"),
            ("A = ['a', f'{x}b', *c()]", "a", "", "computed"),
            ("A = [x for x in ['a', 'b']]", "", "a b", "computed"),
            ("A = ['a'] + UNKNOWN", "a", "", "computed"),
            ("A, B = ['a'], ['b']", "", "a b", "computed"),
            ("A = ['a']\nfrom elsewhere import *", "a", "", "computed"),
            ("from elsewhere import A", "", "", "computed"),
        ] {
            check(text, certain, possible, unknown);
        }
        check("from elsewhere import *\nA = ['a']", "a", "", "");
        assert_eq!(settings("from elsewhere import *").texts("Z"), None);
    }

    #[test]
    fn a_module_is_beside_a_program_or_above_it() {
        let first = |program, module| module_paths(program, module).swap_remove(0);
        assert_eq!(first("docs/conf.py", "a.b"), "docs/a/b.py");
        assert_eq!(first("docs/conf.py", "..a"), "a.py");
        let paths = module_paths("a/conf.py", "b");
        let expected = ["a/b.py", "a/b/__init__.py", "b.py", "b/__init__.py"];
        assert_eq!(paths, expected);
        assert!(module_paths("conf.py", "...a").is_empty());
    }

    #[test]
    fn a_value_ends_with_its_statement() {
        let text =
            "X = 1\nPATH = 'content' # x\nPATHS = {\n  'a': '}', # }\n  'b': [1]\n}\nY == 2\n";
        let settings = settings(text);
        let value = |name| settings.value(name).map(|(value, _)| value);
        assert_eq!(value("PATH"), Some("'content'"));
        assert_eq!(value("PATHS"), Some("{\n  'a': '}', # }\n  'b': [1]\n}"));
        assert_eq!(value("Y"), None);
    }

    #[test]
    fn a_literal_is_not_computed() {
        let text = |text: &str| match settings(&format!("T = {text}")).first("T") {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        };
        for (literal, expected) in [
            ("'My site'  # the name", "My site"),
            (r#"u"Ann's \"notes\"""#, "Ann's \"notes\""),
            ("'a' + 'b'", "ab"),
            ("\"\"\"a\"\"\"", "a"),
        ] {
            assert_eq!(text(literal), Some(expected.to_owned()));
        }
        for computed in ["f'{a}'", "name", "", "'a' % b"] {
            assert_eq!(text(computed), None, "{computed}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "(A|=|\\+|\\+=|\\.append| |\\.parent|\\.resolve|join|split|\\[|\\]|\\{|\\}|\\(|\\)|'|\"|#|\n|é|: |,|if |from | import |\\*|/|\\\\|f'|;){0,40}") {
            let settings = settings(&text);
            settings.excluded("A");
            settings.problem("A");
            settings.value("A");
            without_comments(&text);
        }
    }

    #[test]
    fn rule_26_a_text_below_too_many_calls_may_be_in_a_list() {
        let text = format!("A = ['a'{}]", ".split()".repeat(100));
        check(&text, "", "a", "computed");
    }

    #[test]
    fn a_hostile_program_is_bounded() {
        for text in [
            "A = A + A\n".repeat(20_000),
            "A += A\n".repeat(20_000),
            "if x: A += ['a']\n".repeat(20_000),
            "from b import *\n".repeat(20_000) + "A = A",
            format!("A = {}", "[".repeat(100_000)),
            format!("A = {}", "f(".repeat(100_000)),
            format!("A = {}1", "A + ".repeat(100_000)),
            "A = B + B\nB = A + A\n".repeat(5_000),
            "\"\"\"".repeat(100_000),
            format!("A = __file__{}", ".parent".repeat(10_000)),
            format!("A = a{}", ".resolve()".repeat(10_000)),
            format!("A = 'a'{}", ".split()".repeat(10_000)),
        ] {
            settings(&text).excluded("A");
        }
    }
}
