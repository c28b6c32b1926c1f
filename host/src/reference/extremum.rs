//! The least and the greatest element, by an order on bits.

use crate::element::{Data, Value};

/// The least element: a number before NaN, −0 before +0; over none the greatest value of an
/// integer type, NaN of a float type.
pub(super) fn least(data: &Data) -> Value {
    match data {
        Data::F32(v) => {
            Value::F32(v.iter().filter_map(|x| key32(*x)).min().map_or(f32::NAN, value32))
        }
        Data::F64(v) => {
            Value::F64(v.iter().filter_map(|x| key64(*x)).min().map_or(f64::NAN, value64))
        }
        Data::I32(v) => Value::I32(v.iter().copied().min().unwrap_or(i32::MAX)),
        Data::U32(v) => Value::U32(v.iter().copied().min().unwrap_or(u32::MAX)),
        Data::I64(v) => Value::I64(v.iter().copied().min().unwrap_or(i64::MAX)),
        Data::U64(v) => Value::U64(v.iter().copied().min().unwrap_or(u64::MAX)),
    }
}

/// The greatest element: a number before NaN, +0 before −0; over none the least value of an
/// integer type, NaN of a float type.
pub(super) fn greatest(data: &Data) -> Value {
    match data {
        Data::F32(v) => {
            Value::F32(v.iter().filter_map(|x| key32(*x)).max().map_or(f32::NAN, value32))
        }
        Data::F64(v) => {
            Value::F64(v.iter().filter_map(|x| key64(*x)).max().map_or(f64::NAN, value64))
        }
        Data::I32(v) => Value::I32(v.iter().copied().max().unwrap_or(i32::MIN)),
        Data::U32(v) => Value::U32(v.iter().copied().max().unwrap_or(u32::MIN)),
        Data::I64(v) => Value::I64(v.iter().copied().max().unwrap_or(i64::MIN)),
        Data::U64(v) => Value::U64(v.iter().copied().max().unwrap_or(u64::MIN)),
    }
}

/// Integers in the order of the floats; none for NaN.
fn key32(x: f32) -> Option<i32> {
    let bits = x.to_bits().cast_signed();
    (!x.is_nan()).then_some(bits ^ ((bits >> 31) & i32::MAX))
}

fn value32(key: i32) -> f32 {
    f32::from_bits((key ^ ((key >> 31) & i32::MAX)).cast_unsigned())
}

/// As [`key32`].
fn key64(x: f64) -> Option<i64> {
    let bits = x.to_bits().cast_signed();
    (!x.is_nan()).then_some(bits ^ ((bits >> 63) & i64::MAX))
}

fn value64(key: i64) -> f64 {
    f64::from_bits((key ^ ((key >> 63) & i64::MAX)).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_infinities_subnormals_and_nan_have_their_order() {
        let tiny = f32::from_bits(1);
        let ascending = [
            f32::NEG_INFINITY,
            f32::MIN,
            -1.0,
            -tiny,
            -0.0,
            0.0,
            tiny,
            1.0,
            f32::MAX,
            f32::INFINITY,
        ];
        for pair in ascending.windows(2) {
            for order in [[pair[0], pair[1], f32::NAN], [f32::NAN, pair[1], pair[0]]] {
                let data = Data::F32(order.to_vec());
                assert!(least(&data).agrees(Value::F32(pair[0])), "{order:?}");
                assert!(greatest(&data).agrees(Value::F32(pair[1])), "{order:?}");
                let data = Data::F64(order.map(f64::from).to_vec());
                assert!(least(&data).agrees(Value::F64(pair[0].into())), "{order:?}");
                assert!(greatest(&data).agrees(Value::F64(pair[1].into())), "{order:?}");
            }
        }
    }

    #[test]
    fn nan_alone_and_nothing_are_nan() {
        for data in [Data::F32(vec![f32::NAN]), Data::F32(vec![])] {
            assert!(least(&data).agrees(Value::F32(f32::NAN)));
            assert!(greatest(&data).agrees(Value::F32(f32::NAN)));
        }
        assert_eq!(least(&Data::U32(vec![])), Value::U32(u32::MAX));
        assert_eq!(greatest(&Data::I64(vec![])), Value::I64(i64::MIN));
    }
}
