//! The files with which others publish their folder: the action, workflows, `netlify.toml`. Their
//! commands run in a folder of articles, as they do on the host.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cli::Desk;

const ARTICLE: (&str, &str) = ("site/articles/first.md", "# First\n\nSome words.\n");

fn project(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

/// The script of the action's step with this name.
fn step(name: &str) -> String {
    let action = fs::read_to_string(project("action.yml")).unwrap();
    let (_, step) = action.split_once(&format!("- name: {name}\n")).unwrap();
    let (step, _) = step.split_once("    - name:").unwrap_or((step, ""));
    let (_, script) = step.split_once(" run: ").unwrap();
    script.trim_start_matches("|\n").to_owned()
}

/// Runs a script in the folder of articles, with the program in the path.
fn run(desk: &Desk, script: &str) -> Output {
    fs::create_dir_all(desk.path("temporary")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_diglot")).parent().unwrap();
    Command::new("bash")
        .args(["-e", "-c", script])
        .current_dir(desk.path("site"))
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .env("HOME", desk.path("home"))
        .env("FOLDER", ".")
        .env("STRICT", "")
        .env("OUTPUT", "")
        .env("RUNNER_TEMP", desk.path("temporary"))
        .env("GITHUB_OUTPUT", desk.path("outputs"))
        .env("DIGLOT_BASE_URL", "https://example.org")
        .output()
        .unwrap()
}

#[test]
fn the_action_builds_the_folder_in_which_it_runs() {
    let desk = Desk::with(&[ARTICLE]);
    for name in ["Check the folder", "Build the site"] {
        let output = run(&desk, &step(name));
        assert!(output.status.success(), "{name}: {output:?}");
    }
    let outputs = desk.read("outputs");
    let site = outputs.trim().strip_prefix("output=").unwrap();
    assert!(Path::new(site).join("articles/first.html").is_file());
    assert!(Path::new(site).join(".nojekyll").is_file());
}

#[test]
fn an_error_in_the_content_fails_the_action_before_it_builds() {
    let same = (
        "site/articles/second.md",
        "---\nslug: first\n---\n\nWords.\n",
    );
    let desk = Desk::with(&[ARTICLE, same]);
    let output = run(&desk, &step("Check the folder"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn netlify_builds_the_folder_in_which_it_runs() {
    let settings = fs::read_to_string(project("packaging/publish/netlify.toml")).unwrap();
    let (_, commands) = settings.split_once("/tmp/diglot/diglot build").unwrap();
    let (commands, rest) = commands.split_once("\"\"\"").unwrap();
    let desk = Desk::with(&[ARTICLE]);
    let script = format!("diglot build{commands}").replace("/tmp/", "../temporary/");
    let output = run(&desk, &script);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(rest.trim(), "publish = \"_site\"");
    assert!(desk.path("site/_site/articles/first.html").is_file());
}

#[test]
fn workflows_send_the_folder_that_the_action_wrote() {
    for name in ["cloudflare", "github-pages", "netlify", "s3"] {
        let path = project(&format!("packaging/publish/{name}.yml"));
        let workflow = fs::read_to_string(path).unwrap();
        let (_, after) = workflow.split_once("- uses: example/diglot@").unwrap();
        assert!(after.contains("id: site\n"), "{name}");
        assert!(after.contains("${{ steps.site.outputs.output }}"), "{name}");
    }
}
