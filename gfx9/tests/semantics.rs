//! Semantics that the recorded vectors cannot tell, from the ISA documents' own words.

use wavewise_gfx9::{Arch, WaveState, execute};

fn words(w: &[u32]) -> Vec<u8> {
    w.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn state() -> WaveState {
    let mut s = WaveState::new(8);
    (s.sgpr[126], s.sgpr[127]) = (u32::MAX, u32::MAX);
    s
}

fn run(code: &[u32], s: &mut WaveState) -> String {
    execute(Arch::Gfx942, 64, &words(code), s).unwrap()
}

#[test]
fn perm_selects_bytes_signs_and_constants() {
    let mut s = state();
    s.vgpr[1] = [0x8877_6655; 64];
    s.vgpr[2] = [0x4433_2211; 64];
    // Bytes 0 to 3 are the second source's, 4 to 7 the first's; 8 to 11 are signs of words, 12 is 0, more is 255.
    for (selector, want) in
        [(0x0706_0504, 0x8877_6655), (0x0302_0100, 0x4433_2211), (0x0d0c_0b08, 0xff00_ff00)]
    {
        s.vgpr[3] = [selector; 64];
        assert_eq!(
            run(&[0xd1ed_0004, 3 << 18 | 0x40000 << 8 | (258 << 9) | 257], &mut s),
            "v_perm_b32 v4, v1, v2, v3"
        );
        assert_eq!(s.vgpr[4], [want; 64]);
    }
}

#[test]
fn comparisons_of_16_bits_ignore_the_rest() {
    let mut s = state();
    s.vgpr[1] = [0x0001_ffff; 64];
    s.vgpr[2] = [0xffff_0000; 64];
    // -1 < 0 in 16 bits; as words the first is the greater.
    assert_eq!(run(&[0x7c42_0501 | 0xa1 << 17], &mut s), "v_cmp_lt_i16_e32 vcc, v1, v2");
    assert_eq!((s.sgpr[106], s.sgpr[107]), (u32::MAX, u32::MAX));
}

#[test]
fn addk_says_overflow() {
    let mut s = state();
    s.sgpr[3] = i32::MAX as u32;
    assert_eq!(run(&[0xb703_0001], &mut s), "s_addk_i32 s3, 0x1");
    assert!(s.scc && s.sgpr[3] == 0x8000_0000);
}

#[test]
fn a_number_beats_nan_and_minus_zero_is_below() {
    for (a, b, max, want) in [
        (f32::NAN, 1.0, true, 1.0),
        (1.0, f32::NAN, true, 1.0),
        (-0.0, 0.0, true, 0.0),
        (0.0, -0.0, false, -0.0f32),
    ] {
        let mut s = state();
        s.vgpr[1] = [a.to_bits(); 64];
        s.vgpr[2] = [b.to_bits(); 64];
        run(&[if max { 0x0b << 25 } else { 0x0a << 25 } | 4 << 17 | 2 << 9 | 257], &mut s);
        assert_eq!(s.vgpr[4], [want.to_bits(); 64], "{a} {b}");
    }
}

#[test]
fn fma_is_rounded_once() {
    let mut s = state();
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: half a unit above 1 + 2^-11; the tiny addend decides.
    s.vgpr[1] = [(1.0f32 + f32::powi(2.0, -12)).to_bits(); 64];
    s.vgpr[3] = [f32::powi(2.0, -80).to_bits(); 64];
    run(&[0xd1cb_0004, 259 << 18 | 257 << 9 | 257], &mut s);
    assert_eq!(f32::from_bits(s.vgpr[4][0]), 1.0 + f32::powi(2.0, -11) + f32::powi(2.0, -23));
    s.vgpr[3] = [(-f32::powi(2.0, -80)).to_bits(); 64];
    run(&[0xd1cb_0004, 259 << 18 | 257 << 9 | 257], &mut s);
    assert_eq!(f32::from_bits(s.vgpr[4][0]), 1.0 + f32::powi(2.0, -11));
}

#[test]
fn rounding_and_subnormal_modes() {
    let add = |mode: u32, a: f32, b: f32| {
        let mut s = state();
        s.mode = mode;
        s.vgpr[1] = [a.to_bits(); 64];
        s.vgpr[2] = [b.to_bits(); 64];
        run(&[1 << 25 | 4 << 17 | 2 << 9 | 257], &mut s);
        f32::from_bits(s.vgpr[4][0])
    };
    let tiny = f32::powi(2.0, -40);
    let above = f32::from_bits(1.0f32.to_bits() + 1);
    let below = f32::from_bits(1.0f32.to_bits() - 1);
    assert_eq!([0, 1, 2, 3].map(|r| add(0xf0 | r, 1.0, tiny)), [1.0, above, 1.0, 1.0]);
    assert_eq!([0, 1, 2, 3].map(|r| add(0xf0 | r, 1.0, -tiny)), [1.0, 1.0, below, below]);
    let sub = f32::from_bits(5);
    assert_eq!(add(0xf0, sub, 0.0), sub);
    assert_eq!(add(0xc0, sub, 0.0), 0.0);
    assert_eq!(add(0xd0, sub, 0.0), 0.0, "input kept, output flushed");
    assert_eq!(
        add(0xe0, f32::MIN_POSITIVE * 1.5, -f32::MIN_POSITIVE),
        f32::MIN_POSITIVE * 0.5,
        "output kept"
    );
}

#[test]
fn dual_issue_reads_before_it_writes() {
    // v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2 exchanges the two.
    let mut s = WaveState::new(8);
    s.sgpr[126] = u32::MAX;
    s.vgpr[2] = [2; 64];
    s.vgpr[3] = [3; 64];
    let text = execute(
        Arch::Gfx1100,
        32,
        &words(&[0x32 << 26 | 8 << 22 | 8 << 17 | 259, 2 << 24 | 1 << 17 | 258]),
        &mut s,
    )
    .unwrap();
    assert_eq!(text, "v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2");
    assert_eq!((s.vgpr[2][0], s.vgpr[3][0]), (3, 2));
}

#[test]
fn bpermute_in_wave64_crosses_the_halves_on_cdna_and_not_on_rdna3() {
    for (arch, code, crosses) in [
        (Arch::Gfx942, [0xd87e_0000, 0x0400_0201], true),
        (Arch::Gfx1100, [0xdacc_0000, 0x0400_0201], false),
        (Arch::Gfx1200, [0xdacc_0000, 0x0400_0201], true),
    ] {
        let mut s = state();
        s.vgpr[1] = std::array::from_fn(|l| 4 * (l as u32 ^ 32));
        s.vgpr[2] = std::array::from_fn(|l| l as u32);
        let text = execute(arch, 64, &words(&code), &mut s).unwrap();
        assert_eq!(text, "ds_bpermute_b32 v4, v1, v2");
        assert_eq!(s.vgpr[4][5], if crosses { 37 } else { 5 }, "{}", arch.name());
    }
}

#[test]
fn div_fmas_scales_back_by_the_addend_size() {
    // RDNA3 ISA §16.12, V_DIV_FMAS_F32: with VCC, 2^64 if the addend's exponent is above 127, else 2^-64.
    for (addend, vcc, want) in [
        (2.0f32, u32::MAX, 5.0 * f32::powi(2.0, 64)),
        (1.0, u32::MAX, 4.0 * f32::powi(2.0, -64)),
        (2.0, 0, 5.0),
    ] {
        let mut s = state();
        (s.sgpr[106], s.sgpr[107]) = (vcc, vcc);
        s.vgpr[1] = [3.0f32.to_bits(); 64];
        s.vgpr[2] = [1.0f32.to_bits(); 64];
        s.vgpr[3] = [addend.to_bits(); 64];
        assert_eq!(
            run(&[0xd1e2_0004, 259 << 18 | 258 << 9 | 257], &mut s),
            "v_div_fmas_f32 v4, v1, v2, v3"
        );
        assert_eq!(f32::from_bits(s.vgpr[4][7]), want);
    }
}
