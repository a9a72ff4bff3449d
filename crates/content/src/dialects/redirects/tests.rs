use super::*;
use crate::dialects::Kind;
use crate::model::sources::{ChangeOrigin, FileDates, Sources};

fn sources(files: &[(&str, &str)]) -> Sources {
    let mut files: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).into(),
            bytes: (*text).to_owned().into(),
            dates: FileDates {
                created: None,
                changed: jiff::Timestamp::UNIX_EPOCH,
                origin: ChangeOrigin::Git,
            },
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Sources {
        files,
        ..Sources::default()
    }
}

/// Each redirect as `line:column from to`, then each problem.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let sources = sources(files);
    let evidence = Evidence::new(&sources);
    let kind = Kind::detect(&evidence, None);
    let found = Rules::collect(&evidence, (kind.dialect.redirects, &[]), &["docs"]);
    let rules = found.rules.iter().map(|rule| {
        let SourceLocation { line, column, .. } = rule.place;
        format!("{line}:{column} {} {}", rule.from, rule.to)
    });
    let problems = found.problems.iter().map(|problem| {
        let place = problem.place.as_ref().unwrap();
        format!("{place}: {}", problem.message)
    });
    let all: Vec<String> = rules.chain(problems).collect();
    assert_eq!(all, expected, "{files:?}");
}

#[test]
fn rule_46_redirects_in_lines() {
    check(
        &[
            (
                "static/_redirects",
                "# moved\n/old /new\n  /a/* /b/:splat 302\n/news/:year/:slug /blog/:slug 301!  # x\n/* /index.html 200\n/p id=:id /q/:id 301\nhttps://old.example/x https://new.example/y\n/x /y 301 Country=de\n/half\n",
            ),
            ("docs/deep/er/folder/_redirects", "/no /no\n"),
            (
                ".htaccess",
                "Redirect 301 /e.html /f\nRedirectPermanent \"/g\" https://example.net/\nRedirectMatch ^/x$ /y\nRedirect gone /z\nOptions -Indexes\nRedirect /h /i\n",
            ),
        ],
        &[
            "2:1 /old /new",
            "3:3 /a/:splat* /b/:splat*",
            "4:1 /news/:year/:slug /blog/:slug",
            "7:1 /x https://new.example/y",
            "1:1 /e.html /f",
            "2:1 /g https://example.net/",
            "6:1 /h /i",
            "static/_redirects:6:1: the redirect is not taken over: it depends on more than the path, and 2 others of this file",
            ".htaccess:3:1: the redirect is not taken over: its pattern is more than names and `*`",
        ],
    );
}

#[test]
fn rule_46_redirects_of_hosts_in_lists() {
    check(
        &[
            (
                "vercel.json",
                r#"{"redirects": [
  {"source": "/a", "destination": "/b#c", "permanent": true},
  {"source": "/o/:path*", "destination": "/n/:path*"},
  {"source": "/w/(.*)", "destination": "/v/$1"},
  {"source": "/:v(\\d+)/x", "destination": "/x"},
  {"source": "/h", "destination": "/i", "has": [{"type": "host", "value": "x"}]}
]}"#,
            ),
            (
                "netlify.toml",
                "[build]\npublish = 'x'\n\n[[redirects]]\nfrom = '/t/*'\nto = '/u/:splat'\n\n[[redirects]]\nfrom = '/*'\nto = '/404.html'\nstatus = 404\n",
            ),
            (
                "firebase.json",
                r#"{"hosting": [{"redirects": [{"source": "/f", "destination": "/g", "type": 301}, {"source": "/x/**", "destination": "/y", "type": 301}]}]}"#,
            ),
        ],
        &[
            "2:14 /a /b#c",
            "3:14 /o/:path* /n/:path*",
            "4:14 /w/:1* /v/:1*",
            "1:40 /f /g",
            "5:8 /t/:splat* /u/:splat*",
            "vercel.json:5:14: the redirect is not taken over: its pattern is more than names and `*`, and one other of this file",
            "firebase.json:1:92: the redirect is not taken over: its pattern is more than names and `*`",
        ],
    );
}

