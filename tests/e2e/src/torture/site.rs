//! The site under torture: two releases of a folder, a link to the current one, and canaries
//! wherever nothing may be published.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell;

/// The prefix of every canary. No published word contains it.
pub const CANARY: &str = "zzcanary";
/// Articles that every edition has.
pub const STABLE: usize = 30;
/// Articles that appear and disappear.
pub const VOLATILE: usize = 8;
/// The text of an article.
const PARAGRAPH: &str = "Some words of an article that are there to be compressed, cut into ranges and sent slowly, with [a link](stable-0.md) and `code`. ";

/// The folders.
#[derive(Clone, Debug)]
pub struct Site {
    /// The parent of everything; its own name is a canary, because no answer may reveal where the
    /// files are.
    pub place: PathBuf,
    /// The served path: a link to one of the releases.
    pub current: PathBuf,
}

impl Site {
    /// Creates the site below a fresh folder.
    ///
    /// # Errors
    /// Errors of the file system or of git.
    pub fn make(scratch: &Path) -> Result<Self, String> {
        let place = scratch.join(format!("{CANARY}-place"));
        let site = Self {
            current: place.join("current"),
            place,
        };
        site.fill()
            .map_err(|error| format!("cannot write `{}`: {error}", site.place.display()))?;
        site.commit()?;
        Ok(site)
    }

    /// One of the two releases.
    pub fn release(&self, number: usize) -> PathBuf {
        self.place.join(["release-a", "release-b"][number % 2])
    }

    fn fill(&self) -> io::Result<()> {
        for release in [self.release(0), self.release(1)] {
            folder(&release, 0)?;
        }
        fs::create_dir_all(self.place.join("empty"))?;
        link(Path::new("release-a"), &self.current)
    }

    /// Commits two branches in the first release, for checkouts: every article differs.
    fn commit(&self) -> Result<(), String> {
        let failed = |error: io::Error| format!("cannot write a branch: {error}");
        let release = self.release(0);
        for (branch, edit) in [("one", 1_000_001), ("two", 1_000_002)] {
            for number in 0..STABLE {
                fs::write(
                    release.join(stable(number)),
                    text(&format!("Stable {number}"), number, edit),
                )
                .map_err(failed)?;
            }
            if branch == "one" {
                git(&release, &["init", "-q", "-b", "one"])?;
            } else {
                git(&release, &["checkout", "-q", "-b", "two"])?;
            }
            git(&release, &["add", "-A"])?;
            git(
                &release,
                &["commit", "-q", "-m", &format!("{CANARY}-message")],
            )?;
        }
        Ok(())
    }

    /// Switches the link atomically.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn switch(&self, target: &str) -> io::Result<()> {
        let next = self.place.join("next");
        let _ = fs::remove_file(&next);
        link(Path::new(target), &next)?;
        fs::rename(next, &self.current)
    }
}

/// Git with a made-up author, whose name and address are canaries.
///
/// # Errors
/// Its output.
pub fn git(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let (name, email) = (
        format!("user.name={CANARY}-author"),
        format!("user.email={CANARY}@example.org"),
    );
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            &name,
            "-c",
            &email,
            "-c",
            "commit.gpgsign=false",
            "-c",
            "gc.auto=0",
        ])
        .args(arguments);
    shell::text(
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null"),
    )
    .map(drop)
}

/// The path of a stable article.
pub fn stable(number: usize) -> String {
    format!("articles/stable-{number}.md")
}

/// The path of a volatile article.
pub fn volatile(number: usize) -> String {
    format!("articles/volatile/volatile-{number}.md")
}

/// An article with the number of its edit at both ends; its length depends on `number`.
pub fn text(title: &str, number: usize, edit: usize) -> String {
    let body = PARAGRAPH.repeat(if number == 0 { 1500 } else { 5 + number * 3 });
    format!(
        "---\ntitle: {title}\ndate: 2024-01-{:02}\ndescription: One.\ninternal_note: {CANARY}-key\n---\n\nFirst beginmark{edit} words.\n\n<!-- {CANARY}-comment -->\n\n{body}\n\nLast endmark{edit} words.\n",
        number % 28 + 1
    )
}

/// Writes a whole folder of the site.
///
/// # Errors
/// Errors of the file system.
pub fn folder(root: &Path, edit: usize) -> io::Result<()> {
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::File::create(path)?.write_all(text.as_bytes())
    };
    write(
        "diglot.toml",
        &format!("# {CANARY}-settings\ntitle = \"Torture\"\ntheme = \"theme\"\n"),
    )?;
    write("theme/custom.css", ":root { --accent: #1f5f8b; }\n")?;
    write("index.md", &format!("Hello. <!-- {CANARY}-home -->\n"))?;
    write("about.md", "# About\n\nWords.\n")?;
    write("static/data.csv", &"1,2,3\n".repeat(20_000))?;
    (0..STABLE).try_for_each(|number| {
        write(
            &stable(number),
            &text(&format!("Stable {number}"), number, edit),
        )
    })?;
    (0..VOLATILE).try_for_each(|number| {
        write(
            &volatile(number),
            &text(&format!("Volatile {number}"), number + 1, edit),
        )
    })?;
    let secret =
        |front: &str| format!("---\ntitle: {CANARY}-title\n{front}\n---\n\n{CANARY}-body\n");
    write(
        &format!("articles/{CANARY}-draft.md"),
        &secret("date: 2024-01-01\ndraft: true"),
    )?;
    write(
        &format!("articles/{CANARY}-later.md"),
        &secret("date: 2099-01-01"),
    )?;
    write(
        &format!("articles/.{CANARY}-hidden.md"),
        &secret("date: 2024-01-01"),
    )?;
    write(&format!(".{CANARY}/notes.md"), &secret("date: 2024-01-01"))?;
    write(".env", &format!("PASSWORD={CANARY}-password\n"))
}

fn link(target: &Path, link: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link);
    #[cfg(not(unix))]
    return Err(io::Error::other(format!(
        "no link from `{}` to `{}` on this system",
        link.display(),
        target.display()
    )));
}
