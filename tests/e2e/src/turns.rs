//! A small thread pool.

use std::sync::Mutex;

/// Runs the work for each item, this many at once, each as soon as a thread is free; results are in
/// the order of the items. The work receives the number of its thread, from 0.
///
/// # Errors
/// The work panicked.
pub fn take<T: Sync, R: Send>(
    items: &[T],
    at_once: usize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Result<Vec<R>, String> {
    let waiting = Mutex::new(items.iter().enumerate());
    let worker = |number: usize| {
        let mut done = Vec::new();
        while let Some((place, item)) = waiting.lock().ok().and_then(|mut waiting| waiting.next()) {
            done.push((place, work(number, item)));
        }
        done
    };
    let worker = &worker;
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once)
            .map(|number| scope.spawn(move || worker(number)))
            .collect();
        // All threads are joined, even after one that panicked.
        let ended: Vec<_> = workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| "a thread panicked".to_owned()))
            .collect();
        ended.into_iter().collect::<Result<Vec<_>, String>>()
    })?;
    let mut done: Vec<(usize, R)> = done.into_iter().flatten().collect();
    done.sort_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, done)| done).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_and_stays_in_order() {
        let items: Vec<usize> = (0..100).collect();
        let done = take(&items, 3, |thread, item| (thread < 3, item * 2)).unwrap();
        assert_eq!(
            done,
            items
                .iter()
                .map(|item| (true, item * 2))
                .collect::<Vec<_>>()
        );
        assert_eq!(take(&[] as &[u8], 2, |_, item| *item), Ok(Vec::new()));
    }

    #[test]
    fn a_panic_is_an_error() {
        assert!(take(&[1, 2, 3], 2, |_, item| assert!(*item != 2)).is_err());
    }
}
