//! What runs on a device: memory, modules, launches and events, each freed when it is dropped.
//!
//! A [`Context`] makes its device the thread's and does not leave the thread, nor does what
//! borrows it.

use std::ffi::{CString, c_int};
use std::marker::PhantomData;
use std::ptr;

use bytemuck::Pod;

use super::error::{HipError, NOT_FOUND};
use super::library::{Hip, Pointer};

/// `hipMemcpyHostToDevice` and `hipMemcpyDeviceToHost`.
const TO_DEVICE: c_int = 1;
const TO_HOST: c_int = 2;

/// A device that is this thread's.
pub(super) struct Context<'h> {
    hip: &'h Hip,
    thread: PhantomData<*mut ()>,
}

impl<'h> Context<'h> {
    pub(super) fn of(hip: &'h Hip, ordinal: c_int) -> Result<Self, HipError> {
        // SAFETY: HIP refuses what is no device.
        hip.check("hipSetDevice", unsafe { (hip.functions.hipSetDevice)(ordinal) })?;
        Ok(Self { hip, thread: PhantomData })
    }

    /// Memory for `len` elements, of no value yet.
    pub(super) fn uninit<T: Pod>(&self, len: usize) -> Result<Buffer<'_, T>, HipError> {
        let mut address = ptr::null_mut();
        // HIP gives a null pointer for no bytes.
        let bytes = len.max(1) * size_of::<T>();
        // SAFETY: the result is written to a live variable.
        let code = unsafe { (self.hip.functions.hipMalloc)(&mut address, bytes) };
        self.hip.check("hipMalloc", code)?;
        Ok(Buffer { hip: self.hip, address, len, elements: PhantomData })
    }

    /// A copy of `values`.
    pub(super) fn copy_of<T: Pod>(&self, values: &[T]) -> Result<Buffer<'_, T>, HipError> {
        let buffer = self.uninit(values.len())?;
        if !values.is_empty() {
            let (from, bytes) = (values.as_ptr().cast(), size_of_val(values));
            // SAFETY: both are as long as `values`, and the call returns when it has read them.
            let code =
                unsafe { (self.hip.functions.hipMemcpy)(buffer.address, from, bytes, TO_DEVICE) };
            self.hip.check("hipMemcpy", code)?;
        }
        Ok(buffer)
    }

    /// The kernels of a whole linked code object.
    pub(super) fn module(&self, code_object: &[u8]) -> Result<Module<'_>, HipError> {
        let mut module = ptr::null_mut();
        // SAFETY: it is a whole ELF file, which says itself how long it is; the result is written
        // to a live variable.
        let code = unsafe {
            (self.hip.functions.hipModuleLoadData)(&mut module, code_object.as_ptr().cast())
        };
        self.hip.check("hipModuleLoadData", code)?;
        Ok(Module { hip: self.hip, module })
    }

    /// Runs `launches` and gives the seconds from before the first to after the last of them.
    pub(super) fn timed(
        &self,
        launches: impl FnOnce() -> Result<(), HipError>,
    ) -> Result<f64, HipError> {
        let (begin, end) = (Event::new(self.hip)?, Event::new(self.hip)?);
        begin.record()?;
        launches()?;
        end.record()?;
        // SAFETY: it takes nothing. What went wrong in a launch is told here.
        let code = unsafe { (self.hip.functions.hipDeviceSynchronize)() };
        self.hip.check("hipDeviceSynchronize", code)?;
        end.seconds_since(&begin)
    }
}

/// Elements in a device's memory.
pub(super) struct Buffer<'c, T> {
    hip: &'c Hip,
    address: Pointer,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: Pod> Buffer<'_, T> {
    /// The elements, once all launches are over; what no launch wrote is what lay there before.
    pub(super) fn to_vec(&self) -> Result<Vec<T>, HipError> {
        let mut values = vec![T::zeroed(); self.len];
        if self.len > 0 {
            let (to, bytes) = (values.as_mut_ptr().cast(), size_of_val(&values[..]));
            // SAFETY: both are `self.len` elements long, and any bits are a `T`.
            let code = unsafe { (self.hip.functions.hipMemcpy)(to, self.address, bytes, TO_HOST) };
            self.hip.check("hipMemcpy", code)?;
        }
        Ok(values)
    }
}

