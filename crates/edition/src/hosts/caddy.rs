//! Caddy: directives for a site block, in the order written (`route`).

use std::fmt::Write;

use super::losses::{Host, lost};
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules, UNKNOWN, URL_PATH, encoded, literal, safe_url};
use crate::policy::{self, Row};

/// The file to import into a site block.
pub(super) fn caddyfile(rules: &Rules<'_>) -> String {
    let (folder, base) = (super::FOLDER, rules.edition.site.base.path());
    let mut out = format!(
        "# Caddy: import this into a site block.\n\
         #\n\
         #   example.org {{\n\
         #       root * /srv/site\n\
         #       import /srv/site{base}{folder}/Caddyfile\n\
         #   }}\n\
         #\n\
         {}\
         # Lost against `diglot serve`: {}.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n\n",
        if base.is_empty() { String::new() } else { format!("# The exported folder is installed as `{base}` below the root.\n") },
        lost(Host::Caddy)
    );
    moved(&mut out, rules);
    out.push_str("route {\n");
    everywhere(&mut out, rules);
    prelude(&mut out, rules);
    negotiated(&mut out, rules);
    files(&mut out, rules);
    out.push_str("}\n\n");
    errors(&mut out, rules);
    out
}

/// Old addresses as one table: exact, with case, which the `path` matcher would not heed.
fn moved(out: &mut String, rules: &Rules<'_>) {
    if rules.moved.is_empty() {
        return;
    }
    out.push_str("map {http.request.uri.path} {diglot_moved} {\n");
    for (old, url) in &rules.moved {
        let _ = writeln!(out, "\t{} {}", quote(&rules.path(old)), quote(&safe_url(url)));
    }
    out.push_str("\tdefault \"\"\n}\n\n");
}

fn everywhere(out: &mut String, rules: &Rules<'_>) {
    out.push_str("\theader {\n");
    for (field, value) in &rules.everywhere {
        let _ = writeln!(out, "\t\t{field} {}", quote(value));
    }
    out.push_str("\t}\n");
}

/// What is decided before a file is looked for.
fn prelude(out: &mut String, rules: &Rules<'_>) {
    let base = rules.edition.site.base.path();
    let preflight: String = policy::PREFLIGHT.iter().map(|(field, value)| format!("\t\theader {field} {}\n", quote(value))).collect();
    let allow = quote(policy::ALLOW);
    let _ = writeln!(out, "\t@options method OPTIONS\n\thandle @options {{\n\t\theader Allow {allow}\n{preflight}\t\trespond 204\n\t}}");
    let _ = writeln!(out, "\t@refused not method GET HEAD OPTIONS\n\terror @refused 405");
    if !rules.moved.is_empty() {
        let row = Row::Redirect;
        let _ = writeln!(
            out,
            "\t@moved not vars {{diglot_moved}} \"\"\n\thandle @moved {{\n\t\theader Cache-Control {}\n\t\tredir {{diglot_moved}} 301\n\t}}",
            quote(&row.cache_control(&rules.edition.site))
        );
    }
    for gone in &rules.gone {
        let _ = writeln!(out, "\t@gone_{0} vars {{http.request.uri.path}} {1}\n\terror @gone_{0} 410", hex(gone), quote(&rules.path(gone)));
    }
    let hidden: Vec<String> = HIDDEN.iter().map(|path| literal(&rules.path(path))).collect();
    let ours = literal(&rules.path(super::PREFIX));
    let _ = writeln!(out, "\t@hidden path_regexp `^(?:{}|{ours}.*|.+/)$`", hidden.join("|"));
    if !base.is_empty() {
        for route in [crate::Route::Robots, crate::Route::ApiCatalog] {
            let _ = writeln!(out, "\trewrite {} {}", route.path(), quote(&encoded(rules, &route.path())));
        }
    }
    let _ = writeln!(out, "\trewrite {} {}\n\terror @hidden 404", quote(&encoded(rules, "/")), quote(&encoded(rules, "/index.html")));
}

