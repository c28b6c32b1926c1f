//! Masks and width.

use super::*;

#[test]
fn a_ballot_held_in_32_bits() {
    let got = full(64, |_| {
        let wave = wave::<64>();
        (wave.ballot(true).count(), wave.live().count(), wave.masked(LaneMask::ALL).rank())
    });
    for (lane, got) in (0..).zip(got) {
        assert_eq!(got, (64, 64, lane));
    }
}

#[test]
fn a_ballot_on_32_lanes_has_nothing_in_the_upper_half() {
    assert!(
        full(32, |_| wave::<32>().ballot(true).bits()).iter().all(|&votes| votes == 0xffff_ffff)
    );
    assert!(
        full(64, |_| wave::<32>().ballot(true).bits()).iter().all(|&votes| votes == 0xffff_ffff)
    );
}

#[test]
fn a_ballot_after_half_of_the_lanes_have_returned_names_only_the_rest() {
    for width in [32, 64] {
        let live = LaneMask::first(width / 2).raised(width / 2);
        let got = waves(width, &[live], |_, _| {
            let rest = match width {
                32 => wave::<32>().ballot(true),
                _ => wave::<64>().ballot(true),
            };
            rest.bits()
        });
        let got = got.expect("the lanes that returned take no part");
        assert_eq!(got[0][0], None);
        assert!(got[0][width as usize / 2..].iter().all(|&votes| votes == Some(live.bits())));
    }
}

#[test]
fn a_64_bit_mask_on_a_32_lane_wave_has_its_upper_half_ignored_not_shifted() {
    let wide = LaneMask::from_bits(0xffff_0000_0000_0ff0);
    let got = full(32, |lane| {
        let some = wave::<32>().masked(wide);
        wide.contains(lane)
            .then(|| (some.members().bits(), some.reduce(1u32, Sum), some.ballot(true).bits()))
    });
    for (lane, got) in (0..).zip(got) {
        assert_eq!(got, (4..12).contains(&lane).then_some((0xff0, 8, 0xff0)));
    }
}

#[test]
fn a_ballot_of_a_constant_and_of_what_the_compiler_cannot_see() {
    let got = full(64, |lane| {
        let wave = wave::<64>();
        let opaque = std::hint::black_box(lane % 3 == 0);
        (wave.ballot(true).bits(), wave.ballot(false).bits(), wave.ballot(opaque).bits())
    });
    let thirds = (0..64).filter(|lane| lane % 3 == 0).map(|lane| 1u64 << lane).sum();
    assert!(got.iter().all(|&got| got == (u64::MAX, 0, thirds)));
}

#[test]
fn a_wave_wider_than_the_hardware_is_refused_at_run_time_too() {
    let got = block(16, 16, |_| {
        wave::<32>();
        Some(())
    });
    let Err(Report { fault, .. }) = got else { panic!("{got:?}") };
    let Fault::Panicked { message, .. } = *fault else { panic!("{fault}") };
    assert_eq!(message, "a wave of 32 lanes on hardware waves of 16");
}
