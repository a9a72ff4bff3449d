//! What a Hexo site publishes, and at which addresses.

use super::scope::check_canaries;

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
