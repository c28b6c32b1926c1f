//! The scalar ALU (MI300 ISA §5 and §12.1–12.4, RDNA3 ISA §16.1–16.4).

use super::f32::minmax;
use super::machine::{Done, Exec, Machine};
use super::round::{Round, add_odd, from16, to16, to32};
use crate::isa::{Inst, operand};

fn un32(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32) -> u32) -> Done {
    let v = f(m.scalar(i.src[0], i.literal));
    m.set32(i.dst, v);
    Ok(())
}

/// A move of registers that were never written writes none.
fn still_unwritten(m: &mut Machine<'_>, i: &Inst, words: u16) {
    for k in (0..words).filter(|_| i.src[0] < 106) {
        if m.wave.scalar_written >> (i.src[0] + k) & 1 == 0 {
            m.wave.scalar_written &= !(1 << (i.dst + k));
        }
    }
}

fn un64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u64) -> u64) -> Done {
    let v = f(m.scalar64(i.src[0], i.literal));
    m.set64(i.dst, v);
    Ok(())
}

/// SCC says whether the result is not zero.
fn logic32(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32) -> u32) -> Done {
    let b = if i.src[1] == operand::NONE { 0 } else { m.scalar(i.src[1], i.literal) };
    let v = f(m.scalar(i.src[0], i.literal), b);
    m.set32(i.dst, v);
    m.wave.scc = v != 0;
    Ok(())
}

fn logic64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u64, u64) -> u64) -> Done {
    let b = if i.src[1] == operand::NONE { 0 } else { m.scalar64(i.src[1], i.literal) };
    let v = f(m.scalar64(i.src[0], i.literal), b);
    m.set64(i.dst, v);
    m.wave.scc = v != 0;
    Ok(())
}

fn shift64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u64, u32) -> u64) -> Done {
    let v = f(m.scalar64(i.src[0], i.literal), m.scalar(i.src[1], i.literal) & 63);
    m.set64(i.dst, v);
    m.wave.scc = v != 0;
    Ok(())
}

/// From 64 bits to 32; `scc` also says whether the result is not zero.
fn count64(m: &mut Machine<'_>, i: &Inst, scc: bool, f: impl Fn(u64) -> u32) -> Done {
    let v = f(m.scalar64(i.src[0], i.literal));
    m.set32(i.dst, v);
    if scc {
        m.wave.scc = v != 0;
    }
    Ok(())
}

/// A result and SCC.
fn bin32(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32, bool) -> (u32, Option<bool>)) -> Done {
    let (v, scc) = f(m.scalar(i.src[0], i.literal), m.scalar(i.src[1], i.literal), m.wave.scc);
    m.set32(i.dst, v);
    if let Some(s) = scc {
        m.wave.scc = s;
    }
    Ok(())
}

fn compare(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32) -> bool) -> Done {
    m.wave.scc = f(m.scalar(i.src[0], i.literal), m.scalar(i.src[1], i.literal));
    Ok(())
}

fn compare64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u64, u64) -> bool) -> Done {
    m.wave.scc = f(m.scalar64(i.src[0], i.literal), m.scalar64(i.src[1], i.literal));
    Ok(())
}

fn compare_k(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, i32) -> bool) -> Done {
    m.wave.scc = f(m.scalar(i.dst, 0), i.imm);
    Ok(())
}

/// `op` of a mask and EXEC; EXEC and SCC get the result, the destination EXEC's old value or the result.
fn saveexec(m: &mut Machine<'_>, i: &Inst, keep_old: bool, f: impl Fn(u64, u64) -> u64) -> Done {
    let wide = i.mnemonic().ends_with("64");
    let (s, old) = if wide {
        (m.scalar64(i.src[0], i.literal), m.wave.pair(operand::EXEC))
    } else {
        (m.scalar(i.src[0], i.literal) as u64, m.wave.sgpr[126] as u64)
    };
    let v = f(s, old);
    let out = if keep_old { old } else { v };
    if wide {
        m.set64(i.dst, out);
        m.set64(operand::EXEC, v);
        m.wave.scc = v != 0;
    } else {
        m.set32(i.dst, out as u32);
        m.set32(operand::EXEC, v as u32);
        m.wave.scc = v as u32 != 0;
    }
    Ok(())
}

