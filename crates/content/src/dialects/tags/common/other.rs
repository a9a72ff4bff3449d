//! Tags that no rule knows. What they do is unknown, but readers see their pictures, links and
//! words.

use crate::dialects::markup::is_picture;
use crate::dialects::tags::{Call, Form, Piece};

/// Tags of template languages that decide or calculate: their arguments are not words.
const LOGIC: [&str; 27] = [
    "assign",
    "block",
    "call",
    "capture",
    "case",
    "cycle",
    "decrement",
    "do",
    "elif",
    "else",
    "elseif",
    "elsif",
    "extends",
    "filter",
    "for",
    "from",
    "if",
    "ifchanged",
    "import",
    "increment",
    "macro",
    "set",
    "super",
    "tablerow",
    "unless",
    "when",
    "with",
];

/// The last words of keys with a title.
const TITLES: [&str; 7] = [
    "title", "label", "heading", "header", "headline", "summary", "number",
];
/// The last words of keys with a text.
const WORDS: [&str; 18] = [
    "text",
    "caption",
    "figcaption",
    "subtitle",
    "cite",
    "citation",
    "quote",
    "author",
    "byline",
    "attribution",
    "content",
    "message",
    "body",
    "description",
    "desc",
    "slot",
    "question",
    "answer",
];
/// The last words of keys with a picture.
const PICTURES: [&str; 14] = [
    "src",
    "source",
    "photo",
    "image",
    "img",
    "picture",
    "poster",
    "thumbnail",
    "thumb",
    "cover",
    "avatar",
    "logo",
    "path",
    "file",
];
/// The last words of keys with the address of a link.
const LINKS: [&str; 5] = ["href", "link", "url", "to", "cite"];

/// The most arguments of one tag.
const MOST: usize = 50;

/// What readers see of the tag.
pub fn other(call: &Call<'_>) -> Option<Piece> {
    let known = [
        "youtube",
        "vimeo",
        "gist",
        "tweet",
        "twitter",
        "x",
        "instagram",
    ];
    let is_silent = known.contains(&call.name)
        || call.name.to_ascii_lowercase().contains("icon")
        || matches!(call.name, "Tooltip" | "Term" | "Abbr")
        || call.form == Form::Tag && LOGIC.contains(&call.name);
    if is_silent {
        return None;
    }
    let mut seen = Seen::default();
    for (key, value) in call.arguments.named.iter().take(MOST) {
        if is_said(call, value) {
            seen.add(call.name, key, value);
        }
    }
    if call.form == Form::Shortcode {
        for value in call.arguments.positional.iter().take(MOST) {
            if value.trim().contains(' ') && is_said(call, value) {
                seen.pieces.push(Piece::Text(shown(value)));
            }
        }
    }
    seen.finish()
}

/// Whether a value is the author's own: no flag, and in a tag of Liquid no variable.
fn is_said(call: &Call<'_>, value: &str) -> bool {
    let is_quoted = || {
        ['"', '\''].iter().any(|quote| {
            let quoted = format!("{quote}{value}{quote}");
            call.text.contains(&quoted)
        })
    };
    let is_no_text = value.trim().is_empty()
        || matches!(value, "true" | "false")
        || value.contains("{{")
        || value.contains("{%");
    !is_no_text && (call.form != Form::Tag || is_quoted())
}

/// What the arguments of a tag show.
#[derive(Default)]
struct Seen<'a> {
    pieces: Vec<Piece>,
    /// The alternative text of a picture.
    alt: Option<&'a str>,
    address: Option<&'a str>,
}

impl<'a> Seen<'a> {
    fn add(&mut self, name: &str, key: &str, value: &'a str) {
        let last = last_word(key);
        let has = |words: &[&str]| words.contains(&last.as_str());
        let is_link = is_address(value);
        if is_picture(value) && (has(&PICTURES) || last == "url") {
            self.pieces.push(Piece::Image {
                source: value.to_owned(),
                alt: String::new(),
                caption: None,
            });
        } else if last == "alt" {
            self.alt = Some(value);
        } else if has(&LINKS) && (is_link || leads(name, key) && !value.contains(' ')) {
            self.address.get_or_insert(value);
        } else if matches!(key, "name" | "filename" | "file-name" | "fileName") {
            let is_file = key != "name" || is_link;
            let text = if is_file { Piece::Code } else { Piece::Label };
            self.pieces.push(text(shown(value)));
        } else if is_link && !value.contains(' ') {
            // An address under another key is for machines.
        } else if last == "number" {
            self.pieces.push(Piece::Label(format!("{name} {value}")));
        } else if has(&TITLES) {
            self.pieces.push(Piece::Label(shown(value)));
        } else if has(&WORDS) {
            self.pieces.push(Piece::Text(shown(value)));
        }
    }

