//! Code with a class for each of its parts: what a theme colours without inline style.
//!
//! A grammar-driven highlighter costs one to five milliseconds a kilobyte of code, which is more than all else that is done with an article. So the
//! parts are found by one forward pass with small tables: comments, strings, numbers, keywords, names that are called, types, tags, keys. That is
//! what readers see, and it takes microseconds. The text itself is never changed: without its tags the result is the escaped input.

// One word a line would hide the tables.
#[rustfmt::skip]
mod languages;
mod markup;
mod program;

/// A longer block is a listing to be searched, not read: it stays plain.
const MAX_BYTES: usize = 100_000;

/// Minified code is not read either.
const MAX_LINE: usize = 1_000;

/// What a part is, and so which class it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Not highlighted.
    None,
    /// `com`: a comment.
    Comment,
    /// `str`: a string, a value.
    String,
    /// `esc`: a character written in another way.
    Escape,
    /// `num`: a number, a colour, a size.
    Number,
    /// `con`: true, null, self; a variable where those have a sign.
    Constant,
    /// `kw`: a word of the language.
    Keyword,
    /// `fn`: a name that is defined or called.
    Function,
    /// `ty`: a type, a section.
    Type,
    /// `tag`: an element.
    Tag,
    /// `attr`: an attribute, a key, an option.
    Attribute,
    /// `ins`: a line that was added.
    Inserted,
    /// `del`: a line that was taken away.
    Deleted,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Comment => "com",
            Self::String => "str",
            Self::Escape => "esc",
            Self::Number => "num",
            Self::Constant => "con",
            Self::Keyword => "kw",
            Self::Function => "fn",
            Self::Type => "ty",
            Self::Tag => "tag",
            Self::Attribute => "attr",
            Self::Inserted => "ins",
            Self::Deleted => "del",
        }
    }
}

/// How a language is read.
#[derive(Clone, Copy, Debug)]
enum Grammar {
    /// By the words and signs of a program.
    Program(&'static program::Rules),
    /// By tags.
    Markup,
    /// By selectors and declarations.
    Css,
    /// By keys at the beginning of lines: YAML, TOML, INI.
    Keys,
    /// By the first character of a line.
    Diff,
    /// By headings, code and links.
    Markdown,
}

/// Whether a word is the name of a language that is read here.
pub(crate) fn knows(language: &str) -> bool {
    languages::grammar(&language.to_ascii_lowercase()).is_some()
}

/// Writes code as escaped HTML with `<span class="…">` around its parts, at the end of `out`. Classes: `com`, `str`, `esc`, `num`, `con`, `kw`, `fn`,
/// `ty`, `tag`, `attr`, `ins`, `del`.
///
/// `false`: nothing was written, since the language is not known or the code is too much to read.
pub fn highlight(language: &str, text: &str, out: &mut String) -> bool {
    let Some(grammar) = languages::grammar(language) else { return false };
    if text.len() > MAX_BYTES || text.split('\n').any(|line| line.len() > MAX_LINE) {
        return false;
    }
    let mut code = Code { text, at: 0, out, open: Class::None };
    match grammar {
        Grammar::Program(rules) => program::write(&mut code, rules),
        Grammar::Markup => markup::elements(&mut code),
        Grammar::Css => markup::css(&mut code),
        Grammar::Keys => markup::keys(&mut code),
        Grammar::Diff => markup::diff(&mut code),
        Grammar::Markdown => markup::markdown(&mut code),
    }
    code.take_to(text.len(), Class::None);
    code.set(Class::None);
    true
}

/// The code that is read, and what is written of it. Whatever is taken is written, once and in order.
struct Code<'t, 'o> {
    text: &'t str,
    /// Up to where it is written.
    at: usize,
    out: &'o mut String,
    /// The class of the span that is open.
    open: Class,
}

impl<'t> Code<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The byte `ahead` of here; 0 past the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or_default()
    }

    /// The byte before here; a line break at the beginning.
    fn previous(&self) -> u8 {
        self.at.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)).copied().unwrap_or(b'\n')
    }

    /// Whether nothing but white space stands before here on the line.
    fn is_line_start(&self) -> bool {
        let line = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..self.at].bytes().all(|byte| byte == b' ' || byte == b'\t')
    }

    /// Writes up to the end of the character at or after `end`, as one part.
    fn take_to(&mut self, end: usize, class: Class) {
        let mut end = end.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        if end <= self.at {
            return;
        }
        let part = &self.text[self.at..end];
        // White space has no colour: it stays in the span that is open, so that a phrase is one span.
        if !part.bytes().all(|byte| byte == b' ') {
            self.set(class);
        }
        let mut from = 0;
        for (at, byte) in part.bytes().enumerate() {
            let entity = match byte {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => continue,
            };
            self.out.push_str(&part[from..at]);
            self.out.push_str(entity);
            from = at + 1;
        }
        self.out.push_str(&part[from..]);
        self.at = end;
    }

    fn take(&mut self, length: usize, class: Class) {
        self.take_to(self.at.saturating_add(length), class);
    }

    fn take_line(&mut self, class: Class) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.take(length, class);
    }

    /// The length of the run of bytes here for which `is` holds; bytes of characters beyond ASCII count as letters.
    fn run(&self, is: impl Fn(u8) -> bool) -> usize {
        self.rest().bytes().take_while(|&byte| byte >= 0x80 || is(byte)).count()
    }

    fn set(&mut self, class: Class) {
        if class == self.open {
            return;
        }
        if self.open != Class::None {
            self.out.push_str("</span>");
        }
        if class != Class::None {
            self.out.push_str("<span class=\"");
            self.out.push_str(class.name());
            self.out.push_str("\">");
        }
        self.open = class;
    }
}

#[cfg(test)]
mod tests;
