//! What is kept of an authority in the state folder: the account, the certificate with its key, the
//! times of the tries, and what is to be shown at the moment. All of it can be read by its owner
//! alone.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use instant_acme::{AccountCredentials, CertificateIdentifier};
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tempfile::NamedTempFile;
use x509_parser::extensions::GeneralName;

use super::plan::{Held, Memory};
use super::{CERTIFICATE, CHALLENGES};
use crate::failure::reason;
use crate::serve::{Challenge, Files};
use crate::terminal;
use crate::{file, limits};

const ACCOUNT: &str = "account.json";
const TRIES: &str = "tries.json";
const LOCK: &str = "lock";
/// Room for a certificate that is asked for, so that it can be kept once it is here.
const ROOM: usize = 32 << 10;

/// The folder of one authority.
pub(super) struct AuthorityFolder {
    folder: PathBuf,
}

impl AuthorityFolder {
    pub(super) fn at(folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self { folder }
    }

    /// The right to ask. `None` while another process has it.
    pub(super) fn lock(&self) -> io::Result<Option<File>> {
        let lock = file::lock(&self.folder.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// What is remembered of tries. If it is damaged, a try counts as just made, so that damage does
    /// not let more be asked than the limits allow.
    pub(super) fn memory(&self, now: Timestamp) -> Memory {
        match self.read(TRIES) {
            None => Memory::default(),
            Some(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|_| {
                let path = self.folder.join(TRIES);
                terminal::say(format!(
                    "warning: `{}` is damaged and ignored",
                    path.display()
                ));
                Memory::unknown(now)
            }),
        }
    }

    pub(super) fn remember(&self, memory: &Memory) -> io::Result<()> {
        self.replace(TRIES, &serde_json::to_vec(memory)?)
    }

    /// The account, if there is one that can be used.
    pub(super) fn account(&self) -> Option<AccountCredentials> {
        serde_json::from_slice(&self.read(ACCOUNT)?).ok()
    }

    pub(super) fn set_account(&self, account: &AccountCredentials) -> io::Result<()> {
        self.replace(ACCOUNT, &serde_json::to_vec(account)?)
    }

    /// Forgets an account that the authority does not know.
    pub(super) fn forget_account(&self) {
        let _ = std::fs::remove_file(self.folder.join(ACCOUNT));
    }

    /// Says what is to be shown.
    pub(super) fn show(&self, challenges: &[Challenge]) -> io::Result<()> {
        self.replace(CHALLENGES, &serde_json::to_vec(challenges)?)
    }

    /// Nothing is to be shown any more.
    pub(super) fn hide(&self) {
        let _ = std::fs::remove_file(self.folder.join(CHALLENGES));
    }

    /// The certificate in use, if it is whole, with its key, and for exactly these names.
    pub(super) fn held(&self, domains: &[String]) -> Option<Held> {
        let pem = self.read(CERTIFICATE)?;
        self.files().check_content(&pem).ok()?;
        read(&pem, domains).ok()
    }

    /// Checks that a certificate with its key, which is not kept yet, is one to use from now on.
    ///
    /// # Errors
    /// Why it is not.
    pub(super) fn check(
        &self,
        pem: &[u8],
        domains: &[String],
        now: Timestamp,
    ) -> Result<(), String> {
        let held = read(pem, domains)?;
        if self.files().check_content(pem).is_err() {
            return Err("its certificate is not for the key that was sent".to_owned());
        }
        // The clock of this machine may be wrong by some hours.
        let soon = now.saturating_add(SignedDuration::from_hours(24));
        if held.until <= now || soon.is_ok_and(|soon| held.from > soon) {
            return Err(format!(
                "its certificate is valid from {} until {}",
                held.from, held.until
            ));
        }
        Ok(())
    }

    fn files(&self) -> Files {
        let path = self.folder.join(CERTIFICATE);
        Files {
            certificate: path.clone(),
            key: path,
        }
    }

    /// Takes room on the disk for a certificate.
    pub(super) fn room(&self) -> io::Result<NamedTempFile> {
        let mut file = file::temporary(&self.folder, CERTIFICATE)?;
        file.write_all(&vec![b'\n'; ROOM])?;
        file.as_file().sync_all()?;
        Ok(file)
    }

    /// Keeps a certificate in the room that was taken for it.
    pub(super) fn keep(&self, mut room: NamedTempFile, pem: &[u8]) -> io::Result<()> {
        room.rewind()?;
        room.write_all(pem)?;
        room.as_file().set_len(pem.len() as u64)?;
        file::put(room, &self.folder, CERTIFICATE)
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        match file::read(&path, limits::PEM_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let why = reason(&error);
                terminal::say(format!("warning: `{}` is not used: {why}", path.display()));
                Some(Vec::new())
            }
        }
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        file::replace(&self.folder, name, bytes)
    }
}

/// When the first certificate of a PEM text is valid, if it is for exactly these names.
///
/// # Errors
/// Why it cannot be used.
fn read(pem: &[u8], domains: &[String]) -> Result<Held, String> {
    let der = CertificateDer::from_pem_slice(pem).map_err(|_| "it contains no certificate")?;
    let parsed = x509_parser::parse_x509_certificate(&der);
    let (_, certificate) = parsed.map_err(|_| "its certificate is malformed")?;
    let names = certificate.subject_alternative_name().ok().flatten();
    let names = names
        .map(|names| &names.value.general_names[..])
        .unwrap_or_default();
    let mut names: Vec<String> = names
        .iter()
        .filter_map(|name| match name {
            GeneralName::DNSName(name) => Some(name.to_ascii_lowercase()),
            _ => None,
        })
        .collect();
    let mut wanted = domains.to_vec();
    for list in [&mut names, &mut wanted] {
        list.sort();
        list.dedup();
    }
    if names != wanted {
        return Err("its certificate is for other names".to_owned());
    }
    let moment = |time: x509_parser::time::ASN1Time| {
        Timestamp::from_second(time.timestamp()).map_err(|_| "its certificate has no time")
    };
    let validity = certificate.validity();
    let id = CertificateIdentifier::try_from(&der).ok();
    Ok(Held {
        from: moment(validity.not_before)?,
        until: moment(validity.not_after)?,
        id: id.map(|id| id.to_string()),
    })
}
