//! Conversions (MI300 ISA §12.8, RDNA3 ISA §16.8).

use super::f32::{finish, fun, round_even};
use super::fetch::Kind;
use super::machine::{Done, Exec, Machine};
use super::round::{Round, from16, to16, to32};
use crate::isa::Inst;

/// From a float; out of range saturates, NaN gives 0.
fn from_f32(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f32) -> u32) -> Done {
    let mut a = [0; 64];
    let out = m.src_f32(i, 0, &mut a).map(|x| f(f32::from_bits(x)));
    m.write(i, &out);
    Ok(())
}

fn to_f32(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32) -> f64) -> Done {
    let mut a = [0; 64];
    let r = Round::single(m.wave.mode);
    let out = m.src(i, 0, &mut a).map(|x| to32(f(x), r));
    finish(m, i, out)
}

fn from_f64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f64) -> u32) -> Done {
    let out = m.src64(i, 0, true).map(|x| f(f64::from_bits(x)));
    m.write(i, &out);
    Ok(())
}

fn to_f64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32) -> f64) -> Done {
    let mut a = [0; 64];
    let out = m.src(i, 0, &mut a).map(|x| f(x).to_bits());
    m.write64(i, &out);
    Ok(())
}

fn pack(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f32) -> u32) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (m.src_f32(i, 0, &mut a), m.src_f32(i, 1, &mut b));
    let out =
        std::array::from_fn(|l| f(f32::from_bits(a[l])) & 0xffff | f(f32::from_bits(b[l])) << 16);
    m.write(i, &out);
    Ok(())
}

fn half(m: &mut Machine<'_>, i: &Inst, kind: Kind, f: impl Fn(u32, Round) -> u32) -> Done {
    let r = Round::half_double(m.wave.mode);
    let a = m.src16(i, 0, kind);
    m.write16(i, &a.map(|x| f(x, r) & 0xffff));
    Ok(())
}

