//! Rewrites code between two tags as a fence.

use super::Writer;
use super::write::begins_line;
use crate::dialects::markup::fence;
use crate::dialects::tags::{Arguments, Form, Inner, Piece, Token, parts};

const BLANKS: [char; 2] = [' ', '\t'];

impl Writer<'_, '_> {
    /// `{% highlight js %}…{% endhighlight %}`: a fence if the opening tag has a line of its own.
    pub(super) fn code(&mut self, open: &Token<'_>, inner: &[Token<'_>], close: &Token<'_>) {
        let code = &self.text[open.range.end..close.range.start];
        let alone = begins_line(&self.text[..open.range.start])
            && code.trim_start_matches(BLANKS).starts_with('\n')
            && code.trim_end_matches(BLANKS).ends_with('\n');
        if !alone {
            return self.unwrap(open, inner, close);
        }
        if code.trim_start().starts_with(['`', '~']) && code.trim_end().ends_with(['`', '~']) {
            // A fence inside has its own language: the tag only gives its title.
            match open.inner {
                Inner::Tag(words) if Arguments::parse(words).named(&["title"]).is_some() => {
                    let title = Arguments::parse(words)
                        .named(&["title"])
                        .unwrap_or_default();
                    self.piece(open.range.clone(), &Piece::Label(title.to_owned()));
                }
                _ => self.put(open.range.clone(), ""),
            }
            return self.one(close, true, "");
        }
        let (Inner::Tag(words) | Inner::Shortcode(words)) = open.inner else {
            return;
        };
        let fence = fence(code);
        let own =
            parts(open).and_then(|(_, name, words)| Some(self.own_code(name)?.language(words)));
        let language = own.unwrap_or_else(|| language(words).to_owned());
        let info = format!("{fence}{language}{}{}", marked(words), titled(words));
        self.put(open.range.clone(), &info);
        self.without_raw(inner);
        self.put(close.range.clone(), &fence);
    }

    /// Removes `raw` and its end inside code: what is between them is shown as it is anyway.
    fn without_raw(&mut self, inner: &[Token<'_>]) {
        let is = |token: &Token<'_>, words: &str| matches!(token.inner, Inner::Tag(inner) if inner == words);
        let [open, .., close] = inner else { return };
        if is(open, "raw") && is(close, "endraw") {
            self.put(open.range.clone(), "");
            self.put(close.range.clone(), "");
        }
    }

    /// A tab that contains code without a fence: of Docsy (`lang`, in panes not declared as text)
    /// and of Kubernetes (`codelang`). `false`: another tag.
    pub(super) fn code_tab(&mut self, open: &Token<'_>, close: &Token<'_>) -> bool {
        let Some((Form::Shortcode, name, text)) = parts(open) else {
            return false;
        };
        let arguments = Arguments::parse(text);
        if name == "tabpane" {
            let language = arguments.named(&["lang"]).unwrap_or_default();
            self.pane = if arguments.named(&["text"]) == Some("true") {
                None
            } else {
                Some(language.to_owned())
            };
            return false;
        }
        let Some(language) = self.language_of_tab(name, &arguments) else {
            return false;
        };
        let code = &self.text[open.range.end..close.range.start];
        // `{{%` contains Markdown.
        if !self.text[open.range.start..].starts_with("{{<") || code.trim_start().starts_with("```")
        {
            return false;
        }
        let title = arguments
            .named(&["name", "header", "title"])
            .or(arguments.first())
            .unwrap_or_default();
        self.piece(open.range.clone(), &Piece::Label(title.replace("**", "")));
        let fence = fence(code);
        let code = code.trim_end();
        let code = code
            .trim_start_matches(BLANKS)
            .strip_prefix('\n')
            .unwrap_or(code);
        let begin = self.splice.done().max(open.range.end);
        self.splice.put_lines(
            begin..close.range.end,
            &format!("\n{fence}{language}\n{code}\n{fence}\n"),
        );
        true
    }

    /// The language of the code in a tab; `None`: the tab contains text.
    fn language_of_tab(&self, name: &str, arguments: &Arguments<'_>) -> Option<String> {
        let own = arguments.named(&["lang"]);
        let language = match name {
            "tab" if arguments.named(&["text"]) == Some("true") => return None,
            "tab" => match arguments.named(&["codelang"]) {
                Some(language) => language,
                None => own.unwrap_or(self.pane.as_deref()?),
            },
            "card" if arguments.named(&["code"]) == Some("true") => own.unwrap_or_default(),
            _ => return None,
        };
        Some(language.to_ascii_lowercase())
    }
}

/// The longest list of marked lines, in bytes.
const MOST_MARKED: usize = 500;

/// The lines that a tag marks, as a fence does: `hl_lines="1 3-5"`, also among other options
/// (`"linenos=table,hl_lines=8 15-17"`), Jekyll's `mark_lines`, and `mark:1,4-7` of Hexo.
fn marked(words: &str) -> String {
    let keys = ["hl_lines=", "mark_lines=", " mark:"];
    let Some(value) = keys.iter().find_map(|key| Some(words.split_once(key)?.1)) else {
        return String::new();
    };
    let is_of_numbers = |c: char| c.is_ascii_digit() || matches!(c, '-' | ',' | ' ');
    let (value, may_have) = match value.chars().next() {
        Some('[') => (value[1..].split(']').next(), "\"'\\"),
        Some(quote @ ('"' | '\'')) => (value[1..].split(quote).next(), ""),
        _ => (Some(value), ""),
    };
    let value = value.unwrap_or_default();
    let value = &value[..value.floor_char_boundary(MOST_MARKED)];
    let end = value.find(|c: char| !is_of_numbers(c) && !may_have.contains(c));
    let numbers =
        value[..end.unwrap_or(value.len())].split(|c: char| !c.is_ascii_digit() && c != '-');
    let numbers: Vec<&str> = numbers.filter(|part| !part.is_empty()).collect();
    if numbers.is_empty() {
        return String::new();
    }
    format!(" hl_lines=\"{}\"", numbers.join(" "))
}

/// The title that a tag gives to its code.
fn titled(words: &str) -> String {
    let title = Arguments::parse(words).named(&["title"]);
    let title = title.filter(|title| words.starts_with("code") && !title.contains('"'));
    title.map_or_else(String::new, |title| format!(" title=\"{title}\""))
}

/// The language in `highlight js`, `codeblock lang:js`, `mermaid`.
fn language(words: &str) -> &str {
    let mut all = words.split_whitespace();
    let mut language = all.clone().find_map(|word| {
        word.strip_prefix("lang:")
            .or_else(|| word.strip_prefix("language:"))
    });
    if all.next() == Some("mermaid") {
        language = Some("mermaid");
    }
    let language = language.or(all.next()).unwrap_or_default();
    let language = language.trim_matches(['"', '\'', ',']);
    if language.contains(['=', ':', '`']) {
        ""
    } else {
        language
    }
}
