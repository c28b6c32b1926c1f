use core::array;

use proptest::prelude::*;

use super::*;

/// The same set, a place for every lane.
type Model = [bool; 64];

fn model(mask: LaneMask) -> Model {
    let mut rest = mask.bits();
    array::from_fn(|_| {
        let lowest = rest % 2 == 1;
        rest /= 2;
        lowest
    })
}

fn lanes(model: Model) -> impl DoubleEndedIterator<Item = u32> + Clone {
    (0u32..64).filter(move |&lane| model[lane as usize])
}

fn where_lane(condition: impl Fn(u64) -> bool) -> Model {
    array::from_fn(|lane| condition(lane as u64))
}

/// Lane numbers and counts about every edge that a shift has.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![
        0u32..=66,
        prop::sample::select(
            &[31, 32, 33, 63, 64, 65, 95, 96, 127, 128, u32::MAX - 1, u32::MAX][..]
        ),
        any::<u32>(),
    ]
}

fn mask() -> impl Strategy<Value = LaneMask> {
    prop_oneof![
        any::<u64>(),
        // Few lanes, many lanes, runs.
        (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a & b & c),
        (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a | b | c),
        (0u32..64, 0u32..64).prop_map(|(a, b)| (u64::MAX << a) & (u64::MAX >> b)),
        prop::sample::select(&[0, 1, 1 << 31, 1 << 32, 1 << 63, u64::MAX, 0xffff_ffff][..]),
    ]
    .prop_map(LaneMask::from_bits)
}

proptest! {
    #[test]
    fn sets_made_of_numbers(n in number(), count in number()) {
        let (n64, count64) = (u64::from(n), u64::from(count));
        prop_assert_eq!(model(LaneMask::single(n)), where_lane(|lane| lane == n64));
        prop_assert_eq!(model(LaneMask::first(n)), where_lane(|lane| lane < n64));
        prop_assert_eq!(model(LaneMask::below(n)), where_lane(|lane| lane < n64));
        prop_assert_eq!(model(LaneMask::above(n)), where_lane(|lane| lane > n64));
        prop_assert_eq!(
            model(LaneMask::range(n, count)),
            where_lane(|lane| (n64..n64 + count64).contains(&lane))
        );
    }

    #[test]
    fn questions(set in mask(), n in number()) {
        let naive = model(set);
        prop_assert_eq!(set.count() as usize, lanes(naive).count());
        prop_assert_eq!(set.is_empty(), !naive.contains(&true));
        prop_assert_eq!(set.contains(n), lanes(naive).any(|lane| lane == n));
        prop_assert_eq!(set.rank(n) as usize, lanes(naive).filter(|&lane| lane < n).count());
        prop_assert_eq!(set.lowest(), lanes(naive).next());
        prop_assert_eq!(set.lowest_or_capacity(), lanes(naive).next().unwrap_or(64));
        prop_assert_eq!(set.highest(), lanes(naive).next_back());
        prop_assert_eq!(set.nth(n), lanes(naive).nth(n as usize));
        prop_assert!((0..64).all(|k| set.nth(k) == lanes(naive).nth(k as usize)));
    }

    #[test]
    fn sets_made_of_sets(a in mask(), b in mask()) {
        let (x, y) = (model(a), model(b));
        let each = |f: fn(bool, bool) -> bool| array::from_fn::<_, 64, _>(|lane| f(x[lane], y[lane]));
        prop_assert_eq!(model(a & b), each(|x, y| x && y));
        prop_assert_eq!(model(a.intersect(b)), each(|x, y| x && y));
        prop_assert_eq!(model(a | b), each(|x, y| x || y));
        prop_assert_eq!(model(a ^ b), each(|x, y| x != y));
        prop_assert_eq!(model(a - b), each(|x, y| x && !y));
        prop_assert_eq!(model(!a), each(|x, _| !x));
        let mut c = a;
        c -= b;
        c |= b;
        c ^= b;
        c &= a;
        prop_assert_eq!(model(c), each(|x, y| x && !y));
    }

    #[test]
    fn segments(set in mask(), start in number(), width in number()) {
        let naive = model(set);
        let (start64, width64) = (u64::from(start), u64::from(width));
        let at = |place: u64| naive.get(place as usize).copied().unwrap_or(false);
        prop_assert_eq!(
            model(set.segment(start, width)),
            where_lane(|lane| lane < width64 && at(lane + start64))
        );
        prop_assert_eq!(
            model(set.raised(start)),
            where_lane(|lane| lane >= start64 && at(lane - start64))
        );
    }

    #[test]
    fn iteration_gives_the_members_from_either_end(set in mask(), turns in any::<u64>()) {
        let naive = model(set);
        prop_assert!(set.iter().eq(lanes(naive)));
        prop_assert!(set.iter().rev().eq(lanes(naive).rev()));
        prop_assert_eq!(set.iter().collect::<LaneMask>(), set);
        let (mut ours, mut theirs) = (set.into_iter(), lanes(naive));
        for turn in 0..65 {
            prop_assert_eq!(ours.len(), theirs.clone().count());
            if turns >> (turn % 64) & 1 == 0 {
                prop_assert_eq!(ours.next(), theirs.next());
            } else {
                prop_assert_eq!(ours.next_back(), theirs.next_back());
            }
        }
        prop_assert_eq!(ours.next(), None);
    }
}