    /// The alternative text belongs to the first picture, the address to the first title.
    fn finish(mut self) -> Option<Piece> {
        if let Some(text) = self.alt {
            let first = self.pieces.iter_mut().find_map(|piece| match piece {
                Piece::Image { alt, .. } => Some(alt),
                _ => None,
            });
            match first {
                Some(alt) => *alt = text.to_owned(),
                None => self.pieces.push(Piece::Text(text.to_owned())),
            }
        }
        if let Some(address) = self.address {
            let at = self
                .pieces
                .iter()
                .position(|piece| matches!(piece, Piece::Label(_)));
            let at = at.or(self
                .pieces
                .iter()
                .position(|piece| matches!(piece, Piece::Text(_))));
            let text = match at.map(|at| self.pieces.remove(at)) {
                Some(Piece::Label(text) | Piece::Text(text)) => text,
                _ => address.to_owned(),
            };
            let link = Piece::link(address, &text)?;
            self.pieces.insert(at.unwrap_or(self.pieces.len()), link);
        }
        match &self.pieces[..] {
            [] => None,
            [Piece::Link { .. }] => self.pieces.pop(),
            _ => Some(Piece::Several(self.pieces)),
        }
    }
}

/// Whether a key of a component always has the address of a link.
fn leads(name: &str, key: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && matches!(key, "href" | "link" | "url")
}

/// A text in which what looks like a tag, but is never closed, is a text as well.
fn shown(text: &str) -> String {
    if text.contains("</") || text.contains("/>") || text.contains("<br") {
        return text.to_owned();
    }
    text.replace('<', "\\<")
}

/// Whether a value is an address.
fn is_address(value: &str) -> bool {
    let begins = ["http://", "https://", "/", "./", "../", "#", "mailto:"];
    begins.iter().any(|begin| value.starts_with(begin))
        || !value.contains(' ')
            && [".md", ".mdx", ".html"]
                .iter()
                .any(|end| value.ends_with(end))
}

/// The last word of `image_alt`, `button-text`, `linkLabel`, in lower case. Names of classes and
/// what only helps scripts have none.
fn last_word(key: &str) -> String {
    if key.starts_with("data-") || key.starts_with("aria-") {
        return String::new();
    }
    let at = key
        .rfind(|c: char| c.is_ascii_uppercase() || matches!(c, '_' | '-' | '.'))
        .filter(|_| key.contains(|c: char| c.is_ascii_lowercase()))
        .unwrap_or(0);
    key[at..]
        .trim_start_matches(['_', '-', '.'])
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::front::Front;

    fn check(form: Form, name: &str, text: &str, expected: Option<Piece>) {
        let front = Front::default();
        assert_eq!(
            other(&Call::new(form, name, text, &front)),
            expected,
            "{text}"
        );
    }

    #[test]
    fn rule_51_words_of_unknown_tags_stay_and_secrets_do_not() {
        let text = |text: &str| Piece::Text(text.to_owned());
        let label = |text: &str| Piece::Label(text.to_owned());
        check(
            Form::Shortcode,
            "pull-quote",
            "quote=\"To be\" cite=\"W. S.\" class=\"a b\" id=\"c\" style=\"d: e\"",
            Some(Piece::Several(vec![text("To be"), text("W. S.")])),
        );
        check(
            Form::Shortcode,
            "person",
            "name=\"Ada\" photo=\"/a.jpg\" alt=\"Her\" github=\"ada\"",
            Some(Piece::Several(vec![
                label("Ada"),
                Piece::Image {
                    source: "/a.jpg".to_owned(),
                    alt: "Her".to_owned(),
                    caption: None,
                },
            ])),
        );
        check(
            Form::Shortcode,
            "cta",
            "buttonText=\"Go\" href=\"/x\"",
            Piece::link("/x", "Go"),
        );
        check(
            Form::Shortcode,
            "FileTree.File",
            "name=\"page.mdx\" active=\"true\"",
            Some(Piece::Several(vec![Piece::Code("page.mdx".to_owned())])),
        );
        check(
            Form::Shortcode,
            "mystery",
            "\"two words\" one",
            Some(Piece::Several(vec![text("two words")])),
        );
        check(
            Form::Tag,
            "include",
            "x.html title=page.title text='Own words'",
            Some(Piece::Several(vec![text("Own words")])),
        );
        for (form, name, secret) in [
            (
                Form::Shortcode,
                "x",
                "className=\"a\" data-text=\"b\" aria-label=\"c\" hidden=true title=true",
            ),
            (Form::Shortcode, "FancyIcon", "name=\"star\" title=\"Star\""),
            (
                Form::Shortcode,
                "x",
                "src=\"/a.js\" text=\"{{ b }}\" key=\"c d\"",
            ),
            (Form::Tag, "assign", "text = \"a b\""),
        ] {
            check(form, name, secret, None);
        }
    }
}
