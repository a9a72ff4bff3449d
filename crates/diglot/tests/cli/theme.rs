//! `diglot theme`, and themes that have a mistake.

use crate::Desk;

fn run(desk: &Desk, args: &str) -> (i32, String, String) {
    let output = desk.command(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

const ARTICLE: (&str, &str) = ("site/articles/a.md", "---\ntitle: A\n---\nWords.\n");

#[test]
fn a_built_in_file_is_printed_and_copied_and_used() {
    let desk = Desk::with(&[ARTICLE, ("site/diglot.toml", "theme = 'look'\n")]);
    let (code, names, _) = run(&desk, "theme list");
    assert!(
        code == 0 && names.lines().any(|name| name == "nav.html"),
        "{names}"
    );
    let (code, text, _) = run(&desk, "theme show nav.html");
    assert!(code == 0 && text.contains("<nav"), "{text}");
    let (code, said, _) = run(&desk, "theme init site/look nav.html");
    assert_eq!((code, said.as_str()), (0, "site/look/nav.html\n"));
    let copy = std::fs::read_to_string(desk.path("site/look/nav.html")).unwrap();
    assert_eq!(copy.trim_end(), text.trim_end());
    let (code, ..) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 0);
    // What exists stays.
    let (code, _, said) = run(&desk, "theme init site/look nav.html");
    assert!(
        code == 2 && said.contains("`site/look/nav.html` exists"),
        "{said}"
    );
    let (code, _, said) = run(&desk, "theme show nav.htm");
    assert!(
        code == 2 && said.contains("did you mean `nav.html`?"),
        "{said}"
    );
}

#[test]
fn the_whole_built_in_theme_copied_makes_the_same_pages() {
    let desk = Desk::with(&[ARTICLE]);
    let build = "build site --no-state --base-url https://example.org";
    assert_eq!(run(&desk, &format!("{build} -o one")).0, 0);
    assert_eq!(run(&desk, "theme init site/look").0, 0);
    desk.write("site/diglot.toml", "theme = 'look'\n");
    assert_eq!(run(&desk, &format!("{build} -o two")).0, 0);
    let page = |folder: &str| {
        std::fs::read_to_string(desk.path(&format!("{folder}/articles/a.html"))).unwrap()
    };
    assert_eq!(page("one"), page("two"));
}

#[test]
fn a_missing_theme_folder_is_an_error() {
    let desk = Desk::with(&[
        ARTICLE,
        ("site/diglot.toml", "# A theme.\ntheme = 'look'\n"),
    ]);
    let (code, _, said) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("diglot.toml:2:") && said.contains("the folder `look` does not exist"),
        "{said}"
    );
}

#[test]
fn an_undefined_value_in_a_template_says_what_was_meant() {
    let desk = Desk::with(&[
        ARTICLE,
        ("site/diglot.toml", "theme = 'look'\n"),
        ("site/look/article.html", "<h1>{{ page.titel }}</h1>"),
    ]);
    let (code, _, said) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("look/article.html:1: ") && said.contains("did you mean `page.title`?"),
        "{said}"
    );
}
