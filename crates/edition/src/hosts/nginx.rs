//! nginx: two files, because maps belong to the `http` block and locations to a `server` block.
//!
//! Header fields are set once, for the whole server, from maps over the final status and path: an `add_header` inside a location would
//! drop all others.

use std::fmt::Write;

use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules, UNKNOWN, URL_PATH, literal, safe_url};
use crate::policy::{self, Row};

/// What goes into the `http` block.
pub(super) fn http(rules: &Rules<'_>) -> String {
    let name = rules.name();
    let base = literal(rules.edition.site.base.path());
    let mut out = String::from(
        "# nginx, the first of two files: include it in the `http` block. The second, nginx-server.conf, tells how.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n",
    );
    let mut map = |source: &str, variable: &str, rows: &[(String, String)]| {
        let _ = writeln!(out, "\nmap {} ${name}_{variable} {{\n    default \"\";", quote(source));
        for (pattern, value) in rows {
            let _ = writeln!(out, "    {} {};", quote(pattern), quote(value));
        }
        out.push_str("}\n");
    };
    map("$http_accept", "markdown", &[(format!("~*{PREFERS_MARKDOWN}"), "1".to_owned())]);
    map(&format!("${name}_markdown:$request_uri"), "missing", &missing(rules));
    map("$uri", "twin", &twin(&base, "", rules));
    map("$request_uri", "twin_url", &twin(&request(&base), r"(?:\?.*)?", rules));
    map(
        "$status:$uri",
        "cache",
        &statuses(rules, &base, |fields| fields.cache_control.to_string(), |row| row.cache_control(&rules.edition.site).into()),
    );
    map("$status:$uri", "vary", &statuses(rules, &base, |fields| fields.vary.to_owned(), |row| row.vary().unwrap_or_default().to_owned()));
    map("$uri", "disposition", &disposition(rules, &base));
    map("$status:$request_uri", "link", &links(rules, &base));
    map("$request_uri", "twin_link", &twin_links(rules, &base));
    map("$status", "allow", &[("~^(?:204|405)$".to_owned(), policy::ALLOW.to_owned())]);
    for (map_name, (_, value)) in PREFLIGHT_MAPS.into_iter().zip(policy::PREFLIGHT) {
        map("$status", map_name, &[("~^204$".to_owned(), value.to_owned())]);
    }
    out
}

/// The maps that fill the fields of a preflight's answer, in the order of [`policy::PREFLIGHT`].
const PREFLIGHT_MAPS: [&str; 3] = ["allow_methods", "allow_headers", "preflight_age"];

/// What goes into the `server` block.
pub(super) fn server(rules: &Rules<'_>) -> String {
    let (name, path) = (rules.name(), |path: &str| quote(&rules.path(path)));
    let mut out = head(rules);
    let common: Vec<(&str, String)> = rules.everywhere.iter().map(|(field, value)| (*field, value.clone())).collect();
    let by_map = |field: &'static str, map: &str| (field, format!("${name}_{map}"));
    fields(&mut out, "", " always", &common);
    let mapped = [
        by_map("Cache-Control", "cache"),
        by_map("Vary", "vary"),
        by_map("Link", "link"),
        by_map("Content-Disposition", "disposition"),
        by_map("Allow", "allow"),
    ];
    fields(&mut out, "", " always", &mapped);
    let preflight: Vec<_> = PREFLIGHT_MAPS.into_iter().zip(policy::PREFLIGHT).map(|(map, (field, _))| by_map(field, map)).collect();
    fields(&mut out, "", " always", &preflight);
    types(&mut out, rules);
    let _ = writeln!(out, "\nif ($request_method = OPTIONS) {{\n    return 204;\n}}");
    let _ = writeln!(out, "error_page 404 410 ${name}_missing;\n");
    // Only the rewrite module's own directives stand inside an `if`; what has no twin is not negotiated.
    let negotiated = format!(
        "    error_page 404 ${name}_missing;\n    error_page 418 = @{name}_twin;\n    set $form ${name}_markdown;\n    \
         if (!-f $document_root${name}_twin) {{\n        set $form \"\";\n    }}\n    if ($form) {{\n        return 418;\n    }}\n"
    );
    let _ = writeln!(out, "location = {} {{\n{negotiated}    try_files {} =404;\n}}", path("/"), path("/index.html"));
    let _ = writeln!(
        out,
        "location ~ {} {{\n{negotiated}    try_files $uri =404;\n}}",
        quote(&format!(r"^{}/.*\.html$", literal(rules.edition.site.base.path())))
    );
    let _ = writeln!(out, "location {} {{\n    try_files $uri =404;\n}}", path("/"));
    twin_location(&mut out, rules, &common);
    for (exception, fields) in rules.exceptions.iter().filter(|(path, fields)| rules.predicted(path).media_type != fields.media_type) {
        let _ = writeln!(
            out,
            "location = {} {{\n    types {{ }}\n    default_type {};\n    try_files $uri =404;\n}}",
            path(exception),
            quote(&fields.media_type)
        );
    }
    for hidden in HIDDEN {
        let _ = writeln!(out, "location = {} {{\n    return 404;\n}}", path(hidden));
    }
    let _ = writeln!(out, "location ^~ {} {{\n    return 404;\n}}", path(super::PREFIX));
    at_the_root(&mut out, rules);
    for (old, url) in &rules.moved {
        let _ = writeln!(out, "location = {} {{ return 301 {}; }}", path(old), quote(&safe_url(url)));
    }
    for gone in &rules.gone {
        let _ = writeln!(out, "location = {} {{ return 410; }}", path(gone));
    }
    out
}

