//! The opcode tables: `tables/NAME.tbl`, parsed once for each architecture.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::Arch;
use crate::exec::{self, Exec};

/// An instruction format of the ISA documents (MI300 ISA §13, RDNA3 ISA §15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Family {
    Sop2,
    Sopk,
    Sop1,
    Sopc,
    Sopp,
    Smem,
    Vop2,
    Vop1,
    Vopc,
    Vop3,
    Vop3p,
    Vopd,
    VopdY,
    Ds,
    Flat,
    Global,
    Scratch,
    Mubuf,
}

impl Family {
    fn from_name(name: &str) -> Option<Family> {
        Some(match name {
            "SOP2" => Family::Sop2,
            "SOPK" => Family::Sopk,
            "SOP1" => Family::Sop1,
            "SOPC" => Family::Sopc,
            "SOPP" => Family::Sopp,
            "SMEM" => Family::Smem,
            "VOP2" => Family::Vop2,
            "VOP1" => Family::Vop1,
            "VOPC" => Family::Vopc,
            "VOP3" => Family::Vop3,
            "VOP3P" => Family::Vop3p,
            "VOPDX" => Family::Vopd,
            "VOPDY" => Family::VopdY,
            "DS" => Family::Ds,
            "FLAT" => Family::Flat,
            "GLOBAL" => Family::Global,
            "SCRATCH" => Family::Scratch,
            "MUBUF" => Family::Mubuf,
            _ => return None,
        })
    }

    /// Whether the vector ALU runs it.
    pub fn is_valu(self) -> bool {
        use Family::*;
        matches!(self, Vop1 | Vop2 | Vop3 | Vop3p | Vopc | Vopd | VopdY)
    }

    /// Whether the scalar ALU runs it.
    pub fn is_salu(self) -> bool {
        use Family::*;
        matches!(self, Sop1 | Sop2 | Sopk | Sopc)
    }

    /// Whether it reaches memory through the vector memory path.
    pub fn is_vmem(self) -> bool {
        use Family::*;
        matches!(self, Flat | Global | Scratch | Mubuf)
    }
}

/// The field of an encoding that holds an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The destination (for buffers: the data).
    D,
    /// The second, scalar destination.
    S,
    /// The first source, or the address.
    A,
    /// The second source, or the first data operand.
    B,
    /// The third source, or the second data operand.
    C,
    /// The buffer resource.
    R,
}

/// How wide an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// That many 32-bit registers.
    Words(u8),
    /// Half a register.
    Half,
    /// A lane mask: one register in wave32, two in wave64.
    Mask,
}

/// One operand, in the order of the assembly text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// A field of the encoding.
    Field { slot: Slot, scalar: bool, width: Width },
    /// A register or word that the opcode implies.
    Word(&'static str),
}

/// One opcode.
pub(crate) struct Entry {
    /// The format.
    pub family: Family,
    /// LLVM's mnemonic.
    pub name: &'static str,
    /// The mnemonic without `_e32` or `_e64`.
    pub base: &'static str,
    /// The operands.
    pub spec: Vec<Spec>,
    /// What it does; none if the interpreter cannot run it.
    pub exec: Option<Exec>,
    /// Whether the destination is read too.
    pub reads_dst: bool,
}

impl Entry {
    /// The width of a slot, if the opcode has it.
    pub fn width(&self, want: Slot) -> Option<Width> {
        self.spec.iter().find_map(|s| match *s {
            Spec::Field { slot, width, .. } if slot == want => Some(width),
            _ => None,
        })
    }
}

/// The opcodes of one architecture.
pub(crate) struct Table {
    entries: HashMap<(Family, u16), Entry>,
}

impl Table {
    /// The opcode, if the architecture has it.
    pub fn get(&self, family: Family, op: u32) -> Option<&Entry> {
        self.entries.get(&(family, op as u16))
    }

    /// Every opcode.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// The table of an architecture.
    pub fn of(arch: Arch) -> &'static Table {
        static TABLES: [OnceLock<Table>; 4] = [const { OnceLock::new() }; 4];
        let text = match arch {
            Arch::Gfx90a => include_str!("../../tables/gfx90a.tbl"),
            Arch::Gfx942 => include_str!("../../tables/gfx942.tbl"),
            Arch::Gfx1100 => include_str!("../../tables/gfx1100.tbl"),
            Arch::Gfx1200 => include_str!("../../tables/gfx1200.tbl"),
        };
        TABLES[arch as usize].get_or_init(|| parse(arch, text))
    }
}

fn parse(arch: Arch, text: &'static str) -> Table {
    let mut entries = HashMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (Some(family), Some(op), Some(name)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let family = Family::from_name(family).expect("the tables name known formats");
        let op = u16::from_str_radix(op, 16).expect("the tables hold hexadecimal opcodes");
        let base = name.strip_suffix("_e32").or_else(|| name.strip_suffix("_e64")).unwrap_or(name);
        let spec = if matches!(family, Family::Vopd | Family::VopdY) {
            dual_spec(base)
        } else {
            words.map(parse_spec).collect()
        };
        let exec = exec::lookup(arch, family, base);
        entries.insert(
            (family, op),
            Entry { family, name, base, spec, exec, reads_dst: reads_dst(base) },
        );
    }
    Table { entries }
}

fn parse_spec(word: &'static str) -> Spec {
    let field = || {
        let mut c = word.chars();
        let slot = match c.next()? {
            'D' => Slot::D,
            'S' => Slot::S,
            'A' | 'X' => Slot::A,
            'B' | 'Y' => Slot::B,
            'C' | 'Z' => Slot::C,
            'R' => Slot::R,
            _ => return None,
        };
        let scalar = match c.next()? {
            's' => true,
            'v' | 'a' => false,
            _ => return None,
        };
        let width = match c.as_str() {
            "h" => Width::Half,
            "m" => Width::Mask,
            n => Width::Words(n.parse().ok()?),
        };
        Some(Spec::Field { slot, scalar, width })
    };
    field().unwrap_or(Spec::Word(word))
}

/// The operands of a half of a VOPD pair.
fn dual_spec(base: &str) -> Vec<Spec> {
    let f = |slot| Spec::Field { slot, scalar: false, width: Width::Words(1) };
    let mut spec = vec![f(Slot::D), f(Slot::A)];
    match base {
        "v_dual_mov_b32" => {}
        "v_dual_fmaak_f32" => spec.extend([f(Slot::B), Spec::Word("0x0")]),
        "v_dual_fmamk_f32" => spec.extend([Spec::Word("0x0"), f(Slot::B)]),
        "v_dual_cndmask_b32" => spec.extend([f(Slot::B), Spec::Word("vcc")]),
        _ => spec.push(f(Slot::B)),
    }
    spec
}

fn reads_dst(base: &str) -> bool {
    let b = base.replace("v_dual_", "v_");
    [
        "v_fmac_",
        "v_mac_",
        "v_dot2c_",
        "v_dot4c_",
        "v_dot8c_",
        "v_pk_fmac_",
        "v_dot2acc_",
        "v_swap",
        "s_bitset",
        "s_addk",
        "s_mulk",
        "s_cmpk",
    ]
    .iter()
    .any(|p| b.starts_with(p))
}
