//! A published Diglot site, read over HTTP.
//!
//! `/status.json` tells which edition is live. While it is the same, nothing is asked for twice;
//! afterwards what is known is asked for again with its entity tag (RFC 9110 section 13.1.2).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use diglot_audit::{Address, Answer, Blame, Refused};
use serde::Deserialize;

use super::said::quoted;
use super::site::{Reply, Site, Source};
use crate::polite::{PoliteClient, wanted_wait};

/// The product token of the `User-Agent`, and in `robots.txt`.
const TOKEN: &str = "diglot-mcp";
/// How long one answer may take.
const SLOWEST: Duration = Duration::from_secs(20);
/// How long it is not asked again which edition is live.
const FRESH: Duration = Duration::from_secs(5);
/// How long to wait if the site asks to be left alone and does not say how long.
const PAUSE: Duration = Duration::from_secs(30);
/// The longest such wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// The most bytes of answers that are kept.
const MOST_KEPT: usize = 64 << 20;
/// How many pages `grep` asks for at once, and in one call.
const AT_ONCE: (usize, usize) = (4, 200);

/// A site on the network.
pub struct RemoteSite {
    shared: Arc<Shared>,
    /// The edition that was live when last asked.
    last: Mutex<Option<(Instant, Arc<RemoteEdition>)>>,
}

struct Shared {
    client: PoliteClient,
    kept: Mutex<Kept>,
}

/// Answers by their targets.
#[derive(Default)]
struct Kept {
    answers: HashMap<String, OneKept>,
    bytes: usize,
}

struct OneKept {
    /// The edition for which it is known to be right.
    edition: String,
    tag: String,
    reply: Reply,
}

struct RemoteEdition {
    shared: Arc<Shared>,
    id: String,
    address: Address,
}

#[derive(Deserialize)]
struct Status {
    #[serde(rename = "releaseId")]
    id: String,
    #[serde(rename = "serviceId")]
    base: String,
}

impl RemoteSite {
    /// The site at this URL. Asks for its `robots.txt` first.
    ///
    /// # Errors
    /// Why it is not found, or cannot be read.
    pub fn find(url: &str) -> Result<Self, Refused> {
        let send = |client: &PoliteClient, url: &str| Ok(client.send(url, "")?.0);
        let client = PoliteClient::find(url, TOKEN, SLOWEST, send)?;
        let live = Self {
            shared: Arc::new(Shared {
                client,
                kept: Mutex::default(),
            }),
            last: Mutex::default(),
        };
        live.site().map(drop).map_err(|message| Refused {
            blame: Blame::Site,
            message,
            hint: None,
        })?;
        Ok(live)
    }
}

impl Source for RemoteSite {
    fn site(&self) -> Result<Arc<dyn Site>, String> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, edition)) = last.as_ref().filter(|(asked, _)| asked.elapsed() < FRESH) {
            return Ok(Arc::clone(edition) as Arc<dyn Site>);
        }
        let answer = self.shared.ask("/status.json", "")?;
        let status: Option<Status> = serde_json::from_slice(&answer.body).ok();
        let Some(Status { id, base }) = status.filter(|_| answer.status == 200) else {
            let url = self.shared.client.address.url("/status.json");
            return Err(format!(
                "`{url}` is not the status of a site that Diglot made (it answers {})",
                answer.status
            ));
        };
        let edition = Arc::new(RemoteEdition {
            shared: Arc::clone(&self.shared),
            id,
            address: Address::new(&base),
        });
        *last = Some((Instant::now(), Arc::clone(&edition)));
        Ok(edition)
    }
}

impl Shared {
    /// The answer to a GET request; `tag`: an entity tag that is known, or empty.
    fn ask(&self, target: &str, tag: &str) -> Result<Answer, String> {
        let client = &self.client;
        let whole = [client.address.prefix(), target].concat();
        if !client.is_allowed(&whole) {
            let whole = quoted(&whole);
            return Err(format!("the site's `robots.txt` disallows `{whole}`"));
        }
        if let Some(left) = client.left() {
            let seconds = left.as_secs() + 1;
            return Err(format!(
                "the site asks to be left alone for {seconds} s more"
            ));
        }
        let url = client.address.url(target);
        let sent = client.send(&url, tag);
        let (answer, _) = sent.map_err(|why| format!("cannot read `{}`: {why}", quoted(&url)))?;
        if let Some(wait) = wanted_wait(&answer, PAUSE) {
            client.pause(wait.min(LONGEST_PAUSE));
        }
        match answer.trouble {
            Some(why) => Err(format!("`{}` cannot be read: {why}", quoted(&url))),
            None => Ok(answer),
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn keep(&mut self, target: &str, kept: OneKept) {
        let size = |kept: &OneKept| kept.reply.body.len();
        if self.bytes + size(&kept) > MOST_KEPT {
            *self = Self::default();
        }
        self.bytes += size(&kept);
        let before = self.answers.insert(target.to_owned(), kept);
        self.bytes -= before.as_ref().map_or(0, size);
    }
}

/// Whether a document is asked for each time: the status tells the edition, whose id does not cover
/// the documents on changes.
fn is_asked_again(target: &str) -> bool {
    target == "/status.json" || target.starts_with("/changes")
}

impl Site for RemoteEdition {
    fn id(&self) -> &str {
        &self.id
    }

    fn address(&self) -> &Address {
        &self.address
    }

    fn get(&self, target: &str) -> Result<Reply, String> {
        let mut tag = String::new();
        if let Some(known) = self.shared.kept().answers.get(target) {
            if known.edition == self.id && !is_asked_again(target) {
                return Ok(known.reply.clone());
            }
            known.tag.clone_into(&mut tag);
        }
        let answer = self.shared.ask(target, &tag)?;
        let mut kept = self.shared.kept();
        if answer.status == 304
            && let Some(known) = kept.answers.get_mut(target)
        {
            self.id.clone_into(&mut known.edition);
            return Ok(known.reply.clone());
        }
        let reply = Reply {
            status: answer.status,
            location: answer.field("location").trim().to_owned(),
            body: Bytes::from(answer.body.clone()),
        };
        let tag = answer.field("etag").to_owned();
        if answer.status == 200 && !tag.is_empty() {
            let (edition, reply) = (self.id.clone(), reply.clone());
            let one = OneKept {
                edition,
                tag,
                reply,
            };
            kept.keep(target, one);
        }
        Ok(reply)
    }

    fn at_once(&self) -> (usize, usize) {
        AT_ONCE
    }
}
