//! What the compiler makes of collectives: read in the emitted text.

mod fixture;

use fixture::{builder, built, count, text};
use wavewise_build::{OptLevel, Target};

/// The instructions of kernels for a target, or a return where nothing can be built.
macro_rules! instructions {
    ($target:expr) => {{
        let Some(built) = built(&builder($target, OptLevel::Three, "operations")) else { return };
        let text = text(&built);
        move |name: &str| kernel(&text, name)
    }};
}

#[test]
fn an_f32_sum_on_hopper_is_five_shuffles_and_five_adds() {
    let of = instructions!("sm_90");
    let sum = of("sum_f32");
    assert_eq!(count(&sum, "shfl.sync.bfly.b32"), 5, "{sum:#?}");
    assert_eq!(count(&sum, "shfl"), 5);
    assert_eq!(count(&sum, "add.rn.f32"), 5);
    assert_eq!(count(&sum, "vote") + count(&sum, "redux") + count(&sum, "activemask"), 0);
}

#[test]
fn an_integer_reduction_is_one_instruction_from_ampere_on() {
    for target in ["sm_80", "sm_90", "sm_100"] {
        let of = instructions!(target);
        for (name, instruction) in [
            ("sum_u32", "redux.sync.add"),
            ("sum_i8", "redux.sync.add"),
            ("min_u32", "redux.sync.min.u32"),
            ("min_i32", "redux.sync.min.s32"),
            ("max_i16", "redux.sync.max.s32"),
            ("and_u32", "redux.sync.and"),
            ("or_u32", "redux.sync.or"),
            ("xor_u32", "redux.sync.xor"),
        ] {
            let lines = of(name);
            assert_eq!(count(&lines, instruction), 1, "{target} {name} {lines:#?}");
            assert_eq!(count(&lines, "redux") + count(&lines, "shfl"), 1, "{target} {name}");
        }
        assert_eq!(count(&of("sum_u64"), "redux"), 0);
    }
    let of = instructions!("sm_70");
    assert_eq!(count(&of("sum_u32"), "shfl.sync.bfly.b32"), 5);
    assert_eq!(count(&of("sum_u32"), "redux"), 0);
}

#[test]
fn an_f32_sum_of_64_lanes_on_mi300_is_dpp_and_one_readlane() {
    let of = instructions!("gfx942");
    let sum = of("sum_f32");
    assert_eq!(count(&sum, "ds_"), 0, "{sum:#?}");
    assert_eq!(count(&sum, "v_readlane_b32"), 1);
    // From the first move between lanes to the value that all lanes hold.
    let from = sum.iter().position(|line| line.contains("_dpp")).expect("a DPP instruction");
    let to = sum.iter().position(|line| line.contains("v_readlane")).expect("a readlane");
    let vector = count(&sum[from..to], "v_");
    assert!((6..=10).contains(&vector), "{vector}: {:#?}", &sum[from..=to]);
    // The butterfly's pairs in a row, and the ladder over the rows; a rotation has another tree.
    for control in [
        "quad_perm:[1,0,3,2]",
        "quad_perm:[2,3,0,1]",
        "row_half_mirror",
        "row_mirror",
        "row_bcast:15",
        "row_bcast:31",
    ] {
        assert_eq!(count(&sum, control), 1, "{control}");
    }
    assert_eq!(count(&sum, "row_ror") + count(&sum, "row_shr"), 0);
}

#[test]
fn rdna_reduces_by_dpp_and_permlanes() {
    for target in ["gfx1100-wave32", "gfx1200-wave32", "gfx1100-wave64", "gfx1200-wave64"] {
        let of = instructions!(target);
        let sum = of("sum_f32");
        assert_eq!(count(&sum, "ds_") + count(&sum, "row_bcast"), 0, "{target} {sum:#?}");
        assert_eq!(count(&sum, "v_permlanex16_b32"), 1, "{target}");
        assert_eq!(
            count(&sum, "v_permlane64_b32"),
            usize::from(target.ends_with("64")),
            "{target}"
        );
    }
}

