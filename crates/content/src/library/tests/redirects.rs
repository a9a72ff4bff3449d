//! Redirects that the owner wrote, old addresses of feeds, links to a larger site.

use super::*;

/// Each redirect as `address: target`, with its rank, then each problem.
fn redirects(files: &[(&str, &str)], settings: &str, expected: &[&str]) {
    let (settings, wrong) = crate::syntax::settings::Settings::parse(settings, "diglot.toml");
    assert_eq!(wrong, []);
    let base = BaseUrl::parse("https://example.org").unwrap();
    let site = settings.into_site("Folder", base).unwrap();
    let library = Library::build(&sources(files), &site, NOW.parse().unwrap());
    let shown = |(old, redirect): (&_, &Redirect)| match &redirect.place {
        Some(place) => format!("{old}: {redirect} ({place})"),
        None => format!("{old}: {redirect}"),
    };
    let found = library.redirects.iter().map(shown);
    let problems = library
        .problems
        .iter()
        .map(|problem| problem.to_string().replace("\n  ", " | "));
    let all: Vec<String> = found.chain(problems).collect();
    assert_eq!(all, expected, "{files:?}");
}

#[test]
fn rule_46_redirects_lead_to_the_texts_of_today() {
    redirects(
        &[
            (
                "_redirects",
                "/a /b\n/b /new\n/c /about#team\n/d https://example.net/x\n/e https://example.org/new.html\n/f /nowhere\n/g /h\n/h /g\n/i /hidden\n/articles/new /about\n/x\\y /new\n/.htaccess /new\n/feed.rss /rss.xml\n/pic /img/p.png\n/articles/%6Eew/ /about\n/%67 /%67/\n",
            ),
            ("posts/new.md", "N."),
            ("posts/hidden.md", "---\ndraft: true\n---\nH."),
            ("about.md", "A."),
            ("static/img/p.png", "x"),
        ],
        "",
        &[
            "/.htaccess: /articles/new (_redirects:12:1)",
            "/a: /articles/new (_redirects:1:1)",
            "/b: /articles/new (_redirects:2:1)",
            "/c: /about#team (_redirects:3:1)",
            "/d: https://example.net/x (_redirects:4:1)",
            "/e: /articles/new (_redirects:5:1)",
            "/feed.rss: /rss.xml (_redirects:13:1)",
            "/pic: /img/p.png (_redirects:14:1)",
            "/posts/new: /articles/new",
            "_redirects:6:1: warning: the target of the redirect does not exist: `/nowhere` | hint: write the path of a page or a URL",
            "_redirects:7:1: warning: the redirect of `/g` leads in a circle",
            "_redirects:8:1: warning: the redirect of `/h` leads in a circle",
            "_redirects:9:1: warning: the redirect leads to `posts/hidden.md`, which is not published: draft",
            "_redirects:10:1: warning: the redirect is not taken over: `/articles/new` is an address of `/articles/new`",
            "_redirects:11:1: the old address `/x\\\\y` is not published: it holds a `\\` | hint: write a plain path such as `/2019/first/`, or a URL without it",
            "_redirects:15:1: warning: the redirect is not taken over: `/articles/%6Eew/` is an address of `/articles/new`",
            "_redirects:16:1: warning: the redirect of `/%67` leads in a circle",
        ],
    );
}

#[test]
fn rule_46_a_redirect_of_a_text_is_followed_through_others() {
    redirects(
        &[
            ("_redirects", "/c /old2.html\n/net https://example.net/x\n"),
            ("articles/b.md", "---\nredirect_from: /former/\n---\nB."),
            ("old.md", "---\nredirect_to: /articles/b.html\n---\n"),
            ("old2.md", "---\nredirect_to: /old.html#part\n---\n"),
            ("old3.md", "---\nredirect_to: /former/\n---\n"),
            ("old4.md", "---\nredirect_to: /net\n---\n"),
            ("one.md", "---\nredirect_to: /two\n---\n"),
            ("two.md", "---\nredirect_to: /one\n---\n"),
        ],
        "",
        &[
            "/c: /articles/b#part (_redirects:1:1)",
            "/former/: /articles/b (articles/b.md:2:16)",
            "/net: https://example.net/x (_redirects:2:1)",
            "/old: /articles/b (old.md:2:14)",
            "/old.html: /articles/b (old.md:2:14)",
            "/old2: /articles/b#part (old2.md:2:14)",
            "/old2.html: /articles/b#part (old2.md:2:14)",
            "/old3: /articles/b (old3.md:2:14)",
            "/old3.html: /articles/b (old3.md:2:14)",
            "/old4: https://example.net/x (old4.md:2:14)",
            "/old4.html: https://example.net/x (old4.md:2:14)",
            "one.md:2:14: warning: the redirect of `/one` leads in a circle",
            "two.md:2:14: warning: the redirect of `/two` leads in a circle",
        ],
    );
}

