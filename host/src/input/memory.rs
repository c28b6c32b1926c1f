//! What fits into memory, and how far a reader has got.

use std::io::{self, Read};

use super::{InputError, Source};
use crate::progress::Progress;

/// The bytes of memory that a process can have now; no limit where the system does not tell.
fn available() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) => machine.min(limits.free_memory),
        None => machine,
    }
}

/// Refuses what needs more bytes than there are.
pub(super) fn check(source: &Source, needed: u64) -> Result<(), InputError> {
    let available = available();
    if needed > available {
        return Err(InputError::TooLarge { source_name: source.to_string(), needed, available });
    }
    Ok(())
}

/// An empty vector with room for `n` elements.
pub(super) fn reserve<T>(source: &Source, n: u64) -> Result<Vec<T>, InputError> {
    let needed = n.saturating_mul(size_of::<T>() as u64);
    check(source, needed)?;
    let mut values = Vec::new();
    let room = usize::try_from(n).map_or(usize::MAX, |n| n);
    values.try_reserve_exact(room).map_err(|_| InputError::TooLarge {
        source_name: source.to_string(),
        needed,
        available: available(),
    })?;
    Ok(values)
}

/// A reader that shows its progress and stops, with [`InputError::TooLarge`] inside the
/// [`io::Error`], where it has given more bytes than memory had at its beginning.
pub(super) struct Metered<R> {
    source_name: String,
    reader: R,
    read: u64,
    available: u64,
    progress: Progress,
}

impl<R: Read> Metered<R> {
    pub(super) fn new(source: &Source, reader: R, bytes: Option<u64>) -> Self {
        Self {
            source_name: source.to_string(),
            reader,
            read: 0,
            available: available(),
            progress: Progress::bytes("reading", bytes),
        }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.read += count as u64;
        self.progress.reach(self.read);
        if self.read > self.available {
            return Err(io::Error::other(InputError::TooLarge {
                source_name: self.source_name.clone(),
                needed: self.read,
                available: self.available,
            }));
        }
        Ok(count)
    }
}
