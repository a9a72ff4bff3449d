//! Admission: the number of connections in all, and of one client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::network::client_network;
use super::proxies::Proxies;
use super::reaper::Signal;

/// How often idle connections are asked to close while the server is full.
const NO_ROOM: Duration = Duration::from_secs(1);

/// The counted connections of each client.
type Counts = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// The admission of one server.
pub(super) struct Admission {
    room: Arc<Semaphore>,
    signal: watch::Sender<Signal>,
    counts: Counts,
    most_of_one: usize,
    proxies: Proxies,
}

/// The right to one connection, returned on drop.
pub(super) struct Permit {
    _room: OwnedSemaphorePermit,
    counted: Option<(Counts, IpAddr)>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some((counts, client)) = &self.counted else {
            return;
        };
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(client);
            }
        }
    }
}

impl Admission {
    /// Admits this many connections in all, and of one client (0: unlimited).
    pub(super) fn new(
        connections: usize,
        most_of_one: usize,
        proxies: Proxies,
        signal: watch::Sender<Signal>,
    ) -> Self {
        let room = Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS)));
        Self {
            room,
            signal,
            counts: Counts::default(),
            most_of_one,
            proxies,
        }
    }

    /// Waits for room; meanwhile new connections queue in the system. Cancel-safe: dropping this
    /// future loses none.
    pub(super) async fn room(&self) -> Permit {
        loop {
            if self.room.available_permits() == 0 {
                self.signal.send_replace(Signal::NoRoom);
            }
            // The semaphore is never closed.
            if let Ok(Ok(room)) = timeout(NO_ROOM, Arc::clone(&self.room).acquire_owned()).await {
                return Permit {
                    _room: room,
                    counted: None,
                };
            }
        }
    }

    /// Whether another connection from this address is admitted; if so, its permit counts for the
    /// client.
    pub(super) fn admits(&self, address: IpAddr, permit: &mut Permit) -> bool {
        if self.most_of_one == 0
            || address.to_canonical().is_loopback()
            || self.proxies.trusts(address)
        {
            return true;
        }
        let client = client_network(address);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= self.most_of_one {
            return false;
        }
        *count += 1;
        permit.counted = Some((Arc::clone(&self.counts), client));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_client_has_so_many_connections_and_no_more() {
        let proxies = Proxies {
            trusted: vec!["10.0.0.0/8".parse().unwrap()],
            ..Proxies::default()
        };
        let admission = Admission::new(100, 2, proxies, watch::channel(Signal::Serving).0);
        let mut permits = Vec::new();
        let mut enter = async |address: &str, expected: bool| {
            let mut permit = admission.room().await;
            assert_eq!(
                admission.admits(address.parse().unwrap(), &mut permit),
                expected,
                "{address}"
            );
            permits.push(permit);
        };
        for address in [
            "192.0.2.1",
            "192.0.2.1",
            "2001:db8::1",
            "2001:db8::ffff",
            "127.0.0.1",
            "10.1.1.1",
        ] {
            enter(address, true).await;
        }
        for address in ["192.0.2.1", "2001:db8::2", "::ffff:192.0.2.1"] {
            enter(address, false).await;
        }
        for address in [
            "192.0.2.2",
            "127.0.0.1",
            "127.0.0.1",
            "::1",
            "::1",
            "::1",
            "10.1.1.1",
            "10.1.1.1",
            "2001:db8:0:1::1",
        ] {
            enter(address, true).await;
        }
        permits.clear();
        assert!(
            admission.counts.lock().unwrap().is_empty(),
            "nothing is kept of who left"
        );
    }
}
