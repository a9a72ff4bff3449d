//! The program in normal use, serving a folder on a free port of the loopback address.

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::wire;
use xtask::shell::{self, cargo, run, target};
use xtask::step::{Done, Outcome};

/// How long a server may take until its first answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, and those that measure the same code. A package and its program.
const COMPILED: [(&str, &str); 3] = [
    ("diglot", "diglot"),
    ("diglot-hostile", "diglot-hostile"),
    ("diglot-instructions", "instructions"),
];

/// The step: compiles the programs that other steps run.
pub fn compile_all() -> Outcome {
    compile(&COMPILED.map(|(_, program)| program))?;
    Ok(Done::quietly())
}

/// The program, compiled with the profile `release`; `DIGLOT_BINARY` names an existing one.
///
/// # Errors
/// It does not compile.
pub fn build() -> Result<PathBuf, String> {
    std::env::var_os("DIGLOT_BINARY").map_or_else(|| compiled("diglot"), |binary| Ok(binary.into()))
}

/// The program as it is packaged, compiled with the profile `dist`; `DIGLOT_BINARY` names an existing one.
///
/// # Errors
/// It does not compile.
pub fn packaged() -> Result<PathBuf, String> {
    if let Some(binary) = std::env::var_os("DIGLOT_BINARY") {
        return Ok(binary.into());
    }
    let features = ["--package", "diglot", "--features", "store,acme,mcp"];
    packaged_program("diglot", &features)
}

/// A program compiled with the profile `dist`.
///
/// # Errors
/// It does not compile.
pub fn packaged_program(program: &str, package: &[&str]) -> Result<PathBuf, String> {
    let mut command = shell::dist("build");
    command.args(["--quiet", "--bin", program]).args(package);
    run(&mut command)?;
    Ok(target().join("dist").join(program))
}

/// One of the programs that [`compile_all`] compiles.
///
/// # Errors
/// It does not compile.
pub fn compiled(program: &str) -> Result<PathBuf, String> {
    compile(&[program])?;
    Ok(target().join("release").join(program))
}

/// Always with the features that all packages together need, so that no crate is compiled twice.
fn compile(programs: &[&str]) -> Result<(), String> {
    let mut command = cargo();
    command.args(["build", "--release", "--quiet"]);
    // As packages are built.
    command.args(["--features", "diglot/store,diglot/acme,diglot/mcp"]);
    command.args(
        COMPILED
            .iter()
            .flat_map(|(package, _)| ["--package", package]),
    );
    run(command.args(programs.iter().flat_map(|program| ["--bin", program])))
}

/// An unused port of the loopback address.
///
/// # Errors
/// There is none.
pub fn free_port() -> Result<u16, String> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    port.map(|address| address.port())
        .map_err(|error| format!("no free port: {error}"))
}

/// A server process on the loopback address, stopped when dropped.
pub struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub authority: String,
}

impl Server {
    /// Starts `diglot serve` on a folder; the base URL is `http://AUTHORITY` and `path` (empty or
    /// `/blog`).
    ///
    /// # Errors
    /// It does not answer; its output.
    pub fn diglot(binary: &Path, folder: &Path, path: &str) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        let base = format!("http://{authority}{path}");
        Self::serve(binary, folder, authority, &base)
    }

    /// Starts `diglot serve` on a folder with the base URL `base`, wherever it listens.
    ///
    /// # Errors
    /// It does not answer; its output.
    pub fn for_address(binary: &Path, folder: &Path, base: &str) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        Self::serve(binary, folder, authority, base)
    }

    fn serve(binary: &Path, folder: &Path, authority: String, base: &str) -> Result<Self, String> {
        let mut command = Command::new(binary);
        command.arg("serve").arg(folder).args([
            "--listen",
            &authority,
            "--base-url",
            base,
            "--no-watch",
            "--no-state",
        ]);
        Self::start(&mut command, authority, "/")
    }

    /// Starts any server that stays in the foreground and waits until it answers this path,
    /// whatever the status.
    ///
    /// # Errors
    /// It does not answer; its output.
    pub fn start(command: &mut Command, authority: String, path: &str) -> Result<Self, String> {
        Self::start_within(PATIENCE, command, authority, path)
    }

    /// As [`start`](Self::start), with this much time until the answer: for a command that compiles
    /// its program first.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_within(
        patience: Duration,
        command: &mut Command,
        authority: String,
        path: &str,
    ) -> Result<Self, String> {
        let name = Path::new(command.get_program())
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let log = target().join("xtask").join(format!("{name}.log"));
        let file = log
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| File::create(&log));
        let file = file.map_err(|error| format!("cannot write `{}`: {error}", log.display()))?;
        let errors = file.try_clone().map_err(|error| error.to_string())?;
        let child = command
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(errors)
            .spawn();
        let child =
            child.map_err(|error| format!("cannot run `{}`: {error}", shell::line(command)))?;
        let mut server = Self { child, authority };
        let start = Instant::now();
        while wire::ask("GET", &server.authority, path, &[]).is_err() {
            let ended = server.child.try_wait().ok().flatten();
            if ended.is_some() || start.elapsed() > patience {
                let said = std::fs::read_to_string(&log).unwrap_or_default();
                return Err(format!(
                    "`{}` does not answer\n{}",
                    shell::line(command),
                    shell::tail(&said, 20)
                ));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGTERM, so that a server with children (nginx, Apache) ends them too; a process that
        // does not end in time is killed.
        let asked = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let start = Instant::now();
        while asked.is_ok() && start.elapsed() < Duration::from_secs(5) {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The file to which a process that is started again and again writes its output.
///
/// # Errors
/// It cannot be opened.
pub fn log(path: &Path) -> Result<File, String> {
    let file = File::options().create(true).append(true).open(path);
    file.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Exports a folder with `diglot build` and the base URL `base`.
///
/// # Errors
/// The build failed; its output.
pub fn export(
    binary: &Path,
    folder: &Path,
    base: &str,
    output: &Path,
    more: &[&str],
) -> Result<(), String> {
    let mut command = Command::new(binary);
    command
        .arg("build")
        .arg(folder)
        .arg("--output")
        .arg(output)
        .args(["--base-url", base, "--no-state"])
        .args(more);
    shell::text(&mut command).map(drop)
}
