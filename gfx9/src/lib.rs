//! stub docs
mod arch;
mod error;
mod exec;
pub mod isa;

pub use arch::Arch;
pub use error::Error;
