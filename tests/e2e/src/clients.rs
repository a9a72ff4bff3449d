//! Clients that others wrote speak to the server, with and without TLS: curl, nghttp, h2load, and
//! `openssl s_client` for what must be refused.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::server::{self, Server};
use crate::{sites, wire};
use xtask::shell::{self, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// A path that both forms, ranges and conditions apply to.
const PAGE: &str = "/llms-full.txt";

/// The step.
pub fn run() -> Outcome {
    tools::debian(
        &["curl", "nghttp2-client", "openssl"],
        &["curl", "nghttp", "h2load", "openssl"],
    )?;
    let binary = server::build()?;
    let certificates = Certificates::make()?;
    let folder = sites::example().path;
    let plain = Server::diglot(&binary, &folder, "")?;
    let authority = format!("127.0.0.1:{}", server::free_port()?);
    let mut command = Command::new(&binary);
    command.arg("serve").arg(&folder).args([
        "--listen",
        &authority,
        "--base-url",
        "https://localhost",
        "--no-watch",
        "--no-state",
    ]);
    command
        .arg("--tls-cert")
        .arg(certificates.file("live.pem"))
        .arg("--tls-key")
        .arg(certificates.file("live.key"));
    let secure = Server::start(&mut command, authority, "/")?;
    let mut wire = Wire {
        root: certificates.file("root.pem"),
        plain,
        secure,
        checks: 0,
        failures: Vec::new(),
    };
    wire.curl()?;
    wire.nghttp()?;
    wire.load()?;
    wire.handshakes()?;
    wire.renewal(&certificates)?;
    if wire.failures.is_empty() {
        Ok(Done::Passed(format!("{} checks", wire.checks)))
    } else {
        Err(wire.failures.join("\n"))
    }
}

/// A root and what it signed, made anew by OpenSSL.
struct Certificates {
    folder: PathBuf,
}

impl Certificates {
    fn make() -> Result<Self, String> {
        let made = Self {
            folder: scratch("wire")?,
        };
        let extensions = "basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n";
        fs::write(made.file("leaf.ext"), extensions).map_err(|error| error.to_string())?;
        made.openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key -out root.pem -days 2 -subj /CN=root")?;
        made.sign("one", "ec -pkeyopt ec_paramgen_curve:P-256")?;
        made.sign("two", "rsa:2048")?;
        made.put("one")?;
        Ok(made)
    }

    fn sign(&self, name: &str, kind: &str) -> Result<(), String> {
        self.openssl(&format!(
            "req -newkey {kind} -nodes -keyout {name}.key -out {name}.csr -subj /CN={name}"
        ))?;
        self.openssl(&format!("x509 -req -in {name}.csr -CA root.pem -CAkey root.key -CAcreateserial -extfile leaf.ext -days 2 -out {name}.pem"))
    }

    /// Puts a pair where the server looks.
    fn put(&self, name: &str) -> Result<(), String> {
        for suffix in ["pem", "key"] {
            let copied = fs::copy(
                self.file(&format!("{name}.{suffix}")),
                self.file(&format!("live.{suffix}")),
            );
            copied.map_err(|error| format!("cannot copy a certificate: {error}"))?;
        }
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn openssl(&self, arguments: &str) -> Result<(), String> {
        shell::text(
            Command::new("openssl")
                .args(arguments.split(' '))
                .current_dir(&self.folder),
        )
        .map(drop)
    }
}

/// Two servers, and what was found.
struct Wire {
    root: PathBuf,
    plain: Server,
    secure: Server,
    checks: usize,
    failures: Vec<String>,
}

impl Wire {
    fn check(&mut self, what: &str, fine: bool, came: &str) {
        self.checks += 1;
        if !fine {
            let failure = format!("{what}: {}", shell::tail(came, 12));
            println!("{failure}");
            self.failures.push(failure);
        }
    }

    fn urls(&self) -> [String; 2] {
        [
            format!("http://{}", self.plain.authority),
            format!("https://{}", self.secure.authority),
        ]
    }

    /// curl in every protocol: the same bytes, and the answers of conditions and ranges.
    fn curl(&mut self) -> Result<(), String> {
        let [plain, secure] = self.urls();
        for path in ["/", "/index.md", "/rss.xml", "/llms.txt", "/status.json"] {
            let of_plain = wire::ask("GET", &self.plain.authority, path, &[])?.body;
            // The base URLs differ, and with them what documents say; what must agree is each
            // server with itself.
            let of_secure = self.ask_curl(&["--http1.1", &format!("{secure}{path}")])?;
            for (url, protocol, expected) in [
                (&plain, "--http1.1", &of_plain),
                (&plain, "--http2-prior-knowledge", &of_plain),
                (&secure, "--http2", &of_secure),
            ] {
                let came = self.ask_curl(&[protocol, &format!("{url}{path}")])?;
                self.check(
                    &format!("curl {protocol} {url}{path}"),
                    came == *expected && !came.is_empty(),
                    "other bytes than over HTTP/1.1",
                );
            }
        }
        let said = "%{http_version} %{http_code} %{size_download}";
        let cases: [(&str, &[&str], &str); 9] = [
            (&plain, &["--http2-prior-knowledge"], "2 200"),
            (&plain, &["--http2"], "1.1 200"),
            (&secure, &["--http2"], "2 200"),
            (
                &secure,
                &["--http1.1", "--tlsv1.2", "--tls-max", "1.2"],
                "1.1 200",
            ),
            (&secure, &["--http2", "--tlsv1.3"], "2 200"),
            (&secure, &["--http2", "--head"], "2 200 0"),
            (&secure, &["--http2", "--range", "0-99"], "2 206 100"),
            (
                &secure,
                &["--http2", "--header", "If-None-Match: *"],
                "2 304 0",
            ),
            (&secure, &["--http2", "--request", "DELETE"], "2 405"),
        ];
        for (url, arguments, expected) in cases {
            let url = format!("{url}{PAGE}");
            let came = self.ask_curl(
                &[
                    arguments,
                    &["--output", "/dev/null", "--write-out", said, url.as_str()],
                ]
                .concat(),
            )?;
            let came = String::from_utf8_lossy(&came);
            self.check(
                &format!("curl {} {url}", arguments.join(" ")),
                came.starts_with(expected),
                &came,
            );
        }
        Ok(())
    }

    fn ask_curl(&self, arguments: &[&str]) -> Result<Vec<u8>, String> {
        let mut command = Command::new("curl");
        command
            .args(["--silent", "--show-error", "--max-time", "20", "--cacert"])
            .arg(&self.root)
            .args(arguments);
        Ok(shell::output(&mut command)?.stdout)
    }

    /// nghttp, which shows every frame: HEAD and 304 without DATA, nothing left open.
    fn nghttp(&mut self) -> Result<(), String> {
        for url in self.urls() {
            let url = format!("{url}{PAGE}");
            let whole = shell::text(Command::new("nghttp").args([
                "--verbose",
                "--null-out",
                "--timeout=20",
                "--no-verify-peer",
                &url,
            ]))?;
            self.check(
                &format!("nghttp {url}"),
                whole.contains(":status: 200") && whole.contains("recv DATA"),
                &whole,
            );
            let head = shell::text(Command::new("nghttp").args([
                "--verbose",
                "--null-out",
                "--timeout=20",
                "--no-verify-peer",
                "-H:method: HEAD",
                &url,
            ]))?;
            let fine = head.contains(":status: 200")
                && head.contains("content-length: ")
                && !head.contains("recv DATA");
            self.check(&format!("nghttp HEAD {url}"), fine, &head);
            let condition = [
                "--verbose",
                "--null-out",
                "--timeout=20",
                "--no-verify-peer",
                "--header=if-none-match: *",
                &url,
            ];
            let same = shell::text(Command::new("nghttp").args(condition))?;
            self.check(
                &format!("nghttp 304 {url}"),
                same.contains(":status: 304") && !same.contains("recv DATA"),
                &same,
            );
        }
        Ok(())
    }

    /// h2load: many streams on many connections, none failed.
    fn load(&mut self) -> Result<(), String> {
        for url in self.urls() {
            for arguments in [
                &["-n5000", "-c10", "-m100"][..],
                &["-n5000", "-c50", "-m1"],
                &["-n2000", "-c20", "--h1"],
            ] {
                let url = format!("{url}/status.json");
                let said = shell::text(
                    Command::new("h2load")
                        .args(arguments)
                        .args(["-t1", "-T20", &url]),
                )?;
                let line = said
                    .lines()
                    .find(|line| line.starts_with("status codes:"))
                    .unwrap_or_default()
                    .to_owned();
                let total = arguments[0].trim_start_matches("-n");
                let fine = line.contains(&format!("{total} 2xx"))
                    && said.contains(" 0 failed, 0 errored, 0 timeout");
                self.check(
                    &format!("h2load {} {url}", arguments.join(" ")),
                    fine,
                    &said,
                );
            }
        }
        Ok(())
    }

    /// One handshake; what `s_client` said.
    fn handshake(&self, arguments: &str) -> Result<String, String> {
        let mut command = Command::new("timeout");
        command
            .args([
                "10",
                "openssl",
                "s_client",
                "-connect",
                &self.secure.authority,
                "-servername",
                "localhost",
                "-CAfile",
            ])
            .arg(&self.root);
        let output = shell::output(command.args(arguments.split_whitespace()))?;
        Ok(format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ))
    }

    /// Mozilla's intermediate profile: what it has works, and everything older or weaker is
    /// refused. The client offers it in earnest (security level 0).
    fn handshakes(&mut self) -> Result<(), String> {
        let accepted = [
            (
                "-tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256",
                "TLS_AES_128_GCM_SHA256",
            ),
            (
                "-tls1_3 -ciphersuites TLS_AES_256_GCM_SHA384",
                "TLS_AES_256_GCM_SHA384",
            ),
            (
                "-tls1_3 -ciphersuites TLS_CHACHA20_POLY1305_SHA256",
                "TLS_CHACHA20_POLY1305_SHA256",
            ),
            (
                "-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256",
                "ECDHE-ECDSA-AES128-GCM-SHA256",
            ),
            (
                "-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305",
                "ECDHE-ECDSA-CHACHA20-POLY1305",
            ),
            ("-tls1_3 -groups X25519", "X25519"),
            ("-tls1_3 -groups P-256", "ECDH, prime256v1, 256 bits"),
            ("-tls1_2 -groups P-384", "ECDH, secp384r1, 384 bits"),
            ("-alpn h2,http/1.1", "ALPN protocol: h2"),
            ("-alpn http/1.1", "ALPN protocol: http/1.1"),
            ("-tls1_2", "Secure Renegotiation IS supported"),
            ("-tls1_2", "Extended master secret: yes"),
            ("", "Compression: NONE"),
        ];
        for (arguments, words) in accepted {
            let said = self.handshake(arguments)?;
            self.check(
                &format!("s_client {arguments}"),
                said.contains(words) && said.contains("Verification: OK"),
                &said,
            );
        }
        let weak = "DEFAULT:@SECLEVEL=0";
        let refused = [
            format!("-tls1 -cipher {weak}"),
            format!("-tls1_1 -cipher {weak}"),
            "-tls1_2 -cipher AES128-SHA:AES256-SHA:AES128-GCM-SHA256:@SECLEVEL=0".to_owned(),
            "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0".to_owned(),
            "-tls1_2 -cipher DHE:ADH:AECDH:@SECLEVEL=0".to_owned(),
            "-tls1_2 -cipher NULL:eNULL:aNULL:@SECLEVEL=0".to_owned(),
            "-tls1_3 -groups P-521".to_owned(),
            "-alpn spdy/3".to_owned(),
        ];
        for arguments in refused {
            let said = self.handshake(&arguments)?;
            self.check(
                &format!("s_client {arguments} is refused"),
                said.contains("Cipher is (NONE)") || said.contains("alert"),
                &said,
            );
        }
        for arguments in ["-tls1_2", "-tls1_3"] {
            let session = scratch("session")?.join("ticket.pem");
            let ask = |flag: &str| {
                let script = format!(
                    "(printf 'GET /robots.txt HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'; sleep 0.5) | timeout 10 openssl s_client -connect {} {arguments} {flag} {} 2>&1",
                    self.secure.authority,
                    session.display()
                );
                shell::text(Command::new("sh").args(["-c", &script]))
            };
            ask("-sess_out")?;
            let said = ask("-sess_in")?;
            self.check(
                &format!("s_client {arguments} resumes"),
                said.contains("Reused, TLSv1") && said.contains("HTTP/1.1 200"),
                &said,
            );
        }
        Ok(())
    }

    /// A new pair is in use soon; a broken one changes nothing.
    fn renewal(&mut self, certificates: &Certificates) -> Result<(), String> {
        certificates.put("two")?;
        let renewed = self.shows("CN = two", Duration::from_secs(15))?;
        self.check("a renewed certificate", renewed, "is not in use after 15 s");
        fs::write(certificates.file("live.key"), "broken").map_err(|error| error.to_string())?;
        std::thread::sleep(Duration::from_secs(6));
        let kept = self.shows("CN = two", Duration::ZERO)?;
        self.check("a broken certificate", kept, "took the place of a good one");
        Ok(())
    }

    fn shows(&self, name: &str, patience: Duration) -> Result<bool, String> {
        let start = Instant::now();
        loop {
            let said = self.handshake("")?;
            if said.contains(name) {
                return Ok(true);
            }
            if start.elapsed() >= patience {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(500));
        }
    }
}
