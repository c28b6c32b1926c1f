use wavewise::Device;
use wavewise::sim::Launch;

fn kernel<D: Device<64>>(dev: D) {
    let _ = unsafe { dev.wave::<0>() };
}

fn main() {
    let _ = Launch::<64>::new(1, 64).run(kernel);
}
