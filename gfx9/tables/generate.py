#!/usr/bin/env python3
"""Writes NAME.tbl, the opcode table of one architecture, from what LLVM's disassembler says of every opcode of every encoding.

A row is: family, opcode (hex), LLVM's mnemonic, operands in the order of the text. An operand is a field letter (D destination,
S second destination, A B C sources, or for memory: D result, X address, Y Z data, R resource), the register file
(v vector, s scalar) and its width in 32-bit registers; `h` is a 16-bit half, `m` a lane mask (as wide as the wave).
Other words (vcc, exec, ...) are as LLVM prints them.

usage: generate.py gfx942 > gfx942.tbl
"""
import itertools, re, subprocess, sys

ARCH = sys.argv[1]
GEN = {"gfx90a": 9, "gfx942": 9, "gfx1100": 11, "gfx1200": 12}[ARCH]
MC = "llvm-mc-22"


def disassemble(samples, wave):
    """samples: list of bytes; gives {index: text}. LLVM names the input line of everything it refuses."""
    if not samples:
        return {}
    feed = "\n".join(" ".join(f"0x{b:02x}" for b in s) for s in samples) + "\n"
    attr = [] if GEN == 9 else [f"--mattr=+wavefrontsize{wave},+real-true16"]
    p = subprocess.run([MC, "--disassemble", "--triple=amdgcn-amd-amdhsa", f"--mcpu={ARCH}", *attr, "--show-encoding"],
                       input=feed, capture_output=True, text=True)
    bad = {int(m[1]) - 1 for m in re.finditer(r"<stdin>:(\d+):\d+: warning: (?:invalid|potentially undefined)", p.stderr)}
    lines = [l.strip() for l in p.stdout.splitlines() if "encoding:" in l]
    good = [i for i in range(len(samples)) if i not in bad]
    out = {}
    byenc = {}
    for l in lines:
        text, enc = re.split(r"\s*(?://|;) encoding: \[", l)
        byenc.setdefault(bytes(int(x, 16) for x in enc.rstrip("]").split(",")), text.strip())
    byenc = {k: v for k, v in byenc.items() if "/*Invalid" not in v}
    for i in good:
        for n in (4, 8, 12):
            if samples[i][:n] in byenc:
                out[i] = byenc[samples[i][:n]]
                break
    return out


def words(*w):
    return b"".join(x.to_bytes(4, "little") for x in w)


V = {10: "D", 20: "A", 30: "B", 40: "C"}
VM = {10: "D", 20: "X", 30: "Y", 40: "Z"}
S = {16: "S", 32: "A", 48: "B", 64: "C", 10: "D"}


def operand(tok, vmap, smap):
    m = re.fullmatch(r"([-|a-z(]*?)([vsa])(?:(\d+)(\.[lh])?|\[(\d+):(\d+)\])\|?\)?", tok)
    if not m:
        return tok
    f, a, half, lo, hi = m[2], m[3], m[4], m[5], m[6]
    base = int(a or lo)
    n = 1 if a else int(hi) - int(lo) + 1
    letter = (smap if f == "s" else vmap).get(base)
    if letter is None:
        return tok
    return f"{letter}{f}{'h' if half else n}"


def rows(family, ops, make, vmap=V, smap=S):
    """make(op) yields candidate encodings of one opcode, best first; the first that LLVM accepts is taken."""
    samples, owner = [], []
    for op in ops:
        for s in make(op):
            samples.append(s + bytes(16 - len(s)))
            owner.append(op)
    w64, w32 = disassemble(samples, 64), disassemble(samples, 32) if GEN > 9 else {}
    done = set()
    for i, op in enumerate(owner):
        if op in done or i not in w64:
            continue
        done.add(op)
        name, _, rest = w64[i].partition(" ")
        toks = [t.strip() for t in re.split(r",\s*", rest)] if rest else []
        alt = []
        if i in w32 and w32[i] != w64[i]:
            alt = [t.strip() for t in re.split(r",\s*", w32[i].partition(" ")[2])]
        spec = []
        for k, t in enumerate(toks):
            if re.fullmatch(r"[01]\]?", t) and family == "VOP3P":
                continue  # a tail of op_sel_hi:[1,1,1]
            t = re.split(r"\s+", t)[0] if family not in ("SOPP", "SOPK") else t
            o = operand(t, vmap, smap)
            if alt and k < len(alt):
                o2 = operand(re.split(r"\s+", alt[k])[0], vmap, smap)
                if o2 != o:
                    o = o[:-1] + "m" if re.fullmatch(r"[A-Z]s\d+", o) else ("vcc" if o == "vcc" else o)
            elif GEN == 9 and re.fullmatch(r"[A-Z]s2", o) and family in ("VOP3", "VOPC", "VOP2") and not (o[0] in "AB"):
                o = o[:-1] + "m"
            if o == "s[0:1]" and family == "VOP3":
                o = "Ssm"  # the VOP3B encoding's second destination
            if family == "VOP3" and o[0] == "C" and re.search(r"_(addc|subb|subbrev)_co_|_co_ci_|cndmask", name):
                o = "Csm"  # LLVM also takes a VGPR here, which means nothing
            if o.endswith("]"):
                continue  # a tail of op_sel_hi:[...]
            spec.append(o)
        print(f"{family} {op:x} {name} {' '.join(spec)}".rstrip())