fn carry(a: u32, b: u32, c: bool) -> (u32, Option<bool>) {
    let s = a as u64 + b as u64 + c as u64;
    (s as u32, Some(s >> 32 != 0))
}

fn borrow(a: u32, b: u32, c: bool) -> (u32, Option<bool>) {
    let s = (a as i64) - b as i64 - c as i64;
    (s as u32, Some(s < 0))
}

fn lshl_add(m: &mut Machine<'_>, i: &Inst, n: u32) -> Done {
    bin32(m, i, |a, b, _| {
        let s = ((a as u64) << n) + b as u64;
        (s as u32, Some(s >> 32 != 0))
    })
}

fn bfe(offset: u32, width: u32, bits: u32, a: u64, signed: bool) -> u64 {
    let w = width.min(bits);
    if w == 0 {
        return 0;
    }
    let x = a >> offset;
    let top = 64 - w;
    if signed {
        // Sign of the field, in the type's own width.
        let x = if bits == 32 {
            (a as u32 as i32 as i64 >> offset) as u64
        } else {
            (a as i64 >> offset) as u64
        };
        ((x << top) as i64 >> top) as u64
    } else {
        x << top >> top
    }
}

fn bfe32(m: &mut Machine<'_>, i: &Inst, signed: bool) -> Done {
    logic32(m, i, |a, b| bfe(b & 31, b >> 16 & 127, 32, a as u64, signed) as u32)
}

fn bfe64(m: &mut Machine<'_>, i: &Inst, signed: bool) -> Done {
    let b = m.scalar(i.src[1], i.literal);
    let v = bfe(b & 63, b >> 16 & 127, 64, m.scalar64(i.src[0], i.literal), signed);
    m.set64(i.dst, v);
    m.wave.scc = v != 0;
    Ok(())
}

fn pack(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32) -> u32) -> Done {
    bin32(m, i, |a, b, _| (f(a, b), None))
}

fn float(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f64, f64) -> f64) -> Done {
    let r = Round::single(m.wave.mode);
    pack(m, i, |a, b| to32(f(f32::from_bits(a) as f64, f32::from_bits(b) as f64), r))
}

fn half(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f64, f64) -> f64) -> Done {
    let r = Round::half_double(m.wave.mode);
    pack(m, i, |a, b| to16(f(from16(a & 0xffff), from16(b & 0xffff)), r))
}

fn fma(
    m: &mut Machine<'_>,
    i: &Inst,
    pick: impl Fn(f64, f64, f64, f64) -> (f64, f64, f64),
) -> Done {
    let v = |x: u32| f32::from_bits(x) as f64;
    let (a, b) = (m.scalar(i.src[0], i.literal), m.scalar(i.src[1], i.literal));
    let (x, y, z) = pick(v(a), v(b), v(m.scalar(i.dst, 0)), v(i.literal));
    let out = to32(add_odd(x * y, z), Round::single(m.wave.mode));
    m.set32(i.dst, out);
    Ok(())
}

fn float_cmp(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f32, f32) -> bool) -> Done {
    compare(m, i, |a, b| f(f32::from_bits(a), f32::from_bits(b)))
}

fn clz<const BITS: u32>(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() - (64 - BITS) }
}

fn ctz(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.trailing_zeros() }
}

fn wqm(x: u64) -> u64 {
    let q = (x | x >> 1 | x >> 2 | x >> 3) & 0x1111_1111_1111_1111;
    q * 15
}

fn quadmask(x: u64) -> u64 {
    (0..16).fold(0, |o, k| o | u64::from(x >> (4 * k) & 15 != 0) << k)
}

/// The name of the register that `s_getreg` and `s_setreg` name in SIMM16.
fn hwreg(m: &Machine<'_>, i: &Inst) -> (u32, u32, u32) {
    let _ = m;
    let imm = i.imm as u32 & 0xffff;
    (imm & 63, imm >> 6 & 31, (imm >> 11 & 31) + 1)
}

fn field(size: u32) -> u32 {
    (u64::MAX >> (64 - size)) as u32
}

fn getreg(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (id, offset, size) = hwreg(m, i);
    let v = match id {
        1 => m.wave.mode,
        // HW_ID and the like are the same on every launch.
        2..=6 | 20..=30 => 0,
        _ => return Err(m.unsupported(i, "this hardware register")),
    };
    m.set32(i.dst, v >> offset & field(size));
    Ok(())
}

