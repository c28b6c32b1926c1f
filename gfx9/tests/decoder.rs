//! The decoder against `llvm-mc`: random encodings of every format, disassembled by both.
//!
//! Skips with a line where LLVM is missing, unless `WAVEWISE_REQUIRE_LLVM` is set.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use wavewise_gfx9::{Arch, isa};

/// A small generator of reproducible bits (SplitMix64).
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The leading bits of every format the decoder knows: (value, mask).
fn formats(arch: Arch) -> Vec<(u32, u32)> {
    let mut f = vec![
        (0x8000_0000, 0xc000_0000), // SOP2, SOPK, SOP1, SOPC, SOPP
        (0xb000_0000, 0xf000_0000),
        (0xbe80_0000, 0xff80_0000),
        (0xbf00_0000, 0xff80_0000),
        (0xbf80_0000, 0xff80_0000),
        (0x0000_0000, 0x8000_0000), // VOP2
        (0x7e00_0000, 0xfe00_0000), // VOP1
        (0x7c00_0000, 0xfe00_0000), // VOPC
        (0x0000_00fa, 0x8000_01ff), // DPP
        (0x7e00_00fa, 0xfe00_01ff),
        (0x7c00_00fa, 0xfe00_01ff),
        (0xd800_0000, 0xfc00_0000), // DS
    ];
    match arch.generation() {
        9 => f.extend([
            (0xc000_0000, 0xfc00_0000), // SMEM
            (0xd000_0000, 0xfc00_0000), // VOP3
            (0xd380_0000, 0xff80_0000), // VOP3P
            (0xdc00_0000, 0xfc00_c000), // FLAT
            (0xdc00_4000, 0xfc00_c000), // SCRATCH
            (0xdc00_8000, 0xfc00_c000), // GLOBAL
            (0xe000_0000, 0xfc00_0000), // MUBUF
            (0x0000_00f9, 0x8000_01ff), // SDWA
            (0x7e00_00f9, 0xfe00_01ff),
            (0x7c00_00f9, 0xfe00_01ff),
        ]),
        g => {
            f.extend([
                (0xf400_0000, 0xfc00_0000), // SMEM
                (0xd400_0000, 0xfc00_0000), // VOP3
                (0xcc00_0000, 0xff00_0000), // VOP3P
                (0xc800_0000, 0xfc00_0000), // VOPD
                (0x0000_00e9, 0x8000_01ff), // DPP8
                (0x7e00_00ea, 0xfe00_01ff),
            ]);
            if g == 11 {
                f.extend([
                    (0xdc00_0000, 0xfc03_0000),
                    (0xdc01_0000, 0xfc03_0000),
                    (0xdc02_0000, 0xfc03_0000),
                    (0xe000_0000, 0xfc00_0000),
                ]);
            } else {
                f.extend([
                    (0xec00_0000, 0xff00_0000),
                    (0xed00_0000, 0xff00_0000),
                    (0xee00_0000, 0xff00_0000),
                    (0xc400_0000, 0xfc00_0000),
                ]);
            }
        }
    }
    f
}

/// Asks LLVM about every entry; `None` where it refuses, or where its re-encoding differs (a field it does not show).
fn llvm(arch: Arch, wave: u32, corpus: &[Vec<u8>]) -> Option<Vec<Option<(String, usize)>>> {
    let mut by_bytes = HashMap::new();
    for chunk in corpus.chunks(500) {
        llvm_chunk(arch, wave, chunk, &mut by_bytes)?;
    }
    Some(
        corpus
            .iter()
            .map(|c| {
                [4, 8, 12]
                    .into_iter()
                    .filter(|&n| n <= c.len())
                    .find_map(|n| by_bytes.get(&c[..n]).map(|t| (t.clone(), n)))
            })
            .collect(),
    )
}

