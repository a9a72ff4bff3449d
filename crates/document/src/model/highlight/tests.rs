use proptest::prelude::*;

use super::*;

fn check(language: &str, text: &str, expected: &str) {
    let mut out = String::new();
    assert!(highlight(language, text, &mut out), "{language}");
    let short = out
        .replace("<span class=\"", "‹")
        .replace("\">", ":")
        .replace("</span>", "›");
    assert_eq!(short, expected);
}

/// The visible text.
fn shown(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[test]
fn programs() {
    check(
        "rust",
        "fn a<'x>(b: &'x str) -> u8 { 'c' }",
        "‹kw:fn ›a&lt;'x&gt;(b: &amp;'x ‹ty:str›) -&gt; ‹ty:u8 ›{ ‹str:'c' ›}",
    );
    check(
        "rust",
        "#[test]\nlet a = 1.5e-3..2; // x",
        "‹attr:#[test]›\n‹kw:let ›a = ‹num:1.5e-3›..‹num:2›; ‹com:// x›",
    );
    check(
        "js",
        "const a = `b\n${c}`; f(\"d\\\"\")",
        "‹kw:const ›a = ‹str:`b\n${c}`›; ‹fn:f›(‹str:\"d\\\"\"›)",
    );
    check(
        "Python",
        "def f(): return 'it' # x",
        "‹kw:def ›‹fn:f›(): ‹kw:return ›‹str:'it' ›‹com:# x›",
    );
    check(
        "sql",
        "SELECT a FROM b -- c",
        "‹kw:SELECT ›a ‹kw:FROM ›b ‹com:-- c›",
    );
    check(
        "json",
        "{\"a\": [true, -1]}",
        "{‹attr:\"a\"›: [‹con:true›, -‹num:1›]}",
    );
    check("php", "$a = FALSE;", "‹con:$a ›= ‹con:FALSE›;");
}

#[test]
fn commands() {
    check(
        "sh",
        "A=1 cargo run --release -p x | tee \"$B\" # c",
        "‹con:A›=‹num:1 ›‹fn:cargo ›run ‹attr:--release -p ›x | ‹fn:tee ›‹str:\"$B\" ›‹com:# c›",
    );
    check("bash", "./run.sh $1 ${x}", "‹fn:./run.sh ›‹con:$1 ${x}›");
}

#[test]
fn markup() {
    check(
        "html",
        "<a href=\"x\">b &amp; c</a><!-- d -->",
        "&lt;‹tag:a ›‹attr:href›=‹str:\"x\"›&gt;b ‹esc:&amp;amp;› c&lt;/‹tag:a›&gt;‹com:&lt;!-- d --&gt;›",
    );
    check(
        "css",
        "a.b { color: #fff; margin: 1px }",
        "‹tag:a›‹ty:.b ›{ ‹attr:color›: ‹num:#fff›; ‹attr:margin›: ‹num:1px ›}",
    );
    check(
        "yaml",
        "# a\nb: true\nc: \"d\"\n- e: 1",
        "‹com:# a›\n‹attr:b›: ‹con:true›\n‹attr:c›: ‹str:\"d\"›\n- ‹attr:e›: ‹num:1›",
    );
    check("toml", "[a]\nb = 1", "‹ty:[a]›\n‹attr:b ›= ‹num:1›");
    check("diff", "-a\n+b\n c", "‹del:-a›\n‹ins:+b›\n c");
    check(
        "md",
        "# a\n- `b` [c](d)",
        "‹kw:# a›\n‹con:- ›‹str:`b`› [c‹attr:](d)›",
    );
}

#[test]
fn the_table_of_languages_is_read_whole() {
    let languages = toml::from_str::<languages::Languages>(languages::TABLE)
        .unwrap()
        .language;
    assert!(languages.len() > 20);
    let mut names = std::collections::BTreeSet::new();
    for language in &languages {
        for words in [&language.keywords, &language.constants, &language.types] {
            assert!(
                !language.ignore_case
                    || words
                        .0
                        .iter()
                        .all(|word| *word == word.to_ascii_lowercase()),
                "{words:?}"
            );
        }
        assert!(
            language
                .names
                .0
                .iter()
                .all(|name| *name == name.to_ascii_lowercase() && names.insert(name)),
            "{:?}",
            language.names
        );
        assert!(
            language
                .strings
                .iter()
                .all(|string| !string.quote.is_empty()),
            "{:?}",
            language.names
        );
    }
}

#[test]
fn what_cannot_be_highlighted_stays_plain() {
    let mut out = String::from("before");
    for (language, text) in [
        ("nonsense", "x".to_owned()),
        ("text", "x".to_owned()),
        ("js", "x".repeat(MAX_LINE + 1)),
        ("js", "x\n".repeat(MAX_BYTES)),
    ] {
        assert!(!highlight(language, &text, &mut out));
    }
    assert_eq!(out, "before");
}

#[test]
fn hostile_code_takes_no_longer() {
    for unit in [
        "\"", "'", "\"\\", "`", "/*", "<a ", "<", "&", "${", "#[", "a:", "[", "\\", "--", "\"\"\"",
        "<!--", "](", "{-",
    ] {
        let text = format!("{}\n", unit.repeat(400 / unit.len())).repeat(200);
        for language in [
            "rust", "js", "py", "sh", "html", "css", "yaml", "md", "hs", "php",
        ] {
            let mut out = String::new();
            assert!(highlight(language, &text, &mut out));
            assert_eq!(shown(&out).len(), text.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn the_text_is_never_changed(
        language in prop::sample::select(vec!["rust", "html", "js", "py", "sh", "yaml", "css", "c", "json", "md", "sql", "xml", "go", "diff", "php", "rb", "hs", "lua", "toml", "docker", "lisp"]),
        text in "([a-z<>&\"'/(){}\\[\\]#$ü日=:;,.*`~!@|\\\\\\n\\t0-9 -]|fn |<div|\"\"\"|/\\*|<!--|\\$\\{|#\\[|\\]\\(){0,60}",
    ) {
        let mut out = String::new();
        prop_assert!(highlight(language, &text, &mut out));
        prop_assert_eq!(shown(&out), text);
    }
}
