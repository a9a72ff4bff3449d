//! `no_new_privs` and Landlock.

use std::io;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Errno, LandlockStatus, NetPort, PathBeneath,
    PathFd, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr,
    RulesetError, Scope, make_bitflags,
};

use super::{Confined, Connects, Needs};
use crate::failure::reason;

/// The newest tested version; on an older kernel the library skips unknown restrictions.
const TRIED: ABI = ABI::V7;
/// The first version with restrictions of ports (Linux 6.7).
const WITH_PORTS: ABI = ABI::V4;

pub(super) fn confine(needs: &Needs) -> Confined {
    // Landlock requires it too; alone it still denies privileges to setuid programs.
    let no_new_privileges = rustix::thread::set_no_new_privs(true);
    let why = match restrict(needs).map(|status| status.landlock) {
        Ok(LandlockStatus::Available { effective_abi, .. }) if effective_abi >= WITH_PORTS => {
            return Confined::Wholly;
        }
        Ok(LandlockStatus::Available { .. }) => {
            "the sandbox restricts files, but not ports: that needs Linux 6.7"
        }
        Ok(LandlockStatus::NotEnabled) => {
            "the server runs without a sandbox: Landlock is off in this kernel (`lsm=` on its command line)"
        }
        Ok(_) if no_new_privileges.is_ok() => {
            "the server runs without a sandbox: this kernel has no Landlock (Linux 5.13 or later)"
        }
        Ok(_) => "the server runs without a sandbox: the kernel refused it",
        Err(error) => {
            let error = io::Error::from_raw_os_error(*Errno::from(error));
            return Confined::Less(format!("Landlock refused: {}", reason(&error)));
        }
    };
    Confined::Less(why.to_owned())
}

/// Denies everything but reading and writing the named paths. Sockets are already open, so no port
/// is allowed, unless connections are made.
fn restrict(needs: &Needs) -> Result<RestrictionStatus, RulesetError> {
    let reading: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let writing = reading
        | make_bitflags!(AccessFs::{WriteFile | Truncate | MakeReg | MakeDir | RemoveFile | RemoveDir | Refer});
    let (ports, open): (BitFlags<AccessNet>, &[u16]) = match &needs.connects {
        Connects::Anywhere => (AccessNet::BindTcp.into(), &[]),
        Connects::Ports(ports) => (AccessNet::from_all(TRIED), ports),
        Connects::Nowhere => (AccessNet::from_all(TRIED), &[]),
    };
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(TRIED))?
        .handle_access(ports)?
        .scope(Scope::from_all(TRIED))?
        .create()?;
    for path in &needs.read {
        rules = allow(rules, path, reading)?;
    }
    for path in &needs.write {
        rules = allow(rules, path, writing)?;
    }
    for path in &needs.remove_empty {
        rules = allow(rules, path, AccessFs::RemoveDir.into())?;
    }
    for port in open {
        rules = rules.add_rule(NetPort::new(*port, AccessNet::ConnectTcp))?;
    }
    rules.restrict_self()
}

/// A missing path cannot be allowed, and need not be.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(opened) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(TRIED)
    };
    rules.add_rule(PathBeneath::new(opened, access))
}

