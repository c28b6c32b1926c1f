//! What can go wrong.

use crate::Arch;

/// Why something could not be loaded or run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The architecture is not one of [`Arch::ALL`].
    #[error(
        "unknown architecture {name}: the interpreter knows gfx90a, gfx942, gfx1100 and gfx1200; build for one of them"
    )]
    UnknownArch {
        /// The name or number that was asked for.
        name: String,
    },
    /// The bytes are no AMD GPU code object.
    #[error("not an AMDGPU code object: {why}; give the ELF file that the linker made")]
    BadCodeObject {
        /// What was wrong.
        why: String,
    },
    /// The module is not loaded.
    #[error("the module is not loaded: it was unloaded, or belongs to another device")]
    NoModule,
    /// The code object holds no such kernel.
    #[error("no kernel {name:?} in the code object; it holds: {}", have.join(", "))]
    NoKernel {
        /// The name that was asked for.
        name: String,
        /// The names there are.
        have: Vec<String>,
    },
    /// The code object is for another architecture than the device.
    #[error("the code object is for {object}, the device is {device}: build it for {device}")]
    ArchMismatch {
        /// The code object's architecture.
        object: &'static str,
        /// The device's.
        device: &'static str,
    },
    /// The kernel was built for waves of another width than the device runs.
    #[error(
        "kernel {kernel} was built for waves of {kernel_width} lanes, the device runs waves of {device_width}: build it for {device_width}"
    )]
    WaveSizeMismatch {
        /// The kernel.
        kernel: String,
        /// Its width.
        kernel_width: u32,
        /// The device's.
        device_width: u32,
    },
    /// The launch asks for what the device or the kernel does not allow.
    #[error("cannot launch {kernel}: {why}")]
    BadLaunch {
        /// The kernel.
        kernel: String,
        /// What was wrong, what was expected.
        why: String,
    },
    /// No instruction has these bytes.
    #[error("{address:#x}: no {} instruction has the bytes {}", arch.name(), hex(bytes))]
    UnknownInstruction {
        /// Where it lies.
        address: u64,
        /// Its bytes, at most eight.
        bytes: Vec<u8>,
        /// The architecture.
        arch: Arch,
    },
    /// The instruction exists, and the interpreter does not run it.
    #[error("{address:#x}: the interpreter does not run `{text}` (bytes {}){}", hex(bytes), if why.is_empty() { String::new() } else { format!(": {why}") })]
    Unsupported {
        /// Where it lies.
        address: u64,
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its disassembly.
        text: String,
        /// What of it is missing, if not all.
        why: String,
    },
    /// The kernel executed a trap: a failed assertion or a panic in its source.
    #[error(
        "{address:#x}: the kernel trapped (`s_trap {id}`): an assertion failed or the source panicked; workgroup {group:?}, wave {wave}, lanes {lanes:#x}"
    )]
    Trapped {
        /// The instruction's address.
        address: u64,
        /// The trap's number; 2 is LLVM's.
        id: u32,
        /// The workgroup.
        group: [u32; 3],
        /// The wave in it.
        wave: u32,
        /// The lanes that were on.
        lanes: u64,
    },
    /// The program counter left the code.
    #[error("{address:#x}: the program counter has left the code")]
    OutsideCode {
        /// Where it went.
        address: u64,
    },
    /// An address that no allocation holds was read or written.
    #[error(
        "{address:#x}: `{text}`: lane {lane} {what} {bytes} bytes at {target:#x}, which no allocation holds"
    )]
    OutOfBounds {
        /// The instruction's address.
        address: u64,
        /// Its disassembly.
        text: String,
        /// The lane; for scalar accesses 0.
        lane: u32,
        /// "reads" or "writes".
        what: &'static str,
        /// How many bytes.
        bytes: u32,
        /// Where.
        target: u64,
    },
    /// Host access to device memory that no allocation holds.
    #[error("{bytes} bytes at device address {address:#x} lie in no allocation")]
    BadAddress {
        /// The first address.
        address: u64,
        /// How many bytes.
        bytes: u64,
    },
    /// The waves stopped making progress.
    #[error(
        "{instructions} wave instructions were run and the launch has not ended: it waits for something that does not come, or the limit is too low (Launch::instruction_limit)"
    )]
    NoProgress {
        /// How many were run.
        instructions: u64,
    },
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ")
}
