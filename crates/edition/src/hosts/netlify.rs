//! Netlify: `_headers` and `_redirects` in the published folder. Cloudflare reads the same two
//! files, so both must have the same meaning there.

use diglot_content::Problem;

use super::Written;
use super::headers_file::lines::Blocks;
use super::headers_file::redirects::{self, STATIC_RULES};
use super::headers_file::{self, Dialect};
use super::losses::{Host, lost};
use super::rules::Rules;

/// The `_headers` file.
pub(super) fn headers(rules: &Rules<'_>) -> Written {
    let head = format!(
        "# Netlify (and Cloudflare): this file and `_redirects` are read from the published folder.\n\
         {}\
         # Lost on Netlify against `diglot serve`: {}.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n\n",
        above(rules),
        lost(Host::Netlify)
    );
    let Blocks { blocks, refused } = headers_file::blocks(rules, Dialect::Common);
    Written {
        text: head + &blocks.concat(),
        refused,
    }
}

/// The location of both files for a site below a path.
fn above(rules: &Rules<'_>) -> String {
    match rules.base {
        "" => String::new(),
        base => format!(
            "# Publish the folder that holds this one as `{base}`, and copy both files there.\n"
        ),
    }
}

/// The `_redirects` file.
pub(super) fn redirects(rules: &Rules<'_>) -> Written {
    let mut text = format!("# Netlify and Cloudflare: old addresses.\n{}", above(rules));
    text.extend(redirects::rewrites(rules).into_iter().flatten());
    text.extend(redirects::redirects(rules).lines);
    Written {
        text,
        refused: Vec::new(),
    }
}

/// Problems with redirects that `_redirects` cannot express.
pub(super) fn limits(rules: &Rules<'_>) -> Vec<Problem> {
    let moved = redirects::redirects(rules);
    let unsaid = moved.unsaid.into_iter().map(|from| {
        let why = if from.contains(['*', ':']) {
            "Netlify and Cloudflare read `*` and `:` as patterns"
        } else {
            "Netlify keeps it for itself"
        };
        Problem::warning(format!(
            "the old address `{from}` is not in `_redirects`: {why}"
        ))
        .hint("its stub page leads readers on there")
    });
    let mut problems: Vec<Problem> = unsaid.collect();
    let (left, stubs) = moved.left;
    if left > 0 {
        let message = format!(
            "`_redirects` has no room for all old addresses (Cloudflare static assets take {STATIC_RULES}): {left} left out, of which {stubs} have a stub page"
        );
        problems.push(Problem::warning(message).hint("other hosts take all of them"));
    }
    problems
}
