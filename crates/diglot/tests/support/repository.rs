//! A git repository for tests, written by gix, so that no test needs git itself.

#![allow(
    dead_code,
    reason = "not every test that has this module branches or cuts"
)]

use std::fs;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::objs::Tree;
use gix::objs::tree::{Entry, EntryKind};

/// A repository with its files beside it.
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// A fresh one in a folder, whose branch is `main`.
    pub fn init(root: &Path) -> Self {
        gix::init(root).unwrap();
        let repository = Self {
            root: root.to_owned(),
        };
        repository.switch("main");
        repository
    }

    /// Makes another branch the one that commits go to; the files stay as they are.
    pub fn switch(&self, branch: &str) {
        fs::write(
            self.root.join(".git/HEAD"),
            format!("ref: refs/heads/{branch}\n"),
        )
        .unwrap();
    }

    /// Begins a branch at a commit, and commits to it from now on.
    pub fn branch(&self, name: &str, at: ObjectId) {
        fs::write(
            self.root.join(".git/refs/heads").join(name),
            format!("{at}\n"),
        )
        .unwrap();
        self.switch(name);
    }

    /// Commits all files as they are, at a second since 1970.
    pub fn commit(&self, second: i64) -> ObjectId {
        self.merge(second, None)
    }

    /// Commits all files as they are, behind the branch's last commit and another one.
    pub fn merge(&self, second: i64, other: impl Into<Option<ObjectId>>) -> ObjectId {
        let repository = gix::open(&self.root).unwrap();
        let tree = tree(&repository, &self.root)
            .unwrap_or_else(|| ObjectId::empty_tree(gix::hash::Kind::Sha1));
        let head = repository.head_id().ok().map(|id| id.detach());
        let author = gix::actor::Signature {
            name: "A".into(),
            email: "a@example.org".into(),
            time: gix::date::Time::new(second, 0),
        };
        let mut time = Default::default();
        let author = author.to_ref(&mut time);
        repository
            .commit_as(
                author,
                author,
                "HEAD",
                "change",
                tree,
                head.into_iter().chain(other.into()),
            )
            .unwrap()
            .detach()
    }

    /// As after a clone that ends at these commits: those beyond are gone.
    pub fn cut(&self, edge: &[ObjectId], beyond: &[ObjectId]) {
        let edge: String = edge.iter().map(|id| format!("{id}\n")).collect();
        fs::write(self.root.join(".git/shallow"), edge).unwrap();
        for id in beyond {
            let id = id.to_string();
            fs::remove_file(self.root.join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
        }
    }
}

/// A folder as git stores it; nothing, if it holds no file.
fn tree(repository: &gix::Repository, folder: &Path) -> Option<ObjectId> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (path, name) = entry
            .map(|entry| (entry.path(), entry.file_name().into_string().unwrap()))
            .unwrap();
        let (kind, id) = match path.is_dir() {
            true if name == ".git" => continue,
            true => (EntryKind::Tree, tree(repository, &path)),
            false => (
                EntryKind::Blob,
                Some(
                    repository
                        .write_blob(fs::read(&path).unwrap())
                        .unwrap()
                        .detach(),
                ),
            ),
        };
        entries.extend(id.map(|oid| Entry {
            mode: kind.into(),
            filename: name.into(),
            oid,
        }));
    }
    entries.sort();
    (!entries.is_empty()).then(|| repository.write_object(Tree { entries }).unwrap().detach())
}
