//! Device memory: allocations with a record of which bytes were written.

use crate::Error;

/// Every allocation starts at a multiple of this, and at least as much lies free between two.
const ALIGN: u64 = 4096;
/// The first address; far from 0 and from the apertures.
const FIRST: u64 = 0x7f00_0000_0000;

struct Allocation {
    base: u64,
    data: Vec<u8>,
    /// One bit a byte.
    written: Vec<u64>,
}

/// The memory of a device.
pub(crate) struct Memory {
    allocations: Vec<Allocation>,
    next: u64,
    last: usize,
}

impl Memory {
    pub fn new() -> Memory {
        Memory { allocations: Vec::new(), next: FIRST, last: 0 }
    }

    /// Reserves `bytes` bytes, zero and never written.
    pub fn allocate(&mut self, bytes: u64) -> u64 {
        let base = self.next;
        self.next += bytes.next_multiple_of(ALIGN) + ALIGN;
        self.allocations.push(Allocation {
            base,
            data: vec![0; bytes as usize],
            written: vec![0; bytes.div_ceil(64) as usize],
        });
        base
    }

    /// Gives an allocation back.
    pub fn free(&mut self, base: u64) -> Result<(), Error> {
        let n = self
            .allocations
            .binary_search_by_key(&base, |a| a.base)
            .map_err(|_| Error::BadAddress { address: base, bytes: 0 })?;
        self.allocations.remove(n);
        self.last = 0;
        Ok(())
    }

    #[inline]
    fn find(&self, address: u64, bytes: u64) -> Option<usize> {
        let holds = |a: &Allocation| {
            address >= a.base
                && bytes <= a.data.len() as u64
                && address - a.base <= a.data.len() as u64 - bytes
        };
        if self.allocations.get(self.last).is_some_and(holds) {
            return Some(self.last);
        }
        let n = self.allocations.partition_point(|a| a.base <= address).checked_sub(1)?;
        holds(&self.allocations[n]).then_some(n)
    }

    /// Reads; says whether every byte was written. None where no allocation holds them.
    #[inline]
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Option<bool> {
        let n = self.find(address, out.len() as u64)?;
        self.last = n;
        let a = &self.allocations[n];
        let at = (address - a.base) as usize;
        out.copy_from_slice(&a.data[at..at + out.len()]);
        Some(all(&a.written, at, out.len()))
    }

    /// Writes, and marks as written if `mark`.
    #[inline]
    pub fn write(&mut self, address: u64, bytes: &[u8], mark: bool) -> Option<()> {
        let n = self.find(address, bytes.len() as u64)?;
        self.last = n;
        let a = &mut self.allocations[n];
        let at = (address - a.base) as usize;
        a.data[at..at + bytes.len()].copy_from_slice(bytes);
        set(&mut a.written, at, bytes.len(), mark);
        Some(())
    }

    /// Bytes for messages.
    pub fn peek(&self, address: u64, bytes: usize) -> Option<Vec<u8>> {
        let n = self.find(address, bytes as u64)?;
        let a = &self.allocations[n];
        let at = (address - a.base) as usize;
        Some(a.data[at..at + bytes].to_vec())
    }

    /// The rest of the allocation from an address on.
    pub fn tail(&self, address: u64) -> Option<&[u8]> {
        let n = self.find(address, 0)?;
        let a = &self.allocations[n];
        Some(&a.data[(address - a.base) as usize..])
    }

    /// Host access.
    pub fn host_read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Error> {
        let bytes = out.len() as u64;
        self.read(address, out).map(|_| ()).ok_or(Error::BadAddress { address, bytes })
    }

    /// Host access.
    pub fn host_write(&mut self, address: u64, data: &[u8]) -> Result<(), Error> {
        self.write(address, data, true)
            .ok_or(Error::BadAddress { address, bytes: data.len() as u64 })
    }

    /// Forgets that an allocation was written.
    pub fn forget(&mut self, base: u64) {
        if let Some(n) = self.find(base, 0) {
            self.allocations[n].written.fill(0);
        }
    }
}

#[inline]
fn all(bits: &[u64], at: usize, n: usize) -> bool {
    if at & 63 <= 60 && n <= 4 {
        return bits.get(at >> 6).is_none_or(|w| w >> (at & 63) & ((1 << n) - 1) == (1 << n) - 1);
    }
    (at..at + n).all(|k| bits[k >> 6] >> (k & 63) & 1 == 1)
}

#[inline]
fn set(bits: &mut [u64], at: usize, n: usize, mark: bool) {
    if mark && n > 128 {
        // Whole words at once for host copies.
        let (first, last) = (at.div_ceil(64), (at + n) / 64);
        bits[first..last].fill(u64::MAX);
        set(bits, at, first * 64 - at, true);
        set(bits, last * 64, at + n - last * 64, true);
        return;
    }
    for k in at..at + n {
        if mark {
            bits[k >> 6] |= 1 << (k & 63);
        } else {
            bits[k >> 6] &= !(1 << (k & 63));
        }
    }
}
