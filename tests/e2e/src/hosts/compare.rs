//! The same requests to two servers: Diglot, and a host with the exported configuration.

use std::path::Path;

use crate::wire::{self, Answer, ask};
use xtask::shell::files_below;

/// The result of a comparison.
#[derive(Default)]
pub struct Verdict {
    /// The number of answers.
    pub cases: usize,
    /// Where they differ.
    pub failures: Vec<String>,
    /// The score of the audit.
    pub audit: String,
}

/// Header fields that must be the same on a host as in Diglot.
pub const FIELDS: &[&str] = &[
    "content-type",
    "cache-control",
    "vary",
    "link",
    "content-disposition",
    "content-location",
    "content-signal",
    "content-usage",
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "access-control-allow-origin",
];

/// Paths that do not exist.
const NOWHERE: &[&str] = &[
    "/no-such-page",
    "/no-such-page.html",
    "/no-such-page.md",
    "/articles/no/such/page.html",
    "/_/no-such.css",
    "/_headers",
    "/_redirects",
    "/.assetsignore",
    "/.nojekyll",
    "/.diglot-hosts/Caddyfile",
];

/// Files at the top of an export that are for a host alone.
const HIDDEN: &[&str] = &[
    "_headers",
    "_redirects",
    ".htaccess",
    ".assetsignore",
    ".nojekyll",
];

/// Compares the answers of a host with those of a running Diglot, for every exported file and for
/// missing paths. `chooses` says whether the host can negotiate, and answer missing paths with more
/// than one page.
///
/// # Errors
/// A server does not answer, or the export cannot be read.
pub fn answers(
    site: &Path,
    base: &str,
    diglot: &str,
    host: &str,
    chooses: bool,
) -> Result<Verdict, String> {
    let mut asked = Comparison {
        diglot,
        host,
        chooses,
        verdict: Verdict::default(),
    };
    let paths = paths(site, base)?;
    for path in paths.iter().chain([&format!("{base}/")]) {
        asked.resource(path)?;
    }
    for path in NOWHERE {
        if !chooses {
            asked.same(&format!("{base}{path}"), &[], &["content-signal"], false)?;
            continue;
        }
        for accept in ["*/*", "text/markdown"] {
            asked.same(
                &format!("{base}{path}"),
                &[("accept", accept)],
                &["content-type", "cache-control", "vary", "content-signal"],
                false,
            )?;
        }
    }
    let page = paths
        .iter()
        .find(|path| path.ends_with(".html") && path.contains("/articles/"))
        .cloned()
        .unwrap_or_else(|| format!("{base}/"));
    for line in include_str!("../../../../crates/http/tests/vectors/accept.tsv")
        .lines()
        .filter(|line| !line.starts_with("# "))
    {
        let accept = line.split('\t').next().unwrap_or_default();
        asked.form(&page, accept)?;
        asked.form(&format!("{base}/"), accept)?;
    }
    Ok(asked.verdict)
}

/// The encoded paths of the exported files that readers can request.
///
/// # Errors
/// The export cannot be read.
pub fn paths(site: &Path, base: &str) -> Result<Vec<String>, String> {
    Ok(files_below(site)?
        .into_iter()
        .filter_map(|file| published(&file))
        .map(|path| format!("{base}{path}"))
        .collect())
}

/// The encoded path of an exported file; `None` for the host's own files: configuration, and files
/// compressed in advance.
fn published(file: &Path) -> Option<String> {
    let path = file.to_string_lossy().replace('\\', "/");
    let hosts_own = path.starts_with(".diglot") || HIDDEN.contains(&path.as_str());
    let coded = [".br", ".zst", ".gz"]
        .iter()
        .any(|suffix| path.ends_with(suffix));
    (!hosts_own && !coded).then(|| format!("/{}", wire::encode(&path)))
}

struct Comparison<'a> {
    diglot: &'a str,
    host: &'a str,
    /// Whether the host can negotiate.
    chooses: bool,
    verdict: Verdict,
}

