//! What keeps a preview with drafts on its own machine. Listening on a loopback address is not
//! enough: a proxy may forward to it, and a web page may reach it under a name of its own (DNS
//! rebinding).

use std::net::IpAddr;

use http::header::HOST;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, Request};

/// Fields that proxies add.
const FORWARDING: [&str; 10] = [
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "fly-client-ip",
    "x-client-ip",
];

/// Whether a request was meant for another host, or was sent through a proxy.
pub fn is_misdirected<B>(request: &Request<B>) -> bool {
    let fields = request.headers();
    let is_forwarded = |name: &HeaderName| {
        let name = name.as_str();
        FORWARDING.contains(&name) || name.starts_with("x-forwarded-")
    };
    if fields.keys().any(is_forwarded) {
        return true;
    }
    let mut hosts = fields.get_all(HOST).iter();
    let is_local = |host: &[u8]| {
        let authority = Authority::try_from(host);
        authority.is_ok_and(|authority| is_loopback(authority.host()))
    };
    let by_field = hosts.all(|host| is_local(host.as_bytes()));
    let target = request.uri().authority();
    let by_target = target.is_none_or(|authority| is_loopback(authority.host()));
    let is_named = target.is_some() || fields.contains_key(HOST);
    !(is_named && by_field && by_target)
}

/// `localhost` and names below it (RFC 6761 section 6.3), and loopback addresses.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if host == "localhost" || host.ends_with(".localhost") {
        return true;
    }
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address: Result<IpAddr, _> = address.parse();
    address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Removes the fields that let pages of other sites read an answer.
pub fn without_cross_origin(fields: &mut HeaderMap) {
    let is_cors = |name: &&HeaderName| name.as_str().starts_with("access-control-");
    let names: Vec<HeaderName> = fields.keys().filter(is_cors).cloned().collect();
    for name in names {
        fields.remove(name);
    }
    fields.insert(
        "cross-origin-resource-policy",
        http::HeaderValue::from_static("same-origin"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contract_7_a_preview_with_drafts_answers_its_own_machine_alone() {
        let check = |fields: &[(&str, &str)], expected: bool| {
            let mut request = Request::builder().uri("/");
            for (name, value) in fields {
                request = request.header(*name, *value);
            }
            let request = request.body(()).unwrap();
            assert_eq!(is_misdirected(&request), expected, "{fields:?}");
        };
        for own in [
            "localhost",
            "LOCALHOST:8080",
            "a.localhost",
            "127.0.0.1:1",
            "127.8.9.1",
            "[::1]:80",
            "localhost.",
        ] {
            check(&[("host", own)], false);
        }
        for other in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.nip.io",
            "192.168.1.4",
            "[::]",
            "0.0.0.0",
            "",
            "127.0.0.1@example.org",
        ] {
            check(&[("host", other)], true);
        }
        check(&[], true);
        for field in ["forwarded", "x-forwarded-for", "X-Forwarded-Port", "via"] {
            check(&[("host", "localhost"), (field, "x")], true);
        }
    }

    #[test]
    fn contract_7_a_preview_with_drafts_has_no_cors_header() {
        let mut fields = HeaderMap::new();
        fields.insert("access-control-allow-origin", "*".parse().unwrap());
        fields.insert("access-control-expose-headers", "etag".parse().unwrap());
        fields.insert("etag", "\"x\"".parse().unwrap());
        without_cross_origin(&mut fields);
        let mut names: Vec<&str> = fields.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["cross-origin-resource-policy", "etag"]);
    }
}
