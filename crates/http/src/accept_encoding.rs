//! `Accept-Encoding` negotiation (RFC 9110 section 12.5.3).

use diglot_edition::Coding;
use http::{HeaderMap, header};

use crate::weight::{Weight, elements, weighted};

/// The weight of each content-coding that Diglot supports. `None`: not listed.
#[derive(Default)]
pub struct AcceptEncoding {
    codings: [Option<Weight>; Coding::ALL.len()],
    identity: Option<Weight>,
    others: Option<Weight>,
}

impl AcceptEncoding {
    /// Parses all `Accept-Encoding` field lines as one list.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        Self::parse(
            headers
                .get_all(header::ACCEPT_ENCODING)
                .iter()
                .map(|line| line.as_bytes()),
        )
    }

    /// Parses field lines as one list.
    ///
    /// Without the field every coding is acceptable, but the client may support none, so it gets
    /// the identity.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut accept = Self::default();
        for line in lines {
            for element in elements(line) {
                let (name, weight) = weighted(element);
                if let Some(named) = accept.named(name) {
                    *named = (*named).max(Some(weight));
                }
            }
        }
        accept
    }

    fn named(&mut self, name: &[u8]) -> Option<&mut Option<Weight>> {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        for coding in Coding::ALL {
            if is(coding.name()) {
                return Some(&mut self.codings[coding as usize]);
            }
        }
        if is("identity") {
            Some(&mut self.identity)
        } else if is("*") {
            Some(&mut self.others)
        } else if is("x-gzip") {
            // RFC 9110 section 8.4.1.3: an alias of gzip.
            Some(&mut self.codings[Coding::Gzip as usize])
        } else {
            None
        }
    }

    /// The offered coding with the greatest weight. Ties follow the order of [`Coding::ALL`],
    /// identity last. `None` is the identity.
    ///
    /// An unlisted identity is acceptable, but ranks below every listed coding. A refused identity
    /// is sent anyway if no other coding is left: a page in the wrong coding is better than a 406.
    pub fn choose(&self, offered: impl Fn(Coding) -> bool) -> Option<Coding> {
        let identity = self.identity.or(self.others).unwrap_or_default();
        let mut best = None;
        for coding in Coding::ALL {
            let weight = self.weight(coding);
            if weight.accepts() && best.is_none_or(|(_, most)| weight > most) && offered(coding) {
                best = Some((coding, weight));
            }
        }
        best.filter(|(_, weight)| *weight >= identity)
            .map(|(coding, _)| coding)
    }

    fn weight(&self, coding: Coding) -> Weight {
        self.codings[coding as usize]
            .or(self.others)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn choose(value: &str, offered: &[Coding]) -> &'static str {
        let chosen =
            AcceptEncoding::parse([value.as_bytes()]).choose(|coding| offered.contains(&coding));
        chosen.map_or("identity", Coding::name)
    }

    fn check(value: &str, expected: &str) {
        assert_eq!(
            choose(value, &Coding::ALL),
            expected,
            "Accept-Encoding: {value}"
        );
    }

    #[test]
    fn the_weights_decide() {
        for (value, expected) in [
            ("", "identity"),
            ("identity", "identity"),
            ("br", "br"),
            ("zstd", "zstd"),
            ("gzip", "gzip"),
            ("GZIP", "gzip"),
            ("x-gzip", "gzip"),
            ("deflate", "identity"),
            ("compress, foo", "identity"),
            ("gzip, deflate, br, zstd", "br"),
            ("gzip, zstd", "zstd"),
            ("gzip;q=0.5, br;q=1", "br"),
            ("br;q=0.1, gzip", "gzip"),
            ("gzip;q=1.000, br;q=0.999, zstd;q=0.5", "gzip"),
            ("zstd;q=0.9, gzip;q=0.8, br;q=0.7", "zstd"),
            ("gzip ; q=0.4 , br ; q=0.6", "br"),
            (",,gzip,,", "gzip"),
            ("gzip;q=2, br;q=0.5", "br"),
        ] {
            check(value, expected);
        }
    }

    #[test]
    fn refused_codings_and_the_wildcard() {
        for (value, expected) in [
            ("gzip;q=0", "identity"),
            ("gzip;q=0, identity", "identity"),
            ("gzip;q=0.0, br", "br"),
            ("*", "br"),
            ("*;q=0, gzip", "gzip"),
            ("br;q=0, *", "zstd"),
            ("*;q=0.5, gzip", "gzip"),
            ("*, gzip;q=0.5", "br"),
        ] {
            check(value, expected);
        }
    }

    #[test]
    fn the_identity_is_never_refused_a_place() {
        for (value, expected) in [
            ("identity;q=0, gzip", "gzip"),
            ("identity, gzip;q=0.5", "identity"),
            ("identity;q=0.5, gzip;q=1", "gzip"),
            ("identity, gzip", "gzip"),
            ("identity;q=0, *;q=0", "identity"),
            ("identity;q=0", "identity"),
            ("*;q=0", "identity"),
        ] {
            check(value, expected);
        }
    }

    #[test]
    fn what_is_not_filled_is_not_offered() {
        assert_eq!(choose("br, zstd, gzip;q=0.1", &[]), "identity");
        assert_eq!(choose("br, zstd, gzip;q=0.1", &[Coding::Gzip]), "gzip");
        assert_eq!(choose("identity;q=0, br", &[Coding::Gzip]), "identity");
        assert_eq!(
            choose("*;q=0.9, gzip;q=0.5", &[Coding::Gzip]),
            "identity",
            "the wildcard gives the identity its weight too"
        );
    }

    #[test]
    fn several_lines_are_one_list_and_none_is_the_identity() {
        assert_eq!(
            AcceptEncoding::parse([&b"gzip;q=0.1"[..], b"br;q=0.2"]).choose(|_| true),
            Some(Coding::Br)
        );
        assert_eq!(AcceptEncoding::parse([]).choose(|_| true), None);
    }

    proptest! {
        #[test]
        fn only_what_is_offered_and_wanted_is_chosen(value in "[a-z*;=0-9., ]{0,60}", offered in 0u8..8) {
            let accept = AcceptEncoding::parse([value.as_bytes()]);
            if let Some(coding) = accept.choose(|coding| offered & (1 << coding as u8) != 0) {
                prop_assert!(offered & (1 << coding as u8) != 0);
                prop_assert!(accept.weight(coding).accepts());
            }
        }
    }
}
