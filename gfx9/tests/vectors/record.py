#!/usr/bin/env python3
"""Records single-instruction test vectors from an independent interpreter of gfx9 machine code.

usage: record.py ORACLE.py > gfx942.txt

ORACLE.py is a module with `Wave` (S: 128 scalars, V: a 256x64 array of u32, scc, pc) and `step(wave)`, which executes the
instruction at pc. A line is: code (hex), seed, the FNV-1a hash of the state after it. The state before it comes from the seed by
SplitMix64, drawn in the order that `state` below has; tests/vectors.rs draws it the same way.
"""
import ctypes, importlib.util, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
spec = importlib.util.spec_from_file_location("oracle", sys.argv[1])
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)
import numpy as np

M64 = (1 << 64) - 1
VGPRS, SGPRS = 12, 32


class Bits:
    def __init__(self, seed):
        self.s = seed

    def next(self):
        self.s = (self.s + 0x9E3779B97F4A7C15) & M64
        z = self.s
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & M64
        return z ^ (z >> 31)


def value(r):
    """A word without the exponent of infinities and NaNs: small numbers, ordinary floats, any bits."""
    kind, x = r & 3, r >> 32
    if kind == 0:
        x &= 0x7F
    elif kind == 1:
        x = 0x3F000000 + (x & 0x80FFFFFF)
    elif kind == 2:
        x = (x & 0x807FFFFF) | (64 + (x >> 23 & 127)) << 23
    if x & 0x7F800000 == 0x7F800000:
        x ^= 0x00800000
    if x & 0x7C00 == 0x7C00:
        x ^= 0x0400
    return x & 0xFFFFFFFF


def state(seed):
    b = Bits(seed)
    S = [0] * 128
    for k in range(SGPRS):
        S[k] = value(b.next())
    v = b.next()
    S[106], S[107] = v & 0xFFFFFFFF, v >> 32
    # EXEC: full half of the time, else random.
    e = b.next()
    e = M64 if e & 1 else b.next()
    S[126], S[127] = e & 0xFFFFFFFF, e >> 32
    scc = b.next() & 1
    V = np.zeros((256, 64), np.uint32)
    for r in range(VGPRS):
        for l in range(64):
            V[r, l] = value(b.next())
    return S, V, scc


def digest(S, V, scc):
    h = 0xCBF29CE484222325
    words = [S[k] & 0xFFFFFFFF for k in list(range(SGPRS)) + [106, 107, 126, 127]] + [int(scc)]
    for x in words + [int(x) for r in range(VGPRS) for x in V[r]]:
        h = (h ^ x) * 0x100000001B3 & M64
    return h


def run(code, seed):
    S, V, scc = state(seed)
    w = oracle.Wave(0, [], (0, 0, 0), np.arange(64, dtype=np.uint32), np.zeros(4, np.uint8), 0, 0)
    buf = ctypes.create_string_buffer(code + bytes(32), len(code) + 32)
    w.pc = ctypes.addressof(buf)
    w.S, w.V, w.scc = S, V, scc
    oracle.step(w)
    return w.S, w.V, w.scc


