use wavewise::sim::Launch;

fn main() {
    let _ = Launch::<48>::new(1, 48).run(|_| {});
}
