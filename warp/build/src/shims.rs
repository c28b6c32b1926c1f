//! An LLVM module with what Rust cannot say on AMD, linked to every kernel crate.
//!
//! `wavewise` declares the functions; all are inlined. The scopes of LLVM's memory model are those
//! of "Memory Scopes" in its AMDGPU guide; the implicit arguments those of its code object V5.

use std::fmt::Write as _;

/// `wavewise`'s scopes, and LLVM's names for them.
const SCOPES: [(&str, &str); 4] = [
    ("wave", "syncscope(\"wavefront\") "),
    ("block", "syncscope(\"workgroup\") "),
    ("device", "syncscope(\"agent\") "),
    ("system", ""),
];

/// The text of the module.
pub(crate) fn module() -> String {
    let mut text = String::from(
        "target triple = \"amdgcn-amd-amdhsa\"\n\
         declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n\
         declare void @llvm.amdgcn.s.barrier()\n\
         declare void @llvm.amdgcn.wave.barrier()\n\
         attributes #0 = { alwaysinline convergent nounwind }\n",
    );
    launch_shape(&mut text);
    barriers(&mut text);
    atomics(&mut text);
    text
}

fn function(text: &mut String, result: &str, name: &str, parameters: &str, body: &str) {
    let _ = writeln!(
        text,
        "define linkonce_odr hidden {result} @__wavewise_{name}({parameters}) #0 {{\n{body}}}"
    );
}

fn launch_shape(text: &mut String) {
    for (axis, place) in [("x", 0), ("y", 1), ("z", 2)] {
        let arguments = "  %base = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n";
        // hidden_block_count_x, _y, _z
        let grid = format!(
            "{arguments}\
             \x20 %at = getelementptr i8, ptr addrspace(4) %base, i64 {}\n\
             \x20 %size = load i32, ptr addrspace(4) %at, align 4, !invariant.load !{{}}\n\
             \x20 ret i32 %size\n",
            4 * place
        );
        function(text, "i32", &format!("grid_size_{axis}"), "", &grid);
        // hidden_group_size_x, _y, _z
        let block = format!(
            "{arguments}\
             \x20 %at = getelementptr i8, ptr addrspace(4) %base, i64 {}\n\
             \x20 %short = load i16, ptr addrspace(4) %at, align 2, !invariant.load !{{}}\n\
             \x20 %size = zext i16 %short to i32\n\
             \x20 ret i32 %size\n",
            12 + 2 * place
        );
        function(text, "i32", &format!("block_size_{axis}"), "", &block);
    }
}

fn barriers(text: &mut String) {
    for (name, scope) in SCOPES {
        for order in ["acquire", "release", "acq_rel", "seq_cst"] {
            let body = format!("  fence {scope}{order}\n  ret void\n");
            function(text, "void", &format!("fence_{order}_{name}"), "", &body);
        }
    }
    // The fences bring the waits for the memory that the threads wrote; the instruction alone
    // waits for none.
    let meet = |scope: &str, instruction: &str| {
        format!(
            "  fence syncscope(\"{scope}\") release\n\
             \x20 call void @llvm.amdgcn.{instruction}()\n\
             \x20 fence syncscope(\"{scope}\") acquire\n\
             \x20 ret void\n"
        )
    };
    function(text, "void", "barrier", "", &meet("workgroup", "s.barrier"));
    function(text, "void", "sync_wave", "", &meet("wavefront", "wave.barrier"));
}

/// Relaxed operations in each scope; an order is made of them and of fences.
fn atomics(text: &mut String) {
    for (name, scope) in &SCOPES[1..] {
        for bits in [32, 64] {
            let align = bits / 8;
            let load = format!(
                "  %was = load atomic i{bits}, ptr %at {scope}monotonic, align {align}\n  ret i{bits} %was\n"
            );
            function(text, &format!("i{bits}"), &format!("load_{bits}_{name}"), "ptr %at", &load);
            let store = format!(
                "  store atomic i{bits} %value, ptr %at {scope}monotonic, align {align}\n  ret void\n"
            );
            let parameters = format!("ptr %at, i{bits} %value");
            function(text, "void", &format!("store_{bits}_{name}"), &parameters, &store);
            for op in ["xchg", "add", "and", "or", "xor", "min", "max", "umin", "umax"] {
                let body = format!(
                    "  %was = atomicrmw {op} ptr %at, i{bits} %value {scope}monotonic\n  ret i{bits} %was\n"
                );
                function(
                    text,
                    &format!("i{bits}"),
                    &format!("{op}_{bits}_{name}"),
                    &parameters,
                    &body,
                );
            }
            let swap = format!(
                "  %pair = cmpxchg ptr %at, i{bits} %current, i{bits} %new {scope}monotonic monotonic\n\
                 \x20 %was = extractvalue {{ i{bits}, i1 }} %pair, 0\n\
                 \x20 ret i{bits} %was\n"
            );
            let parameters = format!("ptr %at, i{bits} %current, i{bits} %new");
            function(
                text,
                &format!("i{bits}"),
                &format!("cmpxchg_{bits}_{name}"),
                &parameters,
                &swap,
            );
        }
    }
}
