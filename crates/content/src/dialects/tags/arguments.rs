//! The arguments of a template tag: `"a b" 'c' d key="value" key: value`, with or without commas.

/// Arguments with and without a name, as written, quotes off.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::dialects) struct Arguments<'a> {
    pub(in crate::dialects) positional: Vec<&'a str>,
    named: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    pub(in crate::dialects) fn of(text: &'a str) -> Self {
        let mut arguments = Self::default();
        let curly = text.rfind('”').map_or(0, |at| text.len() - at);
        let mut rest = text.trim_start_matches(separates);
        while !rest.is_empty() {
            let (word, behind) = value(rest, curly);
            let bare = !rest.starts_with(['"', '\'', '`', '“']);
            let after = behind.trim_start();
            if let Some(assigned) = after.strip_prefix(['=', ':']).filter(|_| bare && !word.is_empty()) {
                let (value, behind) = value(assigned.trim_start(), curly);
                arguments.named.push((word, value));
                rest = behind;
            } else {
                if !word.is_empty() || !bare {
                    arguments.positional.push(word);
                }
                rest = if behind.len() == rest.len() { &rest[rest.chars().next().map_or(0, char::len_utf8)..] } else { behind };
            }
            rest = rest.trim_start_matches(separates);
        }
        arguments
    }

    /// All names and their values.
    pub(in crate::dialects) fn all(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.named.iter().copied()
    }

    /// The value of the first of some names that is there.
    pub(in crate::dialects) fn named(&self, names: &[&str]) -> Option<&'a str> {
        names.iter().find_map(|name| self.named.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value))
    }
}

fn separates(character: char) -> bool {
    character.is_whitespace() || character == ','
}

/// The value that the text begins with, and what is behind it; `curly`: the last `”` is so many bytes before the end.
fn value(text: &str, curly: usize) -> (&str, &str) {
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')] {
        // Any other quote without an end is the last one of its kind; of these there may be many.
        let inner = text.strip_prefix(open).filter(|_| close != '”' || text.len() > curly && curly > 0);
        if let Some((inner, end)) = inner.and_then(|inner| Some((inner, inner.find(close)?))) {
            return (&inner[..end], &inner[end + close.len_utf8()..]);
        }
    }
    // A `:` or `=` ends a name, but not inside an address such as `https://…`.
    let mut address = false;
    let end = text.char_indices().find(|(at, character)| {
        let begins = *character == ':' && text[at + 1..].starts_with("//");
        let names = !address && !begins && matches!(*character, '=' | ':');
        address |= begins;
        separates(*character) || names
    });
    text.split_at(end.map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_every_spelling() {
        let check = |text: &str, positional: &[&str], named: &[(&str, &str)]| {
            assert_eq!(Arguments::of(text), Arguments { positional: positional.to_vec(), named: named.to_vec() }, "{text}");
        };
        check(r#""a/b.png" "An alt, text""#, &["a/b.png", "An alt, text"], &[]);
        check(r#""a.png", "", 'it' x"#, &["a.png", "", "it", "x"], &[]);
        check(r#"src="/a b.png" alt='x' width=3"#, &[], &[("src", "/a b.png"), ("alt", "x"), ("width", "3")]);
        check(r#"figure.html image_path: "a""#, &["figure.html"], &[("image_path", "a")]);
        check("https://example.org/x y", &["https://example.org/x", "y"], &[]);
        check("https://example.org/x?v=y:1&z=2", &["https://example.org/x?v=y:1&z=2"], &[]);
        check("\"open", &["\"open"], &[]);
        check("= : ,", &[], &[]);
    }

    proptest::proptest! {
        #[test]
        fn no_arguments_panic(text in "[a-c\"'`“” =:,/.é]{0,40}") {
            Arguments::of(&text);
        }
    }
}
