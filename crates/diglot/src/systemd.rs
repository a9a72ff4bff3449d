//! The protocol between a service and its manager (`sd_notify(3)`, `sd_listen_fds(3)`): an
//! inherited listening socket, and messages about our state.
//!
//! Without a manager none of this has an effect.
//!
//! The crate `sd-notify` connects for each message, which the sandbox forbids. So one socket is
//! connected before it and kept.

use std::net::TcpListener;
use std::time::Duration;

use crate::failure::{Failure, reason};

/// The listening socket that the manager passed to us (socket activation), if there is one.
///
/// # Errors
/// There are several, or it is not a TCP socket.
#[cfg(unix)]
pub fn listener() -> Result<Option<TcpListener>, Failure> {
    let mut given = listenfd::ListenFd::from_env();
    if given.len() > 1 {
        return Err(Failure::usage(format!(
            "systemd passed {} sockets, but Diglot serves one",
            given.len()
        ))
        .hint("keep one `ListenStream=` in the socket unit"));
    }
    given.take_tcp_listener(0).map_err(|error| {
        Failure::usage(format!(
            "the socket that systemd passed is not usable: {}",
            reason(&error)
        ))
    })
}

/// There is no socket activation on this system.
#[cfg(not(unix))]
pub fn listener() -> Result<Option<TcpListener>, Failure> {
    Ok(None)
}

/// The connection to the manager, opened before the server confines itself.
pub struct Manager {
    #[cfg(unix)]
    socket: Option<std::os::unix::net::UnixDatagram>,
    /// How often it expects a message.
    pub watchdog: Option<Duration>,
}

impl Manager {
    /// The manager named by the environment (`NOTIFY_SOCKET`, `WATCHDOG_USEC`).
    pub fn from_env() -> Self {
        Self {
            #[cfg(unix)]
            socket: std::env::var_os("NOTIFY_SOCKET").and_then(|name| connect(&name).ok()),
            watchdog: interval(|name| std::env::var(name).ok(), std::process::id()),
        }
    }

    /// Reports that the server answers; `systemctl status` shows `status`.
    pub fn ready(&self, status: &str) {
        self.send(&format!("READY=1\nSTATUS={status}"));
    }

    /// Reports that a new edition is being built; [`ready`](Self::ready) follows. Answers continue
    /// meanwhile.
    pub fn reloading(&self) {
        self.send(&format!("RELOADING=1{}", monotonic()));
    }

    /// Reports that the server accepts nothing more.
    pub fn stopping(&self) {
        self.send("STOPPING=1");
    }

    /// Reports that the server is alive.
    pub fn alive(&self) {
        self.send("WATCHDOG=1");
    }

    /// Errors are ignored: a missing manager is not a reason to stop.
    fn send(&self, message: &str) {
        #[cfg(unix)]
        if let Some(socket) = &self.socket {
            let _ = socket.send(message.as_bytes());
        }
        #[cfg(not(unix))]
        let _ = message;
    }
}

/// A datagram socket connected to the manager's: a path, or with `@` a name in Linux's abstract
/// namespace.
#[cfg(unix)]
fn connect(name: &std::ffi::OsStr) -> std::io::Result<std::os::unix::net::UnixDatagram> {
    let socket = std::os::unix::net::UnixDatagram::unbound()?;
    // A manager that does not read must not block the server.
    socket.set_nonblocking(true)?;
    #[cfg(target_os = "linux")]
    if let Some(name) = name.as_encoded_bytes().strip_prefix(b"@") {
        use std::os::linux::net::SocketAddrExt;
        socket.connect_addr(&std::os::unix::net::SocketAddr::from_abstract_name(name)?)?;
        return Ok(socket);
    }
    socket.connect(name)?;
    Ok(socket)
}

/// Half of the time after which the manager considers the process dead; `None` if it watches
/// another process.
fn interval(env: impl Fn(&str) -> Option<String>, id: u32) -> Option<Duration> {
    let micros: u64 = env("WATCHDOG_USEC")?.parse().ok()?;
    let about_us = env("WATCHDOG_PID").is_none_or(|pid| pid == id.to_string());
    (about_us && micros > 1).then(|| Duration::from_micros(micros / 2))
}

/// When a reload began, by the clock that the manager uses.
#[cfg(target_os = "linux")]
fn monotonic() -> String {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    format!(
        "\nMONOTONIC_USEC={}",
        now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
    )
}

#[cfg(not(target_os = "linux"))]
fn monotonic() -> String {
    String::new()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::net::UnixDatagram;

    use super::*;

    #[test]
    fn the_manager_hears_what_we_do() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("notify");
        let heard = UnixDatagram::bind(&path).unwrap();
        let manager = Manager {
            socket: Some(connect(path.as_os_str()).unwrap()),
            watchdog: None,
        };
        let next = || {
            let mut bytes = [0; 200];
            let length = heard.recv(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes[..length]).into_owned()
        };
        manager.ready("3 articles");
        assert_eq!(next(), "READY=1\nSTATUS=3 articles");
        manager.reloading();
        assert!(next().starts_with("RELOADING=1"));
        manager.alive();
        assert_eq!(next(), "WATCHDOG=1");
        manager.stopping();
        assert_eq!(next(), "STOPPING=1");
        drop(heard);
        manager.alive();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_in_the_abstract_namespace() {
        use std::os::linux::net::SocketAddrExt;
        let name = format!("diglot-test-{}", std::process::id());
        let heard = UnixDatagram::bind_addr(
            &std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap(),
        )
        .unwrap();
        Manager {
            socket: Some(connect(format!("@{name}").as_ref()).unwrap()),
            watchdog: None,
        }
        .stopping();
        let mut bytes = [0; 20];
        assert_eq!(heard.recv(&mut bytes).unwrap(), "STOPPING=1".len());
    }

    #[test]
    fn how_often_the_watchdog_is_told() {
        let of = |pairs: &[(&str, &str)]| {
            interval(
                |name| {
                    pairs
                        .iter()
                        .find(|(key, _)| *key == name)
                        .map(|(_, value)| (*value).to_owned())
                },
                7,
            )
        };
        assert_eq!(
            of(&[("WATCHDOG_USEC", "30000000")]),
            Some(Duration::from_secs(15))
        );
        assert_eq!(
            of(&[("WATCHDOG_USEC", "30000000"), ("WATCHDOG_PID", "7")]),
            Some(Duration::from_secs(15))
        );
        assert_eq!(
            of(&[("WATCHDOG_USEC", "30000000"), ("WATCHDOG_PID", "8")]),
            None
        );
        assert_eq!(of(&[("WATCHDOG_USEC", "soon")]), None);
        assert_eq!(of(&[]), None);
    }
}
