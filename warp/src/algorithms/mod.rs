//! One file per collective, each compiled once per module that brings a `prelude`.
//!
//! Every body is `unsafe` for the reason that [`Backend`](crate::Backend) gives: all live lanes of
//! the hardware wave must reach it together.
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block calls a primitive under its own body's contract, the one above"
)]

use super::prelude;

pub(crate) mod broadcast;
pub(crate) mod reduce;
pub(crate) mod select;
pub(crate) mod shuffle;
pub(crate) mod vote;
