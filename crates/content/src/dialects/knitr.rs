//! R Markdown: options of cells, as R code has them, and headings of bookdown.

/// The value of `echo` in `knitr::opts_chunk$set(echo = FALSE)`, for all cells after it.
pub fn echo_of_all(text: &str) -> Option<String> {
    const CALL: &str = "opts_chunk$set(";
    let (_, arguments) = text.split_once(CALL)?;
    let found = assignments(arguments).into_iter();
    let mut echo = found.filter(|(key, _)| key == "echo");
    let (_, value) = echo.next()?;
    Some(value.split([')', '\n']).next()?.trim().to_owned())
}

/// `name, key = value, key = "a, b"`
pub fn assignments(text: &str) -> Vec<(String, String)> {
    let (mut open, mut escaped) = (None, false);
    let outside_quotes = |c: char| {
        match open {
            Some(quote) if c == quote && !escaped => open = None,
            None if matches!(c, '"' | '\'') => open = Some(c),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        c == ',' && open.is_none()
    };
    let mut parts: Vec<&str> = text.split(outside_quotes).collect();
    if open.is_some() {
        parts = text.split(',').collect();
    }
    let pairs = parts.into_iter().filter_map(|part| {
        let (key, value) = part.split_once('=')?;
        let key = key.split_whitespace().next_back()?;
        Some((key.to_owned(), value.trim().to_owned()))
    });
    pairs.collect()
}

/// The title of a heading without the sign of bookdown that it is that of a part.
pub fn without_part(title: &str) -> &str {
    const SIGNS: [&str; 3] = ["(PART) ", "(PART\\*) ", "(APPENDIX) "];
    let mut titles = SIGNS.iter().filter_map(|sign| title.strip_prefix(sign));
    titles.next().unwrap_or(title)
}
