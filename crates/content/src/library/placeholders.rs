//! Placeholders in the patterns of addresses: `:title`, `:sections[1:]`.

/// A pattern with its placeholders replaced; `\:` is a colon. `value` is asked for a name
/// and its range. `None`: a value is unknown.
pub fn replaced(
    pattern: &str,
    value: impl Fn(&str, Option<&str>) -> Option<String>,
) -> Option<String> {
    if !pattern.contains(':') {
        return Some(pattern.to_owned());
    }
    let (mut filled, mut rest) = (String::new(), pattern);
    while let Some((before, after)) = rest.split_once(':') {
        if let Some(before) = before.strip_suffix('\\') {
            filled.push_str(before);
            filled.push(':');
            rest = after;
            continue;
        }
        let end = after
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(after.len());
        let (placeholder, after) = after.split_at(end);
        let (range, after) = match after
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
        {
            Some((range, after)) => (Some(range), after),
            None => (None, after),
        };
        filled.push_str(before);
        filled.push_str(&value(placeholder, range)?);
        rest = after;
    }
    filled.push_str(rest);
    let parts: Vec<&str> = filled.split('/').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return Some("/".to_owned());
    }
    let closing = if filled.ends_with('/') { "/" } else { "" };
    Some(format!("/{}{closing}", parts.join("/")))
}

/// The parts in a range of numbers: `2`, `last`, `1:`, `:3`.
pub fn in_range<'p>(parts: &'p [String], range: &str) -> Option<&'p [String]> {
    let number = |text: &str| match text.trim() {
        "last" => Some(parts.len().saturating_sub(1)),
        number => number.parse::<usize>().ok(),
    };
    let Some((from, to)) = range.split_once(':') else {
        let at = number(range)?;
        return Some(parts.get(at..=at).unwrap_or_default());
    };
    let from = if from.trim().is_empty() {
        0
    } else {
        number(from)?
    };
    let to = if to.trim().is_empty() {
        parts.len()
    } else {
        number(to)?
    };
    Some(parts.get(from..to.min(parts.len())).unwrap_or_default())
}
