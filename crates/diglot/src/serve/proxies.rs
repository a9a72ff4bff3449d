//! Servers in front of this one: which are trusted, and which client they report.

use std::net::IpAddr;
use std::str::FromStr;

use http::HeaderMap;

use super::network::Network;

/// The one header field in which front servers report their clients. Any other may be the client's
/// own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientHeader {
    /// `X-Forwarded-For`, which nearly all of them write.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl FromStr for ClientHeader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        for header in [Self::XForwardedFor, Self::Forwarded] {
            if header.name().eq_ignore_ascii_case(text) {
                return Ok(header);
            }
        }
        Err(format!(
            "`{text}` is not a header of client addresses: write `X-Forwarded-For` or `Forwarded`"
        ))
    }
}

impl ClientHeader {
    fn name(self) -> &'static str {
        match self {
            Self::XForwardedFor => "x-forwarded-for",
            Self::Forwarded => "forwarded",
        }
    }

    /// The address in one element, if any.
    fn address(self, element: &[u8]) -> Option<IpAddr> {
        let element = std::str::from_utf8(element).ok()?;
        match self {
            Self::XForwardedFor => node(element),
            Self::Forwarded => {
                for pair in element.split(';') {
                    if let Some((name, value)) = pair.trim().split_once('=')
                        && name.eq_ignore_ascii_case("for")
                    {
                        return node(value);
                    }
                }
                None
            }
        }
    }
}

/// The servers in front of this one.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// Their networks.
    pub trusted: Vec<Network>,
    /// The field in which they report their clients.
    pub header: ClientHeader,
}

impl Proxies {
    /// Whether an address belongs to a front server.
    pub(super) fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(address))
    }

    /// The client of a request: the peer of the socket, or the client that trusted servers report;
    /// `None` if they report none.
    ///
    /// The field is read from the right, since every server appends the address that it saw.
    /// Whatever the client itself wrote is left of the first untrusted address.
    pub(super) fn client(&self, address: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.trusts(address) {
            return Some(address.to_canonical());
        }
        for line in headers.get_all(self.header.name()).iter().rev() {
            for element in line.as_bytes().rsplit(|byte| *byte == b',') {
                // A trusted server may report an unusable value (`unknown`, an obfuscated
                // identifier); everything further left is untrusted.
                let client = self.header.address(element)?;
                if !self.trusts(client) {
                    return Some(client.to_canonical());
                }
            }
        }
        None
    }
}

