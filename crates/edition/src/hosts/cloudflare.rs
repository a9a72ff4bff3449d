//! Cloudflare Workers static assets: `_headers` with captured parts, and `wrangler.jsonc`.
//!
//! Cloudflare Pages removes `.html` from every URL, with no setting against it; the docs say that
//! it is unsuitable.

use diglot_content::Problem;

use super::Written;
use super::headers_file::lines::Blocks;
use super::headers_file::redirects::redirects;
use super::headers_file::{self, Dialect};
use super::losses::{Host, lost};
use super::rules::Rules;

/// Wrangler's settings. The leading dot hides the file in listings of the site.
pub(super) const WRANGLER: &str = ".diglot-wrangler.jsonc";

/// The maximum number of rules in `_headers`.
const HEADER_RULES: usize = 100;
/// The maximum length of a line of `_headers`, in characters.
const HEADER_LINE: usize = 2_000;
/// The maximum length of a rule of `_redirects`, in characters.
const REDIRECT_LINE: usize = 1_000;
/// The maximum file size in bytes.
const FILE: u64 = 25 * 1024 * 1024;
/// The maximum number of files of a site on the free plan.
const FILES: usize = 20_000;

/// The `_headers` file.
pub(super) fn headers(rules: &Rules<'_>) -> Written {
    let head = format!(
        "# Cloudflare Workers static assets: copy this file to the folder that is published, in place of the `_headers` there,\n\
         # which cannot say each page's `Link`.\n\
         # Lost against `diglot serve`: {}.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n\n",
        lost(Host::Cloudflare)
    );
    let Blocks { blocks, refused } = headers_file::blocks(rules, Dialect::Cloudflare);
    Written {
        text: head + &blocks.concat(),
        refused,
    }
}

/// Files of the export for hosts or Diglot, at any depth, and the files that wrangler creates.
pub(super) fn ignore() -> String {
    "# Cloudflare Workers static assets: what is not published. Copy this file to the folder that is, as `.assetsignore`.\n\
     # Written by Diglot; the next build replaces it.\n\
     .diglot*\n.assetsignore\n.htaccess\n.nojekyll\n.wrangler\n_headers\n_redirects\n"
        .to_owned()
}

/// The settings of `wrangler deploy`.
pub(super) fn wrangler(rules: &Rules<'_>) -> String {
    let base = rules.edition.site.base.path();
    // For a site below a path, an ancestor folder is published, as many levels up as the path has.
    let directory = if base.is_empty() {
        ".".to_owned()
    } else {
        vec![".."; base.matches('/').count()].join("/")
    };
    let above = if base.is_empty() {
        "// Copy the two files of `.diglot-hosts/cloudflare` here before, as `_headers` and `.assetsignore`.\n".to_owned()
    } else {
        format!(
            "// The folder that holds this one as `{base}` is published, and nothing else may be in it: copy `_redirects` there, and the two\n\
             // files of `.diglot-hosts/cloudflare` as `_headers` and `.assetsignore`.\n"
        )
    };
    let name = worker(&rules.edition.site.base.to_string());
    format!(
        "// Cloudflare Workers static assets: `npx wrangler deploy --config {WRANGLER}` in this folder.\n\
         // Lost against `diglot serve`: {}.\n\
         // Written by Diglot from the site's settings; the next build replaces it.\n\
         {above}\
         {{\n  \
           \"name\": \"{name}\",\n  \
           \"compatibility_date\": \"2026-01-01\",\n  \
           \"assets\": {{\n    \
             \"directory\": \"{directory}\",\n    \
             // Addresses stay as they are: the default would take `.html` off and redirect.\n    \
             \"html_handling\": \"none\",\n    \
             \"not_found_handling\": \"404-page\"\n  \
           }}\n\
         }}\n",
        lost(Host::Cloudflare)
    )
}

/// The name of the site's worker, from its URL: letters, digits and `-`, at most 54.
fn worker(base: &str) -> String {
    let address = base.split_once("://").map_or(base, |(_, rest)| rest);
    let dashed: String = address
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    let name: String = dashed.trim_matches('-').chars().take(54).collect();
    let name = name.trim_end_matches('-');
    if name.is_empty() {
        "site".to_owned()
    } else {
        name.to_owned()
    }
}

/// Problems where the site exceeds Cloudflare's limits.
pub(super) fn limits(rules: &Rules<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut over = |message: String| {
        problems.push(
            Problem::warning(format!("{message} on Cloudflare static assets"))
                .hint("other hosts take the site as it is"),
        )
    };
    let blocks = headers_file::blocks(rules, Dialect::Cloudflare).blocks;
    if blocks.len() > HEADER_RULES {
        over(format!(
            "`_headers` needs {} rules, over the limit of {HEADER_RULES}",
            blocks.len()
        ));
    }
    if let Some(line) = blocks
        .iter()
        .flat_map(|block| block.lines())
        .find(|line| line.chars().count() > HEADER_LINE)
    {
        over(format!(
            "a line of `_headers` has {} characters, over the limit of {HEADER_LINE}",
            line.chars().count()
        ));
    }
    let moved = redirects(rules).lines;
    if let Some(line) = moved
        .iter()
        .find(|line| line.trim_end().chars().count() > REDIRECT_LINE)
    {
        let from = line.split(' ').next().unwrap_or_default();
        let from: String = from.chars().take(80).collect();
        over(format!(
            "the redirect of `{from}…` is over the limit of {REDIRECT_LINE} characters"
        ));
    }
    for resource in rules
        .edition
        .resources
        .iter()
        .filter(|resource| resource.body.len() > FILE)
    {
        over(format!(
            "`{}` has {} bytes, over the limit of 25 MiB a file",
            resource.path,
            resource.body.len()
        ));
    }
    let files = rules.edition.resources.len();
    if files > FILES {
        over(format!(
            "the site has {files} files, over the limit of {FILES} (of the free plan)"
        ));
    }
    problems
}
