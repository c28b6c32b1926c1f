//! Scalar memory (MI300 ISA §8, RDNA3 ISA §8, RDNA4 ISA §8).

use super::machine::{Done, Exec, Machine};
use crate::Error;
use crate::check::{Check, Counter};
use crate::isa::{Inst, Span, operand};

/// Loads `WORDS` registers.
fn load<const WORDS: usize>(m: &mut Machine<'_>, i: &Inst) -> Done {
    fetch(m, i, WORDS, 4, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

fn fetch(
    m: &mut Machine<'_>,
    i: &Inst,
    words: usize,
    bytes: usize,
    f: impl Fn(&[u8]) -> u32,
) -> Done {
    let buffer = i.mnemonic().starts_with("s_buffer");
    let offset = (i.imm as i64).wrapping_add(if i.imm2 == operand::NONE {
        0
    } else {
        m.scalar(i.imm2, 0) as i64
    });
    let base = m.scalar64(i.src[0], 0);
    // The two lowest address bits are ignored by the loads of words.
    let mut address =
        if buffer { base & 0xffff_ffff_ffff } else { base }.wrapping_add_signed(offset);
    if bytes == 4 {
        address &= !3;
    }
    let limit = if buffer {
        m.scalar(i.src[0] + 2, 0) as i64 * ((base >> 48 & 0x3fff) as i64).max(1)
    } else {
        i64::MAX
    };
    m.report.counts.scalar_memory += 1;
    for k in 0..words {
        let mut b = [0u8; 4];
        let at = address.wrapping_add(4 * k as u64);
        let inside = offset + (4 * k + bytes) as i64 <= limit;
        if inside {
            match m.memory.read(at, &mut b[..bytes]) {
                Some(true) => {}
                Some(false) if m.report.enabled => m.finding(
                    Check::Unwritten,
                    i,
                    0,
                    format!("memory at {at:#x} was never written"),
                ),
                Some(false) => {}
                None => {
                    return Err(Box::new(Error::OutOfBounds {
                        address: m.pc.wrapping_sub(m.report.code_base),
                        text: m.text(i),
                        lane: 0,
                        what: "reads",
                        bytes: bytes as u32,
                        target: at,
                    }));
                }
            }
        }
        m.set32(i.dst + k as u16, f(&b));
    }
    let counter = if m.generation == 12 { Counter::Scalar } else { Counter::Lds };
    m.issue(&[counter], true, Some(Span { first: i.dst, count: words as u8 }), Vec::new());
    Ok(())
}

fn nop(_: &mut Machine<'_>, _: &Inst) -> Done {
    Ok(())
}

fn time(m: &mut Machine<'_>, i: &Inst) -> Done {
    let t = m.wave.clock;
    m.set64(i.dst, t);
    m.issue(&[Counter::Lds], true, Some(Span { first: i.dst, count: 2 }), Vec::new());
    Ok(())
}

const OPS: &[(&str, Exec)] = &[
    ("load_dword", load::<1>),
    ("load_dwordx2", load::<2>),
    ("load_dwordx3", load::<3>),
    ("load_dwordx4", load::<4>),
    ("load_dwordx8", load::<8>),
    ("load_dwordx16", load::<16>),
    ("load_ubyte", |m, i| fetch(m, i, 1, 1, |b| b[0] as u32)),
    ("load_sbyte", |m, i| fetch(m, i, 1, 1, |b| b[0] as i8 as u32)),
    ("load_ushort", |m, i| fetch(m, i, 1, 2, |b| u16::from_le_bytes([b[0], b[1]]) as u32)),
    ("load_sshort", |m, i| fetch(m, i, 1, 2, |b| i16::from_le_bytes([b[0], b[1]]) as u32)),
    ("dcache_inv", nop),
    ("dcache_wb", nop),
    ("dcache_inv_vol", nop),
    ("dcache_wb_vol", nop),
    ("gl1_inv", nop),
    ("prefetch_inst", nop),
    ("prefetch_inst_pc_rel", nop),
    ("prefetch_data", nop),
    ("prefetch_data_pc_rel", nop),
    ("memtime", time),
    ("memrealtime", time),
];

/// What a scalar memory operation does.
pub(super) fn lookup(name: &str) -> Option<Exec> {
    let rest = name.strip_prefix("s_")?;
    let rest = rest.strip_prefix("buffer_").unwrap_or(rest);
    OPS.iter().find(|(n, _)| *n == rest).map(|(_, e)| *e)
}
