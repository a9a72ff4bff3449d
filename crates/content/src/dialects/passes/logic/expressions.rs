//! The parts of expressions and conditions.

/// The maximum number of words of a condition.
pub const MOST_WORDS: usize = 200;

/// A condition with spaces around its operators, and `a.b` for `a?.b`.
pub fn spaced(condition: &str) -> String {
    const OPERATORS: [&str; 11] = [
        "===", "!==", "==", "!=", "&&", "||", "<>", "<=", ">=", "<", ">",
    ];
    let mut spaced = String::with_capacity(condition.len() + 8);
    let (mut at, mut quote) = (0, None);
    while let Some(c) = condition[at..].chars().next() {
        let rest = &condition[at..];
        let operator = OPERATORS.iter().find(|sign| rest.starts_with(**sign));
        match (quote, c, operator) {
            (Some(open), _, _) if open == c => quote = None,
            (None, '"' | '\'', _) => quote = Some(c),
            (None, _, Some(operator)) => {
                spaced.push_str(&format!(" {operator} "));
                at += operator.len();
                continue;
            }
            (None, '?', _) if rest.starts_with("?.") => {
                at += 1;
                continue;
            }
            _ => {}
        }
        spaced.push(c);
        at += c.len_utf8();
    }
    spaced
}

/// The characters outside quotes, with their offsets.
pub fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    text.char_indices().filter(move |(_, c)| match (quote, *c) {
        (Some(open), c) => {
            quote = Some(open).filter(|open| *open != c);
            false
        }
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        (None, _) => true,
    })
}

/// The parts of a text between separators outside quotes.
pub fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, _) in unquoted(text) {
        if text[at..].starts_with(separator) {
            parts.push(&text[start..at]);
            start = at + separator.len();
        }
    }
    if start < text.len() {
        parts.push(&text[start..]);
    }
    parts
}

/// The lines of a program, and what `;` separates, outside quotes.
pub fn split_lines(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, _) in unquoted(text).filter(|(_, c)| matches!(c, '\n' | ';')) {
        parts.push(text[start..at].trim());
        start = at + 1;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The words of a condition; a text in quotes is one.
pub fn words(text: &str) -> Vec<&str> {
    split(text, " ")
        .into_iter()
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect()
}
