//! Multiplies a matrix and a vector: on the NVIDIA GPU where there is one, else in the simulator,
//! and checks the product against the CPU's.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use kernels::matrix_vector;
use wavewise::Global;
use wavewise::sim::{Launch, Memory};

/// What `build.rs` made: for NVIDIA, and, for HIP's `hipModuleLoadData`, for AMD.
const PTX: &str = include_str!(env!("KERNELS_PTX"));
const CODE_OBJECT: &[u8] = include_bytes!(env!("KERNELS_HSACO"));

const ROWS: usize = 1000;
const COLUMNS: usize = 777;
/// A block: 8 waves of 32 lanes, or 4 of 64.
const THREADS: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    println!("embedded: {} bytes of PTX, {} of code for gfx942", PTX.len(), CODE_OBJECT.len());
    let matrix: Vec<f32> = (0..ROWS * COLUMNS).map(element).collect();
    let vector: Vec<f32> = (0..COLUMNS).map(|i| element(i + 1)).collect();

    match context() {
        Ok(context) => {
            let product = on_gpu(&context, &matrix, &vector)?;
            check(&format!("{}, 32 lanes", context.name()?), &matrix, &vector, &product)?;
        }
        Err(reason) => {
            println!("no NVIDIA GPU ({reason}): the simulator runs the kernel");
            let product = simulated::<32>(&matrix, &vector)?;
            check("simulator, 32 lanes", &matrix, &vector, &product)?;
            let product = simulated::<64>(&matrix, &vector)?;
            check("simulator, 64 lanes", &matrix, &vector, &product)?;
        }
    }
    Ok(())
}

/// The first GPU, or why there is none.
fn context() -> Result<Arc<CudaContext>, String> {
    // SAFETY: it opens the driver's library, if any, whose initialisers may be run.
    if !unsafe { cudarc::driver::sys::is_culib_present() } {
        return Err("the CUDA driver is not installed".to_owned());
    }
    CudaContext::new(0).map_err(|error| error.to_string())
}

fn on_gpu(
    context: &Arc<CudaContext>,
    matrix: &[f32],
    vector: &[f32],
) -> Result<Vec<f32>, Box<dyn Error>> {
    let kernel = context.load_module(Ptx::from_src(PTX))?.load_function("matrix_vector_f32")?;
    let stream = context.default_stream();
    let matrix = stream.clone_htod(matrix)?;
    let vector = stream.clone_htod(vector)?;
    let mut product = stream.alloc_zeros::<f32>(ROWS)?;

    // A view is two arguments: its address and its number of elements.
    let lens = [matrix.len() as u64, vector.len() as u64, product.len() as u64];
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&matrix).arg(&lens[0]).arg(&vector).arg(&lens[1]).arg(&mut product).arg(&lens[2]);
    let config = LaunchConfig {
        grid_dim: (blocks(32), 1, 1),
        block_dim: (THREADS, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: the arguments are those of the kernel, of memory that outlives the launch; each row
    // is written by one lane.
    unsafe { launch.launch(config)? };
    Ok(stream.clone_dtoh(&product)?)
}

fn simulated<const W: u32>(matrix: &[f32], vector: &[f32]) -> Result<Vec<f32>, Box<dyn Error>> {
    let product = Memory::unwritten(ROWS);
    Launch::<W>::new(blocks(W), THREADS).run(|dev| {
        matrix_vector(dev, Global::from(matrix), Global::from(vector), product.view());
    })?;
    Ok(product.to_vec()?)
}

/// The blocks that have a wave for each row.
fn blocks(width: u32) -> u32 {
    (ROWS as u32).div_ceil(THREADS / width)
}

/// Compares with the dot products in twice the precision.
///
/// A sum of n products is off by at most (n + 1) roundings of the sum of their magnitudes, in
/// whatever order it is made.
fn check(place: &str, matrix: &[f32], vector: &[f32], product: &[f32]) -> Result<(), String> {
    let mut largest = 0.0f64;
    for (row, &got) in matrix.chunks(COLUMNS).zip(product) {
        let terms = row.iter().zip(vector).map(|(&a, &b)| f64::from(a) * f64::from(b));
        let (sum, magnitude) = terms.fold((0.0, 0.0), |(s, m), t| (s + t, m + t.abs()));
        let error = (f64::from(got) - sum).abs();
        let bound = (COLUMNS + 1) as f64 * f64::from(f32::EPSILON / 2.0) * magnitude;
        if error.is_nan() || error > bound * 1.01 {
            return Err(format!("{place}: {got}, and the CPU has {sum}"));
        }
        largest = largest.max(error / bound);
    }
    println!("{place}: {} rows right, the error at most {largest:.0e} of its bound", product.len());
    Ok(())
}

/// Numbers without a pattern that a wrong kernel would keep.
fn element(index: usize) -> f32 {
    let hash = (index as u32).wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995;
    (hash.wrapping_mul(hash | 1) >> 8) as f32 / (1 << 23) as f32 - 1.0
}
