//! What the server gives up before it spawns a thread: on Linux the right to gain privileges, and
//! by Landlock all files but those it was told of.
//!
//! The server answers from memory and has no file system on the path of a request, so this is the
//! second wall: should a parser, a codec or the runtime have a hole, an attacker who uses it reads
//! nothing but what is beside the articles, writes nothing but the state, opens no port and
//! connects nowhere.

#[cfg(target_os = "linux")]
mod linux;
mod lookup;

use std::path::PathBuf;

pub use lookup::lookup_folders;

/// What is still needed once the server runs. Sockets are opened before.
#[derive(Debug)]
pub struct Needs {
    /// Folders and files that are read, with all below them.
    pub read: Vec<PathBuf>,
    /// Folders in which files are made, written, renamed and removed.
    pub write: Vec<PathBuf>,
}

/// How much of it the system holds us to.
#[derive(Debug, PartialEq)]
pub enum Confined {
    /// Files and ports.
    Wholly,
    /// Files, but not all that was wanted, or nothing at all: why, in a few words.
    Less(String),
}

/// Gives up, for this thread and all that it will spawn, everything that `needs` does not name.
/// Cannot be undone.
///
/// What cannot be given up is said in the answer; nothing here fails.
pub fn confine(needs: &Needs) -> Confined {
    #[cfg(target_os = "linux")]
    return linux::confine(needs);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = needs;
        Confined::Less(
            "this system has no Landlock: nothing but the rights of its user confines the server"
                .to_owned(),
        )
    }
}
