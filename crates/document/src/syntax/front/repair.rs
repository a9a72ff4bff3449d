//! Repairs YAML that other parsers tolerate: quoted texts, lists and maps in brackets that continue
//! in the first column, tabs before keys and items.

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
    // How many brackets are open.
    let mut depth = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - rest.len()];
        if indent.contains('\t') {
            repaired.tab.get_or_insert(at + 1);
        }
        repaired.text.push_str(&indent.replace('\t', "  "));
        let continues = open.is_some() || depth > 0;
        if continues && indent.is_empty() && !rest.trim().is_empty() {
            repaired.text.push_str("  ");
        }
        repaired.text.push_str(rest);
        open = match open {
            Some(quote) if closes(rest, quote) => None,
            None => opened(rest),
            open => open,
        };
        if open.is_none() {
            depth = brackets(rest, depth);
        }
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

/// How many brackets are open after a line. Those of a value in brackets count, and all lines until
/// it is closed.
fn brackets(line: &str, depth: usize) -> usize {
    let value = match line.split_once(':') {
        Some((_, value)) if depth == 0 => value.trim_start(),
        _ => line,
    };
    if depth == 0 && !value.starts_with(['[', '{']) {
        return 0;
    }
    let (mut depth, mut quote) = (depth, None);
    for c in value.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    depth
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
