//! The template engine for themes: escaping, missing values, and errors as problems.

use diglot_content::Problem;
use diglot_content::text::has_byte;
use minijinja::syntax::SyntaxConfig;
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value,
};

use super::ThemeFile;

/// Deep enough for themes, shallow enough for small stacks.
const RECURSION_LIMIT: usize = 60;

/// An empty environment with the theme's rules.
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // Lines with only a tag leave no output. This syntax cannot fail to build.
    if let Ok(syntax) = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()
    {
        environment.set_syntax(syntax);
    }
    environment.set_recursion_limit(RECURSION_LIMIT);
    // An error has its place in the template, which is noted only when one occurs.
    environment.set_debug(true);
    // A misspelt name is reported, not rendered as empty.
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|name| {
        if name.ends_with(".md") {
            AutoEscape::Custom("markdown".into())
        } else {
            AutoEscape::Html
        }
    });
    environment.set_formatter(write);
    environment
}

/// Adds or replaces a template of a theme folder.
pub(super) fn add(environment: &mut Environment<'static>, file: &ThemeFile) -> Result<(), Problem> {
    let text = std::str::from_utf8(&file.bytes).map_err(|error| {
        let line = file.bytes[..error.valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Problem::error("this template is not UTF-8").at(
            file.path.as_str(),
            u32::try_from(line + 1).unwrap_or(0),
            0,
        )
    })?;
    environment
        .add_template_owned(file.path.clone(), text.to_owned())
        .map_err(|error| problem(&error, &file.path, None))
}

/// A template error as a problem with file and line; `name`: the value that does not exist.
pub(super) fn problem(error: &Error, path: &str, name: Option<&str>) -> Problem {
    let what = match error.kind() {
        ErrorKind::SyntaxError => "syntax error in template",
        ErrorKind::UndefinedError => return undefined(error, path, name),
        ErrorKind::TemplateNotFound => "the template names a template that does not exist",
        ErrorKind::UnknownFilter
        | ErrorKind::UnknownTest
        | ErrorKind::UnknownFunction
        | ErrorKind::UnknownMethod => {
            "the template calls a filter, test or function that does not exist"
        }
        _ => "the template failed",
    };
    let message = match error.detail() {
        Some(detail) => format!("{what}: {detail}"),
        None => format!("{what}: {}", error.kind()),
    };
    Problem::error(message).at(path, line(error), 0)
}

fn undefined(error: &Error, path: &str, name: Option<&str>) -> Problem {
    let message = match name {
        Some(name) => format!("the template uses a value that does not exist: `{name}`"),
        None => "the template uses a value that does not exist".to_owned(),
    };
    Problem::error(message).at(path, line(error), 0)
}

fn line(error: &Error) -> u32 {
    let line = error.line().and_then(|line| u32::try_from(line).ok());
    line.unwrap_or(0)
}

/// Writes a value: nothing for `none`, safe strings unchanged, other values escaped if the template
/// is HTML.
///
/// The engine's own escaping also turns `/` into `&#x2f;`, which HTML does not need and which
/// clutters every URL.
fn write(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.is_none() {
        return Ok(());
    }
    let Some(text) = value.as_str() else {
        return minijinja::escape_formatter(out, state, value);
    };
    match state.auto_escape() {
        AutoEscape::Html if !value.is_safe() => out.write_str(&escape(text)),
        AutoEscape::Custom(_) if !value.is_safe() => out.write_str(&escape_markdown(text)),
        _ => out.write_str(text),
    }
    .map_err(Error::from)
}

/// Escapes text for a line of Markdown: a backslash before every character that could be markup.
pub(crate) fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '<'
                | '>'
                | '&'
                | '!'
                | '~'
                | '#'
                | '|'
                | '='
                | '$'
                | ':'
                | '{'
                | '}'
        ) {
            out.push('\\');
        }
        out.push(if character.is_control() {
            ' '
        } else {
            character
        });
    }
    out
}

/// Escapes text for an HTML text node or quoted attribute.
pub(crate) fn escape(text: &str) -> std::borrow::Cow<'_, str> {
    let special = |byte: u8| {
        (byte == b'&') | (byte == b'<') | (byte == b'>') | (byte == b'"') | (byte == b'\'')
    };
    if !has_byte(text, special) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for part in text.split_inclusive(['&', '<', '>', '"', '\'']) {
        let (plain, last) =
            part.split_at(part.len() - usize::from(part.bytes().last().is_some_and(special)));
        out.push_str(plain);
        out.push_str(match last {
            "&" => "&amp;",
            "<" => "&lt;",
            ">" => "&gt;",
            "\"" => "&quot;",
            "'" => "&#39;",
            other => other,
        });
    }
    out.into()
}
