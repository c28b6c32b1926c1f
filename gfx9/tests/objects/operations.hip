// Scalar code of many types, compiled for the GPUs and for the CPU, which makes the expected results (operations.expected).

#ifdef HOST
#include <stdio.h>
#define DEVICE static
#else
#define DEVICE __attribute__((device)) static
#endif

typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
#define OUTPUTS 96

DEVICE u32 f2u(float f) { return __builtin_bit_cast(u32, f); }
DEVICE float u2f(u32 u) { return __builtin_bit_cast(float, u); }

DEVICE __attribute__((noinline)) u64 collatz(u64 v, u32 *steps)
{
    u32 n = 0;
    while (v != 1 && n < 40) { v = v & 1 ? 3 * v + 1 : v / 2; n++; }
    *steps = n;
    return v;
}

DEVICE void body(u32 x, u32 y, u32 *out)
{
    int n = 0;
#define OUT(v) out[n++] = (u32)(v)
#define OUT64(v) do { u64 t_ = (u64)(v); OUT(t_); OUT(t_ >> 32); } while (0)
#define OUTD(v) OUT64(__builtin_bit_cast(u64, (double)(v)))
    int a = (int)x, b = (int)y;
    u64 p = (u64)x << 32 | y, q = (u64)y * 0x9E3779B97F4A7C15ull + x;
    OUT(x + y); OUT(x - y); OUT(x * y); OUT(a >> (y & 31)); OUT(x << (y & 31)); OUT(x / (y | 1)); OUT(x % (y | 1));
    OUT(a / (b | 1)); OUT(a % (b | 1)); OUT(__builtin_popcount(x)); OUT(__builtin_clz(x | 1)); OUT(__builtin_ctz(y | 0x80000000u));
    OUT(__builtin_bitreverse32(x)); OUT(__builtin_bswap32(y)); OUT(a < b ? a : b); OUT(x > y ? x : y);
    OUT64(p + q); OUT64(p - q); OUT64(p * q); OUT64(p >> (x & 63)); OUT64((i64)q >> (y & 63)); OUT64(p << (y & 63));
    OUT64(p / (q | 1)); OUT64((i64)q % (i64)(p | 1)); OUT(__builtin_popcountll(p ^ q)); OUT(p < q); OUT((i64)p < (i64)q);
    OUT((signed char)x + (signed char)y); OUT((short)((short)x * (short)y)); OUT((unsigned char)(x >> 3)); OUT((unsigned short)(y / 7));
    OUT(__builtin_rotateleft32(x, y & 31)); OUT(((u64)x * y) >> 32); OUT(((i64)a * b) >> 32);
    float f = (float)a * 0.001f, g = (float)(y & 0xffff) + 0.25f, h = u2f(x & 0x007fffff);
    OUT(f2u(f + g)); OUT(f2u(f * g)); OUT(f2u(f - g)); OUT(f2u(f / g)); OUT(f2u(__builtin_fmaf(f, g, h))); OUT(f2u(h * 0.5f));
    OUT(f2u(h + u2f(y & 0x007fffff))); OUT(f2u(__builtin_sqrtf(g))); OUT(f2u(__builtin_floorf(f))); OUT(f2u(__builtin_truncf(f)));
    OUT(f2u(__builtin_rintf(f))); OUT(f2u(__builtin_ceilf(f))); OUT(f2u(__builtin_fabsf(f))); OUT(f2u(__builtin_copysignf(g, f)));
    OUT(f < g); OUT(f2u((float)x)); OUT((int)f); OUT((u32)g); OUT(f2u((float)q)); OUT(f2u((float)(i64)q));
    double d = (double)a * 1e-3, e = (double)y + 0.125;
    OUTD(d + e); OUTD(d * e); OUTD(d / e); OUTD(__builtin_fma(d, e, 1e-9)); OUTD(__builtin_sqrt(e)); OUTD(__builtin_floor(d));
    OUTD((float)d); OUT(d < e); OUTD((double)q); OUT64((i64)(d * 1e3)); OUT64((u64)e);
    _Float16 s = (_Float16)((float)(int)(x & 1023) * 0.125f - 60.0f), t = (_Float16)((float)(y & 255) * 0.5f + 1.0f);
    OUT(__builtin_bit_cast(unsigned short, (_Float16)(s + t))); OUT(__builtin_bit_cast(unsigned short, (_Float16)(s * t)));
    OUT(__builtin_bit_cast(unsigned short, (_Float16)(s - t))); OUT(f2u((float)s)); OUT(s < t); OUT((int)t);
    // An array with run-time indices lives in scratch; the loop and the switch diverge.
    u32 stack[16];
    for (u32 k = 0; k < 16; k++) stack[k] = x * k + y;
    for (u32 k = 0; k < (x & 15) + 3; k++) stack[(x >> k) & 15] ^= stack[(y >> k) & 15] + k;
    u32 hash = 0;
    for (u32 k = 0; k < 16; k++) hash = hash * 31 + stack[k];
    OUT(hash);
    switch (x % 5) {
    case 0: OUT(x * 3); break;
    case 1: OUT(y ^ 0x55); break;
    case 2: OUT(x / 3); break;
    case 3: OUT(x + 7 * y); break;
    default: OUT(~x); break;
    }
    u32 steps;
    u64 c = collatz((x & 0xffff) + 1, &steps);
    OUT(c); OUT(steps);
    while (n < OUTPUTS) OUT(0);
}

#ifdef HOST
static u32 input(u32 i, u32 salt) { return (i * 2654435761u + salt) ^ ((i + salt) * 40503u << 7); }
int main(void)
{
    u32 out[OUTPUTS];
    for (u32 i = 0; i < 256; i++) {
        body(input(i, 1) >> (i & 31), input(i, 2), out);
        fwrite(out, 4, OUTPUTS, stdout);
    }
    return 0;
}
#else
extern "C" __attribute__((global)) void operations(const u32 *x, const u32 *y, u32 *result)
{
    u32 i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
    u32 out[OUTPUTS];
    body(x[i], y[i], out);
    for (u32 k = 0; k < OUTPUTS; k++) result[i * OUTPUTS + k] = out[k];
}
#endif
