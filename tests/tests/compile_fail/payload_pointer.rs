use wavewise::Payload;

#[derive(Clone, Copy, Payload)]
struct Pointer(*const u32);

fn main() {}
