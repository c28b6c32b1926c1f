//! Disassembly, in LLVM's syntax.

use std::fmt::Write;

use super::inst::{Inst, LaneControl, SdwaSelect, operand};
use super::table::{Family, Slot, Spec, Width};
use crate::Arch;

impl Inst {
    /// The assembly text, as `llvm-objdump` prints it but for branch labels and named immediates.
    pub fn text(&self, arch: Arch, wave_size: u32) -> String {
        let mut out = line(self, arch, wave_size);
        if let Some(y) = &self.pair {
            out.push_str(" :: ");
            out.push_str(&line(y, arch, wave_size));
        }
        out
    }
}

fn name(i: &Inst, arch: Arch) -> String {
    let e = i.entry;
    let suffix = match (e.family, i.lanes) {
        (_, LaneControl::None) => return e.name.into(),
        (_, LaneControl::Sdwa { .. }) => "_sdwa",
        // LLVM leaves the suffix off RDNA's comparisons.
        (Family::Vopc, _) if arch.generation() > 9 => "",
        (Family::Vop3, _) => "_e64_dpp",
        _ => "_dpp",
    };
    format!("{}{suffix}", e.base)
}

fn line(i: &Inst, arch: Arch, wave_size: u32) -> String {
    let e = i.entry;
    let mut ops: Vec<String> = Vec::new();
    match e.family {
        Family::Sopp => return sopp(i, arch),
        Family::Sopk => {
            let imm = format!("{:#x}", i.imm as u32 & 0xffff);
            let reg = register(
                i.dst,
                if e.base == "s_call_b64" || e.base == "s_cbranch_i_fork" { 2 } else { 1 },
                arch,
            );
            return match e.base {
                "s_setreg_b32" => format!("{} {imm}, {reg}", e.name),
                "s_setreg_imm32_b32" => format!("{} {imm}, {:#x}", e.name, i.literal),
                _ => format!("{} {reg}, {imm}", e.name),
            };
        }
        _ => {}
    }
    let mask = (wave_size / 32) as u8;
    for (n, s) in e.spec.iter().enumerate() {
        match *s {
            Spec::Word("vcc") if e.family == Family::Vopc && n == 0 => {
                ops.push(register(i.sdst, mask, arch))
            }
            Spec::Word("vcc") if matches!(e.family, Family::Vopd | Family::VopdY) => {}
            Spec::Word("vcc") => ops.push(if mask == 2 { "vcc".into() } else { "vcc_lo".into() }),
            Spec::Word("0x0")
                if matches!(
                    e.family,
                    Family::Sop2 | Family::Vop2 | Family::Vopd | Family::VopdY
                ) =>
            {
                ops.push(format!("{:#x}", i.literal))
            }
            Spec::Word(w) if w == "off" || w == "0x10" || e.family == Family::Mubuf => {}
            Spec::Word(w) => ops.push(w.into()),
            Spec::Field { slot, width, .. } => {
                let words = match width {
                    Width::Words(n) => n,
                    Width::Half => 1,
                    Width::Mask => mask,
                };
                match slot {
                    Slot::D
                        if i.dst == operand::NONE
                            && i.sdst != operand::NONE
                            && e.base.starts_with("v_cmp") =>
                    {
                        ops.push(register(i.sdst, mask, arch))
                    }
                    Slot::D if i.dst == operand::NONE => {}
                    Slot::D => ops.push(half(i, register(i.dst, words, arch), width, 3)),
                    Slot::S => ops.push(register(i.sdst, mask, arch)),
                    Slot::R => ops.push(register(i.sdst, 4, arch)),
                    Slot::A if is_memory(e.family) => ops.push(address(i, words, arch)),
                    Slot::A => ops.push(source(i, 0, words, width, arch)),
                    Slot::B => ops.push(source(i, 1, words, width, arch)),
                    Slot::C => ops.push(source(i, 2, words, width, arch)),
                }
            }
        }
    }
    if matches!(e.family, Family::Global | Family::Scratch) && i.src[0] != operand::NONE {
        ops.push(if i.sdst == operand::NONE {
            "off".into()
        } else {
            register(i.sdst, if e.family == Family::Global { 2 } else { 1 }, arch)
        });
    }
    if e.family == Family::Mubuf && e.spec.len() > 1 {
        ops.push(source_code(i, i.imm2, 1, Width::Words(1), arch));
    }
    if e.family == Family::Smem && e.spec.len() > 1 {
        if i.imm2 != operand::NONE {
            ops.push(register(i.imm2, 1, arch));
        } else {
            ops.push(if i.imm == 0 && arch.generation() == 11 {
                "null".into()
            } else {
                signed_hex(i.imm)
            });
        }
    }
    let mut out = name(i, arch);
    if !ops.is_empty() {
        let _ = write!(out, " {}", ops.join(", "));
    }
    modifiers(i, arch, &mut out);
    out
}

