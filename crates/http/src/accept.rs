//! `Accept` negotiation (rule 1 of the contract, RFC 9110 section 12.5.1).
//!
//! Only an explicit media type selects Markdown. A wildcard gives HTML its weight but never selects
//! Markdown, and no request gets a 406: a cache or crawler that does not know Diglot always gets
//! the HTML page.

use diglot_edition::{ErrorForm, Form};
use http::{HeaderMap, header};
use memchr::memchr2;

use crate::weight::{Weight, elements, weighted};

/// The weights that a request's `Accept` fields give to the relevant media types. `None`: not
/// listed.
///
/// Media range parameters are ignored. Of several ranges with the same name, the greatest weight
/// counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Accept {
    html: Option<Weight>,
    any_text: Option<Weight>,
    anything: Option<Weight>,
    markdown: Option<Weight>,
    json: Option<Weight>,
}

impl Accept {
    /// Parses all `Accept` field lines as one list.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        Self::parse(
            headers
                .get_all(header::ACCEPT)
                .iter()
                .map(|line| line.as_bytes()),
        )
    }

    /// The [`form`](Self::form) of a page for these header fields.
    pub fn form_of(headers: &HeaderMap) -> Form {
        // Only a line with a `k` can name Markdown. The lists of browsers have none, and parsing them
        // would take a fifth of the instructions of a response.
        let mut lines = headers.get_all(header::ACCEPT).iter();
        if lines.any(|line| memchr2(b'k', b'K', line.as_bytes()).is_some()) {
            Self::from_headers(headers).form()
        } else {
            Form::Html
        }
    }

    /// Parses field lines as one list. No line at all equals an empty list.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut accept = Self::default();
        for line in lines {
            for element in elements(line) {
                let (range, weight) = weighted(element);
                if let Some(named) = accept.named(range) {
                    *named = (*named).max(Some(weight));
                }
            }
        }
        accept
    }

    fn named(&mut self, range: &[u8]) -> Option<&mut Option<Weight>> {
        let is = |name: &str| range.eq_ignore_ascii_case(name.as_bytes());
        if is("text/html") {
            Some(&mut self.html)
        } else if is("text/markdown") {
            Some(&mut self.markdown)
        } else if is("*/*") {
            Some(&mut self.anything)
        } else if is("text/*") {
            Some(&mut self.any_text)
        } else if is("application/json") || is("application/problem+json") {
            Some(&mut self.json)
        } else {
            None
        }
    }

    /// The weight of HTML, from the most specific range that matches it (RFC 9110 section 12.5.1).
    fn html_weight(&self) -> Weight {
        self.html
            .or(self.any_text)
            .or(self.anything)
            .unwrap_or_default()
    }

    /// Rule 1: Markdown if it is listed, acceptable, and weighs at least as much as HTML; otherwise
    /// HTML.
    pub fn form(&self) -> Form {
        match self.markdown {
            Some(markdown) if markdown.accepts() && markdown >= self.html_weight() => {
                Form::Markdown
            }
            _ => Form::Html,
        }
    }

    /// The form of an error body: as [`form`](Self::form), with JSON as a third type. If none is
    /// listed, the path suggests the form.
    ///
    /// A client that gets Markdown at a page's URL also gets its 404 in Markdown. A browser gets
    /// HTML even at a `.md` path.
    pub fn error_form(&self, suggested: ErrorForm) -> ErrorForm {
        let markdown = self.markdown.unwrap_or_default();
        let json = self.json.unwrap_or_default();
        let html_named = self.html.is_some_and(Weight::accepts);
        if markdown.max(json).accepts() && markdown.max(json) >= self.html_weight() {
            if json > markdown {
                ErrorForm::Problem
            } else {
                ErrorForm::Markdown
            }
        } else if html_named {
            ErrorForm::Html
        } else {
            suggested
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn accept(lines: &[&str]) -> Accept {
        Accept::parse(lines.iter().map(|line| line.as_bytes()))
    }

    /// The contract's test vectors: header, form, reason.
    #[test]
    fn rule_1_holds_for_every_vector() {
        let vectors = include_str!("../tests/vectors/accept.tsv");
        let rows: Vec<_> = vectors
            .lines()
            .filter(|line| !line.starts_with("# "))
            .filter_map(|line| line.split_once('\t'))
            .collect();
        assert!(rows.len() > 30, "the vectors are gone");
        for (value, rest) in rows {
            let expected = if rest.starts_with("markdown\t") {
                Form::Markdown
            } else {
                Form::Html
            };
            assert_eq!(accept(&[value]).form(), expected, "Accept: {value}");
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, http::HeaderValue::from_str(value).unwrap());
            assert_eq!(Accept::form_of(&headers), expected, "Accept: {value}");
        }
    }

    #[test]
    fn several_lines_are_one_list() {
        assert_eq!(
            accept(&["text/html;q=0.5", "text/markdown"]).form(),
            Form::Markdown
        );
        assert_eq!(
            accept(&["text/markdown;q=0.5", "text/html"]).form(),
            Form::Html
        );
        assert_eq!(accept(&[]).form(), Form::Html);
    }

    #[test]
    fn the_most_specific_range_gives_html_its_weight() {
        assert_eq!(
            accept(&["text/html;q=0.1, text/*;q=0.9, */*, text/markdown;q=0.2"]).form(),
            Form::Markdown
        );
        assert_eq!(
            accept(&["*/*;q=0.1, text/*;q=0.9, text/markdown;q=0.2"]).form(),
            Form::Html
        );
        assert_eq!(
            accept(&["text/html;q=0, */*, text/markdown;q=0.2"]).form(),
            Form::Markdown
        );
    }

    #[test]
    fn quoted_parameters_hide_nothing_and_name_nothing() {
        assert_eq!(
            accept(&[r#"text/plain;x="a, text/markdown""#]).form(),
            Form::Html
        );
        assert_eq!(
            accept(&[r#"text/markdown;x="a;q=0, b""#]).form(),
            Form::Markdown
        );
        assert_eq!(
            accept(&["text/markdown-x, atext/markdown, text / markdown"]).form(),
            Form::Html
        );
    }

    const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    #[test]
    fn errors_come_in_the_form_asked_for() {
        use ErrorForm::{Html, Markdown, Problem};
        for (value, suggested, expected) in [
            (BROWSER, Html, Html),
            (BROWSER, Markdown, Html),
            (BROWSER, Problem, Html),
            ("", Html, Html),
            ("", Markdown, Markdown),
            ("", Problem, Problem),
            ("*/*", Html, Html),
            ("*/*", Markdown, Markdown),
            ("text/markdown", Html, Markdown),
            ("text/markdown", Problem, Markdown),
            ("text/markdown;q=0.5, */*", Html, Html),
            ("text/markdown;q=0", Html, Html),
            ("application/json", Html, Problem),
            ("application/problem+json", Markdown, Problem),
            ("application/json, text/plain, */*", Markdown, Problem),
            ("application/json, text/markdown", Html, Markdown),
            ("application/json, text/html;q=0.9", Html, Problem),
            ("application/json;q=0.8, text/html;q=0.9", Html, Html),
            ("application/json;q=0", Problem, Problem),
            ("image/png", Html, Html),
        ] {
            assert_eq!(
                accept(&[value]).error_form(suggested),
                expected,
                "Accept: {value}, {suggested:?} suggested"
            );
        }
    }

    proptest! {
        #[test]
        fn what_never_names_markdown_never_gets_it(value in "[a-z*/;=0-9., \"\\\\-]{0,80}") {
            prop_assume!(!value.contains("text/markdown"));
            prop_assert_eq!(accept(&[&value]).form(), Form::Html);
        }

        #[test]
        fn the_form_of_header_fields_is_that_of_their_list(ranges in prop::collection::vec(any_case(), 0..5)) {
            let list = ranges.join(", ");
            let headers = HeaderMap::from_iter([(header::ACCEPT, list.parse().unwrap())]);
            prop_assert_eq!(Accept::form_of(&headers), accept(&[&list]).form());
        }

        #[test]
        fn an_error_is_markdown_wherever_the_page_would_be(ranges in prop::collection::vec(range(), 0..5)) {
            let accept = accept(&[&ranges.join(", ")]);
            prop_assert_eq!(accept.error_form(ErrorForm::Html) == ErrorForm::Markdown, accept.form() == Form::Markdown);
        }
    }

    fn any_case() -> impl Strategy<Value = String> {
        (range(), any::<bool>()).prop_map(|(range, upper)| match upper {
            true => range.to_ascii_uppercase(),
            false => range,
        })
    }

    fn range() -> impl Strategy<Value = String> {
        "(text/(html|markdown|\\*)|\\*/\\*)(;q=[01](\\.[0-9]{0,3})?)?"
    }
}
