//! Wait states that software must insert on gfx9 (MI300 ISA §4.5, "Manually Inserted Wait States"; MI200 ISA §4.5).

use super::Check;
use crate::Arch;
use crate::exec::Machine;
use crate::isa::{Family, Inst, operand};

impl Machine<'_> {
    /// Reports an instruction that comes too early after the one that made its operands.
    pub(crate) fn check_hazards(&mut self, i: &Inst) {
        let clock = self.wave.clock;
        let valu = i.family().is_valu();
        let dpp = i.is_dpp();
        // Wait states between: instructions (and s_nop counts) strictly between the two.
        let since = |stamp: u64| clock.wrapping_sub(stamp).wrapping_sub(1);
        let mut found: Option<(u64, u64, &str, &str, usize)> = None;
        let mut need =
            |stamp: u64, states: u64, what: &'static str, file: &'static str, n: usize| {
                if stamp != 0 && since(stamp) < states && found.is_none() {
                    found = Some((states, since(stamp), what, file, n));
                }
            };
        if dpp {
            need(
                self.wave.valu_sgpr[operand::EXEC as usize],
                5,
                "DPP after a vector write of",
                "exec at code ",
                126,
            );
            let n = self.wave.index_of(i.src[0]);
            need(self.wave.valu_vgpr[n], 2, "DPP reads, after a vector write,", "v", n);
        }
        let lane_select = matches!(i.mnemonic(), "v_readlane_b32" | "v_writelane_b32");
        if lane_select && i.src[1] < 128 {
            need(
                self.wave.valu_sgpr[i.src[1] as usize],
                4,
                "lane select by a vector-written",
                "s",
                i.src[1] as usize,
            );
        }
        if i.mnemonic().starts_with("v_div_fmas") {
            need(
                self.wave.valu_sgpr[operand::VCC as usize],
                4,
                "v_div_fmas after a vector write of",
                "vcc at code ",
                106,
            );
        }
        if i.family().is_vmem() {
            for s in i.reads.iter().filter(|s| s.first < 128) {
                for r in s.first..s.first + s.count as u16 {
                    need(
                        self.wave.valu_sgpr[r as usize & 127],
                        5,
                        "vector memory reads, after a vector write,",
                        "s",
                        r as usize,
                    );
                }
            }
        }
        if self.arch == Arch::Gfx942 && valu {
            for s in &i.reads {
                for r in s.first..s.first + s.count as u16 {
                    if r < 128 && !lane_select {
                        need(
                            self.wave.valu_sgpr[r as usize],
                            2,
                            "vector read of a vector-written scalar",
                            "s",
                            r as usize,
                        );
                    } else if r >= operand::VGPR && !crate::exec::is_transcendental(i.mnemonic()) {
                        let n = self.wave.index_of(r);
                        need(
                            self.wave.trans_vgpr[n],
                            1,
                            "read after a transcendental wrote",
                            "v",
                            n,
                        );
                    }
                }
            }
        }
        if let Some((states, passed, what, file, n)) = found {
            let what =
                format!("{what} {file}{n}: {states} wait states are needed, {passed} passed");
            self.finding(Check::Hazard, i, self.exec(), what);
        }
    }

    /// Notes what the vector ALU wrote.
    #[inline]
    pub(crate) fn note_writes(&mut self, i: &Inst) {
        if !i.family().is_valu() || i.family() == Family::VopdY {
            return;
        }
        let clock = self.wave.clock;
        let transcendental = i.is_transcendental();
        for s in &i.writes {
            for r in s.first..s.first + s.count as u16 {
                if r >= operand::VGPR {
                    let n = self.wave.index_of(r);
                    self.wave.valu_vgpr[n] = clock;
                    self.wave.trans_vgpr[n] = if transcendental { clock } else { 0 };
                } else {
                    self.wave.valu_sgpr[r as usize & 127] = clock;
                }
            }
        }
        if self.generation == 9 && i.mnemonic().starts_with("v_cmpx") {
            self.wave.valu_sgpr[operand::EXEC as usize] = clock;
        }
    }
}
