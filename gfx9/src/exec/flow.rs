//! Branches, barriers and waits: SOPP and its kin (MI300 ISA §4, RDNA3 ISA §5, RDNA4 ISA §5).

use super::machine::{Done, Exec, Machine};
use super::wave::State;
use crate::Error;
use crate::check::Counter;
use crate::isa::{Inst, waitcnt};

fn branch(m: &mut Machine<'_>, i: &Inst, taken: bool) -> Done {
    m.report.counts.branches += 1;
    if taken {
        m.report.counts.taken += 1;
        m.wave.pc = m.wave.pc.wrapping_add_signed(4 * i.imm as i64);
    }
    Ok(())
}

fn nop(_: &mut Machine<'_>, _: &Inst) -> Done {
    Ok(())
}

fn wait(m: &mut Machine<'_>, i: &Inst) -> Done {
    m.report.counts.waits += 1;
    let (vm, _, lgkm) = waitcnt(i.imm as u32 & 0xffff, m.arch);
    m.wait(Counter::Load, vm);
    m.wait(Counter::Lds, lgkm);
    Ok(())
}

fn wait_one(m: &mut Machine<'_>, i: &Inst, c: Counter) -> Done {
    m.report.counts.waits += 1;
    m.wait(c, i.imm as u32 & 63);
    Ok(())
}

/// Two counters in one immediate: the low six bits are DSCNT (RDNA4 ISA §16.5).
fn wait_two(m: &mut Machine<'_>, i: &Inst, c: Counter) -> Done {
    m.report.counts.waits += 1;
    m.wait(c, i.imm as u32 >> 8 & 63);
    m.wait(Counter::Lds, i.imm as u32 & 63);
    Ok(())
}

fn barrier(m: &mut Machine<'_>, _: &Inst) -> Done {
    m.report.counts.barriers += 1;
    m.arrive();
    m.wave.state = State::Barrier(m.pc);
    Ok(())
}

/// gfx12 splits the barrier: the signal says "arrived", the wait waits for all.
fn signal(m: &mut Machine<'_>, i: &Inst) -> Done {
    if m.scalar(i.src[0], i.literal) != u32::MAX {
        return Err(m.unsupported(i, "only the workgroup barrier (-1)"));
    }
    m.arrive();
    m.wave.signalled = true;
    Ok(())
}

fn barrier_wait(m: &mut Machine<'_>, i: &Inst) -> Done {
    if i.imm != -1 {
        return Err(m.unsupported(i, "only the workgroup barrier (-1)"));
    }
    m.report.counts.barriers += 1;
    m.wave.signalled = false;
    m.wave.state = State::Barrier(m.pc);
    Ok(())
}

fn endpgm(m: &mut Machine<'_>, _: &Inst) -> Done {
    m.wave.state = State::Done;
    Ok(())
}

fn message(m: &mut Machine<'_>, i: &Inst) -> Done {
    // MSG_DEALLOC_VGPRS (3) only gives registers back early.
    if m.generation > 9 && i.imm & 0xff == 3 {
        Ok(())
    } else {
        Err(m.unsupported(i, "this message"))
    }
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("s_nop", |m, i| {
        m.wave.clock += (i.imm & 15) as u64;
        Ok(())
    }),
    ("s_endpgm", endpgm),
    ("s_trap", |m, i| {
        let (group, wave, lanes) = (m.group.id, m.wave.index, m.exec());
        let address = m.pc.wrapping_sub(m.report.code_base);
        Err(Box::new(Error::Trapped { address, id: i.imm as u32 & 0xff, group, wave, lanes }))
    }),
    ("s_branch", |m, i| branch(m, i, true)),
    ("s_cbranch_scc0", |m, i| branch(m, i, !m.wave.scc)),
    ("s_cbranch_scc1", |m, i| branch(m, i, m.wave.scc)),
    ("s_cbranch_vccz", |m, i| branch(m, i, m.vcc() == 0)),
    ("s_cbranch_vccnz", |m, i| branch(m, i, m.vcc() != 0)),
    ("s_cbranch_execz", |m, i| branch(m, i, m.exec() == 0)),
    ("s_cbranch_execnz", |m, i| branch(m, i, m.exec() != 0)),
    ("s_getpc_b64", |m, i| {
        m.set64(i.dst, m.wave.pc);
        Ok(())
    }),
    ("s_setpc_b64", |m, i| {
        m.wave.pc = m.scalar64(i.src[0], 0);
        Ok(())
    }),
    ("s_swappc_b64", |m, i| {
        let to = m.scalar64(i.src[0], 0);
        m.set64(i.dst, m.wave.pc);
        m.wave.pc = to;
        Ok(())
    }),
    ("s_call_b64", |m, i| {
        m.set64(i.dst, m.wave.pc);
        m.wave.pc = m.wave.pc.wrapping_add_signed(4 * i.imm as i64);
        Ok(())
    }),
    ("s_barrier", barrier),
    ("s_barrier_signal", signal),
    ("s_barrier_wait", barrier_wait),
    ("s_waitcnt", wait),
    ("s_waitcnt_vscnt", |m, i| wait_one(m, i, Counter::Store)),
    ("s_waitcnt_vmcnt", |m, i| wait_one(m, i, Counter::Load)),
    ("s_waitcnt_lgkmcnt", |m, i| wait_one(m, i, Counter::Lds)),
    ("s_waitcnt_expcnt", nop),
    ("s_wait_loadcnt", |m, i| wait_one(m, i, Counter::Load)),
    ("s_wait_storecnt", |m, i| wait_one(m, i, Counter::Store)),
    ("s_wait_dscnt", |m, i| wait_one(m, i, Counter::Lds)),
    ("s_wait_kmcnt", |m, i| wait_one(m, i, Counter::Scalar)),
    ("s_wait_loadcnt_dscnt", |m, i| wait_two(m, i, Counter::Load)),
    ("s_wait_storecnt_dscnt", |m, i| wait_two(m, i, Counter::Store)),
    ("s_wait_idle", |m, _| {
        for c in [Counter::Load, Counter::Lds, Counter::Store, Counter::Scalar] {
            m.wait(c, 0);
        }
        Ok(())
    }),
    ("s_wait_samplecnt", nop),
    ("s_wait_bvhcnt", nop),
    ("s_wait_expcnt", nop),
    ("s_wait_alu", nop),
    ("s_waitcnt_depctr", nop),
    ("s_sleep", nop),
    ("s_setprio", nop),
    ("s_clause", nop),
    ("s_delay_alu", nop),
    ("s_set_inst_prefetch_distance", nop),
    ("s_icache_inv", nop),
    ("s_code_end", nop),
    ("s_wakeup", nop),
    ("s_inst_prefetch", nop),
    ("s_round_mode", |m, i| {
        m.wave.mode = m.wave.mode & !15 | i.imm as u32 & 15;
        Ok(())
    }),
    ("s_denorm_mode", |m, i| {
        m.wave.mode = m.wave.mode & !0xf0 | (i.imm as u32 & 15) << 4;
        Ok(())
    }),
    ("s_sendmsg", message),
];
