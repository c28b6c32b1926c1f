//! What runs on a device: memory, modules, launches and events, each freed when it is dropped.
//!
//! A call that fails is a [`CudaError`] with its name.

use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr;

use bytemuck::Pod;
use cudarc::driver::sys::{self, CUjit_option as JitOption};

use super::driver::text;
use super::error::{CudaError, check};

/// In every driver, old and new; the bindings of today name a later one alone.
pub(super) const ELAPSED_TIME: &str = "cuEventElapsedTime";
type ElapsedTime = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;

/// Where memory, modules and events live; it outlives them.
pub(super) struct Context {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

impl Context {
    /// The context of `device`, which is one of the driver's.
    pub(super) fn of(device: sys::CUdevice) -> Result<Self, CudaError> {
        let mut context = ptr::null_mut();
        // SAFETY: the driver refuses what is no device; the result is written to a live variable.
        let code = unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device) };
        check("cuDevicePrimaryCtxRetain", code)?;
        Ok(Self { device, context })
    }

    /// Makes it this thread's, to which calls go.
    fn enter(&self) -> Result<(), CudaError> {
        // SAFETY: the context is retained until `self` is dropped.
        check("cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(self.context) })
    }

    /// The bytes of the device's memory that are free.
    pub(super) fn free_memory(&self) -> Result<u64, CudaError> {
        self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both results are written to live variables.
        check("cuMemGetInfo", unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })?;
        Ok(free as u64)
    }

    /// Memory for `len` elements, of no value yet.
    pub(super) fn uninit<T: Pod>(&self, len: usize) -> Result<Buffer<'_, T>, CudaError> {
        self.enter()?;
        let mut address = 0;
        // Nothing cannot be allocated.
        let bytes = len.max(1) * size_of::<T>();
        // SAFETY: the result is written to a live variable.
        check("cuMemAlloc", unsafe { sys::cuMemAlloc_v2(&mut address, bytes) })?;
        Ok(Buffer { context: self, address, len, elements: PhantomData })
    }

    /// A copy of `values`.
    pub(super) fn copy_of<T: Pod>(&self, values: &[T]) -> Result<Buffer<'_, T>, CudaError> {
        let buffer = self.uninit(values.len())?;
        if !values.is_empty() {
            // SAFETY: both are as long as `values`, and the call returns when it has read them.
            let code = unsafe {
                sys::cuMemcpyHtoD_v2(buffer.address, values.as_ptr().cast(), size_of_val(values))
            };
            check("cuMemcpyHtoD", code)?;
        }
        Ok(buffer)
    }

    /// The kernels of `ptx`, compiled by the driver.
    pub(super) fn module(&self, ptx: &[u8]) -> Result<Module<'_>, CudaError> {
        self.enter()?;
        let ptx = [ptx, b"\0"].concat();
        let mut log = [0_u8; 4096];
        let mut options =
            [JitOption::CU_JIT_ERROR_LOG_BUFFER, JitOption::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast(), ptr::without_provenance_mut(log.len())];
        let mut module = ptr::null_mut();
        // SAFETY: the text ends with a zero; the two options have the types that the driver wants,
        // a buffer and its length; the result is written to a live variable.
        let code = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                ptx.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        check("cuModuleLoadDataEx", code).map_err(|error| error.with_log(&text(&log)))?;
        Ok(Module { context: self, module })
    }

    /// Runs `launches` and gives the seconds from before the first to after the last of them.
    pub(super) fn timed(
        &self,
        launches: impl FnOnce() -> Result<(), CudaError>,
    ) -> Result<f64, CudaError> {
        let (begin, end) = (Event::new(self)?, Event::new(self)?);
        begin.record()?;
        launches()?;
        end.record()?;
        end.seconds_since(&begin)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, released once. Whatever fails here the process's end frees.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

/// Elements in a device's memory.
pub(super) struct Buffer<'c, T> {
    context: &'c Context,
    address: sys::CUdeviceptr,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: Pod> Buffer<'_, T> {
    /// The elements, once all launches are over; what no launch wrote is what lay there before.
    pub(super) fn to_vec(&self) -> Result<Vec<T>, CudaError> {
        self.context.enter()?;
        let mut values = vec![T::zeroed(); self.len];
        if self.len > 0 {
            let (to, bytes) = (values.as_mut_ptr().cast(), size_of_val(&values[..]));
            // SAFETY: both are `self.len` elements long, and any bits are a `T`.
            check("cuMemcpyDtoH", unsafe { sys::cuMemcpyDtoH_v2(to, self.address, bytes) })?;
        }
        Ok(values)
    }
}

