//! Netlify: `_headers` and `_redirects` in the published folder. Cloudflare reads the same two
//! files, so both must have the same meaning there.

use diglot_content::Problem;

use super::Written;
use super::headers_file::lines::Blocks;
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

/// Paths rewritten to another file. Cloudflare, set to keep `.html` URLs, has no folder index;
/// Netlify serves the file itself and ignores that line. The other two are for a site below a path.
pub(super) fn rewrites(rules: &Rules<'_>) -> Vec<Option<String>> {
    let base = rules.encoded("");
    let mut lines = vec![headers_file::line(
        &format!("{base}/"),
        &format!("{base}/index.html"),
        "200",
    )];
    for route in rules.at_root() {
        lines.push(headers_file::line(
            &route.path(),
            &rules.encoded(&route.path()),
            "200",
        ));
    }
    lines
}

/// The `_redirects` file.
pub(super) fn redirects(rules: &Rules<'_>) -> Written {
    let mut text = format!("# Netlify and Cloudflare: old addresses.\n{}", above(rules));
    let lines = rewrites(rules).into_iter().chain(
        headers_file::redirects(rules)
            .into_iter()
            .map(|redirect| redirect.line),
    );
    text.extend(lines.flatten());
    Written {
        text,
        refused: Vec::new(),
    }
}

/// Problems with redirects that `_redirects` cannot express.
pub(super) fn limits(rules: &Rules<'_>) -> Vec<Problem> {
    let unsaid = headers_file::redirects(rules)
        .into_iter()
        .filter(|redirect| redirect.line.is_none());
    let problem = |redirect: headers_file::Redirect| {
        let why = if redirect.from.contains(['*', ':']) {
            "Netlify and Cloudflare read `*` and `:` as patterns"
        } else {
            "Netlify keeps it for itself"
        };
        Problem::warning(format!(
            "the old address `{}` is not in `_redirects`: {why}",
            redirect.from
        ))
        .hint("its stub page leads readers on there")
    };
    unsaid.map(problem).collect()
}
