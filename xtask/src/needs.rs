//! Tests that `cargo test --workspace` ignores because not every machine meets their needs.

use std::process::Command;

use xtask::shell::{self, beside, cargo};
use xtask::step::{Done, Outcome};

/// A need of some tests: the module they are in, and whether this machine meets it.
struct Need {
    module: &'static str,
    what: &'static str,
    is_here: fn() -> bool,
}

const NEEDS: [Need; 4] = [
    Need {
        module: "needs_corpora::",
        what: "the folders of real articles",
        is_here: || beside("corpora", "DIGLOT_CORPORA").is_some(),
    },
    Need {
        module: "needs_root::",
        what: "the rights of root",
        is_here: is_root,
    },
    Need {
        module: "needs_node::",
        what: "node",
        is_here: || Command::new("node").arg("--version").output().is_ok(),
    },
    Need {
        module: "needs_landlock::",
        what: "a kernel with Landlock",
        is_here: has_landlock,
    },
];

/// The step.
pub fn run() -> Outcome {
    let (here, missing): (Vec<&Need>, Vec<&Need>) = NEEDS.iter().partition(|need| (need.is_here)());
    let notes: Vec<String> = missing
        .iter()
        .map(|need| format!("not run without {}: `{}`", need.what, need.module))
        .collect();
    notes.iter().for_each(|note| println!("{note}"));
    if here.is_empty() {
        return Ok(Done::Passed(notes.join("; ")));
    }
    shell::run(
        cargo()
            .args(["test", "--workspace", "--lib", "--tests", "--", "--ignored"])
            .args(here.iter().map(|need| need.module)),
    )?;
    Ok(Done::Passed(notes.join("; ")))
}

fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    false
}

/// Whether Landlock can restrict files and ports.
fn has_landlock() -> bool {
    #[cfg(target_os = "linux")]
    {
        use landlock::{ABI, Access, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr};
        let all = AccessNet::from_all(ABI::V4);
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(all)
            .and_then(Ruleset::create)
            .is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    false
}
