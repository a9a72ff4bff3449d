//! What a condition in a program says, as far as it asks for values of a text: a tree, which is made of
//! tokens and never run.

mod meaning;

use std::rc::Rc;

use self::meaning::Meaning;
use super::programs::{Function, Place, Programs, arrow, is_function};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// How deep conditions may be nested, names and functions followed.
const DEEPEST: usize = 24;
/// Keys of dates from which a text is public, whatever a program says.
const DATES: [&str; 8] = [
    "date",
    "published",
    "pubDate",
    "publishDate",
    "publishedAt",
    "publishedDate",
    "pubDatetime",
    "datePublished",
];

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A key of front matter.
    Key(String),
    /// The path below the folder of the collection, without its ending.
    Id,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Whether it says something, and not `false`.
    True,
    OneOf(Vec<String>),
    Has(String),
    Begins(String),
    Ends(String),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It holds in the owner's build, or does not.
    Known(bool),
    /// A question, and the value of a text that has none: `data.x ?? false`.
    Asks(Subject, Question, Option<String>),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// A text.
    Text(String),
    /// What only the owner's environment says, and what is not true without it.
    Unset,
    Unread,
}

impl Condition {
    /// What a literal says: a text, `true` or `false`.
    fn into_literal(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Known(known) => Some(known.to_string()),
            _ => None,
        }
    }
}

/// The condition of a filter, such as `({ data }) => !data.wip` or the name of such a function.
pub fn of_filter(filter: &Place, programs: &mut Programs<'_, '_>) -> Condition {
    of_function(filter, Meaning::Entry, programs, 0)
}

/// What a function of one argument says.
fn of_function(
    place: &Place,
    argument: Meaning,
    programs: &mut Programs<'_, '_>,
    depth: usize,
) -> Condition {
    let code = &place.program.code;
    if depth > DEEPEST {
        return Condition::Unread;
    }
    if !is_function(code, place.at) {
        let is_name = code.kind(place.at) == Some(TokenKind::Word);
        let name = code.source(place.at);
        let meaning = is_name.then(|| programs.meaning(&place.program, name));
        return match meaning.flatten() {
            Some(meaning) => of_function(&meaning, argument, programs, depth + 1),
            None => Condition::Unread,
        };
    }
    let Some(function) = Function::at(code, place.at) else {
        return Condition::Unread;
    };
    let mut reader = Reader {
        place: place.clone(),
        programs,
        names: Vec::new(),
        depth: depth + 1,
    };
    let first = function.parameters + usize::from(code.is(function.parameters, '('));
    reader.bind(first, &argument, 0);
    match code.is(function.body, '{') {
        true => reader.statements(function.body + 1, code.end(function.body)),
        false => reader.choice(function.body).0,
    }
}

struct Reader<'r, 'e, 'a> {
    place: Place,
    programs: &'r mut Programs<'e, 'a>,
    names: Vec<(String, Meaning)>,
    depth: usize,
}

/// A condition, and the token behind it.
type Read = (Condition, usize);

