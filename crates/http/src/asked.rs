//! What a header section has of the few fields that decide an answer, found in one pass instead of one look-up each.

use http::{HeaderMap, HeaderValue, header};

use crate::accept_encoding::AcceptEncoding;
use crate::conditions::Given;

/// The lines of one field.
#[derive(Clone, Copy, Debug, Default)]
enum Lines<'a> {
    #[default]
    None,
    One(&'a HeaderValue),
    Several,
}

impl<'a> Lines<'a> {
    fn push(&mut self, value: &'a HeaderValue) {
        *self = if let Self::None = self { Self::One(value) } else { Self::Several };
    }

    /// Each line; only where there are several they are looked up.
    fn iter(self, headers: &'a HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &'a [u8]> {
        let (one, several) = match self {
            Self::None => (None, None),
            Self::One(value) => (Some(value), None),
            Self::Several => (None, Some(headers.get_all(name).iter())),
        };
        one.into_iter().chain(several.into_iter().flatten()).map(HeaderValue::as_bytes)
    }
}

/// A request's header section, looked through once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// All of it.
    pub headers: &'a HeaderMap,
    accept: Lines<'a>,
    accept_encoding: Lines<'a>,
    if_none_match: Lines<'a>,
    if_modified_since: Lines<'a>,
    /// Whether there is a precondition (RFC 9110 section 13.1) that hardly anybody sends.
    rare: bool,
    /// Whether there is a `Range`.
    pub ranged: bool,
}

impl<'a> Asked<'a> {
    pub fn of(headers: &'a HeaderMap) -> Self {
        let none = Lines::None;
        let mut asked =
            Self { headers, accept: none, accept_encoding: none, if_none_match: none, if_modified_since: none, rare: false, ranged: false };
        for (name, value) in headers {
            match *name {
                header::ACCEPT => asked.accept.push(value),
                header::ACCEPT_ENCODING => asked.accept_encoding.push(value),
                header::IF_NONE_MATCH => asked.if_none_match.push(value),
                header::IF_MODIFIED_SINCE => asked.if_modified_since.push(value),
                header::IF_MATCH | header::IF_UNMODIFIED_SINCE => asked.rare = true,
                header::RANGE => asked.ranged = true,
                _ => {}
            }
        }
        asked
    }

    /// The preconditions but `If-Range`.
    pub fn given(&self) -> Given<'a> {
        match (self.rare, self.if_none_match, self.if_modified_since) {
            (false, Lines::None, Lines::None) => Given::None,
            (false, Lines::One(line), _) => Given::Tags(line.as_bytes()),
            (false, Lines::None, Lines::One(line)) => Given::Since(line.as_bytes()),
            _ => Given::Others,
        }
    }

    /// The lines of `Accept`.
    pub fn accept(&self) -> impl Iterator<Item = &'a [u8]> {
        self.accept.iter(self.headers, header::ACCEPT)
    }

    /// What `Accept-Encoding` says.
    pub fn accept_encoding(&self) -> AcceptEncoding {
        match self.accept_encoding {
            Lines::None => AcceptEncoding::default(),
            Lines::One(line) => AcceptEncoding::line(line.as_bytes()),
            Lines::Several => AcceptEncoding::of(self.headers),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderName;
    use proptest::prelude::*;

    use super::*;
    use crate::conditions::{self, Validators};
    use crate::date;

    proptest! {
        #[test]
        fn one_pass_finds_what_look_ups_find(fields in prop::collection::vec((0_usize..8, "[a-z/*,]{0,9}"), 0..9)) {
            let names = ["accept", "accept-encoding", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "range", "host"];
            let mut headers = HeaderMap::new();
            for (name, value) in &fields {
                headers.append(HeaderName::from_static(names[*name]), value.parse().unwrap());
            }
            let asked = Asked::of(&headers);
            let lines = |name: &str| headers.get_all(name).iter().map(HeaderValue::as_bytes).collect::<Vec<_>>();
            prop_assert_eq!(asked.accept().collect::<Vec<_>>(), lines("accept"));
            prop_assert_eq!(asked.accept_encoding(), AcceptEncoding::parse(lines("accept-encoding")));
            prop_assert_eq!(asked.given() == Given::None, !names[2..6].iter().any(|name| headers.contains_key(*name)));
            prop_assert_eq!(asked.ranged, headers.contains_key("range"));
        }

        #[test]
        fn preconditions_found_in_one_pass_come_to_the_same(fields in prop::collection::vec((0_usize..4, 0_usize..6), 0..4), dated: bool) {
            let names = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];
            let values = [r#""a""#, r#"W/"a", "b""#, r#""b""#, "*", "Tue, 15 Nov 1994 12:45:26 GMT", "Wed, 16 Nov 1994 12:45:26 GMT"];
            let mut headers = HeaderMap::new();
            for (name, value) in fields {
                headers.append(HeaderName::from_static(names[name]), HeaderValue::from_static(values[value]));
            }
            let validators = Validators { tag: br#""a""#, modified: date::parse(values[4].as_bytes()).filter(|_| dated) };
            prop_assert_eq!(Asked::of(&headers).given().evaluate(&headers, validators), conditions::evaluate(&headers, validators));
        }
    }
}