fn head(rules: &Rules<'_>) -> String {
    let base = rules.edition.site.base.path();
    let place = if base.is_empty() { String::new() } else { format!("# The exported folder is installed as `{base}` below the root.\n") };
    let folder = super::FOLDER;
    format!(
        "# nginx, the second of two files:\n\
         #\n\
         #   include /srv/site{base}{folder}/nginx-http.conf;\n\
         #   server {{\n\
         #       server_name example.org;\n\
         #       root /srv/site;\n\
         #       include /srv/site{base}{folder}/nginx-server.conf;\n\
         #   }}\n\
         #\n\
         {place}# Lost against `diglot serve`: {}.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n\n\
         absolute_redirect off;\n\
         if_modified_since before;\n\
         max_ranges 1;\n\
         gzip_static on;\n\
         # With the module ngx_brotli, and files made by `diglot build --compress`:\n\
         # brotli_static on;\n\n",
        super::losses::lost(super::losses::Host::Nginx)
    )
}

/// Markdown at a `.html` address: kept by nobody, told by no date.
fn twin_location(out: &mut String, rules: &Rules<'_>, common: &[(&str, String)]) {
    let name = rules.name();
    let _ = writeln!(
        out,
        "location @{name}_twin {{\n    error_page 404 ${name}_missing;\n    if_modified_since off;\n    add_header Last-Modified \"\";"
    );
    fields(out, "    ", "", common);
    let row = Row::NegotiatedMarkdown;
    let own = [
        ("Cache-Control", row.cache_control(&rules.edition.site).into_owned()),
        ("Vary", row.vary().unwrap_or_default().to_owned()),
        ("Link", format!("${name}_twin_link")),
        ("Content-Location", format!("${name}_twin_url")),
        ("Content-Disposition", rules.markdown.disposition.unwrap_or_default().to_owned()),
    ];
    fields(out, "    ", "", &own);
    let _ = writeln!(out, "    try_files ${name}_twin =404;\n}}");
}

/// What is answered at the origin's root as well, when the site lives below it.
fn at_the_root(out: &mut String, rules: &Rules<'_>) {
    if rules.edition.site.base.path().is_empty() {
        return;
    }
    for route in [crate::Route::Robots, crate::Route::ApiCatalog] {
        let _ = writeln!(
            out,
            "location = {} {{\n    types {{ }}\n    default_type {};\n    try_files {} =404;\n}}",
            quote(&route.path()),
            quote(&route.media_type()),
            quote(&rules.path(&route.path()))
        );
    }
}

fn types(out: &mut String, rules: &Rules<'_>) {
    let _ = writeln!(out, "\ntypes {{\n    {} html;\n    {} md;", quote(&rules.html.media_type), quote(&rules.markdown.media_type));
    for (suffix, media_type) in &rules.suffixes {
        let _ = writeln!(out, "    {} {suffix};", quote(media_type));
    }
    let _ = writeln!(out, "}}\ndefault_type {UNKNOWN};");
}

fn fields(out: &mut String, indent: &str, flag: &str, fields: &[(&str, String)]) {
    for (field, value) in fields {
        let _ = writeln!(out, "{indent}add_header {field} {}{flag};", quote(value));
    }
}

/// The page that says "not found", in the form that is wanted: of a `.md` address it is always Markdown.
fn missing(rules: &Rules<'_>) -> Vec<(String, String)> {
    let markdown = r"~^(?:1:|:[^?]*\.md(?:\?|$))";
    vec![(markdown.to_owned(), rules.path("/404.md")), ("~".to_owned(), rules.path("/404.html"))]
}

