//! Command lines and variables of the environment that are not understood.

use crate::cli::Desk;

const ARTICLE: &str = "---\ntitle: First\ndate: 2024-05-06\n---\n\nSome words.\n";

fn desk() -> Desk {
    Desk::with(&[("site/articles/first.md", ARTICLE)])
}

/// Runs a command with a variable; its exit status, and what it says on standard error.
fn with(desk: &Desk, args: &str, name: &str, value: &str) -> (Option<i32>, String) {
    let ran = desk.command(args).env(name, value).output().unwrap();
    (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
}

#[test]
fn a_wrong_value_is_that_of_the_variable_or_of_the_option() {
    let desk = desk();
    let hint = "hint: write an address and a port, such as `127.0.0.1:8080` or `[::1]:8080`";
    let (status, said) = with(&desk, "serve site", "DIGLOT_LISTEN", "foo");
    let message = "diglot: error: `foo` is not a value for `DIGLOT_LISTEN`";
    assert_eq!((status, said), (Some(2), format!("{message}\n  {hint}\n")));
    let args = "serve site --listen bar";
    let (_, said) = with(&desk, args, "DIGLOT_LISTEN", "127.0.0.1:0");
    let message = "diglot: error: `bar` is not a value for `--listen`";
    assert_eq!(said, format!("{message}\n  {hint}\n"));
}

#[test]
fn no_completion_offers_what_only_the_program_starts() {
    let desk = desk();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = desk.run(&format!("completions {shell}"));
        assert!(
            ran.out.contains("healthcheck") && ran.out.contains("quiet"),
            "{shell}"
        );
        for hidden in ["fetch-store", "fetch-certificate", "fetch__"] {
            assert!(!ran.out.contains(hidden), "{shell}: {hidden}");
        }
    }
}

#[cfg(feature = "acme")]
#[test]
fn names_between_any_number_of_spaces_are_names() {
    let desk = desk();
    let serve = "serve site --acme you@example.org --no-state --listen 127.0.0.1:0";
    for names in ["a.example  b.example", " a.example", "a.example "] {
        let (_, said) = with(&desk, serve, "DIGLOT_DOMAINS", names);
        let message = "`--acme` needs a state folder";
        assert!(said.contains(message), "{names}: {said}");
    }
    let (_, said) = with(&desk, serve, "DIGLOT_DOMAINS", " ");
    assert!(
        said.contains("`--acme` needs the name of this site"),
        "{said}"
    );
}

#[test]
fn a_variable_of_a_flag_is_a_yes_or_a_no() {
    let desk = desk();
    // With `--no-state` counting is refused, so the answer shows whether it was asked for.
    let serve = "serve site --no-state --listen 0.0.0.0:0";
    for (value, counts) in [
        ("1", true),
        ("true", true),
        ("yes", true),
        ("0", false),
        ("false", false),
        ("", false),
    ] {
        let (status, said) = with(&desk, serve, "DIGLOT_COUNT_READERS", value);
        assert_eq!(status, Some(2), "{value}: {said}");
        let needs = "`--count-readers` needs a state folder";
        assert_eq!(said.contains(needs), counts, "{value}: {said}");
    }
    let (_, said) = with(&desk, serve, "DIGLOT_COUNT_READERS", "perhaps");
    let message = "`perhaps` is not a value for `DIGLOT_COUNT_READERS`";
    assert!(said.contains(message), "{said}");
}

#[test]
fn an_empty_variable_is_not_set() {
    let desk = desk();
    let variables = ["DIGLOT_STATE", "DIGLOT_BASE_URL", "DIGLOT_LIMITS"];
    for name in variables {
        let (status, said) = with(&desk, "check site", name, "");
        assert_eq!((status, said), (Some(0), String::new()), "{name}");
    }
    let refused = "serve site --listen 0.0.0.0:0";
    for name in [
        "DIGLOT_TLS_CERT",
        "DIGLOT_RATE",
        "DIGLOT_LOG_FORMAT",
        "DIGLOT_TRUSTED_PROXIES",
    ] {
        let (_, said) = with(&desk, refused, name, "");
        assert!(said.contains("no base URL is set"), "{name}: {said}");
    }
}

#[test]
fn a_build_without_output_and_address_is_told_of_both() {
    let desk = desk();
    for (args, words) in [
        (
            "build site",
            "add `--output public --base-url https://example.org`",
        ),
        (
            "build site --base-url https://example.org",
            "add `--output public`\n",
        ),
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

#[test]
fn all_wrong_limits_and_all_missing_files_are_told_at_once() {
    let desk = desk();
    let said = desk
        .run("check site --limit file=1 --limit connections=x")
        .err;
    assert!(said.contains("unknown limit `file`\n"), "{said}");
    assert!(
        said.contains("`x` is not a value for the limit `connections`\n"),
        "{said}"
    );
    let said = desk
        .run("serve site --tls-cert x.pem --tls-key y.pem --listen 127.0.0.1:0")
        .err;
    assert!(
        said.contains("`x.pem`") && said.contains("`y.pem`"),
        "{said}"
    );
}
