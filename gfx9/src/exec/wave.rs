//! The state of one wave.

use std::collections::VecDeque;

use super::L32;
use crate::isa::{Span, operand};

/// What a wave is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    /// At a barrier; the address of the instruction.
    Barrier(u64),
    Done,
}

/// A memory operation whose wait count has not been waited for.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The counters that still hold it, as bits `1 << counter`.
    pub counters: u8,
    /// Whether it may finish out of order with the others of its counter.
    pub unordered: bool,
    /// The registers it will write.
    pub registers: Option<Span>,
    /// Where it was issued.
    pub address: u64,
    /// The LDS words it reads or writes.
    pub lds: Vec<u32>,
}

/// The registers and the book-keeping of a wave.
pub(crate) struct Wave {
    /// SGPRs by operand code; VCC, M0 and EXEC among them.
    pub sgpr: [u32; 128],
    /// VGPRs, accumulation registers behind them.
    pub vgpr: Vec<L32>,
    pub scc: bool,
    pub pc: u64,
    pub mode: u32,
    /// The lanes that the wave's width has.
    pub width: u64,
    pub state: State,
    /// Its number in the workgroup.
    pub index: u32,
    /// The place of the first accumulation register.
    pub accum_offset: usize,
    /// This wave's part of the scratch memory.
    pub scratch: u64,
    /// `s_barrier_signal` was executed and not yet waited for (gfx12).
    pub signalled: bool,

    /// The lanes of each VGPR that were written.
    pub written: Vec<u64>,
    /// The lanes of each VGPR that the last write to it covered.
    pub last_write: Vec<u64>,
    /// The SGPRs that were written.
    pub scalar_written: u128,
    pub pending: VecDeque<Pending>,
    pub pending_vgpr: [u64; 8],
    pub pending_sgpr: u128,
    /// Wait states passed so far: one an instruction, more by `s_nop`.
    pub clock: u64,
    /// When the vector ALU last wrote each VGPR, each SGPR, EXEC.
    pub valu_vgpr: Vec<u64>,
    pub valu_sgpr: [u64; 128],
    /// When a transcendental last wrote each VGPR.
    pub trans_vgpr: Vec<u64>,
}

/// VGPRs and accumulation registers of a wave.
const REGISTERS: usize = 512;

impl Wave {
    pub fn new() -> Wave {
        Wave {
            sgpr: [0; 128],
            vgpr: vec![[0; 64]; REGISTERS],
            scc: false,
            pc: 0,
            mode: 0,
            width: 0,
            state: State::Done,
            index: 0,
            accum_offset: 0,
            scratch: 0,
            signalled: false,
            written: vec![0; REGISTERS],
            last_write: vec![0; REGISTERS],
            scalar_written: 0,
            pending: VecDeque::new(),
            pending_vgpr: [0; 8],
            pending_sgpr: 0,
            clock: 0,
            valu_vgpr: vec![0; REGISTERS],
            valu_sgpr: [0; 128],
            trans_vgpr: vec![0; REGISTERS],
        }
    }

    /// Forgets everything but the memory it holds.
    pub fn reset(&mut self) {
        self.sgpr = [0; 128];
        self.scc = false;
        self.state = State::Running;
        self.signalled = false;
        self.written.fill(0);
        self.last_write.fill(0);
        self.scalar_written = 0;
        self.pending.clear();
        self.pending_vgpr = [0; 8];
        self.pending_sgpr = 0;
        // Far enough from 0 that nothing looks recent.
        self.clock = 1000;
        self.valu_vgpr.fill(0);
        self.valu_sgpr = [0; 128];
        self.trans_vgpr.fill(0);
    }

    #[inline]
    pub fn exec(&self) -> u64 {
        self.pair(operand::EXEC) & self.width
    }

    #[inline]
    pub fn pair(&self, code: u16) -> u64 {
        self.sgpr[code as usize] as u64 | (self.sgpr[code as usize + 1] as u64) << 32
    }

    pub fn set_pair(&mut self, code: u16, v: u64) {
        self.set_sgpr(code, v as u32);
        self.set_sgpr(code + 1, (v >> 32) as u32);
    }

    pub fn set_sgpr(&mut self, code: u16, v: u32) {
        let c = code as usize & 127;
        self.sgpr[c] = v;
        self.scalar_written |= 1 << c;
    }

    /// Whether the wave is 64 lanes wide.
    #[inline]
    pub fn is_64(&self) -> bool {
        self.width > u32::MAX as u64
    }

    /// The place of a VGPR or accumulation register.
    #[inline]
    pub fn index_of(&self, code: u16) -> usize {
        if code >= operand::AGPR {
            (self.accum_offset + (code - operand::AGPR) as usize) & 511
        } else {
            (code - operand::VGPR) as usize & 511
        }
    }
}
