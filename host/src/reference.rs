//! The result on the CPU, and how far from it a right kernel may be.
//!
//! None of it is a kernel's code: float sums are taken in pairs of `f64`, integers in 128 bits, and
//! extrema by an order on bits.

use serde::{Serialize, Serializer};
use wavewise_kernels::grid;

use crate::element::{Data, Number, Value};
use crate::runtime::Operator;

mod extremum;
mod float_sum;

pub use float_sum::FloatSum;

/// What the right result is.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// This value and no other, bit for bit; any NaN where it is NaN.
    Exact(Value),
    /// A sum of floats, which each order of additions rounds in its own way.
    Sum(FloatSum),
}

/// A value held against its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Whether the value is as near as it must be.
    pub ok: bool,
    /// The largest difference that a right kernel may show; infinite where the additions may
    /// leave the type's range.
    pub bound: f64,
    /// |value − reference|, where that is a number.
    pub difference: Option<f64>,
    /// value ÷ reference, where that is a number.
    pub ratio: Option<f64>,
}

impl Reference {
    /// The right result of `operator` over `data`; over no elements the operator's identity.
    ///
    /// Sums of integers wrap around in the elements' type.
    #[must_use]
    pub fn new(data: &Data, operator: Operator) -> Self {
        match (operator, data) {
            (Operator::Sum, Data::F32(v)) if v.is_empty() => Self::Exact(Value::F32(-0.0)),
            (Operator::Sum, Data::F64(v)) if v.is_empty() => Self::Exact(Value::F64(-0.0)),
            (Operator::Sum, Data::F32(v)) => Self::Sum(FloatSum::of_f32(v)),
            (Operator::Sum, Data::F64(v)) => Self::Sum(FloatSum::of_f64(v)),
            (Operator::Sum, Data::I32(v)) => Self::Exact(Value::I32(wide_sum(v) as i32)),
            (Operator::Sum, Data::U32(v)) => Self::Exact(Value::U32(wide_sum(v) as u32)),
            (Operator::Sum, Data::I64(v)) => Self::Exact(Value::I64(wide_sum(v) as i64)),
            (Operator::Sum, Data::U64(v)) => Self::Exact(Value::U64(wide_sum(v) as u64)),
            (Operator::Min, data) => Self::Exact(extremum::least(data)),
            (Operator::Max, data) => Self::Exact(extremum::greatest(data)),
        }
    }

    /// Holds `value`, made of `n` elements, against this.
    #[must_use]
    pub fn judge(&self, value: Value, n: u64) -> Verdict {
        match self {
            Self::Exact(expected) => {
                let ok = value.agrees(*expected);
                let ratio = quotient(value.to_f64(), expected.to_f64());
                Verdict { ok, bound: 0.0, difference: distance(value, *expected, ok), ratio }
            }
            Self::Sum(sum) => sum.judge(value.to_f64(), additions(n)),
        }
    }

    /// The nearest value that can be written down.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Self::Exact(value) => *value,
            Self::Sum(sum) => Value::F64(sum.value()),
        }
    }
}

impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(value) => value.serialize(serializer),
            Self::Sum(sum) => Number(sum.value()).serialize(serializer),
        }
    }
}

/// The additions on the longest path from an element to the result, over the grid of `n`.
///
/// A thread adds its elements one after another; the block's threads are a binary tree; the
/// blocks' partials go the same way once more. Identities add nothing.
#[must_use]
pub fn additions(n: u64) -> u64 {
    let launch = |elements: u64, blocks: u64, threads: u64| {
        let serial = elements.div_ceil(blocks * threads).saturating_sub(1);
        serial + u64::from(threads.next_power_of_two().ilog2())
    };
    let grid = grid(n);
    let (blocks, threads) = (u64::from(grid.blocks), u64::from(grid.threads));
    let first = launch(n, blocks, threads);
    if blocks == 1 { first } else { first + launch(blocks, 1, threads) }
}

/// The sum in 128 bits, which 2^64 elements of 64 bits cannot overflow.
fn wide_sum<T: Copy + Into<i128>>(values: &[T]) -> i128 {
    values.iter().map(|value| (*value).into()).sum()
}

fn distance(a: Value, b: Value, agree: bool) -> Option<f64> {
    if agree {
        return Some(0.0);
    }
    match (a.to_integer(), b.to_integer()) {
        (Some(a), Some(b)) => Some(a.abs_diff(b) as f64),
        _ => Some((a.to_f64() - b.to_f64()).abs()).filter(|difference| difference.is_finite()),
    }
}

fn quotient(value: f64, reference: f64) -> Option<f64> {
    Some(value / reference).filter(|ratio| ratio.is_finite() && reference.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_as_their_type_does() {
        let sum = |data| Reference::new(&data, Operator::Sum);
        assert_eq!(sum(Data::I32(vec![i32::MAX, 1])), Reference::Exact(Value::I32(i32::MIN)));
        assert_eq!(sum(Data::U32(vec![u32::MAX, 3])), Reference::Exact(Value::U32(2)));
        assert_eq!(sum(Data::I64(vec![i64::MIN, -1])), Reference::Exact(Value::I64(i64::MAX)));
        assert_eq!(sum(Data::U64(vec![u64::MAX; 3])), Reference::Exact(Value::U64(u64::MAX - 2)));
    }

    #[test]
    fn depth_of_the_tree() {
        // One block: 256 threads are 8 levels; 4096 elements are 15 serial additions more.
        assert_eq!([additions(0), additions(1), additions(256), additions(4096)], [8, 8, 8, 23]);
        // 123 blocks fit into the threads of the second launch, 512 take 1 serial addition, 1024 take 3.
        assert_eq!(additions(1_000_003), 31 + 8 + 8);
        assert_eq!(additions(1 << 22), 31 + 8 + 1 + 8);
        assert_eq!(additions(100_000_000), 381 + 8 + 3 + 8);
    }

    #[test]
    fn an_exact_reference_takes_no_other_bits() {
        let zero = Reference::Exact(Value::F32(0.0));
        assert!(zero.judge(Value::F32(0.0), 1).ok);
        assert!(!zero.judge(Value::F32(-0.0), 1).ok);
        let verdict = Reference::Exact(Value::U64(u64::MAX)).judge(Value::U64(u64::MAX - 1), 1);
        assert_eq!((verdict.ok, verdict.difference), (false, Some(1.0)));
    }
}
