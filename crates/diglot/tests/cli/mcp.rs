//! `diglot mcp`: the Model Context Protocol as lines of JSON-RPC, over a folder and over its live
//! site.

#[cfg(feature = "mcp")]
mod with_the_feature {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, ChildStdin, ChildStdout, Stdio};
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use crate::cli::Desk;
    use crate::cli::live::{PATIENCE, Served, until};

    const LONG: &str = "---\ntitle: Long\ndate: 2024-01-02\n---\n\nBegin.\n\n## First part\n\nOne `needle`.\n\n### Inside it\n\nTwo.\n\n## Second part\n\nThree needles.\n";

    /// A conversation with the program.
    struct Talk {
        child: Child,
        input: ChildStdin,
        output: BufReader<ChildStdout>,
        number: u64,
    }

    impl Talk {
        /// Starts it, and shakes hands as clients of 2025 do.
        fn start(desk: &Desk, args: &str) -> Self {
            let mut talk = Self::start_silently(desk, args);
            let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
            let answer = talk.ask("initialize", &hello);
            assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
            assert_eq!(answer["result"]["serverInfo"]["name"], "diglot");
            let known = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            writeln!(talk.input, "{known}").unwrap();
            talk
        }

        fn start_silently(desk: &Desk, args: &str) -> Self {
            let mut child = desk
                .command(&format!("mcp {args} --no-state"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            Self {
                input: child.stdin.take().unwrap(),
                output: BufReader::new(child.stdout.take().unwrap()),
                child,
                number: 0,
            }
        }

        /// Sends a request and returns the next line, which must be its answer.
        fn ask(&mut self, method: &str, params: &Value) -> Value {
            self.number += 1;
            let id = self.number;
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            writeln!(self.input, "{request}").unwrap();
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
            assert_eq!(answer["id"], id, "{line}");
            answer
        }

        /// The texts of a tool's result; an error as `Err`.
        fn call(&mut self, tool: &str, arguments: &Value) -> Result<Vec<String>, String> {
            let params = json!({ "name": tool, "arguments": arguments });
            let answer = self.ask("tools/call", &params);
            let result = &answer["result"];
            let texts = result["content"]
                .as_array()
                .unwrap_or_else(|| panic!("{answer}"));
            let texts: Vec<String> = texts
                .iter()
                .map(|text| text["text"].as_str().unwrap().to_owned())
                .collect();
            match result["isError"] == true {
                true => Err(texts.concat()),
                false => Ok(texts),
            }
        }

        /// The result of a tool as one text.
        fn text(&mut self, tool: &str, arguments: &Value) -> String {
            self.call(tool, arguments).unwrap().join("\n[note] ")
        }

        fn refused(&mut self, tool: &str, arguments: &Value) -> String {
            self.call(tool, arguments).unwrap_err()
        }
    }

    impl Drop for Talk {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn desk() -> Desk {
        Desk::with(&[
            ("site/diglot.toml", "title = \"Notes\"\n"),
            ("site/articles/long.md", LONG),
            (
                "site/articles/größe.md",
                "---\ntitle: Größe & Maß\ndate: 2024-05-06\n---\n\nA [link](long.md).\n",
            ),
            (
                "site/articles/secret.md",
                "---\ntitle: Secret\ndraft: true\n---\n\nA needle.\n",
            ),
        ])
    }

    #[test]
    fn pages_are_listed_read_and_searched() {
        let desk = desk();
        let mut talk = Talk::start(&desk, "site --base-url https://example.org");
        let list = talk.text("list", &json!({ "under": "/articles/" }));
        assert!(
            list.starts_with(
                "/articles/gr%C3%B6%C3%9Fe.md\tGröße & Maß\n/articles/long.md\tLong\n"
            ),
            "{list}"
        );
        assert!(!list.contains("secret"), "{list}");
        let whole = talk.text("read", &json!({ "path": "/articles/long.md" }));
        assert!(whole.starts_with("---\ntitle: \"Long\"\n") && whole.ends_with("llms.txt)\n"));
        let names = [
            "articles/long",
            "/articles/long.html",
            "https://example.org/articles/long.html",
            "https://example.org/articles/long.html?utm_source=x",
            "/articles/long.md?x#",
        ];
        for name in names {
            assert_eq!(talk.text("read", &json!({ "path": name })), whole, "{name}");
        }
        let other = talk.text("read", &json!({ "path": "/articles/größe.md" }));
        assert!(
            other.contains("[link](https://example.org/articles/long.md)"),
            "{other}"
        );
        let found = talk.text("search", &json!({ "query": "needle" }));
        assert!(
            found.contains("(https://example.org/articles/long.md#first-part)"),
            "{found}"
        );
        assert!(
            !found.contains("canonical_url") && !found.contains("## Sitemap"),
            "{found}"
        );
    }

    #[test]
    fn parts_of_a_page_are_read() {
        let desk = desk();
        let mut talk = Talk::start(&desk, "site");
        let section = "## First part\n\nOne `needle`.\n\n### Inside it\n\nTwo.\n\n";
        for named in [
            json!({ "path": "/articles/long.md", "section": "first-part" }),
            json!({ "path": "/articles/long.md#first-part" }),
        ] {
            let read = talk.text("read", &named);
            let (text, note) = read.split_once("\n[note] ").unwrap();
            assert_eq!(text, section);
            assert!(note.starts_with("These are lines "), "{note}");
        }
        let grep = talk.text(
            "grep",
            &json!({ "pattern": "^(ONE|three) .?needles?", "ignore_case": true, "under": "/articles/long" }),
        );
        let lines: Vec<&str> = grep.lines().collect();
        let [first, second] = lines[..] else {
            panic!("{grep}");
        };
        assert!(first.ends_with(": One `needle`.") && second.ends_with(": Three needles."));
        let line: usize = second.split(':').nth(1).unwrap().parse().unwrap();
        let read = talk.text(
            "read",
            &json!({ "path": "/articles/long.md", "from": line, "to": line }),
        );
        assert!(read.starts_with("Three needles.\n"), "{read}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let desk = desk();
        let mut talk = Talk::start(&desk, "site");
        for (tool, arguments, words) in [
            (
                "read",
                json!({ "path": "/articles/secret.md" }),
                "there is no page",
            ),
            (
                "read",
                json!({ "path": "../diglot.toml" }),
                "there is no page",
            ),
            (
                "read",
                json!({ "path": "https://elsewhere.example/a.md" }),
                "there is no page",
            ),
            (
                "read",
                json!({ "path": "/articles/long.md", "section": "third" }),
                "its sections are `first-part` (line ",
            ),
            (
                "read",
                json!({ "path": "/articles/long.md", "from": 900 }),
                "there is nothing to read",
            ),
            ("read", json!({ "file": "x" }), "the arguments are wrong"),
            (
                "grep",
                json!({ "pattern": "(" }),
                "not a regular expression",
            ),
            (
                "list",
                json!({ "cursor": "x" }),
                "`cursor` is not one of this server's",
            ),
            (
                "list",
                json!({ "cursor": "0.0.0123456789abcdef" }),
                "the site has changed",
            ),
            (
                "search",
                json!({ "query": "x".repeat(201) }),
                "1 to 200 bytes",
            ),
            (
                "read",
                json!({ "path": "/articles/long.md", "from": 0 }),
                "lines are counted from 1",
            ),
        ] {
            let said = talk.refused(tool, &arguments);
            assert!(said.contains(words), "{tool} {arguments}: {said}");
        }
        let unknown = talk.ask("resources/read", &json!({ "uri": "file:///etc/passwd" }));
        assert_eq!(unknown["error"]["code"], -32002, "{unknown}");
        let unknown = talk.ask("tools/call", &json!({ "name": "write", "arguments": {} }));
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        assert_eq!(unknown["error"]["message"], "there is no tool `write`");
        let nameless = talk.ask("tools/call", &json!({ "arguments": {} }));
        assert_eq!(nameless["error"]["code"], -32602, "{nameless}");
    }

    #[test]
    fn json_rpc_5_1_a_line_that_is_no_message_is_answered_and_the_next_one_too() {
        let desk = desk();
        let mut talk = Talk::start(&desk, "site");
        let long = format!("{{\"id\": 1, \"x\": \"{}\"}}", "x".repeat(2 << 20));
        for (line, code) in [("{\"id\": 1,", -32700), (&*long, -32600), ("[1", -32700)] {
            writeln!(talk.input, "{line}").unwrap();
            let mut answer = String::new();
            talk.output.read_line(&mut answer).unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["error"]["code"], code, "{answer}");
            assert_eq!(answer["id"], Value::Null);
            assert!(talk.text("list", &json!({})).contains("/articles/long.md"));
        }
    }

    #[test]
    fn no_result_is_long_because_the_question_was() {
        let desk = desk();
        let mut talk = Talk::start(&desk, "site");
        let long = "x".repeat(100 << 10);
        for (tool, arguments) in [
            ("read", json!({ "path": long })),
            (
                "read",
                json!({ "path": "/articles/long.md", "section": long }),
            ),
            ("read", json!({ "path": "/articles/long.md", (&*long): 1 })),
            ("read", json!({ "path": ["/articles/long.md", long] })),
            ("grep", json!({ "pattern": long })),
            ("search", json!({ "query": long })),
            ("changes", json!({ "since": long })),
            ("list", json!({ "cursor": long })),
            ("list", json!({ "under": long })),
        ] {
            let said = talk.call(tool, &arguments);
            let length = said.map_or_else(|why| why.len(), |texts| texts.concat().len());
            assert!(length < 2_000, "{tool}: {length}");
        }
        let uri = format!("http://localhost:8080/{long}.md");
        let unknown = talk.ask("resources/read", &json!({ "uri": uri }));
        assert!(unknown.to_string().len() < 2_000);
    }

    /// All results of a tool, by its cursors.
    fn all(talk: &mut Talk, tool: &str, mut arguments: Value) -> (String, usize) {
        let (mut whole, mut calls) = (String::new(), 0);
        loop {
            let texts = talk.call(tool, &arguments).unwrap();
            whole += &texts[0];
            calls += 1;
            let Some(note) = texts.get(1) else {
                return (whole, calls);
            };
            let cursor = note.split('`').rev().nth(1).unwrap();
            arguments["cursor"] = cursor.into();
        }
    }

    /// The id after "The edition now is", once it is another one than `old`.
    fn edition(talk: &mut Talk, old: &str) -> String {
        let begun = Instant::now();
        loop {
            // An edition may go live between two requests of one call, which is refused then.
            let said = match talk.call("changes", &json!({})) {
                Ok(texts) => texts.concat(),
                Err(said) => said,
            };
            let id = said.split("The edition now is `").nth(1);
            let id = id.and_then(|rest| rest.split('`').next());
            if let Some(id) = id.filter(|id| *id != old) {
                return id.to_owned();
            }
            assert!(begun.elapsed() < PATIENCE, "{said}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn issue_26_what_changed_is_said_of_a_folder_and_of_its_live_site() {
        let desk = desk();
        let served = Served::start(&desk, "--base-url https://example.org --no-state");
        let site = format!("http://{}", served.address);
        let mut folder = Talk::start(&desk, "site --base-url https://example.org");
        let mut live = Talk::start(&desk, &site);
        let first = edition(&mut folder, "");
        assert_eq!(edition(&mut live, ""), first);
        let said = folder.text("changes", &json!({}));
        assert!(said.starts_with("No earlier edition is known."), "{said}");

        desk.write(
            "site/articles/long.md",
            &LONG
                .replace("Three", "Four")
                .replace("### Inside it", "### Within"),
        );
        let second = edition(&mut folder, &first);
        assert_eq!(edition(&mut live, &first), second);
        std::fs::remove_file(desk.path("site/articles/größe.md")).unwrap();
        let third = edition(&mut folder, &second);
        assert_eq!(edition(&mut live, &second), third);

        let changed = "changed\t/articles/long.md\tLong\tsections: inside-it (gone), second-part, within (new)\n";
        let removed = "removed\t/articles/gr%C3%B6%C3%9Fe.md\n";
        for talk in [&mut folder, &mut live] {
            let since = talk.text("changes", &json!({ "since": first }));
            assert!(
                since.contains(changed) && since.contains(removed),
                "{since}"
            );
            let since = talk.text("changes", &json!({ "since": second }));
            assert!(
                !since.contains(changed) && since.contains(removed),
                "{since}"
            );
            let since = talk.text("changes", &json!({ "since": third }));
            assert!(since.starts_with("No page has changed since."), "{since}");
            let steps = talk.text("changes", &json!({}));
            let (newer, older) = steps.split_once(&format!("since\t{first}\n")).unwrap();
            assert!(newer.starts_with(&format!("since\t{second}\n")), "{steps}");
            assert!(
                newer.contains(removed) && older.contains(changed),
                "{steps}"
            );
            for (since, words) in [
                ("0123456789abcdef0123456789abcdef", "start over"),
                ("../status", "is not the id of an edition"),
            ] {
                let said = talk.refused("changes", &json!({ "since": since }));
                assert!(said.contains(words), "{said}");
            }
        }
        let said = folder.refused("changes", &json!({ "cursor": "0.0.0123456789abcdef" }));
        assert!(said.contains("the site has changed"), "{said}");

        // The bytes of an edition before: its id is the same, and the documents on changes differ.
        let before = live.text("changes", &json!({}));
        desk.write("site/articles/new.md", "---\ntitle: New\n---\n\nWords.\n");
        served.wait_for_answer("/articles/new.md", "Words.");
        std::fs::remove_file(desk.path("site/articles/new.md")).unwrap();
        served.wait_for_answer("/articles/new.md", " 404 ");
        let after = live.text("changes", &json!({}));
        let editions = |said: &str| said.matches("since\t").count();
        assert_eq!(editions(&after), editions(&before) + 1, "{after}");
        assert!(after.contains(&third), "{after}");
    }

    #[test]
    fn long_results_are_paged_and_nothing_is_lost_or_twice() {
        let desk = Desk::new();
        for number in 0..450 {
            desk.write(
                &format!("site/articles/a{number:03}.md"),
                &format!("---\ntitle: A {number}\ndate: 2024-01-01\n---\n\nneedle {number}\n\nneedle again\n"),
            );
        }
        let long = "words and words\n\n".repeat(4_000);
        desk.write(
            "site/articles/book.md",
            &format!("---\ntitle: Book\n---\n\n{long}"),
        );
        let mut talk = Talk::start(&desk, "site --base-url https://example.org");
        let (list, calls) = all(&mut talk, "list", json!({ "under": "/articles/a" }));
        assert_eq!((list.matches('\n').count(), calls), (450, 3));
        let (grep, calls) = all(
            &mut talk,
            "grep",
            json!({ "pattern": "^needle", "under": "/articles/a" }),
        );
        let mut lines: Vec<&str> = grep.lines().collect();
        assert_eq!((lines.len(), calls), (900, 9));
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 900);
        let (mut uris, mut cursor) = (Vec::new(), json!({}));
        loop {
            let answer = talk.ask("resources/list", &cursor);
            let some = answer["result"]["resources"].as_array().unwrap().clone();
            uris.extend(some.iter().map(|it| it["uri"].as_str().unwrap().to_owned()));
            match answer["result"]["nextCursor"].as_str() {
                Some(next) => cursor = json!({ "cursor": next }),
                None => break,
            }
        }
        assert!(
            uris.len() > 451 && uris.contains(&"https://example.org/articles/a449.md".to_owned())
        );
        let (mut whole, mut from) = (String::new(), 1);
        loop {
            let read = json!({ "path": "/articles/book.md", "from": from });
            let texts = talk.call("read", &read).unwrap();
            assert!(texts[0].len() <= diglot::mcp::MOST_BYTES);
            whole += &texts[0];
            let Some(next) = texts[1].split("`from` = ").nth(1) else {
                break;
            };
            from = next.split(',').next().unwrap().parse().unwrap();
        }
        let resource = talk.ask(
            "resources/read",
            &json!({ "uri": "https://example.org/articles/book.md" }),
        );
        assert_eq!(resource["result"]["contents"][0]["text"], whole);
    }

    #[test]
    fn a_folder_and_its_live_site_give_the_same_results() {
        let desk = desk();
        let served = Served::start(&desk, "--base-url https://example.org --no-state");
        let site = format!("http://{}", served.address);
        let mut folder = Talk::start(&desk, "site --base-url https://example.org");
        let mut live = Talk::start(&desk, &site);
        for (tool, arguments) in [
            ("list", json!({})),
            ("read", json!({ "path": "/articles/long.md" })),
            (
                "read",
                json!({ "path": "https://example.org/articles/größe.md" }),
            ),
            ("read", json!({ "path": "/articles/long.html#second-part" })),
            ("read", json!({ "path": "/articles/nothing.md" })),
            ("read", json!({ "path": "/" })),
            ("grep", json!({ "pattern": "^.*needle" })),
            ("search", json!({ "query": "größe" })),
            ("search", json!({ "query": "three & needles" })),
        ] {
            let (one, other) = (folder.call(tool, &arguments), live.call(tool, &arguments));
            assert_eq!(one, other, "{tool} {arguments}");
        }
        for method in ["tools/list", "resources/list", "resources/templates/list"] {
            let (one, other) = (folder.ask(method, &json!({})), live.ask(method, &json!({})));
            assert_eq!(one["result"], other["result"], "{method}");
        }
    }

    #[test]
    fn an_edit_is_read_by_the_next_call() {
        let desk = desk();
        let mut talk = Talk::start(&desk, "site");
        desk.write(
            "site/articles/new.md",
            "---\ntitle: New\n---\n\nJust written.\n",
        );
        let path = json!({ "path": "/articles/new.md" });
        until(
            || talk.call("read", &path).is_ok(),
            || "it was never read".to_owned(),
        );
        desk.write("site/diglot.toml", "title = 3\n");
        let list = talk.text("list", &json!({}));
        assert!(
            list.contains("/articles/new.md"),
            "the last good edition stays: {list}"
        );
    }

    #[test]
    fn the_version_of_2026_needs_no_handshake() {
        let desk = desk();
        let mut talk = Talk::start_silently(&desk, "site");
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let found = talk.ask("server/discover", &json!({ "_meta": meta }));
        let versions = found["result"]["supportedVersions"].to_string();
        assert!(versions.contains("2026-07-28"), "{found}");
        let list = talk.ask(
            "tools/call",
            &json!({ "name": "list", "arguments": {}, "_meta": meta }),
        );
        assert_eq!(list["result"]["resultType"], "complete", "{list}");
        assert!(
            list["result"]["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("/articles/long.md")
        );
    }

    #[test]
    fn a_folder_without_a_site_ends_the_command() {
        let desk = desk();
        desk.write("site/diglot.toml", "title = 3\n");
        let ran = desk.run("mcp site --no-state");
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
        let ran = desk.run("mcp http://127.0.0.1:9/ --no-state");
        assert_eq!((ran.status, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
        assert!(ran.err.contains("cannot reach"), "{}", ran.err);
    }
}
