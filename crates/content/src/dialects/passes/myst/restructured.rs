//! What reStructuredText in a text does not show: comments, notes of the author, parts for other
//! builds, and values for elsewhere.

/// Follows the lines of reStructuredText.
#[derive(Default)]
pub struct Restructured {
    /// The indent of the block that is not shown.
    hidden: Option<usize>,
}

impl Restructured {
    /// Whether the next line, which begins at a column, is not shown; `is_hidden` knows directives by
    /// names and arguments.
    pub fn hides(
        &mut self,
        text: &str,
        indent: usize,
        is_hidden: impl Fn(&str, &str) -> bool,
    ) -> bool {
        let text = text.trim();
        if let Some(hidden) = self.hidden {
            if text.is_empty() || indent > hidden {
                return true;
            }
            self.hidden = None;
        }
        let Some(rest) = text.strip_prefix("..") else {
            return false;
        };
        let is_block = rest.is_empty() || rest.starts_with(' ');
        let rest = rest.trim_start();
        let is_shown = match rest.split_once("::") {
            // `.. |x| replace:: y`
            _ if rest.starts_with('|') => false,
            // `.. _target:` and `.. [1] note`
            _ if rest.starts_with(['_', '[']) => true,
            Some((name, arguments)) if !name.contains(char::is_whitespace) => {
                !is_hidden(name, arguments.trim())
            }
            _ => false,
        };
        let is_hidden = is_block && !is_shown;
        self.hidden = is_hidden.then_some(indent);
        is_hidden
    }
}
