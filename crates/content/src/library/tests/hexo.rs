//! What a Hexo site publishes, and at which addresses.

use super::scope::check_canaries;
use super::*;

const TEXT: &str = "---\ntitle: A\n---\nwords\n";

#[test]
fn rule_26_hexo_has_posts_in_one_folder() {
    check_canaries(
        &[
            ("_config.yml", "title: T\n"),
            ("source/_posts/n.md", TEXT),
            ("source/old/_posts/b.txt", "a secret word"),
        ],
        &[
            "source/old/_posts/a.md",
            "source/_posts/sub/_posts/a.md",
            "source/_articles/a.md",
        ],
        &["source/_posts/n.md /articles/n"],
    );
}

#[test]
fn rule_26_patterns_of_hexo_fit_whole_paths() {
    let config = "exclude: ['ex/*', deep/**]\nskip_render: ['sk/*', '@(a|b)/*.md']\nignore: '**/tmp'\ninclude: ['_inc/*', _own, .well/*, '_posts/_in/*']\n";
    check_canaries(
        &[
            ("_config.yml", config),
            ("package.json", "{\"dependencies\": {\"hexo\": \"8\"}}"),
            ("source/_posts/n.md", TEXT),
            ("source/ex/b/a.md", TEXT),
            ("source/sk/b/a.md", TEXT),
            ("source/a/b/a.md", TEXT),
            ("source/_inc/a.md", TEXT),
            ("source/_inc/_b.md", TEXT),
        ],
        &[
            "source/ex/a.md",
            "source/sk/a.md",
            "source/b/a.md",
            "source/deep/b/a.md",
            "source/x/tmp/y/a.md",
            "source/_own/a.md",
            "source/_inc/deep/a.md",
            "source/.well/a.md",
            "source/_posts/_in/a.md",
        ],
        &[
            "source/_inc/_b.md /_inc/_b",
            "source/_inc/a.md /_inc/a",
            "source/_posts/n.md /articles/n",
            "source/a/b/a.md /a/b/a",
            "source/ex/b/a.md /ex/b/a",
            "source/sk/b/a.md /sk/b/a",
        ],
    );
}

#[test]
fn rule_26_patterns_of_octopress_fit_folders() {
    check_canaries(
        &[
            ("_config.yml", "exclude: [ex, 'sk/*']\n"),
            ("source/_posts/n.md", TEXT),
        ],
        &["source/ex/b/a.md", "source/sk/b/a.md"],
        &["source/_posts/n.md /articles/n"],
    );
}

#[test]
fn rule_26_posts_of_hexo_with_folders_have_one_ending() {
    let files = [
        ("source/_posts/n.md", TEXT),
        ("source/_posts/n/file.html", "<p>x</p>"),
        ("source/x.html", "<p>x</p>"),
    ];
    let with = |config: &'static str| [&[("_config.yml", config)][..], &files].concat();
    let all = [
        "source/_posts/n.md /articles/n",
        "source/_posts/n/file.html /articles/n/file",
        "source/x.html /x",
    ];
    check_canaries(
        &with("post_asset_folder: true\n"),
        &["source/_posts/p.html"],
        &all,
    );
    let config = "post_asset_folder: true\nnew_post_name: ':title.html'\n";
    check_canaries(&with(config), &["source/_posts/p.md"], &all[1..]);
}

#[test]
fn rule_4_addresses_of_hexo_are_those_of_its_configuration() {
    let check = |config: &str, (path, front): (&str, &str), expected: &str| {
        let path = format!("source/_posts/{path}.md");
        let text = format!("---\n{front}\n---\nwords\n");
        let library = build(&[("_config.yml", config), (&path, &text)]);
        let addresses: Vec<&str> = library.redirects.keys().map(|one| one.as_str()).collect();
        assert!(
            addresses.contains(&expected),
            "{config} {path}: {addresses:?}"
        );
    };
    let dated =
        "permalink: ':category/:year/:title/'\nnew_post_name: ':year-:month-:day-:title.md'\n";
    let hello = "2019-01-02-hello";
    check(dated, (hello, "categories: [A b, C]"), "/A-b/C/2019/hello/");
    check(dated, (hello, "category: Foo Bar"), "/Foo-Bar/2019/hello/");
    check(
        dated,
        (hello, "categories: [[A], [B, C]]"),
        "/B/C/2019/hello/",
    );
    check(dated, (hello, "title: H"), "/uncategorized/2019/hello/");
    check(
        dated,
        ("2019-01-03-World Two", "title: H"),
        "/uncategorized/2019/World Two/",
    );
    let other = "sub/2019-01-03-World Two";
    check(
        dated,
        (other, "title: H"),
        "/uncategorized/2019/sub-2019-01-03-World-Two/",
    );
    let mapped =
        format!("{dated}default_category: none\ncategory_map: {{Foo Bar: FB}}\nfilename_case: 1\n");
    check(&mapped, (hello, "categories: Foo Bar"), "/fb/2019/hello/");
    check(&mapped, (hello, "title: H"), "/none/2019/hello/");
    let keys = "permalink: 'p/:lang/:abbrlink/:post_title/:id/:name.html'\npermalink_defaults: {lang: en}\nnew_post_name: ':lang/:title.md'\n";
    let front = "title: Über A\nabbrlink: abc\nid: 7\ndate: 2019-01-01";
    check(keys, ("de/sub/x", front), "/p/de/abc/uber-a/7/x.html");
    check(keys, ("x", front), "/p/en/abc/uber-a/7/x.html");
    check("permalink: ':title/'", ("sub/d x", "title: H"), "/sub/d x/");
    let two = "permalink: ':title/:lang/'\nnew_post_name: ':title.:lang.:i_day.md'\n";
    check(two, ("a.b.de.12", "title: H"), "/a/b.de/");
}
