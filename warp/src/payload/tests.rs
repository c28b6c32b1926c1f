use super::*;

fn moved<T: Payload>(value: T) -> T {
    // SAFETY: these are the bytes of a value of the type.
    unsafe { T::from_moved(MaybeUninit::new(value)) }
}

#[test]
fn a_byte_that_no_lane_wrote_becomes_a_bool() {
    for byte in 0..=u8::MAX {
        let mut arrived = MaybeUninit::<bool>::uninit();
        // SAFETY: a `bool` is one byte.
        unsafe { arrived.as_mut_ptr().cast::<u8>().write(byte) };
        // SAFETY: the byte is initialised, and `bool` takes any.
        assert_eq!(unsafe { bool::from_moved(arrived) }, byte % 2 == 1);
    }
}

#[test]
fn every_type_arrives_as_it_left() {
    assert_eq!(moved(i8::MIN), i8::MIN);
    assert_eq!(moved(-2i16), -2);
    assert_eq!(moved(u128::MAX - 1), u128::MAX - 1);
    assert_eq!(moved(i128::MIN + 7), i128::MIN + 7);
    assert_eq!(moved(usize::MAX), usize::MAX);
    assert_eq!(moved(f32::from_bits(0xffa0_0001)).to_bits(), 0xffa0_0001);
    assert_eq!(moved(f16::from_bits(0x7c01)).to_bits(), 0x7c01);
    assert_eq!(moved(bf16::NEG_ZERO).to_bits(), 0x8000);
    assert_eq!(moved([1u8, 2, 3]), [1, 2, 3]);
    assert_eq!(moved([[1.5f64; 2]; 3]), [[1.5; 2]; 3]);
    assert_eq!(moved((true, -1i64)), (true, -1));
    assert_eq!(moved(LaneMask::ALL), LaneMask::ALL);
    moved(());
}

#[test]
fn only_scalars_of_known_hardware_types_name_themselves() {
    assert_eq!(<f32 as Payload>::SCALAR, Scalar::F32);
    assert_eq!(<u64 as Payload>::SCALAR, Scalar::U64);
    for other in [
        <bool as Payload>::SCALAR,
        <u128 as Payload>::SCALAR,
        <usize as Payload>::SCALAR,
        <LaneMask as Payload>::SCALAR,
        <[f32; 1] as Payload>::SCALAR,
        <(f32, f32) as Payload>::SCALAR,
    ] {
        assert_eq!(other, Scalar::Other);
    }
}

#[cfg(feature = "derive")]
mod derived {
    use crate::Payload;

    use super::{Scalar, moved};

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    #[repr(C)]
    struct Padded {
        flag: bool,
        weight: f64,
        code: u16,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    struct Tuple(u8, [i32; 3]);

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    struct Nothing;

    #[derive(Clone, Copy, Debug, PartialEq, Payload)]
    struct Indexed<T, const K: usize>
    where
        T: Default,
    {
        values: [T; K],
        index: u32,
    }

    #[test]
    fn structs_of_every_shape_arrive_as_they_left() {
        let padded = Padded { flag: true, weight: -0.5, code: 0xbeef };
        assert_eq!(moved(padded), padded);
        assert_eq!(moved(Tuple(7, [1, -2, 3])), Tuple(7, [1, -2, 3]));
        assert_eq!(moved(Nothing), Nothing);
        let indexed = Indexed { values: [Padded { ..padded }.weight; 2], index: 9 };
        assert_eq!(moved(indexed), indexed);
        assert_eq!(Padded::SCALAR, Scalar::Other);
    }
}
