//! Finds where a formula begins and ends.

use super::LONGEST;
use crate::dialects::markup::MARGIN;
use crate::model::text::Next;

/// A formula in a text.
pub struct Formula {
    pub tex: String,
    /// Whether it is displayed on lines of its own.
    pub display: bool,
    /// The end of its closing delimiter.
    pub end: usize,
}

/// Delimiters of formulas: the opening one, and whether the formula is displayed.
const PAIRS: [(&str, bool); 5] = [
    ("$$", true),
    ("\\\\(", false),
    ("\\\\[", true),
    ("\\(", false),
    ("\\[", true),
];
/// How many of them are delimiters in every text. In Markdown a single backslash escapes a bracket;
/// if formulas are configured, it opens one.
const EVERYWHERE: usize = 3;

/// The closing delimiters in a text, each found once.
pub struct Formulas<'t> {
    text: &'t str,
    paragraph: Next<'t>,
    /// The closing delimiters of [`PAIRS`].
    ends: [Next<'t>; PAIRS.len()],
    dollar: Next<'t>,
}

impl<'t> Formulas<'t> {
    pub fn new(text: &'t str) -> Self {
        let ends = ["$$", "\\\\)", "\\\\]", "\\)", "\\]"].map(|sign| Next::new(sign, text));
        Self {
            text,
            paragraph: Next::new("\n\n", text),
            ends,
            dollar: Next::new("$", text),
        }
    }

    /// The formula that begins here.
    pub fn at(&mut self, at: usize, dollar: bool) -> Option<Formula> {
        let rest = &self.text[at..];
        let known = if dollar { PAIRS.len() } else { EVERYWHERE };
        for (number, (open, display)) in PAIRS.into_iter().enumerate().take(known) {
            if rest.starts_with(open) {
                return self.between_signs(at, number, open.len(), display);
            }
        }
        if dollar && rest.starts_with('$') {
            self.between_dollars(at)
        } else {
            None
        }
    }

    fn between_signs(
        &mut self,
        at: usize,
        number: usize,
        sign: usize,
        display: bool,
    ) -> Option<Formula> {
        let end = self.ends[number].from(at + sign)?;
        let content = self.content(at, end, sign)?;
        let tex = tex(content)?;
        let fits = if number < EVERYWHERE {
            !holds_tag(content)
        } else {
            !display || self.begins_line(at) && tex.contains(['\\', '^', '_', '=', '{'])
        };
        fits.then_some(Formula {
            tex,
            display,
            end: end + sign,
        })
    }

    /// The text between two delimiters of this length, if the end is near and in the same
    /// paragraph.
    fn content(&mut self, at: usize, end: usize, sign: usize) -> Option<&'t str> {
        let whole = &self.text[at..end + sign];
        let near = whole.len() <= LONGEST
            || whole.len() <= 4 * LONGEST && whole.chars().count() <= LONGEST;
        if !near
            || self
                .paragraph
                .from(at)
                .is_some_and(|paragraph| paragraph <= end)
        {
            return None;
        }
        Some(&self.text[at + sign..end])
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches(MARGIN);
        before.is_empty() || before.ends_with('\n')
    }

    /// `$…$`, if it is a formula, not money.
    fn between_dollars(&mut self, at: usize) -> Option<Formula> {
        let close = self.dollar.from(at + 1)?;
        let content = self.content(at, close, 1)?;
        let end = close + 1;
        let before = self.text[..at].chars().next_back();
        let behind = self.text[end..].chars().next();
        let opens = !content.is_empty()
            && !content.starts_with([' ', '\n'])
            && !before.is_some_and(char::is_alphanumeric);
        let closes = !content.ends_with([' ', '\n', '\\']) && may_follow(behind, content);
        // A template tag or half of a group inside: not a formula.
        let whole =
            !holds_tag(content) && content.matches('{').count() == content.matches('}').count();
        if !opens || !closes || !whole || is_money(content) {
            return None;
        }
        Some(Formula {
            tex: tex(content)?,
            display: false,
            end,
        })
    }
}

/// Whether a character may follow the closing dollar: `$n$th` is a formula, `$HOME/$USER` is not.
fn may_follow(behind: Option<char>, content: &str) -> bool {
    let Some(behind) = behind else { return true };
    if !behind.is_alphanumeric() {
        return behind != '$';
    }
    let counts = content.chars().nth(1).is_none() && !begins_with_digit(content)
        || content.contains(['\\', '^', '{'])
        || content.starts_with('(') && content.ends_with(')');
    counts && behind.is_lowercase()
}

/// `$5 and $6`
fn is_money(content: &str) -> bool {
    begins_with_digit(content)
        && content.contains(' ')
        && !content.contains(['\\', '^', '_', '=', '{', '<', '>'])
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn holds_tag(tex: &str) -> bool {
    ["{%", "{{<", "{{%"].iter().any(|mark| tex.contains(mark))
}

/// TeX on one line, without quote markers and TeX comments.
fn tex(inner: &str) -> Option<String> {
    let mut joined = String::new();
    for (number, line) in inner.split('\n').enumerate() {
        let line = without_comment(line);
        let line = if number == 0 {
            line.trim()
        } else {
            line.trim_start_matches(MARGIN).trim_end()
        };
        if !line.is_empty() {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(line);
        }
    }
    (!joined.is_empty()).then_some(joined)
}

/// A line of TeX up to its comment.
fn without_comment(line: &str) -> &str {
    for (at, _) in line.match_indices('%') {
        let before = &line[..at];
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        if backslashes.is_multiple_of(2) {
            return before;
        }
    }
    line
}
