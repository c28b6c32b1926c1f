//! A naive model of whole waves, to test the collectives of `wavewise` against.
//!
//! - [`model`]: every collective over plain arrays of lane values, from the contracts alone.
//! - [`operators`]: every operator by its definition.
//! - [`values`]: the payloads of the tests, with the values that break things.
//! - [`launch`]: many waves of one kernel in one launch of the simulator, at any width.
//! - [`draw`]: random waves.
//!
//! Nothing here calls the algorithms that it is there to check.

pub mod draw;
pub mod launch;
mod matrix;
pub mod model;
pub mod operators;
pub mod refusals;
pub mod values;
