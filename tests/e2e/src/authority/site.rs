//! The server, and what is asked of it.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::PATIENCE;
use super::pebble::Pebble;
use crate::server::free_port;
use crate::sites;
use xtask::shell::{tail, text};

const NAMES: [&str; 2] = ["example.org", "www.example.org"];

/// What the scenes need.
pub(super) struct Site {
    pub binary: PathBuf,
    pub work: PathBuf,
    pub pebble: Pebble,
}

/// How one server is started.
struct Wanted {
    state: &'static str,
    port: u16,
    more: Vec<String>,
    /// The longest file that it may write, in blocks of 512 bytes.
    longest: Option<u32>,
}

impl Wanted {
    fn new(state: &'static str, port: u16, more: &[&str]) -> Self {
        Self {
            state,
            port,
            more: more.iter().map(|word| (*word).to_owned()).collect(),
            longest: None,
        }
    }
}

/// A server, ended when dropped.
struct Server {
    child: Child,
    log: PathBuf,
}

impl Server {
    fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn wait_for(&self, what: &str) -> Result<(), String> {
        let begun = Instant::now();
        while !self.said().contains(what) {
            if begun.elapsed() > PATIENCE {
                return Err(format!(
                    "the server did not say `{what}`:\n{}",
                    tail(&self.said(), 20)
                ));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}

impl Site {
    fn start(&self, wanted: &Wanted) -> Result<Server, String> {
        let mut command = match wanted.longest {
            None => Command::new(&self.binary),
            Some(blocks) => {
                let mut shell = Command::new("sh");
                let script = format!("ulimit -f {blocks}; exec \"$@\"");
                shell.args(["-c", &script, "sh"]).arg(&self.binary);
                shell
            }
        };
        command
            .arg("serve")
            .arg(sites::example().path)
            .arg("--no-watch");
        command.args(["--listen", &format!("127.0.0.1:{}", wanted.port)]);
        command.arg("--state").arg(self.state(wanted.state));
        command.args(["--base-url", "https://example.org"]);
        command.args([
            "--acme",
            "you@example.org",
            "--acme-directory",
            &self.pebble.directory,
        ]);
        command.arg("--acme-ca").arg(&self.pebble.root);
        for name in NAMES {
            command.args(["--domain", name]);
        }
        command.args(&wanted.more);
        let log = self
            .work
            .join(format!("{}-{}.log", wanted.state, wanted.port));
        let file = File::create(&log).map_err(|error| error.to_string())?;
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file)
            .spawn();
        let child = child.map_err(|error| error.to_string())?;
        let server = Server { child, log };
        server.wait_for("articles on https://")?;
        Ok(server)
    }

    fn state(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// The answer over HTTPS, trusted by the authority's root: its head.
    fn ask(&self, name: &str, port: u16) -> Result<String, String> {
        let issuer = self.pebble.issuer()?;
        let mut curl = Command::new("curl");
        curl.args(["-sSfI", "--max-time", "10", "--cacert"])
            .arg(issuer);
        curl.args(["--resolve", &format!("{name}:{port}:127.0.0.1")]);
        text(curl.arg(format!("https://{name}:{port}/")))
    }

    /// The answer once the server has the certificate.
    fn wait(&self, server: &Server, name: &str, port: u16) -> Result<String, String> {
        let begun = Instant::now();
        loop {
            match self.ask(name, port) {
                Err(error) if begun.elapsed() > PATIENCE => {
                    return Err(format!("{error}\n{}", tail(&server.said(), 20)));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(200)),
                Ok(head) => return Ok(head),
            }
        }
    }

    /// From nothing to both names over HTTPS, with redirects and HSTS; what is kept can be read by
    /// its owner alone; a restart asks for nothing.
    pub(super) fn alone(&self) -> Result<(), String> {
        let plain = free_port()?;
        let redirecting = format!("127.0.0.1:{plain}");
        let more = ["--listen-http", &redirecting, "--hsts", "max-age=63072000"];
        let wanted = Wanted::new("alone", self.pebble.tls_port, &more);
        let server = self.start(&wanted)?;
        for name in NAMES {
            let head = self.wait(&server, name, wanted.port)?.to_ascii_lowercase();
            expect(
                head.contains("strict-transport-security: max-age=63072000"),
                &head,
            )?;
        }
        self.redirects(plain)?;
        self.is_private("alone")?;
        drop(server);
        let before = self.pebble.issued();
        let server = self.start(&wanted)?;
        self.ask(NAMES[0], wanted.port)?;
        expect(self.pebble.issued() == before, "a restart asked again")?;
        expect(!server.said().contains("is asked for"), &server.said())
    }

    fn redirects(&self, port: u16) -> Result<(), String> {
        for (host, leads) in [
            ("www.example.org", "https://www.example.org/a?b"),
            ("other.example", "https://example.org/a?b"),
        ] {
            let mut curl = Command::new("curl");
            curl.args([
                "-sS",
                "-o",
                "/dev/null",
                "-w",
                "%{http_code} %{redirect_url}",
            ]);
            curl.args(["-H", &format!("Host: {host}")]);
            let said = text(curl.arg(format!("http://127.0.0.1:{port}/a?b")))?;
            expect(said.trim() == format!("308 {leads}"), &said)?;
        }
        let mut curl = Command::new("curl");
        let head = text(curl.args(["-sSI", &format!("http://127.0.0.1:{port}/")]))?;
        expect(
            !head
                .to_ascii_lowercase()
                .contains("strict-transport-security"),
            &head,
        )
    }

    #[cfg(unix)]
    fn is_private(&self, state: &str) -> Result<(), String> {
        use std::os::unix::fs::PermissionsExt;
        let folder = self.state(state).join("acme");
        for path in xtask::shell::files_below(&folder)? {
            let path = folder.join(path);
            let mode = fs::metadata(&path)
                .map_err(|error| error.to_string())?
                .permissions()
                .mode();
            let is_lock = path.ends_with("lock");
            expect(
                is_lock || mode & 0o077 == 0,
                &format!("{}: {mode:o}", path.display()),
            )?;
        }
        Ok(())
    }

    /// The same by a challenge over plain HTTP.
    pub(super) fn by_http(&self) -> Result<(), String> {
        let seen = format!("127.0.0.1:{}", self.pebble.http_port);
        let more = ["--acme-challenge", "http-01", "--listen-http", &seen];
        let wanted = Wanted::new("http", free_port()?, &more);
        let server = self.start(&wanted)?;
        self.wait(&server, NAMES[0], wanted.port).map(drop)
    }

    /// Of two servers with one state one asks, and both use the certificate.
    pub(super) fn two_servers(&self) -> Result<(), String> {
        let (seen, other) = (self.pebble.tls_port, free_port()?);
        let before = self.pebble.issued();
        let first = self.start(&Wanted::new("two", seen, &[]))?;
        first.wait_for("is asked for")?;
        let second = self.start(&Wanted::new("two", other, &[]))?;
        for (server, port) in [(&first, seen), (&second, other)] {
            self.wait(server, NAMES[1], port)?;
        }
        second.wait_for("another server asks for the certificate")?;
        expect(self.pebble.issued() == before + 1, "both asked")
    }

    /// If the authority cannot see the server, the failure is reported with the time of the next
    /// try, and a restart does not ask sooner.
    pub(super) fn refused_and_restarted(&self) -> Result<(), String> {
        let wanted = Wanted::new("refused", free_port()?, &[]);
        let server = self.start(&wanted)?;
        server.wait_for("the authority could not see that `")?;
        server.wait_for("; next try at 20")?;
        server.wait_for("hint: the name must lead to this machine")?;
        drop(server);
        let server = self.start(&wanted)?;
        std::thread::sleep(Duration::from_secs(1));
        expect(!server.said().contains("is asked for"), &server.said())
    }

    /// Where a certificate could not be kept, none is asked for.
    pub(super) fn full_disk(&self) -> Result<(), String> {
        let mut wanted = Wanted::new("full", self.pebble.tls_port, &[]);
        wanted.longest = Some(32);
        let before = self.pebble.issued();
        let server = self.start(&wanted)?;
        server.wait_for("no certificate for `example.org`, `www.example.org`: cannot write the state folder: file too large; next try at 20")?;
        expect(!server.said().contains("is asked for"), &server.said())?;
        expect(self.pebble.issued() == before, "a certificate was lost")
    }

    /// A certificate is renewed while the server runs, and new connections have it.
    pub(super) fn renewed(&self) -> Result<(), String> {
        let wanted = Wanted::new("renewed", self.pebble.tls_port, &[]);
        let server = self.start(&wanted)?;
        self.wait(&server, NAMES[0], wanted.port)?;
        fs::write(&server.log, "").map_err(|error| error.to_string())?;
        server.wait_for("the new certificate is in use")?;
        self.ask(NAMES[0], wanted.port).map(drop)
    }
}

fn expect(holds: bool, found: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found.to_owned()) }
}