/// LLVM's printer crashes on some invalid encodings: such a chunk is halved until the culprit is alone.
fn llvm_chunk(
    arch: Arch,
    wave: u32,
    corpus: &[Vec<u8>],
    by_bytes: &mut HashMap<Vec<u8>, String>,
) -> Option<()> {
    let feed: String = corpus
        .iter()
        .map(|c| c.iter().map(|b| format!("0x{b:02x}")).collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    let mut cmd = Command::new(std::env::var("LLVM_MC").unwrap_or("llvm-mc-22".into()));
    cmd.args([
        "--disassemble",
        "--triple=amdgcn-amd-amdhsa",
        &format!("--mcpu={}", arch.name()),
        "--show-encoding",
    ]);
    if arch.generation() > 9 {
        cmd.arg(format!("--mattr=+wavefrontsize{wave},+real-true16"));
    }
    let mut child =
        cmd.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(feed.as_bytes()));
    let out = child.wait_with_output().ok()?;
    let _ = writer.join();
    if out.status.code().is_none() {
        if corpus.len() > 1 {
            let (a, b) = corpus.split_at(corpus.len() / 2);
            llvm_chunk(arch, wave, a, by_bytes)?;
            llvm_chunk(arch, wave, b, by_bytes)?;
        }
        return Some(());
    }
    for l in String::from_utf8_lossy(&out.stdout).lines() {
        if let Some((text, enc)) =
            l.split_once("; encoding: [").or_else(|| l.split_once("// encoding: ["))
            && !text.contains("/*Invalid")
        {
            let enc = enc
                .trim_end_matches(']')
                .split(',')
                .filter_map(|x| u8::from_str_radix(x.trim_start_matches("0x"), 16).ok())
                .collect();
            by_bytes.insert(enc, text.trim().to_string());
        }
    }
    Some(())
}

/// Brings both texts to one form: LLVM names immediates and hints that the decoder prints as numbers.
fn normal(text: &str) -> String {
    let mut t = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // A literal that has an inline form: LLVM marks it as such.
    while let Some(at) = t.find("lit(") {
        let end = at + t[at..].find(')').unwrap_or(0);
        t.replace_range(end..=end, "");
        t.replace_range(at..at + 4, "");
    }
    let name = t.split(' ').next().unwrap_or("").to_string();
    let symbolic = [
        "s_sendmsg",
        "s_sendmsghalt",
        "s_getreg_b32",
        "s_setreg_b32",
        "s_setreg_imm32_b32",
        "s_delay_alu",
        "s_waitcnt_depctr",
        "s_wait_alu",
        "s_set_gpr_idx_mode",
        "s_setvskip",
        "s_set_gpr_idx_on",
        "s_atc_probe",
        "s_atc_probe_buffer",
        "s_version",
    ];
    if symbolic.contains(&name.as_str()) || name.starts_with("s_sendmsg") {
        return name;
    }
    if name == "s_nop"
        || name.starts_with("s_set")
        || name == "s_sleep"
        || name == "s_call_b64"
        || name == "s_trap"
        || name == "s_branch"
        || name.starts_with("s_cbranch")
        || name.contains("perflevel")
        || name == "s_endpgm"
        || name.contains("barrier")
        || name == "s_denorm_mode"
        || name.starts_with("s_subvector")
    {
        // LLVM prints some immediates in decimal and some in hexadecimal.
        return t
            .split(' ')
            .map(|w| {
                w.strip_prefix("0x")
                    .and_then(|h| u32::from_str_radix(h, 16).ok())
                    .map_or(w.to_string(), |v| v.to_string())
            })
            .collect::<Vec<_>>()
            .join(" ");
    }
    // Temporal hints and the swizzle patterns' names carry no meaning here.
    let mut words: Vec<String> = t
        .split(' ')
        .filter(|w| !w.starts_with("th:") && !w.starts_with("nv"))
        .map(str::to_string)
        .collect();
    if name == "ds_swizzle_b32" {
        words.truncate(3);
    }
    if name.starts_with("s_branch") || name.starts_with("s_cbranch") {
        words.truncate(2);
    }
    words.join(" ").replace("neg(", "-(")
}

