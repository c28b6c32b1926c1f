use wavewise::sim::Launch;
use wavewise::{Device, Sum};

fn kernel<const W: u32, const N: u32, D: Device<W>>(dev: D) {
    let wave = unsafe { dev.wave::<N>() };
    assert_eq!(wave.reduce(1u32, Sum), N);
}

fn main() {
    Launch::<64>::new(1, 64).run(kernel::<64, 64, _>).unwrap();
    Launch::<64>::new(1, 64).run(kernel::<64, 1, _>).unwrap();
    Launch::<4>::new(1, 4).run(kernel::<4, 2, _>).unwrap();
    Launch::<1>::new(1, 1).run(kernel::<1, 1, _>).unwrap();
}
