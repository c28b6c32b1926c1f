#![no_std]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(abi_gpu_kernel))]
#![allow(missing_docs)]

use wavewise::{Device, Global, GlobalMut, Op, Payload, Sum, entry};

fn reduce<T: Payload, O: Op<T>, const W: u32, D: Device<W>>(dev: D, op: O, x: Global<T>, y: GlobalMut<T>) {
    let at = dev.global_index() as usize;
    let value = x.get(at);
    // SAFETY: no branch before.
    let wave = unsafe { dev.wave::<W>() };
    y.set(at, wave.reduce(value, op));
}

entry! {
    fn sum_f32(dev, x: Global<f32>, y: GlobalMut<f32>) { reduce(dev, Sum, x, y) }
    fn sum_u32(dev, x: Global<u32>, y: GlobalMut<u32>) { reduce(dev, Sum, x, y) }
}