fn norm(x: f64, signed: bool) -> u32 {
    if signed {
        (x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i32 as u32
    } else {
        (x.clamp(0.0, 1.0) * 65535.0).round_ties_even() as u32
    }
}

fn pack_norm_f16(m: &mut Machine<'_>, i: &Inst, signed: bool) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Half));
    m.write(
        i,
        &std::array::from_fn(|l| {
            norm(from16(a[l]), signed) & 0xffff | norm(from16(b[l]), signed) << 16
        }),
    );
    Ok(())
}

const TOWARDS_ZERO: Round = Round { direction: 3, flush: false };

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_cvt_f32_i32", |m, i| to_f32(m, i, |x| x as i32 as f64)),
    ("v_cvt_f32_u32", |m, i| to_f32(m, i, |x| x as f64)),
    ("v_cvt_f32_ubyte0", |m, i| to_f32(m, i, |x| (x & 0xff) as f64)),
    ("v_cvt_f32_ubyte1", |m, i| to_f32(m, i, |x| (x >> 8 & 0xff) as f64)),
    ("v_cvt_f32_ubyte2", |m, i| to_f32(m, i, |x| (x >> 16 & 0xff) as f64)),
    ("v_cvt_f32_ubyte3", |m, i| to_f32(m, i, |x| (x >> 24) as f64)),
    ("v_cvt_off_f32_i4", |m, i| to_f32(m, i, |x| ((x << 28) as i32 >> 28) as f64 / 16.0)),
    ("v_cvt_u32_f32", |m, i| from_f32(m, i, |x| x as u32)),
    ("v_cvt_i32_f32", |m, i| from_f32(m, i, |x| x as i32 as u32)),
    ("v_cvt_rpi_i32_f32", |m, i| from_f32(m, i, |x| (x as f64 + 0.5).floor() as i32 as u32)),
    ("v_cvt_flr_i32_f32", |m, i| from_f32(m, i, |x| x.floor() as i32 as u32)),
    ("v_cvt_i32_f64", |m, i| from_f64(m, i, |x| x as i32 as u32)),
    ("v_cvt_u32_f64", |m, i| from_f64(m, i, |x| x as u32)),
    ("v_cvt_f64_i32", |m, i| to_f64(m, i, |x| x as i32 as f64)),
    ("v_cvt_f64_u32", |m, i| to_f64(m, i, |x| x as f64)),
    ("v_cvt_f64_f32", |m, i| {
        let mut a = [0; 64];
        let out = m.src_f32(i, 0, &mut a).map(|x| (f32::from_bits(x) as f64).to_bits());
        m.write64(i, &out);
        Ok(())
    }),
    ("v_cvt_f32_f64", |m, i| {
        let r = Round::single(m.wave.mode);
        let out = m.src64(i, 0, true).map(|x| to32(f64::from_bits(x), r));
        finish(m, i, out)
    }),
    ("v_cvt_f32_f16", |m, i| {
        let out = m.src16(i, 0, Kind::Half).map(|x| (from16(x) as f32).to_bits());
        finish(m, i, out)
    }),
    ("v_cvt_f16_f32", |m, i| {
        let mut a = [0; 64];
        let r = Round::half_double(m.wave.mode);
        let out = m.src_f32(i, 0, &mut a).map(|x| to16(f32::from_bits(x) as f64, r));
        super::f16::finish(m, i, out)
    }),
    ("v_cvt_f16_u16", |m, i| half(m, i, Kind::Short, |x, r| to16(x as f64, r))),
    ("v_cvt_f16_i16", |m, i| half(m, i, Kind::Short, |x, r| to16(x as u16 as i16 as f64, r))),
    ("v_cvt_u16_f16", |m, i| half(m, i, Kind::Half, |x, _| from16(x) as u16 as u32)),
    ("v_cvt_i16_f16", |m, i| half(m, i, Kind::Half, |x, _| from16(x) as i16 as u32)),
    ("v_cvt_norm_i16_f16", |m, i| half(m, i, Kind::Half, |x, _| norm(from16(x), true))),
    ("v_cvt_norm_u16_f16", |m, i| half(m, i, Kind::Half, |x, _| norm(from16(x), false))),
    ("v_cvt_pkrtz_f16_f32", |m, i| pack(m, i, |x| to16(x as f64, TOWARDS_ZERO))),
    ("v_cvt_pknorm_i16_f32", |m, i| pack(m, i, |x| norm(x as f64, true))),
    ("v_cvt_pknorm_u16_f32", |m, i| pack(m, i, |x| norm(x as f64, false))),
    ("v_cvt_pknorm_i16_f16", |m, i| pack_norm_f16(m, i, true)),
    ("v_cvt_pknorm_u16_f16", |m, i| pack_norm_f16(m, i, false)),
    ("v_cvt_pk_i16_f32", |m, i| pack(m, i, |x| x as i16 as u32)),
    ("v_cvt_pk_u16_f32", |m, i| pack(m, i, |x| x as u16 as u32)),
    ("v_cvt_pk_u8_f32", |m, i| {
        let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
        let (a, b, c) = (*m.src_f32(i, 0, &mut a), *m.src(i, 1, &mut b), *m.src(i, 2, &mut c));
        let out = std::array::from_fn(|l| {
            let shift = 8 * (b[l] & 3);
            let byte = round_even(f32::from_bits(a[l])) as u8 as u32;
            c[l] & !(0xff << shift) | byte << shift
        });
        m.write(i, &out);
        Ok(())
    }),
    ("v_pack_b32_f16", |m, i| {
        let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Half));
        m.write(i, &std::array::from_fn(|l| a[l] | b[l] << 16));
        Ok(())
    }),
    ("v_clrexcp", |_, _| Ok(())),
    ("v_exp_legacy_f32", |m, i| fun(m, i, |x| (x as f64).exp2() as f32)),
    ("v_log_legacy_f32", |m, i| fun(m, i, |x| (x as f64).log2() as f32)),
];
