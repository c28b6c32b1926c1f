//! The AMD machine code in the interpreter gives the bits of the simulator, which runs the same
//! kernels as the CPU's code.

use wavewise_host::element::{DType, Data};
use wavewise_host::runtime::{Gfx9, Job, Kernel, LaunchError, Operator, Runtime, Simulator};

const OPERATORS: [Operator; 3] = [Operator::Sum, Operator::Min, Operator::Max];
const KERNELS: [Kernel; 4] =
    [Kernel::Butterfly, Kernel::ShuffleDown, Kernel::Starter16, Kernel::StarterLostWaves];

/// `n` elements of all magnitudes and both signs, the floats among them with rounding in every sum.
fn elements(dtype: DType, n: u64) -> Data {
    let word = |k: u64| (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let float = |k: u64| word(k) as i64 as f64 * 2f64.powi(-60 - (k % 17) as i32);
    match dtype {
        DType::F32 => Data::F32((0..n).map(|k| float(k) as f32).collect()),
        DType::F64 => Data::F64((0..n).map(float).collect()),
        DType::I32 => Data::I32((0..n).map(|k| (word(k) >> 32) as i32).collect()),
        DType::U32 => Data::U32((0..n).map(|k| (word(k) >> 32) as u32).collect()),
        DType::I64 => Data::I64((0..n).map(|k| word(k) as i64).collect()),
        DType::U64 => Data::U64((0..n).map(word).collect()),
    }
}

/// Every kernel over `n` elements on every chip, at every width it has.
#[track_caller]
fn agrees_with_the_simulator(n: u64) {
    let devices = Gfx9.devices();
    assert!(devices.iter().any(|device| device.device.contains("gfx942") && device.widths == [64]));
    for dtype in DType::ALL {
        let data = elements(dtype, n);
        for operator in OPERATORS {
            for kernel in KERNELS {
                for width in [32, 64] {
                    let job = Job { data: &data, operator, kernel, width };
                    let expected = Simulator.reduce(0, &job, &|_, _| ()).expect("a result").value;
                    for (index, device) in devices.iter().enumerate() {
                        if !device.widths.contains(&width) {
                            continue;
                        }
                        let place = format!(
                            "{}, {width} lanes: {kernel} {operator} {dtype} of {n}",
                            device.device
                        );
                        match Gfx9.reduce(index, &job, &|_, _| ()) {
                            Ok(outcome) => {
                                assert_eq!(outcome.value.bits(), expected.bits(), "{place}")
                            }
                            Err(error) => panic!("{place}: {error}"),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_elements() {
    agrees_with_the_simulator(0);
}

#[test]
fn one_element() {
    agrees_with_the_simulator(1);
}

#[test]
fn a_lane_more_than_a_wave_of_32() {
    agrees_with_the_simulator(33);
}

#[test]
fn a_thread_more_than_a_block() {
    agrees_with_the_simulator(257);
}

#[test]
fn many_elements_a_thread() {
    agrees_with_the_simulator(5000);
}

#[test]
fn two_blocks_and_their_partials() {
    agrees_with_the_simulator(256 * 32 + 1);
}

#[test]
fn progress_reaches_its_end() {
    let data = elements(DType::U32, 3 * 256 * 32);
    let job = Job { data: &data, operator: Operator::Sum, kernel: Kernel::Butterfly, width: 64 };
    let seen = std::sync::Mutex::new(Vec::new());
    Gfx9.reduce(0, &job, &|done, of| seen.lock().unwrap().push((done, of))).expect("a result");
    assert_eq!(seen.into_inner().unwrap(), [(1, 3), (2, 3), (3, 3)]);
}

#[test]
fn a_width_that_the_chip_has_not_is_refused_before_the_launch() {
    let devices = Gfx9.devices();
    let index = devices.iter().position(|device| device.device.contains("gfx942")).expect("gfx942");
    let data = elements(DType::F32, 1);
    let job = Job { data: &data, operator: Operator::Sum, kernel: Kernel::Butterfly, width: 32 };
    match Gfx9.reduce(index, &job, &|_, _| ()) {
        Err(LaunchError::Width { backend: "gfx9", width: 32, widths }) => assert_eq!(widths, [64]),
        other => panic!("{other:?}"),
    }
}
