//! Lists of patterns, of which no item may be missed. What an expression may add to a list is kept
//! apart from what is certainly in it.

use std::{ops::Range, rc::Rc};

use super::{Binding, COMPUTED, Falsehood, Program, ROOM, Scripts, is_computed, value};
use crate::model::problem::{Cause, Problem, SourceLocation};
use crate::syntax::front::{Entry, Node, Value};
use crate::syntax::tokens::{TokenKind, unquoted};

/// How deep lists and names may be nested.
const DEPTH: usize = 40;
/// Methods that add to a list after it is written.
const ADDING: [&str; 3] = ["push", "unshift", "splice"];

/// A list of texts in a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::dialects) struct List {
    /// What is in it.
    pub certain: Vec<String>,
    /// What may be in it.
    pub possible: Vec<String>,
    /// Where it is, if the program computes a part of it.
    pub computed: Option<SourceLocation>,
}

impl List {
    /// A list of these texts.
    pub fn new(certain: Vec<String>) -> Self {
        Self {
            certain,
            ..Self::default()
        }
    }

    /// All texts that are or may be in it.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.certain
            .iter()
            .chain(&self.possible)
            .map(String::as_str)
    }

    /// Adds another list.
    pub fn add(&mut self, other: Self) {
        self.certain.extend(other.certain);
        self.possible.extend(other.possible);
        self.computed = self.computed.take().or(other.computed);
    }

    /// The problem of a list that is not read whole.
    pub fn problem(&self, key: &str, hint: &str) -> Option<Problem> {
        let SourceLocation { path, line, column } = self.computed.clone()?;
        let problem = Problem::error(format!("`{key}` is not read whole: a program computes it"));
        let problem = problem.at(path, line, column).cause(Cause::Configuration);
        Some(problem.hint(hint))
    }
}

/// Where the value of a name is written.
struct Meaning {
    program: Rc<Program>,
    name: String,
    /// Its first token.
    at: usize,
}

impl Scripts<'_, '_> {
    /// All lists that a program, or one that it imports, gives to a name, as one list: as a key, or
    /// as the argument of a function.
    pub(in crate::dialects) fn lists(&mut self, path: &str, name: &str) -> List {
        // Reads the imported programs.
        self.default_export(path);
        self.room = ROOM;
        let mut list = List::default();
        for path in self.files.clone() {
            if let Some(program) = self.program(&path) {
                self.lists_between(&program, 0..program.code.count(), name, &mut list);
            }
        }
        list
    }

    fn lists_between(
        &mut self,
        program: &Rc<Program>,
        tokens: Range<usize>,
        name: &str,
        list: &mut List,
    ) {
        let code = &program.code;
        for at in tokens {
            let is_named = match code.kind(at) {
                Some(TokenKind::Word) => code.source(at) == name,
                Some(TokenKind::Text) => code.is(at + 1, ':') && unquoted(code.source(at)) == name,
                _ => false,
            };
            if is_named && !is_declared(program, at) {
                self.list_at(program, at, list);
            }
        }
    }

    /// Adds the list that follows its name.
    fn list_at(&mut self, program: &Rc<Program>, at: usize, list: &mut List) {
        if self.room == 0 {
            return mark(program, at, list);
        }
        let code = &program.code;
        let mut computed = |from, end| {
            self.possible(program, from, end, 0, list);
            mark(program, at, list);
        };
        match code.kind(at + 1) {
            // `get name() { … }`
            Some(TokenKind::Sign('(')) if code.is(code.behind(at + 1), '{') => {
                computed(at + 1, code.behind(code.behind(at + 1)));
            }
            // `name.push(…)`
            Some(TokenKind::Sign('.')) if ADDING.contains(&code.source(at + 2)) => {
                computed(at + 1, value::behind(program, at));
            }
            Some(TokenKind::Sign(':' | '(')) => self.texts(program, at + 2, 0, list),
            Some(TokenKind::Sign('=')) if !code.is(at + 2, '=') => {
                self.texts(program, at + 2, 0, list);
            }
            // `{ name, … }`
            Some(TokenKind::Sign(',' | '}')) => self.texts(program, at, 0, list),
            _ => {}
        }
    }

    /// The list at a token, as a value.
    pub(super) fn list_value(&mut self, program: &Rc<Program>, at: usize) -> (Node, usize) {
        let mut list = List::default();
        self.texts(program, at, 0, &mut list);
        (
            self.list_node(program, at, list),
            value::behind(program, at),
        )
    }

