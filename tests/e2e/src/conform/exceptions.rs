//! Findings of judges that Diglot accepts, each with its reason. Keep the list short.

/// An accepted finding.
struct Exception {
    judge: &'static str,
    /// The site it applies to; empty: every site.
    site: &'static str,
    /// The finding begins with one of these.
    beginnings: &'static [&'static str],
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        judge: "REDbot",
        site: "",
        beginnings: &["STORE_PUBLIC_UNNECESSARY"],
        reason: "`public` says in words what the cache rule promises; caches in front of Diglot are meant to keep pages",
    },
    Exception {
        judge: "httplint",
        site: "",
        beginnings: &["STORE_PUBLIC_UNNECESSARY"],
        reason: "as for REDbot",
    },
    Exception {
        judge: "httplint",
        site: "",
        beginnings: &["FRESHNESS_NO_CACHE_NO_VALIDATOR WARN GET /no/such/page.html"],
        reason: "no cache keeps a 404 in Markdown or JSON, so it has nothing to validate; its HTML may be kept for a minute",
    },
    Exception {
        judge: "httplint",
        site: "",
        beginnings: &["STATUS_BAD_REQUEST WARN GET /%zz"],
        reason: "what the judge asks for is not an address, and the answer says so",
    },
    Exception {
        judge: "httplint",
        site: "",
        beginnings: &["CORS_PREFLIGHT_ONLY BAD OPTIONS"],
        reason: "every OPTIONS has one answer, which static hosts can give as well; browsers heed these fields in a preflight alone",
    },
    Exception {
        judge: "Nu HTML checker",
        site: "",
        beginnings: &[
            "info Potentially bad value “allow-scripts allow-same-origin” for attribute “sandbox” on element “iframe”",
        ],
        reason: "only frames of other origins have both: players need their own origin, and cannot reach the page's",
    },
    Exception {
        judge: "markdownlint",
        site: "18f-mini",
        beginnings: &["MD026/", "MD028/", "MD036/", "MD038/", "MD045/", "MD059/"],
        reason: "the authors' own: headings that end in `!`, two quotations in a row, bold lines, a space in code, pictures without words, \
                 links called `here`; a twin says what its page says",
    },
];

/// Whether a finding is accepted.
pub fn excused(judge: &str, site: &str, failure: &str) -> bool {
    let stands = |exception: &&Exception| {
        exception.judge == judge
            && (exception.site.is_empty() || exception.site == site)
            && exception
                .beginnings
                .iter()
                .any(|beginning| failure.starts_with(beginning))
    };
    EXCEPTIONS.iter().any(|exception| stands(&exception))
}

/// The list as table rows, for the documentation.
#[cfg(test)]
pub fn rows() -> Vec<String> {
    let row = |Exception {
                   judge,
                   site,
                   beginnings,
                   reason,
               }: &Exception| {
        let site = if site.is_empty() {
            String::new()
        } else {
            format!(" on {site}")
        };
        let says: Vec<String> = beginnings
            .iter()
            .map(|beginning| format!("`{}`", beginning.trim_end_matches('/')))
            .collect();
        format!("| {judge}{site} | {} | {reason} |", says.join(", "))
    };
    EXCEPTIONS.iter().map(row).collect()
}

/// Prints the list.
pub fn print() {
    println!("excused:");
    for Exception {
        judge,
        site,
        beginnings,
        reason,
    } in EXCEPTIONS
    {
        let site = if site.is_empty() {
            String::new()
        } else {
            format!(" on {site}")
        };
        println!("  {judge}{site}: {}: {reason}", beginnings.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_for_one_judge_and_one_site() {
        assert!(excused(
            "markdownlint",
            "18f-mini",
            "MD026/no-trailing-punctuation http://x"
        ));
        assert!(!excused(
            "markdownlint",
            "field-notes",
            "MD026/no-trailing-punctuation http://x"
        ));
        assert!(!excused(
            "mdformat",
            "18f-mini",
            "MD026/no-trailing-punctuation http://x"
        ));
        assert!(!excused(
            "markdownlint",
            "18f-mini",
            "MD001/heading-increment http://x"
        ));
    }
}