#[test]
fn rule_46_redirects_of_generators() {
    check(
        &[
            (
                "book.toml",
                "[book]\ntitle = 'B'\n\n[output.html.redirect]\n\"/a/b.html\" = \"../c.html#d\"\n\"/e.html\" = \"https://example.net/\"\n\"/f.html#g\" = \"h.html\"\n",
            ),
            ("src/SUMMARY.md", "- [A](a.md)\n"),
        ],
        &[
            "5:1 /a/b.html /c.html#d",
            "6:1 /e.html https://example.net/",
            "book.toml:7:1: the redirect is not taken over: servers do not see fragments",
        ],
    );
    check(
        &[
            ("docfx.json", "{}"),
            (
                ".openpublishing.redirection.json",
                "{\"redirections\": [\n{\"source_path\": \"docs/old.md\", \"redirect_url\": \"/site/new\", \"redirect_document_id\": false},\n{\"source_path_from_root\": \"/docs/b.md\", \"redirect_url\": \"c\"}\n]}",
            ),
        ],
        &["2:17 docs/old.md /site/new", "3:27 docs/b.md /docs/c"],
    );
    check(
        &[(
            ".gitbook.yaml",
            "root: ./\nredirects:\n  previous/page: new/page.md\n",
        )],
        &["3:3 /previous/page /new/page.md"],
    );
    check(
        &[(
            "mkdocs.yml",
            "site_name: M\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old.md: new.md#x\n        'deep/a.md': https://example.net\n",
        )],
        &["6:9 old.md /new.md#x", "7:9 deep/a.md https://example.net"],
    );
    check(
        &[(
            "docusaurus.config.js",
            "// redirects: [{from: '/no', to: '/no'}]\nexport default { plugins: [['@docusaurus/plugin-client-redirects', {\n  redirects: [\n    { to: '/docs/x', from: ['/a', \"/b\"] }, // one\n    { from: `/${c}`, to: '/d' },\n    ...more.map((x) => ({ from: x, to: '/y' })),\n  ],\n  createRedirects(path) { return [path + '/old']; },\n}]], maxRedirects: 3 };\n",
        )],
        &[
            "4:29 /a /docs/x",
            "4:35 /b /docs/x",
            "docusaurus.config.js:5:13: the redirect is not taken over: its old address is computed, and one other of this file",
        ],
    );
    check(
        &[(
            "astro.config.mjs",
            "export default defineConfig({ redirects: {\n  '/old': '/new',\n  '/x': { status: 302, destination: '/y' },\n  '/b/[...slug]': '/c/[...slug]',\n} });\n",
        )],
        &["2:3 /old /new", "3:3 /x /y", "4:3 /b/:slug* /c/:slug*"],
    );
    check(
        &[(
            "next.config.mjs",
            "const nextConfig = {\n  async rewrites() { return [{ source: '/r', destination: '/s' }] },\n  async redirects() {\n    return [\n      { source: '/a', destination: '/b', permanent: true },\n    ];\n  },\n};\nconst oldRedirects: Redirect[] = [{ source: '/c', destination: '/d' }];\n",
        )],
        &["5:17 /a /b", "9:45 /c /d"],
    );
}

#[test]
fn names_of_redirects_are_words_quoted_keys_and_members() {
    check(
        &[(
            "next.config.js",
            "const quote = /[`'\"]/; // redirects: [{ source: '/no', destination: '/no' }]\nmodule.exports = {\n  \"redirects\": [{ source: '/a', destination: `/b` }],\n};\nmodule.exports.oldRedirects = [{ source: '/c', destination: '/d' }];\nconst text = 'redirects'; [{ source: '/no', destination: '/no' }];\n",
        )],
        &["3:27 /a /b", "5:42 /c /d"],
    );
}

#[test]
fn patterns_are_matched_and_filled() {
    let check = |from: &str, to: &str, address: &str, expected: Option<&str>| {
        let from = Pattern::from(from, Style::Splats).unwrap();
        let to = from.target(to, Style::Splats).unwrap();
        let filled = to
            .captures(address)
            .and_then(|captures| from.filled(&captures));
        assert_eq!(filled.as_deref(), expected, "{from} {to}");
    };
    check("/old/*", "/new/:splat", "/new/a/b", Some("/old/a/b"));
    check("/old/*", "/new/:splat", "/new/", Some("/old/"));
    check("/old/*", "/new/:splat", "/newer/a", None);
    check("/o/:a/:b", "/n/:b-:a", "/n/x-y", Some("/o/y/x"));
    check("/o/:a/:b", "/n/:b", "/n/x", None);
    check("/o/:a.html", "/n/:a", "/n/x/y", None);
}

proptest::proptest! {
    #[test]
    fn no_redirects_panic(text in "(redirects|: |=|\\(|\\)|=>|'|\"|`|\\{|\\}|\\[|\\]|,|\\$\\{|//|/\\*|\\*/|\n|é|\\\\| |/a|:x|\\*|301|from|to|source|destination){0,40}") {
        for name in ["_redirects", ".htaccess", "vercel.json", "netlify.toml", "next.config.js", ".gitbook.yaml"] {
            let sources = sources(&[(name, &text)]);
            Rules::collect(&Evidence::new(&sources), (&[], &[]), &[]);
        }
    }
}

#[test]
fn hostile_redirects_are_bounded() {
    for text in [
        "redirects{".repeat(20_000),
        "redirects: [".repeat(20_000),
        "redirects(".repeat(20_000),
        "redirects '".repeat(20_000),
        "redirects: `".repeat(20_000),
        format!("redirects: {}", "[".repeat(100_000)),
        "redirects /*".repeat(20_000),
    ] {
        let sources = sources(&[("next.config.js", &text)]);
        Rules::collect(&Evidence::new(&sources), (&[], &[]), &[]);
    }
}
