//! Runs the workgroups of a grid.

use crate::check::{Check, Report};
use crate::device::Program;
use crate::exec::{Machine, State, Wave};
use crate::group::Group;
use crate::isa::{Family, Inst, operand};
use crate::memory::Memory;
use crate::object::KernelInfo;
use crate::{Arch, Error};

/// An executed instruction, for the trace.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The workgroup.
    pub group: [u32; 3],
    /// The wave in it.
    pub wave: u32,
    /// The instruction's address in the code object.
    pub address: u64,
    /// Its disassembly.
    pub text: String,
    /// EXEC before it.
    pub exec: u64,
    /// The first register it wrote, by lane, if it wrote a vector register.
    pub result: Option<&'a [u32; 64]>,
}

/// How a kernel is launched.
pub struct Launch<'a> {
    /// Workgroups in x, y, z.
    pub grid: [u32; 3],
    /// Work-items of a workgroup in x, y, z.
    pub block: [u32; 3],
    /// The kernel arguments; implicit ones are filled in behind or between as the metadata says.
    pub kernarg: &'a [u8],
    /// Bytes of LDS beyond those that the kernel declares.
    pub dynamic_lds: u32,
    /// Workgroups that run at the same time. More are needed where workgroups wait for later ones.
    pub resident: usize,
    /// The launch fails after so many wave instructions.
    pub instruction_limit: u64,
    /// Called after every instruction.
    pub trace: Option<&'a mut dyn FnMut(&Step<'_>)>,
}

impl<'a> Launch<'a> {
    /// A launch of `grid` workgroups of `block` work-items with these arguments.
    pub fn new(grid: [u32; 3], block: [u32; 3], kernarg: &'a [u8]) -> Launch<'a> {
        Launch {
            grid,
            block,
            kernarg,
            dynamic_lds: 0,
            resident: 4,
            instruction_limit: 20_000_000_000,
            trace: None,
        }
    }
}

/// Instructions that a wave runs before another gets its turn.
const QUANTUM: u64 = 2000;
/// Work-items of a workgroup, at most (MI300 ISA §2.2, RDNA3 ISA §2.2).
const BLOCK_LIMIT: u64 = 1024;

struct Resident {
    group: Group,
    waves: Vec<Wave>,
    live: bool,
}

struct Setup<'s> {
    arch: Arch,
    kernel: &'s KernelInfo,
    grid: [u32; 3],
    block: [u32; 3],
    items: u32,
    lds: usize,
    kernarg: u64,
    packet: u64,
    kernarg_words: Vec<u32>,
    scratch: u64,
    scratch_wave: u64,
}

pub(crate) fn run(
    arch: Arch,
    memory: &mut Memory,
    program: &Program,
    kernel: &KernelInfo,
    launch: &mut Launch<'_>,
    report: &mut Report,
) -> Result<(), Box<Error>> {
    check(arch, kernel, launch)?;
    let items = launch.block.iter().product::<u32>();
    let waves = items.div_ceil(kernel.wave_size) as usize;
    let groups = launch.grid.iter().map(|&g| g as u64).product::<u64>();
    let resident = launch.resident.clamp(1, groups.max(1) as usize);
    let scratch_wave = kernel.scratch as u64 * kernel.wave_size as u64;
    let kernarg = segment(kernel, launch);
    let setup = Setup {
        arch,
        kernel,
        grid: launch.grid,
        block: launch.block,
        items,
        lds: (kernel.lds + launch.dynamic_lds) as usize,
        kernarg: memory.allocate(kernarg.len() as u64),
        packet: memory.allocate(64),
        kernarg_words: kernarg
            .chunks(4)
            .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
            .collect(),
        scratch: memory.allocate(scratch_wave * (waves * resident) as u64),
        scratch_wave,
    };
    memory.write(setup.kernarg, &kernarg, true);
    memory.write(setup.packet, &packet(&setup, launch), true);
    let mut slots: Vec<Resident> = (0..resident)
        .map(|_| Resident {
            group: Group::new(),
            waves: (0..waves).map(|_| Wave::new()).collect(),
            live: false,
        })
        .collect();
    let result = grid(&setup, memory, program, launch, report, &mut slots, groups);
    for a in [setup.kernarg, setup.packet, setup.scratch] {
        let _ = memory.free(a);
    }
    result
}

