//! The wait counters (MI300 ISA §4.4, RDNA3 ISA §5.6, RDNA4 ISA §5.5): which registers a memory operation has not filled yet.

use super::Check;
use crate::exec::Machine;
use crate::exec::Pending;
use crate::isa::{Inst, Span, operand};

/// A counter that memory operations raise and `s_wait*` waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// VMCNT, LOADCNT.
    Load = 0,
    /// LGKMCNT, DSCNT.
    Lds = 1,
    /// VSCNT, STORECNT.
    Store = 2,
    /// KMCNT (gfx12); on earlier ones scalar loads raise LGKMCNT.
    Scalar = 3,
}

impl Machine<'_> {
    /// A memory operation starts that will write `registers`.
    pub(crate) fn issue(
        &mut self,
        counters: &[Counter],
        unordered: bool,
        registers: Option<Span>,
        lds: Vec<u32>,
    ) {
        if !self.report.enabled {
            return;
        }
        let counters = counters.iter().fold(0, |m, &c| m | 1 << c as u8);
        if let Some(s) = registers {
            self.mark(s);
        }
        self.wave.pending.push_back(Pending {
            counters,
            unordered,
            registers,
            address: self.pc,
            lds,
        });
    }

    fn mark(&mut self, s: Span) {
        for r in s.first..s.first + s.count as u16 {
            if r >= operand::VGPR {
                let n = self.wave.index_of(r);
                self.wave.pending_vgpr[n >> 6] |= 1 << (n & 63);
            } else {
                self.wave.pending_sgpr |= 1 << (r & 127);
            }
        }
    }

    /// Waits until at most `left` operations of the counter are outstanding.
    pub(crate) fn wait(&mut self, counter: Counter, left: u32) {
        let bit = 1 << counter as u8;
        let held = |p: &Pending| p.counters & bit != 0;
        let outstanding = self.wave.pending.iter().filter(|p| held(p)).count();
        if outstanding <= left as usize {
            return;
        }
        // With an operation among them that may overtake, only "none left" tells anything.
        if left > 0 && self.wave.pending.iter().any(|p| held(p) && p.unordered) {
            return;
        }
        let mut done = outstanding - left as usize;
        for p in self.wave.pending.iter_mut().filter(|p| held(p)) {
            if done == 0 {
                break;
            }
            p.counters &= !bit;
            done -= 1;
        }
        self.wave.pending.retain(|p| p.counters != 0);
        self.wave.pending_vgpr = [0; 8];
        self.wave.pending_sgpr = 0;
        let spans: Vec<Span> = self.wave.pending.iter().filter_map(|p| p.registers).collect();
        for s in spans {
            self.mark(s);
        }
    }

    /// Reports registers of an instruction that a load has not filled yet.
    pub(crate) fn check_waits(&mut self, i: &Inst) {
        let memory = i.family().is_vmem()
            || matches!(i.family(), crate::isa::Family::Ds | crate::isa::Family::Smem);
        // Loads of one kind arrive in order, so that one may overwrite another's register.
        let writes: &[Span] = if memory { &[] } else { &i.writes };
        for s in i.reads.iter().chain(writes) {
            for r in s.first..s.first + s.count as u16 {
                let hit = if r >= operand::VGPR {
                    let n = self.wave.index_of(r);
                    self.wave.pending_vgpr[n >> 6] >> (n & 63) & 1 == 1
                } else {
                    self.wave.pending_sgpr >> (r & 127) & 1 == 1
                };
                if hit {
                    let from = self
                        .wave
                        .pending
                        .iter()
                        .find(|p| {
                            p.registers
                                .is_some_and(|q| r >= q.first && r < q.first + q.count as u16)
                        })
                        .map_or(0, |p| p.address);
                    let name = if r >= operand::VGPR {
                        format!("v{}", r - operand::VGPR)
                    } else {
                        format!("s{r}")
                    };
                    let at = from.wrapping_sub(self.report.code_base);
                    self.finding(
                        Check::MissingWait,
                        i,
                        self.exec(),
                        format!("{name} is used before the wait for the load at {at:#x}"),
                    );
                    return;
                }
            }
        }
    }

    /// At a barrier: LDS accesses that were not waited for may come after it.
    pub(crate) fn arrive(&mut self) {
        let words: Vec<u32> =
            self.wave.pending.iter().flat_map(|p| p.lds.iter().copied()).collect();
        for n in words {
            self.group.carry_over(self.wave.index, n);
        }
    }
}
