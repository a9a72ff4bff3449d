//! Host configuration: what makes a static host give the answers that `diglot serve` gives, as far
//! as it can.
//!
//! Pure functions from an [`Edition`] to files that are exported beside its resources. Rules go by
//! pattern; what passes a host's limits is a [`Problem`] that names the limit, never a file cut
//! short. What a site is made of reaches a file through the writer of that file's language alone
//! (`config_file` with the modules `words`, `headers_file::lines`), so that no text of an author's
//! is ever read as a rule. The header values are those of [`policy`](crate::policy), so a host and
//! the server cannot disagree. What a host cannot do is one table: [`losses`].

mod apache;
mod caddy;
mod cloudflare;
mod config_file;
mod headers_file;
pub mod losses;
mod netlify;
mod nginx;
mod pattern;
mod rules;

use diglot_content::Problem;

use crate::edition::Edition;
use rules::Rules;

/// The folder of the export for what is no part of the published tree on any host.
pub const FOLDER: &str = "/.diglot-hosts";

/// What every file and folder of the export that is for Diglot or a host begins with, but for the
/// names that hosts prescribe.
const PREFIX: &str = "/.diglot";

/// A file for a host: not a resource, and nothing that readers see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// Where it stands in the exported folder: relative, `/` between segments.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// One file as its writer leaves it.
struct Written {
    text: String,
    /// Rules that the host's language has no words for.
    refused: Vec<String>,
}

/// The configuration files of every host, in order of their paths, and where the site passes a
/// host's limits.
pub fn files(edition: &Edition) -> (Vec<HostFile>, Vec<Problem>) {
    let rules = Rules::of(edition);
    let beside = |name: &str| format!("{FOLDER}/{name}");
    let mut problems = netlify::limits(&rules);
    problems.extend(cloudflare::limits(&rules));
    let (nginx_http, nginx_server) = nginx::files(&rules);
    let ours = |text: String| Written {
        text,
        refused: Vec::new(),
    };
    let files = [
        (
            cloudflare::WRANGLER.to_owned(),
            ours(cloudflare::wrangler(&rules)),
        ),
        (beside("Caddyfile"), caddy::caddyfile(&rules)),
        (
            beside("cloudflare/.diglot-assetsignore"),
            ours(cloudflare::ignore()),
        ),
        (beside("cloudflare/_headers"), cloudflare::headers(&rules)),
        (beside("nginx-http.conf"), nginx_http),
        (beside("nginx-server.conf"), nginx_server),
        (".htaccess".to_owned(), apache::htaccess(&rules)),
        ("_headers".to_owned(), netlify::headers(&rules)),
        ("_redirects".to_owned(), netlify::redirects(&rules)),
    ];
    let mut made = Vec::with_capacity(files.len());
    for (path, written) in files {
        let path = path.trim_start_matches('/').to_owned();
        problems.extend(written.refused.iter().map(|rule| left_out(&path, rule)));
        made.push(HostFile {
            path,
            text: written.text,
        });
    }
    (made, problems)
}

/// A rule that is not in a file.
fn left_out(file: &str, rule: &str) -> Problem {
    let rule = diglot_content::text::shorten(&rule.escape_debug().to_string(), 100);
    Problem::warning(format!(
        "a rule is not in `{file}`, since the host cannot read it: `{rule}`"
    ))
    .hint("rename what it is for, or use another host")
}

#[cfg(test)]
mod tests;
