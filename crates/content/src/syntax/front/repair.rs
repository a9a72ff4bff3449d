//! Repairs YAML that other parsers tolerate: quoted texts that continue in the first column, tabs
//! before keys and items.

/// A repaired text with the same number of lines, and the repairs to report.
#[derive(Default)]
pub struct Repaired {
    pub text: String,
    /// The first line with a removed tab, from 1.
    pub tab: Option<usize>,
}

/// Repairs a block; `None`: no repair is needed.
pub fn repair(text: &str) -> Option<Repaired> {
    let mut repaired = Repaired::default();
    let mut open: Option<char> = None;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - rest.len()];
        if indent.contains('\t') {
            repaired.tab.get_or_insert(at + 1);
        }
        repaired.text.push_str(&indent.replace('\t', "  "));
        if open.is_some() && indent.is_empty() && !rest.trim().is_empty() {
            repaired.text.push_str("  ");
        }
        repaired.text.push_str(rest);
        open = match open {
            Some(quote) if closes(rest, quote) => None,
            None => opened(rest),
            open => open,
        };
    }
    (repaired.text != text).then_some(repaired)
}

/// The quotation mark that a `key: "…` or `- "…` line leaves open.
fn opened(line: &str) -> Option<char> {
    let value = line
        .strip_prefix("- ")
        .or_else(|| line.split_once(':').map(|(_, value)| value))?
        .trim();
    let quote = value
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    (!closes(&value[1..], quote)).then_some(quote)
}

/// Whether a quotation ends in this text; `\"` and `''` do not end it.
fn closes(text: &str, quote: char) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote && (quote == '"' || characters.next_if_eq(&quote).is_none()) {
            return true;
        }
    }
    false
}