fn check(arch: Arch, kernel: &KernelInfo, launch: &Launch<'_>) -> Result<(), Box<Error>> {
    let bad = |why: String| Err(Box::new(Error::BadLaunch { kernel: kernel.name.clone(), why }));
    let items = launch.block.iter().map(|&b| b as u64).product::<u64>();
    if items == 0 || items > BLOCK_LIMIT {
        return bad(format!("a workgroup of {items} work-items; 1 to {BLOCK_LIMIT} are possible"));
    }
    if launch.grid.iter().map(|&g| g as u64).product::<u64>() == 0 {
        return bad("an empty grid; each dimension must be at least 1".into());
    }
    let lds = kernel.lds as u64 + launch.dynamic_lds as u64;
    if lds > arch.lds_bytes() as u64 {
        return bad(format!(
            "{lds} bytes of LDS ({} declared, {} dynamic); the device has {}",
            kernel.lds,
            launch.dynamic_lds,
            arch.lds_bytes()
        ));
    }
    let explicit = kernel
        .arguments
        .iter()
        .filter(|a| !a.kind.starts_with("hidden_"))
        .map(|a| a.offset + a.size)
        .max()
        .unwrap_or(0);
    if (launch.kernarg.len() as u64) < explicit as u64 {
        return bad(format!(
            "{} bytes of arguments; the kernel takes {explicit}",
            launch.kernarg.len()
        ));
    }
    Ok(())
}

/// The kernel argument segment: what the caller gave, and the hidden arguments where the metadata has them.
fn segment(kernel: &KernelInfo, launch: &Launch<'_>) -> Vec<u8> {
    let mut out = launch.kernarg.to_vec();
    let hidden_at = kernel
        .arguments
        .iter()
        .filter(|a| a.kind.starts_with("hidden_"))
        .map(|a| a.offset as usize)
        .min();
    if let Some(at) = hidden_at {
        out.truncate(at);
    }
    out.resize((kernel.kernarg as usize).max(out.len()).next_multiple_of(16), 0);
    for a in kernel.arguments.iter().filter(|a| a.kind.starts_with("hidden_")) {
        let axis = match a.kind.as_bytes().last() {
            Some(b'y') => 1,
            Some(b'z') => 2,
            _ => 0,
        };
        let (grid, block) = (launch.grid[axis], launch.block[axis]);
        let value: u64 = match a.kind.as_str() {
            k if k.starts_with("hidden_block_count") => grid as u64,
            k if k.starts_with("hidden_group_size") => block as u64,
            k if k.starts_with("hidden_remainder") => 0,
            k if k.starts_with("hidden_global_offset") => 0,
            "hidden_grid_dims" => launch
                .grid
                .iter()
                .zip(launch.block)
                .rposition(|(&g, b)| g > 1 || b > 1)
                .map_or(1, |n| n as u64 + 1),
            "hidden_dynamic_lds_size" => launch.dynamic_lds as u64,
            "hidden_private_base" => crate::exec::PRIVATE_APERTURE >> 32,
            "hidden_shared_base" => crate::exec::SHARED_APERTURE >> 32,
            _ => 0,
        };
        let (at, n) = (a.offset as usize, (a.size as usize).min(8));
        if let Some(place) = out.get_mut(at..at + n) {
            place.copy_from_slice(&value.to_le_bytes()[..n]);
        }
    }
    out
}

/// `hsa_kernel_dispatch_packet_t` (HSA System Architecture 1.2, §2.9.6).
fn packet(s: &Setup<'_>, launch: &Launch<'_>) -> [u8; 64] {
    let mut p = [0; 64];
    p[2..4].copy_from_slice(&3u16.to_le_bytes());
    for k in 0..3 {
        p[4 + 2 * k..6 + 2 * k].copy_from_slice(&(s.block[k] as u16).to_le_bytes());
        p[12 + 4 * k..16 + 4 * k]
            .copy_from_slice(&(s.grid[k].wrapping_mul(s.block[k])).to_le_bytes());
    }
    p[24..28].copy_from_slice(&s.kernel.scratch.to_le_bytes());
    p[28..32].copy_from_slice(&(s.kernel.lds + launch.dynamic_lds).to_le_bytes());
    p[40..48].copy_from_slice(&s.kernarg.to_le_bytes());
    p
}

