//! Execution: one wave instruction at a time.

mod atomic;
mod compare;
mod convert;
mod cross;
mod f16;
mod f32;
mod f64;
mod fetch;
mod flow;
mod integer;
mod lds;
mod machine;
mod names;
mod packed;
pub(crate) mod round;
mod scalar;
mod smem;
mod vmem;
mod wave;

pub(crate) use cross::Pattern;
pub(crate) use f32::is_transcendental;
pub(crate) use machine::{Exec, Machine, PRIVATE_APERTURE, SHARED_APERTURE};
pub(crate) use names::lookup;
pub(crate) use wave::{Pending, State, Wave};

/// A 32-bit value for each lane.
pub(crate) type L32 = [u32; 64];
/// A 64-bit value for each lane.
pub(crate) type L64 = [u64; 64];

/// For each byte of a mask, its bits spread to words.
static SPREAD: [[u32; 8]; 256] = {
    let mut t = [[0; 8]; 256];
    let mut b = 0;
    while b < 256 {
        let mut k = 0;
        while k < 8 {
            if b >> k & 1 == 1 {
                t[b][k] = u32::MAX;
            }
            k += 1;
        }
        b += 1;
    }
    t
};

/// `dst[l] = src[l]` for the lanes in `mask`.
#[inline]
pub(crate) fn blend(dst: &mut L32, src: &L32, mask: u64) {
    if mask == u64::MAX {
        *dst = *src;
        return;
    }
    for (b, (d, s)) in
        mask.to_le_bytes().into_iter().zip(dst.chunks_exact_mut(8).zip(src.chunks_exact(8)))
    {
        let m = &SPREAD[b as usize];
        for k in 0..8 {
            d[k] = (s[k] & m[k]) | (d[k] & !m[k]);
        }
    }
}

/// The lanes of a mask, in order.
pub(crate) fn lanes(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let l = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(l)
    })
}

/// A mask of the lanes where `f` holds.
#[inline]
pub(crate) fn mask_of(f: impl Fn(usize) -> bool) -> u64 {
    let mut bytes = [0u8; 64];
    for (l, b) in bytes.iter_mut().enumerate() {
        *b = u8::from(f(l));
    }
    let mut m = 0;
    for (k, c) in bytes.chunks_exact(8).enumerate() {
        // Eight 0/1 bytes to eight bits by one multiplication.
        let w = u64::from_le_bytes(c.try_into().expect("eight bytes"));
        m |= (w.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * k);
    }
    m
}
