//! The exercise as it is handed out, each with one fault.
//!
//! Both give a plausible result at some width or size, and a wrong one elsewhere. Over ones the
//! ratio of the result to the right one names the fault.

mod lost_waves;
mod start_at_16;

pub use lost_waves::lost_waves;
pub use start_at_16::StartAt16;