/// `192.0.2.1`, `192.0.2.1:80`, `"[2001:db8::1]:80"`, `2001:db8::1` (RFC 7239 section 6).
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    if let Some(rest) = text.strip_prefix('[') {
        return rest.split_once(']')?.0.parse().ok();
    }
    text.parse()
        .ok()
        .or_else(|| text.rsplit_once(':')?.0.parse().ok())
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};
    use proptest::prelude::*;

    use super::*;

    fn proxies(header: ClientHeader) -> Proxies {
        Proxies {
            trusted: vec![
                "10.0.0.0/8".parse().unwrap(),
                "2001:db8:ffff::/48".parse().unwrap(),
            ],
            header,
        }
    }

    fn check_by(
        header: ClientHeader,
        address: &str,
        fields: &[(&'static str, &[u8])],
        expected: Option<&str>,
    ) {
        let headers: HeaderMap = fields
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_bytes(value).unwrap(),
                )
            })
            .collect();
        let client = proxies(header).client(address.parse().unwrap(), &headers);
        assert_eq!(
            client,
            expected.map(|client| client.parse().unwrap()),
            "{address} {fields:?}"
        );
    }

    #[test]
    fn the_client_is_named_by_trusted_servers_alone() {
        let check = |address: &str, fields: &[&[u8]], expected: Option<&str>| {
            let fields: Vec<(&str, &[u8])> = fields
                .iter()
                .map(|value| ("x-forwarded-for", *value))
                .collect();
            check_by(ClientHeader::XForwardedFor, address, &fields, expected);
        };
        check("192.0.2.1", &[b"198.51.100.9"], Some("192.0.2.1"));
        check("10.0.0.1", &[b"198.51.100.9"], Some("198.51.100.9"));
        check("10.0.0.1", &[], None);
        // The client wrote all but the last one itself.
        check("10.0.0.1", &[b"198.51.100.9, 192.0.2.7"], Some("192.0.2.7"));
        check(
            "10.0.0.1",
            &[b"198.51.100.9", b"192.0.2.7"],
            Some("192.0.2.7"),
        );
        check(
            "10.0.0.1",
            &[b"garbage, \xff, \"[, 192.0.2.7"],
            Some("192.0.2.7"),
        );
        check(
            "10.0.0.1",
            &[b"\xff\xfe", b"192.0.2.7:4711"],
            Some("192.0.2.7"),
        );
        check(
            "10.0.0.1",
            &[b"198.51.100.9, 192.0.2.7, 10.2.2.2"],
            Some("192.0.2.7"),
        );
        check(
            "10.0.0.1",
            &[b"192.0.2.7", b"10.2.2.2, 10.3.3.3"],
            Some("192.0.2.7"),
        );
        // Front servers report no client.
        check("10.0.0.1", &[b"192.0.2.7, garbage"], None);
        check("10.0.0.1", &[b"192.0.2.7, unknown, 10.2.2.2"], None);
        check("10.0.0.1", &[b"10.2.2.2"], None);
        check(
            "2001:db8:ffff::1",
            &[b"::ffff:192.0.2.7"],
            Some("192.0.2.7"),
        );
    }

    #[test]
    fn forwarded_is_read_where_it_is_named() {
        let check = |fields: &[u8], expected: Option<&str>| {
            check_by(
                ClientHeader::Forwarded,
                "10.0.0.1",
                &[("forwarded", fields)],
                expected,
            )
        };
        check(
            b"for=192.0.2.7;proto=https, for=10.3.3.3",
            Some("192.0.2.7"),
        );
        check(
            b"proto=https;For=\"[2001:db8:1::7]:4711\"",
            Some("2001:db8:1::7"),
        );
        check(b"for=198.51.100.9, for=192.0.2.7", Some("192.0.2.7"));
        // A quoted string that the client left open.
        check(b"for=\"198.51.100.9, for=192.0.2.7", Some("192.0.2.7"));
        check(b"for=unknown", None);
        check(b"by=192.0.2.7", None);
    }

    #[test]
    fn the_other_field_is_the_clients_own() {
        let both: [(&str, &[u8]); 2] = [
            ("forwarded", b"for=198.51.100.9"),
            ("x-forwarded-for", b"192.0.2.7"),
        ];
        check_by(
            ClientHeader::XForwardedFor,
            "10.0.0.1",
            &both,
            Some("192.0.2.7"),
        );
        check_by(
            ClientHeader::Forwarded,
            "10.0.0.1",
            &both,
            Some("198.51.100.9"),
        );
        check_by(ClientHeader::XForwardedFor, "10.0.0.1", &both[..1], None);
        check_by(ClientHeader::Forwarded, "10.0.0.1", &both[1..], None);
    }

    proptest! {
        /// Whatever the client writes into any fields, the address that a server appends is found.
        #[test]
        fn nothing_that_a_client_writes_hides_it(
            own in prop::collection::vec(("x-forwarded-for|forwarded|x-real-ip|via", "[ -~\u{80}-\u{ff}]{0,40}|(for=)?[\"\\[]?(10\\.0\\.0\\.9|198\\.51\\.100\\.9|::1)[,;\"]?"), 0..5),
            named in any::<bool>(),
            joined in any::<bool>(),
        ) {
            let header = if named { ClientHeader::Forwarded } else { ClientHeader::XForwardedFor };
            let appended = if named { "for=192.0.2.7;proto=https" } else { "192.0.2.7" };
            let mut headers = HeaderMap::new();
            for (name, value) in own {
                if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
                    headers.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
                }
            }
            // Some servers add a line, some extend the last one.
            let last = headers.get_all(header.name()).iter().next_back().filter(|_| joined).map(|last| last.as_bytes().to_vec());
            match last {
                Some(last) => {
                    let joined = HeaderValue::from_bytes(&[&last[..], b", ", appended.as_bytes()].concat()).unwrap();
                    headers.insert(header.name(), joined);
                }
                None => drop(headers.append(header.name(), HeaderValue::from_static(appended))),
            }
            let expected: IpAddr = "192.0.2.7".parse().unwrap();
            prop_assert_eq!(proxies(header).client("10.0.0.1".parse().unwrap(), &headers), Some(expected));
        }
    }

    #[test]
    fn names_of_the_header() {
        assert_eq!(
            ["X-Forwarded-For", "x-forwarded-for", "Forwarded"].map(|name| name.parse()),
            [
                Ok(ClientHeader::XForwardedFor),
                Ok(ClientHeader::XForwardedFor),
                Ok(ClientHeader::Forwarded)
            ]
        );
        for wrong in [
            "",
            "X-Real-IP",
            "Forwarded, X-Forwarded-For",
            "forwarded-for",
        ] {
            assert!(
                wrong
                    .parse::<ClientHeader>()
                    .unwrap_err()
                    .contains("`X-Forwarded-For` or `Forwarded`"),
                "{wrong}"
            );
        }
    }
}
