//! One order of a certificate, and one question for the window in which it should be renewed.

use std::time::Duration;

use instant_acme::CertificateIdentifier;
use instant_acme::{
    Account, AuthorizationHandle, AuthorizationStatus, ChallengeStatus, ChallengeType, Error,
    Identifier, NewAccount, NewOrder, Order, OrderStatus, Problem, RetryPolicy,
};
use jiff::{SignedDuration, Timestamp, Unit};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use tempfile::NamedTempFile;

use super::authority_folder::AuthorityFolder;
use super::http::Http;
use crate::cli;
use crate::failure::reason;
use crate::serve::Challenge;
use crate::terminal;

/// How long one order may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// How long the authority may take to see what is shown, and to issue the certificate.
const LOOK: Duration = Duration::from_secs(60);
/// How long to wait between two tries to write a certificate onto a full disk.
const FULL: Duration = Duration::from_secs(60);

/// What the library says if the authority took the order and does not say what it replaces.
const NOT_REPLACED: &str = "replaces field mismatch";
/// The most characters of what an authority says.
const MOST_SAID: usize = 1_000;

/// Why there is no certificate.
#[derive(Debug)]
pub(super) struct Refused {
    pub message: String,
    pub hint: Option<String>,
}

impl Refused {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: on_one_line(&message.into()),
            hint: None,
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::new(match &error {
            Error::Api(problem) => said(problem),
            Error::Json(_) => "the authority's answer is not what the protocol says".to_owned(),
            Error::Timeout(_) => "the authority did not decide in time".to_owned(),
            other => other.to_string(),
        })
    }
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        let why = reason(&error);
        Self::new(format!("cannot write the state folder: {why}"))
    }
}

/// A text in which another may have written: a line break would look like the end of the message.
fn on_one_line(text: &str) -> String {
    let is_hidden = |letter: char| letter.is_control() || "\u{2028}\u{2029}".contains(letter);
    let mut line = String::with_capacity(text.len());
    for letter in text.chars().take(MOST_SAID) {
        match is_hidden(letter) {
            true => line.extend(letter.escape_default()),
            false => line.push(letter),
        }
    }
    if text.chars().nth(MOST_SAID).is_some() {
        line.push('…');
    }
    line
}

/// What the authority said, with the names that it is about.
fn said(problem: &Problem) -> String {
    let detail = problem.detail.as_deref().or(problem.r#type.as_deref());
    let mut text = format!(
        "the authority refuses: {}",
        detail.unwrap_or("no reason is given")
    );
    for part in &problem.subproblems {
        if let (Some(Identifier::Dns(name)), Some(detail)) = (&part.identifier, &part.detail) {
            text += &format!("; {name}: {detail}");
        }
    }
    text
}

/// Whether the authority's refusal is of this kind.
fn is_of(error: &Error, kind: &str) -> bool {
    let Error::Api(problem) = error else {
        return false;
    };
    let name = problem.r#type.as_deref().unwrap_or_default();
    name.strip_prefix("urn:ietf:params:acme:error:") == Some(kind)
}

/// Who asks.
pub(super) struct Ask<'a> {
    pub acme: &'a cli::Acme,
    pub folder: &'a AuthorityFolder,
    pub http: &'a Http,
}

