//! `cargo xtask prebuilt`: the kernels for all targets, in `kernels/prebuilt/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use wavewise_build::{Builder, Built, Ptxas, Target};

use crate::error::Error;
use crate::manifest::{self, File, Manifest, Module};
use crate::{FOLDERS, device_folder, folder_of, text, workspace};

const ABOUT: &str = "The entry points of wavewise-kernels, compiled for each target. PTX (.ptx) and \
     AMD code objects (.hsaco) are what a program loads. The assembly (.s) is to be read, and kept \
     for one chip alone, for its size: llvm-objdump -d shows that of the others. Texts are without \
     comments. `cargo xtask prebuilt` makes these files, `cargo xtask prebuilt --check` makes them \
     again and compares.";

/// The AMD target whose assembly is kept to be read.
const READABLE: &str = "gfx942";

/// Builds the files and puts them where the kernels' crate takes them from.
pub fn write() -> Result<(), Error> {
    let folder = kept();
    let manifest = build(&folder)?;
    manifest.write(&folder)?;
    let expected = names(&manifest);
    for stray in files(&folder)?.difference(&expected) {
        let path = folder.join(stray);
        fs::remove_file(&path).map_err(Error::io(path))?;
    }
    for module in &manifest.modules {
        println!("{}: {}", module.target, sizes(module));
    }
    Ok(())
}

/// Builds the files into another folder, and compares.
///
/// Another compiler makes another text. Then the texts are not compared, and it says so; all else
/// is checked: that they assemble, need no memory for registers, and hold the same kernels.
pub fn check() -> Result<(), Error> {
    let folder = kept();
    let manifest = Manifest::read(&folder)?;
    report(&intact(&folder, &manifest)?)?;

    let fresh = device_folder().join("prebuilt");
    let rebuilt = build(&fresh)?;
    let same_compiler = (&rebuilt.compiler, &rebuilt.llvm) == (&manifest.compiler, &manifest.llvm);
    let mut faults = differences(&manifest, &rebuilt);
    if same_compiler {
        faults.extend(different_files(&folder, &manifest, &fresh, &rebuilt));
    } else {
        println!(
            "the prebuilt files were made by {} with LLVM {}, and this is {} with LLVM {}: texts are \
             not compared. All kernels were built anew, assembled and looked through for spills.",
            manifest.compiler, manifest.llvm, rebuilt.compiler, rebuilt.llvm
        );
    }
    report(&faults)?;
    for module in &rebuilt.modules {
        let kernels = module.kernels.len();
        println!("{}: {kernels} kernels, {}, right", module.target, module.checked_by);
    }
    Ok(())
}

/// Prints what is wrong, and fails where something is.
fn report(faults: &[String]) -> Result<(), Error> {
    for fault in faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Stale(faults.len())) }
}

fn kept() -> PathBuf {
    workspace().join("kernels/prebuilt")
}

/// Builds for all targets, with the texts and code objects in `folder`.
fn build(folder: &Path) -> Result<Manifest, Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let work = |folder_number| -> Result<Vec<_>, Error> {
        let targets = Target::ALL.into_iter().skip(folder_number).step_by(FOLDERS);
        targets.map(|target| build_one(target, folder)).collect()
    };
    let done: Result<Vec<_>, Error> = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..FOLDERS).map(|number| scope.spawn(move || work(number))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a build does not panic")).collect()
    });
    let mut done: Vec<_> = done?.into_iter().flatten().collect();
    done.sort_by_key(|&(target, ..)| target);
    let (_, any, _) = &done[0];
    Ok(Manifest {
        about: ABOUT.to_owned(),
        compiler: any.toolchain.version().to_owned(),
        llvm: any.llvm.clone(),
        modules: done.into_iter().map(|(.., module)| module).collect(),
    })
}

/// Builds for one target.
fn build_one(target: Target, folder: &Path) -> Result<(Target, Built, Module), Error> {
    if let Target::Nvidia(arch) = target {
        Ptxas::demand(arch)?;
    }
    let builder = Builder::new(workspace().join("kernels"), target);
    let built = builder.target_dir(folder_of(target)).build()?;
    let files = keep(target, &built, folder)?;
    let module = Module::new(target, &built, files)?;
    Ok((target, built, module))
}

