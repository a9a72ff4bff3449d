use super::*;

/// Keys and values as one line each, then the body's first line number and the body, then the
/// problems.
fn check(text: &str, keys: &[&str], first_line: u32, body: &str, problems: &[&str]) {
    let split = split(text, "a.md");
    let shown: Vec<_> = split
        .front
        .entries
        .iter()
        .map(|entry| {
            format!(
                "{} {}:{} {}",
                entry.key.text,
                entry.node.line,
                entry.node.column,
                show(&entry.node)
            )
        })
        .collect();
    assert_eq!(shown, keys, "{text:?}");
    assert_eq!(
        (split.first_line, split.body),
        (first_line, body),
        "{text:?}"
    );
    let told: Vec<_> = split
        .problems
        .iter()
        .map(|problem| {
            problem
                .to_string()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    assert_eq!(told, problems, "{text:?}");
}

fn show(node: &Node) -> String {
    match &node.value {
        Value::Scalar { text, plain } => format!("{}{text}", if *plain { "" } else { "=" }),
        Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join("|")),
        Value::Map(entries) => format!(
            "{{{}}}",
            entries
                .iter()
                .map(|e| format!("{} {}", e.key.text, show(&e.node)))
                .collect::<Vec<_>>()
                .join("|")
        ),
    }
}

/// The bytes and values that a value has room for beyond those that it has.
fn spare(node: &Node) -> usize {
    match &node.value {
        Value::Scalar { text, .. } => text.capacity() - text.len(),
        Value::List(items) => {
            items.capacity() - items.len() + items.iter().map(spare).sum::<usize>()
        }
        Value::Map(entries) => {
            let own = entries.iter().map(|entry| spare(&entry.node));
            entries.capacity() - entries.len() + own.sum::<usize>()
        }
    }
}

#[test]
fn values_of_yaml_have_no_spare_room_because_they_are_kept() {
    let text =
        "---\ntitle: A long title of an article\ntags: [x, y, z]\nmap: {a: b, c: 'd'}\n---\n";
    for entry in split(text, "a.md").front.entries {
        assert_eq!(spare(&entry.node), 0, "{:?}", entry.node);
    }
}

#[test]
fn rule_1_all_syntaxes_are_read_with_places() {
    check(
        "---\ntitle: \"A: b\"\ntags: [x, y]\n---\nText\n",
        &["title 2:8 =A: b", "tags 3:7 [x|y]"],
        5,
        "Text\n",
        &[],
    );
    check(
        "\n  \n---\na: NO\nb: 1.10\n...\nText",
        &["a 4:4 NO", "b 5:4 1.10"],
        7,
        "Text",
        &[],
    );
    check(
        "+++\ntitle = 'A'\ndate = 2024-01-02\n[extra]\nx = 0x10\n+++\nText",
        &["title 2:9 =A", "date 3:8 2024-01-02", "extra 4:1 {x 0x10}"],
        7,
        "Text",
        &[],
    );
    check(
        "{\n  \"title\": \"A\",\n  \"n\": 3\n}\nText",
        &["title 2:12 =A", "n 3:8 3"],
        5,
        "Text",
        &[],
    );
    check("# Just text\n", &[], 1, "# Just text\n", &[]);
    check("", &[], 1, "", &[]);
}

#[test]
fn what_only_looks_like_front_matter_is_text() {
    for text in [
        "---\nProse between two rules.\n---\nMore",
        "{{ template }}\n",
        "{% include x %}\n",
        "{\nbroken",
        "---\n",
        "---",
        "+++ not a fence\n",
    ] {
        check(text, &[], 1, text, &[]);
    }
    check("---\n---\nText", &[], 3, "Text", &[]);
    check("---\n# only a comment\n---\nText", &[], 4, "Text", &[]);
}

#[test]
fn rule_20_broken_yaml_is_read_line_by_line() {
    check(
        "---\ntitle: A: b\ntags:\n\t- x\n\t- 'y z'\nlong: |\n  one\n  two\nmeta:\n  k: v\n---\nText",
        &[
            "title 2:8 A: b",
            "tags 3:6 [x|=y z]",
            "long 6:7 =one\ntwo",
            "meta 9:6 {k v}",
        ],
        12,
        "Text",
        &[
            "a.md:2:9: warning: the front matter is not valid YAML: mapping values are not allowed in this context",
        ],
    );
    check(
        "---\ntitle: x\ntitle: y\n---\n",
        &["title 3:8 y"],
        5,
        "",
        &["a.md:3:1: warning: `title` is given twice; this one is used, the one in line 2 is not"],
    );
    check(
        "---\ntitle: x\n\nText",
        &["title 2:8 x"],
        3,
        "\nText",
        &["a.md:1:1: warning: the front matter is not closed: its keys end where the text begins"],
    );
}

#[test]
fn aliases_and_depth_are_bounded() {
    check(
        "---\na: &x [1, 2]\nb: *x\n---\n",
        &["a 2:4 [1|2]", "b 3:4 [1|2]"],
        5,
        "",
        &[],
    );
    let mut bomb = String::from("---\na0: &a0 [x]\n");
    for level in 1..40 {
        bomb.push_str(&format!(
            "a{level}: &a{level} [{}]\n",
            vec![format!("*a{}", level - 1); 9].join(", ")
        ));
    }
    bomb.push_str("---\n");
    assert!(split(&bomb, "a.md").front.entries.len() >= 40);
    let long = format!(
        "---\na: &a \"{}\"\nb: [{}]\n---\n",
        "x".repeat(10_000),
        vec!["*a"; 1_000].join(", ")
    );
    let front = split(&long, "a.md").front;
    let bytes: usize = front.texts("b").map(str::len).sum();
    assert_eq!((front.items("b").len(), bytes), (1_000, 990_000));
    for deep in [
        format!("---\na: {}\n---\n", "[".repeat(5000)),
        format!("+++\n{}a = 1\n+++\n", "a.".repeat(50_000)),
        format!("{{\"a\":{}", "[".repeat(50_000)),
    ] {
        split(&deep, "a.md");
    }
}

#[test]
fn values_have_types_only_when_asked() {
    let text = "---\na: NO\nb: 3.0\nc: ~\nd: 'true'\nMS: {date: 2024-01-01}\n---\n";
    let front = split(text, "a.md").front;
    assert_eq!(
        (front.text(&["a"]), front.bool(&["a"]), front.bool(&["d"])),
        (Some("NO"), Some(false), Some(true))
    );
    assert_eq!(
        front.get("b").and_then(|entry| entry.node.integer()),
        Some(3)
    );
    assert_eq!(
        (front.text(&["c", "b"]), front.text(&["ms.date"])),
        (Some("3.0"), Some("2024-01-01"))
    );
    assert!(front.first(&["c"]).is_none());
}

proptest::proptest! {
    #[test]
    fn any_text_is_divided_without_loss(head in "(---|\\+\\+\\+|\\{)?", text in "[-+{}\\[\\]a-c:\"' \t\n&*#|>=.]{0,80}") {
        let text = format!("{head}\n{text}");
        let split = split(&text, "a.md");
        proptest::prop_assert!(text.ends_with(split.body));
        proptest::prop_assert_eq!(split.first_line as usize, 1 + text[..text.len() - split.body.len()].matches('\n').count());
    }
}

#[test]
fn rule_2_brackets_that_close_in_the_first_column_are_read() {
    for list in [
        "[\n  '/a/',\n  '/b/',\n]",
        "[\n'/a/', # one\n'/b/'\n]",
        "['/a/',\n\n'/b/']",
    ] {
        let text = format!("---\nweight: 3\naliases: {list}\ntitle: T\n---\n");
        let front = split(&text, "a.md");
        let aliases = front.front.get("aliases").unwrap().node.items().len();
        assert_eq!(
            (aliases, front.front.text(&["title"])),
            (2, Some("T")),
            "{text}"
        );
        assert!(front.problems.is_empty(), "{:?}", front.problems);
    }
    let broken = split("---\na: [x\ntitle: T\n---\n", "a.md");
    assert_eq!(broken.front.text(&["title"]), Some("T"));
    assert!(!broken.problems.is_empty());
}

#[test]
fn rule_1_the_language_behind_the_fence() {
    check(
        "---js\nconst title = 'A';\nconst n = -1.5, list = [1, \"b\"], map = { k: null, 'é': `v` };\n---\nText",
        &[
            "title 2:15 =A",
            "n 3:11 -1.5",
            "list 3:24 [1|=b]",
            "map 3:40 {k null|é =v}",
        ],
        5,
        "Text",
        &[],
    );
    check(
        "--- toml\ntitle = 'A'\n---\nText",
        &["title 2:9 =A"],
        4,
        "Text",
        &[],
    );
    // Without a closing fence, all of it is front matter, as gray-matter has it.
    check(
        "---js\nconst title = 'A'\n",
        &["title 2:15 =A"],
        3,
        "",
        &["a.md:1:1: warning: the front matter is not closed: its keys end where the text begins"],
    );
    for text in [
        "---poem\nWords\n",
        "--- two words\na: b\n---\n",
        "---js-\nx\n---\n",
        "----\nx\n----\n",
    ] {
        check(text, &[], 1, text, &[]);
    }
}

#[test]
fn a_hostile_program_is_bounded() {
    for text in [
        "{".repeat(100_000),
        "const a = {".repeat(50_000),
        "const a = [b,".repeat(50_000),
        "const a = b = ".repeat(50_000),
        "const a: ".repeat(50_000),
        "{a:f(),".repeat(50_000),
        "a,`".repeat(50_000),
    ] {
        split(&format!("---js\n{text}\n---\n"), "a.md");
        split(&format!("---js\n{{{text}}}\n---\n"), "a.md");
    }
}

proptest::proptest! {
    #[test]
    fn no_program_panics(text in "(const |draft|=|:|'|\"|`|\\{|\\}|\\[|\\]|\\(|\\)|,|;|=>|\\.\\.\\.|new Date|export default |//|\n|é){0,40}") {
        let text = format!("---js\n{text}\n---\nText");
        proptest::prop_assert!(text.ends_with(split(&text, "a.md").body));
    }
}
