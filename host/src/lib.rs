//! Runs the kernels of wavewise on a user's data, on every backend there is, and checks them.
//!
//! - [`input`]: where the elements come from; [`element`]: what they may be.
//! - [`runtime`]: what can run a reduction, one file each.
//! - [`reference`](mod@reference): the result on the CPU, by other code and in higher precision,
//!   with the error that a right kernel may have.
//! - [`session`]: all rows of one run; [`report`]: their table and their JSON.
//! - [`cli`]: the program.

pub mod cli;
pub mod element;
pub mod fault;
pub mod input;
mod progress;
pub mod reference;
pub mod report;
pub mod runtime;
pub mod session;
