//! Habits of folders that other people keep, one small folder each.

use super::*;

fn stems_and_titles(library: &Library) -> Vec<String> {
    library.articles.iter().chain(&library.pages).map(|article| format!("{} {}", article.stem, article.title)).collect()
}

#[test]
fn a_site_built_before_keeps_titles_links_and_addresses() {
    let page = |title: &str, canonical: &str, body: &str| {
        format!(
            "<!doctype html><title>{title} | The Site</title><link rel=canonical href=\"https://old.example{canonical}\"><nav><a href=/>x</a></nav><main><h1>{title}<a class=headerlink href=#x>¶</a></h1>{body}</main>"
        )
    };
    let library = build(&[
        ("index.html", &page("Welcome", "/", "<p><a href=\"guide/one/\">one</a>")),
        (
            "guide/one/index.html",
            &page(
                "One",
                "/guide/one/",
                "<p><a href=\"../two/#x\">two</a> <a href=\"https://old.example/guide/two/\">two</a> <a href=\"https://old.example/gone/\">gone</a>",
            ),
        ),
        ("guide/two/index.html", &page("Two", "/guide/two/", "<h2 id=x>X</h2><p>x")),
        ("guide/three.html", &page("Three", "/guide/three", "<p><a href=\"two/\">two</a> <a href=\"/guide/one/index.html\">one</a>")),
        ("guide/moved.html", "<!doctype html><title>Redirecting…</title><meta http-equiv=refresh content=\"0; url=two/\"><a href=two/>Click</a>"),
    ]);
    assert_eq!(stems_and_titles(&library), ["/articles/guide/one One", "/articles/guide/three Three", "/articles/guide/two Two", "/index Welcome"]);
    let redirects: Vec<_> = library.redirects.iter().map(|(from, to)| format!("{from} {to}")).collect();
    assert_eq!(
        redirects,
        [
            "/articles/guide/moved /articles/guide/two",
            "/articles/guide/moved.html /articles/guide/two",
            "/guide/moved.html /articles/guide/two",
            "/guide/one/ /articles/guide/one",
            "/guide/three /articles/guide/three",
            "/guide/three.html /articles/guide/three",
            "/guide/two/ /articles/guide/two",
        ]
    );
    let targets: Vec<_> = library.articles.iter().flat_map(|article| &article.targets).collect();
    let page = |stem: &str, fragment: Option<&str>| Target::Page { stem: stem.into(), fragment: fragment.map(str::to_owned) };
    let two = page("/articles/guide/two", None);
    let gone = Target::Url("https://old.example/gone/".to_owned());
    assert_eq!(targets, [&page("/articles/guide/two", Some("x")), &two, &gone, &two, &page("/articles/guide/one", None)]);
    assert_eq!(library.problems, []);
}
