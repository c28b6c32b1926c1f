//! [`Kernel`].

/// A kernel, and what of a chip's resources a thread or block of it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kernel {
    /// The name a host launches it by.
    pub name: String,
    /// Vector registers a thread, of 32 bits.
    pub registers: u32,
    /// Scalar registers a wave; AMD only.
    pub scalar_registers: u32,
    /// Bytes of static shared memory (LDS) a block.
    pub shared_bytes: u32,
    /// Bytes of stack or scratch memory a thread.
    pub scratch_bytes: u32,
    /// Registers that did not fit: in bytes for NVIDIA, in registers for AMD.
    pub spills: u32,
}

impl Kernel {
    /// What is wrong with it where something is.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.spills > 0 {
            Some(format!("spills registers ({})", self.spills))
        } else if self.scratch_bytes > 0 {
            Some(format!("keeps {} bytes a thread in scratch memory", self.scratch_bytes))
        } else {
            None
        }
    }
}
