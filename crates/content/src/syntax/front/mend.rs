//! What other YAML readers let pass, made valid: quoted texts that go on in the first column, tabs before keys and items.

/// A mended text with as many lines, and whether the author should know.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mended {
    pub text: String,
    /// The first line that a tab was taken from, from 1.
    pub tab: Option<usize>,
}

/// Mends a block; `None`: there is nothing to mend.
pub(super) fn mend(text: &str) -> Option<Mended> {
    let mut mended = Mended { text: String::with_capacity(text.len() + 64), tab: None };
    let mut changed = false;
    let mut open: Option<char> = None;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        let indent = &line[..blanks];
        if indent.contains('\t') {
            changed = true;
            mended.tab.get_or_insert(at + 1);
        }
        mended.text.push_str(&indent.replace('\t', "  "));
        if open.is_some() && blanks == 0 && !line.trim().is_empty() {
            changed = true;
            mended.text.push_str("  ");
        }
        let rest = &line[blanks..];
        mended.text.push_str(rest);
        open = match open {
            Some(quote) => (!closes(rest, quote)).then_some(quote),
            None => opened(rest),
        };
    }
    changed.then_some(mended)
}

/// The quote that a `key: "…` or `- "…` line leaves open.
fn opened(line: &str) -> Option<char> {
    let value = line.strip_prefix("- ").or_else(|| line.split_once(':').map(|(_, value)| value))?.trim();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    (!closes(&value[1..], quote)).then_some(quote)
}

/// Whether a quote ends in this text: a `\"` or `''` inside is none.
fn closes(text: &str, quote: char) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if quote == '"' => {
                characters.next();
            }
            _ if character == quote && (quote == '"' || characters.next_if_eq(&quote).is_none()) => return true,
            _ => {}
        }
    }
    false
}