SOP2 = lambda op: [words(2 << 30 | op << 23 | 16 << 16 | 48 << 8 | 32)]
rows("SOP2", range(96), SOP2, smap={16: "D", 32: "A", 48: "B"})
rows("SOPK", range(32), lambda op: [words(0xB << 28 | op << 23 | 16 << 16 | 0x801), words(0xB << 28 | op << 23 | 0x801, 0x1234)], smap={16: "D"})
rows("SOP1", range(256), lambda op: [words(0x17D << 23 | d << 16 | op << 8 | s) for d, s in ((16, 32), (0, 32), (16, 0), (16, 1), (0, 0x80), (0, 193), (0, 0xc1), (16, 0x80))], smap={16: "D", 32: "A"})
rows("SOPC", range(128), lambda op: [words(0x17E << 23 | op << 16 | 48 << 8 | 32)], smap={32: "A", 48: "B"})
rows("SOPP", range(128), lambda op: [words(0x17F << 23 | op << 16 | 1), words(0x17F << 23 | op << 16)])
if GEN == 9:
    rows("SMEM", range(256), lambda op: [words(0x30 << 26 | op << 18 | 1 << 17 | 16 << 6 | 16, 0x10)] + [words(0x30 << 26 | op << 18 , 0)], smap={16: "D", 32: "A"})
elif GEN == 11:
    rows("SMEM", range(256), lambda op: [words(0x3D << 26 | op << 18 | 16 << 6 | 16, 124 << 25 | 0x10), words(0x3D << 26 | op << 18, 0)], smap={16: "D", 32: "A"})
else:
    rows("SMEM", range(64), lambda op: [words(0x3D << 26 | op << 13 | 16 << 6 | 16, 124 << 25 | 0x10), words(0x3D << 26 | op << 13, 0)], smap={16: "D", 32: "A"})


def vop2(op):
    yield words(op << 25 | 10 << 17 | 30 << 9 | 256 + 20)
    yield words(op << 25 | 10 << 17 | 30 << 9 | 256 + 20, 0x12345678)


rows("VOP2", range(62), vop2)
rows("VOP1", range(256), lambda op: [words(0x3F << 25 | 10 << 17 | op << 9 | 256 + 20), words(0x3F << 25 | 10 << 17 | op << 9 | 32), words(0x3F << 25 | 0 << 17 | op << 9)])
rows("VOPC", range(256), lambda op: [words(0x3E << 25 | op << 17 | 30 << 9 | 256 + 20)])
prefix = 0x34 if GEN == 9 else 0x35


def vop3(op):
    for c, b, a in itertools.product((256 + 40, 64, 0), (256 + 30, 48, 0), (256 + 20, 32, 0)):
        for sd in (0, 16):
            yield words(prefix << 26 | op << 16 | sd << 8 | 10, c << 18 | b << 9 | a)
            yield words(prefix << 26 | op << 16 | sd << 8 | 126, c << 18 | b << 9 | a)


rows("VOP3", range(0x380 if GEN == 9 else 1024), vop3)  # gfx9: 0x380 and up is VOP3P
p3 = 0x1A7 << 23 if GEN == 9 else 0xCC << 24
rows("VOP3P", range(128), lambda op: [words(p3 | op << 16 | oh2 << 14 | 10, 3 << 27 | c << 18 | b << 9 | a)
                                       for c in (256 + 40, 0) for oh2 in (1, 0) for b in (256 + 30, 0) for a in (256 + 20, 48)])