    /// A list as a value: what may be in it is behind the mark of what is computed.
    fn list_node(&mut self, program: &Program, at: usize, list: List) -> Node {
        let scalar = |text: &str, plain| value::literal(program, at, text, plain);
        let certain = list.certain.iter().map(|text| scalar(text, false));
        let mut items: Vec<Node> = certain.collect();
        if let Some(place) = list.computed {
            self.computed.push((program.place(at), place));
            items.push(scalar(COMPUTED, true));
        }
        items.extend(list.possible.iter().map(|text| scalar(text, false)));
        value::node(program, at, Value::List(items))
    }

    /// A value that is computed, with the lists that may be in it.
    pub(super) fn unread(&mut self, program: &Rc<Program>, at: usize, end: usize) -> Node {
        if self.functions.is_some() {
            self.room = self.room.saturating_sub(end.saturating_sub(at) / 64);
            return Falsehood::node(program, at, end);
        }
        let computed = value::literal(program, at, COMPUTED, true);
        let mut entries = Vec::new();
        self.with_folder(program, (at, end), &mut entries);
        for key in self.list_keys {
            let mut list = List::default();
            self.room = self.room.saturating_sub(end.saturating_sub(at) / 64);
            self.lists_between(program, at..end, key, &mut list);
            if list != List::default() {
                list.possible.append(&mut list.certain);
                mark(program, at, &mut list);
                entries.push(Entry::new(key, self.list_node(program, at, list)));
            }
        }
        if entries.is_empty() {
            return computed;
        }
        entries.push(Entry::new(COMPUTED, computed));
        value::node(program, at, Value::Map(entries))
    }

    /// The list that a key has in a map: the last one counts, and all that may replace it.
    pub(in crate::dialects) fn list_of(&self, entries: &[Entry], key: &str) -> Option<List> {
        let mut found = None;
        for entry in entries.iter().rev().filter(|entry| entry.key.text == key) {
            let list = self.read_list(&entry.node);
            let is_last = list.computed.is_none();
            found.get_or_insert_with(List::default).add(list);
            if is_last {
                break;
            }
        }
        found
    }

    fn read_list(&self, node: &Node) -> List {
        let mut list = List::default();
        for item in node.items() {
            if is_computed(item) {
                let mut places = self.computed.iter();
                let place = places.find(|(at, _)| *at == (node.line, node.column));
                list.computed = place.map(|(_, place)| place.clone());
            } else if let Some(text) = item.text() {
                let texts = match list.computed {
                    Some(_) => &mut list.possible,
                    None => &mut list.certain,
                };
                texts.push(text.to_owned());
            }
        }
        list
    }

    /// Reads the texts of the expression at a token.
    fn texts(&mut self, program: &Rc<Program>, at: usize, depth: usize, list: &mut List) {
        if depth > DEPTH || self.room == 0 {
            return mark(program, at, list);
        }
        let code = &program.code;
        let end = value::behind(program, at);
        self.room = self.room.saturating_sub(1 + end.saturating_sub(at) / 64);
        let is_whole = |next: usize| {
            next == end
                || matches!(code.source(next), "as" | "satisfies")
                || code.kind(next) == Some(TokenKind::Word) && value::is_on_next_line(program, next)
                || code.is(next, '!') && next + 1 == end
        };
        match code.kind(at) {
            Some(TokenKind::Text) if is_whole(at + 1) => {
                list.certain.push(unquoted(code.source(at)));
            }
            Some(TokenKind::Sign('[')) if is_whole(code.behind(at)) => {
                self.items(program, at, depth, list);
            }
            Some(TokenKind::Sign('(')) if is_whole(code.behind(at)) => {
                self.texts(program, at + 1, depth + 1, list);
            }
            Some(TokenKind::Word)
                if is_whole(at + 1)
                    && matches!(code.source(at), "undefined" | "null" | "false") => {}
            Some(TokenKind::Word)
                if is_whole(at + 1) && self.constant(program, at, depth, list) => {}
            _ => {
                self.possible(program, at, end, depth, list);
                mark(program, at, list);
            }
        }
    }

