//! `diglot serve STORE`: replicas, across processes.

#[test]
fn options_of_a_store_are_refused_for_a_folder() {
    let desk = crate::cli::live::desk();
    for option in ["--verify x", "--cache x", "--cache-size 1GiB", "--poll 1"] {
        let ran = desk.run(&format!("serve site {option}"));
        assert_eq!(ran.status, Some(2), "{option}");
        assert!(ran.err.contains("is for a store"), "{}", ran.err);
    }
}

#[cfg(feature = "store")]
mod with_stores {
    use std::collections::BTreeMap;
    use std::fs;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::Command;

    use crate::cli::Desk;
    use crate::cli::live::{Served, article, desk, until};
    use crate::support::tree;

    fn address(desk: &Desk) -> String {
        format!("file://{}", desk.path("store").display())
    }

    fn publish(desk: &Desk) {
        let to = address(desk);
        let ran = desk.run(&format!(
            "publish site --base-url https://example.org --to {to}"
        ));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }

    fn replica(desk: &Desk, cache: &str) -> Served {
        let store = address(desk);
        let args = "--listen 127.0.0.1:0 --poll 0.2 --admin 127.0.0.1:0";
        Served::run(&mut desk.command(&format!("serve {store} {args} --cache {cache}")))
    }

    fn admin(served: &Served, path: &str) -> String {
        let said = served.said();
        let address = said.split("metrics: http://").nth(1).unwrap();
        crate::cli::live::first_answer(address.split('/').next().unwrap(), path)
    }

