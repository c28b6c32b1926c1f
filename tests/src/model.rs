//! Every collective over plain arrays of lane values.
//!
//! A hardware wave is a slice with a place for each lane, `None` where the lane is not live. It is
//! cut into segments of `n` lanes, and what comes back has a place for each lane too.

use std::fmt;

/// What each lane of a hardware wave holds; `None` where the lane is not live.
pub type Lanes<T> = Vec<Option<T>>;

/// A lane asked for the value of one that is not live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadSource;

impl fmt::Display for DeadSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value was read from a lane that is not live")
    }
}

impl std::error::Error for DeadSource {}

/// What each lane gets that asks for `source(lane of the segment, lane of the wave)`, and whether
/// it asked for one at all; without a source it keeps its own.
///
/// # Errors
/// [`DeadSource`].
pub fn gather<T: Copy>(
    wave: &[Option<T>],
    n: u32,
    source: impl Fn(u32, usize) -> Option<u32>,
) -> Result<Lanes<(T, bool)>, DeadSource> {
    let mut results = Lanes::new();
    for segment in wave.chunks(n as usize) {
        for (lane, own) in (0..n).zip(segment) {
            results.push(match (own, source(lane, results.len())) {
                (None, _) => None,
                (Some(own), None) => Some((*own, false)),
                (Some(_), Some(from)) => Some((segment[from as usize].ok_or(DeadSource)?, true)),
            });
        }
    }
    Ok(results)
}

/// Lane `sources[lane] % n`.
///
/// # Errors
/// [`DeadSource`].
pub fn shuffle<T: Copy>(
    wave: &[Option<T>],
    n: u32,
    sources: &[u32],
) -> Result<Lanes<T>, DeadSource> {
    gather(wave, n, |_, lane| Some(sources[lane] % n)).map(values)
}

/// The lane `delta` below.
///
/// # Errors
/// [`DeadSource`].
pub fn shuffle_up<T: Copy>(
    wave: &[Option<T>],
    n: u32,
    delta: u32,
) -> Result<Lanes<(T, bool)>, DeadSource> {
    gather(wave, n, |lane, _| lane.checked_sub(delta))
}

/// The lane `delta` above.
///
/// # Errors
/// [`DeadSource`].
pub fn shuffle_down<T: Copy>(
    wave: &[Option<T>],
    n: u32,
    delta: u32,
) -> Result<Lanes<(T, bool)>, DeadSource> {
    gather(wave, n, |lane, _| lane.checked_add(delta).filter(|&from| from < n))
}

/// Lane `lane ^ mask`; the own value from `mask` = `n` upward.
///
/// # Errors
/// [`DeadSource`].
pub fn shuffle_xor<T: Copy>(wave: &[Option<T>], n: u32, mask: u32) -> Result<Lanes<T>, DeadSource> {
    gather(wave, n, |lane, _| (mask < n).then_some(lane ^ mask)).map(values)
}

/// The same result for all live lanes of a segment, made from the segment.
pub fn for_all<T: Copy, R: Copy>(
    wave: &[Option<T>],
    n: u32,
    result: impl Fn(&[Option<T>]) -> R,
) -> Lanes<R> {
    let of_segment = |segment: &[Option<T>]| {
        segment.iter().map(|own| own.map(|_| result(segment))).collect::<Vec<_>>()
    };
    wave.chunks(n as usize).flat_map(of_segment).collect()
}

/// The value of the lowest live lane.
pub fn broadcast_first<T: Copy>(wave: &[Option<T>], n: u32) -> Lanes<T> {
    for_all(wave, n, |segment| live(segment).next().expect("the asking lane is live"))
}

/// Bit `i` where lane `i` of the segment is live and votes true.
pub fn ballot(votes: &[Option<bool>], n: u32) -> Lanes<u64> {
    for_all(votes, n, |segment| {
        (0..n).filter(|&lane| segment[lane as usize] == Some(true)).map(|lane| 2u64.pow(lane)).sum()
    })
}

/// Whether any live lane votes true.
pub fn any(votes: &[Option<bool>], n: u32) -> Lanes<bool> {
    for_all(votes, n, |segment| segment.contains(&Some(true)))
}

/// Whether no live lane votes false.
pub fn all(votes: &[Option<bool>], n: u32) -> Lanes<bool> {
    for_all(votes, n, |segment| !segment.contains(&Some(false)))
}

/// Whether every live lane's value equals every other's, and its own.
pub fn uniform<T: Copy + PartialEq>(wave: &[Option<T>], n: u32) -> Lanes<bool> {
    for_all(wave, n, |segment| live(segment).all(|a| live(segment).all(|b| a == b)))
}

/// True in the lowest live lane of each segment.
pub fn elect<T: Copy>(wave: &[Option<T>], n: u32) -> Lanes<bool> {
    let of_segment = |segment: &[Option<T>]| {
        let first = segment.iter().position(Option::is_some);
        let elected = |(lane, own): (usize, &Option<T>)| own.map(|_| Some(lane) == first);
        segment.iter().enumerate().map(elected).collect::<Vec<_>>()
    };
    wave.chunks(n as usize).flat_map(of_segment).collect()
}

/// The tree of a reduction over the values that are there, `None` where there is none.
///
/// The two halves of the lanes are reduced each on its own and then combined, the lower on the
/// left: neighbours first, then pairs of neighbours. A half without values adds nothing.
pub fn tree<T: Copy>(values: &[Option<T>], combine: &impl Fn(T, T) -> T) -> Option<T> {
    if let [value] = values {
        return *value;
    }
    let (low, high) = values.split_at(values.len() / 2);
    match (tree(low, combine), tree(high, combine)) {
        (Some(low), Some(high)) => Some(combine(low, high)),
        (low, high) => low.or(high),
    }
}

/// [`tree`] over each segment.
pub fn reduce<T: Copy>(wave: &[Option<T>], n: u32, combine: &impl Fn(T, T) -> T) -> Lanes<T> {
    for_all(wave, n, |segment| tree(segment, combine).expect("the asking lane is live"))
}

/// [`tree`] over the lowest `valid[segment]` lanes of each segment, `None` where that is none.
pub fn reduce_partial<T: Copy>(
    wave: &[Option<T>],
    n: u32,
    valid: &[u32],
    combine: &impl Fn(T, T) -> T,
) -> Lanes<Option<T>> {
    let of_segment = |(segment, &valid): (&[Option<T>], &u32)| {
        let in_front = |(lane, own): (u32, &Option<T>)| own.filter(|_| lane < valid);
        let result = tree(&(0..n).zip(segment).map(in_front).collect::<Vec<_>>(), combine);
        segment.iter().map(|own| own.map(|_| result)).collect::<Vec<_>>()
    };
    wave.chunks(n as usize).zip(valid).flat_map(of_segment).collect()
}

/// The lanes of `wave` that are members; the rest as if not live.
pub fn members<T: Copy>(wave: &[Option<T>], is_member: impl Fn(usize) -> bool) -> Lanes<T> {
    wave.iter().enumerate().map(|(lane, own)| own.filter(|_| is_member(lane))).collect()
}

fn live<T: Copy>(segment: &[Option<T>]) -> impl Iterator<Item = T> {
    segment.iter().copied().flatten()
}

fn values<T>(moved: Lanes<(T, bool)>) -> Lanes<T> {
    moved.into_iter().map(|lane| lane.map(|(value, _)| value)).collect()
}