/// Copies what is kept of a build into `folder`.
fn keep(target: Target, built: &Built, folder: &Path) -> Result<Vec<File>, Error> {
    let name = target.to_string();
    let mut kept = Vec::new();
    if built.code_object.is_none() || name == READABLE {
        let assembly = fs::read_to_string(&built.assembly).map_err(Error::io(&built.assembly))?;
        let extension = if built.code_object.is_none() { "ptx" } else { "s" };
        kept.push((extension, text::kept(target, &assembly).into_bytes()));
    }
    if let Some(code_object) = &built.code_object {
        kept.push(("hsaco", fs::read(code_object).map_err(Error::io(code_object))?));
    }
    let mut files = Vec::new();
    for (extension, bytes) in kept {
        let file = format!("{name}.{extension}");
        refuse_paths(&file, &bytes)?;
        let path = folder.join(&file);
        fs::write(&path, &bytes).map_err(Error::io(path))?;
        files.push(File::new(&file, &bytes));
    }
    Ok(files)
}

/// Refuses a file that names a folder of this machine.
fn refuse_paths(file: &str, bytes: &[u8]) -> Result<(), Error> {
    let home = std::env::home_dir().filter(|home| home.as_os_str().len() > 1);
    let folders = [Some(workspace().to_owned()), Some(device_folder()), home];
    for folder in folders.into_iter().flatten() {
        let folder = folder.display().to_string();
        if bytes.windows(folder.len()).any(|window| window == folder.as_bytes()) {
            return Err(Error::Path { file: file.to_owned(), folder });
        }
    }
    Ok(())
}

/// How the files in `folder` differ from what their manifest says.
fn intact(folder: &Path, manifest: &Manifest) -> Result<Vec<String>, Error> {
    let mut faults = Vec::new();
    for stray in files(folder)?.difference(&names(manifest)) {
        faults.push(format!("{stray}: not in the manifest"));
    }
    for file in manifest.modules.iter().flat_map(|module| &module.files) {
        match fs::read(folder.join(&file.name)) {
            Ok(bytes) if File::new(&file.name, &bytes) == *file => {}
            Ok(_) => faults.push(format!("{}: not what the manifest says", file.name)),
            Err(error) => faults.push(format!("{}: {error}", file.name)),
        }
    }
    Ok(faults)
}

/// How two builds differ in what must be the same whatever the compiler: targets and kernels.
fn differences(old: &Manifest, new: &Manifest) -> Vec<String> {
    let targets = |manifest: &Manifest| -> Vec<String> {
        manifest.modules.iter().map(|module| module.target.clone()).collect()
    };
    if targets(old) != targets(new) {
        return vec![format!(
            "targets: {:?}, and the manifest has {:?}",
            targets(new),
            targets(old)
        )];
    }
    let pairs = old.modules.iter().zip(&new.modules);
    pairs
        .filter(|(old, new)| old.names() != new.names())
        .map(|(old, _)| format!("{}: the sources make other kernels", old.target))
        .collect()
}

/// The files that the same compiler made otherwise.
fn different_files(folder: &Path, old: &Manifest, fresh: &Path, new: &Manifest) -> Vec<String> {
    let files = |manifest: &Manifest| -> Vec<String> {
        manifest.modules.iter().flat_map(|m| &m.files).map(|file| file.name.clone()).collect()
    };
    if files(old) != files(new) {
        return vec![format!("files: {:?}, and the manifest has {:?}", files(new), files(old))];
    }
    let differs = |name: String| {
        let (old, new) = (fs::read(folder.join(&name)).ok()?, fs::read(fresh.join(&name)).ok()?);
        if old == new {
            return None;
        }
        let (old, new) = (String::from_utf8_lossy(&old), String::from_utf8_lossy(&new));
        let place = match text::difference(&old, &new) {
            Some((line, old, new)) if !name.ends_with(".hsaco") => {
                format!(" in line {line}: `{}`, and now `{}`", old.trim(), new.trim())
            }
            _ => String::new(),
        };
        Some(format!("{name}: the sources make another{place}"))
    };
    files(old).into_iter().filter_map(differs).collect()
}

/// The names that a folder of these files has.
fn names(manifest: &Manifest) -> BTreeSet<String> {
    let files = manifest.modules.iter().flat_map(|module| &module.files);
    files.map(|file| file.name.clone()).chain([manifest::NAME.to_owned()]).collect()
}

/// The names in a folder.
fn files(folder: &Path) -> Result<BTreeSet<String>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    let names = entries.map(|entry| entry.map(|e| e.file_name().to_string_lossy().into_owned()));
    names.collect::<Result<_, _>>().map_err(Error::io(folder))
}

fn sizes(module: &Module) -> String {
    let sizes = module.files.iter().map(|file| format!("{} {} bytes", file.name, file.bytes));
    sizes.collect::<Vec<_>>().join(", ")
}