impl<T> Drop for Buffer<'_, T> {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: allocated once, freed once; the driver waits for the launches that use it.
            let _ = unsafe { sys::cuMemFree_v2(self.address) };
        }
    }
}

/// Compiled kernels.
pub(super) struct Module<'c> {
    context: &'c Context,
    module: sys::CUmodule,
}

impl Module<'_> {
    /// The kernel of that name.
    pub(super) fn kernel(&self, name: &str) -> Result<Kernel<'_>, CudaError> {
        self.context.enter()?;
        let missing = || CudaError::NoKernel { name: name.to_owned() };
        let c_name = CString::new(name).map_err(|_| missing())?;
        let mut function = ptr::null_mut();
        // SAFETY: the name ends with a zero; the result is written to a live variable.
        let code = unsafe { sys::cuModuleGetFunction(&mut function, self.module, c_name.as_ptr()) };
        if code == sys::CUresult::CUDA_ERROR_NOT_FOUND {
            return Err(missing());
        }
        check("cuModuleGetFunction", code)?;
        // A new driver loads a kernel when it is first launched, which would count as the time of
        // that launch; asking for an attribute loads it now.
        let (mut threads, most) =
            (0, sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        // SAFETY: the kernel is one of this module; the result is written to a live variable.
        let code = unsafe { sys::cuFuncGetAttribute(&mut threads, most, function) };
        check("cuFuncGetAttribute", code)?;
        Ok(Kernel { context: self.context, function, module: PhantomData })
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: loaded once, unloaded once; its kernels borrow it.
            let _ = unsafe { sys::cuModuleUnload(self.module) };
        }
    }
}

/// A kernel that takes an input and an output, each an address and a number of elements.
pub(super) struct Kernel<'m> {
    context: &'m Context,
    function: sys::CUfunction,
    module: PhantomData<&'m ()>,
}

impl Kernel<'_> {
    /// Has `blocks` blocks of `threads` threads run it, after all that was launched before.
    ///
    /// # Safety
    ///
    /// The kernel takes these arguments, `T` is its type of elements, and every element that it
    /// reads of `input` has a value. Neither buffer is dropped before the launch is over, or the
    /// driver frees it after that.
    pub(super) unsafe fn launch<T: Pod>(
        &self,
        (blocks, threads): (u32, u32),
        input: &Buffer<'_, T>,
        output: &Buffer<'_, T>,
    ) -> Result<(), CudaError> {
        self.context.enter()?;
        let arguments = [input.address, input.len as u64, output.address, output.len as u64];
        let mut pointers =
            arguments.each_ref().map(|argument| ptr::from_ref(argument).cast_mut().cast());
        // SAFETY: the kernel takes four arguments of 64 bits, which the driver copies.
        let code = unsafe {
            sys::cuLaunchKernel(
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
        check("cuLaunchKernel", code)
    }
}

/// A mark among the launches of a context.
struct Event<'c> {
    context: &'c Context,
    event: sys::CUevent,
}

impl<'c> Event<'c> {
    fn new(context: &'c Context) -> Result<Self, CudaError> {
        context.enter()?;
        let mut event = ptr::null_mut();
        // SAFETY: the result is written to a live variable.
        check("cuEventCreate", unsafe { sys::cuEventCreate(&mut event, 0) })?;
        Ok(Self { context, event })
    }

    fn record(&self) -> Result<(), CudaError> {
        self.context.enter()?;
        // SAFETY: the event is alive; the null stream is the one that launches go to.
        check("cuEventRecord", unsafe { sys::cuEventRecord(self.event, ptr::null_mut()) })
    }

    /// Waits for this event, recorded after `begin`.
    fn seconds_since(&self, begin: &Self) -> Result<f64, CudaError> {
        self.context.enter()?;
        // SAFETY: the event is alive.
        check("cuEventSynchronize", unsafe { sys::cuEventSynchronize(self.event) })?;
        let mut milliseconds = 0.0_f32;
        // SAFETY: this is the symbol's type; both events are alive and of one context.
        let code = unsafe {
            match sys::culib().get::<ElapsedTime>(ELAPSED_TIME.as_bytes()) {
                Ok(elapsed) => elapsed(&mut milliseconds, begin.event, self.event),
                Err(_) => return Err(CudaError::Incomplete { call: ELAPSED_TIME }),
            }
        };
        check(ELAPSED_TIME, code)?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: created once, destroyed once.
            let _ = unsafe { sys::cuEventDestroy_v2(self.event) };
        }
    }
}
