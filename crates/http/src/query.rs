//! The query of a request target: what is searched for.

use crate::path::unescape;

/// The longest query of a search in bytes, after decoding.
pub const LONGEST: usize = 200;

/// A parameter that cannot be answered: 400.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// The value of the first parameter `q`, form-decoded (URL standard, section 5.1), without the white
/// space around it; `None` if there is none, or it is blank.
///
/// # Errors
/// [`Malformed`] if it is longer than [`LONGEST`], has an invalid escape, or is not UTF-8.
pub fn searched(query: &str) -> Result<Option<String>, Malformed> {
    for parameter in query.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if decode(name).as_deref() != Some("q") {
            continue;
        }
        let value = decode(value).ok_or(Malformed)?;
        if value.len() > LONGEST {
            return Err(Malformed);
        }
        let value = value.trim();
        return Ok((!value.is_empty()).then(|| value.to_owned()));
    }
    Ok(None)
}

/// Decodes `+` and escapes; `None` if an escape is invalid or the result is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let (decoded, _) = unescape(text.replace('+', " ").as_bytes())?;
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(query: &str, expected: Option<&str>) {
        let found = searched(query);
        assert_eq!(
            found.as_ref().map(Option::as_deref),
            Ok(expected),
            "{query}"
        );
    }

    #[test]
    fn contract_7_q_is_form_decoded_and_the_first_counts() {
        check("q=two+words%21", Some("two words!"));
        check("x=1&q=a&q=b", Some("a"));
        check("%71=%C3%A9", Some("é"));
        check("q=a=b", Some("a=b"));
        check("q=%2B%26", Some("+&"));
        check("q=é", Some("é"));
        check("Q=a&qq=b", None);
        check("q=%ZZ".replace("q", "x").as_str(), None);
    }

    #[test]
    fn contract_7_a_blank_q_is_none() {
        for query in ["", "q", "q=", "q=+%20%09", "q=&q=a", "&&", "x"] {
            check(query, None);
        }
    }

    #[test]
    fn contract_7_a_long_or_malformed_q_is_refused() {
        check(
            &format!("q={}", "a".repeat(LONGEST)),
            Some(&"a".repeat(LONGEST)),
        );
        check(
            &format!("q={}", "%C3%A9".repeat(LONGEST / 2)),
            Some(&"é".repeat(LONGEST / 2)),
        );
        for query in [
            &format!("q={}", "a".repeat(LONGEST + 1)),
            &format!("q=a{}", "%C3%A9".repeat(LONGEST / 2)),
            &format!("q={}", "+".repeat(LONGEST + 1)),
            "q=%",
            "q=%4",
            "q=%zz",
            "q=%ff",
            "q=%C3",
            "q=%&q=a",
        ] {
            assert_eq!(searched(query), Err(Malformed), "{query}");
        }
    }

    proptest! {
        #[test]
        fn no_query_panics(query in "(q|=|&|%|\\+|%[0-9a-fA-F]{2}|\\PC){0,40}") {
            if let Ok(Some(found)) = searched(&query) {
                prop_assert!(!found.trim().is_empty() && found.len() <= LONGEST);
            }
        }
    }
}
