//! Expressions of GitBook: `<code class="expression">space.vars.version</code>`. Those of known
//! values are filled in; the others stay as code.

use super::escape::escape;
use super::logic::{Names, Values};
use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;

/// What an expression begins with.
pub const SIGN: &str = "<code class=\"expression\">";
/// Where its code ends, before the `>`.
const END: &str = "</code";
/// The longest expression, in bytes.
const LONGEST: usize = 1000;
/// How much a text may grow, in bytes.
const MOST_GROWTH: usize = 1_000_000;

/// Fills in the values.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !lines.text.contains(SIGN) {
        return;
    }
    let text = lines.text.as_str();
    let found = lines.literals();
    let values = Values::new(Names::open(page.front, &page.kind.config.values));
    let mut splice = Splice::new(text);
    let mut grown = 0;
    for (start, _) in text.match_indices(SIGN) {
        let Some(end) = found.end_of_code(start) else {
            continue;
        };
        let expression = text[start + SIGN.len()..end].strip_suffix(END);
        let short = expression
            .filter(|expression| expression.len() <= LONGEST && text[end..].starts_with('>'));
        let value = short.and_then(|expression| values.sum(expression));
        if let Some(value) = value.map(|value| escape(&value))
            && grown + value.len() <= MOST_GROWTH
        {
            grown += value.len();
            splice.put(start..end + 1, &value);
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::page::testing::on_page;

    #[test]
    fn known_values_are_filled_in() {
        let front = crate::syntax::front::split("---\nvars:\n  food: a < b\n---\n", "a.md").front;
        let check = |text: &str, expected: &str| {
            let text = text.replace("<e>", SIGN);
            let mut lines = Lines::new(&text);
            on_page(Some("gitbook"), &front, |page| rewrite(&mut lines, page));
            assert_eq!(lines.text, expected.replace("<e>", SIGN));
        };
        check("I like <e>page.vars.food</code>.", "I like a &#60; b.");
        check(
            "<e>\"To eat: \" + page.vars.food</code>\n",
            "To eat: a &#60; b\n",
        );
        check("<e>space.vars.none</code>", "<e>space.vars.none</code>");
        check("`<e>page.vars.food</code>`", "`<e>page.vars.food</code>`");
        check("<e>page.vars.food", "<e>page.vars.food");
        let indented = "a\n\n    <e>page.vars.food</code>\n";
        check(indented, indented);
    }

    #[test]
    fn values_let_a_text_grow_by_a_megabyte_at_most() {
        let value = "&".repeat(10_000);
        let front = format!("---\nvars:\n  long: \"{value}\"\n---\n");
        let front = crate::syntax::front::split(&front, "a.md").front;
        let expression = format!("{SIGN}page.vars.long</code> ");
        let mut lines = Lines::new(&expression.repeat(100));
        on_page(Some("gitbook"), &front, |page| rewrite(&mut lines, page));
        assert_eq!(lines.text.matches("&#38;").count(), 200_000);
        assert_eq!(lines.text.matches(SIGN).count(), 80);
    }

    proptest::proptest! {
        #[test]
        fn no_expression_panics(text in "(<code class=\"expression\">|</code>|page\\.vars\\.food| \\+ |\"|`|é|\n){0,12}") {
            let front = crate::syntax::front::split("---\nvars:\n  food: x\n---\n", "a.md").front;
            let mut lines = Lines::new(&text);
            on_page(Some("gitbook"), &front, |page| rewrite(&mut lines, page));
            proptest::prop_assert!(lines.come_from(&text));
        }
    }
}
