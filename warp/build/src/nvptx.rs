//! After LLVM, for NVIDIA: the check of the PTX by `ptxas`.

use std::path::Path;
use std::process::Command;

use crate::cargo::Emitted;
use crate::lower::{self, Lowered};
use crate::tools::Llvm;
use crate::{Builder, Built, Error, Kernel, NvidiaArch, Ptxas, Toolchain, process};

pub(crate) fn finish(
    builder: &Builder,
    arch: NvidiaArch,
    emitted: Emitted,
    toolchain: Toolchain,
    work: &Path,
) -> Result<Built, Error> {
    let Lowered { assembly, .. } = lower::lower(builder, &Llvm::new(&toolchain), &emitted, work)?;
    let ptxas = Ptxas::find(arch);
    let kernels = match &ptxas {
        Some(ptxas) => assemble(ptxas, arch, &assembly, work)?,
        None => Vec::new(),
    };
    Ok(Built {
        assembly,
        code_object: None,
        toolchain,
        flags: emitted.flags,
        kernels,
        checked_by: ptxas.map(|ptxas| format!("ptxas {}", ptxas.version())),
        sources: emitted.sources,
    })
}

fn assemble(
    ptxas: &Ptxas,
    arch: NvidiaArch,
    ptx: &Path,
    work: &Path,
) -> Result<Vec<Kernel>, Error> {
    let mut command = Command::new(&ptxas.path);
    command.arg("-v").arg(format!("-arch={}", arch.name()));
    command.arg(ptx).arg("-o").arg(work.join("kernels.cubin"));
    process::run(format!("ptxas {} on {}", ptxas.version(), ptx.display()), &mut command)
        .map(|report| kernels(&report))
}

/// The kernels of a report of `ptxas -v`.
fn kernels(report: &str) -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = Vec::new();
    for line in report.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default().to_owned();
            kernels.push(Kernel { name, ..Kernel::default() });
        }
        let Some(kernel) = kernels.last_mut() else { continue };
        if let Some(bytes) = number_before(line, " bytes stack frame") {
            kernel.scratch_bytes = kernel.scratch_bytes.max(bytes);
        }
        if let Some(bytes) = number_before(line, " bytes spill stores") {
            kernel.spills = kernel.spills.max(bytes);
        }
        if let Some(count) = number_before(line, " registers") {
            kernel.registers = count;
            kernel.shared_bytes = number_before(line, " bytes smem").unwrap_or(0);
        }
    }
    kernels
}

fn number_before(line: &str, mark: &str) -> Option<u32> {
    let before = line.split_once(mark)?.0;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let report = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'sum' for 'sm_90'
ptxas info    : Function properties for sum
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 17 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function 'max' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
";
        let [sum, max] = &kernels(report)[..] else { panic!("two kernels") };
        assert_eq!((sum.name.as_str(), sum.registers, sum.shared_bytes), ("sum", 17, 1024));
        assert_eq!((sum.scratch_bytes, sum.spills), (8, 4));
        assert_eq!((max.name.as_str(), max.registers, max.shared_bytes), ("max", 8, 0));
        assert!(sum.fault().is_some() && max.fault().is_none());
    }
}