#[test]
fn all_64_lanes_are_counted_and_ranked() {
    assert_eq!(LaneMask::ALL.count(), 64);
    assert_eq!(LaneMask::ALL.rank(63), 63);
    assert_eq!(LaneMask::CAPACITY, 64);
}

#[test]
fn the_lanes_below_one_never_come_from_a_shift_by_the_width() {
    let below = |lane| LaneMask::below(lane).bits();
    assert_eq!(below(0), 0);
    assert_eq!(below(31), 0x7fff_ffff);
    assert_eq!(below(32), 0xffff_ffff);
    assert_eq!(below(63), 0x7fff_ffff_ffff_ffff);
    assert_eq!(LaneMask::first(0).bits(), 0);
    assert_eq!(LaneMask::first(64).bits(), u64::MAX);
    assert_eq!(LaneMask::above(63).bits(), 0);
    assert_eq!(LaneMask::above(u32::MAX).bits(), 0);
}

#[test]
fn a_segment_of_32_lanes_in_the_upper_half_is_not_made_in_32_bits() {
    assert_eq!(LaneMask::range(32, 32).bits(), 0xffff_ffff_0000_0000);
    assert_eq!(LaneMask::first(32).raised(32).bits(), 0xffff_ffff_0000_0000);
    assert_eq!(LaneMask::from_bits(0xdead_beef_0000_0001).segment(32, 32).bits(), 0xdead_beef);
}

#[test]
fn conversions_keep_all_bits() {
    let bits = 0x8000_0000_0000_0001;
    assert_eq!(u64::from(LaneMask::from(bits)), bits);
    assert_eq!(bytemuck::cast::<_, u64>(LaneMask::from_bits(bits)), bits);
    assert_eq!(LaneMask::default(), LaneMask::EMPTY);
    assert_eq!([3, 3, 64, 63, u32::MAX].into_iter().collect::<LaneMask>().bits(), 1 << 63 | 8);
}

#[cfg(feature = "sim")]
#[test]
fn a_mask_reads_as_ranges() {
    let shown = |bits| std::format!("{}", LaneMask::from_bits(bits));
    assert_eq!(shown(0), "none");
    assert_eq!(shown(u64::MAX), "0..=63");
    assert_eq!(shown(0x8000_0000_0010_ffff), "0..=15, 20, 63");
    assert_eq!(shown(0b11), "0..=1");
    assert_eq!(std::format!("{:?}", LaneMask::from_bits(5)), "LaneMask(0x0000000000000005)");
    assert_eq!(std::format!("{:#x} {:b}", LaneMask::first(4), LaneMask::first(2)), "0xf 11");
}