/// Markdown at a `.html` address: kept by nobody, told by no date.
fn negotiated(out: &mut String, rules: &Rules<'_>) {
    let base = literal(rules.edition.site.base.path());
    let row = Row::NegotiatedMarkdown;
    let _ = writeln!(
        out,
        "\t@page path_regexp page `^({base}/.*)\\.html$`\n\tvars @page diglot_twin {{re.page.1}}.md\n\t@negotiated {{\n\t\tpath_regexp `^{base}/.*\\.html$`\n\t\theader_regexp Accept `(?i){PREFERS_MARKDOWN}`\n\t\tfile {{vars.diglot_twin}}\n\t}}\n\thandle @negotiated {{\n\troute {{"
    );
    out.push_str("\t\trequest_header -If-Modified-Since\n\t\trequest_header -If-Range\n");
    let _ = writeln!(out, "\t\theader Content-Type {}", quote(&rules.markdown.media_type));
    let _ = writeln!(out, "\t\theader Cache-Control {}", quote(&row.cache_control(&rules.edition.site)));
    let _ = writeln!(out, "\t\theader Content-Disposition {}", quote(rules.markdown.disposition.unwrap_or_default()));
    let _ = writeln!(out, "\t\theader {{\n\t\t\tVary {}\n\t\t\t-Last-Modified\n\t\t\tdefer\n\t\t}}", quote(row.vary().unwrap_or_default()));
    let request = if base.is_ascii() { encoded(rules, "") } else { format!("{URL_PATH}*") };
    let _ = writeln!(out, "\t\t@asked vars_regexp asked {{http.request.orig_uri}} `^({}/{URL_PATH}*)\\.html(?:\\?.*)?$`", literal(&request));
    out.push_str("\t\theader @asked Content-Location \"{re.asked.1}.md\"\n");
    if let Some(link) = &rules.markdown.link {
        let _ = writeln!(out, "\t\theader @asked Link {}", quote(&link.with("{re.asked.1}")));
    }
    let _ = writeln!(out, "\t\turi path_regexp \\.html$ .md");
    for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| path.ends_with(".md") && fields.link != rules.markdown.link) {
        let matcher = format!("@twin_{}", hex(path));
        let _ = writeln!(out, "\t\t{matcher} vars {{http.request.uri.path}} {}", quote(&rules.path(path)));
        link(out, "\t\t", &matcher, rules, path, fields);
        if *path == "/index.md" {
            let _ = writeln!(out, "\t\theader {matcher} Content-Location {}", quote(&encoded(rules, path)));
        }
    }
    out.push_str("\t\tfile_server {\n\t\t\tdisable_canonical_uris\n\t\t\tindex .none\n\t\t\tprecompressed br zstd gzip\n\t\t}\n\t}\n\t}\n");
}

fn files(out: &mut String, rules: &Rules<'_>) {
    let base = literal(rules.edition.site.base.path());
    out.push_str("\thandle {\n\troute {\n\t\theader >Vary {vars.diglot_vary}\n");
    let mut class = |name: &str, pattern: &str, fields: &Fields| {
        let _ = writeln!(out, "\t\t@{name} path_regexp `{pattern}`");
        each(out, "\t\t", &format!("@{name}"), fields);
    };
    class("documents", ".*", &Fields { media_type: UNKNOWN.to_owned(), ..rules.document.clone() });
    class("assets", &format!("^{base}{ASSETS}"), &rules.asset);
    class("html", &format!(r"^{base}/.*\.html$"), &rules.html);
    class("markdown", &format!(r"^{base}/.*\.md$"), &rules.markdown);
    for (suffix, media_type) in &rules.suffixes {
        let _ = writeln!(out, "\t\t@{suffix}_type path_regexp `(?i)\\.{suffix}$`\n\t\theader @{suffix}_type Content-Type {}", quote(media_type));
    }
    let request = literal(&encoded(rules, ""));
    for (fields, suffix) in [(&rules.html, "html"), (&rules.markdown, "md")] {
        if let Some(link) = &fields.link {
            let _ =
                writeln!(out, "\t\t@{suffix}_link vars_regexp {suffix} {{http.request.orig_uri}} `^({request}/{URL_PATH}*)\\.{suffix}(?:\\?.*)?$`");
            let _ = writeln!(out, "\t\theader @{suffix}_link Link {}", quote(&link.with(&format!("{{re.{suffix}.1}}"))));
        }
    }
    for (path, fields) in &rules.exceptions {
        let matcher = format!("@exception_{}", hex(path));
        let _ = writeln!(out, "\t\t{matcher} vars {{http.request.uri.path}} {}", quote(&rules.path(path)));
        each(out, "\t\t", &matcher, fields);
        if fields.disposition.is_none() && rules.predicted(path).disposition.is_some() {
            let _ = writeln!(out, "\t\theader {matcher} -Content-Disposition");
        }
        link(out, "\t\t", &matcher, rules, path, fields);
    }
    out.push_str("\t\tfile_server {\n\t\t\tdisable_canonical_uris\n\t\t\tindex .none\n\t\t\tprecompressed br zstd gzip\n\t\t}\n\t}\n\t}\n");
}