/// Mixed precision has `neg` and `abs` in place of `neg_lo` and `neg_hi`.
fn is_mix(base: &str) -> bool {
    base.starts_with("v_fma_mix")
}

fn signed_hex(v: i32) -> String {
    if v < 0 { format!("-{:#x}", v.unsigned_abs()) } else { format!("{v:#x}") }
}

fn is_memory(f: Family) -> bool {
    matches!(f, Family::Ds | Family::Flat | Family::Global | Family::Scratch | Family::Mubuf)
}

fn address(i: &Inst, words: u8, arch: Arch) -> String {
    let r = i.src[0];
    match i.entry.family {
        Family::Global if i.sdst != operand::NONE => register(r, 1, arch),
        Family::Scratch if i.mode == 0 => "off".into(),
        Family::Mubuf if i.mode & 3 == 0 => "off".into(),
        Family::Mubuf if i.mode & 3 == 3 => register(r, 2, arch),
        _ => register(r, words, arch),
    }
}

fn half(i: &Inst, reg: String, width: Width, bit: u8) -> String {
    if width != Width::Half || !reg.starts_with('v') || reg.starts_with("vcc") {
        return reg;
    }
    format!("{reg}.{}", if i.op_sel >> bit & 1 == 1 { 'h' } else { 'l' })
}

fn source(i: &Inst, k: usize, words: u8, width: Width, arch: Arch) -> String {
    let text = half(i, source_code(i, i.src[k], words, width, arch), width, k as u8);
    if i.entry.family == Family::Vop3p && !is_mix(i.entry.base) {
        return text;
    }
    let (neg, abs) = (i.neg >> k & 1 == 1, i.abs >> k & 1 == 1);
    let sext = matches!(i.lanes, LaneControl::Sdwa { sext, .. } if k < 2 && sext[k]);
    let text = if abs { format!("|{text}|") } else { text };
    let text = if sext { format!("sext({text})") } else { text };
    if neg {
        // A minus in front of a number would be another number.
        return if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            format!("neg({text})")
        } else {
            format!("-{text}")
        };
    }
    text
}

fn source_code(i: &Inst, code: u16, words: u8, width: Width, arch: Arch) -> String {
    match code {
        128..=192 => (code - 128).to_string(),
        193..=208 => (192 - code as i32).to_string(),
        240..=247 => {
            ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"][code as usize - 240].into()
        }
        248 if words == 2 && i.entry.base.contains("64") => "0.15915494309189532".into(),
        248 if width == Width::Half => "0.15915494".into(),
        248 => "0.15915494".into(),
        operand::LITERAL => {
            let short = ["_f16", "_i16", "_u16", "_b16"].iter().any(|t| i.entry.base.ends_with(t))
                && (i.entry.base.starts_with("v_") || i.entry.base.starts_with("s_cmp"))
                && !i.entry.base.contains("pk_")
                && !i.entry.base.contains("dot2");
            format!("{:#x}", if short { i.literal & 0xffff } else { i.literal })
        }
        _ => register(code, words, arch),
    }
}

/// The name of `words` registers from `code` on.
pub(super) fn register(code: u16, words: u8, arch: Arch) -> String {
    let n = words as u16;
    let run = |p: &str, k: u16| {
        if n <= 1 { format!("{p}{k}") } else { format!("{p}[{k}:{}]", k + n - 1) }
    };
    let pair = |p: &str, k: u16| match (n, k) {
        (2, 0) => p.to_string(),
        (_, 0) => format!("{p}_lo"),
        _ => format!("{p}_hi"),
    };
    let v9 = arch.generation() == 9;
    match code {
        102 | 103 if v9 => pair("flat_scratch", code - 102),
        104 | 105 if v9 => pair("xnack_mask", code - 104),
        106 | 107 => pair("vcc", code - 106),
        0..=105 => run("s", code),
        108..=123 => run("ttmp", code - 108),
        124 | 125 if code == arch.m0() => "m0".into(),
        124 | 125 => "null".into(),
        126 | 127 => pair("exec", code - 126),
        230 => "src_flat_scratch_base_lo".into(),
        231 => "src_flat_scratch_base_hi".into(),
        239 => "src_pops_exiting_wave_id".into(),
        235 => "src_shared_base".into(),
        236 => "src_shared_limit".into(),
        237 => "src_private_base".into(),
        238 => "src_private_limit".into(),
        251 => "src_vccz".into(),
        252 => "src_execz".into(),
        253 => "src_scc".into(),
        256..=511 => run("v", code - 256),
        512..=767 => run("a", code - 512),
        _ => format!("src{code}"),
    }
}