    /// The processes that a process has started, with theirs.
    fn descendants(process: u32) -> Vec<u32> {
        let mut parents = BTreeMap::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
                continue;
            };
            let (Some((id, _)), Some((_, rest))) = (stat.split_once(' '), stat.rsplit_once(')'))
            else {
                continue;
            };
            let parent: u32 = rest.split_whitespace().nth(1).unwrap().parse().unwrap();
            parents.insert(id.parse::<u32>().unwrap(), parent);
        }
        let mut found = vec![process];
        let mut at = 0;
        while at < found.len() {
            let children = parents.iter().filter(|(_, parent)| **parent == found[at]);
            found.extend(children.map(|(id, _)| *id).collect::<Vec<_>>());
            at += 1;
        }
        found.split_off(1)
    }

    fn kill(process: u32) {
        let mut command = Command::new("kill");
        command.args(["-9", &process.to_string()]);
        assert!(command.status().unwrap().success());
    }

    fn is_alive(process: &u32) -> bool {
        fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn a_replica_shows_what_was_published_whoever_is_killed_and_without_its_store() {
        let desk = desk();
        publish(&desk);
        let mut served = replica(&desk, "cache");
        assert!(served.get("/articles/first.html").contains("Some words."));
        let ready = admin(&served, "/readyz");
        assert!(ready.contains("\nnumber: 1\n"), "{ready}");
        let processes = descendants(served.child.id());
        assert_eq!(processes.len(), 2);
        kill(processes[1]);
        desk.write("site/articles/first.md", &article("First", "Other words."));
        publish(&desk);
        served.wait_for_answer("/articles/first.html", "Other words.");
        let metrics = admin(&served, "/metrics");
        assert!(
            metrics.contains("\ndiglot_replica_edition 2\n"),
            "{metrics}"
        );
        let processes = descendants(served.child.id());
        served.child.kill().unwrap();
        until(
            || !processes.iter().any(is_alive),
            || "what fetches does not end with the server".to_owned(),
        );
        fs::rename(desk.path("store"), desk.path("moved")).unwrap();
        let served = replica(&desk, "cache");
        assert!(served.get("/articles/first.html").contains("Other words."));
        served.wait_for("still serving edition 2");
        assert!(admin(&served, "/readyz").contains("\nstore: cannot open the folder"));
        fs::rename(desk.path("moved"), desk.path("store")).unwrap();
        desk.write("site/articles/first.md", &article("First", "New words."));
        publish(&desk);
        served.wait_for_answer("/articles/first.html", "New words.");
    }

    #[test]
    fn a_replica_whose_disk_is_full_answers_on_and_takes_the_edition_when_there_is_room() {
        let desk = desk();
        publish(&desk);
        let store = address(&desk);
        // No file may be longer than 2 MiB: writing fails, as on a disk that is full.
        let program = env!("CARGO_BIN_EXE_diglot");
        let args = "--listen 127.0.0.1:0 --poll 0.2 --cache cache";
        let limited = format!("trap '' XFSZ; ulimit -f 4096; exec {program} serve {store} {args}");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &limited])
            .current_dir(desk.path("."))
            .env("HOME", desk.path("home"));
        let served = Served::run(&mut shell);
        let (mut number, mut noise) = (1_u64, String::new());
        for _ in 0..3 << 20 {
            number = number.wrapping_mul(6_364_136_223_846_793_005) + 1;
            noise.push(char::from(b'0' + (number >> 59) as u8));
        }
        desk.write("site/articles/noise.txt", &noise);
        desk.write(
            "site/articles/first.md",
            &article("First", "[Noise](noise.txt)"),
        );
        publish(&desk);
        served.wait_for("still serving edition 1");
        assert!(
            served.said().contains("file too large"),
            "{}",
            served.said()
        );
        assert!(served.get("/articles/first.html").contains("Some words."));
        drop(served);
        let served = replica(&desk, "cache");
        served.wait_for_answer("/articles/first.html", "noise.txt");
    }

    /// A confined worker reads the store's folder, and no other: what a link in it leads to is out of
    /// reach.
    mod needs_landlock {
        use super::*;

        #[test]
        #[ignore = "needs a kernel with Landlock, of Linux 6.7 or newer"]
        fn what_fetches_reads_no_folder_but_the_store() {
            let (desk, elsewhere) = (desk(), Desk::new());
            publish(&desk);
            let (inside, outside) = (desk.path("store/segments"), elsewhere.path("segments"));
            let copied = Command::new("cp")
                .arg("-r")
                .args([&inside, &outside])
                .status();
            assert!(copied.unwrap().success());
            fs::remove_dir_all(&inside).unwrap();
            std::os::unix::fs::symlink(&outside, &inside).unwrap();
            let store = address(&desk);
            let args = "--listen 127.0.0.1:0 --poll 0.2 --admin 127.0.0.1:0 --cache cache";
            let confined = format!("serve {store} {args}");
            let mut child = desk
                .command(&confined)
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut lines = BufReader::new(child.stderr.take().unwrap());
            let mut said = String::new();
            while !said.contains("ermission denied") {
                let read = std::io::BufRead::read_line(&mut lines, &mut said).unwrap();
                assert!(read > 0 && !said.contains("is live"), "{said}");
            }
            child.kill().unwrap();
            child.wait().unwrap();
            let free = format!("{confined} --no-sandbox");
            let served = Served::run(&mut desk.command(&free));
            assert!(served.get("/articles/first.html").contains("Some words."));
        }
    }

    #[test]
    fn no_process_of_a_replica_may_gain_privileges() {
        let desk = desk();
        publish(&desk);
        let served = replica(&desk, "cache");
        // The server, and the process that fetches. The one that restarts it has the rights of the
        // user.
        let processes = descendants(served.child.id());
        for process in [served.child.id(), processes[1]] {
            let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
            assert!(status.contains("NoNewPrivs:\t1"), "{status}");
        }
    }

    #[test]
    fn a_second_replica_on_one_cache_says_so_once_and_takes_over() {
        let desk = desk();
        publish(&desk);
        let first = replica(&desk, "cache");
        let second = replica(&desk, "cache");
        second.wait_for("another replica uses the cache");
        // Only time tells that it is not said again: what fetches was started again after 0.2 s.
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let said = second.said();
        assert_eq!(said.matches("another replica").count(), 1, "{said}");
        drop(first);
        second.wait_for("the store is reachable again");
    }

    #[test]
    fn what_is_not_for_a_store_is_refused() {
        let desk = desk();
        publish(&desk);
        let store = address(&desk);
        for option in ["--drafts", "--no-watch", "--no-reload", "--open", "--json"] {
            let ran = desk.run(&format!("serve {store} {option}"));
            assert_eq!(ran.status, Some(2), "{option}");
            assert!(ran.err.contains(option), "{}", ran.err);
        }
        let ran = desk.run(&format!(
            "serve {store} --listen 127.0.0.1:0 --base-url https://example.net"
        ));
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(ran.err.contains("`https://example.org`"), "{}", ran.err);
        assert!(ran.err.contains("hint: remove `--base-url`"), "{}", ran.err);
    }

    /// The answer but for its date.
    fn answer(served: &Served, path: &str, fields: &str) -> Vec<u8> {
        let mut socket = TcpStream::connect(&served.address).unwrap();
        write!(
            socket,
            "GET {path} HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n{fields}\r\n"
        )
        .unwrap();
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).unwrap();
        let at = bytes.windows(6).position(|it| it == b"date: ").unwrap();
        bytes.drain(at..at + 37);
        bytes
    }

    /// The paths of every resource, and some without a resource.
    fn paths(desk: &Desk) -> Vec<String> {
        let ran = desk.run("build site --base-url https://example.org --output out");
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let mut paths: Vec<String> = tree::files(&desk.path("out"))
            .into_keys()
            .map(|path| format!("/{path}"))
            .collect();
        assert!(paths.len() > 20);
        let more = [
            "/",
            "/missing",
            "/feed",
            "/articles/first",
            "/search.html?q=words",
        ];
        paths.extend(more.map(str::to_owned));
        paths
    }

    #[test]
    fn two_replicas_and_the_folder_give_the_same_bytes_tags_and_headers() {
        let desk = desk();
        desk.write(
            "site/articles/second.md",
            &article("Second", &"Many words. ".repeat(200)),
        );
        publish(&desk);
        let paths = paths(&desk);
        let (one, other) = (replica(&desk, "one"), replica(&desk, "other"));
        let folder = Served::start(&desk, "--base-url https://example.org");
        for fields in [
            "",
            "Accept: text/markdown\r\n",
            "Accept-Encoding: gzip\r\n",
            "Accept-Encoding: br\r\n",
            "Accept-Encoding: zstd\r\nAccept: text/html\r\n",
        ] {
            for path in &paths {
                let expected = || answer(&folder, path, fields);
                assert_eq!(
                    answer(&one, path, fields),
                    answer(&other, path, fields),
                    "{path} {fields}"
                );
                // The folder's codings are made in the background.
                until(
                    || answer(&one, path, fields) == expected(),
                    || {
                        let (one, folder) = (answer(&one, path, fields), expected());
                        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                        format!("{path} {fields}\n{}\n\n{}", text(&one), text(&folder))
                    },
                );
            }
        }
    }

    #[test]
    fn a_replica_takes_no_edition_that_is_not_signed_with_its_key() {
        let desk = desk();
        publish(&desk);
        desk.write("other.pem", "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAWBr0ZhfjmVBASgKxOJV3jdXjFBYOGzrlpmN4K996xLQ=\n-----END PUBLIC KEY-----\n");
        let store = address(&desk);
        let args = format!("serve {store} --listen 127.0.0.1:0 --poll 0.2 --verify other.pem");
        let mut child = desk
            .command(&args)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        // A server that takes the edition announces that it answers.
        let ends = |line: &str| line.contains("there is no edition") || line.contains(" on http");
        let mut text = String::new();
        for line in said.lines().map(Result::unwrap) {
            text += &line;
            if ends(&line) {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            text.contains("it is not signed; there is no edition"),
            "{text}"
        );
        assert!(!text.contains("is live"), "{text}");
    }
}
