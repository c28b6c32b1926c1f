use wavewise::{And, Op, Or, Xor, f16};

fn main() {
    And::combine(1.0f32, 2.0f32);
    Or::combine(1.0f64, 2.0f64);
    Xor::combine(f16::ONE, f16::ONE);
}
