//! Runs AMD GPU machine code on the CPU: gfx90a and gfx942 (waves of 64), gfx1100 and gfx1200 (waves of 32 and 64).
//!
//! A [`Device`] loads the ELF file that the linker makes, decodes its machine code and runs grids of workgroups with what hardware
//! has: EXEC masks, LDS, barriers, DPP and permutes, atomics, the rounding and subnormal modes. It follows AMD's ISA documents
//! ("Instinct MI300", "RDNA3", "RDNA4 Instruction Set Architecture"), cited in the code by section. It is test equipment, not a
//! GPU: caches and timing are not modelled, and `v_exp`, `v_log`, `v_rcp`, `v_rsq`, `v_sin` and `v_cos` are rounded correctly where
//! hardware is off by a unit in the last place.
//!
//! In exchange it [checks](Check) what hardware does not tell, and [counts](Counts).
//!
//! ```no_run
//! use wavewise_gfx9::{Arch, Device, Launch};
//!
//! let mut device = Device::new(Arch::Gfx942);
//! let module = device.load(&std::fs::read("kernel.hsaco")?)?;
//! let buffer = device.upload(&[0; 256]);
//! let outcome = device.launch(module, "kernel", &mut Launch::new([1, 1, 1], [64, 1, 1], &buffer.to_le_bytes()))?;
//! assert!(outcome.findings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arch;
mod check;
mod device;
mod error;
mod exec;
mod group;
pub mod isa;
mod launch;
mod memory;
mod metadata;
mod object;
mod single;

pub use arch::Arch;
pub use check::{Check, Counts, Finding};
pub use device::{Device, Module, Outcome};
pub use error::Error;
pub use launch::{Launch, Step};
pub use metadata::Argument;
pub use object::{CodeObject, KernelInfo};
pub use single::{WaveState, execute};
