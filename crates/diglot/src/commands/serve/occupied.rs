//! Which process listens on a port, as far as the system tells.

use std::net::SocketAddr;

/// A process: its name and its number.
#[derive(Debug, PartialEq, Eq)]
struct Occupant {
    name: String,
    pid: u32,
}

impl std::fmt::Display for Occupant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` (process {})", self.name, self.pid)
    }
}

/// Who listens on this port, as messages name it.
pub(super) fn by(address: SocketAddr) -> String {
    occupant(address).map_or_else(|| "another process".to_owned(), |found| found.to_string())
}

/// The process that listens on this port. Processes of other users are not visible.
#[cfg(target_os = "linux")]
fn occupant(address: SocketAddr) -> Option<Occupant> {
    use crate::limits::MostBytes;
    use std::path::Path;

    /// A table of sockets has 150 bytes for each.
    const TABLE: MostBytes = MostBytes::new("sockets", 16 << 20);

    let sockets: Vec<String> = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| crate::file::read(Path::new(table), TABLE).ok())
        .flat_map(|table| listening(&String::from_utf8_lossy(&table), address.port()))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    if sockets.is_empty() {
        return None;
    }
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = process
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        let Ok(files) = std::fs::read_dir(process.path().join("fd")) else {
            continue;
        };
        for file in files.flatten() {
            let Ok(target) = std::fs::read_link(file.path()) else {
                continue;
            };
            if sockets.iter().any(|socket| target.as_os_str() == &**socket) {
                let name = crate::file::read(&process.path().join("comm"), TABLE).ok()?;
                let name = String::from_utf8_lossy(&name).trim().to_owned();
                return Some(Occupant { name, pid });
            }
        }
    }
    None
}

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
fn occupant(_: SocketAddr) -> Option<Occupant> {
    None
}

/// The inodes of the sockets that listen on a port, from a table of `/proc/net`.
#[cfg(target_os = "linux")]
fn listening(table: &str, port: u16) -> Vec<String> {
    /// `TCP_LISTEN`
    const LISTENING: &str = "0A";
    let ending = format!(":{port:04X}");
    let mut inodes = Vec::new();
    for line in table.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let [_, local, _, state, _, _, _, _, _, inode, ..] = fields[..]
            && local.ends_with(&ending)
            && state == LISTENING
        {
            inodes.push(inode.to_owned());
        }
    }
    inodes
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_listening_socket_is_found_in_the_table() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4321 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 4322 1 0 100 0 0 10 0
   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4323 1 0 100 0 0 10 0
";
        assert_eq!(listening(table, 8080), ["4321"]);
        assert_eq!(listening(table, 80), ["4323"]);
        assert!(listening(table, 81).is_empty());
    }

    #[test]
    fn this_process_is_named_as_the_occupant_of_its_port() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let found = occupant(address).unwrap();
        assert_eq!(found.pid, std::process::id());
    }
}
