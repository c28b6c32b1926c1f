//! A kernel for the device, and for the simulator: a matrix times a vector.
#![no_std]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(abi_gpu_kernel))]

use wavewise::{Device, Global, GlobalMut, Sum, entry};

/// `product[row]` is the dot product of row `row` of `matrix`, which lies row after row, and
/// `vector`.
///
/// Each wave takes one row. Its lanes read neighbouring elements, so that a wave's loads are one
/// piece of memory, and add up what each has in turn; at the end the wave adds up its lanes.
pub fn matrix_vector<const W: u32, D: Device<W>>(
    dev: D,
    matrix: Global<f32>,
    vector: Global<f32>,
    product: GlobalMut<f32>,
) {
    let row = dev.block_index() as usize * dev.waves() as usize + dev.wave_index() as usize;
    if row >= product.len() {
        return;
    }
    // SAFETY: all lanes of a wave have the same row, so either all return above or none; no other
    // branch lies around the reduction.
    let wave = unsafe { dev.wave::<W>() };

    let columns = vector.len();
    let mut column = wave.lane() as usize;
    let mut own = 0.0;
    while column < columns {
        own += matrix.get(row * columns + column) * vector.get(column);
        column += W as usize;
    }
    let dot = wave.reduce(own, Sum);
    if wave.lane() == 0 {
        product.set(row, dot);
    }
}

entry! {
    /// What a host launches: three views, each an address and a number of elements.
    fn matrix_vector_f32(dev, matrix: Global<f32>, vector: Global<f32>, product: GlobalMut<f32>) {
        matrix_vector(dev, matrix, vector, product)
    }
}
