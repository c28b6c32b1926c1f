//! The algorithms, compiled for plain Rust.
//!
//! The files under `algorithms/` are written once. This module compiles them over [`Backend`] and
//! [`Payload`]; a module for another compiler brings its own [`prelude`] with the same names.
//!
//! [`Backend`]: crate::Backend
//! [`Payload`]: crate::Payload

#[path = "algorithms/mod.rs"]
pub(crate) mod algorithms;

/// The names that the shared bodies use.
pub(crate) mod prelude {
    pub(crate) use wavewise_macros::cube;

    pub(crate) use crate::LaneMask;
    pub(crate) use crate::backend::Backend;
    pub(crate) use crate::operator::Op;
    pub(crate) use crate::payload::Payload;

    /// One of two values, never a branch.
    ///
    /// An `if` would be one for the compiler's own passes: some copy the code after it, collectives
    /// included, into both arms, and some move the making of a value into the arm that needs it.
    pub(crate) use core::hint::select_unpredictable as choose;

    /// A value that is known when the kernel is compiled.
    macro_rules! comptime {
        ($e:expr) => {
            ($e)
        };
    }
    pub(crate) use comptime;
}