impl Reader<'_, '_, '_> {
    fn code(&self) -> &Code<String> {
        &self.place.program.code
    }

    fn is(&self, at: usize, sign: char) -> bool {
        self.code().is(at, sign)
    }

    /// Names what a parameter takes apart: `post`, `{ data, id }`, `{ data: { wip } }`.
    fn bind(&mut self, at: usize, meaning: &Meaning, depth: usize) {
        if !self.is(at, '{') {
            let name = self.code().source(at).to_owned();
            self.names.push((name, meaning.clone()));
            return;
        }
        let end = self.code().end(at);
        let mut next = at + 1;
        while next < end && depth < DEEPEST {
            let inner = meaning.inner(self.code().source(next));
            let renames = self.is(next + 1, ':');
            self.bind(next + if renames { 2 } else { 0 }, &inner, depth + 1);
            next = self.code().expression_end(next, |_| false) + 1;
        }
    }

    /// Statements that return a condition: `if (a) return b; return c;`.
    fn statements(&mut self, mut at: usize, end: usize) -> Condition {
        let mut cases = Vec::new();
        while at < end {
            if self.code().is_word(at, "return") {
                let last = self.choice(at + 1).0;
                let cases = cases.into_iter().rev();
                return cases.fold(last, |or, (condition, value)| choose(condition, value, or));
            }
            if !self.code().is_word(at, "if") || !self.is(at + 1, '(') {
                return Condition::Unread;
            }
            let condition = self.choice(at + 2).0;
            let behind = self.code().behind(at + 1);
            let block = self.is(behind, '{');
            let returns = behind + usize::from(block);
            if !self.code().is_word(returns, "return") {
                return Condition::Unread;
            }
            let (value, next) = self.choice(returns + 1);
            cases.push((condition, value));
            at = match block {
                true => self.code().behind(behind),
                false => next + usize::from(self.is(next, ';')),
            };
        }
        Condition::Unread
    }

    /// `a ? b : c`, `a || b`
    fn choice(&mut self, at: usize) -> Read {
        self.depth += 1;
        let read = match self.depth > DEEPEST {
            true => (Condition::Unread, at),
            false => self.choice_within(at),
        };
        self.depth -= 1;
        read
    }

    fn choice_within(&mut self, at: usize) -> Read {
        let (condition, next) = self.several(at, '|');
        if !self.is(next, '?') {
            return (condition, next);
        }
        let (then, next) = self.choice(next + 1);
        if !self.is(next, ':') {
            return (Condition::Unread, next);
        }
        let (or, next) = self.choice(next + 1);
        (choose(condition, then, or), next)
    }

    /// `a || b`, or with `&` the parts of one: `a && b`.
    fn several(&mut self, at: usize, sign: char) -> Read {
        let mut all = Vec::new();
        let mut next = at;
        loop {
            let (one, behind) = match sign {
                '|' => self.several(next, '&'),
                _ => self.comparison(next),
            };
            all.push(one);
            if !self.is(behind, sign) || !self.is(behind + 1, sign) {
                let whole = match (all.len(), sign) {
                    (1, _) => all.remove(0),
                    (_, '|') => Condition::Any(all),
                    _ => Condition::All(all),
                };
                return (whole, behind);
            }
            next = behind + 2;
        }
    }

    /// `a === b`, `a !== b`; that a date is in the past is asked of every text.
    fn comparison(&mut self, at: usize) -> Read {
        let (left, next) = self.operand(at);
        let is_equal = self.is(next, '=') && self.is(next + 1, '=');
        let is_other = self.is(next, '!') && self.is(next + 1, '=');
        if is_equal || is_other {
            let operand = next + if self.is(next + 2, '=') { 3 } else { 2 };
            let (right, next) = self.operand(operand);
            let equal = equal(left, right);
            return match is_equal {
                true => (equal, next),
                false => (Condition::Not(Box::new(equal)), next),
            };
        }
        if !self.is(next, '<') && !self.is(next, '>') && self.ends(next) {
            return (left, next);
        }
        let is_word = |at| self.code().kind(at) == Some(TokenKind::Word);
        let end = self
            .code()
            .expression_end(next, |at| self.ends(at) && !is_word(at));
        let is_date = (at..end).any(|at| DATES.contains(&self.code().source(at)));
        let is_now = (at..end).any(|at| ["Date", "now"].contains(&self.code().source(at)));
        match is_date && is_now {
            true => (Condition::Known(true), end),
            false => (Condition::Unread, end),
        }
    }

    /// Whether an operand of `&&`, `||` and `?:` ends before a token.
    fn ends(&self, at: usize) -> bool {
        match self.code().kind(at) {
            Some(TokenKind::Sign(',' | ';' | ')' | ']' | '}' | ':')) | None => true,
            Some(TokenKind::Sign('&')) => self.is(at + 1, '&'),
            Some(TokenKind::Sign('|')) => self.is(at + 1, '|'),
            Some(TokenKind::Sign('?')) => !self.is(at + 1, '.') && !self.is(at + 1, '?'),
            // The next statement, where no semicolon ends one.
            Some(TokenKind::Word) => !matches!(self.code().source(at), "in" | "instanceof"),
            _ => false,
        }
    }

    /// A value without signs around it, with `?? value` behind it.
    fn operand(&mut self, at: usize) -> Read {
        let (value, next) = self.value(at);
        if !self.is(next, '?') || !self.is(next + 1, '?') {
            return (value, next);
        }
        let (usual, next) = self.value(next + 2);
        match (value, usual.into_literal()) {
            (Condition::Asks(subject, Question::True, None), Some(usual)) => {
                (Condition::Asks(subject, Question::True, Some(usual)), next)
            }
            _ => (Condition::Unread, next),
        }
    }

    fn value(&mut self, at: usize) -> Read {
        self.depth += 1;
        let read = match self.depth > DEEPEST {
            true => (Condition::Unread, at + 1),
            false => self.value_within(at),
        };
        self.depth -= 1;
        read
    }

    fn value_within(&mut self, at: usize) -> Read {
        match self.code().kind(at) {
            Some(TokenKind::Text) => {
                let text = unquoted(self.code().source(at));
                (Condition::Text(text), at + 1)
            }
            Some(TokenKind::Sign('!')) => {
                let (value, next) = self.value(at + 1);
                (Condition::Not(Box::new(value)), next)
            }
            Some(TokenKind::Sign('(')) if arrow(self.code(), self.code().behind(at)).is_none() => {
                (self.choice(at + 1).0, self.code().behind(at))
            }
            Some(TokenKind::Sign('[')) => self.one_of(at),
            Some(TokenKind::Word) => self.word(at),
            _ => (Condition::Unread, at + 1),
        }
    }

    /// `['a', 'b'].includes(data.x)`
    fn one_of(&mut self, at: usize) -> Read {
        let end = self.code().end(at);
        let items = (at + 1..end).filter(|at| !self.is(*at, ','));
        let is_text = |at: &usize| self.code().kind(*at) == Some(TokenKind::Text);
        let (texts, others): (Vec<usize>, Vec<usize>) = items.partition(is_text);
        let call = end + 3;
        if !others.is_empty() || !self.code().is_word(end + 2, "includes") || !self.is(call, '(') {
            return (Condition::Unread, self.code().behind(at));
        }
        let texts = texts.into_iter().map(|at| unquoted(self.code().source(at)));
        let question = Question::OneOf(texts.collect());
        let next = self.code().behind(call);
        match self.operand(call + 1).0 {
            Condition::Asks(subject, Question::True, usual) => {
                (Condition::Asks(subject, question, usual), next)
            }
            _ => (Condition::Unread, next),
        }
    }

    /// A literal, a name with what is below it, or a call.
    fn word(&mut self, at: usize) -> Read {
        let word = self.code().source(at).to_owned();
        match &*word {
            "true" | "false" => return (Condition::Known(word == "true"), at + 1),
            "import" | "process" => return self.environment(at),
            "new" | "await" => return self.value(at + 1),
            "Boolean" if self.is(at + 1, '(') => {
                return (self.choice(at + 2).0, self.code().behind(at + 1));
            }
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                return (Condition::Text(word), at + 1);
            }
            _ => {}
        }
        match self.known(&word) {
            Some(meaning) => self.member(at + 1, meaning),
            None if self.is(at + 1, '(') => self.call(at, &word),
            None => self.constant(at, &word),
        }
    }

    /// What a name means that is not one of the program.
    fn known(&self, name: &str) -> Option<Meaning> {
        let mut names = self.names.iter().rev();
        let (_, meaning) = names.find(|(own, _)| own == name)?;
        Some(meaning.clone())
    }

    /// A constant of the program.
    fn constant(&mut self, at: usize, name: &str) -> Read {
        let program = Rc::clone(&self.place.program);
        let Some(place) = self.programs.meaning(&program, name) else {
            return (Condition::Unread, at + 1);
        };
        if self.depth > DEEPEST || is_function(&place.program.code, place.at) {
            return (Condition::Unread, at + 1);
        }
        let from = place.at;
        let mut reader = Reader {
            place,
            programs: self.programs,
            names: Vec::new(),
            depth: self.depth + 1,
        };
        (reader.choice(from).0, at + 1)
    }

    /// `isPublic(post)`
    fn call(&mut self, at: usize, name: &str) -> Read {
        let next = self.code().behind(at + 1);
        let is_alone = next == at + 4;
        let known = self.known(self.code().source(at + 2));
        let Some(meaning) = known.filter(|_| is_alone) else {
            return (Condition::Unread, next);
        };
        let program = Rc::clone(&self.place.program);
        let Some(function) = self.programs.meaning(&program, name) else {
            return (Condition::Unread, next);
        };
        let condition = of_function(&function, meaning, self.programs, self.depth + 1);
        (condition, next)
    }

    /// `import.meta.env.PROD`, `process.env.NODE_ENV`: what a build without options has.
    fn environment(&self, at: usize) -> Read {
        let mut next = at + 1;
        while self.is(next, '.') && self.code().kind(next + 1) == Some(TokenKind::Word) {
            next += 2;
        }
        let condition = match self.code().source(next - 1) {
            "PROD" => Condition::Known(true),
            "MODE" | "NODE_ENV" => Condition::Text("production".to_owned()),
            "DEV" => Condition::Known(false),
            _ => Condition::Unset,
        };
        (condition, next)
    }

    /// `.data.x`, `?.x`, `!.x`, `.includes('x')`
    fn member(&mut self, at: usize, meaning: Meaning) -> Read {
        let (mut meaning, mut next) = (meaning, at);
        while let Some(named) = self.key(next) {
            next = named + 1;
            let key = self.code().source(named).to_owned();
            if self.is(next, '(') {
                return self.method(&key, next, meaning);
            }
            meaning = meaning.inner(&key);
        }
        match meaning {
            Meaning::Subject(subject) => (Condition::Asks(subject, Question::True, None), next),
            _ => (Condition::Unread, next),
        }
    }

    /// The name behind a value: `.name`, `?.name` or `!.name`.
    fn key(&self, at: usize) -> Option<usize> {
        let sign = match self.code().kind(at) {
            Some(TokenKind::Sign('?' | '!')) if self.is(at + 1, '.') => at + 1,
            _ => at,
        };
        let named = sign + 1;
        let is_named = self.is(sign, '.') && self.code().kind(named) == Some(TokenKind::Word);
        is_named.then_some(named)
    }

    /// A method of a value, with a text as its only argument.
    fn method(&self, name: &str, open: usize, meaning: Meaning) -> Read {
        let next = self.code().behind(open);
        let is_text = self.code().kind(open + 1) == Some(TokenKind::Text) && next == open + 3;
        let text = unquoted(self.code().source(open + 1));
        let question = match name {
            _ if !is_text => None,
            "includes" => Some(Question::Has(text)),
            "startsWith" => Some(Question::Begins(text)),
            "endsWith" => Some(Question::Ends(text)),
            _ => None,
        };
        match (meaning, question) {
            (Meaning::Subject(subject), Some(question)) => {
                (Condition::Asks(subject, question, None), next)
            }
            _ => (Condition::Unread, next),
        }
    }
}

/// `condition ? then : or`
fn choose(condition: Condition, then: Condition, or: Condition) -> Condition {
    let not = Condition::Not(Box::new(condition.clone()));
    Condition::Any(vec![
        Condition::All(vec![condition, then]),
        Condition::All(vec![not, or]),
    ])
}

/// `a === b`
fn equal(left: Condition, right: Condition) -> Condition {
    match (left, right) {
        (Condition::Text(one), Condition::Text(other)) => Condition::Known(one == other),
        (Condition::Known(one), Condition::Known(other)) => Condition::Known(one == other),
        (Condition::Unset, Condition::Text(_)) => Condition::Unset,
        (Condition::Asks(subject, Question::True, usual), other)
        | (other, Condition::Asks(subject, Question::True, usual)) => match other.into_literal() {
            Some(text) => Condition::Asks(subject, Question::OneOf(vec![text]), usual),
            None => Condition::Unread,
        },
        _ => Condition::Unread,
    }
}
