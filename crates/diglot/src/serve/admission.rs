//! Who may come in: how many connections there are in all, and how many of one party.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use super::peer::Party;
use super::proxies::Proxies;

/// How often connections that lie idle are asked to make room, while there is none.
const CROWDED: Duration = Duration::from_secs(1);

/// How many connections each party has, as far as they are counted.
type Parties = Arc<Mutex<HashMap<Party, usize>>>;

/// The door of one server.
pub(super) struct Admission {
    room: Arc<Semaphore>,
    /// Told to every connection when there is no room.
    crowded: watch::Sender<u64>,
    /// When that is told next, at the earliest.
    next: Instant,
    parties: Parties,
    most_of_one: usize,
    proxies: Proxies,
}

/// The right to one connection; given back when it is dropped.
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    party: Option<(Parties, Party)>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some((parties, party)) = &self.party else { return };
        let mut parties = parties.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = parties.get_mut(party) {
            *count -= 1;
            if *count == 0 {
                parties.remove(party);
            }
        }
    }
}

impl Admission {
    /// A door for this many connections in all, and of one party (0: as many).
    pub(super) fn new(connections: usize, most_of_one: usize, proxies: Proxies) -> Self {
        let room = Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS)));
        Self { room, crowded: watch::channel(0).0, next: Instant::now(), parties: Arc::default(), most_of_one, proxies }
    }

    /// What tells connections that there is no room.
    pub(super) fn crowded(&self) -> watch::Receiver<u64> {
        self.crowded.subscribe()
    }

    /// Waits for room; meanwhile the system queues who wants to come in. Dropping this waits no more, and loses nothing.
    pub(super) async fn room(&mut self) -> Place {
        let place = |permit| Place { _permit: permit, party: None };
        loop {
            if let Ok(permit) = Arc::clone(&self.room).try_acquire_owned() {
                return place(permit);
            }
            if Instant::now() >= self.next {
                self.next = Instant::now() + CROWDED;
                self.crowded.send_modify(|times| *times += 1);
            }
            // The semaphore lives as long as we do and is never closed.
            if let Ok(Ok(permit)) = timeout_at(self.next, Arc::clone(&self.room).acquire_owned()).await {
                return place(permit);
            }
        }
    }

    /// Whether one more connection from this address may come in; its place then counts for its party.
    pub(super) fn admits(&self, address: IpAddr, place: &mut Place) -> bool {
        let counted = self.most_of_one > 0 && !address.to_canonical().is_loopback() && !self.proxies.trusts(address);
        if !counted {
            return true;
        }
        let party = Party::from(address);
        let mut parties = self.parties.lock().unwrap_or_else(PoisonError::into_inner);
        let count = parties.entry(party).or_default();
        if *count >= self.most_of_one {
            return false;
        }
        *count += 1;
        place.party = Some((Arc::clone(&self.parties), party));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_party_has_so_many_connections_and_no_more() {
        let mut door = Admission::new(100, 2, Proxies { trusted: vec!["10.0.0.0/8".parse().unwrap()], ..Proxies::default() });
        let mut places = Vec::new();
        let mut enter = async |address: &str, expected: bool| {
            let mut place = door.room().await;
            assert_eq!(door.admits(address.parse().unwrap(), &mut place), expected, "{address}");
            places.push(place);
        };
        for address in ["192.0.2.1", "192.0.2.1", "2001:db8::1", "2001:db8::ffff", "127.0.0.1", "10.1.1.1"] {
            enter(address, true).await;
        }
        for address in ["192.0.2.1", "2001:db8::2", "::ffff:192.0.2.1"] {
            enter(address, false).await;
        }
        for address in ["192.0.2.2", "127.0.0.1", "127.0.0.1", "::1", "::1", "::1", "10.1.1.1", "10.1.1.1", "2001:db8:0:1::1"] {
            enter(address, true).await;
        }
        places.clear();
        assert!(door.parties.lock().unwrap().is_empty(), "nothing is kept of who left");
    }
}
