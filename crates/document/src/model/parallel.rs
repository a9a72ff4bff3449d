//! Steps over many items on all cores.
//!
//! Rayon's iterators are generic in every step, and each use is compiled separately. Here only one
//! small loop is generic: the program compiles faster, and results are the same.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Items per unit of work. By default rayon gives each of two threads an eighth of a folder in one
/// piece, so one thread can finish long before the other. On a small site a few items are a large
/// part of the whole.
fn at_once(all: usize) -> usize {
    (all / 64).clamp(1, 32)
}

/// The results of a function for each item, in the order of the items.
pub fn map<'t, T: Sync, U: Send>(items: &'t [T], of: impl Fn(&'t T) -> U + Sync) -> Vec<U> {
    in_parts(items.len(), |part| items[part].iter().map(&of).collect())
}

/// As [`map`], for a function that may fail. After an error no further item is begun.
///
/// # Errors
/// The first in the order of the items, of those that were met.
pub fn try_map<'t, T: Sync, U: Send, E: Send>(
    items: &'t [T],
    of: impl Fn(&'t T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    let has_failed = AtomicBool::new(false);
    let results = flat_map(items, |item| {
        if has_failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = of(item);
        if result.is_err() {
            has_failed.store(true, Ordering::Relaxed);
        }
        Some(result)
    });
    results.into_iter().collect()
}

/// The results of a function for the numbers below `count`, in order.
pub fn map_numbers<U: Send>(count: usize, of: impl Fn(usize) -> U + Sync) -> Vec<U> {
    in_parts(count, |part| part.map(&of).collect())
}

/// The results of a function for each chunk of at most `size` items and its number, in order.
pub fn map_chunks<'t, T: Sync, U: Send>(
    items: &'t [T],
    size: usize,
    of: impl Fn(usize, &'t [T]) -> U + Sync,
) -> Vec<U> {
    map_numbers(items.len().div_ceil(size), |number| {
        of(number, &items[range(number, size, items.len())])
    })
}

/// As [`map`], for a function that takes its items.
pub fn map_owned<T: Send, U: Send>(
    items: impl IntoIterator<Item = T>,
    of: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(Some).map(Mutex::new).collect();
    flat_map(&items, |item| {
        let item = item.lock().unwrap_or_else(PoisonError::into_inner).take();
        item.map(&of)
    })
}

/// All results of a function for each item, in the order of the items.
pub fn flat_map<'t, T: Sync, U: Send, I: IntoIterator<Item = U>>(
    items: &'t [T],
    of: impl Fn(&'t T) -> I + Sync,
) -> Vec<U> {
    in_parts(items.len(), |part| {
        items[part].iter().flat_map(&of).collect()
    })
}

/// The items for which this holds, in order.
pub fn filter<T: Sync>(items: &[T], is: impl Fn(&T) -> bool + Sync) -> Vec<&T> {
    flat_map(items, |item| Some(item).filter(|item| is(item)))
}

/// Whether this holds for some item.
pub fn any<T: Sync>(items: &[T], is: impl Fn(&T) -> bool + Sync) -> bool {
    any_number(items.len(), |at| is(&items[at]))
}

/// Whether this holds for some number below `count`.
pub fn any_number(count: usize, is: impl Fn(usize) -> bool + Sync) -> bool {
    let size = at_once(count);
    let is_in = |part: usize| range(part, size, count).any(&is);
    any_part(count.div_ceil(size), &is_in)
}

/// The concatenated results of a function for ranges of numbers below `count`.
fn in_parts<U: Send>(count: usize, made: impl Fn(Range<usize>) -> Vec<U> + Sync) -> Vec<U> {
    let size = at_once(count);
    let parts: Vec<Mutex<Vec<U>>> = (0..count.div_ceil(size))
        .map(|_| Mutex::default())
        .collect();
    let fill = |part: usize| {
        let made = made(range(part, size, count));
        *parts[part].lock().unwrap_or_else(PoisonError::into_inner) = made;
        false
    };
    any_part(parts.len(), &fill);
    let mut all = Vec::with_capacity(count);
    for part in parts {
        all.append(&mut part.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    all
}

/// The numbers of a part.
fn range(part: usize, size: usize, count: usize) -> Range<usize> {
    part * size..count.min((part + 1) * size)
}

/// Whether this holds for some number below `parts`. It takes a trait object, so that rayon's part
/// is compiled once.
fn any_part(parts: usize, is: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    if parts < 2 {
        return parts == 1 && is(0);
    }
    (0..parts).into_par_iter().with_max_len(1).any(is)
}

#[cfg(test)]
mod tests {
    use proptest::{prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn after_an_error_no_further_item_is_begun() {
        let all: Vec<usize> = (0..5000).collect();
        assert_eq!(try_map(&all, |item| Ok::<_, ()>(*item)).as_ref(), Ok(&all));
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let begun = Mutex::new(0);
        let fail = |item: &usize| {
            *begun.lock().unwrap() += 1;
            Err::<(), _>(*item)
        };
        let failed = one_thread.unwrap().install(|| try_map(&all, fail));
        assert_eq!((failed.is_err(), begun.into_inner().unwrap()), (true, 1));
    }

    proptest! {
        #[test]
        fn results_are_those_of_iterators(items in proptest::collection::vec(0_u32..9, 0..5000)) {
            let doubled: Vec<u32> = items.iter().map(|item| item * 2).collect();
            prop_assert_eq!(&map(&items, |item| item * 2), &doubled);
            prop_assert_eq!(&map_numbers(items.len(), |at| items[at] * 2), &doubled);
            prop_assert_eq!(&map_owned(items.clone(), |item| item * 2), &doubled);
            let repeated = |item: &u32| vec![*item; *item as usize];
            let expected: Vec<u32> = items.iter().flat_map(repeated).collect();
            prop_assert_eq!(flat_map(&items, repeated), expected);
            let sums = |chunk: &[u32]| chunk.iter().sum::<u32>();
            let expected: Vec<u32> = items.chunks(7).map(sums).collect();
            prop_assert_eq!(map_chunks(&items, 7, |_, chunk| sums(chunk)), expected);
            let odd: Vec<&u32> = items.iter().filter(|item| *item % 2 == 1).collect();
            prop_assert_eq!(filter(&items, |item| item % 2 == 1), odd);
            prop_assert_eq!(any(&items, |item| *item == 7), items.contains(&7));
        }
    }
}
