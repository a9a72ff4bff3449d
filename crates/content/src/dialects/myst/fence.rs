//! Lines that open or close code, mathematics and directives.

/// The signs of a fence, and of mathematics.
const FENCES: [char; 4] = ['`', '~', ':', '$'];

/// A line that begins with signs of a fence.
pub struct Fence<'t> {
    sign: char,
    count: usize,
    words: &'t str,
}

impl<'t> Fence<'t> {
    /// The fence that a line is, if it is one.
    pub fn parse(line: &'t str) -> Option<Self> {
        let rest = line.trim();
        let sign = rest.chars().next().filter(|c| FENCES.contains(c))?;
        let words = rest.trim_start_matches(sign);
        let count = rest.len() - words.len();
        let words = words.trim();
        // Mathematics is between lines of `$$`; the second may have a label, `$$ (name)`.
        let is_label = words.starts_with('(') && words.ends_with(')');
        let is_one = match sign {
            '$' => count == 2 && (words.is_empty() || is_label),
            // With another backtick it is a span of code.
            '`' => count >= 3 && !words.contains(sign),
            _ => count >= 3,
        };
        is_one.then_some(Self { sign, count, words })
    }

    /// Whether it ends what another opens.
    pub fn closes(&self, opening: &Self) -> bool {
        let is_bare = self.words.is_empty() || self.sign == '$';
        is_bare && self.sign == opening.sign && self.count >= opening.count
    }

    /// The label of a formula that it ends.
    pub fn label(&self) -> Option<&'t str> {
        let label = self.words.strip_prefix('(')?.strip_suffix(')')?;
        (self.sign == '$').then(|| label.trim())
    }

    /// Whether it opens code, unless it names a directive.
    pub fn is_code(&self) -> bool {
        self.sign != ':'
    }

    /// `{name} arguments`, also with attributes behind the name.
    pub fn directive(&self) -> Option<(&'t str, &'t str)> {
        let (words, arguments) = self.named()?;
        let name = words.split_whitespace().next().unwrap_or_default();
        Some((name, arguments.trim()))
    }

    /// The attributes in `{name .class #id}`.
    pub fn attributes(&self) -> impl Iterator<Item = &'t str> {
        let (words, _) = self.named().unwrap_or_default();
        words.split_whitespace().skip(1)
    }

    fn named(&self) -> Option<(&'t str, &'t str)> {
        self.words.strip_prefix('{')?.split_once('}')
    }
}
