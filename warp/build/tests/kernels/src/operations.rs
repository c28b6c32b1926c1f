//! One collective or memory operation a kernel.

use wavewise::memory::{Ordering, Scope};
use wavewise::{
    And, Device, Global, GlobalMut, Max, Maximum, Min, Minimum, Op, Or, Payload, Prod, Sum, Xor,
    bf16, entry, f16,
};

fn place<const W: u32, D: Device<W>>(dev: D) -> usize {
    dev.block()[0] as usize * dev.block_shape()[0] as usize + dev.thread()[0] as usize
}

fn reduce<const N: u32, T: Payload, O: Op<T>, const W: u32, D: Device<W>>(
    dev: D,
    operator: O,
    x: Global<T>,
    y: GlobalMut<T>,
) {
    let at = place(dev);
    // SAFETY: what comes before is the same in all lanes, or stops the kernel.
    let total = unsafe { dev.wave::<N>() }.reduce(x.get(at), operator);
    y.set(at, total);
}

fn reduce_all<T: Payload, O: Op<T>, const W: u32, D: Device<W>>(
    dev: D,
    operator: O,
    x: Global<T>,
    y: GlobalMut<T>,
) {
    reduce::<W, T, O, W, D>(dev, operator, x, y);
}

macro_rules! reductions {
    ($($name:ident: $operator:ident over $t:ty;)*) => {
        entry! {$(
            fn $name(dev, x: Global<$t>, y: GlobalMut<$t>) { reduce_all(dev, $operator, x, y) }
        )*}
    };
}

reductions! {
    sum_f16: Sum over f16;
    sum_bf16: Sum over bf16;
    sum_f32: Sum over f32;
    sum_f64: Sum over f64;
    sum_i8: Sum over i8;
    sum_i16: Sum over i16;
    sum_i32: Sum over i32;
    sum_i64: Sum over i64;
    sum_u8: Sum over u8;
    sum_u32: Sum over u32;
    sum_u64: Sum over u64;
    prod_f32: Prod over f32;
    prod_u32: Prod over u32;
    min_f32: Min over f32;
    max_f32: Max over f32;
    minimum_f32: Minimum over f32;
    maximum_f32: Maximum over f32;
    min_f64: Min over f64;
    min_f16: Min over f16;
    maximum_f16: Maximum over f16;
    max_bf16: Max over bf16;
    min_u32: Min over u32;
    min_i32: Min over i32;
    max_i16: Max over i16;
    and_u32: And over u32;
    or_u32: Or over u32;
    xor_u32: Xor over u32;
    xor_u64: Xor over u64;
}

/// Two maps as one, which does not commute: `x -> a.0 * x + a.1`, then `b`.
#[derive(Clone, Copy)]
struct Then;

impl Op<(u32, u32)> for Then {
    const COMMUTES: bool = false;
    fn combine(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
        (a.0.wrapping_mul(b.0), a.1.wrapping_mul(b.0).wrapping_add(b.1))
    }
}

entry! {
    fn then_u32x2(dev, x: Global<(u32, u32)>, y: GlobalMut<(u32, u32)>) { reduce_all(dev, Then, x, y) }
    fn sum_f32_2(dev, x: Global<f32>, y: GlobalMut<f32>) { reduce::<2, _, _, _, _>(dev, Sum, x, y) }
    fn sum_f32_4(dev, x: Global<f32>, y: GlobalMut<f32>) { reduce::<4, _, _, _, _>(dev, Sum, x, y) }
    fn sum_f32_8(dev, x: Global<f32>, y: GlobalMut<f32>) { reduce::<8, _, _, _, _>(dev, Sum, x, y) }
    fn sum_f32_16(dev, x: Global<f32>, y: GlobalMut<f32>) { reduce::<16, _, _, _, _>(dev, Sum, x, y) }
    fn sum_f32_32(dev, x: Global<f32>, y: GlobalMut<f32>) { reduce::<32, _, _, _, _>(dev, Sum, x, y) }
}

/// A shuffle of one word, by what `$move` makes of the wave, the value and its lane.
macro_rules! moves {
    ($($name:ident<$n:tt> |$wave:ident, $value:ident, $k:ident| $move:expr;)*) => {
        entry! {$(
            fn $name(dev, x: Global<u32>, y: GlobalMut<u32>, k: u32) {
                fn run<const W: u32, D: Device<W>>(dev: D, x: Global<u32>, y: GlobalMut<u32>, $k: u32) {
                    let at = place(dev);
                    let $value = x.get(at);
                    // SAFETY: what comes before is the same in all lanes, or stops the kernel.
                    let $wave = unsafe { dev.wave::<$n>() };
                    y.set(at, $move);
                }
                run(dev, x, y, k)
            }
        )*}
    };
}

