//! One runtime for each processor. A connection lives on one of them from its first byte to its last, so that nothing it does is handed from thread to thread.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Threads with a runtime each, beside the one that accepts. They end when this is dropped.
#[derive(Debug, Default)]
pub struct Workers(Vec<Worker>);

#[derive(Debug)]
struct Worker {
    runtime: Handle,
    _until_dropped: oneshot::Sender<()>,
}

impl Workers {
    /// Starts so many.
    ///
    /// # Errors
    /// The system's, when there can be no more threads.
    pub fn start(count: usize) -> io::Result<Self> {
        (0..count).map(|_| Worker::start()).collect::<io::Result<_>>().map(Self)
    }
}

impl Worker {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (until_dropped, dropped) = oneshot::channel();
        let handle = runtime.handle().clone();
        // An error is what a dropped sender gives: what is waited for.
        thread::Builder::new().name("diglot-serve".into()).spawn(move || drop(runtime.block_on(dropped)))?;
        Ok(Self { runtime: handle, _until_dropped: until_dropped })
    }
}

/// Gives every connection to whoever has the fewest.
pub(super) struct Crew(Vec<Seat>);

struct Seat {
    /// None where connections are accepted.
    runtime: Option<Handle>,
    connections: Arc<AtomicUsize>,
}

/// One connection of a runtime's.
struct Taken(Arc<AtomicUsize>);

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Crew {
    /// The runtime that accepts, and these.
    pub(super) fn new(workers: &Workers) -> Self {
        let runtimes = std::iter::once(None).chain(workers.0.iter().map(|worker| Some(worker.runtime.clone())));
        Self(runtimes.map(|runtime| Seat { runtime, connections: Arc::default() }).collect())
    }

    /// Serves a connection. One whose socket the system does not let go is lost, as if its client had left.
    pub(super) fn take<F: Future<Output = ()> + Send + 'static>(
        &self,
        connections: &mut JoinSet<()>,
        socket: TcpStream,
        serve: impl FnOnce(TcpStream) -> F + Send + 'static,
    ) {
        let Some(seat) = self.0.iter().min_by_key(|seat| seat.connections.load(Relaxed)) else { return };
        seat.connections.fetch_add(1, Relaxed);
        let taken = Taken(Arc::clone(&seat.connections));
        let Some(runtime) = &seat.runtime else {
            connections.spawn(async move {
                let _taken = taken;
                serve(socket).await;
            });
            return;
        };
        // A socket wakes the runtime that knows it.
        let Ok(socket) = socket.into_std() else { return };
        let served = async move {
            let _taken = taken;
            if let Ok(socket) = TcpStream::from_std(socket) {
                serve(socket).await;
            }
        };
        connections.spawn_on(served, runtime);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn connections_are_shared_evenly_and_each_stays_where_it_is() {
        let (workers, listener) = (Workers::start(2).unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap());
        let (crew, mut connections, threads) = (Crew::new(&workers), JoinSet::new(), Arc::new(Mutex::new(Vec::new())));
        let mut clients = Vec::new();
        for _ in 0..9 {
            clients.push(std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap());
            let (socket, threads) = (listener.accept().await.unwrap().0, Arc::clone(&threads));
            crew.take(&mut connections, socket, move |mut socket| async move {
                let begun = thread::current().id();
                // The client says nothing and leaves: who reads here is woken by the socket.
                let _ = socket.read(&mut [0]).await;
                assert_eq!(thread::current().id(), begun);
                threads.lock().unwrap().push(begun);
            });
        }
        assert!(crew.0.iter().all(|seat| seat.connections.load(Relaxed) == 3));
        drop(clients);
        let ended = async { while connections.join_next().await.is_some_and(|ended| ended.is_ok()) {} };
        tokio::time::timeout(Duration::from_secs(10), ended).await.unwrap();
        let mut threads = std::mem::take(&mut *threads.lock().unwrap());
        assert_eq!(threads.len(), 9);
        threads.sort_by_key(|thread| format!("{thread:?}"));
        threads.dedup();
        assert_eq!(threads.len(), 3, "one each");
        assert!(crew.0.iter().all(|seat| seat.connections.load(Relaxed) == 0));
    }
}