fn check(arch: Arch, wave: u32, per_format: usize) {
    let mut bits = Bits(arch as u64 * 1000 + wave as u64);
    let mut corpus = Vec::new();
    for (value, mask) in formats(arch) {
        for _ in 0..per_format {
            let mut b = [0u8; 12];
            let w0 = bits.next() as u32 & !mask | value;
            let (mut w1, mut w2) = (bits.next() as u32, bits.next() as u32);
            // Most random second words hold reserved bits: half of the corpus is sparse.
            if bits.next() & 1 == 0 {
                w1 &= bits.next() as u32 & bits.next() as u32;
                w2 &= bits.next() as u32 & bits.next() as u32;
            }
            b[..4].copy_from_slice(&w0.to_le_bytes());
            b[4..8].copy_from_slice(&w1.to_le_bytes());
            b[8..].copy_from_slice(&w2.to_le_bytes());
            let ours = isa::decode(arch, wave, &b, 0);
            // Matrix operations are out of scope, and LLVM's printer crashes on many of their invalid encodings.
            if ours
                .as_ref()
                .is_ok_and(|i| ["mfma", "smfmac"].iter().any(|m| i.mnemonic().contains(m)))
            {
                continue;
            }
            // Most of what the decoder refuses LLVM refuses too, crashing at times: a sample is enough.
            if ours.is_err() && !bits.next().is_multiple_of(8) {
                continue;
            }
            let size = ours.map_or(8, |i| i.size());
            corpus.push(b[..size].to_vec());
        }
    }
    let Some(theirs) = llvm(arch, wave, &corpus) else {
        assert!(
            std::env::var_os("WAVEWISE_REQUIRE_LLVM").is_none(),
            "llvm-mc-22 is required and was not found"
        );
        eprintln!("skipped: no llvm-mc-22");
        return;
    };
    let (mut same, mut skipped) = (0, 0);
    let mut wrong = std::collections::BTreeMap::new();
    let mut mnemonics = std::collections::HashSet::new();
    for (c, t) in corpus.iter().zip(&theirs) {
        let Some((text, size)) = t else { continue };
        if [
            "scale_offset",
            "/*",
            "addtid",
            "prefetch",
            "_gws_",
            "mfma",
            "smfmac",
            "wmma",
            "image_",
            "tbuffer",
            "bvh",
            "exp ",
            "_tfe",
            "lds_",
            " tfe",
            " lds",
        ]
        .iter()
        .any(|x| text.contains(x))
        {
            skipped += 1;
            continue;
        }
        // LLVM shows modifiers that these opcodes do not have, or hides them, differently in each encoding.
        let quirks = [
            "v_ldexp_f16",
            "v_cmpx_class_f32",
            "v_mov_b16",
            "v_pk_fmac_f16",
            "v_accvgpr_mov_b32",
            "s_version",
            "v_dot2_bf16_bf16",
            "v_trig_preop_f64",
        ];
        if quirks.iter().any(|q| text.starts_with(q))
            || text.contains(", vcc_lo|")
            || text.contains(", vcc|")
            || text.contains("offset:0x0")
            || text.contains("dual_dot2acc")
        {
            skipped += 1;
            continue;
        }
        match isa::decode(arch, wave, c, 0) {
            Ok(i) => {
                let ours = normal(&i.text(arch, wave));
                let expected = normal(text);
                if ours == expected && i.size() == *size {
                    same += 1;
                    mnemonics.insert(i.mnemonic());
                } else {
                    wrong.entry(i.mnemonic().to_string()).or_insert_with(Vec::new).push(format!(
                        "{c:02x?} ours `{ours}` ({}) LLVM `{expected}` ({size})",
                        i.size()
                    ));
                }
            }
            Err(e) => wrong
                .entry(text.split(' ').next().unwrap_or("").to_string())
                .or_insert_with(Vec::new)
                .push(format!("{e}: LLVM `{text}`")),
        }
    }
    let n: usize = wrong.values().map(Vec::len).sum();
    println!(
        "{} wave{wave}: {same} agree ({} mnemonics), {n} differ, {skipped} out of scope",
        arch.name(),
        mnemonics.len()
    );
    for (k, v) in wrong.iter().take(std::env::var("SHOW").map_or(20, |s| s.parse().unwrap_or(20))) {
        println!("  {k} ({}): {}", v.len(), v[0]);
    }
    assert!(same > 1000, "the corpus hardly decodes");
    assert_eq!(n, 0, "{n} instructions differ from LLVM");
}