/// From a `.html` path to its twin's.
fn twin(base: &str, after: &str, rules: &Rules<'_>) -> Vec<(String, String)> {
    let name = rules.name();
    let any = if after.is_empty() { ".*".to_owned() } else { format!("{URL_PATH}*") };
    let home = if after.is_empty() { rules.path("/index.md") } else { rules.rooted("/index.md") };
    vec![(format!("~^{base}/{after}$"), home), (format!(r"~^(?<{name}_page>{base}/{any})\.html{after}$"), format!("${name}_page.md"))]
}

/// The base URL's path as it stands in a request.
fn request(base: &str) -> String {
    if base.is_ascii() { base.to_owned() } else { format!("{URL_PATH}*") }
}

/// A field by status and path: errors and redirects first, then exceptions, then patterns.
fn statuses(rules: &Rules<'_>, base: &str, of: impl Fn(&Fields) -> String, row: impl Fn(Row) -> String) -> Vec<(String, String)> {
    let mut rows = vec![
        ("~^30[18]:".to_owned(), row(Row::Redirect)),
        (r"~^(?:404|410):.*\.md$".to_owned(), row(Row::Absent)),
        ("~^(?:404|410):".to_owned(), row(Row::AbsentHtml)),
        ("~^(?:4|5)".to_owned(), row(Row::Refused)),
    ];
    for (path, fields) in &rules.exceptions {
        if of(fields) != of(&rules.predicted(path)) {
            rows.push((format!("~:{base}{}$", literal(path)), of(fields)));
        }
    }
    rows.push((format!("~:{base}{ASSETS}"), of(&rules.asset)));
    rows.push((format!(r"~:{base}/.*\.html$"), of(&rules.html)));
    rows.push((format!(r"~:{base}/.*\.md$"), of(&rules.markdown)));
    rows.push(("~:".to_owned(), of(&rules.document)));
    rows
}

fn disposition(rules: &Rules<'_>, base: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (path, fields) in &rules.exceptions {
        if fields.disposition != rules.predicted(path).disposition {
            rows.push((format!("~^{base}{}$", literal(path)), fields.disposition.unwrap_or_default().to_owned()));
        }
    }
    rows.push((format!(r"~^{base}/.*\.md$"), rules.markdown.disposition.unwrap_or_default().to_owned()));
    rows
}

/// `Link` by the address as it was asked for, which is encoded already; only where something is there.
fn links(rules: &Rules<'_>, base: &str) -> Vec<(String, String)> {
    let (name, base) = (rules.name(), request(base));
    let there = "~^(?:200|206|304):";
    let mut rows = Vec::new();
    for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| fields.link != rules.predicted(path).link) {
        let value = fields.link.as_ref().map(|link| link.with(&page_of(rules, path))).unwrap_or_default();
        let encoded = literal(&super::rules::encoded(rules, path));
        rows.push((format!(r"{there}{encoded}(?:\?.*)?$"), safe_url(&value)));
        if *path == "/index.html" {
            rows.push((format!(r"{there}{}(?:\?.*)?$", literal(&rules.rooted("/"))), safe_url(&value)));
        }
    }
    for fields in [&rules.html, &rules.markdown] {
        let suffix = if std::ptr::eq(fields, &rules.html) { "html" } else { "md" };
        if let Some(link) = &fields.link {
            let capture = format!("{name}_{suffix}");
            rows.push((format!(r"{there}(?<{capture}>{base}/{URL_PATH}*)\.{suffix}(?:\?.*)?$"), link.with(&format!("${capture}"))));
        }
    }
    rows
}

/// `Link` of Markdown at a `.html` address: that of the twin.
fn twin_links(rules: &Rules<'_>, base: &str) -> Vec<(String, String)> {
    let (name, base) = (rules.name(), request(base));
    let mut rows = Vec::new();
    for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| path.ends_with(".md") && fields.link != rules.markdown.link) {
        let Some(link) = &fields.link else { continue };
        let value = safe_url(&link.with(&page_of(rules, path)));
        let html = format!("{}html", path.trim_end_matches("md"));
        rows.push((format!(r"~^{}(?:\?.*)?$", literal(&super::rules::encoded(rules, &html))), value.clone()));
        if html == "/index.html" {
            rows.push((format!(r"~^{}(?:\?.*)?$", literal(&rules.rooted("/"))), value));
        }
    }
    if let Some(link) = &rules.markdown.link {
        rows.push((format!(r"~^(?<{name}_asked>{base}/{URL_PATH}*)\.html(?:\?.*)?$"), link.with(&format!("${name}_asked"))));
    }
    rows
}

/// The encoded path of a page without its suffix.
fn page_of(rules: &Rules<'_>, path: &str) -> String {
    let encoded = super::rules::encoded(rules, path);
    encoded.rsplit_once('.').map_or(encoded.clone(), |(page, _)| page.to_owned())
}

/// A string of nginx's configuration language.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}