impl Comparison<'_> {
    /// Requests one path as browsers, agents and old links do.
    fn resource(&mut self, path: &str) -> Result<(), String> {
        let served = ask("GET", self.diglot, path, &[])?;
        if matches!(served.status, 301 | 308) {
            return self.moved(path, &served);
        }
        self.same(path, &[], FIELDS, true)?;
        self.same(
            path,
            &[("accept-encoding", "gzip")],
            &["content-type", "cache-control", "vary", "link"],
            false,
        )?;
        if served
            .header("vary")
            .is_some_and(|vary| vary.contains("Accept,"))
            && self.chooses
        {
            let markdown = [
                ("accept", "text/markdown"),
                ("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT"),
            ];
            let answer = self.same(path, &markdown, FIELDS, true)?;
            self.expect(
                answer.header("last-modified").is_none(),
                path,
                "no `Last-Modified` on negotiated Markdown",
                &format!("{:?}", answer.header("last-modified")),
            );
        }
        let tag = self.hosted(path, &[])?.header("etag").unwrap_or_default();
        let again = self.hosted(path, &[("if-none-match", &tag)])?;
        self.expect(
            again.status == 304,
            path,
            "304 for its own entity tag",
            &again.status.to_string(),
        );
        Ok(())
    }

    /// An old address: it must lead to the same target, without a loop.
    fn moved(&mut self, path: &str, served: &Answer) -> Result<(), String> {
        let target = served.header("location").unwrap_or_default();
        let mut at = path.to_owned();
        for _ in 0..5 {
            let answer = ask("GET", self.host, &at, &[])?;
            // Cloudflare redirects from `&` to `%26`, which is the same address.
            let is_same = |at: &str| wire::decode(at) == wire::decode(path);
            let is_spelling =
                answer.status == 307 && answer.header("location").is_some_and(|to| is_same(&to));
            if answer.status != 301 && !is_spelling {
                // A stub page at the old address redirects by itself.
                let link = format!("url={}\"", target.replace('&', "&amp;"));
                let stub = is_same(&at) && String::from_utf8_lossy(&answer.body).contains(&link);
                self.expect(
                    answer.status == 200 && (at == target || stub),
                    path,
                    &format!("301 to {target}"),
                    &format!("{} at {at}", answer.status),
                );
                return Ok(());
            }
            let location = answer.header("location").unwrap_or_default();
            at = location
                .strip_prefix(&format!("http://{}", self.host))
                .unwrap_or(&location)
                .to_owned();
            if !at.starts_with('/') {
                self.expect(at == target, path, &target, &at);
                return Ok(());
            }
        }
        self.expect(
            false,
            path,
            &format!("301 to {target}"),
            "a circle of redirects",
        );
        Ok(())
    }

    /// The host's answer. Cloudflare redirects from `+` to `%2B`, which is the same address (RFC
    /// 3986 section 6.2.2): then the answer there.
    fn hosted(&self, path: &str, request: &[(&str, &str)]) -> Result<Answer, String> {
        let answer = ask("GET", self.host, path, request)?;
        match answer.header("location") {
            Some(location)
                if answer.status == 307 && wire::decode(&location) == wire::decode(path) =>
            {
                ask("GET", self.host, &location, request)
            }
            _ => Ok(answer),
        }
    }

    /// Sends one request to both; returns the host's answer.
    fn same(
        &mut self,
        path: &str,
        request: &[(&str, &str)],
        fields: &[&str],
        body: bool,
    ) -> Result<Answer, String> {
        let (served, hosted) = (
            ask("GET", self.diglot, path, request)?,
            self.hosted(path, request)?,
        );
        let place = format!("{path} {request:?}");
        self.expect(
            served.status == hosted.status,
            &place,
            &served.status.to_string(),
            &hosted.status.to_string(),
        );
        for field in fields {
            let (expected, came) = (list(served.header(field)), list(hosted.header(field)));
            // Cloudflare writes the requested address in `Link`, which is the one it redirected to.
            let one_address =
                !self.chooses && *field == "link" && wire::decode(&expected) == wire::decode(&came);
            self.expect(
                expected == came || one_address,
                &format!("{place} {field}"),
                &expected,
                &came,
            );
        }
        if body {
            self.expect(
                served.body == hosted.body,
                &place,
                &format!("the same {} bytes", served.body.len()),
                &format!("{} bytes", hosted.body.len()),
            );
        }
        Ok(hosted)
    }

    /// A host may answer HTML where Diglot answers Markdown, but not the reverse.
    fn form(&mut self, path: &str, accept: &str) -> Result<(), String> {
        let request: &[(&str, &str)] = if accept.is_empty() {
            &[]
        } else {
            &[("accept", accept)]
        };
        let media = |answer: Answer| answer.header("content-type").unwrap_or_default();
        let (served, hosted) = (
            media(ask("GET", self.diglot, path, request)?),
            media(ask("GET", self.host, path, request)?),
        );
        self.expect(
            hosted == served || hosted.starts_with("text/html"),
            &format!("{path} Accept: {accept}"),
            &served,
            &hosted,
        );
        Ok(())
    }

    fn expect(&mut self, holds: bool, place: &str, expected: &str, came: &str) {
        self.verdict.cases += 1;
        if !holds {
            self.verdict.failures.push(format!(
                "{place}\n  expected: {expected}\n  came:     {came}"
            ));
        }
    }
}

/// A field's value with one space after each comma: servers format lists differently.
fn list(value: Option<String>) -> String {
    value.map_or_else(
        || "none".to_owned(),
        |value| {
            value
                .split(',')
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(", ")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_readers_see_is_compared() {
        let check = |file: &str, expected: Option<&str>| {
            assert_eq!(published(Path::new(file)).as_deref(), expected)
        };
        check(
            "articles/größe & more.html",
            Some("/articles/gr%C3%B6%C3%9Fe%20&%20more.html"),
        );
        check(".well-known/api-catalog", Some("/.well-known/api-catalog"));
        check("rss.xml.gz", None);
        check(".diglot-hosts/Caddyfile", None);
        check("_headers", None);
    }
}
