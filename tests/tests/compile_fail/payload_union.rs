use wavewise::Payload;

#[derive(Clone, Copy, Payload)]
union Either {
    word: u32,
    float: f32,
}

fn main() {}
