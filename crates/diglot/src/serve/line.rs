//! What the socket, the service and the [`Reaper`](super::reaper::Reaper) of one connection tell one another.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::task::Waker;

/// What one connection and those who look after it know together. Numbers have one writer: the connection's own task.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Grows with every byte read or written.
    pub progress: AtomicU64,
    /// The number of the request head being received, from 1; 0 between heads.
    pub head: AtomicU64,
    /// How many heads were received whole.
    pub heads: AtomicU64,
    /// The number of the request whose length is ambiguous; 0 for none.
    pub ambiguous: AtomicU64,
    /// Requests that reached the service.
    pub requests: AtomicU64,
    /// Whether the next byte begins a new request of HTTP/1.1.
    pub between: AtomicBool,
    /// Whether all that was written has been taken.
    pub flushed: AtomicBool,
    command: AtomicU8,
    waker: Mutex<Option<Waker>>,
}

/// What a connection is told to do; the greater outweighs the lesser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Command {
    /// Go on.
    None,
    /// Give back the buffers, until something comes.
    Park,
    /// Finish what was begun, let the client take it, and end.
    Finish,
    /// Finish what was begun, and end without waiting for the client.
    Close,
    /// End now.
    End,
}

impl Line {
    /// Adds to a number of which this task is the only writer: cheaper than an atomic addition.
    pub fn add(number: &AtomicU64, count: u64) -> u64 {
        let sum = number.load(Relaxed) + count;
        number.store(sum, Relaxed);
        sum
    }

    /// Whether every request that came has been answered, and the answer has been taken.
    ///
    /// Bodies are ready at once: a connection on which nothing moves, and that has written all it was given, has no more to write.
    pub fn rests(&self) -> bool {
        self.between.load(Relaxed) && self.flushed.load(Relaxed) && self.heads.load(Relaxed) == self.requests.load(Relaxed)
    }

    /// Whether no request has begun.
    pub fn is_unasked(&self) -> bool {
        self.requests.load(Relaxed) == 0 && self.heads.load(Relaxed) == 0 && self.head.load(Relaxed) == 0
    }

    /// Tells the connection to do something, and wakes it.
    pub fn tell(&self, command: Command) {
        if self.command.fetch_max(command as u8, AcqRel) < command as u8
            && let Some(waker) = self.waker.lock().unwrap_or_else(PoisonError::into_inner).as_ref()
        {
            waker.wake_by_ref();
        }
    }

    /// What it has been told.
    pub fn command(&self) -> Command {
        match self.command.load(Acquire) {
            0 => Command::None,
            1 => Command::Park,
            2 => Command::Finish,
            3 => Command::Close,
            _ => Command::End,
        }
    }

    /// It has parked, and goes on.
    pub fn unpark(&self) {
        let _ = self.command.compare_exchange(Command::Park as u8, Command::None as u8, AcqRel, Acquire);
    }

    /// Whom to wake. Tasks keep their waker, so this is asked for once; `known` is what was given last.
    pub fn wakes(&self, known: &mut Option<Waker>, waker: &Waker) {
        if !known.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *known = Some(waker.clone());
            *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_command_stays() {
        let line = Line::default();
        line.tell(Command::Park);
        line.unpark();
        assert_eq!(line.command(), Command::None);
        line.tell(Command::Close);
        line.tell(Command::Park);
        line.unpark();
        assert_eq!(line.command(), Command::Close);
        line.tell(Command::End);
        assert_eq!(line.command(), Command::End);
    }
}