impl Ask<'_> {
    /// Orders a certificate and keeps it in this room. `replaces` is the identifier of the one before.
    pub(super) async fn order(
        &self,
        room: NamedTempFile,
        replaces: Option<&str>,
        now: Timestamp,
    ) -> Result<(), Refused> {
        let ordered = tokio::time::timeout(PATIENCE, self.ordered(replaces, now)).await;
        self.folder.hide();
        let pem = ordered.map_err(|_| Refused::new("the authority did not decide in time"))??;
        let mut kept = self.folder.keep(room, pem.as_bytes());
        while let Err(error) = kept {
            // The certificate counts against the authority's limits: it must not be lost.
            let why = reason(&error);
            terminal::say(format!(
                "warning: the new certificate cannot be written, which is tried again every minute: {why}"
            ));
            tokio::time::sleep(FULL).await;
            let room = self.folder.room();
            kept = room.and_then(|room| self.folder.keep(room, pem.as_bytes()));
        }
        Ok(())
    }

    /// The window in which a certificate should be renewed, and how long not to ask again.
    pub(super) async fn window(
        &self,
        certificate: &str,
    ) -> Option<((Timestamp, Timestamp), SignedDuration)> {
        let account = self.account().await.ok()?;
        let (info, again) = account.renewal_info(&identifier(certificate)?).await.ok()?;
        let moment = |second| Timestamp::from_second(second).ok();
        let window = info.suggested_window;
        let start = moment(window.start.unix_timestamp())?;
        let end = moment(window.end.unix_timestamp())?;
        // The library turns this time into a moment and back, which loses a fraction of a second.
        let again = SignedDuration::try_from(again).ok()?;
        let again = again.round(Unit::Second).unwrap_or(again);
        Some(((start, end), again))
    }

    /// The account; a new one if there is none yet.
    async fn account(&self) -> Result<Account, Refused> {
        let builder = Account::builder_with_http(Box::new(self.http.clone()));
        if let Some(account) = self.folder.account() {
            return Ok(builder.from_credentials(account).await?);
        }
        let email = self.acme.acme.as_deref().unwrap_or_default();
        let contact = format!("mailto:{email}");
        let new = NewAccount {
            contact: &[&contact],
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let directory = self.acme.acme_directory.clone();
        let (account, credentials) = builder.create(&new, directory, None).await?;
        self.folder.set_account(&credentials)?;
        Ok(account)
    }

    /// The key, the certificate and its chain, as PEM.
    async fn ordered(&self, replaces: Option<&str>, now: Timestamp) -> Result<String, Refused> {
        let account = self.account().await?;
        let names = self.acme.domain.iter();
        let names: Vec<Identifier> = names.map(|name| Identifier::Dns(name.clone())).collect();
        let mut order = self.new_order(&account, &names, replaces).await?;
        self.show(&mut order).await?;
        let policy = RetryPolicy::default().timeout(LOOK);
        let state = match order.poll_ready(&policy).await {
            Ok(OrderStatus::Ready) => Ok(()),
            Ok(_) => Err(Refused::new("the authority refuses the order")),
            Err(error) => Err(error.into()),
        };
        if let Err(refused) = state {
            return Err(self.rejected(&mut order).await.unwrap_or(refused));
        }
        let failed = |error: rcgen::Error| Refused::new(format!("cannot make a key: {error}"));
        let key = KeyPair::generate().map_err(failed)?;
        let mut wanted = CertificateParams::new(self.acme.domain.clone()).map_err(failed)?;
        wanted.distinguished_name = DistinguishedName::new();
        let request = wanted.serialize_request(&key).map_err(failed)?;
        order.finalize_csr(request.der()).await?;
        let chain = order.poll_certificate(&policy).await?;
        let pem = format!("{}{chain}", key.serialize_pem());
        let checked = self.folder.check(pem.as_bytes(), &self.acme.domain, now);
        checked
            .map_err(|why| Refused::new(format!("the authority's answer is not used: {why}")))?;
        Ok(pem)
    }

    async fn new_order(
        &self,
        account: &Account,
        names: &[Identifier],
        replaces: Option<&str>,
    ) -> Result<Order, Refused> {
        let profile = self.acme.acme_profile.as_deref();
        if let Some(profile) = profile {
            let offered: Vec<&str> = account.profiles().map(|offered| offered.name).collect();
            if !offered.contains(&profile) {
                return Err(no_profile(profile, offered));
            }
        }
        let wanted = || {
            let wanted = NewOrder::new(names);
            match profile {
                Some(profile) => wanted.profile(profile),
                None => wanted,
            }
        };
        if let Some(before) = replaces.and_then(identifier) {
            match account.new_order(&wanted().replaces(before)).await {
                Ok(order) => return Ok(order),
                // The authority knows no replacements, or not this one: once more without it.
                Err(Error::Unsupported(_)) => {}
                Err(error) if is_of(&error, "alreadyReplaced") || is_of(&error, "malformed") => {}
                Err(Error::Other(why)) if why.to_string().starts_with(NOT_REPLACED) => {}
                Err(error) => return Err(self.unordered(error)),
            }
        }
        let ordered = account.new_order(&wanted()).await;
        ordered.map_err(|error| self.unordered(error))
    }

    fn unordered(&self, error: Error) -> Refused {
        if is_of(&error, "accountDoesNotExist") {
            self.folder.forget_account();
        }
        error.into()
    }

    /// Shows the authority that every name is this server's.
    async fn show(&self, order: &mut Order) -> Result<(), Refused> {
        let kind = match self.acme.acme_challenge {
            cli::Challenge::TlsAlpn01 => ChallengeType::TlsAlpn01,
            cli::Challenge::Http01 => ChallengeType::Http01,
        };
        let mut shown = Vec::new();
        let mut all = order.authorizations();
        while let Some(next) = all.next().await {
            let mut name = next?;
            if name.status == AuthorizationStatus::Valid {
                continue;
            }
            let domain = name.identifier().to_string();
            let Some(mut challenge) = name.challenge(kind.clone()) else {
                return Err(Refused::new(format!(
                    "the authority does not offer `{}` for `{domain}`",
                    self.acme.acme_challenge.name()
                )));
            };
            let answer = challenge.key_authorization();
            let (certificate, key) = match kind {
                ChallengeType::TlsAlpn01 => certificate(&domain, answer.digest().as_ref())?,
                _ => Default::default(),
            };
            shown.push(Challenge {
                domain,
                token: challenge.token.clone(),
                answer: answer.as_str().to_owned(),
                certificate,
                key,
            });
            self.folder.show(&shown)?;
            challenge.set_ready().await?;
        }
        Ok(())
    }

    /// Why the authority did not see what was shown, if it says so.
    async fn rejected(&self, order: &mut Order) -> Option<Refused> {
        let mut all = order.authorizations();
        while let Some(Ok(mut name)) = all.next().await {
            name.refresh().await.ok()?;
            if let Some(why) = refusal(&name) {
                let domain = name.identifier().to_string();
                let port = self.acme.acme_challenge.port();
                let hint = format!(
                    "the name must lead to this machine, and its port {port} to this server"
                );
                return Some(Refused {
                    hint: Some(hint),
                    ..Refused::new(format!(
                        "the authority could not see that `{domain}` is this server: {why}"
                    ))
                });
            }
        }
        None
    }
}