R = random.Random(942)
v = lambda: R.randrange(VGPRS - 1)
ve = lambda: 2 * R.randrange(VGPRS // 2)
s = lambda: 2 * R.randrange(SGPRS // 2)
INLINE = [128, 129, 135, 160, 192, 193, 200, 208, 240, 242, 245, 247, 248]
src = lambda: R.choice([256 + ve(), 256 + ve(), 256 + ve(), s(), R.choice(INLINE)])
ssrc = lambda: R.choice([s(), s(), R.choice(INLINE[:8]), 255])
DPP = lambda: R.choice([R.randrange(256), 0x100 + R.randrange(1, 16), 0x110 + R.randrange(1, 16), 0x120 + R.randrange(1, 16),
                        0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143, 0x150 + R.randrange(16)])
word = lambda *w: b"".join((x & 0xFFFFFFFF).to_bytes(4, "little") for x in w)
lit = lambda *o: (value(R.getrandbits(64)),) if 255 in o else ()


def encodings(family, op, name):
    if family == "SOP2":
        a, b = ssrc(), ssrc()
        b = b if a != 255 else s()
        yield word(2 << 30 | op << 23 | s() << 16 | b << 8 | a, *lit(a, b))
    elif family == "SOP1":
        a = ssrc()
        yield word(0x17D << 23 | s() << 16 | op << 8 | a, *lit(a))
    elif family == "SOPC":
        a, b = ssrc(), s()
        yield word(0x17E << 23 | op << 16 | b << 8 | a, *lit(a))
    elif family == "SOPK":
        yield word(0xB << 28 | op << 23 | s() << 16 | R.getrandbits(16))
    elif family in ("VOP1", "VOP2", "VOPC"):
        head = {"VOP1": 0x3F << 25 | op << 9, "VOP2": op << 25, "VOPC": 0x3E << 25 | op << 17}[family]
        dst = {"VOP1": ve() << 17, "VOP2": ve() << 17 | ve() << 9, "VOPC": ve() << 9}[family]
        a = R.choice([src(), src(), 255])
        tail = (value(R.getrandbits(64)),) if name in ("v_fmamk_f32", "v_fmaak_f32") else lit(a)
        a = 256 + ve() if tail and a == 255 and name.startswith("v_fma") else a
        yield word(head | dst | a, *tail)
        if "64" not in name and not tail or name.endswith("b32"):
            mods = R.choice([0, 0, R.randrange(16)]) if name.endswith("f32") and "cvt" not in name else 0
            yield word(head | dst | 250, R.choice([15, R.randrange(16)]) << 28 | R.choice([15, R.randrange(16)]) << 24 | mods << 20 | R.randrange(2) << 19 | DPP() << 8 | ve())
    elif family == "VOP3":
        f = name.endswith("f32") and "cvt" not in name and "class" not in name
        neg, abs_ = (R.randrange(8), R.randrange(8)) if f and R.randrange(2) else (0, 0)
        vcc = 106 if R.randrange(2) else s()
        a, b, c = src(), src(), src()
        if "_co_" in name or "mad_u64" in name:
            c = c if "mad_u64" in name else s()
            yield word(0x34 << 26 | op << 16 | vcc << 8 | ve(), c << 18 | b << 9 | a)
        elif name.startswith("v_cmp"):
            yield word(0x34 << 26 | op << 16 | (abs_ & 3) << 8 | s(), (neg & 3) << 29 | b << 9 | a)
        elif name.startswith("v_cndmask"):
            yield word(0x34 << 26 | op << 16 | ve(), s() << 18 | b << 9 | a)
        elif name == "v_readlane_b32":
            yield word(0x34 << 26 | op << 16 | s(), R.choice([s(), R.randrange(128, 192)]) << 9 | 256 + ve())
        elif name == "v_writelane_b32":
            yield word(0x34 << 26 | op << 16 | ve(), R.choice([s(), R.randrange(128, 192)]) << 9 | s())
        else:
            yield word(0x34 << 26 | op << 16 | abs_ << 8 | ve(), neg << 29 | c << 18 | b << 9 | a)
    elif family == "DS" and name in ("ds_bpermute_b32", "ds_permute_b32"):
        yield word(0x36 << 26 | op << 17 | R.choice([0, 4, 64]), ve() << 24 | ve() << 8 | ve())
    elif family == "DS" and name == "ds_swizzle_b32":
        yield word(0x36 << 26 | op << 17 | R.choice([R.getrandbits(15), 0x8000 | R.getrandbits(8)]), ve() << 24 | ve())


def main():
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tables/gfx942.tbl")
    for line in open(table):
        family, op, name = line.split()[:3]
        if name.startswith(("s_setpc", "s_swappc", "s_getpc", "s_call", "s_cbranch", "s_rfe")):
            continue
        base = name.removesuffix("_e32").removesuffix("_e64")
        known = 0
        for _ in range(8):
            for code in encodings(family, int(op, 16), base):
                seed = R.getrandbits(32)
                try:
                    out = run(code, seed)
                except Exception:
                    continue
                print(code.hex(), f"{seed:x}", f"{digest(*out):016x}")
                known += 1
                if known >= 10:
                    break


if __name__ == "__main__":
    main()