    /// `['a', ...more]`
    fn items(&mut self, program: &Rc<Program>, at: usize, depth: usize, list: &mut List) {
        let end = program.code.end(at);
        let mut next = at + 1;
        while next < end && self.room > 0 {
            if program.code.is(next, ',') {
                next += 1;
                continue;
            }
            let is_spread = program.code.kind(next) == Some(TokenKind::Spread);
            let item = next + usize::from(is_spread);
            self.texts(program, item, depth + 1, list);
            next = value::behind(program, item).max(next + 1);
        }
    }

    /// The texts of a constant. False: it is not one, or the program changes it.
    fn constant(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        depth: usize,
        list: &mut List,
    ) -> bool {
        match self.meaning(program, program.code.source(at), depth) {
            Some(meaning) if !self.is_changed(&meaning) => {
                self.texts(&meaning.program, meaning.at, depth + 1, list);
                true
            }
            _ => false,
        }
    }

    /// Where the value of a name is written.
    fn meaning(&mut self, program: &Rc<Program>, name: &str, depth: usize) -> Option<Meaning> {
        let here = |program: &Rc<Program>, name: &str, at| Meaning {
            program: Rc::clone(program),
            name: name.to_owned(),
            at,
        };
        match program.names.get(name)?.clone() {
            Binding::Value(at) => Some(here(program, name, at)),
            Binding::Import { from, name } if depth < DEPTH => {
                let path = self.imported(program, &from)?;
                let other = self.program(&path)?;
                match path.ends_with(".json") {
                    true => Some(here(&other, &name, 0)),
                    false => self.meaning(&other, &name, depth + 1),
                }
            }
            Binding::Import { .. } => None,
        }
    }

    /// Whether a program changes a constant: `name.push(…)`, `name = …`.
    fn is_changed(&mut self, Meaning { program, name, at }: &Meaning) -> bool {
        let code = &program.code;
        self.room = self.room.saturating_sub(code.count() / 64);
        (0..code.count()).any(|other| {
            code.is_word(other, name)
                && match code.kind(other + 1) {
                    Some(TokenKind::Sign('.')) => ADDING.contains(&code.source(other + 2)),
                    Some(TokenKind::Sign('=')) => other + 2 != *at && !code.is(other + 2, '='),
                    _ => false,
                }
        })
    }

