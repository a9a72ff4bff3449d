//! The Debian package: staged as a tree, built by `dpkg-deb`.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell::{self, root};

use crate::archive::{self, Entry, Tree};
use crate::{Order, VERSION, architecture, read, rfc2822, write};

/// Who answers for the package.
const MAINTAINER: &str = "Diglot maintainers <maintainers@diglot.example>";

/// Builds the package.
///
/// # Errors
/// A tool of Debian or of binutils is missing or failed.
pub fn package(
    order: &Order,
    program: &Path,
    documents: &Tree,
    work: &Path,
    time: u64,
) -> Result<PathBuf, String> {
    let (version, machine) = (
        format!("{VERSION}-{}", order.revision),
        architecture(&order.target)?,
    );
    let mut tree = files(program, documents)?;
    let news = debian_changelog(&version, time)?;
    let doc = "usr/share/doc/diglot";
    let packed = Entry::file(archive::gzip(news.as_bytes())?);
    tree.add(&format!("{doc}/changelog.Debian.gz"), packed);
    let size = tree
        .iter()
        .map(|(_, entry)| entry.bytes().len().div_ceil(1024) + 1)
        .sum::<usize>();
    let control = format!(
        "Package: diglot\nVersion: {version}\nArchitecture: {machine}\nMaintainer: {MAINTAINER}\n\
         Installed-Size: {size}\nDepends: {}\nRecommends: ca-certificates\nSection: web\n\
         Priority: optional\nHomepage: https://diglot.example/\n{DESCRIPTION}",
        libraries(program)?
    );
    let staged = work.join("debian");
    for (path, entry) in tree.iter() {
        stage(&staged.join(path), entry)?;
    }
    let sums = digests(&tree, &staged)?;
    for (path, entry) in about(control, sums)?.iter() {
        stage(&staged.join("DEBIAN").join(path), entry)?;
    }
    let package = order.output.join(format!("diglot_{version}_{machine}.deb"));
    shell::text(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "--threads-max=1", "--build"])
            .arg(&staged)
            .arg(&package)
            .env("SOURCE_DATE_EPOCH", time.to_string()),
    )?;
    Ok(package)
}

const DESCRIPTION: &str = "Description: publish a folder of articles as HTML and Markdown
 Diglot makes a whole site of a folder of Markdown files: pages, feed,
 sitemaps, llms.txt and a description of the interface, each page as HTML
 for people and as Markdown for machines. It serves the site over HTTP, or
 writes it as files for any static host.
 .
 The service is not started until it is enabled: see /etc/default/diglot.
";

/// What is installed.
fn files(program: &Path, documents: &Tree) -> Result<Tree, String> {
    let mut tree = Tree::default();
    tree.add("usr/bin/diglot", Entry::program(read(program)?));
    for (path, entry) in documents.iter() {
        let (kind, name) = path.split_once('/').unwrap_or(("", path));
        match (kind, name) {
            ("man", _) => tree.add(
                &format!("usr/share/man/man1/{name}.gz"),
                Entry::file(archive::gzip(entry.bytes())?),
            ),
            (_, "diglot.bash") => tree.add(
                "usr/share/bash-completion/completions/diglot",
                entry.clone(),
            ),
            (_, "_diglot") => {
                tree.add("usr/share/zsh/vendor-completions/_diglot", entry.clone());
            }
            (_, "diglot.fish") => tree.add(
                "usr/share/fish/vendor_completions.d/diglot.fish",
                entry.clone(),
            ),
            _ => {}
        }
    }
    for unit in ["diglot.service", "diglot.socket"] {
        let text = read(&root().join("packaging/systemd").join(unit))?;
        let text = String::from_utf8_lossy(&text).replace("/usr/local/bin/", "/usr/bin/");
        tree.add(
            &format!("usr/lib/systemd/system/{unit}"),
            Entry::file(text.into_bytes()),
        );
    }
    let own = |name: &str| read(&root().join("packaging/debian").join(name));
    tree.add("etc/default/diglot", Entry::file(own("default")?));
    let doc = "usr/share/doc/diglot";
    tree.add(&format!("{doc}/copyright"), Entry::file(own("copyright")?));
    let changes = read(&root().join("CHANGELOG.md"))?;
    let changes = Entry::file(archive::gzip(&changes)?);
    tree.add(&format!("{doc}/changelog.gz"), changes);
    Ok(tree)
}

/// The digests by which `dpkg --verify` finds damaged files.
fn digests(tree: &Tree, staged: &Path) -> Result<String, String> {
    let mut md5sum = Command::new("md5sum");
    for (path, _) in tree.iter() {
        if !path.starts_with("etc/") {
            md5sum.arg(path);
        }
    }
    shell::text(md5sum.current_dir(staged))
}

/// What is said about the package: control file, maintainer scripts, configuration files.
fn about(control: String, sums: String) -> Result<Tree, String> {
    let mut about = Tree::default();
    about.add("md5sums", Entry::file(sums.into_bytes()));
    about.add("control", Entry::file(control.into_bytes()));
    about.add("conffiles", Entry::file(b"/etc/default/diglot\n".to_vec()));
    for script in ["postinst", "prerm", "postrm"] {
        let text = read(&root().join("packaging/debian").join(script))?;
        about.add(script, Entry::program(text));
    }
    Ok(about)
}

fn debian_changelog(version: &str, time: u64) -> Result<String, String> {
    Ok(format!(
        "diglot ({version}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- {MAINTAINER}  {}\n",
        rfc2822(time)?
    ))
}

/// The packages of the shared libraries that the program names, from its versions of symbols.
fn libraries(program: &Path) -> Result<String, String> {
    let said = shell::text(
        Command::new("objdump")
            .arg("--private-headers")
            .arg(program),
    )?;
    let mut newest = (0, 0);
    let mut others = BTreeSet::new();
    for word in said.split_whitespace() {
        let word = word.trim_end_matches(':');
        if let Some(version) = word.strip_prefix("GLIBC_2.") {
            let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
            let version = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
            newest = newest.max(version);
        } else if word == "libgcc_s.so.1" {
            others.insert("libgcc-s1 (>= 3.3)");
        } else if word.contains(".so.") && !KNOWN.contains(&word) {
            return Err(format!("no package is known for the library `{word}`"));
        }
    }
    let mut depends = vec![format!("libc6 (>= 2.{})", newest.0)];
    depends.extend(others.into_iter().map(str::to_owned));
    Ok(depends.join(", "))
}

/// The libraries of `libc6`.
const KNOWN: [&str; 5] = [
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
];

fn stage(path: &Path, entry: &Entry) -> Result<(), String> {
    let failed = |error| format!("cannot make `{}`: {error}", path.display());
    if let Some(folder) = path.parent() {
        let mut open = Vec::new();
        for above in folder.ancestors() {
            if above.exists() {
                break;
            }
            open.push(above);
        }
        for above in open.into_iter().rev() {
            fs::create_dir(above).map_err(failed)?;
            fs::set_permissions(above, fs::Permissions::from_mode(0o755)).map_err(failed)?;
        }
    }
    write(path, entry.bytes())?;
    fs::set_permissions(path, fs::Permissions::from_mode(entry.mode())).map_err(failed)
}
