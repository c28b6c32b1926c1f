use wavewise::Payload;

#[derive(Clone, Copy, Payload)]
struct Borrowed {
    word: &'static u32,
}

fn main() {}
