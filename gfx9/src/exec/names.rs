//! From mnemonics to what they do: RDNA's names are mapped to CDNA's.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::machine::Exec;
use crate::Arch;
use crate::isa::Family;

/// What the opcode does, if the interpreter runs it.
pub(crate) fn lookup(arch: Arch, family: Family, base: &'static str) -> Option<Exec> {
    static OPS: OnceLock<HashMap<&'static str, Exec>> = OnceLock::new();
    let ops = OPS.get_or_init(|| {
        let all = [
            super::integer::OPS,
            super::f32::OPS,
            super::f16::OPS,
            super::f64::OPS,
            super::convert::OPS,
            super::packed::OPS,
            super::cross::OPS,
            super::scalar::OPS,
            super::flow::OPS,
        ];
        all.into_iter().flatten().copied().collect()
    });
    match family {
        Family::Ds => super::lds::lookup(arch, &memory_name(base)),
        Family::Flat | Family::Global | Family::Scratch | Family::Mubuf => {
            super::vmem::lookup(&memory_name(base))
        }
        Family::Smem => super::smem::lookup(&memory_name(base)),
        Family::Vopc => super::compare::lookup(base),
        Family::Vop3 if base.starts_with("v_cmp") => super::compare::lookup(base),
        _ => ops.get(canonical(arch, base).as_ref()).copied(),
    }
}

/// CDNA's name of an ALU operation.
fn canonical(arch: Arch, base: &'static str) -> Cow<'static, str> {
    let name = match base.strip_prefix("v_dual_") {
        Some(rest) => Cow::Owned(format!("v_{rest}")),
        None => Cow::Borrowed(base),
    };
    const ALIASES: &[(&str, &str)] = &[
        ("v_add_nc_u32", "v_add_u32"),
        ("v_sub_nc_u32", "v_sub_u32"),
        ("v_subrev_nc_u32", "v_subrev_u32"),
        ("v_add_nc_i32", "v_add_i32"),
        ("v_sub_nc_i32", "v_sub_i32"),
        ("v_add_nc_u16", "v_add_u16"),
        ("v_sub_nc_u16", "v_sub_u16"),
        ("v_add_nc_i16", "v_add_i16"),
        ("v_sub_nc_i16", "v_sub_i16"),
        ("v_add_co_ci_u32", "v_addc_co_u32"),
        ("v_sub_co_ci_u32", "v_subb_co_u32"),
        ("v_subrev_co_ci_u32", "v_subbrev_co_u32"),
        ("v_mad_co_u64_u32", "v_mad_u64_u32"),
        ("v_mad_co_i64_i32", "v_mad_i64_i32"),
        ("v_clz_i32_u32", "v_ffbh_u32"),
        ("v_ctz_i32_b32", "v_ffbl_b32"),
        ("v_cls_i32", "v_ffbh_i32"),
        ("v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"),
        ("v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"),
        ("v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"),
        ("v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32"),
        ("v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32"),
        ("v_cvt_pk_norm_i16_f16", "v_cvt_pknorm_i16_f16"),
        ("v_cvt_pk_norm_u16_f16", "v_cvt_pknorm_u16_f16"),
        ("v_mul_dx9_zero_f32", "v_mul_legacy_f32"),
        ("v_dot2acc_f32_f16", "v_dot2c_f32_f16"),
        ("s_and_not1_b32", "s_andn2_b32"),
        ("s_and_not1_b64", "s_andn2_b64"),
        ("s_or_not1_b32", "s_orn2_b32"),
        ("s_or_not1_b64", "s_orn2_b64"),
        ("s_add_co_u32", "s_add_u32"),
        ("s_sub_co_u32", "s_sub_u32"),
        ("s_add_co_i32", "s_add_i32"),
        ("s_sub_co_i32", "s_sub_i32"),
        ("s_add_co_ci_u32", "s_addc_u32"),
        ("s_sub_co_ci_u32", "s_subb_u32"),
        ("s_addk_co_i32", "s_addk_i32"),
        ("s_ctz_i32_b32", "s_ff1_i32_b32"),
        ("s_ctz_i32_b64", "s_ff1_i32_b64"),
        ("s_clz_i32_u32", "s_flbit_i32_b32"),
        ("s_clz_i32_u64", "s_flbit_i32_b64"),
        ("s_cls_i32", "s_flbit_i32"),
        ("s_cls_i32_i64", "s_flbit_i32_i64"),
    ];
    if let Some((_, to)) = ALIASES.iter().find(|(from, _)| *from == name) {
        return Cow::Borrowed(to);
    }
    // RDNA4 renames minimumNumber and maximumNumber to *_num_* (RDNA4 ISA §16).
    if arch.generation() == 12 && name.contains("_num_") {
        return Cow::Owned(name.replace("_num_", "_"));
    }
    name
}

/// CDNA's word for a memory operation: `_b32` and its like become `_dword`, `load` in LDS becomes `read`.
fn memory_name(base: &'static str) -> String {
    let tail = |n: String| -> String {
        const SIZES: &[(&str, &str)] = &[
            ("_b512", "_dwordx16"),
            ("_b256", "_dwordx8"),
            ("_b128", "_dwordx4"),
            ("_b96", "_dwordx3"),
            ("_b64", "_dwordx2"),
            ("_b32", "_dword"),
            ("_u8", "_ubyte"),
            ("_i8", "_sbyte"),
            ("_u16", "_ushort"),
            ("_i16", "_sshort"),
            ("_b16", "_short"),
            ("_b8", "_byte"),
        ];
        for (from, to) in SIZES {
            if let Some(head) = n.strip_suffix(from) {
                return format!("{head}{to}");
            }
        }
        n
    };
    if base.starts_with("ds_") {
        return base
            .replace("ds_load_2addr_stride64", "ds_read2st64")
            .replace("ds_store_2addr_stride64", "ds_write2st64")
            .replace("ds_load_2addr", "ds_read2")
            .replace("ds_store_2addr", "ds_write2")
            .replace("ds_storexchg", "ds_wrxchg")
            .replace("ds_load", "ds_read")
            .replace("ds_store", "ds_write")
            .replace("_num_", "_");
    }
    if base.contains("atomic") {
        return base.into();
    }
    if base.ends_with("_d16") || base.ends_with("_d16_hi") {
        return base.into();
    }
    // RDNA writes the size behind D16: `load_d16_hi_b16` is `load_short_d16_hi`.
    for d16 in ["_d16_hi", "_d16"] {
        if let Some(at) = base.find(&format!("{d16}_")) {
            let (head, size) = (&base[..at], &base[at + d16.len()..]);
            return format!("{}{d16}", tail(format!("{head}{size}")));
        }
    }
    tail(base.into())
}
