//! One task that looks after all connections, instead of a timer and several listeners in each: it says which one is too slow, lies idle, or has to end.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::Limits;
use super::line::{Command, Line};
use crate::allocator;

/// How often it looks, at most. A connection that nothing moved on between two looks is told to give its buffers back.
const BEAT: Duration = Duration::from_secs(1);

/// All connections of one server.
pub(super) struct Reaper {
    head_time: Duration,
    idle_time: Duration,
    watched: Mutex<Watched>,
}

#[derive(Default)]
struct Watched {
    lines: Vec<(Weak<Line>, Seen)>,
    /// Whether the server ends.
    ending: bool,
}

/// What was seen of one connection.
struct Seen {
    /// When its head and its idleness are looked at next.
    next: Instant,
    /// The head that was being received then.
    head: u64,
    /// How far it was at the last look, and since when.
    progress: u64,
    moved: Instant,
    /// The progress when there was no room the last time.
    crowded: Option<u64>,
}

impl Reaper {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self { head_time: limits.head_time, idle_time: limits.idle_time, watched: Mutex::default() })
    }

    /// A new connection.
    pub(super) fn line(&self) -> Arc<Line> {
        let line = Arc::new(Line::default());
        let now = Instant::now();
        let seen = Seen { next: now + self.head_time, head: 0, progress: 0, moved: now, crowded: None };
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if watched.ending {
            line.tell(Command::Close);
        }
        watched.lines.push((Arc::downgrade(&line), seen));
        line
    }

    /// Looks from time to time, until the server is gone.
    pub(super) async fn run(self: Arc<Self>, mut stopped: watch::Receiver<bool>, mut crowded: watch::Receiver<u64>) {
        let beat = BEAT.min(self.head_time / 8).max(Duration::from_millis(10));
        loop {
            tokio::select! {
                changed = stopped.changed() => match changed {
                    Ok(()) if *stopped.borrow_and_update() => self.end(),
                    Ok(()) => {}
                    Err(_) => return,
                },
                Ok(()) = crowded.changed() => self.each(|line, seen| {
                    let progress = line.progress.load(Relaxed);
                    // Nothing has moved since this was said the last time.
                    if seen.crowded.replace(progress) == Some(progress) {
                        line.tell(Command::Close);
                    }
                }),
                () = sleep(beat) => {
                    let now = Instant::now();
                    self.each(|line, seen| self.look(line, seen, now));
                    // What connections freed since the last look.
                    allocator::settle();
                }
            }
        }
    }

    /// Lets every connection finish what it does, and no more. A client that waits for nothing is not waited for.
    fn end(&self) {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).ending = true;
        self.each(|line, _| line.tell(if line.rests() { Command::Close } else { Command::Finish }));
    }

    fn each(&self, mut judge: impl FnMut(&Line, &mut Seen)) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.lines.retain_mut(|(line, seen)| {
            line.upgrade().is_some_and(|line| {
                judge(&line, seen);
                true
            })
        });
    }

    fn look(&self, line: &Line, seen: &mut Seen, now: Instant) {
        let progress = line.progress.load(Relaxed);
        let moves = progress != seen.progress;
        if moves {
            (seen.progress, seen.moved) = (progress, now);
        }
        if now >= seen.next {
            seen.next = now + self.head_time;
            let head = line.head.load(Relaxed);
            // The same head at two looks, or no request at all by the first one: that peer is too slow, whatever it trickles.
            let stuck = (head != 0 && head == seen.head) || line.requests.load(Relaxed) == 0;
            seen.head = head;
            let idle = now.duration_since(seen.moved) >= self.idle_time;
            match (stuck, idle) {
                (true, _) => line.tell(Command::End),
                // It was told to close, and nothing moves even so.
                (false, true) if line.command() >= Command::Close => line.tell(Command::End),
                (false, true) => line.tell(Command::Close),
                (false, false) => {}
            }
        }
        if !moves && line.rests() {
            line.tell(Command::Park);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patrol() -> Arc<Reaper> {
        Reaper::new(&Limits { head_time: Duration::from_secs(1), idle_time: Duration::from_secs(3), ..Limits::default() })
    }

    fn look(patrol: &Reaper, seconds: u64, begun: Instant) {
        patrol.each(|line, seen| patrol.look(line, seen, begun + Duration::from_secs(seconds) + Duration::from_millis(1)));
    }

    #[test]
    fn who_asks_for_nothing_or_takes_long_over_one_head_is_ended() {
        let (patrol, begun) = (patrol(), Instant::now());
        let (silent, slow, quick) = (patrol.line(), patrol.line(), patrol.line());
        for line in [&slow, &quick] {
            line.requests.store(1, Relaxed);
        }
        for second in 1..=2 {
            slow.head.store(2, Relaxed);
            slow.progress.fetch_add(1, Relaxed);
            quick.head.store(second + 1, Relaxed);
            quick.progress.fetch_add(1, Relaxed);
            look(&patrol, second, begun);
        }
        assert_eq!([silent.command(), slow.command(), quick.command()], [Command::End, Command::End, Command::None]);
    }

    #[test]
    fn who_rests_parks_then_closes_then_ends() {
        let (patrol, begun) = (patrol(), Instant::now());
        let line = patrol.line();
        line.requests.store(1, Relaxed);
        line.heads.store(1, Relaxed);
        line.between.store(true, Relaxed);
        line.flushed.store(true, Relaxed);
        let commands: Vec<Command> = (1..=6)
            .map(|second| {
                look(&patrol, second, begun);
                line.command()
            })
            .collect();
        assert_eq!(commands, [Command::Park, Command::Park, Command::Close, Command::End, Command::End, Command::End]);
    }

    #[test]
    fn who_is_gone_is_forgotten_and_who_comes_late_is_told() {
        let patrol = patrol();
        drop(patrol.line());
        let early = patrol.line();
        patrol.end();
        assert_eq!((early.command(), patrol.line().command()), (Command::Finish, Command::Close));
        assert_eq!(patrol.watched.lock().unwrap().lines.len(), 1 + 1);
    }
}