if GEN == 9:
    rows("DS", range(256), lambda op: [words(0x36 << 26 | op << 17, d << 24 | z << 16 | y << 8 | x) for x in (20, 0) for d in (10, 0) for z, y in ((40, 30), (0, 30), (0, 0))], VM)
    for seg, name in ((0, "FLAT"), (2, "GLOBAL"), (1, "SCRATCH")):
        rows(name, range(128), lambda op: [words(0x37 << 26 | op << 18 | seg << 14 | g << 16 | (sv << 13), d << 24 | s << 16 | y << 8 | 20) for g in (1, 0) for s in (0x7F, 0) for sv in ((1, 0) if seg == 1 and ARCH != "gfx90a" else (0,)) for d, y in ((10, 30), (10, 0), (0, 30), (0, 0))], VM)
    rows("MUBUF", range(128), lambda op: [words(0x38 << 26 | op << 18 | 1 << 12 | g << 14, 0x80 << 24 | 8 << 16 | 10 << 8 | 20) for g in (1, 0)] + [words(0x38 << 26 | op << 18, 0)], VM, {32: "R"})
elif GEN == 11:
    rows("DS", range(256), lambda op: [words(0x36 << 26 | op << 18, d << 24 | z << 16 | y << 8 | x) for x in (20, 0) for d in (10, 0) for z, y in ((40, 30), (0, 30), (0, 0))], VM)
    for seg, name in ((0, "FLAT"), (2, "GLOBAL"), (1, "SCRATCH")):
        rows(name, range(128), lambda op: [words(0x37 << 26 | op << 18 | seg << 16 | g << 14, d << 24 | (1 << 23 if seg == 1 else 0) | s << 16 | y << 8 | 20) for g in (1, 0) for s in (0x7C, 0) for d, y in ((10, 30), (10, 0), (0, 30), (0, 0))], VM)
    rows("MUBUF", range(256), lambda op: [words(0x38 << 26 | op << 18 | g << 14, 0x80 << 24 | 1 << 22 | 8 << 16 | 10 << 8 | 20) for g in (1, 0)] + [words(0x38 << 26 | op << 18, 0)], VM, {32: "R"})
else:
    rows("DS", range(256), lambda op: [words(0x36 << 26 | op << 18, d << 24 | z << 16 | y << 8 | x) for x in (20, 0) for d in (10, 0) for z, y in ((40, 30), (0, 30), (0, 0))], VM)
    for seg, name in ((0, "FLAT"), (2, "GLOBAL"), (1, "SCRATCH")):
        rows(name, range(256), lambda op: [words(0x3B << 26 | seg << 24 | op << 14 | 0x7C, (y << 23) | (1 << 20 if g else 0) | (1 << 17 if seg == 1 else 0) | d, 20) for g in (1, 0) for d, y in ((10, 30), (10, 0), (0, 30), (0, 0))] + [words(0x3B << 26 | seg << 24 | op << 14 | 0x7C, 0, 0)], VM)
    rows("MUBUF", range(256), lambda op: [words(0x31 << 26 | op << 14 | 0x7C, 1 << 30 | 32 << 9 | (1 << 20 if g else 0) | 10, 20) for g in (1, 0)], VM, {32: "R"})
if GEN > 9:
    # VOPD: X and Y halves are listed by themselves, taken from a pair with v_dual_mov_b32 (8).
    def vopd_x(op):
        for lit, b in itertools.product(((), (0x12345678,)), (30, 0)):
            yield words(0x32 << 26 | op << 22 | 8 << 17 | b << 9 | 256 + 20, 10 << 24 | 3 << 17 | 256 + 53, *lit)

    def vopd_y(op):
        for lit, b in itertools.product(((), (0x12345678,)), (30, 0)):
            yield words(0x32 << 26 | 8 << 22 | op << 17 | 256 + 53, 10 << 24 | 6 << 17 | b << 9 | 256 + 20, *lit)
    for fam, mk, n in (("VOPDX", vopd_x, 16), ("VOPDY", vopd_y, 32)):
        samples = [(op, s + bytes(16 - len(s))) for op in range(n) for s in mk(op)]
        d = disassemble([s for _, s in samples], 32)
        seen = set()
        for i, (op, _) in enumerate(samples):
            if i in d and op not in seen:
                seen.add(op)
                print(f"{fam} {op:x} {d[i].split(' :: ')[0 if fam == 'VOPDX' else 1].split()[0]}")
