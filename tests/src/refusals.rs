//! Widths that must not compile, as doc tests.
//!
//! The kernel itself compiles, at widths of its own:
//!
//! ```
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<8>() };
//!     assert_eq!(wave.width(), 8);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! No lane:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<0>() };
//!     assert_eq!(wave.width(), 0);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! 3 lanes:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<3>() };
//!     assert_eq!(wave.width(), 3);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! 7 lanes:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<7>() };
//!     assert_eq!(wave.width(), 7);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! 12 lanes:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<12>() };
//!     assert_eq!(wave.width(), 12);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! 33 lanes:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<33>() };
//!     assert_eq!(wave.width(), 33);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! 128 lanes:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<64>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<128>() };
//!     assert_eq!(wave.width(), 128);
//! }
//! Launch::<64>::new(1, 64).run(kernel).unwrap();
//! ```
//!
//! 64 lanes on hardware waves of 32:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<32>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<64>() };
//!     assert_eq!(wave.width(), 64);
//! }
//! Launch::<32>::new(1, 32).run(kernel).unwrap();
//! ```
//!
//! Hardware waves of 48 lanes:
//!
//! ```compile_fail
//! use wavewise::Device;
//! use wavewise::sim::Launch;
//!
//! fn kernel<D: Device<48>>(dev: D) {
//!     // SAFETY: there is no collective.
//!     let wave = unsafe { dev.wave::<16>() };
//!     assert_eq!(wave.width(), 16);
//! }
//! Launch::<48>::new(1, 48).run(kernel).unwrap();
//! ```
