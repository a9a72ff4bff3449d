//! Checksums, and their signature.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ring::digest;

use crate::{VERSION, read, write as write_file};

/// The name of the file of checksums.
const NAME: &str = "SHA256SUMS";

/// A SHA-256 digest in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in digest::digest(&digest::SHA256, bytes).as_ref() {
        // A string takes everything.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Writes the checksums of files, as `sha256sum --check` reads them.
///
/// # Errors
/// A file cannot be read, or the list cannot be written.
pub fn write(folder: &Path, files: &[&PathBuf]) -> Result<PathBuf, String> {
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        lines.push((name.into_owned(), sha256(&read(file)?)));
    }
    lines.sort();
    let mut text = String::new();
    for (name, sum) in lines {
        text += &format!("{sum}  {name}\n");
    }
    let path = folder.join(NAME);
    write_file(&path, text.as_bytes())?;
    Ok(path)
}

/// Signs the checksums with the key in a file. A key with a password asks for it.
///
/// # Errors
/// There is no `minisign`, or the key cannot be read.
pub fn sign(sums: &Path, key: &Path) -> Result<PathBuf, String> {
    let path = sums.with_file_name(format!("{NAME}.minisig"));
    let comment = format!("diglot {VERSION}");
    let mut command = Command::new("minisign");
    command.args(["-S", "-t", &comment, "-c", &comment, "-s"]);
    command.arg(key).arg("-m").arg(sums).arg("-x").arg(&path);
    let status = command
        .status()
        .map_err(|error| format!("cannot run `minisign`: {error}"))?;
    match status.success() {
        true => Ok(path),
        false => Err(format!("cannot sign with the key `{}`", key.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_standard_s() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expected);
    }
}
