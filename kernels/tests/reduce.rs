//! The reduction exercise and its starters in the simulator, at every width.

use wavewise::sim::{Launch, Memory, Sim};
use wavewise::{Global, Identity, Max, Min, Payload, Sum};
use wavewise_kernels::starters::{StartAt16, lost_waves};
use wavewise_kernels::{Butterfly, Ladder, ShuffleDown, grid, reduce};

/// Runs the body with `W` a constant of each width.
macro_rules! at_every_width {
    ($body:ident $(, $argument:expr)*) => {
        $body::<1>($($argument),*);
        $body::<2>($($argument),*);
        $body::<4>($($argument),*);
        $body::<8>($($argument),*);
        $body::<16>($($argument),*);
        $body::<32>($($argument),*);
        $body::<64>($($argument),*);
    };
}

/// One launch over `input`: a partial a block.
fn partials<const W: u32, T: Payload, O: Identity<T> + Send + Sync, L: Ladder>(
    blocks: u32,
    threads: u32,
    input: &[T],
    operator: O,
    ladder: L,
) -> Vec<T> {
    let output = Memory::<T>::unwritten(blocks as usize);
    let (input, view) = (Global::from(input), output.view());
    Launch::<W>::new(blocks, threads)
        .named("reduce")
        .run(|dev: Sim<W>| reduce(dev, input, view, operator, ladder))
        .unwrap_or_else(|report| panic!("{report}"));
    output.to_vec().expect("every block writes its partial")
}

/// The perfect binary tree over `leaves`, neighbours first, level by level.
fn tree(mut leaves: Vec<f32>) -> f32 {
    while leaves.len() > 1 {
        leaves = leaves
            .chunks(2)
            .map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap())
            .collect();
    }
    leaves[0]
}

/// Values whose sum depends on its order in almost every bit.
fn uneven(n: usize) -> Vec<f32> {
    let mut state = 0x9E37_79B9_u32;
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let exponent = (state >> 8) % 24;
            (f32::from(state.to_le_bytes()[3]) - 96.0) * 2f32.powi(exponent as i32 - 12) * 1.1
        })
        .collect()
}

fn ones_give_the_count<const W: u32>(threads: u32) {
    let ones = vec![1u32; threads as usize];
    assert_eq!(partials::<W, _, _, _>(1, threads, &ones, Sum, Butterfly), vec![threads], "W = {W}");
    assert_eq!(
        partials::<W, _, _, _>(1, threads, &ones, Sum, ShuffleDown),
        vec![threads],
        "W = {W}"
    );
}

#[test]
fn block_reduce_of_ones_with_17_33_45_48_threads() {
    for threads in [17, 33, 45, 48] {
        at_every_width!(ones_give_the_count, threads);
    }
}

#[test]
fn blocks_of_every_kind_of_size() {
    for threads in
        [1, 2, 3, 5, 15, 16, 31, 32, 63, 64, 65, 127, 255, 256, 257, 511, 992, 1000, 1023, 1024]
    {
        at_every_width!(ones_give_the_count, threads);
    }
}

fn tail<const W: u32>(last: i32) {
    let values: Vec<i32> = (1..=last).collect();
    let expected = last * (last + 1) / 2;
    for threads in [32, 64, 256] {
        assert_eq!(partials::<W, _, _, _>(1, threads, &values, Sum, Butterfly), vec![expected]);
        assert_eq!(partials::<W, _, _, _>(1, threads, &values, Min, Butterfly), vec![1]);
        assert_eq!(partials::<W, _, _, _>(1, threads, &values, Max, ShuffleDown), vec![last]);
    }
}

#[test]
fn tails_of_13_and_16_values() {
    assert_eq!(13 * 14 / 2, 91);
    at_every_width!(tail, 13);
    at_every_width!(tail, 16);
}

