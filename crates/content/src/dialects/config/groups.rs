//! Groups in path patterns: `@(a|b)`, `?(a)` and `!(a|b)`.

/// Opens the names that a part of a path may not have, and closes them: `!(a|b)`.
pub(super) const NONE_OF: char = '\u{4}';
const END: char = '\u{5}';

/// Signs that match more than themselves.
const WILD: [char; 5] = ['*', '?', '[', '{', '('];

/// A pattern in signs that are read, and whether that is what it means.
pub(super) struct Groups {
    pub text: String,
    /// Whether each group is read as it is meant. Another became `*`.
    pub are_read: bool,
}

impl Groups {
    /// Braces in place of groups: `*.@(md|mdx)` is `*.{md,mdx}`.
    pub(super) fn rewrite(pattern: &str) -> Self {
        let mut groups = Self {
            text: String::new(),
            are_read: true,
        };
        let mut rest = pattern;
        while let Some((before, group)) = rest.split_once('(') {
            let sign = before.chars().last().filter(|c| "@+?*!".contains(*c));
            let (Some(sign), Some((inner, after))) = (sign, group.split_once(')')) else {
                groups.text.push_str(before);
                groups.text.push('(');
                rest = group;
                continue;
            };
            groups.text.push_str(&before[..before.len() - 1]);
            groups.add(sign, inner, after);
            rest = after;
        }
        groups.text.push_str(rest);
        groups
    }

    fn add(&mut self, sign: char, inner: &str, after: &str) {
        let before = self.text.rsplit('/').next().unwrap_or_default();
        let behind = after.split('/').next().unwrap_or_default();
        let is_plain = !inner.contains(WILD) && !inner.contains('/');
        let is_alone = !before.contains(NONE_OF)
            && !behind.contains('(')
            && (!before.contains(WILD) || !behind.contains(WILD));
        let braces = inner.replace('|', ",");
        match sign {
            '@' | '+' => self.text.push_str(&format!("{{{braces}}}")),
            '?' => self.text.push_str(&format!("{{,{braces}}}")),
            '!' if is_plain && is_alone => {
                self.text.push(NONE_OF);
                self.text.push_str(inner);
                self.text.push(END);
            }
            _ => {
                self.text.push('*');
                self.are_read = false;
            }
        }
    }
}

/// Whether a name is `before`, something beside some names, and `after`. `None`: the pattern
/// has no such group.
pub(super) fn fits_none_of(
    pattern: &str,
    name: &str,
    fits: fn(&str, &str) -> bool,
) -> Option<bool> {
    let (before, group) = pattern.split_once(NONE_OF)?;
    let (inner, after) = group.split_once(END)?;
    let is_other = |own: &str| inner.split('|').all(|one| one != own);
    Some(if before.contains(WILD) {
        name.strip_suffix(after).is_some_and(|rest| {
            let mut ends = ends(rest);
            ends.any(|end| is_other(&rest[end..]) && fits(before, &rest[..end]))
        })
    } else {
        name.strip_prefix(before).is_some_and(|rest| {
            let mut ends = ends(rest);
            ends.any(|end| is_other(&rest[..end]) && fits(after, &rest[end..]))
        })
    })
}

/// All places in a name where a character begins, and its end.
fn ends(name: &str) -> impl Iterator<Item = usize> {
    let begins = name.char_indices().map(|(at, _)| at);
    begins.chain([name.len()])
}

#[cfg(test)]
mod tests {
    use crate::dialects::config::{Glob, Patterns};

    #[test]
    fn groups_are_read_as_they_are_meant() {
        let rooted = |pattern: &str, path: &str, fits: bool| {
            let globs = Patterns::Rooted.read(pattern);
            let fit = globs.iter().any(|glob| !glob.negated && glob.fits(path));
            assert_eq!(fit, fits, "{pattern} {path}");
        };
        rooted("!(public)/**", "public/a.md", false);
        rooted("!(public)/**", "x/a.md", true);
        rooted("!(a|b)/**", "b/x/a.md", false);
        rooted("**/!(README).md", "x/README.md", false);
        rooted("**/!(README).md", "x/b.md", true);
        rooted("**/*.!(md|mdx)", "a/b.md", false);
        rooted("**/*.!(md|mdx)", "a/b.txt", true);
        rooted("**/!(_)*.md", "a/b.md", true);
        let paths = |pattern: &str, path: &str, fits: bool| {
            let globs = Glob::parse_paths("docs", pattern);
            assert_eq!(globs.iter().any(|glob| glob.fits(path)), fits, "{pattern}");
        };
        paths("!(x)/*.md", "docs/y/a.md", true);
        paths("!(x)/*.md", "docs/x/a.md", false);
        for (pattern, are_read) in [
            ("!(a)/**", true),
            ("@(a|b)/**", true),
            ("*(a)/**", false),
            ("!(a*)/**", false),
        ] {
            assert_eq!(
                Patterns::Rooted.has_all_groups(pattern),
                are_read,
                "{pattern}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn no_group_panics(pattern in "(!\\(|@\\(|\\(|\\)|\\||a|é|/|\\*|\\{|\\}|\\[){0,30}", path in "[aé/.]{0,20}") {
            for glob in Patterns::Rooted.read(&pattern).into_iter().chain(Glob::parse_paths("", &pattern)) {
                glob.fits(&path);
            }
        }
    }
}
