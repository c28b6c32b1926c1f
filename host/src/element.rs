//! What a reduction is over: [`DType`], and values of them as [`Data`] and [`Value`].

use std::fmt;
use std::str::FromStr;

use bytemuck::Pod;
use serde::{Serialize, Serializer};
use wavewise::Payload;

/// A type of element that Rust, a kernel and a file have in common.
pub trait Element: Payload + Pod + FromStr + Into<Value> {
    /// Which type it is.
    const DTYPE: DType;

    /// Whether it is NaN.
    fn is_nan(self) -> bool;

    /// Whether it is an infinity.
    fn is_infinite(self) -> bool;

    /// `values` as data whose type is known when the program runs.
    fn into_data(values: Vec<Self>) -> Data;

    /// The element whose little-endian bytes lie in `bytes`, read there in the host's order.
    fn from_little_endian(bytes: Self) -> Self;
}

/// The type of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DType {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 64 bits.
    U64,
}

impl DType {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::F32, Self::F64, Self::I32, Self::U32, Self::I64, Self::U64];

    /// The bytes of an element.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 | Self::U64 => 8,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
        })
    }
}

macro_rules! elements {
    ($($t:ident $variant:ident: |$x:ident| nan $nan:expr, infinite $infinite:expr,
       little_endian $le:expr;)*) => {
        /// Elements whose type is known when the program runs.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Data {
            $(#[doc = concat!("Elements of `", stringify!($t), "`.")] $variant(Vec<$t>),)*
        }

        /// One element.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Value {
            $(#[doc = concat!("An `", stringify!($t), "`.")] $variant($t),)*
        }

        impl Data {
            /// The number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$variant(values) => values.len(),)*
                }
            }

            /// The type of the elements.
            #[must_use]
            pub fn dtype(&self) -> DType {
                match self {
                    $(Self::$variant(_) => DType::$variant,)*
                }
            }
        }

        $(
            impl Element for $t {
                const DTYPE: DType = DType::$variant;

                fn is_nan(self) -> bool {
                    let $x = self;
                    $nan
                }

                fn is_infinite(self) -> bool {
                    let $x = self;
                    $infinite
                }

                fn into_data(values: Vec<Self>) -> Data {
                    Data::$variant(values)
                }

                fn from_little_endian(bytes: Self) -> Self {
                    let $x = bytes;
                    $le
                }
            }

            impl From<$t> for Value {
                fn from(value: $t) -> Self {
                    Self::$variant(value)
                }
            }
        )*
    };
}

elements! {
    f32 F32: |x| nan x.is_nan(), infinite x.is_infinite(),
        little_endian Self::from_bits(u32::from_le(x.to_bits()));
    f64 F64: |x| nan x.is_nan(), infinite x.is_infinite(),
        little_endian Self::from_bits(u64::from_le(x.to_bits()));
    i32 I32: |x| nan { let _ = x; false }, infinite { let _ = x; false }, little_endian Self::from_le(x);
    u32 U32: |x| nan { let _ = x; false }, infinite { let _ = x; false }, little_endian Self::from_le(x);
    i64 I64: |x| nan { let _ = x; false }, infinite { let _ = x; false }, little_endian Self::from_le(x);
    u64 U64: |x| nan { let _ = x; false }, infinite { let _ = x; false }, little_endian Self::from_le(x);
}

impl Data {
    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Runs `$body` with `$values` the vector in `$data`, whatever its type.
macro_rules! with_elements {
    ($data:expr, $values:ident => $body:expr) => {
        match $data {
            $crate::element::Data::F32($values) => $body,
            $crate::element::Data::F64($values) => $body,
            $crate::element::Data::I32($values) => $body,
            $crate::element::Data::U32($values) => $body,
            $crate::element::Data::I64($values) => $body,
            $crate::element::Data::U64($values) => $body,
        }
    };
}
pub(crate) use with_elements;

impl Value {
    /// Its bits, as many hexadecimal digits as the type has: `0x3f800000`.
    #[must_use]
    pub fn bits(self) -> String {
        match self {
            Self::F32(x) => format!("{:#010x}", x.to_bits()),
            Self::F64(x) => format!("{:#018x}", x.to_bits()),
            Self::I32(x) => format!("{x:#010x}"),
            Self::U32(x) => format!("{x:#010x}"),
            Self::I64(x) => format!("{x:#018x}"),
            Self::U64(x) => format!("{x:#018x}"),
        }
    }

