//! A tag of HTML or JSX, and whether its element is shown.

use crate::dialects::attributes::Attributes as Given;
use crate::syntax::html::ends_before;

/// The longest tag, in bytes.
const LONGEST: usize = 4000;
/// Names of components, and of their attributes, that show their content on a condition.
const CONDITIONALS: [&str; 6] = ["If", "Show", "ShowIf", "When", "Condition", "Conditional"];
const CONDITIONS: [&str; 7] = ["condition", "cond", "if", "is", "show", "test", "when"];

/// Why an element is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hides {
    /// An attribute says so.
    Attribute,
    /// It is a `<dialog>` that is not open.
    Dialog,
    /// Its classes say so, where the kind gives them a meaning.
    Class,
}

/// A tag outside code.
pub struct HtmlTag<'t> {
    /// In lower case.
    pub name: String,
    pub start: usize,
    pub end: usize,
    pub closes: bool,
    /// Whether the element ends with its tag.
    pub empty: bool,
    pub hides: Option<Hides>,
    /// Its classes, and the conditions in its attributes.
    pub given: Given<'t>,
}

impl<'t> HtmlTag<'t> {
    /// The tag that begins here. A name with letters of both cases is a component. `gives`: its classes
    /// and conditions are asked for.
    pub fn at(text: &'t str, start: usize, jsx: bool, gives: bool) -> Option<Self> {
        let near = &text[start..];
        let near = &near[..near.floor_char_boundary(LONGEST)];
        let inner = near.strip_prefix('<')?;
        let (closes, inner) = inner
            .strip_prefix('/')
            .map_or((false, inner), |rest| (true, rest));
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.');
        let length = inner.find(|c| !is_in_name(c))?;
        let (name, rest) = inner.split_at(length);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let is_element =
            name == name.to_ascii_lowercase() || !jsx && name == name.to_ascii_uppercase();
        let mut found = Attributes::parse(rest, gives)?;
        let end = start + near.len() - found.rest.len();
        let name = match is_element {
            true => name.to_ascii_lowercase(),
            false => name.to_owned(),
        };
        if name == "dialog" && !found.opens && found.hides.is_none() {
            found.hides = Some(Hides::Dialog);
        }
        let fails = jsx && found.fails && CONDITIONALS.contains(&&*name);
        let hides = match is_element {
            true => found.hides,
            false => fails.then_some(Hides::Attribute),
        };
        Some(Self {
            hides: hides.filter(|_| !closes),
            given: found.given,
            empty: jsx && found.slash,
            name,
            start,
            end,
            closes,
        })
    }

    /// Whether the tag ends an open element that may have no end of its own.
    pub fn ends(&self, open: &str) -> bool {
        let more = match open {
            "p" => matches!(&*self.name, "details" | "dialog"),
            "td" | "th" => self.name == "tr",
            "option" => self.name == "option",
            _ => false,
        };
        more || ends_before(open, &self.name)
    }
}

/// What the attributes of a tag say.
struct Attributes<'t> {
    hides: Option<Hides>,
    /// Whether there is `open`.
    opens: bool,
    /// Whether a condition is `{false}`.
    fails: bool,
    /// Whether the tag ends with `/>`.
    slash: bool,
    given: Given<'t>,
    /// Whether `given` is asked for.
    gives: bool,
    /// What follows the tag.
    rest: &'t str,
}

impl<'t> Attributes<'t> {
    /// The attributes behind the name of a tag; `None`: it is not a tag.
    fn parse(text: &'t str, gives: bool) -> Option<Self> {
        let mut found = Self {
            hides: None,
            opens: false,
            fails: false,
            slash: false,
            given: Given::default(),
            gives,
            rest: text,
        };
        if !text.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')) {
            return None;
        }
        loop {
            let rest = found.rest.trim_start();
            if let Some(rest) = rest.strip_prefix('>') {
                found.rest = rest;
                return Some(found);
            }
            found.slash = rest.starts_with('/');
            if found.slash {
                found.rest = &rest[1..];
                continue;
            }
            found.rest = rest;
            found.attribute()?;
        }
    }

    fn attribute(&mut self) -> Option<()> {
        if self.rest.starts_with('{') {
            self.rest = &self.rest[braces(self.rest)?..];
            return Some(());
        }
        let end = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '<' | '{');
        let length = self.rest.find(end)?;
        let (name, rest) = self.rest.split_at(length);
        if rest.starts_with('<') {
            return None;
        }
        let (value, is_off) = self.assigned(rest, !name.is_empty())?;
        self.note(&name.to_ascii_lowercase(), value, is_off);
        if self.gives {
            self.give(name, value);
        }
        Some(())
    }

    /// Moves behind the value that follows a name. Returns it, empty where nothing is assigned, and
    /// whether it is `false`; `None`: it is not an attribute.
    fn assigned(&mut self, rest: &'t str, has_name: bool) -> Option<(&'t str, bool)> {
        let Some(assigned) = rest.trim_start().strip_prefix('=') else {
            self.rest = rest;
            return has_name.then_some(("", false));
        };
        let assigned = assigned.trim_start();
        let (length, inner) = value(assigned)?;
        self.rest = &assigned[length..];
        Some((inner, is_false(&assigned[..length])))
    }

    /// Notes classes and conditions: `when-format="pdf"`, `data-when-format="pdf"`.
    fn give(&mut self, name: &'t str, value: &'t str) {
        let name = name.strip_prefix("data-").unwrap_or(name);
        if name == "class" {
            self.given.classes.extend(value.split_ascii_whitespace());
        } else if name.starts_with("when-") || name.starts_with("unless-") {
            self.given.pairs.push((name, value));
        }
    }

    fn note(&mut self, name: &str, value: &str, is_off: bool) {
        match name {
            "open" => self.opens = !is_off,
            "hidden" if !is_off && !value.eq_ignore_ascii_case("until-found") => {
                self.hides = Some(Hides::Attribute);
            }
            name if is_off && CONDITIONS.contains(&name) => self.fails = true,
            "style" if is_hidden(value) => self.hides = Some(Hides::Attribute),
            _ => {}
        }
    }
}

/// Whether an expression in braces is `false`. The same in quotes is a text.
fn is_false(value: &str) -> bool {
    let inner = value.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    inner.is_some_and(|inner| inner.trim() == "false")
}

/// The length of an attribute's value, and what is inside its quotes.
fn value(text: &str) -> Option<(usize, &str)> {
    match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let inner = text[1..].split(quote).next()?;
            (inner.len() + 1 < text.len()).then_some((inner.len() + 2, inner))
        }
        '{' => {
            let length = braces(text)?;
            Some((length, &text[..length]))
        }
        _ => {
            let length = text.find(|c: char| c.is_whitespace() || c == '>')?;
            Some((length, &text[..length]))
        }
    }
}

/// The length of an expression in braces.
fn braces(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at + 1),
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Whether the last declarations of a style hide its element. In JSX it is an object.
fn is_hidden(style: &str) -> bool {
    let (mut display, mut visibility) = (false, false);
    let is_object = style.starts_with('{');
    let separator = if is_object { ',' } else { ';' };
    for declaration in style.trim_matches(['{', '}', ' ']).split(separator) {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        let value = value.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
        let value = value.trim_end_matches("!important").trim_end();
        match &*name.trim().to_ascii_lowercase() {
            "display" => display = value == "none",
            "visibility" => visibility = matches!(value, "hidden" | "collapse"),
            _ => {}
        }
    }
    display || visibility
}