#[cfg(test)]
mod needs_landlock {
    use std::fs::{self, File};
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream};

    use rayon::prelude::*;

    use super::*;

    /// Runs `work` on its own confined thread, so that other tests keep their rights.
    fn confined(needs: &Needs, work: impl FnOnce() + Send) {
        let run = || {
            assert_eq!(confine(needs), Confined::Wholly);
            work();
        };
        std::thread::scope(|scope| scope.spawn(run).join().unwrap());
    }

    fn is_refused<T>(result: io::Result<T>) -> bool {
        result.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    fn needs(dir: &Path) -> Needs {
        for folder in ["site", "state", "other"] {
            fs::create_dir(dir.join(folder)).unwrap();
            fs::write(dir.join(folder).join("a.md"), "a").unwrap();
        }
        Needs {
            read: vec![dir.join("site")],
            write: vec![dir.join("state"), dir.join("not there")],
            remove_empty: Vec::new(),
            connects: Connects::Nowhere,
        }
    }

    #[test]
    #[ignore = "needs a kernel with Landlock, of Linux 6.7 or newer"]
    fn every_thread_is_refused_what_was_not_named() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let reads = || {
            is_refused(File::open("/etc/passwd"))
                && is_refused(fs::read_dir("/"))
                && fs::read(dir.join("site/a.md")).is_ok()
        };
        confined(&needs(dir), || {
            assert!(reads(), "the thread itself");
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(3)
                .build()
                .unwrap();
            assert!(
                pool.install(|| (0..300).into_par_iter().all(|_| reads())),
                "threads of rayon"
            );
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(3)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                for _ in 0..30 {
                    assert!(tokio::spawn(async {}).await.is_ok());
                }
                let workers: Vec<_> = (0..30)
                    .map(|_| tokio::spawn(async { is_refused(File::open("/etc/passwd")) }))
                    .collect();
                for worker in workers {
                    assert!(worker.await.unwrap(), "threads of tokio");
                }
                assert!(
                    tokio::task::spawn_blocking(|| is_refused(File::open("/etc/passwd")))
                        .await
                        .unwrap(),
                    "blocking threads of tokio"
                );
            });
            assert!(
                std::thread::scope(|scope| scope.spawn(reads).join().unwrap()),
                "threads of our own"
            );
        });
        assert!(
            File::open("/etc/passwd").is_ok(),
            "the threads of other tests keep their rights"
        );
    }

    #[test]
    #[ignore = "needs a kernel with Landlock, of Linux 6.7 or newer"]
    fn only_what_is_remembered_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        confined(&needs(dir), || {
            assert!(is_refused(fs::write(dir.join("site/a.md"), "b")));
            assert!(is_refused(fs::write(dir.join("site/b.md"), "b")));
            assert!(is_refused(fs::remove_file(dir.join("site/a.md"))));
            assert!(is_refused(fs::read(dir.join("other/a.md"))));
            fs::write(dir.join("state/b"), "b").unwrap();
            fs::rename(dir.join("state/b"), dir.join("state/a.md")).unwrap();
            fs::create_dir(dir.join("state/deep")).unwrap();
            fs::remove_dir(dir.join("state/deep")).unwrap();
            fs::remove_file(dir.join("state/a.md")).unwrap();
            assert!(is_refused(std::os::unix::fs::symlink(
                "/etc/passwd",
                dir.join("state/link")
            )));
        });
    }

    #[test]
    #[ignore = "needs a kernel with Landlock, of Linux 6.7 or newer"]
    fn what_fetches_connects_and_opens_no_port() {
        let dir = tempfile::tempdir().unwrap();
        let open = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = open.local_addr().unwrap();
        let needs = Needs {
            connects: Connects::Anywhere,
            ..needs(dir.path())
        };
        confined(&needs, || {
            assert!(is_refused(TcpListener::bind("127.0.0.1:0")));
            assert!(TcpStream::connect(address).is_ok());
            assert!(is_refused(File::open("/etc/passwd")));
        });
    }

    #[test]
    #[ignore = "needs a kernel with Landlock, of Linux 6.7 or newer"]
    fn no_port_is_opened_and_no_connection_made() {
        let dir = tempfile::tempdir().unwrap();
        let open = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = open.local_addr().unwrap();
        confined(&needs(dir.path()), || {
            assert!(is_refused(TcpListener::bind("127.0.0.1:0")));
            assert!(is_refused(TcpStream::connect(address)));
            assert!(
                is_refused(std::process::Command::new("/bin/true").status()),
                "nothing is executed"
            );
        });
        assert!(
            TcpStream::connect(address).is_ok(),
            "what was open stays open"
        );
    }
}