fn grid(
    s: &Setup<'_>,
    memory: &mut Memory,
    program: &Program,
    launch: &mut Launch<'_>,
    report: &mut Report,
    slots: &mut [Resident],
    groups: u64,
) -> Result<(), Box<Error>> {
    let mut next = 0;
    loop {
        let mut any = false;
        for (n, slot) in slots.iter_mut().enumerate() {
            if !slot.live && next < groups {
                let (gx, gy) = (s.grid[0] as u64, s.grid[1] as u64);
                let id = [(next % gx) as u32, (next / gx % gy) as u32, (next / gx / gy) as u32];
                start(s, slot, id, n, memory, program.base);
                next += 1;
            }
            if !slot.live {
                continue;
            }
            any = true;
            for w in 0..slot.waves.len() {
                let wave = &mut slot.waves[w];
                if wave.state != State::Running {
                    continue;
                }
                let (arch, generation) = (s.arch, s.arch.generation());
                let mut m = Machine {
                    wave,
                    group: &mut slot.group,
                    memory,
                    report,
                    kernel: s.kernel,
                    arch,
                    generation,
                    pc: 0,
                };
                slice(&mut m, program, launch)?;
            }
            if report.counts.instructions > launch.instruction_limit {
                return Err(Box::new(Error::NoProgress {
                    instructions: report.counts.instructions,
                }));
            }
            meet(s, slot, memory, report);
        }
        if !any {
            return Ok(());
        }
    }
}

/// Runs a wave for a while.
fn slice(
    m: &mut Machine<'_>,
    program: &Program,
    launch: &mut Launch<'_>,
) -> Result<(), Box<Error>> {
    for _ in 0..QUANTUM {
        let pc = m.wave.pc;
        let i = program.at(pc, m.memory)?;
        m.pc = pc;
        m.wave.pc = pc + i.size as u64;
        if m.report.enabled {
            m.check_before(i);
        }
        let before = m.exec();
        m.count(i);
        let blank = m.report.enabled && i.logic && m.merges_nothing(i);
        m.run(i)?;
        if blank {
            m.forget(i);
        }
        if m.report.enabled {
            if m.generation == 9 {
                m.note_writes(i);
            }
            if i.wide {
                m.propagate_high(i, before);
            }
        }
        m.wave.clock += 1;
        if let Some(trace) = &mut launch.trace {
            let result = i
                .writes
                .first()
                .filter(|s| s.first >= operand::VGPR)
                .map(|s| &m.wave.vgpr[m.wave.index_of(s.first)]);
            let (group, wave, address) = (m.group.id, m.wave.index, pc.wrapping_sub(program.base));
            trace(&Step { group, wave, address, text: m.text(i), exec: before, result });
        }
        if m.wave.state != State::Running {
            break;
        }
    }
    Ok(())
}