/// The fields of a class but for its `Link`. `Vary` is set when the answer is written: the file server adds to it.
fn each(out: &mut String, indent: &str, matcher: &str, fields: &Fields) {
    if !fields.media_type.is_empty() {
        let _ = writeln!(out, "{indent}header {matcher} Content-Type {}", quote(&fields.media_type));
    }
    let _ = writeln!(out, "{indent}header {matcher} Cache-Control {}", quote(&fields.cache_control));
    let _ = writeln!(out, "{indent}vars {matcher} diglot_vary {}", quote(fields.vary));
    if let Some(disposition) = fields.disposition {
        let _ = writeln!(out, "{indent}header {matcher} Content-Disposition {}", quote(disposition));
    }
}

fn link(out: &mut String, indent: &str, matcher: &str, rules: &Rules<'_>, path: &str, fields: &Fields) {
    let path = encoded(rules, path);
    let page = path.rsplit_once('.').map_or(path.as_str(), |(page, _)| page);
    let _ = match &fields.link {
        Some(link) => writeln!(out, "{indent}header {matcher} Link {}", quote(&safe_url(&link.with(page)))),
        None => writeln!(out, "{indent}header {matcher} -Link"),
    };
}

/// Error pages in the form that is wanted, without what the page's own answer would have said.
fn errors(out: &mut String, rules: &Rules<'_>) {
    out.push_str("handle_errors {\n\troute {\n");
    everywhere(out, rules);
    out.push_str("\t\theader {\n\t\t\t-Link\n\t\t\t-Content-Location\n\t\t\t-Content-Disposition\n\t\t}\n");
    out.push_str("\t\theader {\n\t\t\t-Last-Modified\n\t\t\t-ETag\n\t\t\tdefer\n\t\t}\n");
    let _ = writeln!(out, "\t\t@absent expression `{{err.status_code}} in [404, 410]`\n\t\thandle @absent {{");
    // Of a `.md` address the answer is Markdown, whatever is wanted.
    let _ = writeln!(out, "\t\t\t@wanted header_regexp Accept `(?i){PREFERS_MARKDOWN}`");
    let _ = writeln!(out, "\t\t\t@twin vars_regexp {{http.request.orig_uri.path}} `\\.md$`");
    let markdown = |matcher| (matcher, Row::Absent, "/404.md", &rules.markdown);
    for (matcher, row, path, fields) in [markdown(" @twin"), markdown(" @wanted"), ("", Row::AbsentHtml, "/404.html", &rules.html)] {
        let _ = writeln!(out, "\t\t\thandle{matcher} {{");
        let _ = writeln!(out, "\t\t\t\theader Content-Type {}", quote(&fields.media_type));
        let _ = writeln!(out, "\t\t\t\theader Cache-Control {}", quote(&row.cache_control(&rules.edition.site)));
        let _ = writeln!(out, "\t\t\t\theader >Vary {}", quote(row.vary().unwrap_or_default()));
        if let Some(disposition) = fields.disposition {
            let _ = writeln!(out, "\t\t\t\theader Content-Disposition {}", quote(disposition));
        }
        let _ = writeln!(
            out,
            "\t\t\t\trewrite * {}\n\t\t\t\tfile_server {{\n\t\t\t\t\tdisable_canonical_uris\n\t\t\tindex .none\n\t\t\t\t}}\n\t\t\t}}",
            quote(&encoded(rules, path))
        );
    }
    out.push_str("\t\t}\n\t\thandle {\n");
    let _ = writeln!(out, "\t\t\theader Cache-Control {}", quote(&Row::Refused.cache_control(&rules.edition.site)));
    let _ = writeln!(out, "\t\t\theader Allow {}\n\t\t\trespond \"{{err.status_code}} {{err.status_text}}\"", quote(policy::ALLOW));
    out.push_str("\t\t}\n\t}\n}\n");
}

/// A string of the Caddyfile: only the quote itself is escaped.
fn quote(text: &str) -> String {
    if text.contains('"') && !text.contains('`') { format!("`{text}`") } else { format!("\"{}\"", text.replace('"', "\\\"")) }
}

/// A name for a matcher, unique for its path.
fn hex(path: &str) -> String {
    crate::resource::Digest::of(path.as_bytes()).to_string().chars().take(12).collect()
}
