//! The Debian package: read by lintian; installed, upgraded, removed and purged in a root that has
//! nothing but what every Debian system has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::shell::{output, scratch, target, text, unpack};

/// What happens to the package in the clean root; `$1` and `$2` are the two versions.
const LIFE: &str = r#"
set -eu
fail() { echo "$1" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
state=/var/lib/private/diglot/days
settings=/etc/default/diglot

dpkg --install "$1"
diglot --version
diglot new /srv/site
diglot check /srv/site --no-state
test ! -e /etc/systemd/system/multi-user.target.wants/diglot.service || fail "the service is enabled without being asked"
test -e /usr/share/man/man1/diglot-serve.1.gz || grep -q path-exclude /etc/dpkg/dpkg.cfg.d/* || fail "no man pages"
mkdir -p /var/lib/private/diglot
echo kept > "$state"
echo 'DIGLOT_BASE_URL=https://mine.example' > "$settings"
DPKG_MAINTSCRIPT_PACKAGE=diglot deb-systemd-helper enable diglot.socket diglot.service >/dev/null

dpkg --install "$2"
grep -q mine.example "$settings" || fail "an upgrade changes the settings"
test -e "$state" || fail "an upgrade loses the state"
test -L /etc/systemd/system/sockets.target.wants/diglot.socket || fail "an upgrade disables the socket"

dpkg --remove diglot
test -e "$state" || fail "the state is lost when the package is removed"
grep -q mine.example "$settings" || fail "the settings are lost when the package is removed"
test ! -e /usr/bin/diglot || fail "the program is still there"

dpkg --purge diglot
rm -r /srv/site "$1" "$2"
left=$(find / -xdev -name '*diglot*' -not -path '/proc/*')
test -z "$left" || fail "purging leaves $left"
"#;

/// Both versions; notes on what this machine cannot try.
pub fn check(package: &Path, next: &Path, clean: Option<&Path>) -> Result<Option<String>, String> {
    lintian(package)?;
    let Some(clean) = clean else {
        return Ok(Some(
            "the Debian package not installed: not on Debian".to_owned(),
        ));
    };
    let root = scratch("debian")?;
    unpack(clean, &root)?;
    let mut names = Vec::new();
    for (at, file) in [package, next].iter().enumerate() {
        let name = format!("/{at}.deb");
        fs::copy(file, root.join(&name[1..]))
            .map_err(|error| format!("cannot copy `{}`: {error}", file.display()))?;
        names.push(name);
    }
    let mut life = Command::new("chroot");
    life.arg(&root).args(["sh", "-c", LIFE, "sh"]).args(&names);
    let said = text(life.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"))?;
    println!("{said}");
    Ok(None)
}

/// lintian finds no error and gives no warning.
fn lintian(package: &Path) -> Result<(), String> {
    let said = output(
        Command::new("lintian")
            .args(["--no-cfg", "--allow-root", "--fail-on", "error,warning"])
            // Of uploads to Debian itself.
            .args(["--suppress-tags", "initial-upload-closes-no-bugs"])
            .arg(package),
    )?;
    if said.status.success() {
        return Ok(());
    }
    let said = [said.stdout, said.stderr].concat();
    Err(String::from_utf8_lossy(&said).into_owned())
}

/// The Debian release of this machine.
fn suite() -> Option<String> {
    let text = fs::read_to_string("/etc/os-release").ok()?;
    let value = |name: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
    };
    (value("ID") == Some("debian")).then(|| value("VERSION_CODENAME").map(str::to_owned))?
}

/// The essential packages of this machine's release, as a tar file that is kept; none if this is
/// not Debian.
pub fn clean() -> Result<Option<PathBuf>, String> {
    clean_with("", &[])
}

/// The same with these packages and what they need; `suffix` is for the name of the file.
pub fn clean_with(suffix: &str, packages: &[&str]) -> Result<Option<PathBuf>, String> {
    let Some(suite) = suite() else {
        return Ok(None);
    };
    let tar = target().join("tools").join(format!("{suite}{suffix}.tar"));
    if !tar.exists() {
        println!("making a clean root of Debian {suite}");
        let part = tar.with_extension("part");
        let mut command = Command::new("mmdebstrap");
        command.args(["--quiet", "--variant=essential", "--format=tar"]);
        for package in packages {
            command.arg(format!("--include={package}"));
        }
        text(command.arg(&suite).arg(&part))?;
        fs::rename(&part, &tar).map_err(|error| error.to_string())?;
    }
    Ok(Some(tar))
}
