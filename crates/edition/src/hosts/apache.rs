//! Apache httpd 2.4: one `.htaccess`, which a server's own configuration can include in its `<Directory>` as well.
//!
//! Conditions look at the path that is answered (`REQUEST_URI`, after every internal redirect) and at the request line as it came
//! (`THE_REQUEST`), never at variables that a redirect renames.

use std::fmt::Write;

use super::losses::{Host, lost};
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules, UNKNOWN, URL_PATH, encoded, literal, safe_url};
use crate::policy::{self, Row};

/// Markdown is answered, and no `.md` address was asked for: it is the negotiated form of a page, or of the page that says "not found".
const NEGOTIATED: &str = r"%{REQUEST_URI} =~ m#\.md$# && %{THE_REQUEST} !~ m#^\S+ [^? ]*\.md[? ]#";
/// The answer is not an error and not a redirect.
const FOUND: &str = "%{REQUEST_STATUS} -in { '200', '206', '304' }";

/// The `.htaccess` file.
pub(super) fn htaccess(rules: &Rules<'_>) -> String {
    let mut out = format!(
        "# Apache httpd 2.4: needs mod_dir, mod_headers, mod_mime and mod_rewrite, and `AllowOverride All` for this folder\n\
         # (or `Include` this file in its `<Directory>`).\n\
         # Lost against `diglot serve`: {}.\n\
         # Written by Diglot from the site's settings; the next build replaces it.\n\n\
         Options -Indexes -MultiViews\nDirectoryIndex disabled\nDirectorySlash Off\nFileETag MTime Size\nAddDefaultCharset Off\n",
        lost(Host::Apache)
    );
    for status in [404, 410] {
        let _ = writeln!(out, "ErrorDocument {status} {}", encoded(rules, "/404.html"));
    }
    media_types(&mut out, rules);
    rewrites(&mut out, rules);
    headers(&mut out, rules);
    out
}

fn media_types(out: &mut String, rules: &Rules<'_>) {
    out.push_str("\n# A name may hold further suffixes (`notes.gz.html`): they say nothing here.\nRemoveEncoding .gz .Z .br .zst .bz2\n");
    let pages = [("html".to_owned(), rules.html.media_type.clone()), ("md".to_owned(), rules.markdown.media_type.clone())];
    for (suffix, media_type) in pages.iter().map(|(suffix, media_type)| (suffix, media_type)).chain(&rules.suffixes) {
        let _ = writeln!(out, "AddType {} .{suffix}", quote(media_type));
    }
    let _ = writeln!(out, "<FilesMatch \"^[^.]+$|\\.[^.]*[^A-Za-z0-9.][^.]*$\">\n    ForceType {UNKNOWN}\n</FilesMatch>");
    for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| rules.predicted(path).media_type != fields.media_type) {
        let _ = writeln!(out, "<If \"%{{REQUEST_URI}} == {}\">\n    ForceType {}\n</If>", text(&rules.path(path)), quote(&fields.media_type));
    }
}

