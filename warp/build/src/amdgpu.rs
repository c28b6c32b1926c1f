//! After rustc, for AMD: linking of what Rust cannot say, optimisation, code, and its checks.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::cargo::Emitted;
use crate::tools::Llvm;
use crate::{Builder, Built, Error, Kernel, OptLevel, Target, Toolchain, process, shims};

pub(crate) fn finish(
    builder: &Builder,
    emitted: Emitted,
    toolchain: Toolchain,
    work: &Path,
) -> Result<Built, Error> {
    let target = builder.target;
    let llvm = Llvm::new(&toolchain);
    let file = |name: &str| work.join(name);

    let readable = file("rustc.ll");
    process::run(
        "llvm-dis on rustc's bitcode",
        llvm.command("llvm-dis")?.arg(&emitted.file).arg("-o").arg(&readable),
    )?;
    let text = fs::read_to_string(&readable).map_err(Error::io(&readable))?;
    let kernels = file("kernels.ll");
    fs::write(&kernels, with_shared_arrays(&text)?).map_err(Error::io(&kernels))?;
    let shims = file("shims.ll");
    fs::write(&shims, shims::module()).map_err(Error::io(&shims))?;

    let linked = file("linked.bc");
    process::run(
        "llvm-link",
        llvm.command("llvm-link")?
            .arg("--only-needed")
            .args([&kernels, &shims])
            .arg("-o")
            .arg(&linked),
    )?;
    let optimised = file("optimised.ll");
    process::run(
        "opt",
        llvm.command("opt")?
            .arg(format!("-O{}", builder.opt_level))
            .arg("-S")
            .arg(&linked)
            .arg("-o")
            .arg(&optimised),
    )?;
    let assembly = file("kernels.s");
    let object = file("kernels.o");
    for (output, kind) in [(&assembly, "asm"), (&object, "obj")] {
        process::run(
            format!("llc for {target}"),
            llvm.command("llc")?
                .args(chip(target))
                // llc knows no level for size.
                .arg(if builder.opt_level == OptLevel::Size {
                    "-O2".to_owned()
                } else {
                    format!("-O{}", builder.opt_level)
                })
                .arg(format!("--filetype={kind}"))
                .arg(&optimised)
                .arg("-o")
                .arg(output),
        )?;
    }
    let code_object = file("kernels.hsaco");
    process::run(
        "ld.lld",
        llvm.linker()?.arg("-shared").arg(&object).arg("-o").arg(&code_object),
    )?;
    let checked_by = check(&llvm, target, &assembly, work)?;
    let text = fs::read_to_string(&assembly).map_err(Error::io(&assembly))?;
    Ok(Built {
        kernels: resources(&text),
        assembly,
        code_object: Some(code_object),
        checked_by,
        flags: emitted.flags,
        sources: emitted.sources,
        toolchain,
    })
}

fn chip(target: Target) -> Vec<String> {
    let mut arguments = vec![format!("-mcpu={}", target.arch())];
    if !target.features().is_empty() {
        arguments.push(format!("-mattr={}", target.features()));
    }
    arguments
}

/// `llvm-mc` reads the text back, where it is installed.
fn check(llvm: &Llvm<'_>, target: Target, assembly: &Path, work: &Path) -> Result<Option<String>, Error> {
    if llvm.find("llvm-mc").is_none() {
        return Ok(None);
    }
    process::run(
        format!("llvm-mc on {}", assembly.display()),
        llvm.command("llvm-mc")?
            .args(chip(target))
            .arg(format!("-triple={}", target.triple()))
            .arg("-filetype=obj")
            .arg(assembly)
            .arg("-o")
            .arg(work.join("checked.o")),
    )?;
    Ok(Some("llvm-mc".to_owned()))
}

