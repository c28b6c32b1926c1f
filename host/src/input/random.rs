//! Reproducible random values.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{InputError, Source, memory};
use crate::element::{DType, Data};

/// `n` values from ChaCha8 seeded by `seed` (`seed_from_u64`), one 64-bit word each.
///
/// Floats are ±m·2^e with m uniform in [1, 2) and e in −16..16: nine decimal magnitudes. Integers
/// are a word shifted right by 0 to all but one of their bits, so that every magnitude comes. One
/// value in four is negative where the type has a sign: with as many of both, the sum of a part
/// would lie near that of the whole, and a lost part would not be seen.
pub(super) fn generate(dtype: DType, n: u64, seed: u64) -> Result<Data, InputError> {
    Ok(match dtype {
        DType::F32 => Data::F32(values(n, seed, |word| float(word) as f32)?),
        DType::F64 => Data::F64(values(n, seed, float)?),
        DType::I32 => Data::I32(values(n, seed, |word| signed(word) as i32)?),
        DType::U32 => Data::U32(values(n, seed, |word| (word >> 32 >> (word & 31)) as u32)?),
        DType::I64 => Data::I64(values(n, seed, signed64)?),
        DType::U64 => Data::U64(values(n, seed, |word| word >> (word & 63))?),
    })
}

fn values<T>(n: u64, seed: u64, of: impl Fn(u64) -> T) -> Result<Vec<T>, InputError> {
    let mut values = memory::reserve(&Source::Random { n, seed }, n)?;
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    values.extend((0..n).map(|_| of(generator.next_u64())));
    Ok(values)
}

/// The word's bits from the top: 52 of mantissa, 5 of exponent, 2 that make the sign.
fn float(word: u64) -> f64 {
    let mantissa = f64::from_bits((word >> 12) | 1.0f64.to_bits());
    let exponent = ((word >> 7) & 31) as i32 - 16;
    let magnitude = mantissa * 2f64.powi(exponent);
    if (word >> 5) & 3 == 0 { -magnitude } else { magnitude }
}

/// A 32-bit integer: 31 bits of magnitude, 5 of shift, 2 that make the sign.
fn signed(word: u64) -> i64 {
    let magnitude = (word >> 33 >> (word & 31)) as i64;
    if (word >> 5) & 3 == 0 { -magnitude } else { magnitude }
}

/// A 64-bit integer: 63 bits of magnitude, of which the lowest 6 are the shift and 2 the sign.
fn signed64(word: u64) -> i64 {
    let magnitude = (word >> 1 >> (word & 63)) as i64;
    if (word >> 6) & 3 == 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The algorithm is fixed: values that a seed gave once it gives always.
    #[test]
    fn equal_seeds_give_equal_values() {
        for dtype in DType::ALL {
            assert_eq!(generate(dtype, 100, 7).unwrap(), generate(dtype, 100, 7).unwrap());
            assert_ne!(generate(dtype, 100, 7).unwrap(), generate(dtype, 100, 8).unwrap());
        }
    }

    #[test]
    fn floats_span_magnitudes_and_both_signs() {
        let Data::F64(values) = generate(DType::F64, 10_000, 1).unwrap() else { unreachable!() };
        let negative = values.iter().filter(|x| **x < 0.0).count();
        assert!((2000..3000).contains(&negative), "{negative}");
        assert!(values.iter().all(|x| (2f64.powi(-16)..2f64.powi(16)).contains(&x.abs())));
        assert!(values.iter().any(|x| x.abs() < 1e-4) && values.iter().any(|x| x.abs() > 1e4));
    }

    #[test]
    fn integers_span_their_types() {
        let Data::I64(values) = generate(DType::I64, 10_000, 1).unwrap() else { unreachable!() };
        assert!(values.iter().any(|x| *x > 1 << 61) && values.iter().any(|x| *x < -(1 << 61)));
        assert!(values.iter().any(|x| x.abs() < 100));
        let Data::U32(values) = generate(DType::U32, 10_000, 1).unwrap() else { unreachable!() };
        assert!(values.iter().any(|x| *x > 1 << 31) && values.iter().any(|x| *x < 100));
    }
}
