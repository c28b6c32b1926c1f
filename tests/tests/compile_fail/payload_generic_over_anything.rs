use wavewise::Payload;

#[derive(Clone, Copy, Payload)]
struct Pair<T>(T, T);

fn takes<P: Payload>(_: P) {}

fn main() {
    takes(Pair("a", "b"));
}
