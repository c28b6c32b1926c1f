use wavewise::Device;
use wavewise::sim::Launch;

fn kernel<D: Device<32>>(dev: D) {
    let _ = unsafe { dev.wave::<64>() };
}

fn main() {
    let _ = Launch::<32>::new(1, 32).run(kernel);
}
