//! The matrix of operators and types.

/// A test of `$check::<T, O>`, a function of random waves, for every operator over every type that
/// it takes, and for an operator that does not commute.
#[macro_export]
macro_rules! every_operator {
    ($check:ident) => {
        $crate::every_operator! { $check: arithmetic
            sum Sum, prod Prod, min Min, max Max, minimum Minimum, maximum Maximum }
        $crate::every_operator! { $check: bitwise and And, or Or, xor Xor }
        $crate::every_operator! { $check: types compose $crate::operators::Compose:
            affine $crate::operators::Affine; }
    };
    ($check:ident: arithmetic $($module:ident $op:ident),*) => {
        $crate::every_operator! { $check: types $(
            $module wavewise::$op: i8 i8, i16 i16, i32 i32, i64 i64, i128 i128, isize isize,
                u8 u8, u16 u16, u32 u32, u64 u64, u128 u128, usize usize,
                half wavewise::f16, brain wavewise::bf16, f32 f32, f64 f64;
        )* }
    };
    ($check:ident: bitwise $($module:ident $op:ident),*) => {
        $crate::every_operator! { $check: types $(
            $module wavewise::$op: i8 i8, i16 i16, i32 i32, i64 i64, i128 i128, isize isize,
                u8 u8, u16 u16, u32 u32, u64 u64, u128 u128, usize usize,
                boolean bool, mask wavewise::LaneMask;
        )* }
    };
    ($check:ident: types $($module:ident $op:path: $($name:ident $t:path),*;)*) => {$(
        mod $module {
            $(
                #[test]
                fn $name() {
                    $crate::draw::property(3, 6, &super::$check::<$t, $op>);
                }
            )*
        }
    )*};
}