    /// All texts between two tokens, and in the constants that they name.
    fn possible(
        &mut self,
        program: &Rc<Program>,
        from: usize,
        end: usize,
        depth: usize,
        list: &mut List,
    ) {
        for at in from..end {
            self.room = self.room.saturating_sub(1);
            if depth > DEPTH || self.room == 0 {
                return;
            }
            match program.code.kind(at) {
                Some(TokenKind::Text) => list.possible.push(unquoted(program.code.source(at))),
                Some(TokenKind::Word) if !(at > 0 && program.code.is(at - 1, '.')) => {
                    let name = program.code.source(at);
                    if let Some(Meaning { program, at, .. }) = self.meaning(program, name, depth) {
                        let end = value::behind(&program, at);
                        self.possible(&program, at, end, depth + 1, list);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether a name is one of a constant or an import, which is read where it is used.
fn is_declared(program: &Program, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| program.code.source(at));
    matches!(before, "const" | "let" | "var" | "import" | "function")
        || program.code.is_word(at + 1, "from")
}

/// Notes that a program computes a part of a list; the first place counts.
fn mark(program: &Program, at: usize, list: &mut List) {
    let (line, column) = program.place(at);
    list.computed.get_or_insert_with(|| SourceLocation {
        path: program.path.clone(),
        line,
        column,
    });
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::dialects::evidence::Evidence;
    use crate::model::sources::{ChangeOrigin, FileDates, SourceFile, Sources};

    /// The list `skip` of a program: what is certain, what is possible, and whether that is all.
    fn list(program: &str) -> (String, String, bool) {
        let sources = sources(program);
        let list = Scripts::new(&Evidence::new(&sources)).lists("c.js", "skip");
        let (certain, possible) = (list.certain.join(" "), list.possible.join(" "));
        (certain, possible, list.computed.is_none())
    }

    /// How many values a program of data has.
    fn data(program: &str) -> usize {
        let sources = sources(program);
        let evidence = Evidence::new(&sources);
        Scripts::new(&evidence).data("c.js").len()
    }

    fn sources(program: &str) -> Sources {
        let files = [
            ("c.js", program),
            ("data.json", "[\"j\"]"),
            (
                "more.js",
                "export const more = ['m'];\nexport default ['d'];\n",
            ),
        ];
        let dates = FileDates {
            created: None,
            changed: "2020-02-02T00:00:00Z".parse().unwrap(),
            origin: ChangeOrigin::Git,
        };
        let files = files.map(|(path, text)| SourceFile {
            path: path.into(),
            bytes: Bytes::copy_from_slice(text.as_bytes()).into(),
            dates,
        });
        Sources {
            files: files.into(),
            ..Sources::default()
        }
    }

    #[track_caller]
    fn check(program: &str, certain: &str, possible: Option<&str>) {
        let expected = (
            certain.to_owned(),
            possible.unwrap_or_default().to_owned(),
            possible.is_none(),
        );
        assert_eq!(list(program), expected, "{program}");
    }

    #[test]
    fn repeated_words_take_neither_the_stack_nor_quadratic_time() {
        let many = |text: &str| text.repeat(20_000);
        for word in ["async ", "await ", "new "] {
            list(&format!("module.exports = {{skip: {}1}}", many(word)));
        }
        for part in [
            "export {",
            "export const a = 1\n",
            "const a: ",
            "function a() ",
        ] {
            list(&format!("{}export default {{skip: ['a']}}", many(part)));
        }
        let named = (0..20_000).map(|at| format!("export const a{at} = 1\n"));
        assert_eq!(data(&named.collect::<String>()), 20_000);
    }

    #[test]
    fn lists_of_literals_and_constants_are_read_whole() {
        for (program, certain) in [
            ("export default { skip: ['a', \"b\"] };", "a b"),
            ("export default { 'skip': 'a' }", "a"),
            ("const X = ['a']\nexport default { skip: X }", "a"),
            (
                "const skip: string[] = ['a'];\nexport default { skip };",
                "a",
            ),
            (
                "const X = ['a'] as const;\nexport default define<T>({ skip: [...X, 'b'] })",
                "a b",
            ),
            (
                "import { more as m } from './more';\nexport default { skip: [...m, 'b'] }",
                "m b",
            ),
            (
                "import skip from './more.js';\nexport default { skip }",
                "d",
            ),
            (
                "import j from './data.json';\nexport default { skip: j }",
                "j",
            ),
            (
                "// skip: ['x']\nexport default { other: ['a'], skip: undefined }",
                "",
            ),
            (
                "export default (c) => { c.skip('a'); c.skip(['b']) }",
                "a b",
            ),
            ("const c = {};\nc.skip = ['a'];\nexport default c;", "a"),
        ] {
            check(program, certain, None);
        }
    }

    #[test]
    fn what_a_program_computes_is_told_from_what_is_certain() {
        for (program, certain, possible) in [
            ("export default { skip: on ? [] : ['a'] };", "", "a"),
            (
                "const X = ['a'];\nexport default { skip: ['b'].concat(X) };",
                "",
                "b a",
            ),
            ("export default { skip: ['a', ...names()] };", "a", ""),
            (
                "const X = ['a'];\nX.push('b');\nexport default { skip: X };",
                "",
                "a",
            ),
            (
                "let x = ['a'];\nx = ['b'];\nexport default { skip: x };",
                "",
                "a",
            ),
            ("export default { get skip() { return ['a'] } };", "", "a"),
            (
                "const c = { skip: ['a'] };\nc.skip.push('b');\nexport default c;",
                "a",
                "b",
            ),
            ("export default { skip: ['a', `${x}/b`] };", "a", ""),
        ] {
            check(program, certain, Some(possible));
        }
    }

    proptest::proptest! {
        #[test]
        fn no_list_panics(text in "(skip|: |'a'|\\[|\\]|\\(|\\)|\\{|\\}|,|=|\\.|\\.\\.\\.|\\?|x|const |=>|\n|é){0,40}") {
            list(&text);
        }
    }

    #[test]
    fn a_hostile_list_is_bounded() {
        for text in [
            "skip:".repeat(60_000),
            "skip:[".repeat(50_000),
            "skip.push(".repeat(30_000),
            "const x = [...x, ...x, ...x]; export default { skip: x }".to_owned(),
            "const x = x + x; export default { skip: x }".to_owned(),
        ] {
            list(&text);
        }
    }
}