/// Paths in the patterns are relative to the folder, as they are in every `.htaccess`.
fn rewrites(out: &mut String, rules: &Rules<'_>) {
    let relative = |path: &str| literal(path.trim_start_matches('/'));
    let base = if rules.edition.site.base.path().is_ascii() { literal(rules.edition.site.base.path()) } else { format!("{URL_PATH}*") };
    out.push_str("\nRewriteEngine On\n");
    out.push_str("RewriteCond %{REQUEST_METHOD} =OPTIONS\nRewriteRule ^ - [R=204,L]\n");
    out.push_str("RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$\nRewriteRule ^ - [R=405,L]\n");
    let hidden: Vec<String> = HIDDEN.iter().map(|path| relative(path)).collect();
    let _ = writeln!(out, "RewriteRule {} - [R=404,L]", pattern(&format!("^(?:{}|{}.*)$", hidden.join("|"), relative(super::PREFIX))));
    for (old, url) in &rules.moved {
        let _ =
            writeln!(out, "RewriteRule {} {} [R=301,L,NE]", pattern(&format!("^{}$", relative(old))), pattern(&safe_url(url).replace('%', r"\%")));
    }
    for gone in &rules.gone {
        let _ = writeln!(out, "RewriteRule {} - [G]", pattern(&format!("^{}$", relative(gone))));
    }
    out.push_str("RewriteRule \"^$\" \"index.html\"\n");
    let _ = writeln!(out, "RewriteCond %{{REQUEST_FILENAME}} -d\nRewriteRule \"^.+$\" - [R=404,L]");
    let _ = writeln!(out, "RewriteCond %{{THE_REQUEST}} {}", pattern(&format!(r"^\S+ ({base}/{URL_PATH}*)\.(?:html|md)[? ]")));
    out.push_str("RewriteRule ^ - [E=DIGLOT_PAGE:%1]\n");
    // Of a `.md` address even the page that says "not found" is Markdown.
    let _ = writeln!(out, "RewriteCond %{{THE_REQUEST}} {} [OR]", pattern(r"^\S+ [^? ]*\.md[? ]"));
    let _ = writeln!(out, "RewriteCond %{{HTTP:Accept}} {} [NC]", pattern(PREFERS_MARKDOWN));
    out.push_str("RewriteCond %{REQUEST_FILENAME} \"^(.*)\\.html$\"\nRewriteCond \"%1.md\" -f\nRewriteRule \"^(.*)\\.html$\" \"$1.md\" [B=%?,END]\n");
}

fn headers(out: &mut String, rules: &Rules<'_>) {
    let site = &rules.edition.site;
    out.push_str("\n# Other modules' words on caching would stand beside these.\nHeader unset Vary\n");
    for (field, value) in &rules.everywhere {
        let _ = writeln!(out, "Header always set {field} {}", quote(value));
    }
    let base = literal(site.base.path());
    let uri = |pattern: &str| format!("%{{REQUEST_URI}} =~ m#^{base}{pattern}#");
    class(out, "%{REQUEST_URI} =~ m#^/#", &rules.document);
    class(out, &uri(ASSETS), &rules.asset);
    class(out, &uri(r"/.*\.html$"), &rules.html);
    class(out, &uri(r"/.*\.md$"), &rules.markdown);
    links(out, rules);
    for (path, fields) in &rules.exceptions {
        exception(out, rules, path, fields);
    }
    negotiated(out, rules);
    for (statuses, row) in [("'301', '308'", Row::Redirect), ("'400', '403', '405', '412', '414', '416', '500', '503'", Row::Refused)] {
        let when = format!("expr=%{{REQUEST_STATUS}} -in {{ {statuses} }}");
        set(out, "Cache-Control", &row.cache_control(site), &when);
        out.push_str(&format!("Header always unset Vary {}\n", quote(&when)));
    }
    set(out, "Allow", policy::ALLOW, "expr=%{REQUEST_STATUS} -in { '204', '405' }");
    for (field, value) in policy::PREFLIGHT {
        set(out, field, value, "expr=%{REQUEST_STATUS} -in { '204' }");
    }
    let absent = "%{REQUEST_STATUS} -in { '404', '410' }";
    let _ = writeln!(out, "Header unset Last-Modified \"expr={absent}\"\nHeader unset ETag \"expr={absent}\"");
    set(out, "Vary", Row::Absent.vary().unwrap_or_default(), &format!("expr={absent}"));
    set(out, "Cache-Control", &Row::AbsentHtml.cache_control(site), &format!("expr={absent}"));
    set(out, "Cache-Control", &Row::Absent.cache_control(site), &format!(r"expr={absent} && %{{REQUEST_URI}} =~ m#\.md$#"));
}

fn class(out: &mut String, condition: &str, fields: &Fields) {
    let when = format!("expr={condition}");
    set(out, "Cache-Control", &fields.cache_control, &when);
    set(out, "Vary", fields.vary, &when);
    if let Some(disposition) = fields.disposition {
        set(out, "Content-Disposition", disposition, &when);
    }
}