impl<T> Drop for Buffer<'_, T> {
    fn drop(&mut self) {
        // SAFETY: allocated once, freed once; HIP waits for the launches that use it. What fails
        // here the process's end frees.
        let _ = unsafe { (self.hip.functions.hipFree)(self.address) };
    }
}

/// Loaded kernels.
pub(super) struct Module<'c> {
    hip: &'c Hip,
    module: Pointer,
}

impl Module<'_> {
    /// The kernel of that name.
    pub(super) fn kernel(&self, name: &str) -> Result<Kernel<'_>, HipError> {
        let missing = || HipError::NoKernel { name: name.to_owned() };
        let c_name = CString::new(name).map_err(|_| missing())?;
        let mut function = ptr::null_mut();
        // SAFETY: the name ends with a zero; the result is written to a live variable.
        let code = unsafe {
            (self.hip.functions.hipModuleGetFunction)(&mut function, self.module, c_name.as_ptr())
        };
        if code == NOT_FOUND {
            return Err(missing());
        }
        self.hip.check("hipModuleGetFunction", code)?;
        Ok(Kernel { hip: self.hip, function })
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: loaded once, unloaded once; its kernels borrow it.
        let _ = unsafe { (self.hip.functions.hipModuleUnload)(self.module) };
    }
}

/// A kernel that takes an input and an output, each an address and a number of elements.
pub(super) struct Kernel<'m> {
    hip: &'m Hip,
    function: Pointer,
}

impl Kernel<'_> {
    /// Has `blocks` blocks of `threads` threads run it, after all that was launched before.
    ///
    /// # Safety
    ///
    /// The kernel takes these arguments, `T` is its type of elements, and every element that it
    /// reads of `input` has a value.
    pub(super) unsafe fn launch<T: Pod>(
        &self,
        (blocks, threads): (u32, u32),
        input: &Buffer<'_, T>,
        output: &Buffer<'_, T>,
    ) -> Result<(), HipError> {
        let word = |buffer: &Buffer<'_, T>| buffer.address.addr() as u64;
        let arguments = [word(input), input.len as u64, word(output), output.len as u64];
        let mut pointers =
            arguments.each_ref().map(|argument| ptr::from_ref(argument).cast_mut().cast());
        // SAFETY: the kernel takes four arguments of 64 bits, which HIP copies.
        let code = unsafe {
            (self.hip.functions.hipModuleLaunchKernel)(
                self.function,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                0,
                ptr::null_mut(),
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        self.hip.check("hipModuleLaunchKernel", code)
    }
}

/// A mark among the launches of a device.
struct Event<'c> {
    hip: &'c Hip,
    event: Pointer,
}

impl<'c> Event<'c> {
    fn new(hip: &'c Hip) -> Result<Self, HipError> {
        let mut event = ptr::null_mut();
        // SAFETY: the result is written to a live variable.
        hip.check("hipEventCreate", unsafe { (hip.functions.hipEventCreate)(&mut event) })?;
        Ok(Self { hip, event })
    }

    fn record(&self) -> Result<(), HipError> {
        // SAFETY: the event is alive; the null stream is the one that launches go to.
        let code = unsafe { (self.hip.functions.hipEventRecord)(self.event, ptr::null_mut()) };
        self.hip.check("hipEventRecord", code)
    }

    /// Both are over, and `begin` was recorded before this.
    fn seconds_since(&self, begin: &Self) -> Result<f64, HipError> {
        let mut milliseconds = 0.0_f32;
        // SAFETY: both events are alive; the result is written to a live variable.
        let code = unsafe {
            (self.hip.functions.hipEventElapsedTime)(&mut milliseconds, begin.event, self.event)
        };
        self.hip.check("hipEventElapsedTime", code)?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        // SAFETY: created once, destroyed once.
        let _ = unsafe { (self.hip.functions.hipEventDestroy)(self.event) };
    }
}
