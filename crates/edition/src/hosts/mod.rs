//! Host configuration: what makes a static host give the answers that `diglot serve` gives, as far as it can.
//!
//! Pure functions from an [`Edition`] to files that are exported beside its resources. Rules go by pattern; what passes a host's limits
//! is a [`Problem`] that names the limit, never a file cut short. The header values are those of [`policy`](crate::policy), so a host
//! and the server cannot disagree. What a host cannot do is one table: [`losses`].

mod apache;
mod caddy;
mod cloudflare;
mod headers_file;
pub mod losses;
mod netlify;
mod nginx;
mod rules;

use diglot_content::Problem;

use crate::edition::Edition;
use rules::Rules;

/// The folder of the export for what is no part of the published tree on any host.
pub const FOLDER: &str = "/.diglot-hosts";

/// What every file and folder of the export that is for Diglot or a host begins with, but for the names that hosts prescribe.
const PREFIX: &str = "/.diglot";

/// A file for a host: not a resource, and nothing that readers see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// Where it stands in the exported folder: relative, `/` between segments.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// The configuration files of every host, in order of their paths, and where the site passes a host's limits.
pub fn files(edition: &Edition) -> (Vec<HostFile>, Vec<Problem>) {
    let rules = Rules::of(edition);
    let file = |path: &str, text: String| HostFile { path: path.trim_start_matches('/').to_owned(), text };
    let beside = |name: &str| format!("{FOLDER}/{name}");
    let mut problems = netlify::limits(&rules);
    problems.extend(cloudflare::limits(&rules));
    let files = vec![
        file(cloudflare::WRANGLER, cloudflare::wrangler(&rules)),
        file(&beside("Caddyfile"), caddy::caddyfile(&rules)),
        file(&beside("cloudflare/.diglot-assetsignore"), cloudflare::ignore()),
        file(&beside("cloudflare/_headers"), cloudflare::headers(&rules)),
        file(&beside("nginx-http.conf"), nginx::http(&rules)),
        file(&beside("nginx-server.conf"), nginx::server(&rules)),
        file(".htaccess", apache::htaccess(&rules)),
        file("_headers", netlify::headers(&rules)),
        file("_redirects", netlify::redirects(&rules)),
    ];
    (files, problems)
}

#[cfg(test)]
mod tests;