fn list(bits: u8, n: usize) -> String {
    (0..n).map(|k| (bits >> k & 1).to_string()).collect::<Vec<_>>().join(",")
}

/// Whether the bits of a VOP3P instruction's modifiers mean something else: of the matrix
/// instructions they are CBSZ, ABID and BLGP (MI300 ISA, the encoding VOP3P-MAI).
fn has_other_fields(base: &str) -> bool {
    ["v_accvgpr", "v_mfma", "v_smfmac"].iter().any(|name| base.starts_with(name))
}

fn modifiers(i: &Inst, arch: Arch, out: &mut String) {
    let e = i.entry;
    let sources = i.src.iter().filter(|&&s| s != operand::NONE).count();
    match e.family {
        Family::Vop3p if !has_other_fields(e.base) => {
            let n = sources;
            let all = (1u8 << n) - 1;
            let mix = is_mix(e.base);
            if i.op_sel & all != 0 {
                let _ = write!(out, " op_sel:[{}]", list(i.op_sel, n));
            }
            let usual = if mix { 0 } else { all };
            if i.op_sel_hi & all != usual {
                let _ = write!(out, " op_sel_hi:[{}]", list(i.op_sel_hi, n));
            }
            if i.neg & all != 0 && !mix {
                let _ = write!(out, " neg_lo:[{}]", list(i.neg, n));
            }
            if i.abs & all != 0 && !mix {
                let _ = write!(out, " neg_hi:[{}]", list(i.abs, n));
            }
        }
        Family::Vop3 if i.op_sel != 0 => {
            // Of a permlane they are FI and BOUND_CTRL, two bits.
            let permlane = e.base.starts_with("v_permlane");
            let mut text = list(i.op_sel, if permlane { 2 } else { sources });
            if e.reads_dst && sources == 2 && !permlane {
                text.push_str(",0");
            }
            if !permlane && (i.dst != operand::NONE || i.sdst != operand::NONE) {
                let _ = write!(text, ",{}", i.op_sel >> 3 & 1);
            }
            let _ = write!(out, " op_sel:[{text}]");
        }
        _ => {}
    }
    if i.clamp {
        out.push_str(" clamp");
    }
    out.push_str(["", " mul:2", " mul:4", " div:2"][i.omod as usize & 3]);
    lanes(i, arch, out);
    memory(i, arch, out);
}

fn lanes(i: &Inst, arch: Arch, out: &mut String) {
    let part = |s| match s {
        SdwaSelect::Byte(n) => format!("BYTE_{n}"),
        SdwaSelect::Word(n) => format!("WORD_{n}"),
        SdwaSelect::Dword => "DWORD".to_string(),
    };
    match i.lanes {
        LaneControl::None => {}
        LaneControl::Dpp { ctrl, row_mask, bank_mask, bound_ctrl, fetch_inactive } => {
            let n = ctrl & 15;
            let text = match ctrl {
                0..=0xff => format!(
                    "quad_perm:[{},{},{},{}]",
                    ctrl & 3,
                    ctrl >> 2 & 3,
                    ctrl >> 4 & 3,
                    ctrl >> 6
                ),
                0x101..=0x10f => format!("row_shl:{n}"),
                0x111..=0x11f => format!("row_shr:{n}"),
                0x121..=0x12f => format!("row_ror:{n}"),
                0x130 => "wave_shl:1".into(),
                0x134 => "wave_rol:1".into(),
                0x138 => "wave_shr:1".into(),
                0x13c => "wave_ror:1".into(),
                0x140 => "row_mirror".into(),
                0x141 => "row_half_mirror".into(),
                0x142 => "row_bcast:15".into(),
                0x143 => "row_bcast:31".into(),
                0x150..=0x15f if arch.generation() == 9 => format!("row_newbcast:{n}"),
                0x150..=0x15f => format!("row_share:{n}"),
                0x160..=0x16f => format!("row_xmask:{n}"),
                _ => format!("dpp_ctrl:{ctrl:#x}"),
            };
            let _ = write!(out, " {text} row_mask:{row_mask:#x} bank_mask:{bank_mask:#x}");
            if bound_ctrl {
                out.push_str(" bound_ctrl:1");
            }
            if fetch_inactive {
                out.push_str(" fi:1");
            }
        }
        LaneControl::Dpp8 { select, fetch_inactive } => {
            let s =
                (0..8).map(|k| (select >> (3 * k) & 7).to_string()).collect::<Vec<_>>().join(",");
            let _ = write!(out, " dpp8:[{s}]");
            if fetch_inactive {
                out.push_str(" fi:1");
            }
        }
        LaneControl::Sdwa { dst, unused, src, .. } => {
            if i.dst != operand::NONE {
                let kept =
                    ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"][unused as usize & 3];
                let _ = write!(out, " dst_sel:{} dst_unused:{kept}", part(dst));
            }
            let _ = write!(out, " src0_sel:{}", part(src[0]));
            if i.src[1] != operand::NONE {
                let _ = write!(out, " src1_sel:{}", part(src[1]));
            }
        }
    }
}

