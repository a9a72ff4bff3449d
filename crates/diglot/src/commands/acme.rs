//! `diglot fetch-certificate`: the process that asks an authority for a certificate, since the server
//! may not connect.
//!
//! `diglot serve --acme` starts it before it gives up its rights. It starts itself again as a worker
//! once the server answers, and again whenever the worker dies. The worker gives up all rights but to
//! connect to the authority's port, to look up names, and to write its folder in the state. What it
//! writes there the server reads: what is to be shown to the authority, and the certificate with its
//! key. When the server ends, its standard input does, and so does the worker.

#[cfg(feature = "acme")]
mod ask;
#[cfg(feature = "acme")]
mod authority_folder;
#[cfg(feature = "acme")]
mod http;
#[cfg(any(test, feature = "acme"))]
mod plan;
#[cfg(feature = "acme")]
mod work;

#[cfg(feature = "acme")]
pub(super) use work::fetch;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};

use super::worker;
use crate::cli;
use crate::failure::Failure;
use crate::serve::{Challenges, Files};
use crate::state::{self, State};
use crate::terminal::{self, Format};

/// The folder in the state, one in it for each authority.
const FOLDER: &str = "acme";
/// The certificate, its chain and its key.
const CERTIFICATE: &str = "certificate.pem";
/// What is to be shown to the authority.
const CHALLENGES: &str = "challenges.json";

#[cfg(not(feature = "acme"))]
pub(super) fn fetch(_: &cli::FetchCertificate) -> Result<(), Failure> {
    Err(missing())
}

#[cfg(not(feature = "acme"))]
fn missing() -> Failure {
    Failure::without_feature(cli::WITHOUT_ACME)
}

/// Fails in a program that was built without `--acme`.
#[cfg(not(feature = "acme"))]
fn can_trust(_: &Path) -> Result<(), Failure> {
    Err(missing())
}

/// Fails if the roots of the authority cannot be read, before the server starts.
#[cfg(feature = "acme")]
fn can_trust(roots: &Path) -> Result<(), Failure> {
    http::roots_in(roots).map(drop)
}

/// Fails in a program that was built without it.
#[cfg(not(feature = "acme"))]
fn is_there() -> Result<(), Failure> {
    Err(missing())
}

#[cfg(feature = "acme")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a program without the feature fails"
)]
fn is_there() -> Result<(), Failure> {
    Ok(())
}

/// The process that asks, and what it and the server share.
pub(super) struct Asker {
    _process: Child,
    input: ChildStdin,
    folder: PathBuf,
    domains: Vec<String>,
}

impl Asker {
    /// Starts the process, if certificates are asked for. It waits for [`begin`](Self::begin).
    pub(super) fn start(args: &cli::Serve, state: Option<&State>) -> Result<Option<Self>, Failure> {
        let acme = &args.acme;
        let Some(email) = &acme.acme else {
            return Ok(None);
        };
        is_there()?;
        if acme.domain.is_empty() {
            return Err(Failure::usage("`--acme` needs the name of this site")
                .hint("give `--domain example.org`"));
        }
        if acme.domain.len() > cli::MOST_DOMAINS {
            let most = cli::MOST_DOMAINS;
            return Err(Failure::usage(format!(
                "a certificate has at most {most} names"
            )));
        }
        if acme.acme_challenge == cli::Challenge::Http01 && args.listen_http.is_none() {
            return Err(
                Failure::usage("`--acme-challenge http-01` needs a port of plain HTTP")
                    .hint("give `--listen-http '[::]:80'`"),
            );
        }
        let state = state.ok_or_else(|| {
            Failure::usage("`--acme` needs a state folder to keep the certificate in")
                .hint("name one with `--state DIR`")
        })?;
        if let Some(path) = &acme.acme_ca {
            can_trust(path)?;
        }
        let folder = state.dir().join(FOLDER);
        let folder = folder.join(state::name_of(&acme.acme_directory));
        make(&folder).map_err(|error| Failure::path("make", &folder, &error))?;
        let (process, input) = start(args, email, &folder)?;
        Ok(Some(Self {
            _process: process,
            input,
            folder,
            domains: acme.domain.clone(),
        }))
    }

    /// Lets the process ask: requests are answered from now on.
    pub(super) fn begin(&mut self) {
        // If it has ended, it has said why.
        let _ = self.input.write_all(b"\n");
    }

    /// The folder that both share.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the certificate will be.
    pub(super) fn files(&self) -> Files {
        let file = self.folder.join(CERTIFICATE);
        Files {
            certificate: file.clone(),
            key: file,
        }
    }

    /// What is to be shown.
    pub(super) fn challenges(&self) -> Challenges {
        Challenges {
            file: self.folder.join(CHALLENGES),
            domains: self.domains.clone(),
        }
    }
}

/// Makes a folder that its owner alone can enter.
fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn start(args: &cli::Serve, email: &str, folder: &Path) -> Result<(Child, ChildStdin), Failure> {
    let acme = &args.acme;
    let mut command = worker::command("fetch-certificate")?;
    command.arg(folder);
    // With `=`, since a value may begin with a hyphen.
    command.arg(format!("--acme={email}"));
    command.arg(format!("--acme-directory={}", acme.acme_directory));
    for domain in &acme.domain {
        command.arg(format!("--domain={domain}"));
    }
    if let Some(file) = &acme.acme_ca {
        let mut option = OsString::from("--acme-ca=");
        option.push(file);
        command.arg(option);
    }
    if let Some(profile) = &acme.acme_profile {
        command.arg(format!("--acme-profile={profile}"));
    }
    command.args(["--acme-challenge", acme.acme_challenge.name()]);
    if terminal::format() == Format::Json {
        command.args(["--log-format", "json"]);
    }
    let mut process = worker::start(command, args, Stdio::null())?;
    let input = process.stdin.take();
    let input = input.ok_or_else(|| Failure::machine("the process that asks has no pipe"))?;
    Ok((process, input))
}
