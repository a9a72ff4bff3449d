//! A small authority for tests: RFC 8555 as far as one client needs it, with renewal information
//! (RFC 9773), profiles, and faults. It checks nonces and what is shown, not signatures.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, PKCS_ECDSA_P256_SHA256,
    PublicKeyData, SignatureAlgorithm, date_time_ymd,
};
use serde_json::{Value, json};
use x509_parser::prelude::{FromDer, X509CertificationRequest};

use super::super::super::http::Transport;
use crate::serve::Challenge;

const PROBLEM: &str = "application/problem+json";
/// What is in place of an address of this machine.
const ORIGIN: &str = "https://authority.test";

/// What an authority does wrong, once.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It cannot be reached.
    Away,
    /// It accepts no nonce this time.
    Nonce,
    /// It answers with this status, kind of problem and `Retry-After`.
    Refuses(u16, &'static str, &'static str),
    /// It refuses with this text.
    Says(&'static str),
    /// It answers with a page of a server in front.
    Page(u16),
    /// Its answer is not what the protocol says.
    Garbage,
    /// What is shown is not seen.
    Blind,
}

/// What it knows.
#[derive(Default)]
pub(super) struct Known {
    /// Paths, in the order in which they were asked for.
    pub asked: Vec<String>,
    /// What orders asked for.
    pub orders: Vec<Value>,
    /// What happens at the next request whose path begins so.
    pub faults: VecDeque<(&'static str, Fault)>,
    /// The window for every certificate, as RFC 3339, and `Retry-After`.
    pub window: Option<(&'static str, &'static str, Option<&'static str>)>,
    pub profiles: Vec<&'static str>,
    /// The days of a certificate: year, month, day.
    pub valid: Option<[(i32, u8, u8); 2]>,
    /// Whether its certificates are for a key of its own.
    pub keeps_key: bool,
    /// Whether orders do not say what they replace.
    pub is_silent: bool,
    certificates: BTreeMap<usize, String>,
    shown: HashSet<String>,
    nonces: HashSet<String>,
    issued_nonces: usize,
}

#[derive(Clone)]
pub(super) struct Model {
    pub known: Arc<Mutex<Known>>,
    /// Where the server shows what it is asked for.
    pub challenges: PathBuf,
    issuer: Arc<CertifiedIssuer<'static, KeyPair>>,
}

impl Model {
    pub(super) fn new(challenges: PathBuf) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self {
            known: Arc::default(),
            challenges,
            issuer: Arc::new(issuer),
        }
    }

    fn answer(&self, known: &mut Known, path: &str, body: &Value) -> (u16, Value) {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let number = parts.get(1).and_then(|part| part.parse().ok()).unwrap_or(0);
        match parts[0] {
            "dir" => (200, directory(known)),
            "nonce" => (200, Value::Null),
            "account" => (201, json!({"status": "valid"})),
            "new-order" => {
                known.orders.push(body.clone());
                let order = self.order(known, known.orders.len() - 1);
                (201, order)
            }
            "order" => (200, self.order(known, number)),
            "authz" => (200, self.authorization(known, &parts)),
            "challenge" => {
                let domain = parts[2].to_owned();
                if self.is_shown(&domain) {
                    known.shown.insert(format!("{number}/{domain}"));
                }
                (
                    200,
                    self.authorization(known, &parts)["challenges"][0].clone(),
                )
            }
            "finalize" => {
                let request = decoded(body["csr"].as_str().unwrap());
                let certificate = self.issue(known, number, &request);
                known.certificates.insert(number, certificate);
                (200, self.order(known, number))
            }
            "certificate" => (200, known.certificates[&number].clone().into()),
            "renewal" => renewal(known),
            _ => (404, json!({"type": "urn:ietf:params:acme:error:malformed"})),
        }
    }

    fn order(&self, known: &Known, number: usize) -> Value {
        let asked = &known.orders[number];
        let domains = domains(asked);
        let is_ready = domains
            .iter()
            .all(|domain| known.shown.contains(&format!("{number}/{domain}")));
        let is_issued = known.certificates.contains_key(&number);
        let status = match (is_issued, is_ready) {
            (true, _) => "valid",
            (_, true) => "ready",
            _ if known.shown.contains(&format!("{number}/blind")) => "invalid",
            _ => "pending",
        };
        let urls: Vec<String> = domains
            .iter()
            .map(|domain| format!("{ORIGIN}/authz/{number}/{domain}"))
            .collect();
        let mut order = json!({
            "status": status,
            "authorizations": urls,
            "finalize": format!("{ORIGIN}/finalize/{number}"),
            "certificate": format!("{ORIGIN}/certificate/{number}"),
        });
        if let Some(before) = asked.get("replaces").filter(|_| !known.is_silent) {
            order["replaces"] = before.clone();
        }
        order
    }

    fn authorization(&self, known: &Known, parts: &[&str]) -> Value {
        let (number, domain) = (parts[1], parts[2]);
        let is_blind = known.shown.contains(&format!("{number}/blind"));
        let is_shown = known.shown.contains(&format!("{number}/{domain}"));
        let status = match (is_blind, is_shown) {
            (true, _) => "invalid",
            (_, true) => "valid",
            _ => "pending",
        };
        let challenge = |kind| {
            json!({
                "type": kind,
                "url": format!("{ORIGIN}/challenge/{number}/{domain}"),
                "token": format!("token-{number}-{domain}"),
                "status": status,
                "error": is_blind.then(|| json!({"detail": "connection refused"})),
            })
        };
        json!({
            "identifier": {"type": "dns", "value": domain},
            "status": status,
            "challenges": [challenge("tls-alpn-01"), challenge("http-01")],
        })
    }

    /// Whether the server shows what it should.
    fn is_shown(&self, domain: &str) -> bool {
        let shown = std::fs::read(&self.challenges).unwrap_or_default();
        let shown: Vec<Challenge> = serde_json::from_slice(&shown).unwrap_or_default();
        let found = shown.iter().find(|it| it.domain == domain);
        found.is_some_and(|it| it.answer.starts_with(&format!("{}.", it.token)))
    }

    fn issue(&self, known: &Known, number: usize, request: &[u8]) -> String {
        let (_, request) = X509CertificationRequest::from_der(request).unwrap();
        let info = request.certification_request_info.subject_pki;
        let key = Key(info.subject_public_key.data.to_vec());
        let mut params = CertificateParams::new(domains(&known.orders[number])).unwrap();
        params.use_authority_key_identifier_extension = true;
        if let Some([from, until]) = known.valid {
            params.not_before = date_time_ymd(from.0, from.1, from.2);
            params.not_after = date_time_ymd(until.0, until.1, until.2);
        }
        let certificate = match known.keeps_key {
            true => params.signed_by(&KeyPair::generate().unwrap(), &self.issuer),
            false => params.signed_by(&key, &self.issuer),
        };
        let certificate = certificate.unwrap();
        format!("{}{}", certificate.pem(), self.issuer.pem())
    }
}

/// The public key of a request.
struct Key(Vec<u8>);

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl Transport for Model {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Bytes>, String> {
        let mut known = self.known.lock().unwrap();
        let path = request.uri().path().to_owned();
        known.asked.push(path.clone());
        let signed: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let part = |name: &str| decoded(signed[name].as_str().unwrap_or_default());
        let body: Value = serde_json::from_slice(&part("payload")).unwrap_or_default();
        let protected: Value = serde_json::from_slice(&part("protected")).unwrap_or_default();
        let nonce = protected["nonce"].as_str().unwrap_or_default();
        let is_known = signed.is_null() || known.nonces.remove(nonce);
        let mut fault = None;
        if known
            .faults
            .front()
            .is_some_and(|(begin, _)| path.starts_with(begin))
        {
            fault = known.faults.pop_front().map(|(_, fault)| fault);
        }
        let (status, kind, body) = match fault {
            Some(Fault::Away) => return Err("connection refused".to_owned()),
            Some(Fault::Page(status)) => (status, "text/html", "<h1>Sorry".into()),
            Some(Fault::Garbage) => (200, "application/json", "{]".into()),
            Some(Fault::Refuses(status, kind, _)) => problem(status, kind),
            Some(Fault::Says(detail)) => (403, PROBLEM, json!({"detail": detail}).to_string()),
            Some(Fault::Nonce) => problem(400, "badNonce"),
            _ if !is_known => problem(400, "badNonce"),
            _ => {
                if let Some(Fault::Blind) = fault {
                    let number = path.split('/').nth(2).unwrap();
                    known.shown.insert(format!("{number}/blind"));
                }
                let (status, body) = self.answer(&mut known, &path, &body);
                let body = body
                    .as_str()
                    .map_or_else(|| body.to_string(), str::to_owned);
                (
                    status,
                    if status < 400 {
                        "application/json"
                    } else {
                        PROBLEM
                    },
                    body,
                )
            }
        };
        known.issued_nonces += 1;
        let fresh = format!("nonce-{}", known.issued_nonces);
        known.nonces.insert(fresh.clone());
        let mut answer = Response::builder()
            .status(status)
            .header("content-type", kind);
        answer = answer.header("replay-nonce", fresh);
        answer = match path.as_str() {
            "/account" => answer.header("location", format!("{ORIGIN}/account/1")),
            "/new-order" => {
                let number = known.orders.len().saturating_sub(1);
                answer.header("location", format!("{ORIGIN}/order/{number}"))
            }
            _ => answer,
        };
        let pause = match (fault, known.window) {
            (Some(Fault::Refuses(_, _, pause)), _) => Some(pause),
            (_, Some((_, _, pause))) if path.starts_with("/renewal") => pause,
            _ => None,
        };
        if let Some(pause) = pause.filter(|pause| !pause.is_empty()) {
            answer = answer.header("retry-after", pause);
        }
        Ok(answer.body(body.into()).unwrap())
    }
}

fn problem(status: u16, kind: &str) -> (u16, &'static str, String) {
    let body = json!({
        "type": format!("urn:ietf:params:acme:error:{kind}"),
        "detail": format!("this is {kind}"),
    });
    (status, PROBLEM, body.to_string())
}

fn directory(known: &Known) -> Value {
    let mut directory = json!({
        "newNonce": format!("{ORIGIN}/nonce"),
        "newAccount": format!("{ORIGIN}/account"),
        "newOrder": format!("{ORIGIN}/new-order"),
        "meta": {"profiles": known.profiles.iter().map(|name| (*name, "…")).collect::<BTreeMap<_, _>>()},
    });
    if known.window.is_some() {
        directory["renewalInfo"] = format!("{ORIGIN}/renewal").into();
    }
    directory
}

fn renewal(known: &Known) -> (u16, Value) {
    let (start, end, _) = known.window.unwrap();
    (
        200,
        json!({"suggestedWindow": {"start": start, "end": end}}),
    )
}

fn domains(order: &Value) -> Vec<String> {
    let names = order["identifiers"].as_array().unwrap().iter();
    names
        .map(|name| name["value"].as_str().unwrap().to_owned())
        .collect()
}

/// Base64 as in RFC 7515.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes() {
        let digit = DIGITS.iter().position(|it| *it == letter).unwrap();
        bits = (bits << 6) | u32::try_from(digit).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 255).unwrap());
        }
    }
    bytes
}