fn memory(i: &Inst, arch: Arch, out: &mut String) {
    let e = i.entry;
    match e.family {
        Family::Ds => {
            if i.has_two_offsets() {
                for (n, v) in [(0, i.imm), (1, i.imm2 as i32)] {
                    if v != 0 {
                        let _ = write!(out, " offset{n}:{v}");
                    }
                }
            } else if i.imm != 0 {
                let _ = write!(out, " offset:{}", i.imm);
            }
            if i.mode & 4 != 0 {
                out.push_str(" gds");
            }
        }
        Family::Mubuf => {
            if i.mode & 2 != 0 {
                out.push_str(" idxen");
            }
            if i.mode & 1 != 0 {
                out.push_str(" offen");
            }
            if i.imm != 0 {
                let _ = write!(out, " offset:{}", i.imm);
            }
        }
        Family::Flat | Family::Global | Family::Scratch if i.imm != 0 => {
            let _ = write!(out, " offset:{}", i.imm);
        }
        Family::Smem
            if i.imm2 != operand::NONE && i.mode == 1 && (i.imm != 0 || arch.generation() == 9) =>
        {
            let _ = write!(out, " offset:{}", signed_hex(i.imm));
        }
        _ => {}
    }
    if e.family.is_vmem() || e.family == Family::Smem {
        policy(i, arch, out);
    }
}

fn policy(i: &Inst, arch: Arch, out: &mut String) {
    let names: &[&str] = match (arch, i.entry.family) {
        (Arch::Gfx1200, _) => {
            out.push_str(
                ["", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"]
                    [i.policy as usize & 3],
            );
            return;
        }
        (Arch::Gfx942, Family::Smem) | (Arch::Gfx90a, Family::Smem) => &["glc"],
        (Arch::Gfx1100, Family::Smem) => &["glc", "dlc"],
        (Arch::Gfx942, _) => &["sc0", "nt", "sc1"],
        (Arch::Gfx90a, _) => &["glc", "slc", "scc"],
        (Arch::Gfx1100, _) => &["glc", "slc", "dlc"],
    };
    for (n, name) in names.iter().enumerate() {
        if i.policy >> n & 1 == 1 {
            let _ = write!(out, " {name}");
        }
    }
}

fn sopp(i: &Inst, arch: Arch) -> String {
    let e = i.entry;
    let imm = i.imm as u32 & 0xffff;
    if e.base == "s_waitcnt" {
        let (vm, exp, lgkm) = waitcnt(imm, arch);
        let full = if arch.generation() == 9 { (63, 7, 15) } else { (63, 7, 63) };
        let mut out = String::from("s_waitcnt");
        for (name, v, max) in
            [("vmcnt", vm, full.0), ("expcnt", exp, full.1), ("lgkmcnt", lgkm, full.2)]
        {
            if v != max {
                let _ = write!(out, " {name}({v})");
            }
        }
        if out == "s_waitcnt" {
            let _ = write!(out, " vmcnt({vm}) expcnt({exp}) lgkmcnt({lgkm})");
        }
        return out;
    }
    match e.spec.first() {
        None => e.name.into(),
        Some(_) if e.base == "s_endpgm" && imm == 0 => e.name.into(),
        Some(Spec::Word(w)) if w.starts_with("0x") => format!("{} {imm:#x}", e.name),
        _ => format!("{} {imm}", e.name),
    }
}

/// The counts that `s_waitcnt` waits for: vector memory, export, LDS and scalar memory (MI300 ISA §4.4, RDNA3 ISA §5.6).
pub(crate) fn waitcnt(imm: u32, arch: Arch) -> (u32, u32, u32) {
    if arch.generation() == 9 {
        (imm & 15 | imm >> 10 & 0x30, imm >> 4 & 7, imm >> 8 & 15)
    } else {
        (imm >> 10 & 63, imm & 7, imm >> 4 & 63)
    }
}