#[test]
fn gfx942_agrees_with_llvm() {
    check(Arch::Gfx942, 64, 1500);
}

#[test]
fn gfx90a_agrees_with_llvm() {
    check(Arch::Gfx90a, 64, 1500);
}

#[test]
fn gfx1100_agrees_with_llvm() {
    check(Arch::Gfx1100, 32, 1500);
    check(Arch::Gfx1100, 64, 1500);
}

#[test]
fn gfx1200_agrees_with_llvm() {
    check(Arch::Gfx1200, 32, 1500);
    check(Arch::Gfx1200, 64, 1500);
}

/// Every instruction of the code objects in the repository, against `llvm-objdump`.
#[test]
fn objects_agree_with_objdump() {
    let root = env!("CARGO_MANIFEST_DIR");
    let folders = [format!("{root}/tests/objects"), format!("{root}/../kernels/prebuilt")];
    let files = folders.iter().filter_map(|f| std::fs::read_dir(f).ok()).flatten().flatten();
    let mut instructions = 0;
    for path in files.map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "hsaco")) {
        // A chip that the interpreter does not run.
        if path.ends_with("gfx950.hsaco") {
            continue;
        }
        let object = wavewise_gfx9::CodeObject::load(&std::fs::read(&path).unwrap()).unwrap();
        let (arch, wave) = (object.arch(), object.kernels().next().map_or(64, |k| k.wave_size));
        let mut cmd =
            Command::new(std::env::var("LLVM_OBJDUMP").unwrap_or("llvm-objdump-22".into()));
        cmd.args(["-d", &format!("--mcpu={}", arch.name())]);
        if arch.generation() > 9 {
            cmd.arg(format!("--mattr=+wavefrontsize{wave},+real-true16"));
        }
        let Ok(out) = cmd.arg(&path).output() else {
            assert!(
                std::env::var_os("WAVEWISE_REQUIRE_LLVM").is_none(),
                "llvm-objdump-22 is required and was not found"
            );
            eprintln!("skipped: no llvm-objdump-22");
            return;
        };
        for line in String::from_utf8_lossy(&out.stdout).lines() {
            let Some((text, rest)) = line.split_once(" // ") else { continue };
            let Some((_, code)) = rest.split_once(": ") else { continue };
            let code = code.split('<').next().unwrap_or("");
            let bytes: Vec<u8> = code
                .split_whitespace()
                .flat_map(|w| u32::from_str_radix(w, 16).unwrap().to_le_bytes())
                .collect();
            // The deliberate row broadcast on gfx1100 prints as something that LLVM calls invalid.
            if text.contains("/*") || text.contains(".long") {
                continue;
            }
            let ours = isa::decode(arch, wave, &bytes, 0)
                .unwrap_or_else(|e| panic!("{}: {line}: {e}", path.display()));
            assert_eq!(
                normal(&ours.text(arch, wave)),
                normal(text.trim()),
                "{}: {line}",
                path.display()
            );
            assert_eq!(ours.size(), bytes.len(), "{}: {line}", path.display());
            instructions += 1;
        }
    }
    println!("{instructions} instructions agree");
    assert!(instructions > 1000);
}
