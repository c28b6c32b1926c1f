//! Operators: how two values become one.

use core::fmt;

// Float arithmetic: instructions on a GPU, plain Rust elsewhere, with the same bits.
#[cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), path = "operator/hardware.rs")]
#[cfg_attr(
    not(any(target_arch = "nvptx64", target_arch = "amdgpu")),
    path = "operator/software.rs"
)]
mod arithmetic;
mod bitwise;
mod extremum;
mod sum;

pub use bitwise::{And, Or, Xor};
pub use extremum::{Max, Maximum, Min, Minimum};
pub use sum::{Prod, Sum};

/// An associative way to combine two values.
///
/// It is a type without a value, so that one kernel is compiled for each operator. Write your own
/// for any payload:
///
/// ```
/// use wavewise::{Identity, Op};
///
/// /// The larger magnitude.
/// #[derive(Clone, Copy)]
/// struct Loudest;
///
/// impl Op<f32> for Loudest {
///     const COMMUTES: bool = true;
///     fn combine(a: f32, b: f32) -> f32 {
///         if b.abs() > a.abs() { b } else { a }
///     }
/// }
///
/// impl Identity<f32> for Loudest {
///     fn identity() -> f32 {
///         0.0
///     }
/// }
/// ```
///
/// `combine` runs on one lane: it must not contain a collective.
pub trait Op<T>: Copy + 'static {
    /// Whether `combine(a, b)` and `combine(b, a)` are the same value, bit for bit.
    ///
    /// Where it is `false` the lower lane's value is always the left operand; that costs two
    /// selects a step of a butterfly. An operator that says `true` and is not gives lanes that
    /// disagree.
    const COMMUTES: bool;

    /// Which of the operators that some hardware knows it is.
    #[doc(hidden)]
    const BUILTIN: Builtin = Builtin::None;

    /// `a` and `b` as one; `a` comes from the lower lanes.
    fn combine(a: T, b: T) -> T;
}

/// An operator with a value that changes nothing.
pub trait Identity<T>: Op<T> {
    /// The value `e` with `combine(e, x) == x == combine(x, e)`, bit for bit (NaN payloads aside).
    fn identity() -> T;
}

/// The operators that some hardware reduces by itself.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Sum,
    Prod,
    Min,
    Max,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
    None,
}

macro_rules! named {
    ($($op:ident)*) => {$(
        impl fmt::Display for $op {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(stringify!($op))
            }
        }
    )*};
}

named! { Sum Prod Min Max Minimum Maximum And Or Xor }

#[cfg(test)]
mod tests;
