use wavewise::Device;
use wavewise::sim::Launch;

fn send<T: Send>(_: T) {}

fn main() {
    let _ = Launch::<32>::new(1, 32).run(|dev| send(unsafe { dev.wave::<32>() }));
}
