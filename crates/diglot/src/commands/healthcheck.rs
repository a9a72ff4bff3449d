//! `diglot healthcheck`: asks a running server whether it is ready, where nothing else can ask.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::cli;
use crate::failure::{Failure, reason};

/// How long connecting, asking and each part of the answer may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// The first line of the answer of a server that is ready.
const READY: &[u8] = b"HTTP/1.1 200 ";

pub(super) fn run(args: &cli::Healthcheck) -> Result<(), Failure> {
    let address = reachable(args.admin);
    match ask(address) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::machine(format!(
            "the server at `{address}` is not ready"
        ))),
        Err(error) => Err(Failure::machine(format!(
            "the server at `{address}` does not answer: {}",
            reason(&error)
        ))
        .hint(format!(
            "start the server with `serve --admin {address}`, or give this command its address with `--admin`"
        ))),
    }
}

/// The loopback address where a server listens on all addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    let mut reachable = address;
    if address.ip().is_unspecified() {
        reachable.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    reachable
}

fn ask(address: SocketAddr) -> io::Result<bool> {
    let mut socket = TcpStream::connect_timeout(&address, PATIENCE)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.set_write_timeout(Some(PATIENCE))?;
    socket.write_all(
        format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes(),
    )?;
    let mut line = [0; READY.len()];
    socket.read_exact(&mut line)?;
    Ok(line == READY)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn asked(answer: &'static [u8]) -> Result<(), Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let admin = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut request = [0; 19];
            socket.read_exact(&mut request).unwrap();
            socket.write_all(answer).unwrap();
            request
        });
        let said = run(&cli::Healthcheck { admin });
        assert_eq!(&server.join().unwrap(), b"GET /readyz HTTP/1.");
        said
    }

    #[test]
    fn a_server_is_healthy_only_if_it_says_that_it_is_ready() {
        assert_eq!(asked(b"HTTP/1.1 200 OK\r\n\r\n"), Ok(()));
        for answer in [
            &b"HTTP/1.1 503 Service Unavailable\r\n\r\n"[..],
            b"",
            b"200",
        ] {
            assert!(asked(answer).is_err(), "{answer:?}");
        }
    }

    #[test]
    fn all_addresses_are_asked_by_the_loopback_address() {
        let check = |given: &str, expected: &str| {
            assert_eq!(reachable(given.parse().unwrap()), expected.parse().unwrap());
        };
        check("0.0.0.0:9090", "127.0.0.1:9090");
        check("[::]:9090", "[::1]:9090");
        check("10.0.0.1:9090", "10.0.0.1:9090");
    }
}