#[test]
fn rule_46_patterns_become_the_addresses_of_the_texts() {
    redirects(
        &[
            (
                "netlify.toml",
                "[[redirects]]\nfrom = '/old/*'\nto = '/articles/:splat'\n[[redirects]]\nfrom = '/n/:year/:slug/'\nto = '/articles/:year/:slug.html'\n[[redirects]]\nfrom = '/gone/*'\nto = '/about'\n[[redirects]]\nfrom = '/old/b'\nto = '/about'\n[[redirects]]\nfrom = '/w/*'\nto = 'https://example.net/:splat'\n",
            ),
            ("articles/a.md", "A."),
            ("articles/b.md", "B."),
            ("articles/2019/c.md", "C."),
            ("about.md", "A."),
        ],
        "",
        &[
            "/gone/: /about",
            "/n/2019/c/: /articles/2019/c",
            "/old/2019/c: /articles/2019/c",
            "/old/a: /articles/a",
            "/old/b: /about (netlify.toml:11:8)",
            "netlify.toml:8:8: warning: 2 of the redirects are patterns that lead to one page or to another site: only the address without the pattern is taken over",
        ],
    );
}

#[test]
fn rule_46_redirects_between_texts() {
    redirects(
        &[
            (
                "mkdocs.yml",
                "site_name: M\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: new.md#x\n        deep/index.md: new.md\n        new.md: other.md\n        a.md: gone.md\n",
            ),
            ("docs/new.md", "N."),
            ("docs/other.md", "O."),
        ],
        "",
        &[
            "/deep: /articles/new (mkdocs.yml:6:9)",
            "/deep.html: /articles/new",
            "/new/: /articles/new",
            "/old: /articles/new#x (mkdocs.yml:5:9)",
            "/old.html: /articles/new#x",
            "/other/: /articles/other",
            "mkdocs.yml:8:9: warning: the target of the redirect does not exist: `/gone.md` | hint: write the path of a page or a URL",
        ],
    );
    redirects(
        &[
            (
                ".openpublishing.redirection.json",
                "{\"redirections\": [{\"source_path\": \"docs/old.md\", \"redirect_url\": \"/suite/new\"}, {\"source_path\": \"docs/far.md\", \"redirect_url\": \"/other/x\"}]}",
            ),
            ("docfx.json", "{}"),
            ("docs/new.md", "N [far](/other/y?z#q), [gone](/suite/gone)."),
        ],
        "[links]\norigin = 'https://learn.example'\nprefix = 'suite/'\n",
        &[
            "/docs/far: https://learn.example/other/x (.openpublishing.redirection.json:1:97)",
            "/docs/far.html: https://learn.example/other/x",
            "/docs/new.html: /articles/new",
            "/docs/old: /articles/new (.openpublishing.redirection.json:1:35)",
            "/docs/old.html: /articles/new",
            "/suite/docs/far: https://learn.example/other/x",
            "/suite/docs/far.html: https://learn.example/other/x",
            "/suite/docs/new.html: /articles/new",
            "/suite/docs/old: /articles/new",
            "/suite/docs/old.html: /articles/new",
            "docs/new.md:1:24: warning: broken link: `/suite/gone`",
        ],
    );
}

#[test]
fn rule_49_links_to_the_rest_of_a_larger_site() {
    let files = [(
        "a.md",
        "[A](/windows/x) ![B](/windows/y.png) [C](b) [D](//e.org/x)",
    )];
    let library = |settings: &str| {
        let (settings, _) = crate::syntax::settings::Settings::parse(settings, "diglot.toml");
        let base = BaseUrl::parse("https://example.org").unwrap();
        let site = settings.into_site("Folder", base).unwrap();
        Library::build(&sources(&files), &site, NOW.parse().unwrap())
    };
    let told = |library: &Library| -> Vec<String> {
        let problems = library.problems.iter();
        problems
            .map(|problem| problem.to_string().replace("\n  ", " | "))
            .collect()
    };
    let with = library("[links]\norigin = 'https://learn.example'");
    assert_eq!(
        with.articles[0].targets[0],
        Target::Url("https://learn.example/windows/x".to_owned())
    );
    let (picture, link) = (
        "a.md:1:17: warning: missing image or file: `/windows/y.png`",
        "a.md:1:38: warning: broken link: `b`",
    );
    assert_eq!(told(&with), [picture, link]);
    assert_eq!(
        told(&library("")),
        [
            "a.md:1:1: warning: broken link: `/windows/x` | hint: if this folder is part of a larger site, set `links.origin` to the address of that site",
            picture,
            link
        ]
    );
}

