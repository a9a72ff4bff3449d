//! Pebble, and the name server that leads every name to this machine.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::json;

use super::PATIENCE;
use crate::server::free_port;
use xtask::shell::{root, text};

/// Both processes, ended when dropped.
pub(super) struct Pebble {
    authority: Child,
    names: Child,
    /// Its directory.
    pub directory: String,
    management: String,
    /// The ports on which it looks at challenges.
    pub tls_port: u16,
    pub http_port: u16,
    /// The root by which its own server is trusted.
    pub root: PathBuf,
    work: PathBuf,
}

impl Pebble {
    /// `life` is the time for which certificates are valid, in seconds.
    pub(super) fn start(tools: &Path, work: &Path, life: u32) -> Result<Self, String> {
        let certificates = root().join("crates/diglot/tests/certificates");
        let port = free_port()?;
        let (management, dns, api) = (free_port()?, free_port()?, free_port()?);
        let (tls_port, http_port) = (free_port()?, free_port()?);
        let settings = json!({"pebble": {
            "listenAddress": format!("127.0.0.1:{port}"),
            "managementListenAddress": format!("127.0.0.1:{management}"),
            "certificate": certificates.join("first.pem"),
            "privateKey": certificates.join("first.key"),
            "httpPort": http_port,
            "tlsPort": tls_port,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
            "certificateValidityPeriod": life,
        }});
        let file = work.join("pebble.json");
        fs::write(&file, settings.to_string()).map_err(|error| error.to_string())?;
        let dns = format!("127.0.0.1:{dns}");
        let mut names = Command::new(tools.join("pebble-challtestsrv"));
        names.args([
            "-defaultIPv6",
            "",
            "-http01",
            "",
            "-https01",
            "",
            "-tlsalpn01",
            "",
        ]);
        names.args(["-dns01", &dns, "-management", &format!("127.0.0.1:{api}")]);
        let mut authority = Command::new(tools.join("pebble"));
        authority
            .arg("-config")
            .arg(&file)
            .args(["-dnsserver", &dns]);
        authority
            .env("PEBBLE_VA_NOSLEEP", "1")
            // By default it refuses every twentieth good nonce. The client gives up after three in a
            // row, which happens once in a hundred runs of this step.
            .env("PEBBLE_WFE_NONCEREJECT", "0");
        let names = started(&mut names, work, "names.log")?;
        let pebble = Self {
            authority: started(&mut authority, work, "pebble.log")?,
            names,
            directory: format!("https://localhost:{port}/dir"),
            management: format!("https://localhost:{management}"),
            tls_port,
            http_port,
            root: certificates.join("root.pem"),
            work: work.to_owned(),
        };
        let begun = Instant::now();
        while pebble.get(&pebble.directory).is_err() {
            if begun.elapsed() > PATIENCE {
                return Err("Pebble does not answer".to_owned());
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Ok(pebble)
    }

    fn get(&self, url: &str) -> Result<String, String> {
        text(
            Command::new("curl")
                .args(["-sSf", "--cacert"])
                .arg(&self.root)
                .arg(url),
        )
    }

    /// The root of what it issues, as a file.
    pub(super) fn issuer(&self) -> Result<PathBuf, String> {
        let pem = self.get(&format!("{}/roots/0", self.management))?;
        let file = self.work.join("issuer.pem");
        fs::write(&file, pem).map_err(|error| error.to_string())?;
        Ok(file)
    }

    /// How many certificates it has issued.
    pub(super) fn issued(&self) -> usize {
        let log = fs::read_to_string(self.work.join("pebble.log")).unwrap_or_default();
        log.lines()
            .filter(|line| line.contains("Issued certificate"))
            .count()
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        for child in [&mut self.authority, &mut self.names] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn started(command: &mut Command, work: &Path, log: &str) -> Result<Child, String> {
    let mut open = || {
        let log = File::create(work.join(log))?;
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
    };
    open().map_err(|error| format!("cannot start the authority: {error}"))
}