    /// The nearest `f64`.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::F32(x) => f64::from(x),
            Self::F64(x) => x,
            Self::I32(x) => f64::from(x),
            Self::U32(x) => f64::from(x),
            Self::I64(x) => x as f64,
            Self::U64(x) => x as f64,
        }
    }

    /// Its value where it is an integer.
    #[must_use]
    pub fn to_integer(self) -> Option<i128> {
        match self {
            Self::F32(_) | Self::F64(_) => None,
            Self::I32(x) => Some(x.into()),
            Self::U32(x) => Some(x.into()),
            Self::I64(x) => Some(x.into()),
            Self::U64(x) => Some(x.into()),
        }
    }

    /// Whether both are the same bits, or both NaN of one type.
    #[must_use]
    pub fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::F32(a), Self::F32(b)) if a.is_nan() => b.is_nan(),
            (Self::F64(a), Self::F64(b)) if a.is_nan() => b.is_nan(),
            (Self::F32(a), Self::F32(b)) => a.to_bits() == b.to_bits(),
            (Self::F64(a), Self::F64(b)) => a.to_bits() == b.to_bits(),
            _ => self == other,
        }
    }
}

/// The shortest decimal that reads back as the same value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::F32(x) => format!("{x:?}"),
            Self::F64(x) => format!("{x:?}"),
            Self::I32(x) => x.to_string(),
            Self::U32(x) => x.to_string(),
            Self::I64(x) => x.to_string(),
            Self::U64(x) => x.to_string(),
        };
        f.pad(&text)
    }
}

/// A number, exact; floats as [`Number`] has them.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::F32(x) => Number(f64::from(x)).serialize(serializer),
            Self::F64(x) => Number(x).serialize(serializer),
            Self::I32(x) => serializer.serialize_i32(x),
            Self::U32(x) => serializer.serialize_u32(x),
            Self::I64(x) => serializer.serialize_i64(x),
            Self::U64(x) => serializer.serialize_u64(x),
        }
    }
}

/// A float in JSON: a number, or where JSON has none the string `"NaN"`, `"inf"` or `"-inf"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&format!("{:?}", self.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_never_holds_what_json_has_not() {
        let json = |value: Value| serde_json::to_string(&value).unwrap();
        assert_eq!(json(Value::F32(f32::NAN)), "\"NaN\"");
        assert_eq!(json(Value::F64(f64::NEG_INFINITY)), "\"-inf\"");
        assert_eq!(json(Value::F32(0.1)), "0.10000000149011612");
        assert_eq!(json(Value::U64(u64::MAX)), "18446744073709551615");
    }

    #[test]
    fn bits_have_the_digits_of_the_type() {
        assert_eq!(Value::F32(1.0).bits(), "0x3f800000");
        assert_eq!(Value::F64(-0.0).bits(), "0x8000000000000000");
        assert_eq!(Value::I32(-1).bits(), "0xffffffff");
        assert_eq!(Value::I64(5).bits(), "0x0000000000000005");
    }

    #[test]
    fn agreement_is_of_bits_but_for_nan() {
        assert!(!Value::F32(0.0).agrees(Value::F32(-0.0)));
        assert!(Value::F32(f32::NAN).agrees(Value::F32(-f32::NAN)));
        assert!(!Value::F32(1.0).agrees(Value::F64(1.0)));
    }
}
