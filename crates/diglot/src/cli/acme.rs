//! Arguments for certificates that `diglot serve` gets from an authority.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::terminal::Format;

/// The directory of Let's Encrypt.
pub const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";
/// The most names in one certificate, as Let's Encrypt has it.
pub const MOST_DOMAINS: usize = 100;
/// The longest name (RFC 1035 section 2.3.4), and the longest part of it.
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// How `diglot serve` gets its certificate by itself.
#[derive(Args, Clone, Debug)]
pub struct Acme {
    /// Get a certificate for `--domain` from an authority, and renew it; the authority may write to
    /// this address. You agree to the authority's terms of service
    #[arg(
        long,
        value_name = "EMAIL",
        env = "DIGLOT_ACME",
        hide_env_values = true,
        requires = "domain",
        value_parser = email
    )]
    pub acme: Option<String>,

    /// With `--acme`: a name of this site, such as `example.org`; may be given several times
    #[arg(
        long,
        value_name = "NAME",
        env = "DIGLOT_DOMAINS",
        hide_env_values = true,
        value_delimiter = ' ',
        requires = "acme",
        value_parser = domain
    )]
    pub domain: Vec<String>,

    /// With `--acme`: the authority's directory
    #[arg(
        long,
        value_name = "URL",
        env = "DIGLOT_ACME_DIRECTORY",
        hide_env_values = true,
        default_value = LETS_ENCRYPT,
        value_parser = directory
    )]
    pub acme_directory: String,

    /// With `--acme`: trust the authority's server by these roots, a PEM file, instead of the
    /// system's
    #[arg(
        long,
        value_name = "FILE",
        env = "DIGLOT_ACME_CA",
        hide_env_values = true
    )]
    pub acme_ca: Option<PathBuf>,

    /// With `--acme`: which of the authority's profiles to ask for, such as `shortlived`
    #[arg(
        long,
        value_name = "NAME",
        env = "DIGLOT_ACME_PROFILE",
        hide_env_values = true
    )]
    pub acme_profile: Option<String>,

    /// With `--acme`: how the authority sees that the names are this server's; `http-01` needs
    /// `--listen-http`
    #[arg(
        long,
        value_name = "KIND",
        value_enum,
        default_value_t,
        env = "DIGLOT_ACME_CHALLENGE",
        hide_env_values = true
    )]
    pub acme_challenge: Challenge,
}

/// How the authority sees that the names are this server's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Challenge {
    /// On port 443, in the handshake (RFC 8737).
    #[default]
    #[value(name = "tls-alpn-01")]
    TlsAlpn01,
    /// On port 80 (RFC 8555 section 8.3).
    #[value(name = "http-01")]
    Http01,
}

impl Challenge {
    /// Its name (RFC 8555 section 9.7.8).
    pub const fn name(self) -> &'static str {
        match self {
            Self::TlsAlpn01 => "tls-alpn-01",
            Self::Http01 => "http-01",
        }
    }

    /// The port to which the authority connects.
    pub const fn port(self) -> u16 {
        match self {
            Self::TlsAlpn01 => 443,
            Self::Http01 => 80,
        }
    }
}

/// `diglot fetch-certificate`
#[derive(Args, Debug)]
pub struct FetchCertificate {
    /// The folder in which certificate, account and times are kept
    pub folder: PathBuf,

    /// What to ask for.
    #[command(flatten)]
    pub acme: Acme,

    /// How messages are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub log_format: Format,

    /// Keep all rights of the user
    #[arg(long)]
    pub no_sandbox: bool,

    /// Ask, instead of starting the process that does
    #[arg(long)]
    pub worker: bool,
}

fn email(text: &str) -> Result<String, String> {
    let is_whole = text
        .split_once('@')
        .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty());
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(',');
    match is_whole && is_plain {
        true => Ok(text.to_owned()),
        false => Err("write an email address, such as `you@example.org`".to_owned()),
    }
}

fn domain(text: &str) -> Result<String, String> {
    // What is between two spaces of a list; it is left out later.
    if text.is_empty() {
        return Ok(String::new());
    }
    if text.starts_with("*.") {
        return Err(
            "a wildcard needs a record in the DNS, which Diglot does not write: name each host"
                .to_owned(),
        );
    }
    if !text.is_ascii() {
        return Err("write the name in ASCII, as `xn--…`".to_owned());
    }
    if text.parse::<std::net::IpAddr>().is_ok() {
        return Err("write a name, not an address".to_owned());
    }
    let name = text.trim_end_matches('.').to_ascii_lowercase();
    match name.len() <= LONGEST_NAME && name.split('.').all(is_label) {
        true => Ok(name),
        false => Err("write the name of a host, such as `example.org`".to_owned()),
    }
}

/// A part of a name: letters, digits and hyphens, none at an end.
fn is_label(label: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=LONGEST_LABEL).contains(&label.len())
        && label.bytes().all(is_known)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn directory(text: &str) -> Result<String, String> {
    let uri: Option<http::Uri> = text.parse().ok();
    let is_https = uri.is_some_and(|uri| uri.scheme_str() == Some("https") && uri.host().is_some());
    match is_https {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "write the address of the directory, such as `{LETS_ENCRYPT}`"
        )),
    }
}

/// A value of `Strict-Transport-Security` (RFC 6797 section 6.1).
pub fn hsts(text: &str) -> Result<http::HeaderValue, String> {
    const HELP: &str = "write a value of the header field, such as `max-age=31536000` or \
                        `max-age=63072000; includeSubDomains`";
    let mut ages = 0;
    for directive in text.split(';').map(str::trim) {
        match directive.to_ascii_lowercase().as_str() {
            "includesubdomains" | "preload" => {}
            other => {
                let seconds = other.strip_prefix("max-age=").unwrap_or_default();
                let is_number =
                    !seconds.is_empty() && seconds.bytes().all(|it| it.is_ascii_digit());
                if !is_number || seconds.len() > 10 {
                    return Err(HELP.to_owned());
                }
                ages += 1;
            }
        }
    }
    match (ages, text.parse()) {
        (1, Ok(value)) => Ok(value),
        _ => Err(HELP.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_hosts() {
        assert_eq!(domain("Example.org."), Ok("example.org".to_owned()));
        assert_eq!(
            domain("xn--bcher-kva.example"),
            Ok("xn--bcher-kva.example".to_owned())
        );
        assert_eq!(domain(""), Ok(String::new()));
        let long = "a".repeat(64);
        for wrong in [
            ".",
            "*.example.org",
            "bücher.example",
            "127.0.0.1",
            "::1",
            "a..b",
            "-a.example",
            "a-.example",
            "a b",
            "a/b",
            "example.org:443",
            &long,
            &"a.".repeat(128),
        ] {
            assert!(domain(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_directory_is_reached_by_tls_alone() {
        assert!(directory("https://localhost:14000/dir").is_ok());
        for wrong in ["http://localhost/dir", "localhost", "https://", ""] {
            assert!(directory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_email_address_has_two_parts() {
        assert!(email("you@example.org").is_ok());
        for wrong in ["you", "@example.org", "you@", "a@b,c@d", "a b@c", "a@b\n"] {
            assert!(email(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn strict_transport_security_has_one_age() {
        for right in ["max-age=0", "max-age=63072000; includeSubDomains; preload"] {
            assert_eq!(hsts(right).unwrap(), right);
        }
        for wrong in [
            "",
            "includeSubDomains",
            "max-age=",
            "max-age=1; max-age=2",
            "max-age=a",
            "max-age=1;;x",
            "max-age=1\n",
        ] {
            assert!(hsts(wrong).is_err(), "{wrong}");
        }
    }
}
