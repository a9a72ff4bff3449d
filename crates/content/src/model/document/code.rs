//! The language of a code block, from its info string.

use super::build::clean;

/// The first word of an info string, without attributes: `js {1,3-5}`, `rust,ignore`, `{.python}`,
/// `{r setup}`.
pub(crate) fn language_of(info: &str) -> Option<String> {
    let info = info
        .trim()
        .trim_start_matches('{')
        .trim_start_matches('.')
        .trim_start();
    let end = info
        .find(|c: char| {
            c.is_whitespace()
                || matches!(c, '{' | '}' | ',' | ':' | '[' | '=' | '"' | '`' | '<' | '>')
        })
        .unwrap_or(info.len());
    let word = info[..end].trim_end_matches(';');
    (!word.is_empty() && word.len() <= 40).then(|| clean(word).into_owned())
}
