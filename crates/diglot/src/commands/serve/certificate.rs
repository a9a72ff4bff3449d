//! The certificate of `diglot serve`: read at the start, checked for changes while it runs.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use diglot_content::BaseUrl;

use crate::failure::Failure;
use crate::serve::{Files, Tls};
use crate::{cli, terminal};

/// How often the files are reread. They are small, and only reading detects every kind of change: a
/// rewritten file, one renamed over it, a switched link (certbot), a switched link to a folder
/// (Kubernetes).
const LOOK: Duration = Duration::from_secs(2);
/// How long changed files must stay the same before they are used: certificate and key are written
/// one after the other.
const SETTLED: Duration = Duration::from_millis(500);

/// Reads the files named on the command line, if any.
pub(super) fn load(args: &cli::Serve) -> Result<Option<Tls>, Failure> {
    let (Some(certificate), Some(key)) = (args.tls_cert.clone(), args.tls_key.clone()) else {
        return Ok(None);
    };
    let files = Files { certificate, key };
    let unreadable = files.unreadable();
    if !unreadable.is_empty() {
        return Err(terminal::all(unreadable));
    }
    Tls::load(files).map(Some)
}

/// The host and port by which clients reach the site on this address. `host` is that of the base URL.
/// Certificates are for names; few are for addresses.
pub(super) fn reached(tls: &Tls, host: &str, address: SocketAddr) -> String {
    let (ip, port) = (address.ip(), address.port());
    let name = if ip.is_loopback() { "localhost" } else { host };
    if !tls.is_for(name) && tls.is_for(&ip.to_string()) {
        return address.to_string();
    }
    match port {
        443 => name.to_owned(),
        _ => format!("{name}:{port}"),
    }
}

/// Warns if the certificate does not cover the site's address.
fn advise(tls: &Tls, base: &BaseUrl) {
    if base.origin().starts_with("http://") {
        terminal::say(format!(
            "warning: the base URL `{base}` is not `https://`, but this server only speaks HTTPS: feed, sitemaps and canonical links name other addresses"
        ));
    }
    let host = host(base);
    if !tls.is_for(host) {
        terminal::warn(
            format!(
                "the certificate is not for `{host}`: clients that open the site by this name will reject it"
            ),
            Some(&format!("use a certificate for `{host}`")),
        );
    }
}

/// `example.org` of `https://example.org:8443`.
pub(super) fn host(base: &BaseUrl) -> &str {
    let authority = base
        .origin()
        .split_once("://")
        .map_or("", |(_, authority)| authority);
    match authority.rsplit_once(':') {
        Some((host, _)) if !authority.ends_with(']') => host,
        _ => authority,
    }
}

/// Starts the thread that loads a new certificate; warns if one does not cover the site's address.
pub(super) fn watch(
    tls: Tls,
    base: &BaseUrl,
    address: SocketAddr,
    preview: bool,
) -> Result<(), Failure> {
    if !preview || !tls.is_for(&address.ip().to_string()) {
        advise(&tls, base);
    }
    let look = move || loop {
        thread::sleep(if tls.is_changing() { SETTLED } else { LOOK });
        report_renewal(tls.renew());
    };
    thread::Builder::new()
        .name("diglot-certificate".into())
        .spawn(look)
        .map_err(Failure::thread)?;
    Ok(())
}

/// Loads a new certificate now, if there is one: both files are complete when this is called.
pub(super) fn renew(tls: &Tls) {
    report_renewal((0..2).find_map(|_| tls.renew()));
}

/// Reports the outcome of a renewal.
fn report_renewal(renewed: Option<Result<(), Failure>>) {
    match renewed {
        None => {}
        Some(Ok(())) => terminal::say("the new certificate is in use"),
        Some(Err(failure)) => {
            let warning = format!("{}; still using the old certificate", failure.message);
            terminal::warn(warning, failure.hint.as_deref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_with_a_certificate_is_reached_by_a_name() {
        let file = |name| {
            std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/certificates")
                .join(name)
        };
        let (certificate, key) = (file("first.pem"), file("first.key"));
        let tls = Tls::load(Files { certificate, key }).unwrap();
        for (address, host, expected) in [
            ("127.0.0.1:8443", "example.org", "localhost:8443"),
            ("[::1]:443", "localhost", "localhost"),
            ("0.0.0.0:443", "example.org", "example.org"),
            ("[::]:8443", "example.org", "example.org:8443"),
            ("192.0.2.1:8443", "other.example", "other.example:8443"),
        ] {
            assert_eq!(reached(&tls, host, address.parse().unwrap()), expected);
        }
    }

    #[test]
    fn hosts_of_base_urls() {
        let host_of = |url| host(&BaseUrl::parse(url).unwrap()).to_owned();
        assert_eq!(host_of("https://example.org/blog"), "example.org");
        assert_eq!(host_of("https://example.org:8443"), "example.org");
        assert_eq!(host_of("https://[::1]:8443"), "[::1]");
        assert_eq!(host_of("https://[::1]"), "[::1]");
    }
}
