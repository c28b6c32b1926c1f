//! `#[cube]` in the plain build: it takes cubecl's attributes away, and leaves Rust's.

use core::panic::Location;

use wavewise_macros::cube;

#[cube]
fn squares(#[comptime] count: u32) -> u32 {
    let mut sum = 0;
    #[unroll]
    for i in 0..count {
        #[allow(unused_variables, reason = "the attribute must stay for this to compile quietly")]
        let kept = i;
        if i % 2 == 0 {
            #[unroll]
            for _ in 0..i {
                sum += i;
            }
        }
    }
    sum
}

#[cube(launch)]
#[track_caller]
fn caller() -> u32 {
    Location::caller().line()
}

#[test]
fn loops_and_parameters_lose_their_marks_at_every_depth() {
    assert_eq!(squares(5), 2 * 2 + 4 * 4);
}

#[test]
fn attributes_of_rust_stay() {
    assert_eq!(caller(), line!());
}
