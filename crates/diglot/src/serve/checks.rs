//! The requirements of RFC 9112 that hyper leaves to the server, and the limits of one request.

use diglot_edition::Edition;
use diglot_http::Payload;
use http::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, Version};
use http_body::Body;

use super::Limits;

/// Answers one request from one edition, or refuses it. `is_ambiguous`: the scanner could not
/// determine its length.
pub(super) fn checked_answer<B: Body>(
    edition: &Edition,
    request: &Request<B>,
    is_ambiguous: bool,
    limits: &Limits,
) -> Response<Payload> {
    let refuse = |status| diglot_http::refuse(edition, request, status);
    if is_ambiguous || !is_well_framed(request) {
        let mut answer = refuse(StatusCode::BAD_REQUEST);
        close(&mut answer);
        return answer;
    }
    if request
        .uri()
        .path_and_query()
        .is_some_and(|target| target.as_str().len() > limits.target_bytes)
    {
        return refuse(StatusCode::URI_TOO_LONG);
    }
    if request.version() == Version::HTTP_2 && is_too_large(request, limits) {
        return refuse(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    let mut answer = diglot_http::respond(edition, request);
    // A chunked body ends the connection, since our scanner does not search for its end. The bytes
    // after a `CONNECT` may be meant for the tunnel.
    let is_chunked =
        !request.body().is_end_stream() && request.headers().contains_key(TRANSFER_ENCODING);
    if is_chunked || request.method() == Method::CONNECT {
        close(&mut answer);
    }
    answer
}

/// Whether the message conforms to RFC 9112 section 3.2: HTTP/1.1 has exactly one valid `Host`,
/// other versions at most one. A target with an authority is one of HTTP.
fn is_well_framed<B>(request: &Request<B>) -> bool {
    let mut hosts = request
        .headers()
        .get_all(HOST)
        .iter()
        .map(HeaderValue::as_bytes);
    let host = hosts.next();
    if hosts.next().is_some() || host.is_some_and(|host| !is_host(host)) {
        return false;
    }
    if !is_of_http(request.uri()) {
        return false;
    }
    match request.version() {
        Version::HTTP_11 => host.is_some(),
        Version::HTTP_2 => has_one_authority(request.uri().authority(), host),
        _ => true,
    }
}

/// Whether a target has a scheme of HTTP and an authority without user information, as far as it
/// has them (RFC 9110 section 4.2). Behind a server that ends TLS both schemes occur.
fn is_of_http(target: &Uri) -> bool {
    let is_scheme = |scheme: &Scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS;
    let authority = target.authority().map(Authority::as_str);
    target.scheme().is_none_or(is_scheme)
        && authority.is_none_or(|authority| is_host(authority.as_bytes()))
}

/// RFC 9113 section 8.3.1: the authority is in `:authority`, in `Host`, or the same in both, and
/// never empty.
fn has_one_authority(authority: Option<&Authority>, host: Option<&[u8]>) -> bool {
    match (
        authority.map(|authority| authority.as_str().as_bytes()),
        host,
    ) {
        (Some(authority), Some(host)) => !host.is_empty() && authority.eq_ignore_ascii_case(host),
        (Some(one), None) | (None, Some(one)) => !one.is_empty(),
        (None, None) => false,
    }
}

/// Whether the fields exceed our limits. hyper counts them for HTTP/1.1, but not for HTTP/2. The
/// size is that of RFC 9113 section 6.5.2, including pseudo-fields.
fn is_too_large<B>(request: &Request<B>, limits: &Limits) -> bool {
    let (headers, uri) = (request.headers(), request.uri());
    let pseudo_fields = [
        (":method", Some(request.method().as_str())),
        (":scheme", uri.scheme_str()),
        (":authority", uri.authority().map(Authority::as_str)),
        (":path", uri.path_and_query().map(PathAndQuery::as_str)),
    ];
    let mut size = 0;
    for (name, value) in pseudo_fields {
        size += value.map_or(0, |value| name.len() + value.len() + 32);
    }
    for (name, value) in headers {
        size += name.as_str().len() + value.len() + 32;
    }
    headers.len() > limits.head_fields || size > limits.head_bytes
}

/// RFC 9110 section 7.2: `uri-host [ ":" port ]` with the characters of RFC 3986 section 3.2.2.
/// Empty is allowed where the target has no authority.
fn is_host(value: &[u8]) -> bool {
    let (host, port) = match value.iter().rposition(|byte| matches!(byte, b':' | b']')) {
        Some(colon) if value[colon] == b':' => (&value[..colon], &value[colon + 1..]),
        _ => (value, &b""[..]),
    };
    let fits = match host
        .strip_prefix(b"[")
        .and_then(|host| host.strip_suffix(b"]"))
    {
        Some(literal) => !literal.is_empty() && consists_of(literal, b":."),
        None => consists_of(host, b"-._~%!$&'()*+,;="),
    };
    fits && port.len() <= 5 && port.iter().all(u8::is_ascii_digit)
}

/// Whether all bytes are letters, digits or one of `others`.
fn consists_of(bytes: &[u8], others: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || others.contains(byte))
}

/// Marks the last answer of a connection. HTTP/2 has no such field; hyper drops it there.
pub(super) fn close(answer: &mut Response<Payload>) {
    answer
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_by_rfc_3986() {
        for good in [
            "example.org",
            "example.org:8080",
            "127.0.0.1:1",
            "[::1]:8080",
            "[::1]",
            "",
            "xn--bcher-kva.example",
            "a_b",
            "example.org:",
        ] {
            assert!(is_host(good.as_bytes()), "{good}");
        }
        for bad in [
            "a b", "a/b", "a@b", "::1", "[::1", "a:b", "a:123456", "a\tb", "é", "<x>", "[]",
        ] {
            assert!(!is_host(bad.as_bytes()), "{bad}");
        }
    }

    fn check(version: Version, hosts: &[&str], expected: bool) {
        let mut request = Request::get("/").version(version);
        for host in hosts {
            request = request.header(HOST, *host);
        }
        assert_eq!(
            is_well_framed(&request.body(()).unwrap()),
            expected,
            "{version:?} {hosts:?}"
        );
    }

    #[test]
    fn exactly_one_host_in_http_1_1() {
        check(Version::HTTP_11, &["x"], true);
        check(Version::HTTP_11, &[], false);
        check(Version::HTTP_11, &["x", "x"], false);
        check(Version::HTTP_11, &["a b"], false);
        check(Version::HTTP_10, &[], true);
        check(Version::HTTP_10, &["x", "y"], false);
        check(Version::HTTP_2, &["x"], true);
        check(Version::HTTP_2, &[], false);
        check(Version::HTTP_2, &[""], false);
    }

    #[test]
    fn a_target_is_of_http_and_names_no_user() {
        let check = |target: &str, expected: bool| {
            for version in [Version::HTTP_11, Version::HTTP_2] {
                let request = Request::get(target).version(version).body(()).unwrap();
                assert_eq!(is_of_http(request.uri()), expected, "{target}");
            }
        };
        for good in ["/", "http://example.org/", "HTTPS://[::1]:8080/", "*"] {
            check(good, true);
        }
        for bad in [
            "http://u:p@example.org/",
            "http://u@example.org/",
            "ftp://example.org/",
        ] {
            check(bad, false);
        }
    }
}