impl Machine<'_> {
    #[inline]
    fn count(&mut self, i: &Inst) {
        let c = &mut self.report.counts;
        c.instructions += 1;
        match i.family() {
            Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc => c.scalar += 1,
            f if f.is_valu() => {
                c.vector += 1;
                c.cross_lane += u64::from(i.is_dpp());
            }
            _ => {}
        }
    }

    #[inline]
    fn check_before(&mut self, i: &Inst) {
        if !self.wave.pending.is_empty() {
            self.check_waits(i);
        }
        let exec = self.exec();
        for s in &i.checked {
            for r in s.first..s.first + s.count as u16 {
                if r >= operand::VGPR {
                    let n = self.wave.index_of(r);
                    let blank = exec & !self.wave.written[n];
                    if blank != 0 {
                        self.finding(
                            Check::Unwritten,
                            i,
                            blank,
                            format!("v{n} was never written in these lanes"),
                        );
                    }
                } else if self.wave.scalar_written >> (r & 127) & 1 == 0 {
                    self.finding(Check::Unwritten, i, 0, format!("s{r} was never written"));
                }
            }
        }
        if i.is_dpp() {
            self.check_dpp(i);
        }
        if self.generation == 9 {
            self.check_hazards(i);
        }
    }

    /// Compilers extend addresses to 64 bits with high words that hold nothing where nothing depends on them.
    fn propagate_high(&mut self, i: &Inst, exec: u64) {
        let blank = i
            .reads
            .iter()
            .filter(|s| s.first >= operand::VGPR && s.count == 2)
            .fold(0, |m, s| m | !self.wave.written[self.wave.index_of(s.first + 1)]);
        if blank & exec != 0 && i.writes.iter().any(|s| s.first == i.dst && s.count == 2) {
            let n = self.wave.index_of(i.dst + 1);
            self.wave.written[n] &= !(blank & exec);
        }
    }

    /// Whether a bitwise operation takes only registers that were never written. One that was is enough: a mask is merged from
    /// parts of which each is for other lanes, and the bits for lanes that are off may be anything.
    fn merges_nothing(&self, i: &Inst) -> bool {
        let blank = |r: u16| r < 106 && self.wave.scalar_written >> r & 1 == 0;
        i.src.iter().filter(|&&r| r != operand::NONE).all(|&r| blank(r))
    }

    /// The scalar destination counts as never written.
    fn forget(&mut self, i: &Inst) {
        for s in i.writes.iter().filter(|s| s.first < 106) {
            for r in s.first..s.first + s.count as u16 {
                self.wave.scalar_written &= !(1 << r);
            }
        }
    }

    /// Executes an instruction.
    #[inline]
    pub(crate) fn run(&mut self, i: &Inst) -> Result<(), Box<Error>> {
        let Some(exec) = i.entry.exec else { return Err(self.unsupported(i, "")) };
        match &i.pair {
            None => exec(self, i),
            Some(y) => self.dual(i, y, exec),
        }
    }

    /// Both halves of a VOPD pair read before either writes (RDNA3 ISA §7.6.1).
    fn dual(&mut self, x: &Inst, y: &Inst, exec: crate::exec::Exec) -> Result<(), Box<Error>> {
        let Some(second) = y.entry.exec else { return Err(self.unsupported(x, "")) };
        let n = self.wave.index_of(x.dst);
        let old = self.wave.vgpr[n];
        exec(self, x)?;
        let new = std::mem::replace(&mut self.wave.vgpr[n], old);
        second(self, y)?;
        self.wave.vgpr[n] = new;
        Ok(())
    }
}

/// Waves at a barrier go on when all have come; the group ends when all waves have.
fn meet(s: &Setup<'_>, slot: &mut Resident, memory: &mut Memory, report: &mut Report) {
    let waiting = slot.waves.iter().filter(|w| matches!(w.state, State::Barrier(_))).count();
    let running = slot.waves.iter().filter(|w| w.state == State::Running).count();
    if running > 0 {
        return;
    }
    if waiting == 0 {
        slot.live = false;
        return;
    }
    let place = |w: &Wave| if let State::Barrier(pc) = w.state { Some(pc) } else { None };
    let first = slot.waves.iter().find_map(place).unwrap_or(0);
    let other = slot.waves.iter().filter_map(place).find(|&p| p != first);
    let ended = slot.waves.len() - waiting;
    if report.enabled && (other.is_some() || ended > 0) {
        let at = |pc: u64| pc.wrapping_sub(report.code_base);
        let what = match other {
            Some(pc) => format!(
                "waves of one workgroup meet at different barriers, {:#x} and {:#x}",
                at(first),
                at(pc)
            ),
            None => {
                format!("{waiting} waves wait at a barrier that {ended} ended waves never reach")
            }
        };
        let (arch, generation) = (s.arch, s.arch.generation());
        let mut m = Machine {
            wave: &mut slot.waves[0],
            group: &mut slot.group,
            memory,
            report,
            kernel: s.kernel,
            arch,
            generation,
            pc: first,
        };
        m.finding_at(Check::BarrierDivergence, first, None, 0, what);
    }
    slot.group.barrier();
    for w in &mut slot.waves {
        if w.state != State::Done {
            w.state = State::Running;
        }
    }
}

