//! [`entry!`](crate::entry).

/// Makes kernels that a host can launch by name, for whichever GPU the crate is compiled for.
///
/// Each entry names the device, which is [`Native`](crate::Native), and its arguments; the body
/// calls a kernel over [`Device`](crate::Device). A `Global<T>` or `GlobalMut<T>` is passed by the
/// host as two arguments, an address and a number of elements of 64 bits; a scalar as itself. On a
/// host the macro makes nothing: the simulator runs the kernel itself.
///
/// The crate needs `#![feature(abi_gpu_kernel)]` on GPU targets.
///
/// ```
/// use wavewise::{Device, Global, GlobalMut, Sum, entry};
///
/// fn sums<const W: u32, D: Device<W>>(dev: D, input: Global<f32>, output: GlobalMut<f32>) {
///     let value = input.get_or(dev.global_index() as usize, 0.0);
///     // SAFETY: no branch before the reduction.
///     let total = unsafe { dev.wave::<W>() }.reduce(value, Sum);
///     if dev.lane() == 0 {
///         output.set(dev.global_index() as usize / W as usize, total);
///     }
/// }
///
/// entry! {
///     /// The sum of each wave.
///     fn sums_f32(dev, input: Global<f32>, output: GlobalMut<f32>) {
///         sums(dev, input, output)
///     }
/// }
/// ```
///
/// # Safety
///
/// The functions made are `unsafe`: whoever launches one promises that its views are memory of
/// the device, initialised where it is read, that nothing else writes what a `Global` views as
/// long as the kernel runs, and that the kernel has no data race.
#[macro_export]
macro_rules! entry {
    ($(
        $(#[$meta:meta])*
        fn $name:ident($dev:ident $(, $($argument:tt)*)?) $body:block
    )*) => {$(
        $crate::__entry! {
            [$(#[$meta])*] $name $dev $body [] [] $($($argument)*)?
        }
    )*};
}

/// One entry: moves its arguments, one by one, into the parameters of the function and the
/// statements that make the views.
#[doc(hidden)]
#[macro_export]
macro_rules! __entry {
    (
        $meta:tt $name:ident $dev:ident $body:block [$($parameter:tt)*] [$($view:tt)*]
        $argument:ident: Global<$t:ty> $(, $($rest:tt)*)?
    ) => {
        $crate::__entry! {
            $meta $name $dev $body
            [$($parameter)* base: *const $t, len: usize,]
            [$($view)*
                // SAFETY: the launch promises it.
                let $argument = unsafe { $crate::Global::from_raw_parts(base, len) };
            ]
            $($($rest)*)?
        }
    };
    (
        $meta:tt $name:ident $dev:ident $body:block [$($parameter:tt)*] [$($view:tt)*]
        $argument:ident: GlobalMut<$t:ty> $(, $($rest:tt)*)?
    ) => {
        $crate::__entry! {
            $meta $name $dev $body
            [$($parameter)* base: *mut $t, len: usize,]
            [$($view)*
                // SAFETY: the launch promises it.
                let $argument = unsafe { $crate::GlobalMut::from_raw_parts(base, len) };
            ]
            $($($rest)*)?
        }
    };
    (
        $meta:tt $name:ident $dev:ident $body:block [$($parameter:tt)*] [$($view:tt)*]
        $argument:ident: $t:ty $(, $($rest:tt)*)?
    ) => {
        $crate::__entry! {
            $meta $name $dev $body [$($parameter)* $argument: $t,] [$($view)*] $($($rest)*)?
        }
    };
    (
        [$(#[$meta:meta])*] $name:ident $dev:ident $body:block [$($parameter:tt)*] [$($view:tt)*]
    ) => {
        $(#[$meta])*
        #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
        #[unsafe(no_mangle)]
        pub unsafe extern "gpu-kernel" fn $name($($parameter)*) {
            let $dev = $crate::Native;
            $($view)*
            $body
        }
    };
}
