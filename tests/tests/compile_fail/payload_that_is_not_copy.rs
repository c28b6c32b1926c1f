use wavewise::Payload;

#[derive(Clone, Payload)]
struct Unique(u32);

fn main() {}
