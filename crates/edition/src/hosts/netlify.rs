//! Netlify: `_headers` and `_redirects` in the published folder. Cloudflare finds the same two files, so both mean the same there.

use diglot_content::Problem;

use super::headers_file::{self, Dialect};
use super::losses::{Host, lost};
use super::rules::{Rules, encoded};

/// The `_headers` file.
pub(super) fn headers(rules: &Rules<'_>) -> String {
    let head = format!(
        "# Netlify (and Cloudflare): this file and `_redirects` are read from the published folder.\n\
         {}\
         # Lost on Netlify against `diglot serve`: {}.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n\n",
        above(rules),
        lost(Host::Netlify)
    );
    head + &headers_file::blocks(rules, Dialect::Common).concat()
}

/// Where both files have to be for a site below a path.
fn above(rules: &Rules<'_>) -> String {
    match rules.edition.site.base.path() {
        "" => String::new(),
        base => format!("# Publish the folder that holds this one as `{base}`, and copy both files there.\n"),
    }
}

/// Addresses that answer with another file. Cloudflare, told to leave `.html` addresses alone, has no index of a folder; Netlify serves the file
/// itself and passes over that line. The other two are for a site below a path.
pub(super) fn rewrites(rules: &Rules<'_>) -> Vec<String> {
    let base = encoded(rules, "");
    let mut lines = vec![format!("{base}/ {base}/index.html 200")];
    if !base.is_empty() {
        let routes = [crate::Route::Robots, crate::Route::ApiCatalog];
        lines.extend(routes.iter().map(|route| format!("{} {} 200", route.path(), encoded(rules, &route.path()))));
    }
    lines
}

/// The `_redirects` file.
pub(super) fn redirects(rules: &Rules<'_>) -> String {
    let mut out = format!("# Netlify and Cloudflare: old addresses.\n{}", above(rules));
    rewrites(rules).iter().for_each(|line| {
        out.push_str(line);
        out.push('\n');
    });
    for redirect in headers_file::redirects(rules).iter().filter(|redirect| !is_pattern(&redirect.from)) {
        out.push_str(&redirect.line);
        out.push('\n');
    }
    out
}

/// Old addresses that `_redirects` would read as patterns.
pub(super) fn limits(rules: &Rules<'_>) -> Vec<Problem> {
    let patterns = headers_file::redirects(rules).into_iter().filter(|redirect| is_pattern(&redirect.from));
    let problem = |redirect: headers_file::Redirect| {
        Problem::warning(format!("the old address `{}` is not in `_redirects`: Netlify and Cloudflare read `*` and `:` as patterns", redirect.from))
            .hint("its stub page leads readers on there")
    };
    patterns.map(problem).collect()
}

fn is_pattern(from: &str) -> bool {
    from.contains(['*', ':'])
}
