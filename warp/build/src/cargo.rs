//! The inner cargo: what it is told, and what it is not told.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Builder, Error, Target, Toolchain, process};

/// What rustc wrote.
pub(crate) struct Emitted {
    /// LLVM bitcode.
    pub(crate) file: PathBuf,
    /// The source files it came from.
    pub(crate) sources: Vec<PathBuf>,
    /// The flags of every crate.
    pub(crate) flags: Vec<String>,
}

/// Whether the build is what a user wants, or what a test wants to see fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Kernels,
    BrokenConvergence,
    NoConvergence,
}

/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\x1f";

pub(crate) fn build(
    builder: &Builder,
    toolchain: &Toolchain,
    krate: &Path,
    folder: &Path,
    work: &Path,
) -> Result<Emitted, Error> {
    let flags = flags(builder);
    let file = work.join("rustc.bc");
    let mut command = Command::new(&toolchain.cargo);
    forget_the_outer_cargo(&mut command);
    command
        .current_dir(krate)
        .env("RUSTC", &toolchain.rustc)
        .env("RUSTC_WRAPPER", "")
        .env("RUSTC_WORKSPACE_WRAPPER", "")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR))
        .env("CARGO_TARGET_DIR", folder)
        .args(["rustc", "--lib", "--crate-type", "cdylib", "--release", "--quiet"])
        .args(["--target", builder.target.triple(), "-Zbuild-std=core"]);
    let level = builder.opt_level.flag();
    // A number is written bare, a letter in quotes.
    let level = if level == "s" { "\"s\"" } else { level };
    for setting in [
        &format!("opt-level={level}"),
        "lto=\"fat\"",
        "codegen-units=1",
        "panic=\"abort\"",
        "debug=false",
        "debug-assertions=false",
        "overflow-checks=false",
        "incremental=false",
    ] {
        command.args(["--config", &format!("profile.release.{setting}")]);
    }
    if !builder.features.is_empty() {
        command.args(["--features", &builder.features.join(",")]);
    }
    if !builder.default_features {
        command.arg("--no-default-features");
    }
    // rustc's own link step fails for both platforms, by lack of a linker for bitcode or by a bug:
    // `true` links nothing, and what is wanted is written before.
    command.args(["--", "-Clinker=true"]);
    if matches!(builder.target, Target::Amd(..)) {
        command.arg("-Clinker-flavor=gnu-cc");
    }
    command.arg(format!("--emit=llvm-bc={}", file.display()));
    process::run(format!("the build of {} for {}", krate.display(), builder.target), &mut command)?;
    Ok(Emitted { sources: sources(folder, builder.target, krate), file, flags })
}

/// The flags of every crate, `core` included.
pub(crate) fn flags(builder: &Builder) -> Vec<String> {
    let target = builder.target;
    let mut flags = vec![
        format!("-Ctarget-cpu={}", target.arch()),
        // A panic is a trap, and no code formats its message.
        "-Zunstable-options".to_owned(),
        "-Cpanic=immediate-abort".to_owned(),
        // Two kernels of one body stay two: an alias has no kernel descriptor.
        "-Zmerge-functions=disabled".to_owned(),
        format!("--cfg=wavewise_arch=\"{}\"", target.arch()),
        format!("--cfg=wavewise_wave=\"{}\"", target.wave().lanes()),
        "--check-cfg=cfg(wavewise_convergent)".to_owned(),
        "--check-cfg=cfg(wavewise_arch, values(any()))".to_owned(),
        "--check-cfg=cfg(wavewise_wave, values(any()))".to_owned(),
    ];
    if !target.features().is_empty() {
        flags.push(format!("-Ctarget-feature={}", target.features()));
    }
    if builder.job == Job::Kernels {
        flags.push("-Zmir-enable-passes=-JumpThreading".to_owned());
    }
    if builder.job != Job::NoConvergence {
        flags.push("--cfg=wavewise_convergent".to_owned());
    }
    flags.extend(builder.cfgs.iter().map(|cfg| format!("--cfg={cfg}")));
    flags
}

/// Takes away what the calling cargo, or the user for it, has set: flags, wrappers, profiles, its
/// job server, and the choice of a toolchain. What says where registries are stays.
fn forget_the_outer_cargo(command: &mut Command) {
    const KEPT: [&str; 6] = [
        "CARGO_HOME",
        "CARGO_HTTP_",
        "CARGO_NET_",
        "CARGO_REGISTRIES_",
        "CARGO_REGISTRY_",
        "CARGO_SOURCE_",
    ];
    for (name, _) in env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        let of_cargo = text.starts_with("CARGO") && !KEPT.iter().any(|kept| text.starts_with(kept));
        let of_rust = text.starts_with("RUST") && text != "RUSTUP_HOME";
        let of_make =
            ["MAKEFLAGS", "MFLAGS", "TARGET", "HOST", "PROFILE", "OPT_LEVEL"].contains(&text);
        if of_cargo || of_rust || of_make {
            command.env_remove(&name);
        }
    }
}

/// The source files, from the file that cargo writes beside the library for makefiles; the crate's
/// folder where there is none.
fn sources(folder: &Path, target: Target, krate: &Path) -> Vec<PathBuf> {
    let release = folder.join(target.triple()).join("release");
    let newest = std::fs::read_dir(&release)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "d"))
        .max_by_key(|path| path.metadata().and_then(|meta| meta.modified()).ok());
    let text = newest.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let sources = dependencies(&text);
    if sources.is_empty() { vec![krate.to_owned()] } else { sources }
}

/// What the first rule of a makefile depends on; a space in a name has a backslash before it.
fn dependencies(text: &str) -> Vec<PathBuf> {
    let Some((_, list)) = text.lines().next().and_then(|rule| rule.split_once(": ")) else {
        return Vec::new();
    };
    list.replace("\\ ", "\0")
        .split_ascii_whitespace()
        .map(|name| PathBuf::from(name.replace('\0', " ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_makefile_rule_is_read() {
        let names = dependencies("/t/libk.so: /a/src/lib.rs /b\\ c/d.rs\n\n/t/other: x\n");
        assert_eq!(names, [PathBuf::from("/a/src/lib.rs"), PathBuf::from("/b c/d.rs")]);
        assert_eq!(dependencies(""), Vec::<PathBuf>::new());
    }
}
