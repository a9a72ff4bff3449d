//! Expressions in braces, and literals.

/// The longest tag or expression, in bytes.
pub const LONGEST: usize = 5000;
/// How deep braces may be nested.
pub const DEEPEST_BRACES: usize = 100;

/// The length of an expression, up to its closing brace.
pub fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in text.char_indices() {
        if at >= LONGEST {
            return None;
        }
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"' | '\''), '\n') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '\'') if !text[..at].ends_with(char::is_alphanumeric) => quote = Some(c),
            (None, '{') if depth == DEEPEST_BRACES => return None,
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The expression in `{…}`.
pub fn unbraced(text: &str) -> Option<&str> {
    Some(text.strip_prefix('{')?.strip_suffix('}')?.trim())
}

/// The text of a literal.
pub fn literal(expression: &str) -> Option<&str> {
    let quote = expression.chars().next()?;
    if matches!(quote, '"' | '\'' | '`') {
        let inner = expression[1..].strip_suffix(quote)?;
        return (!inner.contains(quote) && !inner.contains("${")).then_some(inner);
    }
    let is_number = expression
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_number.then_some(expression)
}
