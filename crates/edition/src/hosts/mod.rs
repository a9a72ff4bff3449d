//! Host configuration: makes a static host respond like `diglot serve`, as far as it can.
//!
//! Pure functions from an [`Edition`] to files that are exported with its resources. Rules are
//! patterns. A site above a host's limits gives a [`Problem`] that names the limit, never a
//! truncated file. Text from the site is written only by the writer of that file's language
//! (`config_file` with the modules `words`, `headers_file::lines`), so that no author's text is
//! parsed as a rule. The header values are those of [`policy`](crate::policy), so a host and the
//! server cannot disagree. [`losses`] lists what each host cannot do.

mod apache;
mod caddy;
mod cloudflare;
mod config_file;
mod headers_file;
pub mod losses;
mod moved;
mod netlify;
mod nginx;
mod pattern;
mod rules;

use diglot_content::Problem;

use crate::edition::Edition;
use rules::Rules;

/// The export folder for files that no host publishes.
pub const FOLDER: &str = "/.diglot-hosts";

/// The prefix of every file and folder of the export for Diglot or a host, except for names that
/// hosts prescribe.
const PREFIX: &str = "/.diglot";

/// With this file GitHub Pages publishes a branch as it is; else Jekyll leaves out `/_/`.
const NO_JEKYLL: &str = ".nojekyll";

/// A configuration file for a host: not a resource, not visible to readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// Its path in the exported folder: relative, `/` between segments.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A finished file.
struct Written {
    text: String,
    /// Rules that the host's language cannot express.
    refused: Vec<String>,
}

/// The configuration files of every host, ordered by path, and the problems where the site exceeds
/// a host's limits.
pub fn files(edition: &Edition) -> (Vec<HostFile>, Vec<Problem>) {
    let rules = Rules::new(edition);
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
        (NO_JEKYLL.to_owned(), ours(no_jekyll())),
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

fn no_jekyll() -> String {
    "GitHub Pages: this folder is published as it is, without Jekyll.\n\
     Written by Diglot; the next build replaces it.\n"
        .to_owned()
}

/// A rule omitted from a file.
fn left_out(file: &str, rule: &str) -> Problem {
    let rule = diglot_content::text::shorten(&rule.escape_debug().to_string(), 100);
    Problem::warning(format!(
        "a rule is not in `{file}`, since the host cannot read it: `{rule}`"
    ))
    .hint("rename what it is for, or use another host")
}

#[cfg(test)]
mod tests;
