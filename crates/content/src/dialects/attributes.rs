//! Attributes in braces: `{#id .class key="value"}`, `{=html}`, and the conditions in them.

/// The longest list of attributes, in bytes.
const LONGEST: usize = 5000;

/// Attributes, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes<'a> {
    pub id: Option<&'a str>,
    pub classes: Vec<&'a str>,
    pub pairs: Vec<(&'a str, &'a str)>,
    /// The format of raw content: `{=html}`.
    pub raw: Option<&'a str>,
    /// Their length with braces.
    pub length: usize,
}

impl<'a> Attributes<'a> {
    /// The attributes that a text begins with.
    pub fn at(text: &'a str) -> Option<Self> {
        let inner = text.strip_prefix('{')?;
        if inner.starts_with(['{', '%', ':']) {
            return None;
        }
        let near = &inner[..inner.floor_char_boundary(LONGEST)];
        let mut found = Self::default();
        let mut rest = near.trim_start();
        if let Some(format) = rest.strip_prefix('=') {
            let end = format.find('}')?;
            let name = format[..end].trim();
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+');
            if name.is_empty() || !name.chars().all(is_name) {
                return None;
            }
            found.raw = Some(name);
            rest = &format[end..];
        }
        loop {
            let spaced = rest.trim_start();
            if rest[..rest.len() - spaced.len()].matches('\n').count() > 1 {
                return None;
            }
            rest = spaced;
            if let Some(behind) = rest.strip_prefix('}') {
                found.length = 1 + near.len() - behind.len();
                return Some(found);
            }
            rest = found.one(rest)?;
        }
    }

    /// Reads one attribute; returns the rest.
    fn one(&mut self, rest: &'a str) -> Option<&'a str> {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '}' | '=' | '{' | '"'))?;
        let (word, behind) = rest.split_at(end);
        if let Some(value) = behind.strip_prefix('=') {
            if word.is_empty() {
                return None;
            }
            let (value, behind) = value_of(value)?;
            self.pairs.push((word, value));
            return Some(behind);
        }
        match word.as_bytes().first()? {
            b'#' if word.len() > 1 => self.id = Some(&word[1..]),
            b'.' if word.len() > 1 => self.classes.push(&word[1..]),
            b'-' if word.len() == 1 => self.classes.push("unnumbered"),
            _ => return None,
        }
        Some(behind)
    }

    pub fn has(&self, class: &str) -> bool {
        self.classes.contains(&class)
    }

    pub fn get(&self, name: &str) -> Option<&'a str> {
        let (_, value) = self.pairs.iter().find(|(own, _)| *own == name)?;
        Some(value)
    }

    /// Whether a reader of HTML sees the content.
    pub fn is_shown(&self, page: &impl Conditions) -> bool {
        let (hides, shows) = (self.has("content-hidden"), self.has("content-visible"));
        if !hides && !shows {
            return true;
        }
        let holds = self.pairs.iter().all(|(name, value)| match *name {
            "when-format" => is_html(value),
            "unless-format" => !is_html(value),
            "when-meta" => is_set(page.meta(value)),
            "unless-meta" => !is_set(page.meta(value)),
            "when-profile" => page.has_profile(value),
            "unless-profile" => !page.has_profile(value),
            _ => true,
        });
        holds == shows
    }
}

/// What conditions ask of a page.
pub trait Conditions {
    /// The value of a key of the page or of its site.
    fn meta(&self, key: &str) -> Option<String>;
    /// Whether a profile of the site is active.
    fn has_profile(&self, name: &str) -> bool;
}

/// Whether a name of a format means the pages of a site.
pub fn is_html(format: &str) -> bool {
    let mut names = format.split([',', ' ']).map(str::trim);
    names.any(|name| matches!(name, "html" | "html4" | "html5" | "html:js"))
}

fn is_set(value: Option<String>) -> bool {
    value.is_some_and(|value| !matches!(value.as_str(), "" | "false" | "no" | "off"))
}

/// A value, in quotes or up to white space; and the rest.
fn value_of(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inner = &text[1..];
        let end = closing(inner, quote)?;
        return Some((&inner[..end], &inner[end + 1..]));
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '}')?;
    Some(text.split_at(end))
}

/// The next quote that no backslash escapes.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return Some(at);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// The words of a heading, and its attributes.
pub fn heading_parts(words: &str) -> (&str, Option<Attributes<'_>>) {
    let starts = words.match_indices('{').map(|(at, _)| at);
    for at in starts {
        if let Some(found) = Attributes::at(&words[at..])
            && found.raw.is_none()
            && at + found.length == words.len()
        {
            return (words[..at].trim_end(), Some(found));
        }
    }
    (words, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_55_attributes_with_quoted_values() {
        let text = "{#fig-x .a .b fig-alt=\"a \\\"b\\\" } c\" width=50%} d";
        let found = Attributes::at(text).unwrap();
        assert_eq!(
            (found.id, &found.classes[..]),
            (Some("fig-x"), &["a", "b"][..])
        );
        assert_eq!(found.get("fig-alt"), Some("a \\\"b\\\" } c"));
        assert_eq!(
            (found.get("width"), &text[found.length..]),
            (Some("50%"), " d")
        );
        assert_eq!(Attributes::at("{=html} x").unwrap().raw, Some("html"));
        assert!(Attributes::at("{-}").unwrap().has("unnumbered"));
        assert_eq!(Attributes::at("{}").unwrap().length, 2);
        for text in [
            "{a}",
            "{% x %}",
            "{{< x >}}",
            "{: .x}",
            "{.x",
            "{#}",
            "{a\n\n.b}",
            "{=}",
            "x",
        ] {
            assert_eq!(Attributes::at(text), None, "{text}");
        }
    }

    #[test]
    fn rule_55_conditions_are_those_of_html() {
        struct Page;
        impl Conditions for Page {
            fn meta(&self, key: &str) -> Option<String> {
                (key == "a.b").then(|| "true".to_owned())
            }

            fn has_profile(&self, name: &str) -> bool {
                name == "public"
            }
        }
        let check = |text: &str, shown: bool| {
            assert_eq!(
                Attributes::at(text).unwrap().is_shown(&Page),
                shown,
                "{text}"
            );
        };
        check("{.x}", true);
        check("{.content-hidden}", false);
        check("{.content-visible when-format=\"html\"}", true);
        check("{.content-visible when-format=\"pdf\"}", false);
        check("{.content-hidden when-format=\"html:js\"}", false);
        check("{.content-hidden unless-format=\"html\"}", true);
        check("{.content-visible unless-format=\"html\"}", false);
        check("{.content-visible when-meta=\"a.b\"}", true);
        check("{.content-visible when-meta=\"a.c\"}", false);
        check("{.content-visible unless-meta=\"a.c\"}", true);
        check("{.content-visible when-profile=\"x\"}", false);
        check("{.content-visible when-profile=\"public\"}", true);
        check("{.content-visible unless-profile=\"public\"}", false);
        check("{.content-visible unless-profile=\"x\"}", true);
        check("{.content-hidden when-profile=\"public\"}", false);
        check("{.content-hidden unless-profile=\"x\"}", false);
    }
}
