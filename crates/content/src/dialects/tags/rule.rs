//! Tables of template tags.

use super::call::Call;
use super::piece::Piece;

/// Names of template tags, and the function that renders such a tag; it may decline. A `*` in a
/// name matches any text.
pub type Rule = (&'static [&'static str], fn(&Call<'_>) -> Option<Piece>);

/// The replacement by the first rule that matches.
pub fn apply(rules: &[Rule], call: &Call<'_>) -> Option<Piece> {
    let (_, write) = rules.iter().find(|(names, _)| is_among(names, call.name))?;
    write(call)
}

/// Whether a name matches one of these, in which `*` matches any text.
pub fn is_among(names: &[&str], name: &str) -> bool {
    names.iter().any(|pattern| match pattern.split_once('*') {
        Some((begin, end)) => name
            .strip_prefix(begin)
            .is_some_and(|rest| rest.ends_with(end)),
        None => *pattern == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_text() {
        let fits = |name: &str| is_among(&["image", "image_*", "hextra/*-card"], name);
        assert!(fits("image") && fits("image_") && fits("image_x") && fits("hextra/a-card"));
        assert!(!fits("images") && !fits("hextra/a-cards") && !fits("a-card"));
    }
}
