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
