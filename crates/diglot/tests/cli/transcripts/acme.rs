//! What `serve --acme` says about wrong usage.

use super::{ARTICLE, check};
use crate::cli::Desk;

#[test]
fn transcripts_of_certificates_from_an_authority() {
    let desk = Desk::with(&[("site/articles/first.md", ARTICLE), ("none.pem", "")]);
    let serve = "serve site --listen 127.0.0.1:0 --acme you@example.org";
    let commands = [
        "--no-state",
        "--no-state --domain example.org",
        "--domain example.org --acme-challenge http-01",
        "--domain example.org --acme-challenge dns-01",
        "--domain example.org --acme-ca no.pem",
        "--domain example.org --acme-ca none.pem",
        "--domain *.example.org",
        "--domain https://example.org",
        "--domain example.org --tls-cert x.pem --tls-key x.pem",
        "--domain example.org --drafts",
        "--domain example.org --acme-directory example.org",
    ];
    let commands = commands.map(|args| format!("{serve} {args}"));
    check("acme.txt", &desk, &commands.each_ref().map(String::as_str));
}