fn bits_of_the_tree<const W: u32>(threads: u32, n: usize) {
    let values = uneven(n);
    let leaves = (0..threads as usize)
        .map(|thread| {
            let own = values.iter().skip(thread).step_by(threads as usize);
            own.fold(-0.0f32, |sum, value| sum + value)
        })
        .collect();
    let expected = tree(leaves).to_bits();
    let butterfly = partials::<W, _, _, _>(1, threads, &values, Sum, Butterfly);
    let down = partials::<W, _, _, _>(1, threads, &values, Sum, ShuffleDown);
    assert_eq!(butterfly[0].to_bits(), expected, "butterfly, W = {W}, {threads} threads");
    assert_eq!(down[0].to_bits(), expected, "shuffle-down, W = {W}, {threads} threads");
}

#[test]
fn the_bits_are_those_of_the_perfect_tree_at_every_width() {
    for threads in [1, 3, 17, 45, 100, 256, 777, 1024] {
        for n in [1, 90, 3000] {
            at_every_width!(bits_of_the_tree, threads, n);
        }
    }
}

fn no_element_gives_the_identity<const W: u32>() {
    let none: &[f32] = &[];
    let sum = partials::<W, _, _, _>(3, 48, none, Sum, Butterfly);
    assert_eq!(sum.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), [(-0.0f32).to_bits(); 3]);
    assert_eq!(partials::<W, i32, _, _>(1, 48, &[], Max, Butterfly), vec![i32::MIN]);
}

#[test]
fn an_empty_array() {
    at_every_width!(no_element_gives_the_identity);
}

/// Lanes without an element hold the identity: a minimum of values from 5 upward is never 0.
fn nothing_leaks_into_a_tail<const W: u32>() {
    let values: Vec<u64> = (5..50).collect();
    assert_eq!(partials::<W, _, _, _>(1, 256, &values, Min, Butterfly), vec![5]);
    assert_eq!(partials::<W, _, _, _>(1, 33, &values, Min, ShuffleDown), vec![5]);
}

#[test]
fn a_partial_wave_leaks_nothing() {
    at_every_width!(nothing_leaks_into_a_tail);
}

fn whole_array<const W: u32>() {
    let values: Vec<i64> = (0..100_003).map(|i| i * i - 7).collect();
    let expected: i64 = values.iter().sum();
    let shape = grid(values.len() as u64);
    let blocks = partials::<W, _, _, _>(shape.blocks, shape.threads, &values, Sum, Butterfly);
    assert_eq!(blocks.len(), 13);
    assert_eq!(partials::<W, _, _, _>(1, shape.threads, &blocks, Sum, Butterfly), vec![expected]);
}

#[test]
fn two_launches_reduce_an_array() {
    at_every_width!(whole_array);
}

#[test]
fn the_grid_depends_on_the_length_alone() {
    let blocks = |n| grid(n).blocks;
    assert_eq!([blocks(0), blocks(1), blocks(8192), blocks(8193)], [1, 1, 1, 2]);
    assert_eq!([blocks(1_000_003), blocks(1 << 23), blocks(u64::MAX)], [123, 1024, 1024]);
}

/// What the block makes of one one for each thread.
fn start_at_16<const W: u32>(threads: u32) -> u32 {
    let ones = vec![1u32; threads as usize];
    partials::<W, _, _, _>(1, threads, &ones, Sum, StartAt16)[0]
}

fn first_wave_only<const W: u32>(threads: u32) -> u32 {
    let ones = vec![1u32; threads as usize];
    let output = Memory::<u32>::unwritten(1);
    let (input, view) = (Global::from(&ones[..]), output.view());
    Launch::<W>::new(1, threads).run(|dev: Sim<W>| lost_waves(dev, input, view, Sum)).unwrap();
    output.to_vec().unwrap()[0]
}

#[test]
fn the_ladder_from_16_loses_half_of_a_64_lane_wave() {
    assert_eq!(start_at_16::<32>(256), 256);
    assert_eq!(start_at_16::<64>(256), 128);
}

#[test]
fn lost_waves_keeps_one_wave_of_all() {
    assert_eq!(first_wave_only::<32>(256), 256 / 8);
    assert_eq!(first_wave_only::<64>(256), 256 / 4);
    assert_eq!(first_wave_only::<64>(64), 64);
}