fn setreg(m: &mut Machine<'_>, i: &Inst, v: u32) -> Done {
    let (id, offset, size) = hwreg(m, i);
    if id != 1 {
        return Err(m.unsupported(i, "this hardware register"));
    }
    let f = field(size) << offset;
    m.wave.mode = m.wave.mode & !f | v << offset & f;
    Ok(())
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("s_mov_b32", |m, i| {
        un32(m, i, |a| a)?;
        still_unwritten(m, i, 1);
        Ok(())
    }),
    ("s_mov_b64", |m, i| {
        un64(m, i, |a| a)?;
        still_unwritten(m, i, 2);
        Ok(())
    }),
    ("s_cmov_b32", |m, i| if m.wave.scc { un32(m, i, |a| a) } else { Ok(()) }),
    ("s_cmov_b64", |m, i| if m.wave.scc { un64(m, i, |a| a) } else { Ok(()) }),
    ("s_not_b32", |m, i| logic32(m, i, |a, _| !a)),
    ("s_not_b64", |m, i| logic64(m, i, |a, _| !a)),
    ("s_wqm_b32", |m, i| logic32(m, i, |a, _| wqm(a as u64) as u32)),
    ("s_wqm_b64", |m, i| logic64(m, i, |a, _| wqm(a))),
    ("s_quadmask_b32", |m, i| logic32(m, i, |a, _| quadmask(a as u64) as u32)),
    ("s_quadmask_b64", |m, i| logic64(m, i, |a, _| quadmask(a))),
    ("s_brev_b32", |m, i| un32(m, i, u32::reverse_bits)),
    ("s_brev_b64", |m, i| un64(m, i, u64::reverse_bits)),
    ("s_bcnt0_i32_b32", |m, i| logic32(m, i, |a, _| a.count_zeros())),
    ("s_bcnt0_i32_b64", |m, i| count64(m, i, true, u64::count_zeros)),
    ("s_bcnt1_i32_b32", |m, i| logic32(m, i, |a, _| a.count_ones())),
    ("s_bcnt1_i32_b64", |m, i| count64(m, i, true, u64::count_ones)),
    ("s_ff0_i32_b32", |m, i| un32(m, i, |a| ctz(!a as u64))),
    ("s_ff0_i32_b64", |m, i| count64(m, i, false, |a| ctz(!a))),
    ("s_ff1_i32_b32", |m, i| un32(m, i, |a| ctz(a as u64))),
    ("s_ff1_i32_b64", |m, i| count64(m, i, false, ctz)),
    ("s_flbit_i32_b32", |m, i| un32(m, i, |a| clz::<32>(a as u64))),
    ("s_flbit_i32_b64", |m, i| count64(m, i, false, clz::<64>)),
    ("s_flbit_i32", |m, i| un32(m, i, |a| clz::<32>((a ^ (a as i32 >> 31) as u32) as u64))),
    ("s_flbit_i32_i64", |m, i| count64(m, i, false, |a| clz::<64>(a ^ (a as i64 >> 63) as u64))),
    ("s_sext_i32_i8", |m, i| un32(m, i, |a| a as i8 as u32)),
    ("s_sext_i32_i16", |m, i| un32(m, i, |a| a as i16 as u32)),
    ("s_bitset0_b32", |m, i| {
        let d = m.scalar(i.dst, 0);
        un32(m, i, |a| d & !(1 << (a & 31)))
    }),
    ("s_bitset1_b32", |m, i| {
        let d = m.scalar(i.dst, 0);
        un32(m, i, |a| d | 1 << (a & 31))
    }),
    ("s_bitset0_b64", |m, i| {
        let v = m.scalar64(i.dst, 0) & !(1 << (m.scalar(i.src[0], i.literal) & 63));
        m.set64(i.dst, v);
        Ok(())
    }),
    ("s_bitset1_b64", |m, i| {
        let v = m.scalar64(i.dst, 0) | 1 << (m.scalar(i.src[0], i.literal) & 63);
        m.set64(i.dst, v);
        Ok(())
    }),
    ("s_bitreplicate_b64_b32", |m, i| {
        let a = m.scalar(i.src[0], i.literal);
        let v = (0..32).fold(0u64, |o, k| o | ((a as u64 >> k & 1) * 3) << (2 * k));
        m.set64(i.dst, v);
        Ok(())
    }),
    ("s_abs_i32", |m, i| logic32(m, i, |a, _| (a as i32).unsigned_abs())),
    ("s_and_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s & e)),
    ("s_or_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s | e)),
    ("s_xor_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s ^ e)),
    ("s_andn2_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s & !e)),
    ("s_orn2_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s | !e)),
    ("s_nand_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !(s & e))),
    ("s_nor_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !(s | e))),
    ("s_xnor_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !(s ^ e))),
    ("s_andn1_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !s & e)),
    ("s_orn1_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !s | e)),
    ("s_andn1_wrexec_b64", |m, i| saveexec(m, i, false, |s, e| !s & e)),
    ("s_andn2_wrexec_b64", |m, i| saveexec(m, i, false, |s, e| s & !e)),
    ("s_and_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| s & e)),
    ("s_or_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| s | e)),
    ("s_xor_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| s ^ e)),
    ("s_nand_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| !(s & e))),
    ("s_nor_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| !(s | e))),
    ("s_xnor_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| !(s ^ e))),
    ("s_and_not0_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| !s & e)),
    ("s_and_not0_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !s & e)),
    ("s_or_not0_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| !s | e)),
    ("s_or_not0_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| !s | e)),
    ("s_and_not1_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| s & !e)),
    ("s_and_not1_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s & !e)),
    ("s_or_not1_saveexec_b32", |m, i| saveexec(m, i, true, |s, e| s | !e)),
    ("s_or_not1_saveexec_b64", |m, i| saveexec(m, i, true, |s, e| s | !e)),
    ("s_and_not0_wrexec_b32", |m, i| saveexec(m, i, false, |s, e| !s & e)),
    ("s_and_not0_wrexec_b64", |m, i| saveexec(m, i, false, |s, e| !s & e)),
    ("s_and_not1_wrexec_b32", |m, i| saveexec(m, i, false, |s, e| s & !e)),
    ("s_and_not1_wrexec_b64", |m, i| saveexec(m, i, false, |s, e| s & !e)),
    ("s_add_u32", |m, i| bin32(m, i, |a, b, _| carry(a, b, false))),
    ("s_addc_u32", |m, i| bin32(m, i, carry)),
    ("s_sub_u32", |m, i| bin32(m, i, |a, b, _| borrow(a, b, false))),
    ("s_subb_u32", |m, i| bin32(m, i, borrow)),
    ("s_add_i32", |m, i| {
        bin32(m, i, |a, b, _| (a.wrapping_add(b), Some((a as i32).checked_add(b as i32).is_none())))
    }),
    ("s_sub_i32", |m, i| {
        bin32(m, i, |a, b, _| (a.wrapping_sub(b), Some((a as i32).checked_sub(b as i32).is_none())))
    }),
    ("s_min_i32", |m, i| {
        bin32(m, i, |a, b, _| ((a as i32).min(b as i32) as u32, Some((a as i32) < b as i32)))
    }),
    ("s_max_i32", |m, i| {
        bin32(m, i, |a, b, _| ((a as i32).max(b as i32) as u32, Some((a as i32) >= b as i32)))
    }),
    ("s_min_u32", |m, i| bin32(m, i, |a, b, _| (a.min(b), Some(a < b)))),
    ("s_max_u32", |m, i| bin32(m, i, |a, b, _| (a.max(b), Some(a >= b)))),
    ("s_cselect_b32", |m, i| bin32(m, i, |a, b, s| (if s { a } else { b }, None))),
    ("s_cselect_b64", |m, i| {
        let k = if m.wave.scc { 0 } else { 1 };
        let v = m.scalar64(i.src[k], i.literal);
        m.set64(i.dst, v);
        Ok(())
    }),
    ("s_and_b32", |m, i| logic32(m, i, |a, b| a & b)),
    ("s_and_b64", |m, i| logic64(m, i, |a, b| a & b)),
    ("s_or_b32", |m, i| logic32(m, i, |a, b| a | b)),
    ("s_or_b64", |m, i| logic64(m, i, |a, b| a | b)),
    ("s_xor_b32", |m, i| logic32(m, i, |a, b| a ^ b)),
    ("s_xor_b64", |m, i| logic64(m, i, |a, b| a ^ b)),
    ("s_andn2_b32", |m, i| logic32(m, i, |a, b| a & !b)),
    ("s_andn2_b64", |m, i| logic64(m, i, |a, b| a & !b)),
    ("s_orn2_b32", |m, i| logic32(m, i, |a, b| a | !b)),
    ("s_orn2_b64", |m, i| logic64(m, i, |a, b| a | !b)),
    ("s_nand_b32", |m, i| logic32(m, i, |a, b| !(a & b))),
    ("s_nand_b64", |m, i| logic64(m, i, |a, b| !(a & b))),
    ("s_nor_b32", |m, i| logic32(m, i, |a, b| !(a | b))),
    ("s_nor_b64", |m, i| logic64(m, i, |a, b| !(a | b))),
    ("s_xnor_b32", |m, i| logic32(m, i, |a, b| !(a ^ b))),
    ("s_xnor_b64", |m, i| logic64(m, i, |a, b| !(a ^ b))),
    ("s_lshl_b32", |m, i| logic32(m, i, |a, b| a << (b & 31))),
    ("s_lshr_b32", |m, i| logic32(m, i, |a, b| a >> (b & 31))),
    ("s_ashr_i32", |m, i| logic32(m, i, |a, b| (a as i32 >> (b & 31)) as u32)),
    ("s_lshl_b64", |m, i| shift64(m, i, |a, b| a << b)),
    ("s_lshr_b64", |m, i| shift64(m, i, |a, b| a >> b)),
    ("s_ashr_i64", |m, i| shift64(m, i, |a, b| (a as i64 >> b) as u64)),
    ("s_bfm_b32", |m, i| pack(m, i, |a, b| ((1u32 << (a & 31)) - 1) << (b & 31))),
    ("s_bfm_b64", |m, i| {
        let (a, b) = (m.scalar(i.src[0], i.literal) & 63, m.scalar(i.src[1], i.literal) & 63);
        m.set64(i.dst, ((1u64 << a) - 1) << b);
        Ok(())
    }),
    ("s_mul_i32", |m, i| pack(m, i, u32::wrapping_mul)),
    ("s_mul_hi_u32", |m, i| pack(m, i, |a, b| ((a as u64 * b as u64) >> 32) as u32)),
    ("s_mul_hi_i32", |m, i| pack(m, i, |a, b| ((a as i32 as i64 * b as i32 as i64) >> 32) as u32)),
    ("s_bfe_u32", |m, i| bfe32(m, i, false)),
    ("s_bfe_i32", |m, i| bfe32(m, i, true)),
    ("s_bfe_u64", |m, i| bfe64(m, i, false)),
    ("s_bfe_i64", |m, i| bfe64(m, i, true)),
    ("s_absdiff_i32", |m, i| {
        logic32(m, i, |a, b| (a as i32).wrapping_sub(b as i32).unsigned_abs())
    }),
    ("s_lshl1_add_u32", |m, i| lshl_add(m, i, 1)),
    ("s_lshl2_add_u32", |m, i| lshl_add(m, i, 2)),
    ("s_lshl3_add_u32", |m, i| lshl_add(m, i, 3)),
    ("s_lshl4_add_u32", |m, i| lshl_add(m, i, 4)),
    ("s_pack_ll_b32_b16", |m, i| pack(m, i, |a, b| a & 0xffff | b << 16)),
    ("s_pack_lh_b32_b16", |m, i| pack(m, i, |a, b| a & 0xffff | b & 0xffff_0000)),
    ("s_pack_hh_b32_b16", |m, i| pack(m, i, |a, b| a >> 16 | b & 0xffff_0000)),
    ("s_pack_hl_b32_b16", |m, i| pack(m, i, |a, b| a >> 16 | b << 16)),
    ("s_add_nc_u64", |m, i| wide(m, i, u64::wrapping_add)),
    ("s_sub_nc_u64", |m, i| wide(m, i, u64::wrapping_sub)),
    ("s_mul_u64", |m, i| wide(m, i, u64::wrapping_mul)),
    ("s_cmp_eq_i32", |m, i| compare(m, i, |a, b| a == b)),
    ("s_cmp_lg_i32", |m, i| compare(m, i, |a, b| a != b)),
    ("s_cmp_gt_i32", |m, i| compare(m, i, |a, b| a as i32 > b as i32)),
    ("s_cmp_ge_i32", |m, i| compare(m, i, |a, b| a as i32 >= b as i32)),
    ("s_cmp_lt_i32", |m, i| compare(m, i, |a, b| (a as i32) < b as i32)),
    ("s_cmp_le_i32", |m, i| compare(m, i, |a, b| a as i32 <= b as i32)),
    ("s_cmp_eq_u32", |m, i| compare(m, i, |a, b| a == b)),
    ("s_cmp_lg_u32", |m, i| compare(m, i, |a, b| a != b)),
    ("s_cmp_gt_u32", |m, i| compare(m, i, |a, b| a > b)),
    ("s_cmp_ge_u32", |m, i| compare(m, i, |a, b| a >= b)),
    ("s_cmp_lt_u32", |m, i| compare(m, i, |a, b| a < b)),
    ("s_cmp_le_u32", |m, i| compare(m, i, |a, b| a <= b)),
    ("s_cmp_eq_u64", |m, i| compare64(m, i, |a, b| a == b)),
    ("s_cmp_lg_u64", |m, i| compare64(m, i, |a, b| a != b)),
    ("s_bitcmp0_b32", |m, i| compare(m, i, |a, b| a >> (b & 31) & 1 == 0)),
    ("s_bitcmp1_b32", |m, i| compare(m, i, |a, b| a >> (b & 31) & 1 == 1)),
    ("s_bitcmp0_b64", |m, i| bitcmp64(m, i, 0)),
    ("s_bitcmp1_b64", |m, i| bitcmp64(m, i, 1)),
    ("s_movk_i32", |m, i| {
        m.set32(i.dst, i.imm as u32);
        Ok(())
    }),
    ("s_cmovk_i32", |m, i| {
        if m.wave.scc {
            m.set32(i.dst, i.imm as u32);
        }
        Ok(())
    }),
    ("s_cmpk_eq_i32", |m, i| compare_k(m, i, |a, k| a as i32 == k)),
    ("s_cmpk_lg_i32", |m, i| compare_k(m, i, |a, k| a as i32 != k)),
    ("s_cmpk_gt_i32", |m, i| compare_k(m, i, |a, k| a as i32 > k)),
    ("s_cmpk_ge_i32", |m, i| compare_k(m, i, |a, k| a as i32 >= k)),
    ("s_cmpk_lt_i32", |m, i| compare_k(m, i, |a, k| (a as i32) < k)),
    ("s_cmpk_le_i32", |m, i| compare_k(m, i, |a, k| a as i32 <= k)),
    ("s_cmpk_eq_u32", |m, i| compare_k(m, i, |a, k| a == k as u32 & 0xffff)),
    ("s_cmpk_lg_u32", |m, i| compare_k(m, i, |a, k| a != k as u32 & 0xffff)),
    ("s_cmpk_gt_u32", |m, i| compare_k(m, i, |a, k| a > k as u32 & 0xffff)),
    ("s_cmpk_ge_u32", |m, i| compare_k(m, i, |a, k| a >= k as u32 & 0xffff)),
    ("s_cmpk_lt_u32", |m, i| compare_k(m, i, |a, k| a < k as u32 & 0xffff)),
    ("s_cmpk_le_u32", |m, i| compare_k(m, i, |a, k| a <= k as u32 & 0xffff)),
    ("s_addk_i32", |m, i| {
        let a = m.scalar(i.dst, 0);
        m.set32(i.dst, a.wrapping_add(i.imm as u32));
        m.wave.scc = (a as i32).checked_add(i.imm).is_none();
        Ok(())
    }),
    ("s_mulk_i32", |m, i| {
        let a = m.scalar(i.dst, 0);
        m.set32(i.dst, a.wrapping_mul(i.imm as u32));
        Ok(())
    }),
    ("s_getreg_b32", getreg),
    ("s_setreg_b32", |m, i| {
        let v = m.scalar(i.dst, 0);
        setreg(m, i, v)
    }),
    ("s_setreg_imm32_b32", |m, i| setreg(m, i, i.literal)),
    ("s_add_f32", |m, i| float(m, i, add_odd)),
    ("s_sub_f32", |m, i| float(m, i, |a, b| add_odd(a, -b))),
    ("s_mul_f32", |m, i| float(m, i, |a, b| a * b)),
    ("s_min_f32", |m, i| pack(m, i, |a, b| minmax(a, b, false, true))),
    ("s_max_f32", |m, i| pack(m, i, |a, b| minmax(a, b, true, true))),
    ("s_min_num_f32", |m, i| pack(m, i, |a, b| minmax(a, b, false, true))),
    ("s_max_num_f32", |m, i| pack(m, i, |a, b| minmax(a, b, true, true))),
    ("s_fmac_f32", |m, i| fma(m, i, |a, b, d, _| (a, b, d))),
    ("s_fmaak_f32", |m, i| fma(m, i, |a, b, _, k| (a, b, k))),
    ("s_fmamk_f32", |m, i| fma(m, i, |a, b, _, k| (a, k, b))),
    ("s_add_f16", |m, i| half(m, i, |a, b| a + b)),
    ("s_sub_f16", |m, i| half(m, i, |a, b| a - b)),
    ("s_mul_f16", |m, i| half(m, i, |a, b| a * b)),
    ("s_cvt_f32_i32", |m, i| un32(m, i, |a| (a as i32 as f32).to_bits())),
    ("s_cvt_f32_u32", |m, i| un32(m, i, |a| (a as f32).to_bits())),
    ("s_cvt_i32_f32", |m, i| un32(m, i, |a| f32::from_bits(a) as i32 as u32)),
    ("s_cvt_u32_f32", |m, i| un32(m, i, |a| f32::from_bits(a) as u32)),
    ("s_cvt_f32_f16", |m, i| un32(m, i, |a| (from16(a & 0xffff) as f32).to_bits())),
    ("s_cvt_hi_f32_f16", |m, i| un32(m, i, |a| (from16(a >> 16) as f32).to_bits())),
    ("s_cvt_f16_f32", |m, i| {
        let r = Round::half_double(m.wave.mode);
        un32(m, i, |a| to16(f32::from_bits(a) as f64, r))
    }),
    ("s_ceil_f32", |m, i| un32(m, i, |a| f32::from_bits(a).ceil().to_bits())),
    ("s_floor_f32", |m, i| un32(m, i, |a| f32::from_bits(a).floor().to_bits())),
    ("s_trunc_f32", |m, i| un32(m, i, |a| f32::from_bits(a).trunc().to_bits())),
    ("s_rndne_f32", |m, i| un32(m, i, |a| f32::from_bits(a).round_ties_even().to_bits())),
    ("s_cmp_lt_f32", |m, i| float_cmp(m, i, |a, b| a < b)),
    ("s_cmp_eq_f32", |m, i| float_cmp(m, i, |a, b| a == b)),
    ("s_cmp_le_f32", |m, i| float_cmp(m, i, |a, b| a <= b)),
    ("s_cmp_gt_f32", |m, i| float_cmp(m, i, |a, b| a > b)),
    ("s_cmp_lg_f32", |m, i| float_cmp(m, i, |a, b| a != b && !a.is_nan() && !b.is_nan())),
    ("s_cmp_ge_f32", |m, i| float_cmp(m, i, |a, b| a >= b)),
    ("s_cmp_o_f32", |m, i| float_cmp(m, i, |a, b| !a.is_nan() && !b.is_nan())),
    ("s_cmp_u_f32", |m, i| float_cmp(m, i, |a, b| a.is_nan() || b.is_nan())),
    ("s_cmp_neq_f32", |m, i| float_cmp(m, i, |a, b| a != b)),
    ("s_cmp_nlt_f32", |m, i| {
        compare(m, i, |a, b| {
            f32::from_bits(a).partial_cmp(&f32::from_bits(b)) != Some(std::cmp::Ordering::Less)
        })
    }),
    ("s_cmp_ngt_f32", |m, i| {
        compare(m, i, |a, b| {
            f32::from_bits(a).partial_cmp(&f32::from_bits(b)) != Some(std::cmp::Ordering::Greater)
        })
    }),
];

fn wide(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u64, u64) -> u64) -> Done {
    let v = f(m.scalar64(i.src[0], i.literal), m.scalar64(i.src[1], i.literal));
    m.set64(i.dst, v);
    Ok(())
}

fn bitcmp64(m: &mut Machine<'_>, i: &Inst, bit: u64) -> Done {
    m.wave.scc = m.scalar64(i.src[0], i.literal) >> (m.scalar(i.src[1], i.literal) & 63) & 1 == bit;
    Ok(())
}
