//! A workgroup: its LDS, with who touched what since which barrier.

/// The last accesses to one word of LDS.
#[derive(Clone, Copy, Default)]
struct Word {
    /// The wave that wrote last, and the barrier interval it did so in.
    writer: u32,
    write_epoch: u32,
    write_bytes: u8,
    atomic: bool,
    /// The waves that read in the interval `read_epoch`.
    readers: u32,
    read_epoch: u32,
    read_bytes: u8,
}

/// How LDS is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    Atomic,
}

/// A conflict with another wave.
pub(crate) struct Race {
    pub other: u32,
    pub wrote: bool,
}

/// The LDS of a running workgroup.
pub(crate) struct Group {
    pub id: [u32; 3],
    pub lds: Vec<u8>,
    written: Vec<u64>,
    words: Vec<Word>,
    /// Intervals between barriers; 0 is "never".
    epoch: u32,
}

impl Group {
    pub fn new() -> Group {
        Group { id: [0; 3], lds: Vec::new(), written: Vec::new(), words: Vec::new(), epoch: 1 }
    }

    /// A fresh workgroup with `bytes` of LDS, never written.
    pub fn reset(&mut self, id: [u32; 3], bytes: usize) {
        self.id = id;
        self.lds.clear();
        self.lds.resize(bytes, 0);
        self.written.clear();
        self.written.resize(bytes.div_ceil(64), 0);
        self.words.clear();
        self.words.resize(bytes.div_ceil(4), Word::default());
        self.epoch = 1;
    }

    /// Reads; says whether every byte was written. None outside of the allocation.
    pub fn read(&self, at: u32, out: &mut [u8]) -> Option<bool> {
        let at = at as usize;
        out.copy_from_slice(self.lds.get(at..at.checked_add(out.len())?)?);
        Some((at..at + out.len()).all(|k| self.written[k >> 6] >> (k & 63) & 1 == 1))
    }

    /// Writes; None outside of the allocation.
    pub fn write(&mut self, at: u32, bytes: &[u8]) -> Option<()> {
        let at = at as usize;
        self.lds.get_mut(at..at.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        for k in at..at + bytes.len() {
            self.written[k >> 6] |= 1 << (k & 63);
        }
        Some(())
    }

    /// Notes an access; gives the access of another wave that no barrier orders it with.
    pub fn touch(&mut self, wave: u32, at: u32, bytes: u32, access: Access) -> Option<Race> {
        let mut race = None;
        let end = at.saturating_add(bytes);
        for n in at / 4..end.div_ceil(4) {
            let Some(w) = self.words.get_mut(n as usize) else { break };
            let (lo, hi) = (at.max(4 * n) - 4 * n, end.min(4 * n + 4) - 4 * n);
            let mask = ((1u32 << hi) - (1 << lo)) as u8;
            let both_atomic = access == Access::Atomic && w.atomic;
            if w.write_epoch >= self.epoch
                && w.writer != wave
                && w.write_bytes & mask != 0
                && !both_atomic
            {
                race = race.or(Some(Race { other: w.writer, wrote: true }));
            }
            if access == Access::Read {
                if w.read_epoch != self.epoch {
                    (w.read_epoch, w.readers, w.read_bytes) = (w.read_epoch.max(self.epoch), 0, 0);
                }
                w.readers |= 1 << (wave & 31);
                w.read_bytes |= mask;
            } else {
                let others = w.readers & !(1 << (wave & 31));
                if w.read_epoch >= self.epoch && others != 0 && w.read_bytes & mask != 0 {
                    race = race.or(Some(Race { other: others.trailing_zeros(), wrote: false }));
                }
                let same = w.write_epoch == self.epoch && w.writer == wave;
                w.write_bytes = if same { w.write_bytes | mask } else { mask };
                (w.writer, w.write_epoch, w.atomic) = (wave, self.epoch, access == Access::Atomic);
            }
        }
        race
    }

    /// An access of `wave` to word `n` may still be under way when the next interval begins.
    pub fn carry_over(&mut self, wave: u32, n: u32) {
        let Some(w) = self.words.get_mut(n as usize) else { return };
        if w.writer == wave && w.write_epoch == self.epoch {
            w.write_epoch += 1;
        }
        if w.readers >> (wave & 31) & 1 == 1 && w.read_epoch == self.epoch {
            w.read_epoch += 1;
            w.readers = 1 << (wave & 31);
        }
    }

    /// All waves have met.
    pub fn barrier(&mut self) {
        self.epoch += 1;
    }
}