/// `Link` by the address as it was asked for, which is encoded already.
fn links(out: &mut String, rules: &Rules<'_>) {
    for (fields, suffix) in [(&rules.html, "html"), (&rules.markdown, "md")] {
        if let Some(link) = &fields.link {
            let when = format!(r"expr={FOUND} && -n reqenv('DIGLOT_PAGE') && %{{REQUEST_URI}} =~ m#\.{suffix}$#");
            let _ =
                writeln!(out, "Header always set Link {} {}", quote(&percent(&link.with("\u{2}")).replace('\u{2}', "%{DIGLOT_PAGE}e")), quote(&when));
        }
    }
}

fn exception(out: &mut String, rules: &Rules<'_>, path: &str, fields: &Fields) {
    let predicted = rules.predicted(path);
    let when = format!("expr={FOUND} && %{{REQUEST_URI}} == {}", text(&rules.path(path)));
    if (&predicted.cache_control, predicted.vary) != (&fields.cache_control, fields.vary) {
        set(out, "Cache-Control", &fields.cache_control, &when);
        set(out, "Vary", fields.vary, &when);
    }
    match fields.disposition {
        Some(disposition) if predicted.disposition.is_none() => set(out, "Content-Disposition", disposition, &when),
        None if predicted.disposition.is_some() => out.push_str(&format!("Header always unset Content-Disposition {}\n", quote(&when))),
        _ => {}
    }
    match &fields.link {
        _ if fields.link == predicted.link => {}
        Some(link) => {
            let page = encoded(rules, path);
            let page = page.rsplit_once('.').map_or(page.as_str(), |(page, _)| page);
            set(out, "Link", &safe_url(&link.with(page)), &when);
        }
        None => out.push_str(&format!("Header always unset Link {}\n", quote(&when))),
    }
}

/// Markdown at a `.html` address: kept by nobody, told by no date.
fn negotiated(out: &mut String, rules: &Rules<'_>) {
    let (row, when) = (Row::NegotiatedMarkdown, format!("expr={NEGOTIATED}"));
    set(out, "Cache-Control", &row.cache_control(&rules.edition.site), &when);
    set(out, "Vary", row.vary().unwrap_or_default(), &when);
    let found = format!("expr={FOUND} && {NEGOTIATED}");
    let page = format!("{found} && -n reqenv('REDIRECT_DIGLOT_PAGE')");
    let _ = writeln!(out, "Header always set Content-Location \"%{{REDIRECT_DIGLOT_PAGE}}e.md\" {}", quote(&page));
    if let Some(link) = &rules.markdown.link {
        let value = percent(&link.with("\u{2}")).replace('\u{2}', "%{REDIRECT_DIGLOT_PAGE}e");
        // The home page has a `Link` of its own.
        let page = format!("{page} && %{{REQUEST_URI}} != {}", text(&rules.path("/index.md")));
        let _ = writeln!(out, "Header always set Link {} {}", quote(&value), quote(&page));
    }
    let home = format!("{found} && %{{REQUEST_URI}} == {}", text(&rules.path("/index.md")));
    set(out, "Content-Location", &encoded(rules, "/index.md"), &home);
    let _ = writeln!(out, "Header unset Last-Modified {0}\nRequestHeader unset If-Modified-Since {0}", quote(&when));
}

fn set(out: &mut String, field: &str, value: &str, when: &str) {
    let _ = writeln!(out, "Header always set {field} {} {}", quote(&percent(value)), quote(when));
}

/// A value in which `%` begins no format.
fn percent(value: &str) -> String {
    value.replace('%', "%%")
}

/// An argument of a directive.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// An argument of mod_rewrite, which reads its lines by itself and takes no backslash away.
fn pattern(text: &str) -> String {
    format!("\"{}\"", text.replace('"', r"\x22"))
}

/// A string inside an expression.
fn text(value: &str) -> String {
    format!("'{}'", value.replace('\\', r"\\").replace('\'', r"\'"))
}
