//! A template tag parsed as a call: form, name and arguments.

use super::arguments::Arguments;
use super::token::{Inner, Token};
use crate::syntax::front::Front;

/// One template tag outside code.
#[derive(Debug)]
pub struct Call<'a> {
    pub form: Form,
    /// The tag's name; for an output its last filter, else its expression.
    pub name: &'a str,
    /// The text after the name; for an output the whole expression.
    pub text: &'a str,
    /// The parsed arguments.
    pub arguments: Arguments<'a>,
    /// Whether it begins or ends a pair and the other tag exists.
    pub paired: bool,
    /// The front matter of the page.
    pub front: &'a Front,
    /// What gives values to the page beside its own front matter, the strongest first.
    pub around: Vec<&'a Front>,
}

/// The three forms of template tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `{{ expression | filter }}`
    Output,
    /// `{% name arguments %}`
    Tag,
    /// `{{< name arguments >}}`, `{{% name arguments %}}`
    Shortcode,
}

impl<'a> Call<'a> {
    /// A call without a partner.
    pub fn new(form: Form, name: &'a str, text: &'a str, front: &'a Front) -> Self {
        Self {
            form,
            name,
            text,
            arguments: Arguments::parse(text),
            paired: false,
            front,
            around: Vec::new(),
        }
    }

    /// `None` for comments and escaped tags.
    pub fn from_token(token: &Token<'a>, front: &'a Front) -> Option<Self> {
        if let Inner::Output(expression) = token.inner {
            return Some(Self::output(expression, front));
        }
        let (form, name, text) = parts(token)?;
        Some(Self::new(form, name, text, front))
    }

    /// A `{% tag %}` from its full text.
    pub fn tag(inner: &'a str, front: &'a Front) -> Self {
        let (name, text) = divide(Form::Tag, inner);
        Self::new(Form::Tag, name, text, front)
    }

    /// An output is named after its last filter, else after its expression.
    pub fn output(expression: &'a str, front: &'a Front) -> Self {
        let (_, last) = expression.rsplit_once('|').unwrap_or(("", expression));
        let last = last.trim();
        let end = last
            .find(|c: char| c == '/' || ends_name(c))
            .unwrap_or(last.len());
        let name = if end == 0 { last } else { &last[..end] };
        Self::new(Form::Output, name, expression, front)
    }

    /// The name of the tag that this one ends.
    pub fn ended(&self) -> Option<&'a str> {
        ended(self.form, self.name)
    }
}

/// The form, name and arguments of a `{% tag %}` or a shortcode.
pub fn parts<'a>(token: &Token<'a>) -> Option<(Form, &'a str, &'a str)> {
    let (form, inner) = match token.inner {
        Inner::Tag(inner) => (Form::Tag, inner),
        Inner::Shortcode(inner) => (Form::Shortcode, inner),
        Inner::Output(_) | Inner::Shown(_) | Inner::Comment => return None,
    };
    let (name, text) = divide(form, inner);
    Some((form, name, text))
}

/// Splits `name arguments`, or `name(arguments)` of a tag.
fn divide(form: Form, inner: &str) -> (&str, &str) {
    let inner = inner.trim().trim_end_matches('/').trim_end();
    // The first character always belongs to the name.
    let first = inner.chars().next().map_or(0, char::len_utf8);
    let length = inner[first..]
        .find(ends_name)
        .unwrap_or(inner.len() - first);
    let (name, text) = inner.split_at(first + length);
    let text = text.trim();
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    (name, inside.filter(|_| form == Form::Tag).unwrap_or(text))
}

fn ends_name(character: char) -> bool {
    !(character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '/'))
}

/// The name of the tag that a closing tag ends. Markdoc closes its tags as HTML does.
pub fn ended(form: Form, name: &str) -> Option<&str> {
    let end = if form == Form::Tag {
        name.strip_prefix("end")
    } else {
        None
    };
    end.or_else(|| name.strip_prefix('/'))
}
