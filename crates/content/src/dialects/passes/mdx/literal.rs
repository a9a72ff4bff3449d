//! Expressions in braces, and literals.

/// The longest text in code that is searched for its end, in bytes.
pub const LONGEST: usize = 5000;
/// The longest tag or expression, in bytes.
pub const LONGEST_EXPRESSION: usize = 20_000;
/// How deep braces may be nested.
pub const DEEPEST_BRACES: usize = 100;

/// A text with more unclosed braces than this is not MDX: all its further braces are text.
const MOST_UNCLOSED: usize = 100;

/// Finds the ends of the expressions in one text.
#[derive(Default)]
pub struct Braces {
    /// How many expressions have no end.
    unclosed: usize,
}

impl Braces {
    /// The length of an expression, up to its closing brace.
    pub fn length(&mut self, text: &str) -> Option<usize> {
        if self.unclosed == MOST_UNCLOSED {
            return None;
        }
        let length = balanced(text);
        self.unclosed += usize::from(length.is_none());
        length
    }
}

fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut comment_end = 0;
    for (at, c) in text.char_indices() {
        if at >= LONGEST_EXPRESSION {
            return None;
        }
        if at < comment_end {
            continue;
        }
        if c == '/' && quote.is_none() && text[at..].starts_with("/*") {
            let near = &text.as_bytes()[..text.len().min(LONGEST_EXPRESSION)];
            comment_end = at + 4 + memchr::memmem::find(&near[at + 2..], b"*/")?;
            continue;
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

/// The text of a string literal, with its escapes replaced.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.push_str(before);
        let mut characters = escaped.chars();
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r' | '\n') | None => {}
            Some('u') => {
                let (c, behind) = code_point(characters.as_str());
                out.extend(c);
                rest = behind;
                continue;
            }
            Some(other) => out.push(other),
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out
}

/// The character of `\u{1F600}` or `\u00e9`, and what is behind it.
fn code_point(escape: &str) -> (Option<char>, &str) {
    let (digits, behind) = match escape.strip_prefix('{') {
        Some(braced) => braced.split_once('}').unwrap_or((braced, "")),
        None => escape.split_at_checked(4).unwrap_or_default(),
    };
    let code = u32::from_str_radix(digits, 16).ok();
    (code.and_then(char::from_u32), behind)
}

/// The literal that an expression leads to: the literal itself, or the only argument of a call
/// such as `require('./a.png').default` and `useBaseUrl('/a.png')`.
pub fn named_file(expression: &str) -> Option<&str> {
    let call = expression
        .strip_suffix(".default")
        .or(expression.strip_suffix(".src"))
        .unwrap_or(expression);
    let (function, argument) = call.strip_suffix(')')?.split_once('(')?;
    let is_name = !function.is_empty() && function.bytes().all(|byte| byte.is_ascii_alphanumeric());
    literal(argument.trim()).filter(|_| is_name)
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