#[test]
fn issue_26_a_moved_site_keeps_its_addresses_and_ids() {
    let moved = "[redirects]\n\"/2020/a/\" = \"/articles/a.html\"\n[ids]\n\"articles/a.md\" = \"tag:old,1\"\n\"articles/b.md\" = \"tag:old,2\"\n\"articles/c.md\" = \"tag:old,3\"\n";
    let files = [
        ("migration.toml", moved),
        ("articles/a.md", "A."),
        ("articles/b.md", "---\nguid: own\n---\nB."),
    ];
    let library = build(&files);
    let ids: Vec<_> = library.articles.iter().map(|it| it.guid.clone()).collect();
    assert_eq!(ids, [Some("tag:old,1".into()), Some("own".into())]);
    assert!(library.files.is_empty(), "the file is not published");
    assert_ne!(
        library.articles[0].digest,
        build(&files[1..]).articles[0].digest,
        "the feed is written again"
    );
    redirects(
        &files,
        "",
        &[
            "/2020/a/: /articles/a (migration.toml:2:1)",
            "migration.toml:6:1: warning: no article is in `articles/c.md`, so its id is in no feed | hint: write the path of the file from the root of the folder, or delete the line",
        ],
    );
}

#[test]
fn rule_46_an_address_of_a_list_is_answered_where_the_owner_says_so() {
    redirects(
        &[
            ("hugo.toml", "title = 'T'\n"),
            ("content/posts/a.md", "A."),
            (
                "_redirects",
                "/posts/ /articles/index.html\n/articles/index /articles/index.html\n",
            ),
        ],
        "",
        &[
            "/posts/: /articles/index (_redirects:1:1)",
            "/posts/a/: /articles/a",
            "/posts/index.xml: /rss.xml",
        ],
    );
}

#[test]
fn rule_46_a_redirect_to_another_form_of_its_address_goes_on_with_the_rule_of_that_form() {
    redirects(
        &[
            (
                "_redirects",
                "/foo.html /foo/\n/foo/ /bar\n/one /one/\n/one/ https://x.example/y\n/dir/index.html /dir/\n/dir/ /bar\n/c.html /c/\n/c/ /c.html\n",
            ),
            ("posts/bar.md", "B."),
        ],
        "",
        &[
            "/dir/: /articles/bar (_redirects:6:1)",
            "/dir/index.html: /articles/bar (_redirects:5:1)",
            "/foo.html: /articles/bar (_redirects:1:1)",
            "/foo/: /articles/bar (_redirects:2:1)",
            "/one: https://x.example/y (_redirects:3:1)",
            "/one/: https://x.example/y (_redirects:4:1)",
            "/posts/bar: /articles/bar",
            "_redirects:7:1: warning: the redirect of `/c.html` leads in a circle",
            "_redirects:8:1: warning: the redirect of `/c/` leads in a circle",
        ],
    );
}

#[test]
fn rule_46_every_form_of_an_address_that_the_owner_wrote_is_kept() {
    let library = build(&[
        (
            "_redirects",
            "/foo.html /foo/ 301\n/foo/ /bar 301\n/z /bar 301\n/z.html /z 301\n/q /bar 301\n/q/ /bar 301\n/articles/bar.html /bar 301\n",
        ),
        ("articles/bar.md", "# Bar\n\nwords"),
        ("bar.md", "# B\n\nwords"),
    ]);
    let written = library.redirects.iter();
    let written = written.filter(|(_, redirect)| redirect.written.is_some());
    let shown = written.map(|(old, new)| format!("{old} {new}"));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "/foo.html /bar",
            "/foo/ /bar",
            "/q /bar",
            "/z /bar",
            "/z.html /bar"
        ]
    );
}
