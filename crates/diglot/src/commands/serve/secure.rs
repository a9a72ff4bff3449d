//! The certificate of `diglot serve`: read at the start, looked at again while it runs.

use std::thread;
use std::time::Duration;

use diglot_content::BaseUrl;

use crate::failure::{Failure, reason};
use crate::serve::{Files, Tls};
use crate::{cli, report};

/// How often the files are read again. They are small, and reading them is the one way that sees every kind of change: a file written anew, one renamed over it,
/// a link switched (certbot), a link to a folder switched (Kubernetes).
const LOOK: Duration = Duration::from_secs(2);

/// What the command line names, read; nothing when it names nothing.
pub(super) fn load(args: &cli::Serve) -> Result<Option<Tls>, Failure> {
    let files = args.tls_cert.clone().zip(args.tls_key.clone()).map(|(certificate, key)| Files { certificate, key });
    files.map(Tls::load).transpose()
}

/// Warns of a certificate that does not fit the site's address.
pub(super) fn advise(tls: &Tls, base: &BaseUrl, preview: bool) {
    if preview {
        return;
    }
    if base.origin().starts_with("http://") {
        report::say(format!(
            "warning: the base URL `{base}` is not `https://`, but nothing else is spoken here: feed, sitemaps and canonical links lead readers elsewhere"
        ));
    }
    let host = host(base);
    if !tls.is_for(host) {
        report::say(format!("warning: the certificate is not for `{host}`: clients that ask for the site by its name will refuse it"));
    }
}

/// `example.org` of `https://example.org:8443`.
fn host(base: &BaseUrl) -> &str {
    let authority = base.origin().split_once("://").map_or("", |(_, authority)| authority);
    match authority.rfind(':') {
        Some(colon) if !authority.ends_with(']') => &authority[..colon],
        _ => authority,
    }
}

/// Starts the thread that takes a new certificate when there is one.
pub(super) fn keep(tls: Tls) -> Result<(), Failure> {
    let look = move || loop {
        thread::sleep(LOOK);
        said(tls.renew());
    };
    let started = thread::Builder::new().name("diglot-certificate".into()).spawn(look);
    started.map(drop).map_err(|error| Failure::machine(format!("cannot start a thread: {}", reason(&error))))
}

/// Takes a new certificate now, if there is one: whoever asks has written both files.
pub(super) fn renew(tls: &Tls) {
    said((0..2).find_map(|_| tls.renew()));
}

/// Says what became of the certificate.
fn said(news: Option<Result<(), Failure>>) {
    match news {
        None => {}
        Some(Ok(())) => report::say("the new certificate is in use"),
        Some(Err(failure)) => {
            report::say(format!("warning: {}; still using the old certificate", failure.message));
            failure.hint.iter().for_each(|hint| report::say(format!("hint: {hint}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_base_urls() {
        let host_of = |url| host(&BaseUrl::parse(url).unwrap()).to_owned();
        assert_eq!(host_of("https://example.org/blog"), "example.org");
        assert_eq!(host_of("https://example.org:8443"), "example.org");
        assert_eq!(host_of("https://[::1]:8443"), "[::1]");
        assert_eq!(host_of("https://[::1]"), "[::1]");
    }
}