#[test]
fn a_shuffle_crosses_the_halves_where_ds_bpermute_does_not() {
    let of = instructions!("gfx1100-wave64");
    let lines = of("index");
    assert_eq!((count(&lines, "v_permlane64"), count(&lines, "ds_bpermute")), (1, 2), "{lines:#?}");
    let of = instructions!("gfx1200-wave64");
    let lines = of("index");
    assert_eq!((count(&lines, "v_permlane64"), count(&lines, "ds_bpermute")), (0, 1), "{lines:#?}");
}

#[test]
fn a_segment_is_in_the_last_operand_of_a_shuffle() {
    let of = instructions!("sm_90");
    // CUDA's encoding: (32 - width) << 8 | 31, and without the 31 for `up`.
    assert_eq!(count(&of("up"), ", 0, -1;"), 1, "{:#?}", of("up"));
    assert_eq!(count(&of("down"), ", 31, -1;"), 1, "{:#?}", of("down"));
    assert_eq!(count(&of("up_8"), ", 6144, -1;"), 1, "{:#?}", of("up_8"));
    assert_eq!(count(&of("down_8"), ", 6175, -1;"), 1, "{:#?}", of("down_8"));
}

#[test]
fn what_is_the_same_in_all_lanes_is_read_from_one() {
    let of = instructions!("gfx942");
    for (name, instruction) in
        [("broadcast", "v_readlane_b32"), ("broadcast_first", "v_readfirstlane_b32")]
    {
        let lines = of(name);
        assert_eq!(count(&lines, instruction), 1, "{name} {lines:#?}");
        assert_eq!(count(&lines, "ds_"), 0, "{name}");
    }
    assert_eq!(count(&of("broadcast_in_8"), "ds_bpermute_b32"), 1);
}

#[test]
fn votes_are_votes() {
    let of = instructions!("sm_90");
    assert_eq!(count(&of("any"), "vote.sync.any"), 1);
    assert_eq!(count(&of("all"), "vote.sync.all"), 1);
    assert_eq!(count(&of("ballot"), "vote.sync.ballot"), 1);
}

#[test]
fn a_barrier_waits_for_the_writes_before_it() {
    for target in ["gfx90a", "gfx942", "gfx950"] {
        let of = instructions!(target);
        let lines = of("shared_arrays");
        let barrier = lines.iter().position(|line| line == "s_barrier").expect("a barrier");
        let write = lines[..barrier]
            .iter()
            .rposition(|line| line.starts_with("ds_write"))
            .expect("a write");
        assert!(
            lines[write..barrier]
                .iter()
                .any(|line| line.starts_with("s_waitcnt") && line.contains("lgkmcnt(0)")),
            "{target} {:#?}",
            &lines[write..=barrier]
        );
    }
}

#[test]
fn two_shared_arrays_are_two() {
    for target in ["sm_90", "gfx942"] {
        let Some(built) = built(&builder(target, OptLevel::Three, "operations")) else { return };
        let lines = kernel(&text(&built), "shared_arrays");
        let kernel = built.kernels.iter().find(|kernel| kernel.name == "shared_arrays");
        if let Some(kernel) = kernel {
            assert_eq!(kernel.shared_bytes, 2 * 256 * 4, "{target}");
        }
        match target {
            "sm_90" => assert_eq!((count(&lines, "st.shared"), count(&lines, "ld.shared")), (2, 2)),
            _ => assert_eq!(count(&lines, "flat_"), 0, "{lines:#?}"),
        }
    }
}

#[test]
fn four_floats_are_one_load() {
    let of = instructions!("sm_90");
    assert_eq!(count(&of("vector_sum"), "ld.global.nc.v4.b32"), 1);
    let of = instructions!("gfx942");
    assert_eq!(count(&of("vector_sum"), "global_load_dwordx4"), 1);
}

