//! A running server over an edition, and plain sockets to it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use arc_swap::ArcSwap;
use diglot::serve::{Limits, Live, Setup, listen, run};
use diglot_edition::Edition;

/// A server that stops when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    pub live: Live,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(edition: Edition) -> Self {
        Self::with(edition, Limits::default())
    }

    pub fn with(edition: Edition, limits: Limits) -> Self {
        Self::over(
            edition,
            Setup {
                limits,
                ..Setup::default()
            },
        )
    }

    /// A server set up like this.
    pub fn over(edition: Edition, setup: Setup) -> Self {
        let live: Live = Arc::new(ArcSwap::from_pointee(edition));
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let served = Arc::clone(&live);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = listen(([127, 0, 0, 1], 0).into()).unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                run(listener, served, setup, async move {
                    stopped.await.unwrap_or_default()
                })
                .await;
            });
        });
        Self {
            address: told.recv().unwrap(),
            live,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.address).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        socket
    }

    /// Sends bytes and reads until the server closes.
    pub fn exchange(&self, request: &[u8]) -> Vec<u8> {
        let mut socket = self.connect();
        // The server may answer and close before it has read everything.
        let _ = socket.write_all(request);
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        answer
    }

    /// Asks the server to stop.
    pub fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until the server has stopped.
    pub fn join(mut self) {
        self.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The first line and the rest of an answer.
pub fn status(answer: &[u8]) -> u16 {
    let text = String::from_utf8_lossy(answer);
    text.split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or_else(|| panic!("no answer, but {text:?}"))
}
