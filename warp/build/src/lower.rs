//! From rustc's bitcode to assembly: block-shared arrays, linking of what Rust cannot say,
//! optimisation, code.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo::Emitted;
use crate::tools::Llvm;
use crate::{Builder, Error, OptLevel, Target, process, shared, shims, traps};

/// What [`lower`] made, in LLVM's bitcode and in the target's assembly.
pub(crate) struct Lowered {
    pub(crate) optimised: PathBuf,
    pub(crate) assembly: PathBuf,
}

pub(crate) fn lower(
    builder: &Builder,
    llvm: &Llvm<'_>,
    emitted: &Emitted,
    work: &Path,
) -> Result<Lowered, Error> {
    let readable = work.join("rustc.ll");
    process::run(
        "llvm-dis on rustc's bitcode",
        llvm.command("llvm-dis")?.arg(&emitted.file).arg("-o").arg(&readable),
    )?;
    let text = fs::read_to_string(&readable).map_err(Error::io(&readable))?;
    let mut module = work.join("kernels.ll");
    let mut code = shared::with_arrays(&text)?;
    if traps::are_simulated(builder.target) {
        code = traps::spelled_out(&code);
    }
    fs::write(&module, code).map_err(Error::io(&module))?;
    if matches!(builder.target, Target::Amd(..)) {
        let shims = work.join("shims.ll");
        fs::write(&shims, shims::module()).map_err(Error::io(&shims))?;
        let linked = work.join("linked.bc");
        process::run(
            "llvm-link",
            llvm.command("llvm-link")?
                .arg("--only-needed")
                .args([&module, &shims])
                .arg("-o")
                .arg(&linked),
        )?;
        module = linked;
    }
    let optimised = work.join("optimised.ll");
    process::run(
        "opt",
        llvm.command("opt")?
            // Without optimisation rustc leaves all of `core` in: only kernels are kept.
            .arg(format!("-passes=internalize,globaldce,default<O{}>,globaldce", builder.opt_level))
            .arg(format!("-internalize-public-api-list={}", kernels(&text).join(",")))
            .arg("-S")
            .arg(&module)
            .arg("-o")
            .arg(&optimised),
    )?;
    let assembly = work.join(match builder.target {
        Target::Nvidia(_) => "kernels.ptx",
        Target::Amd(..) => "kernels.s",
    });
    compile(builder, llvm, &optimised, "asm", &assembly)?;
    Ok(Lowered { optimised, assembly })
}

/// The names of the kernels that a module defines.
fn kernels(module: &str) -> Vec<&str> {
    module.lines().filter_map(kernel).collect()
}

/// The name of the kernel that a line begins.
fn kernel(line: &str) -> Option<&str> {
    let (convention, rest) = line.strip_prefix("define ")?.split_once('@')?;
    let (name, _) = rest.split_once('(')?;
    ["amdgpu_kernel", "ptx_kernel"].iter().any(|kind| convention.contains(kind)).then_some(name)
}

/// Runs `llc`.
pub(crate) fn compile(
    builder: &Builder,
    llvm: &Llvm<'_>,
    module: &Path,
    kind: &str,
    output: &Path,
) -> Result<(), Error> {
    // llc knows no level for size.
    let level = match builder.opt_level {
        OptLevel::Size => OptLevel::Two,
        level => level,
    };
    process::run(
        format!("llc for {}", builder.target),
        llvm.command("llc")?
            .args(chip(builder.target))
            .arg(format!("-O{level}"))
            .arg(format!("--filetype={kind}"))
            .arg(module)
            .arg("-o")
            .arg(output),
    )?;
    Ok(())
}

/// The arguments by which LLVM's programs know the chip.
pub(crate) fn chip(target: Target) -> Vec<String> {
    let mut arguments = vec![format!("-mcpu={}", target.arch())];
    if !target.features().is_empty() {
        arguments.push(format!("-mattr={}", target.features()));
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_told_from_functions() {
        let module = "\
define amdgpu_kernel void @sum(ptr %x) #0 {
define internal i32 @help(i32 %x) {
define ptx_kernel void @max(ptr %x) {
declare void @gone()
";
        assert_eq!(kernels(module), ["sum", "max"]);
    }
}
