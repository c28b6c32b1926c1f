//! As many collectives come out as go in.
//!
//! See `docs/convergence.md` for the fault that these see.

mod fixture;

use fixture::{builder, built, count, demanded, text};
use wavewise_build::{Built, OptLevel, Target};

/// How many of each kind are in the text: shuffles by index, ballots, and shuffles by a constant
/// (`bfly`, or DPP).
fn collectives(built: &Built, target: Target) -> [usize; 3] {
    let text = text(built);
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    match target {
        Target::Nvidia(_) => {
            ["shfl.sync.idx", "vote.sync.ballot", "shfl.sync.bfly"].map(|mark| count(&lines, mark))
        }
        Target::Amd(..) => {
            // A ballot is a comparison like another in the assembly; it is counted where it has a
            // name, in what the code was made of.
            let module = built.assembly.with_file_name("optimised.ll");
            let module = std::fs::read_to_string(module).expect("the module");
            let ballots = module
                .lines()
                .filter(|line| line.contains("call ") && line.contains("@llvm.amdgcn.ballot"))
                .count();
            let moves = count(&lines, " quad_perm:")
                + count(&lines, " row_half_mirror")
                + count(&lines, " row_mirror")
                + count(&lines, " row_bcast");
            [count(&lines, "ds_bpermute_b32"), ballots, moves]
        }
    }
}

fn targets() -> [Target; 2] {
    ["sm_90", "gfx942"].map(|name| name.parse().expect("a target"))
}

/// Three kernels with each of three collectives between two branches.
const STRAIGHT: [usize; 3] = [3, 3, 3];

#[test]
fn a_collective_between_branches_stays_one() {
    for target in targets() {
        for level in OptLevel::ALL {
            let builder = builder(&target.to_string(), level, "branches").allow_spills();
            let Some(built) = built(&builder) else { return };
            assert_eq!(collectives(&built, target), STRAIGHT, "{target} at opt-level {level}");
        }
    }
}

#[test]
fn a_ladder_between_branches_stays_one() {
    for target in targets() {
        for level in [OptLevel::Two, OptLevel::Three] {
            let builder = builder(&target.to_string(), level, "ladders").allow_spills();
            let Some(built) = built(&builder) else { return };
            let steps = target.wave().lanes().trailing_zeros() as usize;
            assert_eq!(
                collectives(&built, target),
                [0, 0, 3 * steps],
                "{target} at opt-level {level}"
            );
        }
    }
}

/// The check above bites: without the flag this compiler copies collectives. Where a newer one does
/// not, this test says so, and the flag can go for it.
#[test]
fn without_the_flag_the_fault_is_seen() {
    for target in targets() {
        let builder = builder(&target.to_string(), OptLevel::Three, "branches")
            .allow_spills()
            .with_broken_convergence();
        let Some(built) = built(&builder) else { return };
        let found = collectives(&built, target);
        let copied = found.iter().zip(STRAIGHT).any(|(found, source)| *found > source);
        assert!(
            copied,
            "{} copies no collective on {target} without the flag ({found:?}): if it has been \
             mended, let `wavewise` accept it without `wavewise_convergent`",
            built.toolchain.version()
        );
    }
}

#[test]
fn wavewise_refuses_to_compile_without_the_flag() {
    for target in targets() {
        let builder =
            builder(&target.to_string(), OptLevel::Three, "branches").without_convergence();
        if !demanded() {
            return;
        }
        match builder.build() {
            Ok(_) => panic!("{target}: it compiled"),
            Err(error) => {
                let text = error.to_string();
                for word in
                    ["wavewise_convergent", "-Zmir-enable-passes=-JumpThreading", "wavewise-build"]
                {
                    assert!(text.contains(word), "{target}: {text}");
                }
            }
        }
    }
}