/// The module with each call of `__wavewise_lds` made the address of an array of its own.
///
/// A function that is linked in could have one array for each size only, so that two arrays of one
/// kernel would lie upon each other.
fn with_shared_arrays(module: &str) -> Result<String, Error> {
    let mut arrays = String::new();
    let mut text = String::with_capacity(module.len());
    let mut count = 0;
    for line in module.lines() {
        let call = line.split_once("call ").filter(|(_, call)| call.contains("@__wavewise_lds("));
        let Some((before, call)) = call else {
            text += line;
            text += "\n";
            continue;
        };
        let refused = || Error::SharedSize { line: line.trim().to_owned() };
        let arguments = call.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        let numbers: Vec<u64> = arguments
            .ok_or_else(refused)?
            .0
            .split(',')
            .filter_map(|argument| argument.rsplit(' ').next()?.parse().ok())
            .collect();
        let &[bytes, align] = &numbers[..] else { return Err(refused()) };
        let (result, _) = before.split_once('=').ok_or_else(refused)?;
        let name = format!("@__wavewise_lds.{count}");
        count += 1;
        // Without a byte it would be the array whose size is set at launch.
        let bytes = bytes.max(1);
        let _ = writeln!(
            arrays,
            "{name} = internal addrspace(3) global [{bytes} x i8] poison, align {align}"
        );
        let _ = writeln!(text, "{result}= addrspacecast ptr addrspace(3) {name} to ptr");
    }
    Ok(text + &arrays)
}

/// The kernels of the assembly, from the metadata at its end.
fn resources(assembly: &str) -> Vec<Kernel> {
    let Some(metadata) = assembly.split(".amdgpu_metadata").nth(1) else { return Vec::new() };
    // The arguments of a kernel have names too, deeper in.
    let field = |line: &str, name: &str| {
        let indent = line.len() - line.trim_start().len();
        let rest = line.trim_start().trim_start_matches("- ").strip_prefix(name)?;
        (indent <= 4).then(|| rest.trim().to_owned())
    };
    let mut kernels = Vec::new();
    let mut kernel = Kernel::default();
    for line in metadata.lines() {
        let number = |name| field(line, name).and_then(|value| value.parse::<u32>().ok());
        if let Some(name) = field(line, ".name:") {
            kernel.name = name;
        }
        if let Some(bytes) = number(".group_segment_fixed_size:") {
            kernel.shared_bytes = bytes;
        }
        if let Some(bytes) = number(".private_segment_fixed_size:") {
            kernel.scratch_bytes = bytes;
        }
        if let Some(count) = number(".sgpr_count:") {
            kernel.scalar_registers = count;
        }
        if let Some(count) = number(".sgpr_spill_count:") {
            kernel.spills += count;
        }
        if let Some(count) = number(".vgpr_count:") {
            kernel.registers = count;
        }
        // The fields are in the order of the alphabet, so these two end a kernel.
        if let Some(count) = number(".vgpr_spill_count:") {
            kernel.spills += count;
        }
        if field(line, ".wavefront_size:").is_some() {
            kernels.push(std::mem::take(&mut kernel));
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_gets_an_array_of_its_own() {
        let module = "\
define void @k() {
  %a = tail call noundef ptr @__wavewise_lds(i64 noundef 1024, i64 noundef 16) #1
  %b = tail call noundef ptr @__wavewise_lds(i64 noundef 1024, i64 noundef 16) #1
}
declare ptr @__wavewise_lds(i64, i64)
";
        let text = with_shared_arrays(module).unwrap();
        assert!(text.contains("  %a = addrspacecast ptr addrspace(3) @__wavewise_lds.0 to ptr\n"), "{text}");
        assert!(text.contains("  %b = addrspacecast ptr addrspace(3) @__wavewise_lds.1 to ptr\n"), "{text}");
        assert!(text.contains("@__wavewise_lds.1 = internal addrspace(3) global [1024 x i8] poison, align 16\n"));
        assert!(text.contains("declare ptr @__wavewise_lds(i64, i64)"));
    }

    #[test]
    fn a_size_that_is_no_constant_is_refused() {
        let line = "  %a = call ptr @__wavewise_lds(i64 noundef %n, i64 noundef 16)";
        let error = with_shared_arrays(line).unwrap_err().to_string();
        assert!(error.contains("%n"), "{error}");
    }

    #[test]
    fn resources_are_read() {
        let text = "\
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .name:           argument
        .size:           8
    .group_segment_fixed_size: 256
    .name:           sum
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .vgpr_count:     7
    .vgpr_spill_count: 2
    .wavefront_size: 64
";
        let [kernel] = &resources(text)[..] else { panic!("one kernel") };
        assert_eq!(kernel.name, "sum");
        assert_eq!((kernel.shared_bytes, kernel.registers, kernel.scalar_registers), (256, 7, 12));
        assert_eq!((kernel.spills, kernel.scratch_bytes), (2, 0));
    }
}