/// The initial state of a workgroup's waves (LLVM "User Guide for AMDGPU Backend", "Initial Kernel Execution State").
fn start(
    s: &Setup<'_>,
    slot: &mut Resident,
    id: [u32; 3],
    place: usize,
    memory: &mut Memory,
    base: u64,
) {
    slot.live = true;
    slot.group.reset(id, s.lds);
    memory.forget(s.scratch);
    let waves = slot.waves.len();
    let k = s.kernel;
    for (n, w) in slot.waves.iter_mut().enumerate() {
        w.reset();
        w.index = n as u32;
        w.width = if k.wave_size == 64 { u64::MAX } else { u32::MAX as u64 };
        w.accum_offset = k.accum_offset as usize;
        let wave_scratch = (place * waves + n) as u64 * s.scratch_wave;
        w.scratch = s.scratch + wave_scratch;
        w.pc = base + k.entry;
        w.mode = k.rsrc1 >> 12 & 0xff;
        if s.arch.generation() < 12 {
            w.mode |= (k.rsrc1 >> 21 & 1) << 8 | (k.rsrc1 >> 23 & 1) << 9;
        }
        let first = n as u32 * k.wave_size;
        let live = (s.items - first).min(k.wave_size);
        let exec = if live == 64 { u64::MAX } else { (1 << live) - 1 };
        w.set_pair(operand::EXEC, exec);
        // Work-item ids: ten bits each, in v0.
        for l in 0..live {
            let t = first + l;
            let (bx, by) = (s.block[0], s.block[1]);
            w.vgpr[0][l as usize] = (t % bx) | ((t / bx % by) << 10) | (t / bx / by) << 20;
        }
        w.written[0] = exec;
        w.last_write[0] = exec;
        scalars(s, w, id, wave_scratch);
    }
}

fn scalars(s: &Setup<'_>, w: &mut Wave, id: [u32; 3], wave_scratch: u64) {
    let k = s.kernel;
    let mut next = 0u16;
    let mut put = |w: &mut Wave, words: &[u32]| {
        for &v in words {
            w.set_sgpr(next, v);
            next += 1;
        }
    };
    let split = |v: u64| [v as u32, (v >> 32) as u32];
    let p = k.properties;
    if p & 1 != 0 {
        // A swizzled buffer over all of scratch: 4-byte elements, the lane as the index (MI300 ISA §9.1.5).
        let [lo, hi] = split(s.scratch);
        let stride = if k.wave_size == 64 { 3 } else { 2 };
        put(w, &[lo, hi | 1 << 31, u32::MAX, 1 << 23 | stride << 21 | 1 << 19]);
    }
    for (bit, value) in [(1, s.packet), (2, 0), (3, s.kernarg), (4, 0), (5, s.scratch)] {
        if p >> bit & 1 == 1 {
            put(w, &split(value));
        }
    }
    if p & 64 != 0 {
        put(w, &[k.scratch]);
    }
    let (length, offset) = ((k.preload & 0x7f) as usize, (k.preload >> 7) as usize);
    if length > 0 && s.arch.generation() == 9 {
        let words: Vec<u32> = (offset..offset + length)
            .map(|n| s.kernarg_words.get(n).copied().unwrap_or(0))
            .collect();
        put(w, &words);
        // Firmware that preloads enters behind the block that would load the same (LLVM, "Preloaded Kernel Arguments").
        w.pc += 256;
    }
    let user = (k.rsrc2 >> 1 & 31) as u16;
    let mut next = user;
    if s.arch.generation() == 12 {
        // Workgroup ids come in TTMP9 and TTMP7 (RDNA4 ISA §3.2).
        w.set_sgpr(108 + 9, id[0]);
        w.set_sgpr(108 + 7, id[1] & 0xffff | id[2] << 16);
    } else {
        for (axis, v) in id.into_iter().enumerate() {
            if k.rsrc2 >> (7 + axis) & 1 == 1 {
                w.set_sgpr(next, v);
                next += 1;
            }
        }
        if k.rsrc2 >> 10 & 1 == 1 {
            w.set_sgpr(next, 0);
            next += 1;
        }
        if k.rsrc2 & 1 == 1 && s.arch == Arch::Gfx90a {
            w.set_sgpr(next, wave_scratch as u32);
        }
    }
    if s.arch == Arch::Gfx942 {
        w.set_pair(102, s.scratch);
    }
}
