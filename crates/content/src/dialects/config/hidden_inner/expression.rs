//! Expressions of Go templates: `eq (.Get 0) "public" | not`.

/// How deep parentheses are read.
const DEEPEST: usize = 20;

/// One word of a command.
#[derive(Debug)]
pub enum Term<'t> {
    /// A name, a field, a number.
    Word(&'t str),
    /// A text in quotes.
    Text(&'t str),
    /// An expression in parentheses.
    Group(Pipeline<'t>),
}

/// Commands, each of which is given the value of the one before as its last argument.
#[derive(Debug, Default)]
pub struct Pipeline<'t>(pub Vec<Vec<Term<'t>>>);

impl<'t> Pipeline<'t> {
    /// Reads an expression; `None`: it is not understood.
    pub fn parse(text: &'t str) -> Option<Self> {
        let mut rest = text;
        let pipeline = inner(&mut rest, DEEPEST)?;
        rest.is_empty().then_some(pipeline)
    }

    /// Whether one of its words fits, in parentheses too.
    pub fn has(&self, fits: &impl Fn(&str) -> bool) -> bool {
        let mut terms = self.0.iter().flatten();
        terms.any(|term| match term {
            Term::Word(word) => fits(word),
            Term::Text(_) => false,
            Term::Group(group) => group.has(fits),
        })
    }
}

/// The commands up to the end, or to a closing parenthesis.
fn inner<'t>(rest: &mut &'t str, depth: usize) -> Option<Pipeline<'t>> {
    let depth = depth.checked_sub(1)?;
    let mut commands = vec![Vec::new()];
    loop {
        *rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Some(Pipeline(commands));
        };
        let term = match first {
            ')' => return Some(Pipeline(commands)),
            '|' => {
                *rest = &rest[1..];
                commands.push(Vec::new());
                continue;
            }
            '(' => {
                *rest = &rest[1..];
                let group = inner(rest, depth)?;
                *rest = rest.strip_prefix(')')?;
                Term::Group(group)
            }
            '"' | '`' => quoted(rest, first)?,
            _ => word(rest),
        };
        commands.last_mut()?.push(term);
    }
}

/// A text up to its closing quote. One with escapes is a word that has no value.
fn quoted<'t>(rest: &mut &'t str, quote: char) -> Option<Term<'t>> {
    let mut is_escaped = false;
    let ends = |c: char| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && quote == '"' && !is_escaped;
        ends
    };
    let length = rest[1..].find(ends)?;
    let (text, behind) = rest[1..].split_at(length);
    *rest = &behind[1..];
    let has_escapes = quote == '"' && text.contains('\\');
    Some(match has_escapes {
        true => Term::Word("\"\""),
        false => Term::Text(text),
    })
}

fn word<'t>(rest: &mut &'t str) -> Term<'t> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | '"' | '`');
    let length = rest.find(ends).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(length);
    *rest = behind;
    Term::Word(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(pipeline: &Pipeline<'_>) -> String {
        let term = |term: &Term<'_>| match term {
            Term::Word(word) => (*word).to_owned(),
            Term::Text(text) => format!("'{text}'"),
            Term::Group(group) => format!("[{}]", show(group)),
        };
        let commands = pipeline.0.iter();
        let commands = commands.map(|all| all.iter().map(term).collect::<Vec<_>>().join(" "));
        commands.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn expressions_of_templates_are_read() {
        let check = |text: &str, expected: Option<&str>| {
            let shown = Pipeline::parse(text).as_ref().map(show);
            assert_eq!(shown.as_deref(), expected, "{text}");
        };
        check(
            "and (eq (.Get 0)\n`a` ) $x.y|not",
            Some("and [eq [.Get 0] 'a'] $x.y | not"),
        );
        check("\"a ) | b\" \"a\\\" b\" 1", Some("'a ) | b' \"\" 1"));
        check("(.Get 0).X", Some("[.Get 0] .X"));
        check("", Some(""));
        for text in ["(a", "a)", "\"a", "`"] {
            check(text, None);
        }
        assert!(Pipeline::parse(&"(".repeat(50_000)).is_none());
    }

    proptest::proptest! {
        #[test]
        fn no_expression_panics(text in "[a-c().$|\"`\\\\ é]{0,40}") {
            Pipeline::parse(&text);
        }
    }
}