#[test]
fn atomics_have_their_order_and_scope() {
    let of = instructions!("sm_90");
    let lines = of("atomic_kinds");
    for instruction in [
        "atom.relaxed.gpu.add.f32",
        "atom.relaxed.cta.cas.b32",
        "atom.acq_rel.sys.min.s64",
        "fence.sc.gpu",
        "atom.acq_rel.gpu.add.f64",
        "atom.release.cta.exch.b64",
        "atom.acquire.gpu.cas.b64",
    ] {
        assert_eq!(count(&lines, instruction), 1, "{instruction} {lines:#?}");
    }
    // A release writes back what other chips' caches would not see, an acquire drops what is old.
    let of = instructions!("gfx942");
    let lines = of("flag_handover");
    let at =
        |mark: &str| lines.iter().position(|line| line.starts_with(mark)).expect("an instruction");
    assert!(
        lines[at("buffer_wbl2 sc1")..]
            .iter()
            .any(|line| line.starts_with("global_store_dword") && line.contains("sc1"))
    );
    assert!(
        lines[..at("buffer_inv sc1")]
            .iter()
            .any(|line| line.starts_with("global_load_dword") && line.contains("sc1"))
    );
}

#[test]
fn half_precision_is_the_hardwares() {
    let of = instructions!("sm_90");
    assert_eq!(count(&of("sum_f16"), "add.rn.f16"), 5, "{:#?}", of("sum_f16"));
    let of = instructions!("gfx942");
    assert_eq!(count(&of("sum_f16"), "v_add_f16_dpp"), 6, "{:#?}", of("sum_f16"));
}

#[test]
fn float_extrema_are_one_instruction_on_nvidia() {
    let of = instructions!("sm_90");
    assert_eq!(count(&of("min_f32"), "min.f32"), 5, "{:#?}", of("min_f32"));
    assert_eq!(count(&of("minimum_f32"), "min.NaN.f32"), 5, "{:#?}", of("minimum_f32"));
}

/// The build refuses what an assembler does not accept, and spills and scratch.
#[test]
fn every_target_accepts_every_kernel() {
    let source = include_str!("kernels/src/operations.rs");
    for target in Target::ALL {
        let Some(built) = built(&builder(&target.to_string(), OptLevel::Three, "operations"))
        else {
            return;
        };
        let text = text(&built);
        let kernels = match target {
            Target::Nvidia(_) => text.matches(".visible .entry ").count(),
            _ => text.matches(".amdhsa_kernel ").count(),
        };
        assert!(kernels > 60, "{target}: {kernels}");
        assert!(source.contains("fn vector_sum"));
        kernel(&text, "vector_sum");
        if built.checked_by.is_some() {
            assert_eq!(built.kernels.len(), kernels, "{target}");
        }
        assert_eq!(built.code_object.is_some(), matches!(target, Target::Amd(..)));
        assert!(built.toolchain.version().starts_with("rustc "));
        assert!(
            built.sources.iter().any(|path| path.ends_with("src/operations.rs")),
            "{:?}",
            built.sources
        );
    }
}

/// The instructions of one kernel, a line each, labels and directives left out.
fn kernel(text: &str, name: &str) -> Vec<String> {
    let ptx = text.contains(".address_size");
    let (start, end) = if ptx {
        (format!(".entry {name}("), "-- End function")
    } else {
        (format!("\n{name}:"), "\n.Lfunc_end")
    };
    let body = text.split_once(&start).unwrap_or_else(|| panic!("no kernel {name}")).1;
    let body = body.split_once(end).expect("the end of a kernel").0;
    body.lines()
        .map(|line| line.split(if ptx { "//" } else { ";" }).next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty() && !line.starts_with('.') && !line.ends_with(':'))
        .map(str::to_owned)
        .collect()
}
