use wavewise::Payload;

#[derive(Clone, Copy, Payload)]
enum Choice {
    Left,
    Right,
}

fn main() {}
