//! What Zola publishes: its patterns, and the files beside texts.

use super::scope::check_canaries;

const CONFIG: &str = "base_url = 'https://e.org'\n";
const PAGE: &str = "+++\ntitle = 'T'\n+++\nwords\n";

#[test]
fn rule_26_a_star_in_ignored_content_of_zola_matches_folders_too() {
    let config = format!(
        "{CONFIG}ignored_content = [\"*-wip/*.md\", \"*/private/*\", \"*secret*\", \"*/{{one,two}}/**\", \"*/assets/raw/*\", \"*.tmp.txt\"]\n"
    );
    check_canaries(
        &[
            ("config.toml", &config),
            ("content/p/index.md", PAGE),
            ("content/p/ok.svg", "x"),
            ("content/s/wip.md", PAGE),
        ],
        &[
            "content/a-wip/b/c.md",
            "content/s/t/private/u/v.md",
            "content/private/v.md",
            "content/s/mysecrets/m/x.md",
            "content/s/one/z/k.md",
            "content/p/assets/raw/q/i.svg",
            "content/p/l.tmp.txt",
        ],
        &[
            "content/p/index.md /articles/p",
            "content/p/ok.svg /articles/p/ok.svg",
            "content/s/wip.md /articles/s/wip",
        ],
    );
}

#[test]
fn rule_26_files_of_zola_need_an_index_above_or_a_section_beside_them() {
    check_canaries(
        &[
            ("config.toml", CONFIG),
            ("content/_index.md", PAGE),
            ("content/top.svg", "x"),
            ("content/blog/_index.md", "+++\nrender = false\n+++\n"),
            ("content/blog/ok.pdf", "x"),
            ("content/blog/p.md", PAGE),
            ("content/notes/a.md", PAGE),
            ("content/page/index.md", PAGE),
            ("content/page/deep/er/x.csv", "x"),
            ("static/x.csv", "x"),
        ],
        &[
            "content/blog/raw/private.pdf",
            "content/notes/salary.csv",
            "content/gone/index.md/x.pdf",
            "content/empty/x.pdf",
        ],
        &[
            "content/_index.md /index",
            "content/blog/ok.pdf /articles/blog/ok.pdf",
            "content/blog/p.md /articles/blog/p",
            "content/notes/a.md /articles/notes/a",
            "content/page/deep/er/x.csv /articles/page/deep/er/x.csv",
            "content/page/index.md /articles/page",
            "content/top.svg /articles/top.svg",
            "static/x.csv /x.csv",
        ],
    );
}
