use bytes::Bytes;
use jiff::Timestamp;

use super::*;

fn resources() -> Vec<Arc<Resource>> {
    let pages = [
        "/index",
        "/about",
        "/articles/index",
        "/articles/b",
        "/tags/x",
        "/größe",
        "/api",
        "/terms",
    ];
    let pages = pages
        .iter()
        .flat_map(|stem| [Form::Html, Form::Markdown].map(|form| Route::of_stem(stem, form)));
    let files =
        ["img/a.png", "docs.html/deep.txt", "blog/x.png"].map(|path| Route::File(path.into()));
    let routes = pages.chain(files).chain([
        Route::Rss,
        Route::ApiCatalog,
        Route::Asset("main.css".into()),
    ]);
    let mut resources: Vec<_> = routes
        .map(|route| {
            Arc::new(Resource::new(
                route,
                Bytes::from_static(b"x"),
                Timestamp::UNIX_EPOCH,
            ))
        })
        .collect();
    resources.sort_by(|one, other| one.path.cmp(&other.path));
    resources
}

/// The result for old addresses with one target: those kept, and the problems of the others.
fn settled(addresses: &[&str], to: &str) -> (Vec<String>, Vec<String>) {
    let to = Destination::parse(to).unwrap();
    let redirect = |line| Redirect {
        to: to.clone(),
        written: Some("../none/".into()),
        place: Some(SourceLocation {
            path: "a.md".into(),
            line,
            column: 3,
        }),
        rank: Rank::Written,
    };
    let redirects = addresses
        .iter()
        .zip(1..)
        .map(|(address, line)| {
            (
                OldAddress::new((*address).to_owned()).unwrap(),
                redirect(line),
            )
        })
        .collect();
    let resources = resources();
    let taken = Taken::new(&resources);
    let (kept, problems) = settle(&redirects, &BTreeMap::new(), &resources, &taken);
    (
        kept.keys().map(ToString::to_string).collect(),
        problems
            .iter()
            .map(|problem| problem.to_string().lines().next().unwrap().to_owned())
            .collect(),
    )
}

#[test]
fn an_old_address_takes_nothing_s_place() {
    let check = |address: &str, reason: &str| {
        let expected = format!("a.md:1:3: the old address `{address}` is not published: {reason}");
        assert_eq!(settled(&[address], "/about"), (vec![], vec![expected]));
    };
    for host in [
        "/_headers",
        "/_redirects",
        "/.htaccess",
        "/.assetsignore",
        "/.nojekyll",
        "/.diglot",
        "/.diglot-hosts",
    ] {
        check(
            host,
            &format!("`{host}` is reserved for Diglot and for hosts"),
        );
        check(
            &format!("{host}/"),
            &format!("`{host}` is reserved for Diglot and for hosts"),
        );
        check(
            &format!("{host}/x"),
            &format!("`{host}` is reserved for Diglot and for hosts"),
        );
    }
    check(
        "/.HTACCESS",
        "`/.htaccess` is reserved for Diglot and for hosts",
    );
    check(
        "/deep/.htaccess/",
        "`/deep/.htaccess` is reserved for Diglot and for hosts",
    );
    check(
        "/.diglot-wrangler.jsonc",
        "`/.diglot-wrangler.jsonc` is reserved for Diglot and for hosts",
    );
    check("/_/main.css", "`/_` is reserved for Diglot and for hosts");
    check("/_", "`/_` is reserved for Diglot and for hosts");
    check(
        "/.well-known/acme-challenge/x",
        "`/.well-known` is reserved for Diglot and for hosts",
    );
    check("/index.html/x", "`/index.html` is a file of the site");
    check("/rss.xml/", "`/rss.xml` is published already");
    check("/RSS.xml", "`/RSS.xml` is published already");
    check("/rss.xml.gz", "`/rss.xml.gz` is published already");
    check("/rss.xml.br/", "`/rss.xml.br` is published already");
    check("/status.json/x", "`/status.json` is a file of the site");
    check(
        "/articles/b.html/old",
        "`/articles/b.html` is a file of the site",
    );
    check(
        "/articles/B.HTML/old",
        "`/articles/B.HTML` is a file of the site",
    );
    check(
        "/gro\u{308}ße.md/old",
        "`/gro\u{308}ße.md` is a file of the site",
    );
    check("/docs.html", "`/docs.html` is a folder of the site");
    check("/articles/", "`/articles/index.html` is published already");
    check("/tags/x/", "it is the address of `/tags/x.html`");
    check(
        "/Articles/B.html",
        "`/Articles/B.html` is published already",
    );
}

#[test]
fn rule_46_an_export_has_stubs_for_what_authors_wrote_and_one_more_for_each_text() {
    let stub = |rank, old: &str| {
        let to = Destination::parse("/about").unwrap();
        Moved { to, rank }.stub_file(old)
    };
    let page = Some("old/index.html".to_owned());
    assert_eq!(stub(Rank::Written, "/old"), page);
    assert_eq!(stub(Rank::Own, "/old/"), page);
    assert_eq!(stub(Rank::Other, "/old"), None);
    assert_eq!(stub(Rank::Written, "/old.xml"), None);
}

#[test]
fn an_old_address_that_is_in_nobody_s_way_is_kept() {
    let kept = [
        "/.hidden/x",
        "/2019/first/",
        "/blog/",
        "/feed.php",
        "/img",
        "/new/rss.xml",
        "/old.html",
        "/tags/none/",
        "/x/_headers",
    ];
    assert_eq!(
        settled(&kept, "/about"),
        (kept.map(str::to_owned).to_vec(), vec![])
    );
    assert_eq!(
        settled(&["/About.html"], "/about").0,
        ["/About.html"],
        "its own page in another case"
    );
    assert_eq!(
        settled(&["/a"], "/img/a.png").0,
        ["/a"],
        "a file is led to as well"
    );
    assert_eq!(settled(&["/a"], "https://example.net/").0, ["/a"]);
    assert_eq!(
        settled(&["/a"], "/none").1,
        ["a.md:1:3: warning: the target of the redirect does not exist: `../none/`"],
        "as its author wrote it"
    );
}

#[test]
fn two_old_addresses_are_not_a_file_and_a_folder() {
    for second in ["/OLD.html/x/", "/old.html/x/"] {
        let (kept, problems) = settled(&["/old.html", second], "/about");
        assert_eq!((kept.len(), problems.len()), (1, 1), "{problems:?}");
    }
}

#[test]
fn the_file_of_an_old_address() {
    let check = |old: &str, expected: Option<&str>| {
        assert_eq!(stub_file(old).as_deref(), expected, "{old}")
    };
    check("/2014/05/old/", Some("2014/05/old/index.html"));
    check("/2014/05/old", Some("2014/05/old/index.html"));
    check("/old.html", Some("old.html"));
    check("/v1.0", Some("v1.0/index.html"));
    check("/old.php", None);
    check("/feed.xml", None);
    check("/", None);
    check("/a/../b/", None);
}

#[test]
fn rule_41_an_address_with_a_slash_may_be_beside_a_page_of_diglots_own() {
    let (kept, problems) = settled(&["/api/", "/terms/"], "/articles/b");
    assert_eq!(kept, ["/api/", "/terms/"]);
    assert!(problems.is_empty(), "{problems:?}");
    for old in ["/api", "/api.html", "/terms/index.html", "/tags/x/"] {
        let (kept, problems) = settled(&[old], "/articles/b");
        assert!(kept.is_empty(), "{old}");
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}