fn refusal(name: &AuthorizationHandle<'_>) -> Option<String> {
    let failed = name
        .challenges
        .iter()
        .find(|it| it.status == ChallengeStatus::Invalid)?;
    let problem = failed.error.as_ref()?;
    problem.detail.clone().or_else(|| problem.r#type.clone())
}

fn no_profile(profile: &str, mut offered: Vec<&str>) -> Refused {
    offered.sort_unstable();
    Refused {
        message: format!("the authority has no profile `{profile}`"),
        hint: Some(match offered.is_empty() {
            true => "it has none: leave out `--acme-profile`".to_owned(),
            false => on_one_line(&format!("it has {}", offered.join(", "))),
        }),
    }
}

/// A certificate of its own that shows a name (RFC 8737 section 3), and its key.
fn certificate(domain: &str, digest: &[u8]) -> Result<(String, String), Refused> {
    let failed = |error: rcgen::Error| Refused::new(format!("cannot make a key: {error}"));
    let key = KeyPair::generate().map_err(failed)?;
    let mut wanted = CertificateParams::new(vec![domain.to_owned()]).map_err(failed)?;
    wanted.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
    let made = wanted.self_signed(&key).map_err(failed)?;
    Ok((made.pem(), key.serialize_pem()))
}

/// An identifier as it is kept: two parts in base64url.
fn identifier(text: &str) -> Option<CertificateIdentifier<'_>> {
    let (authority, serial) = text.split_once('.')?;
    Some(CertificateIdentifier {
        authority_key_identifier: authority.into(),
        serial: serial.into(),
    })
}
