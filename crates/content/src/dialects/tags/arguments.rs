//! The arguments of a template tag: `"a b" 'c' d key="value" key: value`, with or without commas.

/// Arguments with and without a name, as written, without quotes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Arguments<'a> {
    pub positional: Vec<&'a str>,
    pub named: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    pub fn parse(text: &'a str) -> Self {
        let mut arguments = Self::default();
        let curly = text.rfind('”').map_or(0, |at| text.len() - at);
        let mut rest = text.trim_start_matches(separates);
        while let Some(first) = rest.chars().next() {
            let (word, behind) = value(rest, curly);
            let bare = !matches!(first, '"' | '\'' | '`' | '“');
            if bare
                && !word.is_empty()
                && let Some(assigned) = behind.trim_start().strip_prefix(['=', ':'])
            {
                let (value, behind) = value(assigned.trim_start(), curly);
                arguments.named.push((word, value));
                rest = behind;
            } else {
                if !word.is_empty() || !bare {
                    arguments.positional.push(word);
                }
                rest = if behind.len() == rest.len() {
                    &rest[first.len_utf8()..]
                } else {
                    behind
                };
            }
            rest = rest.trim_start_matches(separates);
        }
        arguments
    }

    /// The first argument without a name.
    pub fn first(&self) -> Option<&'a str> {
        self.positional.first().copied()
    }

    /// The second argument without a name.
    pub fn second(&self) -> Option<&'a str> {
        self.positional.get(1).copied()
    }

    /// The value of the first of these names that is given.
    pub fn named(&self, names: &[&str]) -> Option<&'a str> {
        let mut found = names.iter().flat_map(|name| {
            self.named
                .iter()
                .find(|(key, _)| key.eq_ignore_ascii_case(name))
        });
        found.next().map(|(_, value)| *value)
    }
}

fn separates(character: char) -> bool {
    character.is_whitespace() || character == ','
}

/// The value at the start of a text, and the text after it; `curly`: the distance of the last `”`
/// from the end, in bytes.
fn value(text: &str, curly: usize) -> (&str, &str) {
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')] {
        let Some(inner) = text.strip_prefix(open) else {
            continue;
        };
        // Any other unclosed quote is the last of its kind; of these there may be many.
        let may_end = close != '”' || text.len() > curly && curly > 0;
        if may_end && let Some(inner) = inner.split_once(close) {
            return inner;
        }
    }
    // A `:` or `=` ends a name, but not inside an address such as `https://…`.
    let mut address = false;
    for (at, character) in text.char_indices() {
        let begins = character == ':' && text[at + 1..].starts_with("//");
        let names = !address && !begins && matches!(character, '=' | ':');
        address |= begins;
        if separates(character) || names {
            return text.split_at(at);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_every_spelling() {
        let check = |text: &str, positional: &[&str], named: &[(&str, &str)]| {
            assert_eq!(
                Arguments::parse(text),
                Arguments {
                    positional: positional.to_vec(),
                    named: named.to_vec()
                },
                "{text}"
            );
        };
        check(
            r#""a/b.png" "An alt, text""#,
            &["a/b.png", "An alt, text"],
            &[],
        );
        check(r#""a.png", "", 'it' x"#, &["a.png", "", "it", "x"], &[]);
        check(
            r#"src="/a b.png" alt='x' width=3"#,
            &[],
            &[("src", "/a b.png"), ("alt", "x"), ("width", "3")],
        );
        check(
            r#"figure.html image_path: "a""#,
            &["figure.html"],
            &[("image_path", "a")],
        );
        check(
            "https://example.org/x y",
            &["https://example.org/x", "y"],
            &[],
        );
        check(
            "https://example.org/x?v=y:1&z=2",
            &["https://example.org/x?v=y:1&z=2"],
            &[],
        );
        check("\"open", &["\"open"], &[]);
        check("= : ,", &[], &[]);
    }

    proptest::proptest! {
        #[test]
        fn no_arguments_panic(text in "[a-c\"'`“” =:,/.é]{0,40}") {
            Arguments::parse(&text);
        }
    }
}