moves! {
    index<W> |wave, value, k| wave.shuffle(value, value ^ k);
    index_8<8> |wave, value, k| wave.shuffle(value, value ^ k);
    up<W> |wave, value, k| wave.shuffle_up(value, k);
    up_8<8> |wave, value, k| wave.shuffle_up(value, k);
    down<W> |wave, value, k| wave.shuffle_down(value, k);
    down_8<8> |wave, value, k| wave.shuffle_down(value, k);
    up_by_1<W> |wave, value, _k| wave.shuffle_up(value, 1);
    up_by_1_in_8<8> |wave, value, _k| wave.shuffle_up(value, 1);
    up_by_1_in_32<32> |wave, value, _k| wave.shuffle_up(value, 1);
    down_by_1<W> |wave, value, _k| wave.shuffle_down(value, 1);
    down_by_1_in_16<16> |wave, value, _k| wave.shuffle_down(value, 1);
    xor<W> |wave, value, k| wave.shuffle_xor(value, k);
    xor_1<W> |wave, value, _k| wave.shuffle_xor(value, 1);
    xor_4<W> |wave, value, _k| wave.shuffle_xor(value, 4);
    xor_8<W> |wave, value, _k| wave.shuffle_xor(value, 8);
    xor_16<W> |wave, value, _k| wave.shuffle_xor(value, 16);
    xor_32<W> |wave, value, _k| wave.shuffle_xor(value, 32);
    xor_9<W> |wave, value, _k| wave.shuffle_xor(value, 9);
    broadcast<W> |wave, value, k| wave.broadcast(value, k);
    broadcast_in_8<8> |wave, value, k| wave.broadcast(value, k);
    broadcast_first<W> |wave, value, _k| wave.broadcast_first(value);
    ballot<W> |wave, value, k| (wave.ballot(value > k).bits() >> (wave.lane() & 32)) as u32;
    ballot_8<8> |wave, value, k| wave.ballot(value > k).bits() as u32;
    any<W> |wave, value, k| u32::from(wave.any(value > k));
    all<W> |wave, value, k| u32::from(wave.all(value > k));
    any_8<8> |wave, value, k| u32::from(wave.any(value > k));
    uniform<W> |wave, value, _k| u32::from(wave.uniform(value));
    elect<W> |wave, value, k| if wave.elect() { value } else { k };
    partial<W> |wave, value, k| wave.reduce_partial(value, Sum, k);
    to_first<W> |wave, value, _k| wave.reduce_to_first(value, Sum);
    lane<W> |wave, _value, _k| wave.lane();
}

/// Each half of the lanes, odd and even, on its own.
fn masked<const W: u32, D: Device<W>>(dev: D, x: Global<u32>, y: GlobalMut<u32>) {
    let at = place(dev);
    let value = x.get(at);
    // SAFETY: the branch below uses the masked form.
    let wave = unsafe { dev.wave::<W>() };
    let odd = wave.lane() % 2 == 1;
    let odds = wave.ballot(odd);
    let total = if odd {
        wave.masked(odds).reduce(value, Sum)
    } else {
        wave.masked(!odds).reduce(value ^ 1, Sum)
    };
    y.set(at, total);
}

/// Two arrays of one type, of which one thread reads what another wrote.
fn arrays<const W: u32, D: Device<W>>(dev: D, x: Global<u32>, y: GlobalMut<u32>) {
    let first = dev.shared::<u32, 256>();
    let second = dev.shared::<u32, 256>();
    let at = place(dev);
    let thread = dev.thread()[0] as usize;
    let value = x.get(at);
    first.set(thread, value);
    second.set(thread, !value);
    dev.barrier();
    let other = thread ^ 1;
    y.set(at, first.get(other).wrapping_mul(3).wrapping_add(second.get(other)));
}

/// Every thread adds to a counter, in the block and in the grid, and says where it came.
fn tickets<const W: u32, D: Device<W>>(dev: D, counters: GlobalMut<u32>, y: GlobalMut<u32>) {
    let at = place(dev);
    let ticket = counters.atomic(0, Sum, 1, Ordering::Relaxed, Scope::Device);
    counters.atomic(1, Max, at as u32, Ordering::Relaxed, Scope::Device);
    dev.fence(Scope::Device);
    y.set(at, ticket);
}

/// A flag is released after a value is written, and acquired before it is read.
fn handover<const W: u32, D: Device<W>>(dev: D, flag: GlobalMut<u32>, data: GlobalMut<u32>) {
    if dev.branch(dev.block()[0] == 0) {
        data.set(0, 7);
        flag.atomic_store(0, 1, Ordering::Release, Scope::Device);
    } else {
        while flag.atomic_load(0, Ordering::Acquire, Scope::Device) == 0 {
            dev.spin();
        }
        data.set(1, data.get(0));
    }
}

fn atomics<const W: u32, D: Device<W>>(
    dev: D,
    floats: GlobalMut<f32>,
    longs: GlobalMut<i64>,
    doubles: GlobalMut<f64>,
) {
    let at = place(dev);
    floats.atomic(0, Sum, at as f32, Ordering::Relaxed, Scope::Device);
    floats.atomic(1, Min, at as f32, Ordering::Relaxed, Scope::Block);
    longs.atomic(0, Min, -(at as i64), Ordering::AcqRel, Scope::System);
    doubles.atomic(0, Sum, at as f64, Ordering::SeqCst, Scope::Device);
    let was = longs.atomic_exchange(1, at as i64, Ordering::Release, Scope::Block);
    let _ = longs.atomic_compare_exchange(2, was, 5, Ordering::Acquire, Scope::Device);
}

/// Loads of 16 bytes where the address allows.
fn vectors<const W: u32, D: Device<W>>(dev: D, x: Global<f32>, y: GlobalMut<f32>) {
    let at = place(dev);
    let [a, b, c, d] = x.get_array::<4>(4 * at);
    y.set(at, (a + b) + (c + d));
}

entry! {
    fn masked_sum(dev, x: Global<u32>, y: GlobalMut<u32>) { masked(dev, x, y) }
    fn shared_arrays(dev, x: Global<u32>, y: GlobalMut<u32>) { arrays(dev, x, y) }
    fn global_tickets(dev, counters: GlobalMut<u32>, y: GlobalMut<u32>) { tickets(dev, counters, y) }
    fn flag_handover(dev, flag: GlobalMut<u32>, data: GlobalMut<u32>) { handover(dev, flag, data) }
    fn atomic_kinds(dev, floats: GlobalMut<f32>, longs: GlobalMut<i64>, doubles: GlobalMut<f64>) {
        atomics(dev, floats, longs, doubles)
    }
    fn vector_sum(dev, x: Global<f32>, y: GlobalMut<f32>) { vectors(dev, x, y) }
}
