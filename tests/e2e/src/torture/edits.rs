//! Edits and faults under a running server, as made by editors, version control and deployments.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

use super::ledger::{Ledger, Wrong};
use super::site::{self, STABLE, Site, VOLATILE};
use crate::random::Random;

/// The number of touches in one burst of "ten thousand files touched at once".
const TOUCHES: usize = 10_000;

/// Edits something every second until the phase is over; the folder is complete afterwards.
pub fn editor(ledger: &Ledger, site: &Site, seed: u64) {
    let mut editor = Editor {
        ledger,
        site,
        random: Random::seeded(seed),
        edit: 1,
        release: 0,
    };
    while !ledger.is_over() {
        ledger.faults.fetch_add(1, Relaxed);
        if let Err(error) = editor.one() {
            ledger.complain(Wrong::Promise, || format!("an edit failed: {error}"));
        }
        ledger.rest(Duration::from_millis(600 + editor.random.below(800) as u64));
    }
}

struct Editor<'a> {
    ledger: &'a Ledger,
    site: &'a Site,
    random: Random,
    edit: usize,
    release: usize,
}

impl Editor<'_> {
    fn one(&mut self) -> io::Result<()> {
        self.edit += 1;
        let release = self.site.release(self.release);
        match self.random.below(14) {
            0 | 1 => self.rename_save(&release),
            2 | 3 => self.in_place(&release),
            4 => {
                self.release += 1;
                self.site.switch(if self.release.is_multiple_of(2) {
                    "release-a"
                } else {
                    "release-b"
                })
            }
            5 => self.checkout(),
            6 => self.touch(&release),
            7 => self.broken(&release.join("theme/home.html"), "{% if page %}"),
            8 => self.broken(
                &release.join("articles/volatile/broken.md"),
                "---\ntitle: [\ndate: 2017-02-29\n---\n{{% }}",
            ),
            9 => self.settings(&release),
            10 => self.without(&release.join("articles/volatile")),
            11 => self.emptied(),
            12 => self.without(&self.site.current.clone()),
            _ => self.odd(&release),
        }
    }

    fn text(&mut self) -> (String, String) {
        let number = self.random.below(STABLE);
        (
            site::stable(number),
            site::text(&format!("Stable {number}"), number, self.edit),
        )
    }

    /// How most editors save: a new file next to the old one, then a rename over it.
    fn rename_save(&mut self, release: &Path) -> io::Result<()> {
        let (path, text) = self.text();
        let swap = release.join("articles/.stable.swp");
        fs::write(&swap, text)?;
        fs::rename(swap, release.join(path))
    }

    /// How others save: the file is truncated and rewritten, here in two halves with a pause.
    fn in_place(&mut self, release: &Path) -> io::Result<()> {
        let (path, text) = self.text();
        let mut file = File::create(release.join(path))?;
        let (one, other) = text.as_bytes().split_at(text.len() / 2);
        file.write_all(one)?;
        std::thread::sleep(Duration::from_millis(self.random.below(120) as u64));
        file.write_all(other)
    }

    /// A checkout of the other branch, overwriting all edits.
    fn checkout(&mut self) -> io::Result<()> {
        let branch = if self.random.chance(0.5) {
            "one"
        } else {
            "two"
        };
        site::git(&self.site.release(0), &["checkout", "-q", "-f", branch])
            .map_err(io::Error::other)
    }

    fn touch(&mut self, release: &Path) -> io::Result<()> {
        let now = SystemTime::now();
        let files = (0..STABLE)
            .map(|number| {
                File::options()
                    .write(true)
                    .open(release.join(site::stable(number)))
            })
            .collect::<io::Result<Vec<_>>>()?;
        (0..TOUCHES).try_for_each(|number| {
            files[number % STABLE].set_times(FileTimes::new().set_modified(now))
        })
    }

    /// A file that cannot be parsed, removed after a while.
    fn broken(&mut self, path: &Path, text: &str) -> io::Result<()> {
        fs::write(path, text)?;
        self.ledger.rest(Duration::from_millis(700));
        fs::remove_file(path)
    }

    fn settings(&mut self, release: &Path) -> io::Result<()> {
        let path = release.join("diglot.toml");
        let good = fs::read(&path)?;
        fs::write(&path, "title = \"Torture\"\nthem = 1\n[")?;
        self.ledger.rest(Duration::from_millis(700));
        fs::write(release.join(".toml"), good)?;
        fs::rename(release.join(".toml"), path)
    }

    /// A folder, or the link to it, that is missing for a while.
    fn without(&mut self, path: &Path) -> io::Result<()> {
        let away = self.site.place.join("away");
        fs::rename(path, &away)?;
        self.ledger
            .rest(Duration::from_millis(500 + self.random.below(2500) as u64));
        fs::rename(away, path)
    }

    /// An empty folder instead of the site.
    fn emptied(&mut self) -> io::Result<()> {
        self.site.switch("empty")?;
        self.ledger
            .rest(Duration::from_millis(500 + self.random.below(2500) as u64));
        self.site.switch(if self.release.is_multiple_of(2) {
            "release-a"
        } else {
            "release-b"
        })
    }

    /// Special files, and files that appear and disappear while the folder is read.
    fn odd(&mut self, release: &Path) -> io::Result<()> {
        let folder = release.join("articles/volatile");
        let paths: Vec<_> = (0..200)
            .map(|number| folder.join(format!("passing-{number}.txt")))
            .collect();
        fs::create_dir_all(folder.join("folder.md"))?;
        paths
            .iter()
            .try_for_each(|path| fs::write(path, "passing"))?;
        paths.iter().try_for_each(fs::remove_file)?;
        fs::remove_dir(folder.join("folder.md"))?;
        let number = self.random.below(VOLATILE);
        fs::write(
            release.join(site::volatile(number)),
            site::text(&format!("Volatile {number}"), number + 1, self.edit),
        )
    }
}
