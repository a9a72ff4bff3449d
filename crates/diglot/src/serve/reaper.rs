//! Decides when a connection must end: its client is too slow or idle, another client needs its
//! place, or the server stops.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::select;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep_until};

use super::Limits;
use super::activity::Activity;

/// The idle time after which a connection is closed if the server is full.
const IDLE_WITHOUT_ROOM: Duration = Duration::from_millis(500);

/// The server's signal to all connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Serving,
    /// The limit of connections is reached.
    NoRoom,
    Stopping,
}

/// An order to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Finish the current requests, then end.
    Finish,
    /// End now.
    Cut,
}

/// Watches one connection.
///
/// hyper's own timers do not suffice: they restart with every request that waits for its head, and
/// ignore idle readers and idle HTTP/2 connections.
pub(super) struct Reaper<'a> {
    limits: &'a Limits,
    activity: &'a Activity,
    signals: watch::Receiver<Signal>,
    timer: Pin<Box<Sleep>>,
    /// Whether it has ordered to finish.
    finishing: bool,
}

impl<'a> Reaper<'a> {
    pub(super) fn new(
        limits: &'a Limits,
        activity: &'a Activity,
        signals: watch::Receiver<Signal>,
    ) -> Self {
        let timer = Box::pin(sleep_until(Instant::now() + limits.head_time));
        Self {
            limits,
            activity,
            signals,
            timer,
            finishing: false,
        }
    }

    /// Waits for an order to the connection. Cancel-safe.
    pub(super) async fn order(&mut self) -> Order {
        let order = loop {
            select! {
                biased;
                () = last_request(self.activity, self.limits), if !self.finishing => break Order::Finish,
                Ok(()) = self.signals.changed() => {
                    let signal = *self.signals.borrow_and_update();
                    if signal == Signal::Stopping || signal == Signal::NoRoom && self.activity.last_byte().elapsed() >= IDLE_WITHOUT_ROOM {
                        break Order::Finish;
                    }
                }
                () = &mut self.timer => if let Some(order) = self.look(Instant::now()) {
                    break order;
                }
            }
        };
        self.finishing = true;
        order
    }

    /// Compares the activity with the limits, and sets the timer for the next check.
    fn look(&mut self, now: Instant) -> Option<Order> {
        let Limits {
            head_time,
            idle_time,
            ..
        } = *self.limits;
        let mut next = now + head_time;
        if let Some(begun) = self.activity.head_begun() {
            next = begun + head_time;
            if next <= now {
                return Some(Order::Cut);
            }
        }
        let idle = self.activity.last_byte() + idle_time;
        if idle > now {
            self.timer.as_mut().reset(next.min(idle));
            return None;
        }
        self.timer.as_mut().reset(next);
        Some(if self.finishing {
            Order::Cut
        } else {
            Order::Finish
        })
    }
}

/// Ready after a connection's last allowed request. It needs no waker: requests arrive while the
/// connection is polled, and this is polled afterwards.
async fn last_request(activity: &Activity, limits: &Limits) {
    poll_fn(|_| {
        if activity.requests() >= limits.requests_per_connection {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    fn limits() -> Limits {
        Limits {
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(60),
            requests_per_connection: 2,
            ..Limits::default()
        }
    }

    /// The result of a check this many seconds from now.
    fn look_after(reaper: &mut Reaper<'_>, seconds: u64) -> Option<Order> {
        reaper.look(Instant::now() + Duration::from_secs(seconds))
    }

    #[tokio::test]
    async fn a_client_that_asks_nothing_or_takes_long_over_one_head_is_cut() {
        let (limits, activity, (_sender, signals)) =
            (limits(), Activity::new(), watch::channel(Signal::Serving));
        let mut reaper = Reaper::new(&limits, &activity, signals);
        activity.note_bytes();
        assert_eq!(
            [look_after(&mut reaper, 9), look_after(&mut reaper, 11)],
            [None, Some(Order::Cut)]
        );
        activity.note_request();
        activity.note_head(false);
        assert_eq!(look_after(&mut reaper, 11), None);
        activity.note_head(true);
        activity.note_bytes();
        assert_eq!(
            [look_after(&mut reaper, 9), look_after(&mut reaper, 11)],
            [None, Some(Order::Cut)]
        );
    }

    #[tokio::test]
    async fn an_idle_client_is_told_to_finish_and_then_cut() {
        let (limits, activity, (_sender, signals)) =
            (limits(), Activity::new(), watch::channel(Signal::Serving));
        let mut reaper = Reaper::new(&limits, &activity, signals);
        activity.note_request();
        assert_eq!(
            [look_after(&mut reaper, 59), look_after(&mut reaper, 61)],
            [None, Some(Order::Finish)]
        );
        reaper.finishing = true;
        assert_eq!(
            [look_after(&mut reaper, 59), look_after(&mut reaper, 71)],
            [None, Some(Order::Cut)]
        );
    }

    async fn order_at_once(reaper: &mut Reaper<'_>) -> Option<Order> {
        timeout(Duration::from_millis(20), reaper.order())
            .await
            .ok()
    }

    #[tokio::test]
    async fn the_last_request_and_a_stop_are_told_once() {
        let (limits, activity, (sender, signals)) =
            (limits(), Activity::new(), watch::channel(Signal::Serving));
        let mut reaper = Reaper::new(&limits, &activity, signals.clone());
        activity.note_request();
        assert_eq!(order_at_once(&mut reaper).await, None);
        activity.note_request();
        assert_eq!(
            [
                order_at_once(&mut reaper).await,
                order_at_once(&mut reaper).await
            ],
            [Some(Order::Finish), None]
        );
        sender.send_replace(Signal::Stopping);
        let opened_late = Activity::new();
        let mut reaper = Reaper::new(&limits, &opened_late, signals);
        assert_eq!(
            [
                order_at_once(&mut reaper).await,
                order_at_once(&mut reaper).await
            ],
            [Some(Order::Finish), None]
        );
    }

    #[tokio::test]
    async fn without_room_a_busy_connection_goes_on() {
        let (limits, activity, (sender, signals)) =
            (limits(), Activity::new(), watch::channel(Signal::Serving));
        let mut reaper = Reaper::new(&limits, &activity, signals);
        activity.note_bytes();
        sender.send_replace(Signal::NoRoom);
        assert_eq!(order_at_once(&mut reaper).await, None);
    }
}
